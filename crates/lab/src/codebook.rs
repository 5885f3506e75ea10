//! The public domains of the Adult table, as its codebook lists them and not as anybody's rows do.
//!
//! A differentially private release reads every column through a domain that was known before
//! anybody looked at the data. For Adult that is the list of values in the description that UCI
//! hands out with the file; ages are taken in decades from 10 to 100. The made-up census has the
//! same columns but two, and no other values.

use mingle_dp::{Bins, DeclaredAttribute, DeclaredValues};
use mingle_model::{Kind, Role};

/// A column and what can be in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// Its name.
    pub column: &'static str,
    /// What can be in it.
    pub domain: Public,
}

/// What is publicly known to be possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Public {
    /// These words.
    Words(&'static [&'static str]),
    /// Whole numbers between two ends, both included, in bins of a width.
    Numbers {
        /// The smallest.
        from: i64,
        /// The largest.
        to: i64,
        /// How many numbers are in a bin; the last one takes the end in.
        width: i64,
    },
}

/// The ten columns of Adult that experiments use.
pub const ADULT: [Declared; 10] = [
    Declared {
        column: "age",
        domain: Public::Numbers {
            from: 10,
            to: 100,
            width: 10,
        },
    },
    words(
        "workclass",
        &[
            "Private",
            "Self-emp-not-inc",
            "Self-emp-inc",
            "Federal-gov",
            "Local-gov",
            "State-gov",
            "Without-pay",
            "Never-worked",
        ],
    ),
    words(
        "education",
        &[
            "Bachelors",
            "Some-college",
            "11th",
            "HS-grad",
            "Prof-school",
            "Assoc-acdm",
            "Assoc-voc",
            "9th",
            "7th-8th",
            "12th",
            "Masters",
            "1st-4th",
            "10th",
            "Doctorate",
            "5th-6th",
            "Preschool",
        ],
    ),
    words(
        "marital_status",
        &[
            "Married-civ-spouse",
            "Divorced",
            "Never-married",
            "Separated",
            "Widowed",
            "Married-spouse-absent",
            "Married-AF-spouse",
        ],
    ),
    words(
        "occupation",
        &[
            "Tech-support",
            "Craft-repair",
            "Other-service",
            "Sales",
            "Exec-managerial",
            "Prof-specialty",
            "Handlers-cleaners",
            "Machine-op-inspct",
            "Adm-clerical",
            "Farming-fishing",
            "Transport-moving",
            "Priv-house-serv",
            "Protective-serv",
            "Armed-Forces",
        ],
    ),
    words(
        "relationship",
        &[
            "Wife",
            "Own-child",
            "Husband",
            "Not-in-family",
            "Other-relative",
            "Unmarried",
        ],
    ),
    words(
        "race",
        &[
            "White",
            "Asian-Pac-Islander",
            "Amer-Indian-Eskimo",
            "Other",
            "Black",
        ],
    ),
    words("sex", &["Female", "Male"]),
    words(
        "native_country",
        &[
            "United-States",
            "Cambodia",
            "England",
            "Puerto-Rico",
            "Canada",
            "Germany",
            "Outlying-US(Guam-USVI-etc)",
            "India",
            "Japan",
            "Greece",
            "South",
            "China",
            "Cuba",
            "Iran",
            "Honduras",
            "Philippines",
            "Italy",
            "Poland",
            "Jamaica",
            "Vietnam",
            "Mexico",
            "Portugal",
            "Ireland",
            "France",
            "Dominican-Republic",
            "Laos",
            "Ecuador",
            "Taiwan",
            "Haiti",
            "Columbia",
            "Hungary",
            "Guatemala",
            "Nicaragua",
            "Scotland",
            "Thailand",
            "Yugoslavia",
            "El-Salvador",
            "Trinadad&Tobago",
            "Peru",
            "Hong",
            "Holand-Netherlands",
        ],
    ),
    words("income", &[">50K", "<=50K"]),
];

const fn words(column: &'static str, words: &'static [&'static str]) -> Declared {
    Declared {
        column,
        domain: Public::Words(words),
    }
}

/// The declaration of a column of Adult.
pub fn declared(column: &str) -> Option<Declared> {
    ADULT.into_iter().find(|declared| declared.column == column)
}

impl Declared {
    /// The column as a release reads it.
    pub fn attribute(&self, role: Role) -> DeclaredAttribute {
        let (kind, domain) = match self.domain {
            Public::Words(words) => (
                Kind::Category,
                DeclaredValues::categories(words.iter().map(|&word| word.to_owned()).collect()),
            ),
            Public::Numbers { from, to, width } => {
                let bins = Bins::of_width(0, 1, from.into(), to.into(), width.into());
                (Kind::Integer, bins.map(DeclaredValues::Bins))
            }
        };
        let domain = domain.expect("the codebook is in order");
        DeclaredAttribute {
            name: self.column.to_owned(),
            role,
            kind,
            domain,
            other: None,
            missing: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_dp::universe::Place;

    #[test]
    fn every_column_can_be_declared() {
        let cells: Vec<usize> = ADULT
            .iter()
            .map(|d| d.attribute(Role::QuasiIdentifier).len())
            .collect();
        assert_eq!(cells, [9, 8, 16, 7, 14, 6, 5, 2, 41, 2]);
        assert!(declared("fnlwgt").is_none());
    }

    #[test]
    fn made_up_people_have_no_other_values() {
        let data = crate::data::PeopleRows::load(None, 3_000, 1).unwrap();
        let table = data
            .dealt(3_000, 1, mingle_synth::Distribution::Uniform, 0, 0)
            .unwrap();
        for column in &table.columns {
            let attribute = declared(&column.spec.name)
                .unwrap()
                .attribute(column.spec.role);
            for code in 0..column.domain.len() as u32 {
                let place = attribute.place(column.domain.text(code), false);
                assert!(matches!(place, Place::Cell(_)), "{}", column.spec.name);
            }
        }
    }
}
