//! Headers: which field of a file belongs to which column of the policy.

use super::people::PersonSecret;
use super::record::Records;
use super::translate::Meaning;
use super::{Link, Undeclared};
use crate::error::Error;
use crate::guard::FormulaGuard;
use crate::limits::Limits;
use mingle_model::Missing;
use std::collections::HashMap;
use std::sync::Arc;

/// The columns that are read, in the order in which results are wanted.
pub(super) struct Plan<'a> {
    pub(super) slots: Vec<Slot<'a>>,
    /// The slot of the provider column.
    pub(super) provider: Option<usize>,
    pub(super) undeclared: Undeclared,
    /// The file whose names these are, where nobody has declared any.
    pub(super) names_of: Option<String>,
}

/// A column that is read, or at least must be there.
pub(super) struct Slot<'a> {
    pub(super) name: String,
    pub(super) keep: SlotKeep<'a>,
    /// What its texts mean.
    pub(super) meaning: Meaning,
    /// Whether a file may lack it.
    pub(super) optional: bool,
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
    /// They are hashed under a key, and the hashes are numbered.
    Person(PersonSecret),
    /// They are not looked at.
    Dropped,
}

/// Per field of a file the slot it goes to, and how the file's cells are read.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Layout {
    pub(super) fields: Vec<Option<usize>>,
    /// Slots of optional columns that the file lacks.
    pub(super) absent: Vec<usize>,
    /// Slots whose texts are translated, and the class they are translated from.
    pub(super) classes: Vec<(usize, usize)>,
    /// All texts that mean in this file that a value is missing.
    pub(super) missing: Arc<Missing>,
}

impl Layout {
    /// The slots of the fields that are read, in the fields' order.
    pub(super) fn slots(&self) -> Vec<usize> {
        self.fields.iter().filter_map(|slot| *slot).collect()
    }

    /// The class of a slot's texts.
    pub(super) fn class(&self, slot: usize) -> usize {
        for &(translated, class) in &self.classes {
            if translated == slot {
                return class;
            }
        }
        0
    }
}

impl Plan<'_> {
    /// The slot of a column that was asked for.
    pub(super) fn slot(&self, name: &str) -> usize {
        let slot = self.slots.iter().position(|slot| slot.name == name);
        slot.expect("the plan has a slot per column")
    }

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
        let mut seen: HashMap<&str, usize> = HashMap::new();
        for (name, number) in found.iter().zip(1..) {
            if let Some(earlier) = seen.insert(name, number) {
                return Err(Error::DuplicateColumn {
                    file: file.to_owned(),
                    columns: vec![earlier, number],
                });
            }
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
            return Err(match &self.names_of {
                Some(first) => Error::OtherColumns {
                    file: file.to_owned(),
                    first: first.clone(),
                    lacking: 0,
                    additional: extra.len(),
                },
                None => Error::UndeclaredColumns {
                    file: file.to_owned(),
                    columns: extra,
                },
            });
        }
        let mut absent = Vec::new();
        for (slot, column) in self.slots.iter().enumerate() {
            let is_text = matches!(column.keep, SlotKeep::Texts);
            if is_text && !seen.contains_key(column.name.as_str()) {
                absent.push(slot);
            }
        }
        Ok(Layout {
            fields,
            absent,
            classes: Vec::new(),
            missing: Arc::new(Missing::default()),
        })
    }

    fn check_all_there(
        &self,
        file: &str,
        found: &[String],
        seen: &HashMap<&str, usize>,
    ) -> Result<(), Error> {
        let mut columns = Vec::new();
        let mut known = 0;
        for slot in &self.slots {
            if seen.contains_key(slot.name.as_str()) {
                known += 1;
            } else if !slot.optional {
                columns.push(slot.name.clone());
            }
        }
        if let Some(first) = &self.names_of {
            // names that another file's first line gave are not shown: it may be a record, too
            if columns.is_empty() {
                return Ok(());
            }
            return Err(Error::OtherColumns {
                file: file.to_owned(),
                first: first.clone(),
                lacking: columns.len(),
                additional: found.len() - known,
            });
        }
        // without a single known name, the first line may be data, and data is not shown
        if known == 0 && !columns.is_empty() {
            let file = file.to_owned();
            return Err(Error::NoHeader { file, columns });
        }
        if let Some(provider) = self.provider {
            let column = &self.slots[provider].name;
            if columns.contains(column) {
                return Err(Error::MissingProviderColumn {
                    file: file.to_owned(),
                    column: column.clone(),
                    found: found.to_vec(),
                });
            }
        }
        if columns.is_empty() {
            return Ok(());
        }
        Err(Error::MissingColumns {
            file: file.to_owned(),
            columns,
            found: found.to_vec(),
        })
    }
}

/// Reads the header record of a CSV file; `None` when there is none.
pub(super) fn read_names(
    file: &str,
    records: &mut Records<'_>,
    guarded: FormulaGuard,
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
        names.push(guarded.undo(name).into_owned());
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
