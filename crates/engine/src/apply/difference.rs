//! What a reader learns who has the earlier release and the union.
//!
//! Labels are the same, so the reader subtracts group by group and sees exactly the new rows. Whoever
//! knows that somebody is new knows that their value is one of those. A coalition of providers also
//! takes out its own new rows. Somebody is *exposed* if a single value of a sensitive column is then
//! left: what `mingle history` calls a perfect breach by difference, with insiders besides.
//!
//! For a value v let T be the providers with a new row of the group that has another value. If all of
//! T collude, only rows with v are left; if a provider outside of T has any, theirs are exposed. No
//! smaller coalition leaves v alone. So a group is safe from coalitions of m if for every value T has
//! more than m members, or nobody outside of it has a row. Cost: the new rows, sorted.

use super::placing::tuples_of_rows;
use crate::failure;
use mingle_model::{ProviderId, Role, counted};
use mingle_privacy::{Insiders, Verified};
use mingle_record::answer::ApplyDifference;
use mingle_record::{Problem, ProblemCode};
use std::collections::{BTreeMap, BTreeSet};

/// What the difference of two releases shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub fewest_rows: u64,
    pub fewest_values: Option<u64>,
    /// Rows with a single value left, for the column with the most of them.
    pub exposed: Option<(String, u64)>,
    new_rows: u64,
}

impl Difference {
    /// Looks at the rows from `earlier_rows` on, which are the new ones.
    pub fn between(
        union: &Verified,
        earlier_rows: usize,
        insiders: Insiders,
    ) -> Result<Difference, Problem> {
        let published = union.published();
        let rendered = published
            .rendered()
            .ok_or_else(|| failure::defect("a union without rows"))?;
        let (table, cube) = (rendered.table(), rendered.cube());
        // rows with equal labels are one group, so the new rows of a tuple are those of a group
        let tuples = tuples_of_rows(cube);
        let mut rows_of: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (row, tuple) in tuples.into_iter().enumerate().skip(earlier_rows) {
            let tuple = tuple.ok_or_else(|| failure::defect("a row without a group"))?;
            rows_of.entry(tuple).or_default().push(row);
        }
        let mut found = Difference {
            fewest_rows: rows_of.values().map(Vec::len).min().unwrap_or(0) as u64,
            fewest_values: None,
            exposed: None,
            new_rows: (table.rows() - earlier_rows) as u64,
        };
        for column in table.with_role(Role::Sensitive) {
            let mut exposed = 0;
            for rows in rows_of.values() {
                let mut seen: Vec<(u32, ProviderId)> = Vec::with_capacity(rows.len());
                for &row in rows {
                    let provider = ProviderId(table.provider_of.get(row));
                    seen.push((column.codes.get(row), provider));
                }
                let values: BTreeSet<u32> = seen.iter().map(|&(value, _)| value).collect();
                let values = values.len() as u64;
                found.fewest_values = Some(found.fewest_values.map_or(values, |n| n.min(values)));
                exposed += exposed_rows(&seen, insiders.m.0);
            }
            let most = found.exposed.as_ref().map_or(0, |(_, rows)| *rows);
            if exposed > most {
                found.exposed = Some((column.spec.name.clone(), exposed));
            }
        }
        Ok(found)
    }

    /// Refuses what would expose somebody.
    pub fn refuse_exposed(&self, insiders: Insiders) -> Result<(), Problem> {
        let Some((column, exposed)) = &self.exposed else {
            return Ok(());
        };
        let besides = match insiders.m.0 {
            0 => String::new(),
            1 => ", and a provider takes out its own rows besides".to_owned(),
            m => format!(", and {m} providers take out their own rows besides"),
        };
        let whoever =
            format!("a reader who has both releases subtracts one from the other{besides}");
        let text = format!(
            "{whoever}: a single value of {column:?} is left for {exposed} of {}",
            counted(self.new_rows, "new row")
        );
        let hint = "let those who join a group alone wait for others; if the earlier release was never handed out, \
                    say so with --never-handed-out; see MG0308";
        Err(Problem::new(
            ProblemCode::Exposed,
            failure::printable(&text),
            hint,
        ))
    }

    /// For programs.
    pub fn to_record(&self, insiders: Insiders) -> ApplyDifference {
        ApplyDifference {
            m: insiders.m.0,
            fewest_rows: self.fewest_rows,
            fewest_values: self.fewest_values,
            exposed_rows: self.exposed.as_ref().map_or(0, |(_, rows)| *rows),
        }
    }
}

/// Rows of a group of which some coalition of at most m providers leaves a single value.
pub(super) fn exposed_rows(new: &[(u32, ProviderId)], m: u64) -> u64 {
    let values: BTreeSet<u32> = new.iter().map(|&(value, _)| value).collect();
    let mut exposed = 0;
    for &value in &values {
        let others = new.iter().filter(|(other, _)| *other != value);
        let coalition: BTreeSet<ProviderId> = others.map(|&(_, provider)| provider).collect();
        if coalition.len() as u64 > m {
            continue;
        }
        let of_value = new.iter().filter(|(other, _)| *other == value);
        let left = of_value.filter(|(_, provider)| !coalition.contains(provider));
        exposed += left.count() as u64;
    }
    exposed
}
