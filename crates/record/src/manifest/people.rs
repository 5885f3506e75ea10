//! Whose rows belong together: what a release says about it.
//!
//! What the policy says is public, because nobody can read a promise without it. How many people
//! there are does not follow from the published rows, so it is private.

use serde::{Deserialize, Serialize};

/// What counts as a person, as the policy says it; the identifier's name is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeopleEntry {
    /// What tells people apart.
    pub told_apart_by: ToldApartBy,
    /// Of an identifier: whether it means the same person at all providers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<StatedScope>,
    /// Where the rows of a person are published.
    pub rows: StatedPersonRows,
    /// What providers who collude know about people whose rows they have.
    pub knows: StatedKnowledge,
}

/// What tells people apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ToldApartBy {
    /// Rows with the same identifier are one person's.
    Identifier,
    /// Each row of the tables is one person, who may have several values in a cell.
    Row,
}

/// Whether two providers mean the same person by the same identifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatedScope {
    /// They do.
    Joint,
    /// They do not: somebody who is at two providers counts twice.
    Provider,
}

/// Where the rows of a person are published.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatedPersonRows {
    /// In one group.
    Together,
    /// Wherever they fit.
    Apart,
}

/// What providers who collude know about people whose rows they have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatedKnowledge {
    /// Whoever has one row of a person recognises all of them.
    People,
    /// They know the people all of whose rows they have.
    Rows,
}

/// How many people there are. With rows apart somebody is counted in each group that has rows of
/// hers, unless it says otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct PeopleCounts {
    /// People of the original, each counted once.
    pub people: u64,
    /// People with a published row, each counted once.
    pub published_people: u64,
    /// People of whom nothing is published.
    pub suppressed_people: u64,
    /// The people of all groups, added up.
    pub people_in_groups: u64,
    /// The most rows of one person in a group.
    pub most_rows: u64,
    /// The fewest people of a group.
    pub smallest_group: u64,
    /// People whose rows are at several providers; `None` where identifiers do not show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared_people: Option<u64>,
    /// Where somebody who is at two providers counts twice: so many different people are in every
    /// group at least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guaranteed_smallest_group: Option<u64>,
    /// With rows apart: people whose rows are in several groups, each counted once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split_people: Option<u64>,
    /// Of those: the fewest people who are in two groups of one person, herself included; `None`
    /// where nobody is split, where there are too many pairs, and in releases that do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fewest_in_two_groups: Option<u64>,
    /// The fewest people who are in all groups of one person, herself included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fewest_in_all_groups: Option<u64>,
    /// How many people are the only ones in all of their groups.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alone_in_all_groups: Option<u64>,
}

impl PeopleEntry {
    /// Whether its parts go together: only an identifier has a scope.
    pub fn fits(&self) -> bool {
        (self.told_apart_by == ToldApartBy::Identifier) == self.scope.is_some()
    }
}

impl StatedScope {
    /// The word in documents.
    pub fn name(self) -> &'static str {
        match self {
            StatedScope::Joint => "joint",
            StatedScope::Provider => "provider",
        }
    }
}

impl StatedPersonRows {
    /// The word in documents.
    pub fn name(self) -> &'static str {
        match self {
            StatedPersonRows::Together => "together",
            StatedPersonRows::Apart => "apart",
        }
    }
}

impl StatedKnowledge {
    /// The word in documents.
    pub fn name(self) -> &'static str {
        match self {
            StatedKnowledge::People => "people",
            StatedKnowledge::Rows => "rows",
        }
    }
}
