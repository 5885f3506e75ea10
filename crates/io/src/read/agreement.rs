//! Whether providers write the values of a column alike.
//!
//! Where one provider's values are days or numbers and another's are texts (`02.03.2001`, `1,5`),
//! the column as a whole would pass for a category, and the way in which a value is written would
//! tell who contributed the row. So it would where all write days in a national way, but not in the
//! same one; and where `01/02/2003` could be two days, two providers may mean both by it. Whole and
//! decimal numbers agree; missing values agree with everything.
//!
//! Cost: a look at each distinct text; rows are looked at only where texts are written in different
//! ways, or where days could be read in several.

use crate::ways::{ISO_DAY, NUMBER, Ways, WaysOfWriting};
use mingle_model::{Codes, Missing, RawColumn, RawValue};

/// Values that are not written alike.
pub(super) struct Disagreement<'c> {
    /// The provider that has the value.
    pub(super) provider: u32,
    /// A value that is not written as the other's.
    pub(super) value: &'c RawValue,
    pub(super) reason: DisagreementReason,
}

/// Why values do not agree.
#[derive(PartialEq, Eq, Debug)]
pub(super) enum DisagreementReason {
    /// Another provider has nothing but values of one kind, in one way.
    Other {
        /// The provider.
        other: u32,
        /// What its values are, in words.
        values: String,
    },
    /// All values of the provider are days in each of these ways.
    Ambiguous { patterns: Vec<&'static str> },
}

/// A missing value fits all ways.
const MISSING: Ways = Ways::MAX;

/// The first value that is not written as those of another provider are.
pub(super) fn disagreement<'c>(
    column: &'c RawColumn,
    provider_of: &Codes,
    providers: usize,
    missing: &Missing,
) -> Option<Disagreement<'c>> {
    if providers < 2 {
        return None;
    }
    let national = WaysOfWriting::new();
    let mut ways_of_value = Vec::with_capacity(column.values.len());
    let (mut any, mut all) = (0, MISSING);
    for value in &column.values {
        let ways = if missing.contains(&value.text) {
            MISSING
        } else {
            let ways = national.of(&value.text);
            any |= ways;
            all &= ways;
            ways
        };
        ways_of_value.push(ways);
    }
    // nothing but texts, or numbers or days in a way that nobody can mistake
    if any == 0 || all & (NUMBER | ISO_DAY) != 0 {
        return None;
    }
    let mut of_provider = vec![MISSING; providers];
    let mut has_values = vec![false; providers];
    for (id, provider) in column.ids.iter().zip(provider_of.iter()) {
        let (id, provider) = (id as usize, provider as usize);
        of_provider[provider] &= ways_of_value[id];
        has_values[provider] |= !missing.contains(&column.values[id].text);
    }
    let comparison = Comparison {
        column,
        provider_of,
        ways_of_value,
        of_provider,
        has_values,
    };
    if let Some(found) = comparison.beside_kind() {
        return Some(found);
    }
    comparison
        .beside_national_way(&national)
        .or_else(|| comparison.ambiguous(&national))
}

/// What all values of each provider are.
struct Comparison<'c, 'r> {
    column: &'c RawColumn,
    provider_of: &'r Codes,
    ways_of_value: Vec<Ways>,
    /// The ways that all values of a provider fit.
    of_provider: Vec<Ways>,
    has_values: Vec<bool>,
}

impl<'c> Comparison<'c, '_> {
    /// A text where another provider has numbers or ISO days only.
    fn beside_kind(&self) -> Option<Disagreement<'c>> {
        let with_kind = self.first_with(NUMBER | ISO_DAY)?;
        if self.of_provider[with_kind] & NUMBER != 0 {
            self.first_without(NUMBER, with_kind, "numbers")
        } else {
            self.first_without(ISO_DAY, with_kind, "dates")
        }
    }

    /// A day or a decimal that is written in another national way than another provider's.
    fn beside_national_way(&self, national: &WaysOfWriting) -> Option<Disagreement<'c>> {
        let mut common = MISSING;
        for (&ways, &has_values) in self.of_provider.iter().zip(&self.has_values) {
            // where somebody has texts it may be a category, and a warning says so
            if has_values && ways == 0 {
                return None;
            }
            common &= ways;
        }
        if common != 0 {
            return None;
        }
        let with_way = self.first_with(MISSING)?;
        let ways = self.of_provider[with_way];
        self.first_without(ways, with_way, &national.in_words(ways))
    }

    /// A day of a provider all of whose days can be read in several ways.
    fn ambiguous(&self, national: &WaysOfWriting) -> Option<Disagreement<'c>> {
        let with_values = self.has_values.iter().filter(|&&has| has).count();
        if with_values < 2 {
            return None;
        }
        for (provider, &ways) in self.of_provider.iter().enumerate() {
            let patterns = national.patterns(ways);
            if !self.has_values[provider] || patterns.len() < 2 {
                continue;
            }
            for (id, of_row) in self.column.ids.iter().zip(self.provider_of.iter()) {
                let is_value = self.ways_of_value[id as usize] != MISSING;
                if of_row as usize == provider && is_value {
                    return Some(Disagreement {
                        provider: of_row,
                        value: &self.column.values[id as usize],
                        reason: DisagreementReason::Ambiguous { patterns },
                    });
                }
            }
        }
        None
    }

    /// The first provider whose values all fit one of these ways.
    fn first_with(&self, ways: Ways) -> Option<usize> {
        let mut providers = 0..self.of_provider.len();
        providers
            .find(|&provider| self.has_values[provider] && self.of_provider[provider] & ways != 0)
    }

    /// The first value that fits none of these ways, of a provider whose values do not.
    fn first_without(&self, ways: Ways, other: usize, values: &str) -> Option<Disagreement<'c>> {
        for (id, provider) in self.column.ids.iter().zip(self.provider_of.iter()) {
            let fits = self.ways_of_value[id as usize] & ways != 0;
            if !fits && self.of_provider[provider as usize] & ways == 0 {
                return Some(Disagreement {
                    provider,
                    value: &self.column.values[id as usize],
                    reason: DisagreementReason::Other {
                        other: other as u32,
                        values: values.to_owned(),
                    },
                });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::Position;

    fn found(rows: &[(u32, &str)]) -> Option<(u32, DisagreementReason)> {
        let mut column = RawColumn::default();
        let mut providers = Codes::default();
        for (provider, text) in rows {
            let known = column.values.iter().position(|v| &*v.text == *text);
            let id = known.unwrap_or(column.values.len());
            if known.is_none() {
                let position = Position {
                    file: "f".into(),
                    line: 1,
                };
                column.values.push(RawValue {
                    text: (*text).into(),
                    position,
                });
            }
            column.ids.push(id as u32);
            providers.push(*provider);
        }
        let found = disagreement(&column, &providers, 3, &Missing::default());
        found.map(|d| (d.provider, d.reason))
    }

    fn other(provider: u32, other: u32, values: &str) -> Option<(u32, DisagreementReason)> {
        let values = values.to_owned();
        Some((provider, DisagreementReason::Other { other, values }))
    }

    #[test]
    fn formats_of_providers_are_compared() {
        let dates = [
            (0, "2001-03-02"),
            (1, "02.03.2001"),
            (0, "2001-03-05"),
            (1, "?"),
        ];
        assert_eq!(found(&dates), other(1, 0, "dates"));
        assert_eq!(
            found(&[(1, "1,5"), (0, "1.5"), (2, "")]),
            other(1, 0, "numbers")
        );
        assert_eq!(found(&[(0, "2001-03-02"), (1, "7")]), other(1, 0, "dates"));
    }

    #[test]
    fn national_ways_are_compared() {
        assert_eq!(
            found(&[(0, "02.03.2001"), (1, "02/13/2001"), (2, "")]),
            other(1, 0, "dates written dd.mm.yyyy")
        );
        assert_eq!(
            found(&[(0, "13/02/2001"), (1, "02/13/2001")]),
            other(1, 0, "dates written dd/mm/yyyy")
        );
        assert_eq!(
            found(&[(0, "1,5"), (1, "02.03.2001")]),
            other(1, 0, "numbers with a decimal comma")
        );
        // a provider's own days settle nothing for another
        for rows in [
            [(0, "01/02/2003"), (1, "03/04/2005")],
            [(0, "01/02/2003"), (1, "13/04/2005")],
        ] {
            let patterns = vec!["dd/mm/yyyy", "mm/dd/yyyy"];
            let ambiguous = DisagreementReason::Ambiguous { patterns };
            assert_eq!(found(&rows), Some((0, ambiguous)));
        }
    }

    #[test]
    fn what_agrees_is_no_disagreement() {
        for rows in [
            &[(0, "1"), (1, "1.5"), (2, "")][..],
            &[(0, "x"), (1, "y")],
            &[(0, "1"), (0, "x"), (1, "y"), (1, "2")],
            &[(0, "02.03.2001"), (1, "03.03.2001")],
            &[(0, "13/02/2001"), (1, "14/03/2001")],
            &[(0, "01/02/2003"), (0, "03/04/2005")],
            &[(0, "1,5"), (1, "2,5")],
            &[(0, "1,5"), (1, "1,5,7")],
            &[(0, "?"), (1, "x")],
            &[],
        ] {
            assert_eq!(found(rows), None);
        }
    }
}
