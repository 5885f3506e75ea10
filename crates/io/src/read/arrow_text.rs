//! Arrow values as the texts that the model reads.
//!
//! Whole numbers in decimal, fractions in the shortest form that reads back, days as `2001-03-02`,
//! instants at midnight as days and others as `2001-03-02T10:20:30`, with `Z` when the type has a
//! time zone.

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{
    Array, ArrayRef, LargeStringArray, PrimitiveArray, StringArray, StringViewArray,
};
use arrow_schema::{DataType, TimeUnit};
use mingle_model::{Number, date};
use std::borrow::Cow;

/// The first and last day that has a text: the years 0000 to 9999.
const DAYS: std::ops::RangeInclusive<i64> = -719_528..=2_932_896;
const DAY_SECONDS: i64 = 86_400;

/// Why a type cannot be read; `None` if it can.
pub(super) fn type_flaw(data_type: &DataType) -> Option<&'static str> {
    use DataType::*;
    match data_type {
        Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64 => None,
        Null | Boolean | Float16 | Float32 | Float64 | Utf8 | LargeUtf8 | Utf8View => None,
        Date32 | Date64 | Timestamp(..) | Decimal32(..) | Decimal64(..) | Decimal128(..) => None,
        Dictionary(_, values) if matches!(**values, Dictionary(..)) => Some("nested"),
        Dictionary(_, values) => type_flaw(values),
        Binary | LargeBinary | BinaryView | FixedSizeBinary(_) => Some("binary"),
        List(_) | LargeList(_) | FixedSizeList(..) | ListView(_) | LargeListView(_) | Struct(_)
        | Map(..) | Union(..) => Some("nested"),
        Time32(_) | Time64(_) | Duration(_) | Interval(_) => Some("time of day or duration"),
        _ => Some("unusual"),
    }
}

/// The values of an array.
pub(super) enum Cells<'a> {
    Text(&'a StringArray),
    LargeText(&'a LargeStringArray),
    TextView(&'a StringViewArray),
    Numbers(Numbers),
    /// Nothing but nulls.
    Nothing,
}

/// Values that are not texts, as integers from which their texts follow.
pub(super) struct Numbers {
    pub(super) values: Vec<i128>,
    meaning: Meaning,
}

#[derive(Clone, Copy)]
enum Meaning {
    Boolean,
    Integer,
    /// The bits of a 32-bit float.
    Float32,
    /// The bits of a 64-bit float.
    Float64,
    Decimal {
        scale: i8,
    },
    Day,
    /// Ticks since 1970, so many a second.
    Instant {
        ticks: i64,
        zoned: bool,
    },
}

impl<'a> Cells<'a> {
    /// `None` for a type of which [`type_flaw`] complains.
    pub(super) fn new(array: &'a ArrayRef) -> Option<Self> {
        use DataType::*;
        Some(match array.data_type() {
            Utf8 => Cells::Text(array.as_string()),
            LargeUtf8 => Cells::LargeText(array.as_string()),
            Utf8View => Cells::TextView(array.as_string_view()),
            Null => Cells::Nothing,
            _ => Cells::Numbers(Numbers::new(array)?),
        })
    }

    /// The text of a value that is not null; `None` if it is a date that has none.
    pub(super) fn text(&self, index: usize) -> Option<Cow<'_, str>> {
        Some(match self {
            Cells::Text(array) => Cow::Borrowed(array.value(index)),
            Cells::LargeText(array) => Cow::Borrowed(array.value(index)),
            Cells::TextView(array) => Cow::Borrowed(array.value(index)),
            Cells::Numbers(numbers) => Cow::Owned(numbers.text(numbers.values[index])?),
            Cells::Nothing => Cow::Borrowed(""),
        })
    }
}

impl Numbers {
    fn new(array: &ArrayRef) -> Option<Self> {
        use DataType::*;
        let (values, meaning) = match array.data_type() {
            Boolean => (
                array.as_boolean().values().iter().map(i128::from).collect(),
                Meaning::Boolean,
            ),
            Int8 => (widen::<Int8Type>(array), Meaning::Integer),
            Int16 => (widen::<Int16Type>(array), Meaning::Integer),
            Int32 => (widen::<Int32Type>(array), Meaning::Integer),
            Int64 => (widen::<Int64Type>(array), Meaning::Integer),
            UInt8 => (widen::<UInt8Type>(array), Meaning::Integer),
            UInt16 => (widen::<UInt16Type>(array), Meaning::Integer),
            UInt32 => (widen::<UInt32Type>(array), Meaning::Integer),
            UInt64 => (widen::<UInt64Type>(array), Meaning::Integer),
            Float16 => (
                values::<Float16Type>(array, |f| f.to_f32().to_bits().into()),
                Meaning::Float32,
            ),
            Float32 => (
                values::<Float32Type>(array, |f| f.to_bits().into()),
                Meaning::Float32,
            ),
            Float64 => (
                values::<Float64Type>(array, |f| f.to_bits().into()),
                Meaning::Float64,
            ),
            Decimal32(_, scale) => (
                widen::<Decimal32Type>(array),
                Meaning::Decimal { scale: *scale },
            ),
            Decimal64(_, scale) => (
                widen::<Decimal64Type>(array),
                Meaning::Decimal { scale: *scale },
            ),
            Decimal128(_, scale) => (
                widen::<Decimal128Type>(array),
                Meaning::Decimal { scale: *scale },
            ),
            Date32 => (widen::<Date32Type>(array), Meaning::Day),
            Date64 => (
                widen::<Date64Type>(array),
                Meaning::Instant {
                    ticks: 1_000,
                    zoned: false,
                },
            ),
            Timestamp(unit, zone) => instants(array, *unit, zone.is_some()),
            _ => return None,
        };
        Some(Numbers { values, meaning })
    }

    /// The text of one of the values.
    pub(super) fn text(&self, value: i128) -> Option<String> {
        Some(match self.meaning {
            Meaning::Boolean => (value != 0).to_string(),
            Meaning::Integer => value.to_string(),
            // adding zero turns the negative zero into the positive one
            Meaning::Float32 => (f32::from_bits(value as u32) + 0.0).to_string(),
            Meaning::Float64 => (f64::from_bits(value as u64) + 0.0).to_string(),
            Meaning::Decimal { scale } => match u8::try_from(scale) {
                Ok(scale) => Number::text(value, scale),
                Err(_) => format!("{value}{}", "0".repeat(scale.unsigned_abs().into())),
            },
            Meaning::Day => day_text(value as i64)?,
            Meaning::Instant { ticks, zoned } => instant_text(value as i64, ticks, zoned)?,
        })
    }
}

fn values<T: ArrowPrimitiveType>(array: &ArrayRef, key: impl Fn(T::Native) -> i128) -> Vec<i128> {
    let array: &PrimitiveArray<T> = array.as_primitive();
    array.values().iter().map(|&value| key(value)).collect()
}

fn widen<T: ArrowPrimitiveType>(array: &ArrayRef) -> Vec<i128>
where
    T::Native: Into<i128>,
{
    values::<T>(array, Into::into)
}

fn instants(array: &ArrayRef, unit: TimeUnit, zoned: bool) -> (Vec<i128>, Meaning) {
    let (values, ticks) = match unit {
        TimeUnit::Second => (widen::<TimestampSecondType>(array), 1),
        TimeUnit::Millisecond => (widen::<TimestampMillisecondType>(array), 1_000),
        TimeUnit::Microsecond => (widen::<TimestampMicrosecondType>(array), 1_000_000),
        TimeUnit::Nanosecond => (widen::<TimestampNanosecondType>(array), 1_000_000_000),
    };
    (values, Meaning::Instant { ticks, zoned })
}

fn day_text(day: i64) -> Option<String> {
    DAYS.contains(&day).then(|| date::text(day as i32))
}

fn instant_text(value: i64, ticks: i64, zoned: bool) -> Option<String> {
    let (seconds, fraction) = (value.div_euclid(ticks), value.rem_euclid(ticks));
    let day = day_text(seconds.div_euclid(DAY_SECONDS))?;
    let of_day = seconds.rem_euclid(DAY_SECONDS);
    if of_day == 0 && fraction == 0 {
        return Some(day);
    }
    let time = format!(
        "{:02}:{:02}:{:02}",
        of_day / 3_600,
        of_day / 60 % 60,
        of_day % 60
    );
    let digits = ticks.ilog10() as usize;
    let fraction = format!("{fraction:0digits$}");
    let fraction = fraction.trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!(
        "{day}T{time}{point}{fraction}{}",
        if zoned { "Z" } else { "" }
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::*;
    use std::sync::Arc;

    fn text(array: impl Array + 'static) -> Option<String> {
        let array: ArrayRef = Arc::new(array);
        assert_eq!(type_flaw(array.data_type()), None);
        Cells::new(&array).unwrap().text(0).map(Cow::into_owned)
    }

    #[test]
    fn numbers_in_their_shortest_form() {
        assert_eq!(
            text(UInt64Array::from(vec![u64::MAX])).unwrap(),
            "18446744073709551615"
        );
        assert_eq!(text(Int8Array::from(vec![-5])).unwrap(), "-5");
        assert_eq!(text(Float64Array::from(vec![5.0])).unwrap(), "5");
        assert_eq!(text(Float64Array::from(vec![-0.0])).unwrap(), "0");
        assert_eq!(text(Float32Array::from(vec![0.1])).unwrap(), "0.1");
        assert_eq!(text(BooleanArray::from(vec![true])).unwrap(), "true");
        let decimal = |n, scale| {
            Decimal128Array::from(vec![n])
                .with_precision_and_scale(10, scale)
                .unwrap()
        };
        assert_eq!(text(decimal(-1250, 2)).unwrap(), "-12.5");
        assert_eq!(text(decimal(7, 0)).unwrap(), "7");
        assert_eq!(text(decimal(7, -2)).unwrap(), "700");
    }

    #[test]
    fn days_and_instants() {
        assert_eq!(text(Date32Array::from(vec![11_383])).unwrap(), "2001-03-02");
        assert_eq!(
            text(Date64Array::from(vec![11_383 * 86_400_000])).unwrap(),
            "2001-03-02"
        );
        assert_eq!(
            text(TimestampSecondArray::from(vec![-1])).unwrap(),
            "1969-12-31T23:59:59"
        );
        assert_eq!(
            text(TimestampMillisecondArray::from(vec![1_500])).unwrap(),
            "1970-01-01T00:00:01.5"
        );
        assert_eq!(
            text(TimestampNanosecondArray::from(vec![1]).with_timezone_utc()).unwrap(),
            "1970-01-01T00:00:00.000000001Z"
        );
        assert_eq!(
            text(TimestampMicrosecondArray::from(vec![0]).with_timezone_utc()).unwrap(),
            "1970-01-01"
        );
    }

    #[test]
    fn days_without_a_text() {
        for day in [i32::MIN, -719_529, 2_932_897, i32::MAX] {
            assert_eq!(text(Date32Array::from(vec![day])), None);
        }
        assert_eq!(
            text(Date32Array::from(vec![2_932_896])).unwrap(),
            "9999-12-31"
        );
        assert_eq!(
            text(Date32Array::from(vec![-719_528])).unwrap(),
            "0000-01-01"
        );
        assert_eq!(text(TimestampSecondArray::from(vec![i64::MIN])), None);
    }

    #[test]
    fn types_that_are_no_cells() {
        assert_eq!(type_flaw(&DataType::Binary), Some("binary"));
        assert_eq!(
            type_flaw(&DataType::Struct(Default::default())),
            Some("nested")
        );
        assert_eq!(
            type_flaw(&DataType::Time32(TimeUnit::Second)),
            Some("time of day or duration")
        );
        let dictionary = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Binary));
        assert_eq!(type_flaw(&dictionary), Some("binary"));
    }
}
