//! A verdict as documents state it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Whether something holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// It does.
    Holds,
    /// It does not, and there is a case that shows it.
    Fails,
    /// It could not be decided, which counts as not satisfied.
    Undecided,
}

impl Judgement {
    /// The word in documents and texts.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Holds => "holds",
            Judgement::Fails => "fails",
            Judgement::Undecided => "undecided",
        }
    }

    /// Holds, or fails: for what is always decided.
    pub fn holds_if(holds: bool) -> Judgement {
        if holds {
            Judgement::Holds
        } else {
            Judgement::Fails
        }
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
