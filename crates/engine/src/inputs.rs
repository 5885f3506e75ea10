//! The tables that a piece of work is about.

use crate::run::Run;
use crate::tables::{self, Original};
use mingle_model::Column;
use mingle_policy::Policy;
use mingle_record::Problem;

/// The providers' tables.
pub struct Inputs {
    content: Content,
}

enum Content {
    /// The files that the policy names.
    Named,
}

impl Inputs {
    /// The files that a policy names. Whether they can be read turns out when they are.
    pub fn of(_policy: &Policy) -> Inputs {
        Inputs {
            content: Content::Named,
        }
    }

    /// Reads all rows as the policy says.
    pub(crate) fn read(&self, policy: &Policy, run: &Run) -> Result<Original, Problem> {
        match &self.content {
            Content::Named => tables::read_original(policy, run),
        }
    }

    /// The same with the identifiers of one column, one per row, beside the table.
    pub(crate) fn read_people(
        &self,
        policy: &Policy,
        identifier: &str,
        run: &Run,
    ) -> Result<(Original, Vec<String>), Problem> {
        match &self.content {
            Content::Named => tables::read_people(policy, identifier, run),
        }
    }

    /// All rows as texts, whatever they hold, and beside the table the column that tells people
    /// apart.
    pub(crate) fn read_texts(
        &self,
        policy: &Policy,
        person: Option<&str>,
        run: &Run,
    ) -> Result<(Original, Option<Column>), Problem> {
        match &self.content {
            Content::Named => tables::read_texts(policy, person, run),
        }
    }
}
