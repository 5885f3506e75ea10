//! What stands above a value by a rule, whether the value occurs or not.

use super::bands::{Ages, Bands};
use super::template::OTHER_CODES;
use super::{HierarchyError, HierarchySource, ROOT, Template, prefix};
use crate::date;
use crate::number::Number;
use crate::schema::Kind;

/// A hierarchy that is not a file, for values of one kind and scale.
pub(crate) struct PathRule<'a> {
    kind: Kind,
    scale: u8,
    form: RuleForm<'a>,
}

enum RuleForm<'a> {
    Mask(usize),
    Intervals(Vec<i128>),
    Dates(&'a [date::Level]),
    Prefix(&'a [usize]),
    Bands(&'a Bands),
    Age(&'a Ages),
    Template(Template),
}

/// What a rule says about a value.
pub(crate) enum Rung {
    /// The labels above it, the root last.
    Above(Vec<String>),
    /// Likewise, but the rule does not know the value.
    Unlisted(Vec<String>),
    /// Born after the day at which ages are taken.
    NotBorn,
}

impl<'a> PathRule<'a> {
    /// The rule of a source; `None` for files. `longest` is how many characters the column's
    /// longest value has.
    pub fn new(
        source: &'a HierarchySource,
        (kind, scale): (Kind, u8),
        longest: usize,
    ) -> Result<Option<PathRule<'a>>, HierarchyError> {
        let needs = |fits: bool, needs: &'static str, expected: &'static str| {
            if fits {
                Ok(())
            } else {
                Err(HierarchyError::WrongKind { needs, expected })
            }
        };
        let form = match source {
            HierarchySource::Rows(_) => return Ok(None),
            HierarchySource::Mask(0) => return Err(HierarchyError::NoLevel),
            // a level that hides the longest value whole would be the root by another name
            HierarchySource::Mask(n) => RuleForm::Mask((*n).min(longest.max(1) - 1)),
            HierarchySource::Intervals(widths) => {
                let numbers = matches!(kind, Kind::Integer | Kind::Decimal);
                needs(numbers, "`intervals`", "numbers")?;
                RuleForm::Intervals(scaled_widths(widths, scale)?)
            }
            HierarchySource::Dates(levels) => {
                needs(kind == Kind::Date, "`dates`", "dates")?;
                if levels.is_empty() {
                    return Err(HierarchyError::NoLevel);
                }
                RuleForm::Dates(levels)
            }
            HierarchySource::Prefix(lengths) => {
                needs(kind == Kind::Category, "`prefix`", "kind category")?;
                prefix::check_lengths(lengths)?;
                RuleForm::Prefix(lengths)
            }
            HierarchySource::Bands(bands) => {
                bands.check_kind(kind)?;
                RuleForm::Bands(bands)
            }
            HierarchySource::Age(ages) => {
                needs(kind == Kind::Date, "`age`", "dates")?;
                RuleForm::Age(ages)
            }
            HierarchySource::Template(template) => {
                needs(kind == Kind::Category, "`template`", "kind category")?;
                RuleForm::Template(*template)
            }
        };
        Ok(Some(PathRule { kind, scale, form }))
    }

    /// The labels above a value, given as its text and its number at the rule's scale.
    pub fn rung(&self, text: &str, number: i128) -> Rung {
        let mut labels = match &self.form {
            RuleForm::Mask(n) => mask_labels(text, *n),
            RuleForm::Intervals(widths) => interval_labels(number, widths, self.scale),
            RuleForm::Dates(levels) => levels.iter().map(|l| l.label(number as i32)).collect(),
            RuleForm::Prefix(lengths) => lengths
                .iter()
                .map(|&length| prefix::beginning(text, length))
                .collect(),
            RuleForm::Bands(bands) => match Number::normalized(number, self.scale.into()) {
                Some(number) => bands.labels(number, self.kind),
                None => vec![ROOT.to_owned(); bands.height()],
            },
            RuleForm::Age(ages) => match ages.labels(number as i32) {
                Some(labels) => labels,
                None => return Rung::NotBorn,
            },
            RuleForm::Template(template) => match template.labels(text) {
                Some(labels) => labels,
                None => {
                    let mut path = vec![OTHER_CODES.to_owned(); template.height()];
                    path.push(ROOT.to_owned());
                    return Rung::Unlisted(path);
                }
            },
        };
        labels.push(ROOT.to_owned());
        Rung::Above(labels)
    }
}

/// The masks above a text, at least one and at most `n` characters wide.
fn mask_labels(text: &str, n: usize) -> Vec<String> {
    let length = text.chars().count();
    let masked = |hidden: usize| -> String {
        let kept = length.saturating_sub(hidden);
        text.chars()
            .take(kept)
            .chain(std::iter::repeat_n('*', length - kept))
            .collect()
    };
    (1..=n).map(masked).collect()
}

/// Interval widths brought to the column's scale and checked.
fn scaled_widths(widths: &[Number], scale: u8) -> Result<Vec<i128>, HierarchyError> {
    if widths.is_empty() {
        return Err(HierarchyError::NoLevel);
    }
    let scaled: Option<Vec<i128>> = widths.iter().map(|w| w.at_scale(scale)).collect();
    let scaled = scaled.ok_or(HierarchyError::Widths)?;
    let nested = scaled[0] > 0 && scaled.windows(2).all(|w| w[1] > w[0] && w[1] % w[0] == 0);
    nested.then_some(scaled).ok_or(HierarchyError::Widths)
}

/// The intervals above a number.
fn interval_labels(number: i128, widths: &[i128], scale: u8) -> Vec<String> {
    let interval = |&width: &i128| {
        let low = number.div_euclid(width) * width;
        crate::label::number_range(low, low + width - 1, scale)
    };
    widths.iter().map(interval).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_and_intervals() {
        assert_eq!(mask_labels("13012", 2), ["1301*", "130**"]);
        assert_eq!(mask_labels("ab", 3), ["a*", "**", "**"]);
        assert_eq!(interval_labels(-3, &[5, 10], 0), ["[-5--1]", "[-10--1]"]);
        assert_eq!(interval_labels(225, &[50], 1), ["[20-24.9]"]);
        let n = |t| Number::parse(t).unwrap();
        assert!(
            scaled_widths(&[n("5"), n("12")], 0).is_err() && scaled_widths(&[n("0")], 0).is_err()
        );
        assert!(scaled_widths(&[n("0.5")], 0).is_err() && scaled_widths(&[], 0).is_err());
        assert_eq!(scaled_widths(&[n("0.5"), n("1")], 1), Ok(vec![5, 10]));
    }
}
