//! Distinct l-diversity (Machanavajjhala et al. 2007): a group has at least l different sensitive
//! values.
//!
//! A missing value says nothing about a person and is none of the l; for several attributes
//! together, a combination in which any of them is missing is none either. Group-monotone: values
//! do not disappear when rows are added. Cost O(values present), O(log values) for one attribute;
//! nothing is allocated. Coalitions are another matter, see [`hide`].

mod hide;

use super::{Attribute, Check, Constraint, Counts, outsider};
use crate::breach::{Attack, Breach};
use crate::error::Error;
use crate::shares::Shares;
use hide::{Hidden, hide};
use mingle_model::Code;

/// At least `l` different values that are not missing.
#[derive(Clone, Debug)]
pub struct DistinctDiversity {
    attribute: Attribute,
    l: u64,
    absent: Absent,
}

/// Which codes stand for a missing value.
#[derive(Clone, Debug)]
pub enum Absent {
    /// None.
    Never,
    /// One code.
    Code(Code),
    /// Those marked, by code.
    Marked(Vec<bool>),
}

impl DistinctDiversity {
    /// The constraint's stable name.
    pub const NAME: &str = "distinct-l-diversity";

    /// `l` is at least 1.
    pub fn new(attribute: Attribute, l: u64, absent: Absent) -> Result<DistinctDiversity, Error> {
        let range = Error::Parameter {
            constraint: Self::NAME,
            parameter: "l",
            expected: "at least 1",
        };
        if l == 0 {
            Err(range)
        } else {
            Ok(DistinctDiversity {
                attribute,
                l,
                absent,
            })
        }
    }
}

impl Absent {
    #[inline]
    fn is(&self, code: Code) -> bool {
        match self {
            Absent::Never => false,
            Absent::Code(absent) => *absent == code,
            Absent::Marked(marked) => marked[code as usize],
        }
    }

    fn among(&self, values: &[(Code, u64)]) -> usize {
        match self {
            Absent::Never => 0,
            Absent::Code(code) => values
                .binary_search_by_key(code, |&(c, _)| c)
                .is_ok()
                .into(),
            Absent::Marked(marked) => values.iter().filter(|&&(c, _)| marked[c as usize]).count(),
        }
    }
}

impl Constraint for DistinctDiversity {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn attribute(&self) -> Option<Attribute> {
        Some(self.attribute)
    }

    fn group_monotone(&self) -> bool {
        true
    }

    #[inline]
    fn check(&self, group: Counts<'_>) -> Check {
        let different = group.values.len();
        // most groups that fail have too few values even with the missing one
        Check::of(
            different as u64 >= self.l
                && (different - self.absent.among(group.values)) as u64 >= self.l,
        )
    }

    fn breach(&self, group: &Shares, most: usize) -> Attack {
        if most == 0 {
            return outsider(self.check(group.counts()), group.size());
        }
        // more values than there are rows is a wish that no group fulfils
        let l = usize::try_from(self.l).unwrap_or(usize::MAX);
        let coalition = match hide(group, |code| self.absent.is(code), most, l) {
            Hidden::Never => return Attack::Withstood,
            Hidden::Undecided(limit) => return Attack::Undecided(limit),
            Hidden::By(coalition) => coalition,
        };
        let taken: u64 = coalition
            .iter()
            .map(|&provider| group.sizes()[provider])
            .sum();
        Attack::Breach(Breach {
            coalition,
            left: group.size() - taken,
        })
    }

    fn fitness(&self, group: Counts<'_>) -> f64 {
        (group.values.len() - self.absent.among(group.values)) as f64 / self.l as f64
    }
}
