//! Headers: which field of a file belongs to which column of the policy.

use super::record::Records;
use super::{Link, Undeclared};
use crate::error::Error;
use crate::guard::unguard;
use crate::limits::Limits;
use std::collections::HashSet;

/// The columns that are read, in the order in which results are wanted.
pub(super) struct Plan<'a> {
    pub(super) slots: Vec<Slot<'a>>,
    /// The slot of the provider column.
    pub(super) provider: Option<usize>,
    pub(super) undeclared: Undeclared,
}

/// A column that is read, or at least must be there.
pub(super) struct Slot<'a> {
    pub(super) name: String,
    pub(super) keep: SlotKeep<'a>,
}

/// What becomes of a slot's cells.
#[derive(Clone, Copy)]
pub(super) enum SlotKeep<'a> {
    /// They are numbered, and their texts are kept.
    Texts,
    /// They are hashed to notice repeats, and forgotten.
    Hashed,
    /// What this makes of them is numbered, and they are forgotten.
    Linked(Link<'a>),
    /// They are not looked at.
    Dropped,
}

/// Per field of a file the slot it goes to.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Layout {
    pub(super) fields: Vec<Option<usize>>,
}

impl Layout {
    /// The slots of the fields that are read, in the fields' order.
    pub(super) fn slots(&self) -> Vec<usize> {
        self.fields.iter().filter_map(|slot| *slot).collect()
    }
}

impl Plan<'_> {
    /// Checks a file's column names against the plan.
    pub(super) fn layout(
        &self,
        file: &str,
        found: &[String],
        limits: &Limits,
    ) -> Result<Layout, Error> {
        if found.len() > limits.columns {
            return Err(Error::TooManyColumns {
                file: file.to_owned(),
                limit: limits.columns,
            });
        }
        let mut seen = HashSet::new();
        if let Some(twice) = found.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(Error::DuplicateColumn {
                file: file.to_owned(),
                column: twice.clone(),
            });
        }
        self.check_all_there(file, found, &seen)?;
        let mut fields = Vec::with_capacity(found.len());
        let mut extra = Vec::new();
        for name in found {
            let slot = self.slots.iter().position(|s| s.name == *name);
            if slot.is_none() {
                extra.push(name.clone());
            }
            let is_read = |&slot: &usize| !matches!(self.slots[slot].keep, SlotKeep::Dropped);
            fields.push(slot.filter(is_read));
        }
        if self.undeclared == Undeclared::Error && !extra.is_empty() {
            return Err(Error::UndeclaredColumns {
                file: file.to_owned(),
                columns: extra,
            });
        }
        Ok(Layout { fields })
    }

    fn check_all_there(
        &self,
        file: &str,
        found: &[String],
        seen: &HashSet<&str>,
    ) -> Result<(), Error> {
        let provider = self.provider.map(|p| &self.slots[p].name);
        if let Some(column) =
            provider.filter(|name| !seen.contains(name.as_str()) && !seen.is_empty())
        {
            let (file, column) = (file.to_owned(), column.clone());
            return Err(Error::MissingProviderColumn {
                file,
                column,
                found: found.to_vec(),
            });
        }
        let missing = self
            .slots
            .iter()
            .filter(|s| !seen.contains(s.name.as_str()));
        let columns: Vec<String> = missing.map(|s| s.name.clone()).collect();
        if columns.is_empty() {
            return Ok(());
        }
        let file = file.to_owned();
        // without a single known name, the first line may be data, and data is not shown
        if columns.len() == self.slots.len() {
            return Err(Error::NoHeader { file, columns });
        }
        Err(Error::MissingColumns {
            file,
            columns,
            found: found.to_vec(),
        })
    }
}

/// Reads the header record of a CSV file; `None` when there is none.
pub(super) fn read_names(
    file: &str,
    records: &mut Records<'_>,
    unguarded: bool,
    limits: &Limits,
) -> Result<Option<Vec<String>>, Error> {
    let Some(line) = records.next_record() else {
        return Ok(None);
    };
    let mut names = Vec::new();
    loop {
        let (name, last) = records.field().map_err(|cr| Error::LoneCarriageReturn {
            file: file.to_owned(),
            line: cr.0,
        })?;
        if name.len() > limits.cell {
            let column = format!("number {}", names.len() + 1);
            return Err(Error::CellTooLong {
                file: file.to_owned(),
                line,
                column,
                limit: limits.cell,
            });
        }
        let name = std::str::from_utf8(name).map_err(|_| Error::HeaderNotUtf8 {
            file: file.to_owned(),
        })?;
        names.push(if unguarded { unguard(name) } else { name }.to_owned());
        if names.len() > limits.columns {
            return Err(Error::TooManyColumns {
                file: file.to_owned(),
                limit: limits.columns,
            });
        }
        if last {
            return Ok(Some(names));
        }
    }
}
