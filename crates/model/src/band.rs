//! Bands: intervals of numbers or days as people write them.
//!
//! `70-79`, `[70-80)`, `(70,80]`, `<18`, `≤17`, `65+`, `≥65`, and a number alone for itself. Days
//! are separated by `/`. Columns whose values are bands are ordered by them, leaves of hierarchy
//! files may be bands, and neighbouring bands are published as one.

use crate::date;
use crate::number::Number;
use std::cmp::Ordering;

/// One end of a band.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BandEnd {
    pub number: Number,
    pub included: bool,
}

/// An interval; an end that is `None` is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Band {
    pub low: Option<BandEnd>,
    pub high: Option<BandEnd>,
}

/// What the ends of a band are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BandOf {
    Numbers,
    Days,
}

impl BandOf {
    fn separators(self) -> &'static [char] {
        match self {
            BandOf::Numbers => &['-', '–', ',', ';'],
            BandOf::Days => &['/'],
        }
    }

    /// A text that is a value and no interval, in any spelling.
    pub fn value(self, text: &str) -> Option<Number> {
        match self {
            BandOf::Numbers => Number::parse(text),
            BandOf::Days => date::parse(text).map(day_number),
        }
    }

    fn end(self, text: &str) -> Option<Number> {
        let text = text.trim();
        match self {
            BandOf::Days => Some(day_number(date::parse(text)?)),
            BandOf::Numbers => {
                // an exponent or a plus sign is how a measurement is written, not a bound
                let plain = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
                text.chars()
                    .all(plain)
                    .then(|| Number::parse(text))
                    .flatten()
            }
        }
    }
}

/// A day as a number.
pub(crate) fn day_number(day: date::Day) -> Number {
    Number {
        mantissa: day.into(),
        scale: 0,
    }
}

impl Band {
    /// Reads a band or a number alone; `None` for anything else, and where the ends are reversed.
    pub fn parse(text: &str, of: BandOf) -> Option<Band> {
        let text = text.trim();
        if let Some(number) = of.end(text) {
            return Some(Band::point(number));
        }
        let band = Band::one_sided(text, of).or_else(|| Band::two_sided(text, of))?;
        band.is_possible().then_some(band)
    }

    /// Whether the ends of an interval were written the wrong way round.
    pub fn is_reversed(text: &str, of: BandOf) -> bool {
        Band::two_sided(text.trim(), of).is_some_and(|band| !band.is_possible())
    }

    fn point(number: Number) -> Band {
        let end = Some(BandEnd {
            number,
            included: true,
        });
        Band {
            low: end,
            high: end,
        }
    }

    fn one_sided(text: &str, of: BandOf) -> Option<Band> {
        let end = |rest: &str, included: bool| {
            let number = of.end(rest)?;
            Some(BandEnd { number, included })
        };
        let below =
            |high: Option<BandEnd>| Some(Band { low: None, high }).filter(|_| high.is_some());
        let above = |low: Option<BandEnd>| Some(Band { low, high: None }).filter(|_| low.is_some());
        if let Some(rest) = text.strip_prefix("<=").or_else(|| text.strip_prefix('≤')) {
            return below(end(rest, true));
        }
        if let Some(rest) = text.strip_prefix(">=").or_else(|| text.strip_prefix('≥')) {
            return above(end(rest, true));
        }
        if let Some(rest) = text.strip_prefix('<') {
            return below(end(rest, false));
        }
        if let Some(rest) = text.strip_prefix('>') {
            return above(end(rest, false));
        }
        above(end(text.strip_suffix('+')?, true))
    }

    fn two_sided(text: &str, of: BandOf) -> Option<Band> {
        let opened = match text.chars().next()? {
            '[' => Some(true),
            '(' => Some(false),
            _ => None,
        };
        let closed = match text.chars().next_back()? {
            ']' => Some(true),
            ')' => Some(false),
            _ => None,
        };
        let (inner, with_low, with_high) = match (opened, closed) {
            (Some(low), Some(high)) => (&text[1..text.len() - 1], low, high),
            (None, None) => (text, true, true),
            _ => return None,
        };
        // the first hyphen of -5-3 is a sign: the first place that leaves a number on both sides
        for (at, separator) in inner.char_indices() {
            if !of.separators().contains(&separator) {
                continue;
            }
            let rest = &inner[at + separator.len_utf8()..];
            if let (Some(low), Some(high)) = (of.end(&inner[..at]), of.end(rest)) {
                let end = |number, included| Some(BandEnd { number, included });
                return Some(Band {
                    low: end(low, with_low),
                    high: end(high, with_high),
                });
            }
        }
        None
    }

    fn is_possible(&self) -> bool {
        let (Some(low), Some(high)) = (self.low, self.high) else {
            return true;
        };
        match low.number.cmp(&high.number) {
            Ordering::Less => true,
            Ordering::Equal => low.included && high.included,
            Ordering::Greater => false,
        }
    }

    /// Whether it is a single number.
    pub fn is_point(&self) -> bool {
        match (self.low, self.high) {
            (Some(low), Some(high)) => low.number == high.number,
            _ => false,
        }
    }

    /// Whether a number lies in it.
    pub fn contains(&self, number: Number) -> bool {
        let above = self
            .low
            .is_none_or(|low| low.number < number || (low.included && low.number == number));
        let below = self
            .high
            .is_none_or(|high| number < high.number || (high.included && high.number == number));
        above && below
    }

    /// Whether everything in it is smaller than everything in another.
    pub fn is_before(&self, other: &Band) -> bool {
        let (Some(high), Some(low)) = (self.high, other.low) else {
            return false;
        };
        match high.number.cmp(&low.number) {
            Ordering::Less => true,
            Ordering::Equal => !(high.included && low.included),
            Ordering::Greater => false,
        }
    }

    /// Whether some number lies in both.
    pub fn overlaps(&self, other: &Band) -> bool {
        !self.is_before(other) && !other.is_before(self)
    }

    /// The order of the lower ends; of bands that do not overlap, the order of what they hold.
    pub fn by_low_end(&self, other: &Band) -> Ordering {
        match (self.low, other.low) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(a), Some(b)) => {
                let numbers = a.number.cmp(&b.number);
                numbers.then(b.included.cmp(&a.included))
            }
        }
    }

    /// Whether a band begins where this one ends, so that nothing lies between them: at the same
    /// number, or at the next whole one where all ends are whole.
    pub fn adjoins(&self, next: &Band) -> bool {
        let (Some(high), Some(low)) = (self.high, next.low) else {
            return false;
        };
        if high.number == low.number {
            return high.included != low.included;
        }
        let whole = high.number.scale == 0 && low.number.scale == 0;
        whole
            && high.included
            && low.included
            && high.number.mantissa.checked_add(1) == Some(low.number.mantissa)
    }

    /// How the bands from one to another are written as one.
    pub fn merged_label(first: &Band, last: &Band) -> Option<String> {
        let text = |end: BandEnd| Number::text(end.number.mantissa, end.number.scale);
        match (first.low, last.high) {
            (None, None) => None,
            (None, Some(high)) if high.included => Some(format!("≤{}", text(high))),
            (None, Some(high)) => Some(format!("<{}", text(high))),
            (Some(low), None) if low.included => Some(format!("≥{}", text(low))),
            (Some(low), None) => Some(format!(">{}", text(low))),
            (Some(low), Some(high)) => {
                let open = if low.included { '[' } else { '(' };
                let close = if high.included { ']' } else { ')' };
                Some(format!("{open}{}-{}{close}", text(low), text(high)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    fn inside(band: &str, tried: &str) -> Vec<String> {
        let band = Band::parse(band, BandOf::Numbers).unwrap_or_else(|| panic!("{band}"));
        let held = tried.split(' ').filter(|t| band.contains(number(t)));
        held.map(str::to_owned).collect()
    }

    #[test]
    fn bands_as_people_write_them() {
        let tried = "-6 -5 3 17 18 69.9 70 79 79.5 80";
        for (band, expected) in [
            ("70-79", "70 79"),
            ("70 – 79", "70 79"),
            ("[70-80)", "70 79 79.5"),
            ("(70,80]", "79 79.5 80"),
            ("<18", "-6 -5 3 17"),
            ("≤ 18", "-6 -5 3 17 18"),
            ("<=18", "-6 -5 3 17 18"),
            ("79+", "79 79.5 80"),
            (">=79", "79 79.5 80"),
            (">79", "79.5 80"),
            ("-5-3", "-5 3"),
            ("[-5--5]", "-5"),
            ("-6", "-6"),
            ("00-04", "3"),
        ] {
            assert_eq!(inside(band, tried).join(" "), expected, "{band}");
        }
    }

    #[test]
    fn what_is_no_band() {
        for text in [
            "",
            "-",
            "+",
            "a-b",
            "79-70",
            "[70-80",
            "70-80)",
            "(5,5]",
            "1e5+",
            "70-79-80",
            "<",
            "[]",
            "≥",
            "+5",
            "2001-03-02",
            "[1-2]3",
            "<>3",
        ] {
            assert_eq!(Band::parse(text, BandOf::Numbers), None, "{text}");
        }
        assert!(Band::is_reversed("79-70", BandOf::Numbers));
        assert!(!Band::is_reversed("a-b", BandOf::Numbers));
        assert!(Band::parse("2001-03-02/2001-04-01", BandOf::Days).is_some());
        assert!(Band::parse("2001-03-02", BandOf::Days).unwrap().is_point());
    }

    #[test]
    fn neighbours() {
        let band = |text| Band::parse(text, BandOf::Numbers).unwrap();
        for (first, next, adjoin) in [
            ("60-69", "70-79", true),
            ("60-69", "71-79", false),
            ("[60-70)", "[70-80)", true),
            ("[60-70]", "(70-80]", true),
            ("(60-70)", "(70-80)", false),
            ("0.5-0.9", "1-1.4", false),
            ("<18", "18-64", true),
            ("18-64", "65+", true),
            ("65+", "18-64", false),
        ] {
            assert_eq!(band(first).adjoins(&band(next)), adjoin, "{first} {next}");
            if adjoin {
                assert!(band(first).is_before(&band(next)) && !band(first).overlaps(&band(next)));
                assert!(band(first).by_low_end(&band(next)).is_lt());
            }
        }
        assert!(band("60-70").overlaps(&band("70-80")));
        assert_eq!(
            Band::merged_label(&band("60-64"), &band("65+")).as_deref(),
            Some("≥60")
        );
        assert_eq!(Band::merged_label(&band("<5"), &band("65+")), None);
    }
}
