//! How a release answers queries: reduced to the columns of a set once, then asked many times.

use super::Query;
use mingle_model::Code;

/// An estimate of how many people a query counts.
pub(crate) type Estimate<'a> = dyn Fn(&Query) -> f64 + 'a;

/// A release of any kind.
pub(crate) trait Answering: Sync {
    /// Prepares for queries about these columns.
    fn reduced<'s>(&'s self, columns: &[usize]) -> Box<Estimate<'s>>;
}

/// What a label of noisy counts stands for among the original's values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stands {
    /// These values, ascending, one as likely as the other.
    For(Vec<Code>),
    /// A number that does not occur: it lies behind all values below this code, and before that
    /// one.
    Before(Code),
}

impl Stands {
    /// The share of it that lies between two values, both included.
    pub fn within(&self, lo: Code, hi: Code) -> f64 {
        match self {
            Stands::For(values) if values.is_empty() => 0.0,
            Stands::For(values) => {
                let below = |code: Code| values.partition_point(|&value| value < code);
                let inside = values.partition_point(|&value| value <= hi) - below(lo);
                inside as f64 / values.len() as f64
            }
            Stands::Before(code) => f64::from(u8::from(lo < *code && *code <= hi)),
        }
    }
}
