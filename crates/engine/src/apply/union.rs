//! The published rows and the new ones as one table.
//!
//! Quasi-identifier cells are labels: those that were published, and for a new row those of its
//! group. Sensitive and insensitive cells are what they were. Who contributed a published row is
//! taken from the audit: among rows of a group with the same sensitive values it does not say which
//! is whose, and for every promise that makes no difference.

use super::agreement::Earlier;
use super::placing::Placed;
use crate::failure;
use mingle_model::{
    Code, Codes, Column, ColumnSpec, Domain, Kind, Missing, Position, ProviderId, Providers,
    RawColumn, RawValue, Role, Table,
};
use mingle_record::{Problem, ProblemCode};
use mingle_release::manifest::kind_of;
use std::collections::HashMap;
use std::sync::Arc;

/// The table.
pub(super) struct Union {
    /// The published rows first, then those new rows that have a place.
    pub table: Table,
    /// How many were published before.
    pub earlier_rows: usize,
    /// How many providers had no row before.
    pub new_providers: u64,
}

impl Union {
    /// Lays one behind the other.
    pub fn of(earlier: &Earlier<'_>, new: &Table, placed: &Placed) -> Result<Union, Problem> {
        let kept: Vec<usize> = (0..new.rows())
            .filter(|&row| placed.group_of_row[row].is_some())
            .collect();
        let mut columns = Vec::with_capacity(new.columns.len());
        let mut place = 0;
        for (at, column) in new.columns.iter().enumerate() {
            let old = &earlier.table.columns[at];
            if column.spec.role == Role::QuasiIdentifier {
                let labels = &earlier.published.columns()[place].labels;
                let mut merged = MergedTexts::from(old);
                for &row in &kept {
                    let group = placed.group_of_row[row].unwrap_or_default() as usize;
                    let label = earlier.published.labels(group)[place];
                    merged.push(&labels[label as usize]);
                }
                let kind = kind_of(earlier.manifest.columns[at].kind);
                columns.push(merged.into_labels(column, kind, earlier)?);
                place += 1;
            } else {
                let mut merged = MergedTexts::from(old);
                for &row in &kept {
                    merged.push(column.domain.text(column.codes.get(row)));
                }
                columns.push(merged.into_values(column, earlier)?);
            }
        }
        let before = earlier.audited.providers();
        let mut names: Vec<String> = before.names().map(str::to_owned).collect();
        let mut of_new = Vec::with_capacity(kept.len());
        for &row in &kept {
            let id = ProviderId(new.provider_of.get(row));
            of_new.push(new.providers.name(id));
        }
        names.extend(of_new.iter().map(|name| (*name).to_owned()));
        let providers = Providers::new(names);
        let mut provider_of = Codes::with_capacity(providers.len(), earlier.table.rows());
        for provider in contributors(earlier)? {
            provider_of.push(id_of(&providers, before.name(provider))?);
        }
        for name in of_new {
            provider_of.push(id_of(&providers, name)?);
        }
        Ok(Union {
            earlier_rows: earlier.table.rows(),
            new_providers: (providers.len() - before.len()) as u64,
            table: Table {
                columns,
                providers,
                provider_of,
                person_of: None,
            },
        })
    }
}

fn id_of(providers: &Providers, name: &str) -> Result<u32, Problem> {
    let id = providers.id(name);
    Ok(id.ok_or_else(|| failure::defect("a provider is lost"))?.0)
}

/// The provider of each published row.
fn contributors(earlier: &Earlier<'_>) -> Result<Vec<ProviderId>, Problem> {
    let audited = &earlier.audited;
    let mut left: HashMap<Vec<&str>, Vec<(ProviderId, u64)>> = HashMap::new();
    for group in 0..audited.groups() {
        for entry in audited.entries(group) {
            let mut key: Vec<&str> = audited.describe(group).map(|(_, label)| label).collect();
            for column in audited.sensitive() {
                let code = column.codes.get(entry.sensitive as usize);
                key.push(column.domain.text(code));
            }
            let of_key = left.entry(key).or_default();
            of_key.push((entry.provider, entry.count));
        }
    }
    let table = &earlier.table;
    let of_role = |role| table.with_role(role);
    let columns: Vec<&Column> = of_role(Role::QuasiIdentifier)
        .chain(of_role(Role::Sensitive))
        .collect();
    let mut providers = Vec::with_capacity(table.rows());
    let mut key: Vec<&str> = Vec::with_capacity(columns.len());
    for row in 0..table.rows() {
        key.clear();
        for column in &columns {
            key.push(column.domain.text(column.codes.get(row)));
        }
        let rest = left.get_mut(&key).and_then(|left| {
            let (provider, count) = left.last_mut()?;
            *count -= 1;
            let found = *provider;
            if *count == 0 {
                left.pop();
            }
            Some(found)
        });
        // the audit was found to add up to the rows
        providers.push(rest.ok_or_else(|| failure::defect("the audit lacks a row"))?);
    }
    Ok(providers)
}

/// The texts of a column, old and new. No `Debug`: these are cells.
struct MergedTexts {
    ids: HashMap<Box<str>, Code>,
    raw: RawColumn,
    file: Arc<str>,
}

impl MergedTexts {
    fn from(column: &Column) -> MergedTexts {
        let mut merged = MergedTexts {
            ids: HashMap::new(),
            raw: RawColumn::default(),
            file: "the release".into(),
        };
        let rows = column.codes.len();
        merged.raw.ids = Codes::with_capacity(column.domain.len(), rows);
        let mut used = vec![false; column.domain.len()];
        for code in column.codes.iter() {
            used[code as usize] = true;
        }
        // values that nobody has leave no trace
        let mut ids = vec![0; column.domain.len()];
        for code in 0..column.domain.len() {
            if used[code] {
                ids[code] = merged.id(text_of(&column.domain, code));
            }
        }
        merged.raw.ids.extend_mapped(&column.codes, &ids);
        merged.file = "the new rows".into();
        merged
    }

    fn id(&mut self, text: &str) -> Code {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = self.raw.values.len() as Code;
        self.ids.insert(text.into(), id);
        let position = Position {
            file: self.file.clone(),
            line: self.raw.ids.len() as u64 + 1,
        };
        self.raw.values.push(RawValue {
            text: text.into(),
            position,
        });
        id
    }

    fn push(&mut self, text: &str) {
        let id = self.id(text);
        self.raw.ids.push(id);
    }

    /// Labels are plain texts; what they are labels of is only declared.
    fn into_labels(
        self,
        column: &Column,
        kind: Kind,
        earlier: &Earlier<'_>,
    ) -> Result<Column, Problem> {
        let plain = ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new(column.spec.name.clone(), Role::QuasiIdentifier)
        };
        let missing = published_missing(earlier);
        let encoded = Column::encode(plain, self.raw, &missing);
        let mut labels = encoded.map_err(|e| failure::of_column(&column.spec.name, &e))?;
        labels.spec = ColumnSpec {
            kind: Some(kind),
            ..column.spec.clone()
        };
        Ok(labels)
    }

    /// Values mean what the policy says, or what all of them together look like.
    fn into_values(self, column: &Column, earlier: &Earlier<'_>) -> Result<Column, Problem> {
        let missing = published_missing(earlier);
        Column::encode(column.spec.clone(), self.raw, &missing).map_err(|error| {
            let problem = failure::of_column(&column.spec.name, &error);
            let text = format!(
                "the values of the release and the new ones: {}",
                problem.text()
            );
            Problem::new(ProblemCode::CannotApply, text, problem.hint())
        })
    }
}

/// How the release writes what is missing; the new rows were read with that as their first text.
fn published_missing(earlier: &Earlier<'_>) -> Missing {
    Missing::new(earlier.manifest.missing.iter().cloned().collect())
}

fn text_of(domain: &Domain, code: usize) -> &str {
    domain.text(code as Code)
}
