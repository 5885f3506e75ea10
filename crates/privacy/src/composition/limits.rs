//! What a steward tolerates when releases are intersected.

use super::audit::Exposure;
use crate::ratio::Ratio;

/// Limits on what the intersection of a release with others may leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CompositionLimits {
    /// The largest share of targets of whom a single value may be left.
    pub max_perfect_breach: Option<Ratio>,
    /// The fewest values that must be left of every target, unless the releases contradict one
    /// another about them.
    pub min_posterior: Option<u64>,
    /// Whether people do not count of whom the other releases by themselves leave too few values
    /// already: no release of ours can mend that.
    pub except_already_exposed: bool,
}

impl Default for CompositionLimits {
    /// No perfect breach.
    fn default() -> CompositionLimits {
        CompositionLimits {
            max_perfect_breach: Some(Ratio::from(0)),
            min_posterior: None,
            except_already_exposed: false,
        }
    }
}

impl CompositionLimits {
    /// Fewer values than this are too few for a person, if not for the share.
    pub fn fewest(&self) -> u32 {
        let perfect = self.max_perfect_breach.map_or(0, |_| 2);
        self.min_posterior
            .map_or(perfect, |min| min.max(perfect))
            .min(u32::MAX.into()) as u32
    }

    /// Of so many targets, how many may have a single value left.
    pub fn most_perfect(&self, targets: u64) -> u64 {
        let share = |r: Ratio| {
            u128::from(targets) * u128::from(r.numerator()) / u128::from(r.denominator())
        };
        self.max_perfect_breach.map_or(targets, |r| share(r) as u64)
    }

    /// Whether the limits hold for what one reader found.
    pub fn hold(&self, exposure: &Exposure) -> bool {
        let (perfect, below) = if self.except_already_exposed {
            (
                exposure.perfect - exposure.perfect_already,
                exposure.below - exposure.below_already,
            )
        } else {
            (exposure.perfect, exposure.below)
        };
        perfect <= self.most_perfect(exposure.targets)
            && (self.min_posterior.is_none() || below == 0)
    }
}
