//! Which columns are wanted, and what is kept of each.
//!
//! A column's role says what it means for privacy; what reading keeps of it is another question,
//! and is declared here. An identifier is usually hashed while it is read, so that repeats are
//! noticed and nothing else is left of it; but whoever must recognize people by it can have it
//! beside the table, or have only what a key makes of each cell.

use super::SeparatedColumn;
use super::WantedPerson;
use super::header::{Plan, Slot, SlotKeep};
use super::people::PersonSecret;
use super::translate::Meaning;
use mingle_model::{Codes, ColumnSpec, Kind, Position, Role};

/// Makes a number of a cell, such as a person's number under a key; `None` where the cell names
/// nobody. Called from several threads, and not for missing values.
pub type Link<'a> = &'a (dyn Fn(&str) -> Option<u128> + Sync);

/// What is kept of a column.
#[derive(Clone, Copy)]
pub enum Keep<'a> {
    /// Its values: a column of the table.
    Values,
    /// Its values, as a column beside the table: see [`Input::beside`](super::Input::beside).
    Beside,
    /// How many rows repeat an earlier value, and nothing else: cells are hashed as they are read,
    /// with a key that is forgotten.
    Hashed,
    /// What a link makes of each cell, and nothing else: see
    /// [`Input::linked`](super::Input::linked).
    Linked(Link<'a>),
    /// Nothing: its cells are not looked at.
    Dropped,
}

impl Keep<'_> {
    /// What is kept where nobody says otherwise: of identifiers whether they repeat, of other
    /// columns the values.
    pub fn by_role(role: Role) -> Self {
        match role {
            Role::Identifier => Keep::Hashed,
            Role::QuasiIdentifier | Role::Sensitive | Role::Insensitive => Keep::Values,
            Role::Drop => Keep::Dropped,
        }
    }
}

/// A column that is wanted.
#[derive(Clone)]
pub struct WantedColumn<'a> {
    /// What the policy says about it.
    pub spec: ColumnSpec,
    /// What is kept of it.
    pub keep: Keep<'a>,
    /// What its values are, whatever they are read as: decides how texts of a source that writes
    /// them otherwise are translated.
    pub meaning: Option<Kind>,
    /// Whether a source may lack it: its cells are missing there.
    pub optional: bool,
}

impl<'a> WantedColumn<'a> {
    /// A column of which something else is kept than its role says.
    pub fn kept(spec: ColumnSpec, keep: Keep<'a>) -> Self {
        let wanted = WantedColumn::from(spec);
        WantedColumn { keep, ..wanted }
    }
}

impl From<ColumnSpec> for WantedColumn<'_> {
    fn from(spec: ColumnSpec) -> Self {
        WantedColumn {
            keep: Keep::by_role(spec.role),
            meaning: spec.declared_kind(),
            // what is not read need not be there
            optional: spec.role == Role::Drop,
            spec,
        }
    }
}

/// What to do with columns that the policy does not declare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undeclared {
    /// An error that lists them.
    Error,
    /// They are not read.
    Drop,
}

/// Which part of the sources is wanted.
#[derive(Clone)]
pub struct Selection<'a> {
    /// The column that says who contributed a row, if there is one; it need not be among `columns`.
    pub provider_column: Option<&'a str>,
    /// The columns, which every source must have in any order.
    pub columns: Vec<WantedColumn<'a>>,
    /// What happens to others.
    pub undeclared: Undeclared,
    /// Which of the columns says whose each row is.
    pub person: Option<WantedPerson<'a>>,
    /// Which of the columns has several values in a cell.
    pub separated: Option<SeparatedColumn<'a>>,
}

impl<'a> Selection<'a> {
    /// The key under which a column is hashed, if it says whose each row is.
    fn secret_of(&self, column: &str) -> Option<PersonSecret> {
        let person = self.person.as_ref()?;
        (person.column == column).then_some(person.secret)
    }

    /// Whether something is wanted that distinct rows with counts do not have.
    pub(super) fn is_about_people(&self) -> bool {
        self.person.is_some() || self.separated.is_some()
    }

    pub(super) fn plan(&self) -> Plan<'a> {
        let mut slots: Vec<Slot<'a>> = Vec::with_capacity(self.columns.len() + 1);
        let mut provider = None;
        for column in &self.columns {
            let name = column.spec.name.clone();
            let keep = if self.provider_column == Some(&name) {
                provider = provider.or(Some(slots.len()));
                // names of providers are needed, whatever else the column is
                SlotKeep::Texts
            } else {
                match (column.keep, self.secret_of(&name)) {
                    (Keep::Hashed | Keep::Dropped, Some(secret)) => SlotKeep::Person(secret),
                    (keep, _) => SlotKeep::of(keep),
                }
            };
            slots.push(Slot {
                name,
                keep,
                meaning: match column.meaning {
                    Some(kind) => Meaning::Declared(kind),
                    None => Meaning::Unknown,
                },
                optional: column.optional,
            });
        }
        if let (Some(name), None) = (self.provider_column, provider) {
            provider = Some(slots.len());
            slots.push(Slot {
                name: name.to_owned(),
                keep: SlotKeep::Texts,
                meaning: Meaning::Unknown,
                optional: false,
            });
        }
        Plan {
            slots,
            provider,
            undeclared: self.undeclared,
            names_of: None,
        }
    }
}

impl<'a> SlotKeep<'a> {
    fn of(keep: Keep<'a>) -> Self {
        match keep {
            Keep::Values | Keep::Beside => SlotKeep::Texts,
            Keep::Hashed => SlotKeep::Hashed,
            Keep::Linked(link) => SlotKeep::Linked(link),
            Keep::Dropped => SlotKeep::Dropped,
        }
    }
}

/// A column of which only what a link made of its cells is kept.
pub struct LinkedColumn {
    /// The column's name.
    pub name: String,
    /// The distinct links in the order in which they were met, and where each was met first;
    /// `None` is the link of missing cells and of those that name nobody.
    pub links: Vec<(Option<u128>, Position)>,
    /// Per row an index into `links`.
    pub ids: Codes,
}
