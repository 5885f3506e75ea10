//! Verifying what is published, part by part.
//!
//! A part has some of the published groups, each with all of its rows, as texts: quasi-identifiers
//! are opaque, rows that look alike are one group, whatever cell they came from. Before them stand
//! rows with the sensitive values of all that is published, so that t compares with the whole
//! published table. Nothing here knows how the groups were made.

use super::{PartCounts, combinations};
use crate::failure;
use crate::tables::with_hierarchy;
use mingle_io::{ReadOptions, Scan, Undeclared};
use mingle_model::{ColumnSpec, Kind, Missing, Published, Role, Table};
use mingle_policy::Policy;
use mingle_privacy::{Insiders, ReferenceTable, Verdict, Verification, verify_part};
use mingle_record::{Problem, ProblemCode};

/// What was found in a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartCheck {
    /// How many groups it has.
    pub groups: u64,
    /// How many rows.
    pub rows: u64,
    /// Per promise of the policy in how many parts it fails: here 0 or 1.
    pub fails: Vec<u64>,
    /// The same for promises that could not be decided.
    pub undecided: Vec<u64>,
    /// Whether some group has too few contributors, where strict semantics ask for some.
    pub lacks_sites: bool,
}

impl PartCheck {
    /// Whether everything holds in the part.
    pub fn holds(&self) -> bool {
        let none = |found: &[u64]| found.iter().all(|&count| count == 0);
        none(&self.fails) && none(&self.undecided) && !self.lacks_sites
    }
}

/// Verifies groups that are in no other part.
pub fn check_published(
    policy: &Policy,
    source: &dyn Scan,
    counted: PartCounts,
    insiders: Insiders,
) -> Result<PartCheck, Problem> {
    let table = read(policy, source)?;
    if table.rows() != counted.counts.len() || counted.standing > table.rows() {
        return Err(failure::defect("counts do not fit the rows of a part"));
    }
    let mut counts = counted.counts;
    let whole = combinations(&table, &counts[..counted.standing])?;
    counts[..counted.standing].fill(0);
    let published = Published::from_counts(&table, &counts)
        .ok_or_else(|| failure::defect("the rows of a part cannot be counted"))?;
    // rows that stand for the whole table bring their combinations along, so none is missing
    let whole = ReferenceTable::around(published.sensitive(), &whole).ok_or_else(|| {
        Problem::new(
            ProblemCode::InputChanged,
            "a group has sensitive values that the published table has not",
            "publish again",
        )
    })?;
    let promises = &policy.privacy()?.promises;
    let verification = verify_part(published, promises, insiders, &whole);
    let verification = verification.map_err(|e| failure::privacy(&e))?;
    Ok(found(&verification))
}

fn found(verification: &Verification) -> PartCheck {
    let mut fails = Vec::new();
    let mut undecided = Vec::new();
    for verdict in verification.verdicts() {
        fails.push(u64::from(matches!(verdict, Verdict::Fails(_))));
        undecided.push(u64::from(matches!(verdict, Verdict::Undecided(_))));
    }
    let sites = verification.site_diversity();
    PartCheck {
        groups: verification.groups() as u64,
        rows: verification.records(),
        fails,
        undecided,
        lacks_sites: sites.is_some_and(|verdict| *verdict != Verdict::Holds),
    }
}

/// Quasi-identifiers as opaque texts without missing ones, because a reader tells `""` and `?`
/// apart; sensitive columns with their meaning.
fn read(policy: &Policy, source: &dyn Scan) -> Result<Table, Problem> {
    let provider = policy.data.provider_column.as_deref();
    let read = |specs: &[ColumnSpec], missing: Missing| {
        let options = ReadOptions {
            missing,
            ..ReadOptions::default()
        };
        mingle_io::read_table(&[source], provider, specs, Undeclared::Drop, &options)
            .map(|read| read.table)
            .map_err(|e| failure::io(&e))
    };
    let mut opaque = Vec::new();
    for column in policy.with_role(Role::QuasiIdentifier) {
        opaque.push(ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new(column.spec.name.clone(), Role::QuasiIdentifier)
        });
    }
    let mut table = read(&opaque, Missing::new(Vec::new()))?;
    let mut sensitive = Vec::new();
    for column in policy.with_role(Role::Sensitive) {
        sensitive.push(with_hierarchy(policy, column)?);
    }
    if !sensitive.is_empty() {
        let read = read(&sensitive, policy.data.missing.clone())?;
        table.columns.extend(read.columns);
    }
    Ok(table)
}
