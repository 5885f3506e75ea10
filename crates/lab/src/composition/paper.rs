//! What the paper's text says; its figures print no numbers.

use super::people::Census;
use std::fmt;

/// Both subsets anonymized by Mondrian, k = 5.
pub struct Text {
    /// Share of perfect breaches, in per cent.
    pub perfect: f64,
    /// Share at a confidence of 25 %, in per cent.
    pub quarter: f64,
    /// Mean partition, where it is told.
    pub partition: Option<f64>,
}

/// About a table, or what stands in its place.
pub fn text(census: Census) -> Option<Text> {
    match census {
        Census::Adult => Some(Text {
            perfect: 12.0,
            quarter: 60.0,
            partition: None,
        }),
        Census::IpumsLike => Some(Text {
            perfect: 60.0,
            quarter: 95.0,
            partition: Some(40.0),
        }),
        Census::Ipums97 | Census::Ipums979899 => None,
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.perfect, self.quarter)?;
        self.partition
            .map_or(Ok(()), |partition| write!(f, ", {partition}"))
    }
}
