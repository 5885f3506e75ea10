//! Which values an axis shows, where its ticks are and what they say.
//!
//! Linear ticks are 1, 2 or 5 times a power of ten apart; logarithmic ones are powers of ten, with
//! 2 and 5 or all nine digits between them where few powers are in sight. Ticks are counted, never
//! accumulated, so rounding cannot add up.

use crate::{Axis, AxisScale};

/// Beyond this a difference of two values may leave the numbers.
const LARGEST: f64 = 1e150;

/// The values an axis shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisRange {
    scale: AxisScale,
    pub low: f64,
    pub high: f64,
}

impl AxisRange {
    /// The domain of `axis` over `values`; `amounts` starts a linear axis at zero and ends it at a
    /// tick.
    pub fn of(axis: &Axis, values: impl Iterator<Item = f64>, amounts: bool) -> AxisRange {
        let scale = axis.scale;
        let told = axis
            .range
            .filter(|&(low, high)| low < high && drawable(scale, low) && drawable(scale, high));
        if let Some((low, high)) = told {
            return AxisRange { scale, low, high };
        }
        let extremes =
            values
                .filter(|&v| drawable(scale, v))
                .fold(None, |seen: Option<(f64, f64)>, v| {
                    Some(seen.map_or((v, v), |(low, high)| (low.min(v), high.max(v))))
                });
        let (low, high) = match scale {
            AxisScale::Linear => linear_ends(extremes.unwrap_or((0.0, 1.0)), amounts),
            AxisScale::Log => log_ends(extremes.unwrap_or((1.0, 10.0)), amounts),
        };
        AxisRange { scale, low, high }
    }

    /// The domain with room for half a bar at either end.
    pub fn widened(self, by: f64) -> AxisRange {
        AxisRange {
            low: self.low - by,
            high: self.high + by,
            ..self
        }
    }

    /// Whether the domain is over a linear scale.
    pub fn is_linear(&self) -> bool {
        self.scale == AxisScale::Linear
    }

    /// Where `value` lies, 0 at the low end and 1 at the high one; `None` if it has no place on the
    /// scale.
    pub fn place(&self, value: f64) -> Option<f64> {
        drawable(self.scale, value).then(|| match self.scale {
            AxisScale::Linear => (value - self.low) / (self.high - self.low),
            AxisScale::Log => (value / self.low).log10() / (self.high / self.low).log10(),
        })
    }

    /// At most about `most` ticks: value and label.
    pub fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let values = match self.scale {
            AxisScale::Linear => self.linear_ticks(most),
            AxisScale::Log => self.log_ticks(most),
        };
        // on a linear axis all have equally many decimals; on a logarithmic one 0.01 need not make
        // 1 a 1.00
        let digits = if self.is_linear() {
            digits_needed(&values)
        } else {
            0
        };
        values
            .into_iter()
            .map(|v| (v, label(v, digits.max(digits_needed(&[v])))))
            .collect()
    }

    fn linear_ticks(&self, most: usize) -> Vec<f64> {
        let step = step((self.high - self.low) / most as f64);
        let first = (self.low / step - 1e-9).ceil();
        let mut ticks: Vec<f64> = (0..=2 * most).map(|i| (first + i as f64) * step).collect();
        ticks.retain(|&v| v <= self.high + step * 1e-9);
        ticks.dedup();
        ticks.into_iter().map(tidy).collect()
    }

    fn log_ticks(&self, most: usize) -> Vec<f64> {
        let ladders: [(&[f64], i32); 7] = [
            (&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], 1),
            (&[1.0, 2.0, 5.0], 1),
            (&[1.0], 1),
            (&[1.0], 2),
            (&[1.0], 3),
            (&[1.0], 10),
            (&[1.0], 50),
        ];
        let rungs = ladders
            .iter()
            .map(|(digits, every)| self.rungs(digits, *every));
        let fitting = rungs
            .into_iter()
            .find(|rungs| rungs.len() <= most)
            .unwrap_or_default();
        if fitting.len() >= 2 {
            fitting
        } else {
            self.linear_ticks(most)
                .into_iter()
                .filter(|&v| v > 0.0)
                .collect()
        }
    }

    fn rungs(&self, digits: &[f64], every: i32) -> Vec<f64> {
        let (first, last) = (
            self.low.log10().floor() as i32,
            self.high.log10().ceil() as i32,
        );
        let powers = (first..=last).filter(|p| p.rem_euclid(every) == 0);
        let rungs = powers.flat_map(|p| digits.iter().map(move |d| tidy(d * 10f64.powi(p))));
        rungs
            .filter(|&v| v >= self.low * (1.0 - 1e-9) && v <= self.high * (1.0 + 1e-9))
            .collect()
    }
}

fn drawable(scale: AxisScale, value: f64) -> bool {
    let fits = value.is_finite() && value.abs() <= LARGEST;
    fits && (scale == AxisScale::Linear || value >= 1.0 / LARGEST)
}

fn linear_ends((low, high): (f64, f64), amounts: bool) -> (f64, f64) {
    let (low, high) = if amounts {
        (low.min(0.0), high.max(0.0))
    } else {
        (low, high)
    };
    let size = high.abs().max(low.abs());
    if high - low <= (size * 1e-12).max(1.0 / LARGEST) {
        let room = if size <= 1.0 / LARGEST {
            1.0
        } else {
            size / 2.0
        };
        return (if amounts { low } else { low - room }, high + room);
    }
    if !amounts {
        return (low, high);
    }
    let step = step((high - low) / 6.0);
    (
        tidy((low / step + 1e-9).floor() * step),
        tidy((high / step - 1e-9).ceil() * step),
    )
}

fn log_ends((low, high): (f64, f64), amounts: bool) -> (f64, f64) {
    let (low, high) = if high <= low * (1.0 + 1e-9) {
        (low / 2.0, high * 2.0)
    } else {
        (low, high)
    };
    if amounts {
        (rung_below(low), rung_above(high))
    } else {
        (low, high)
    }
}

/// The largest of 1, 2, 5, 10, … that is not above `value`.
fn rung_below(value: f64) -> f64 {
    let power = 10f64.powi(value.log10().floor() as i32);
    let digit = [5.0, 2.0, 1.0]
        .into_iter()
        .find(|d| d * power <= value * (1.0 + 1e-9));
    tidy(digit.unwrap_or(0.5) * power)
}

fn rung_above(value: f64) -> f64 {
    let power = 10f64.powi(value.log10().floor() as i32);
    let digit = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|d| d * power >= value * (1.0 - 1e-9));
    tidy(digit.unwrap_or(10.0) * power)
}

/// The next of 1, 2, 5, 10, … from `least` on.
fn step(least: f64) -> f64 {
    rung_above(least.max(1.0 / LARGEST))
}

/// `value` as decimal notation would have it: 0.30000000000000004 becomes 0.3, minus zero zero.
fn tidy(value: f64) -> f64 {
    format!("{value:.10e}")
        .parse::<f64>()
        .map_or(value, |v| if v == 0.0 { 0.0 } else { v })
}

/// Decimals that tell all ticks apart, if they are to be written out.
fn digits_needed(ticks: &[f64]) -> usize {
    (0..=4)
        .find(|&digits| {
            ticks
                .iter()
                .all(|v| (v * 10f64.powi(digits)).fract().abs() < 1e-6)
        })
        .unwrap_or(4) as usize
}

fn label(value: f64, digits: usize) -> String {
    let size = value.abs();
    if value == 0.0 || (1e-4..1e6).contains(&size) {
        return thousands(value, digits);
    }
    let power = size.log10().floor() as i32;
    let digit = tidy(value / 10f64.powi(power));
    if digit == 1.0 {
        format!("10{}", superscript(power))
    } else {
        format!("{digit}×10{}", superscript(power))
    }
}

/// `value` with `digits` decimals and a comma between thousands.
fn thousands(value: f64, digits: usize) -> String {
    let plain = format!("{:.digits$}", value.abs());
    let (whole, decimals) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let mut text = String::from(if value < 0.0 { "−" } else { "" });
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 && whole.len() > 3 {
            text.push(',');
        }
        text.push(digit);
    }
    text + decimals
}

fn superscript(power: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = power.to_string();
    raised
        .chars()
        .map(|c| c.to_digit(10).map_or('⁻', |d| RAISED[d as usize]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(axis: &Axis, values: &[f64], amounts: bool) -> AxisRange {
        AxisRange::of(axis, values.iter().copied(), amounts)
    }

    fn labels(domain: AxisRange) -> Vec<String> {
        domain.ticks(8).into_iter().map(|t| t.1).collect()
    }

    #[test]
    fn amounts_start_at_zero_and_end_at_a_tick() {
        let shown = domain(&Axis::linear(""), &[0.31, 0.93], true);
        assert_eq!((shown.low, shown.high), (0.0, 1.0));
        assert_eq!(labels(shown), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let told = domain(&Axis::linear("").range(0.25, 0.5), &[0.31, 0.93], true);
        assert_eq!((told.low, told.high), (0.25, 0.5));
    }

    #[test]
    fn positions_fit_the_data() {
        let shown = domain(&Axis::linear(""), &[14.0, 1.0, 3.0], false);
        assert_eq!((shown.low, shown.high), (1.0, 14.0));
        assert_eq!(labels(shown), ["2", "4", "6", "8", "10", "12", "14"]);
        assert_eq!(
            (shown.place(1.0), shown.place(14.0)),
            (Some(0.0), Some(1.0))
        );
    }

    #[test]
    fn powers_of_ten_are_written_short() {
        assert_eq!(
            labels(domain(&Axis::log(""), &[0.01, 7e6], true)),
            ["0.01", "1", "100", "10,000", "10⁶"]
        );
        assert_eq!(label(2e-5, 4), "2×10⁻⁵");
        assert_eq!(label(-1234.5, 1), "−1,234.5");
    }

    #[test]
    fn a_narrow_logarithmic_range_still_has_ticks() {
        assert!(domain(&Axis::log(""), &[30.0, 33.0], false).ticks(8).len() >= 2);
        assert_eq!(
            labels(domain(&Axis::log(""), &[10.0, 45.0], true)),
            ["10", "20", "30", "40", "50"]
        );
    }

    #[test]
    fn values_without_a_place_do_not_count() {
        let shown = domain(
            &Axis::log(""),
            &[0.0, -4.0, f64::NAN, f64::INFINITY, 10.0, 1000.0],
            true,
        );
        assert_eq!((shown.low, shown.high), (10.0, 1000.0));
        assert_eq!((shown.place(0.0), shown.place(f64::NAN)), (None, None));
        assert_eq!(shown.place(100.0), Some(0.5));
    }

    #[test]
    fn impossible_ranges_are_passed_over() {
        for (low, high) in [
            (5.0, 1.0),
            (1.0, 1.0),
            (f64::NAN, 1.0),
            (0.0, f64::INFINITY),
            (-1.0, 10.0),
        ] {
            let shown = domain(&Axis::log("").range(low, high), &[1.0, 100.0], true);
            assert_eq!((shown.low, shown.high), (1.0, 100.0));
        }
    }

    #[test]
    fn any_values_give_a_domain_with_few_ticks() {
        let odd = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            1e-300,
            1e300,
            1e16,
            1e16 + 2.0,
            0.1,
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::NAN,
        ];
        for a in odd {
            for b in odd {
                for axis in [Axis::linear(""), Axis::log("")] {
                    for amounts in [false, true] {
                        let shown = domain(&axis, &[a, b], amounts);
                        assert!(shown.low < shown.high, "{a} {b} {shown:?}");
                        assert!(shown.ticks(8).len() <= 17, "{a} {b} {shown:?}");
                        assert!(shown.ticks(8).iter().all(|t| t.0.is_finite()));
                    }
                }
            }
        }
    }
}
