//! From parts to a release: one folder, as one machine writes it.

use super::TablePart;
use crate::failure;
use crate::publish::{ReleaseFolder, ranges_in_words};
use crate::report;
use crate::run::Run;
use mingle_io::{OutColumn, OutKind};
use mingle_model::{Code, Column, Domain, Kind, Role};
use mingle_policy::{DeclaredColumn, Policy};
use mingle_privacy::{Attribute, Distance, PartSummary, VerifiedParts};
use mingle_record::manifest::{ManifestColumn, ProviderRows};
use mingle_record::{Problem, ProblemCode, RecordedWarning};
use mingle_release::manifest::{add_hierarchy, add_order, column_entry, column_kind, column_role};
use mingle_release::warnings::ShownValues;
use mingle_release::{AssembledParts, AssembledTable, Bundle, CodedRows, Facts, RowRepeats};
use std::collections::HashSet;
use std::sync::Mutex;

/// A release of more rows than this has no report: making one takes all rows into memory.
const MOST_ROWS_REPORTED: u64 = 5_000_000;

/// What was made of a table in parts.
pub struct AssembledRelease<'a> {
    /// The policy as the steward wrote it.
    pub policy: &'a Policy,
    /// A part without rows, for what stands for the whole table.
    pub whole: &'a TablePart<'a>,
    /// What was found in each part of what is published.
    pub checks: &'a [PartSummary],
    /// Rows by provider, as they were read and as they are published.
    pub providers: Vec<ProviderRows>,
    /// The published columns in the policy's order, each with its texts in order.
    pub data: AssembledSide<'a>,
    /// The labels, the provider, the sensitive values and the count, each with its texts in order.
    pub audit: AssembledSide<'a>,
}

/// One table.
pub struct AssembledSide<'a> {
    /// Its columns' names, each with the texts that occur, in order.
    pub columns: Vec<(String, Vec<String>)>,
    /// Its rows.
    pub rows: CodedRows<'a>,
}

impl AssembledRelease<'_> {
    /// Puts the release in its place. Says how many groups it has.
    pub fn write(self, target: &ReleaseFolder, run: &Run) -> Result<u64, Problem> {
        run.step("writing");
        let read: u64 = self.providers.iter().map(|provider| provider.rows).sum();
        let published: u64 = self.providers.iter().map(|p| p.published_rows).sum();
        let promises = &self.policy.privacy()?.promises;
        let verified = VerifiedParts::of(promises, self.whole.insiders, self.checks, published);
        let verified = verified.ok_or_else(not_verified)?;
        let groups = verified.groups();
        let suppressed = read.checked_sub(published).ok_or_else(not_verified)?;
        let share = self.policy.method.max_suppressed;
        let most =
            u128::from(read) * u128::from(share.numerator()) / u128::from(share.denominator());
        if u128::from(suppressed) > most {
            return Err(not_verified());
        }
        let shown = self.shown();
        let columns = self.manifest_columns()?;
        let facts = self.facts(published);
        let data_columns = self.data_columns()?;
        let (audit_columns, audit_names) = self.audit_columns()?;
        let sensitive = names(self.policy, Role::Sensitive);
        let parts = AssembledParts {
            verified,
            data: AssembledTable {
                columns: data_columns,
                rows: Mutex::new(Some(self.data.rows)),
                expected: published,
                repeats: RowRepeats::Written,
            },
            audit: AssembledTable {
                columns: audit_columns,
                rows: Mutex::new(Some(self.audit.rows)),
                expected: published,
                repeats: RowRepeats::Counted,
            },
            columns,
            sensitive,
            audit_names,
            shown,
            providers: self.providers,
            suppressed,
        };
        let bundle = Bundle::assembled(parts, &facts);
        let written = bundle.write(target.place(run));
        written.map_err(|e| failure::release(&e))?;
        Ok(groups)
    }

    fn facts(&self, published: u64) -> Facts {
        let policy = self.policy;
        let warnings: Vec<Problem> = crate::insiders::warning(
            self.whole.insiders,
            self.providers.iter().filter(|p| p.rows > 0).count() as u64,
        )
        .into_iter()
        .collect();
        Facts {
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            format: policy.release.format,
            method: policy.method.name.to_owned(),
            ranges: ranges_in_words(policy).to_owned(),
            missing: policy.data.missing.clone(),
            people: None,
            policy: policy.document.clone(),
            inputs: Vec::new(),
            seed: policy.method.seed,
            left_out_before: Default::default(),
            utility: None,
            publish_utility: false,
            distributions: None,
            composition: None,
            warnings: warnings.iter().map(RecordedWarning::from).collect(),
            reports: (published <= MOST_ROWS_REPORTED).then_some(report::render),
        }
    }

    fn shown(&self) -> Vec<ShownValues> {
        let insensitive: HashSet<String> =
            names(self.policy, Role::Insensitive).into_iter().collect();
        let mut shown = Vec::new();
        for (column, texts) in &self.data.columns {
            if insensitive.contains(column) {
                shown.push(ShownValues {
                    column: column.clone(),
                    distinct: texts.len() as u64,
                });
            }
        }
        shown
    }

    fn whole_column(&self, name: &str) -> Option<&Column> {
        let mut columns = self.whole.table.columns.iter();
        columns.find(|column| column.spec.name == name)
    }

    /// What the manifest says about columns; where a promise needs an order or a hierarchy, with
    /// that.
    fn manifest_columns(&self) -> Result<Vec<ManifestColumn>, Problem> {
        let sensitive = names(self.policy, Role::Sensitive);
        let mut entries = Vec::new();
        for declared in published_columns(self.policy) {
            let name = &declared.spec.name;
            let whole = self.whole_column(name);
            let mut entry = match whole {
                Some(column) => column_entry(column),
                // what is carried along is known by its texts only
                None => ManifestColumn {
                    name: name.clone(),
                    role: column_role(declared.spec.role),
                    kind: column_kind(Kind::Category),
                    hierarchy: None,
                    order: None,
                    hierarchy_rows: None,
                },
            };
            for promise in &self.policy.privacy()?.promises {
                let (Some(distance), Some(Attribute::Column(place)), Some(column)) =
                    (promise.rule.distance(), promise.attribute, whole)
                else {
                    continue;
                };
                if sensitive.get(place) != Some(name) {
                    continue;
                }
                let used = self.used(&column.domain, name);
                let is_published = |code: Code| used[code as usize];
                match distance {
                    Distance::Equal => {}
                    Distance::Ordered => add_order(&mut entry, &column.domain, is_published),
                    Distance::Hierarchical => {
                        add_hierarchy(&mut entry, &column.domain, is_published)
                    }
                }
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    /// Which values of a sensitive column some published row has.
    fn used(&self, domain: &Domain, name: &str) -> Vec<bool> {
        let mut texts: HashSet<&str> = HashSet::new();
        for (column, occurring) in &self.data.columns {
            if column == name {
                texts.extend(occurring.iter().map(String::as_str));
            }
        }
        (0..domain.len() as Code)
            .map(|code| texts.contains(domain.text(code)))
            .collect()
    }

    fn data_columns(&self) -> Result<Vec<OutColumn>, Problem> {
        let mut columns = Vec::new();
        for (declared, (name, texts)) in published_columns(self.policy)
            .into_iter()
            .zip(&self.data.columns)
        {
            if declared.spec.name != *name {
                return Err(failure::defect("columns of parts are in another order"));
            }
            columns.push(self.out_column(name, texts));
        }
        Ok(columns)
    }

    fn out_column(&self, name: &str, texts: &[String]) -> OutColumn {
        let whole = self.whole_column(name);
        let missing = whole.and_then(|column| {
            let code = column.domain.missing()?;
            Some(column.domain.text(code))
        });
        let present = texts
            .iter()
            .map(String::as_str)
            .filter(|text| Some(*text) != missing);
        let kind = match whole {
            Some(column) => OutKind::of(column.domain.kind(), present),
            None => OutKind::Text,
        };
        let missing = missing.and_then(|missing| texts.iter().position(|text| text == missing));
        OutColumn {
            name: name.to_owned(),
            kind,
            texts: texts.to_vec(),
            missing: missing.map(|place| place as Code),
        }
    }

    /// The audit's columns, and the names of those that say who and how many.
    fn audit_columns(&self) -> Result<(Vec<OutColumn>, [String; 2]), Problem> {
        let quasi = names(self.policy, Role::QuasiIdentifier);
        let sensitive = names(self.policy, Role::Sensitive);
        let free = |name: &str| {
            let mut name = name.to_owned();
            while quasi.contains(&name) || sensitive.contains(&name) {
                name.insert_str(0, "mingle.");
            }
            name
        };
        let own = [free("provider"), free("count")];
        let mut expected = quasi.clone();
        expected.push(own[0].clone());
        expected.extend(sensitive.clone());
        expected.push(own[1].clone());
        if expected.len() != self.audit.columns.len() {
            return Err(failure::defect("the audit of parts has other columns"));
        }
        let mut columns = Vec::new();
        for (place, (name, (_, texts))) in expected.iter().zip(&self.audit.columns).enumerate() {
            let is_count = place + 1 == expected.len();
            columns.push(OutColumn {
                name: name.clone(),
                kind: if is_count {
                    OutKind::Integer
                } else {
                    OutKind::Text
                },
                texts: texts.clone(),
                missing: None,
            });
        }
        Ok((columns, own))
    }
}

fn not_verified() -> Problem {
    Problem::new(
        ProblemCode::PlanRefused,
        "what was verified in parts is not what would be published",
        "nothing was written; publish again from a table that nobody writes to",
    )
}

fn published_columns(policy: &Policy) -> Vec<&DeclaredColumn> {
    let columns = policy.columns.iter();
    columns
        .filter(|column| column.spec.role.is_published())
        .collect()
}

fn names(policy: &Policy, role: Role) -> Vec<String> {
    policy
        .with_role(role)
        .map(|column| column.spec.name.clone())
        .collect()
}
