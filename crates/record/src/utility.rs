//! What a release costs its readers: every figure that is taken against the original.
//!
//! How each figure is defined and computed is `assess`'s to say. A figure that a kind of release
//! does not have is `None`, never zero.

use serde::{Deserialize, Serialize};

/// All figures about one release, by what stands for its groups.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum UtilityRecord {
    /// Groups are published by what covers them.
    Ranges(Utility),
    /// Groups are published by their centroids.
    Centroids(CentroidUtility),
}

impl UtilityRecord {
    /// Rows of the original.
    pub fn rows(&self) -> u64 {
        match self {
            UtilityRecord::Ranges(figures) => figures.rows,
            UtilityRecord::Centroids(figures) => figures.rows,
        }
    }

    /// Rows that were left out.
    pub fn suppressed_rows(&self) -> u64 {
        match self {
            UtilityRecord::Ranges(figures) => figures.suppressed_rows,
            UtilityRecord::Centroids(figures) => figures.suppressed_rows,
        }
    }

    /// The normalized certainty penalty, where it is defined.
    pub fn ncp(&self) -> Option<&Loss> {
        match self {
            UtilityRecord::Ranges(figures) => Some(&figures.ncp),
            UtilityRecord::Centroids(_) => None,
        }
    }

    /// The normalized certainty penalty with everybody counted once, where people have several rows.
    pub fn ncp_of_people(&self) -> Option<f64> {
        match self {
            UtilityRecord::Ranges(figures) => figures.ncp_of_people,
            UtilityRecord::Centroids(_) => None,
        }
    }

    /// The information loss, where it is defined.
    pub fn information_loss(&self) -> Option<&Loss> {
        match self {
            UtilityRecord::Ranges(_) => None,
            UtilityRecord::Centroids(figures) => Some(&figures.information_loss),
        }
    }

    /// The non-uniform entropy, where it is defined.
    pub fn non_uniform_entropy(&self) -> Option<&Loss> {
        match self {
            UtilityRecord::Ranges(figures) => Some(&figures.non_uniform_entropy),
            UtilityRecord::Centroids(_) => None,
        }
    }

    /// The share of detail that is lost, by the measure that the release has.
    pub fn loss(&self) -> &Loss {
        match self {
            UtilityRecord::Ranges(figures) => &figures.ncp,
            UtilityRecord::Centroids(figures) => &figures.information_loss,
        }
    }

    /// The sum of squared group sizes, and what rows that are left out add to it.
    pub fn discernibility(&self) -> u128 {
        match self {
            UtilityRecord::Ranges(figures) => figures.discernibility,
            UtilityRecord::Centroids(figures) => figures.discernibility,
        }
    }

    /// Average group size over k.
    pub fn average_group_size(&self) -> f64 {
        match self {
            UtilityRecord::Ranges(figures) => figures.average_group_size,
            UtilityRecord::Centroids(figures) => figures.average_group_size,
        }
    }

    /// The error of queries.
    pub fn query_error(&self) -> &QueryError {
        match self {
            UtilityRecord::Ranges(figures) => &figures.query_error,
            UtilityRecord::Centroids(figures) => &figures.query_error,
        }
    }
}

/// All figures about one release.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Utility {
    /// Rows of the original.
    pub rows: u64,
    /// Rows of the release.
    pub published_rows: u64,
    /// Rows that were left out.
    pub suppressed_rows: u64,
    /// Groups of the release.
    pub groups: usize,
    /// Normalized certainty penalty: 0 is no loss, 1 is everything.
    pub ncp: Loss,
    /// Where people have several rows: the same with everybody counted once, whose rows count as much
    /// together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ncp_of_people: Option<f64>,
    /// Discernibility: lower is better.
    #[serde(with = "large_number")]
    pub discernibility: u128,
    /// Average group size over k: 1 is best.
    pub average_group_size: f64,
    /// Non-uniform entropy: 0 is no loss, 1 is everything.
    pub non_uniform_entropy: Loss,
    /// Relative error of random COUNT queries.
    pub query_error: QueryError,
}

/// All figures about a release by centroids.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CentroidUtility {
    /// Rows of the original.
    pub rows: u64,
    /// Rows of the release.
    pub published_rows: u64,
    /// Rows that were left out.
    pub suppressed_rows: u64,
    /// Groups of the release.
    pub groups: usize,
    /// Not applicable, and always `None`.
    pub ncp: Option<Loss>,
    /// Not applicable, and always `None`.
    pub non_uniform_entropy: Option<Loss>,
    /// 0 is no loss, 1 is everything.
    pub information_loss: Loss,
    /// Discernibility: lower is better.
    #[serde(with = "large_number")]
    pub discernibility: u128,
    /// Average group size over k: 1 is best.
    pub average_group_size: f64,
    /// Relative error of random COUNT queries.
    pub query_error: QueryError,
}

/// A loss between 0 and 1, in all and per quasi-identifier.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Loss {
    /// Over all quasi-identifiers; 0 when there are none.
    pub overall: f64,
    /// In the policy's order.
    pub columns: Vec<ColumnLoss>,
}

/// The loss of one quasi-identifier.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColumnLoss {
    /// The column's name.
    pub column: String,
    /// Between 0 and 1.
    pub loss: f64,
}

/// The errors of all queries in two figures.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct QueryError {
    /// Their mean.
    pub mean: f64,
    /// Their median.
    pub median: f64,
    /// How many queries were asked.
    pub queries: usize,
    /// Where the generator started.
    pub seed: u64,
}

/// The figures that a public manifest may have, rounded; those that are not published are left out.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublicUtility {
    /// The normalized certainty penalty over all quasi-identifiers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ncp: Option<f64>,
    /// Of centroids: the information loss over all quasi-identifiers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub information_loss: Option<f64>,
    /// Average group size over k.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub average_group_size: Option<f64>,
    /// The non-uniform entropy over all quasi-identifiers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub non_uniform_entropy: Option<f64>,
    /// The mean relative error of random COUNT queries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_error_mean: Option<f64>,
    /// Its median.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_error_median: Option<f64>,
}

impl PublicUtility {
    /// The figures that are there, by name.
    pub fn figures(&self) -> Vec<(&'static str, f64)> {
        let all = [
            ("ncp", self.ncp),
            ("information_loss", self.information_loss),
            ("average_group_size", self.average_group_size),
            ("non_uniform_entropy", self.non_uniform_entropy),
            ("query_error_mean", self.query_error_mean),
            ("query_error_median", self.query_error_median),
        ];
        let mut figures = Vec::new();
        for (name, figure) in all {
            if let Some(figure) = figure {
                figures.push((name, figure));
            }
        }
        figures
    }
}

/// JSON numbers end at 64 bits in most readers; a sum beyond that is a float.
pub(crate) mod large_number {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(value: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(*value) {
            Ok(exact) => serializer.serialize_u64(exact),
            Err(_) => serializer.serialize_f64(*value as f64),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<u128, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Number {
            Exact(u64),
            Rounded(f64),
        }
        match Number::deserialize(deserializer)? {
            Number::Exact(exact) => Ok(u128::from(exact)),
            Number::Rounded(rounded) if rounded >= 0.0 => Ok(rounded as u128),
            Number::Rounded(_) => Err(serde::de::Error::custom("a number below zero")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query_error() -> QueryError {
        QueryError {
            mean: 0.5,
            median: 0.25,
            queries: 2500,
            seed: 3,
        }
    }

    fn loss(overall: f64) -> Loss {
        let columns = vec![ColumnLoss {
            column: "age".into(),
            loss: overall,
        }];
        Loss { overall, columns }
    }

    #[test]
    fn each_kind_is_read_as_itself() {
        let ranges = UtilityRecord::Ranges(Utility {
            rows: 10,
            published_rows: 9,
            suppressed_rows: 1,
            groups: 3,
            ncp: loss(0.5),
            ncp_of_people: None,
            discernibility: u128::from(u64::MAX) + 1,
            average_group_size: 1.5,
            non_uniform_entropy: loss(0.25),
            query_error: query_error(),
        });
        let centroids = UtilityRecord::Centroids(CentroidUtility {
            rows: 10,
            published_rows: 10,
            suppressed_rows: 0,
            groups: 3,
            ncp: None,
            non_uniform_entropy: None,
            information_loss: loss(0.125),
            discernibility: 34,
            average_group_size: 1.5,
            query_error: query_error(),
        });
        for record in [ranges, centroids] {
            let text = serde_json::to_string(&record).unwrap();
            assert_eq!(
                serde_json::from_str::<UtilityRecord>(&text).unwrap(),
                record
            );
            let more = text.replacen('{', r#"{"new":1,"#, 1);
            assert!(serde_json::from_str::<UtilityRecord>(&more).is_err());
            let less = text.replacen(r#""rows":10,"#, "", 1);
            assert!(serde_json::from_str::<UtilityRecord>(&less).is_err());
        }
    }
}
