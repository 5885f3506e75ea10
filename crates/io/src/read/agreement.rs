//! Whether providers write the values of a column alike.
//!
//! Where one provider's values are days or numbers and another's are texts (`02.03.2001`, `1,5`),
//! the column as a whole would pass for a category, and the way in which a value is written would
//! tell who contributed the row. Whole and decimal numbers agree; missing values agree with
//! everything.
//!
//! Cost: a look at each distinct text; rows are looked at only where some texts are numbers or days
//! and others are not.

use mingle_model::{Codes, Kind, Missing, RawColumn, RawValue, infer_kind};

/// Numbers and days among texts.
pub(super) struct Disagreement<'c> {
    /// The provider that has a text.
    pub(super) provider: u32,
    /// The text.
    pub(super) value: &'c RawValue,
    /// A provider that has nothing but values of a kind.
    pub(super) other: u32,
    /// That kind.
    pub(super) kind: Kind,
}

const NUMBER: u8 = 1;
const DAY: u8 = 2;

/// The first text where another provider has numbers or days only.
pub(super) fn disagreement<'c>(
    column: &'c RawColumn,
    provider_of: &Codes,
    providers: usize,
    missing: &Missing,
) -> Option<Disagreement<'c>> {
    if providers < 2 {
        return None;
    }
    const MISSING: u8 = NUMBER | DAY;
    let mut fits = Vec::with_capacity(column.values.len());
    let (mut any, mut all) = (0, NUMBER | DAY);
    for value in &column.values {
        let kinds = if missing.contains(&value.text) {
            MISSING
        } else {
            let kinds = kinds_of(value);
            any |= kinds;
            all &= kinds;
            kinds
        };
        fits.push(kinds);
    }
    if any == 0 || all != 0 {
        return None;
    }
    // what all values of a provider fit, and whether it has any
    let mut of_provider = vec![NUMBER | DAY; providers];
    let mut has_values = vec![false; providers];
    for (id, provider) in column.ids.iter().zip(provider_of.iter()) {
        let (id, provider) = (id as usize, provider as usize);
        of_provider[provider] &= fits[id];
        has_values[provider] |= !missing.contains(&column.values[id].text);
    }
    let with_kind =
        (0..providers).find(|&provider| has_values[provider] && of_provider[provider] != 0)?;
    let kinds = of_provider[with_kind];
    let (bit, kind) = if kinds & NUMBER != 0 {
        (NUMBER, Kind::Decimal)
    } else {
        (DAY, Kind::Date)
    };
    for (id, provider) in column.ids.iter().zip(provider_of.iter()) {
        let fits = fits[id as usize];
        if fits & bit == 0 && of_provider[provider as usize] & bit == 0 {
            return Some(Disagreement {
                provider,
                value: &column.values[id as usize],
                other: with_kind as u32,
                kind,
            });
        }
    }
    None
}

/// Which kinds a single value has, by the rules of inference.
fn kinds_of(value: &RawValue) -> u8 {
    match infer_kind(&[value]) {
        Kind::Integer | Kind::Decimal => NUMBER,
        Kind::Date => DAY,
        Kind::Category => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_model::Position;

    fn found(rows: &[(u32, &str)]) -> Option<(u32, u32, Kind)> {
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
        found.map(|d| (d.provider, d.other, d.kind))
    }

    #[test]
    fn formats_of_providers_are_compared() {
        let dates = [
            (0, "2001-03-02"),
            (1, "02.03.2001"),
            (0, "2001-03-05"),
            (1, "?"),
        ];
        assert_eq!(found(&dates), Some((1, 0, Kind::Date)));
        assert_eq!(
            found(&[(1, "1,5"), (0, "1.5"), (2, "")]),
            Some((1, 0, Kind::Decimal))
        );
        assert_eq!(
            found(&[(0, "2001-03-02"), (1, "7")]),
            Some((1, 0, Kind::Date))
        );
    }

    #[test]
    fn what_agrees_is_no_disagreement() {
        for rows in [
            &[(0, "1"), (1, "1.5"), (2, "")][..],
            &[(0, "x"), (1, "y")],
            &[(0, "1"), (0, "x"), (1, "y"), (1, "2")],
            &[(0, "02.03.2001"), (1, "03.03.2001")],
            &[(0, "?"), (1, "x")],
            &[],
        ] {
            assert_eq!(found(rows), None);
        }
    }
}
