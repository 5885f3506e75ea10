//! What stands before the decimals of a number.

use mingle_model::Number;

/// What stands before the decimals of a number. Thousands are never separated: `1.500` would be two
/// numbers to two readers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum DecimalMark {
    /// `1.5`
    #[default]
    Point,
    /// `1,5`
    Comma,
}

impl DecimalMark {
    /// Both.
    pub const ALL: [DecimalMark; 2] = [DecimalMark::Point, DecimalMark::Comma];

    /// The text in policies.
    pub fn text(self) -> &'static str {
        match self {
            DecimalMark::Point => ".",
            DecimalMark::Comma => ",",
        }
    }

    /// Whether a text is a number that is written this way.
    pub fn reads(self, text: &str) -> bool {
        self.with_point(text).is_some()
    }

    /// A number with a decimal point instead; `None` if it is not a number written this way.
    pub(crate) fn with_point(self, text: &str) -> Option<String> {
        if self == DecimalMark::Point {
            return Number::parse(text).map(|_| text.to_owned());
        }
        if text.contains('.') {
            return None;
        }
        let with_point = text.replacen(',', ".", 1);
        Number::parse(&with_point).map(|_| with_point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_read_by_its_own_mark_only() {
        let comma = |text| DecimalMark::Comma.with_point(text);
        assert_eq!(comma("1,5").as_deref(), Some("1.5"));
        assert_eq!(comma("-0,25").as_deref(), Some("-0.25"));
        assert_eq!(comma("12").as_deref(), Some("12"));
        for text in ["1.5", "1.234,5", "1,2,3", "", ",", "a,b", "1 234,5"] {
            assert_eq!(comma(text), None, "{text:?}");
        }
        assert_eq!(DecimalMark::Point.with_point("1,5"), None);
        assert_eq!(DecimalMark::Point.with_point("1.5").as_deref(), Some("1.5"));
    }
}
