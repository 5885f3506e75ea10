//! A table that exists, and which of its rows are this provider's: what it brings to a joint
//! verification.
//!
//! Any tool may have made the table. Quasi-identifier cells are opaque texts, and equal texts are one
//! group; sensitive values are read as the policy says. The domains are what is published, so that
//! nothing has to be declared.

use super::{agreed_terms, problem};
use crate::run::Run;
use crate::tables::{ForeignTable, read_anonymized};
use mingle_model::{Code, Role, Table};
use mingle_policy::Policy;
use mingle_protocol::horizontal::{
    ExistingTable, HorizontalTerms, OwnRows, SharedColumn, SharedSchema,
};
use mingle_record::{Problem, ProblemCode};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::Arc;

/// What one provider brings to a verification. No `Debug`: it has the data.
pub struct VerificationPart {
    /// What all must agree on.
    pub terms: HorizontalTerms,
    /// The columns, with the published values.
    pub schema: Arc<SharedSchema>,
    /// This provider's rows, as they were published.
    pub rows: Arc<OwnRows>,
    /// The groups of both.
    pub table: ExistingTable,
    /// A digest of the published table.
    pub digest: [u8; 32],
    /// How many rows are published.
    pub published_rows: usize,
}

/// Reads the published table and this provider's rows of it.
pub fn verification(
    policy: &Policy,
    published: &Path,
    own: &Path,
    run: &Run,
) -> Result<VerificationPart, Problem> {
    let mut terms = agreed_terms(policy)?;
    let roles = [Role::QuasiIdentifier, Role::Sensitive];
    run.step("reading");
    let published = read_anonymized(policy, ForeignTable::File(published), &roles)?.table;
    let own = read_anonymized(policy, ForeignTable::File(own), &roles)?.table;
    let mut columns = Vec::new();
    for column in &published.columns {
        columns.push(SharedColumn {
            spec: column.spec.clone(),
            domain: column.domain.clone(),
        });
    }
    let schema =
        SharedSchema::new(columns, policy.data.missing.clone()).map_err(|e| problem(&e))?;
    let read = |table: &Table| OwnRows::encode(&schema, table);
    let all = read(&published).map_err(|e| problem(&e))?;
    let rows = read(&own).map_err(|e| foreign(&e))?;
    let table = ExistingTable::new(&schema, &all, &rows).map_err(|e| foreign(&e))?;
    let digest = digest(&published);
    terms.policy = Sha256::new_with_prefix(terms.policy)
        .chain_update(digest)
        .finalize()
        .into();
    Ok(VerificationPart {
        terms,
        schema: Arc::new(schema),
        rows: Arc::new(rows),
        table,
        digest,
        published_rows: published.rows(),
    })
}

/// This provider's rows are not rows of the published table.
fn foreign(error: &mingle_protocol::Error) -> Problem {
    let hint = "`--own` names the rows of the published table that this provider contributed, with the labels as published";
    Problem::new(ProblemCode::ContributionsDiffer, error.to_string(), hint)
}

/// Over the rows as texts, in no order of theirs.
fn digest(table: &Table) -> [u8; 32] {
    let mut rows: Vec<Vec<&str>> = Vec::with_capacity(table.rows());
    for row in 0..table.rows() {
        let mut cells = Vec::with_capacity(table.columns.len());
        for column in &table.columns {
            let code: Code = column.codes.get(row);
            cells.push(column.domain.text(code));
        }
        rows.push(cells);
    }
    rows.sort_unstable();
    let mut hash = Sha256::new_with_prefix(b"mingle published table\0");
    let mut text = |text: &str| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    for column in &table.columns {
        text(&column.spec.name);
    }
    for cell in rows.into_iter().flatten() {
        text(cell);
    }
    hash.finalize().into()
}
