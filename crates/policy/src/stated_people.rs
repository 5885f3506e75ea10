//! What a policy says about people, in the words of those who count them and of manifests.

use super::person::{DeclaredPeople, PersonScope};
use super::{Policy, Promised};
use mingle_model::PersonRows;
use mingle_privacy::Knows;
use mingle_record::manifest::{
    PeopleEntry, StatedKnowledge, StatedPersonRows, StatedScope, ToldApartBy,
};

impl Policy {
    /// Where the rows of a person are published.
    pub fn person_rows(&self) -> PersonRows {
        match &self.promised {
            Promised::Groups(privacy) => privacy.rows,
            Promised::Noise(_) => PersonRows::default(),
        }
    }

    /// What manifests say about people; `None` where each row is one person.
    pub fn people_entry(&self) -> Option<PeopleEntry> {
        let Promised::Groups(privacy) = &self.promised else {
            return None;
        };
        let (told_apart_by, scope) = match (&self.data.people, self.separated()) {
            (DeclaredPeople::Column(column), _) => {
                let scope = match column.scope {
                    PersonScope::Joint => StatedScope::Joint,
                    PersonScope::Provider => StatedScope::Provider,
                };
                (ToldApartBy::Identifier, Some(scope))
            }
            // a cell that holds several values makes a person of several rows
            (DeclaredPeople::Unsaid | DeclaredPeople::EachRow, Some(_)) => (ToldApartBy::Row, None),
            (DeclaredPeople::Unsaid | DeclaredPeople::EachRow, None) => return None,
        };
        Some(PeopleEntry {
            told_apart_by,
            scope,
            rows: match privacy.rows {
                PersonRows::Together => StatedPersonRows::Together,
                PersonRows::Apart => StatedPersonRows::Apart,
            },
            knows: match privacy.knows {
                Knows::People => StatedKnowledge::People,
                Knows::Rows => StatedKnowledge::Rows,
            },
        })
    }
}
