//! A place for every new row: the narrowest group whose labels cover it.

use super::agreement::Earlier;
use crate::released::not_aligned;
use mingle_model::{Cube, ProviderId, Role, Table, counted, plural};
use mingle_policy::Policy;
use mingle_privacy::composition::{CoveringGroups, People, Reader};
use mingle_record::{Problem, ProblemCode};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Where the new rows go.
pub(super) struct Placed {
    /// Per row its group in the earlier release.
    pub group_of_row: Vec<Option<u32>>,
    /// Columns of which no label covers the value of some row that has no place.
    columns: Vec<String>,
}

impl Placed {
    /// Looks for the places of all rows; those with equal quasi-identifiers get the same.
    pub fn find(policy: &Policy, earlier: &Earlier<'_>, cube: &Cube) -> Result<Placed, Problem> {
        let table = cube.table();
        let mut hierarchies = Vec::new();
        for column in table.with_role(Role::QuasiIdentifier) {
            if let Some(source) = &column.spec.hierarchy {
                hierarchies.push((column.spec.name.as_str(), source));
            }
        }
        let people = People {
            cube,
            missing: &policy.data.missing,
            hierarchies,
        };
        let reader = Reader::new(&earlier.name);
        let places = CoveringGroups::new(&people, &reader, &earlier.published)
            .map_err(|e| not_aligned(&e))?;
        let mut columns = BTreeSet::new();
        let mut group_of_tuple = Vec::with_capacity(cube.tuples());
        for tuple in 0..cube.tuples() {
            let group = places.narrowest(tuple);
            if group.is_none() {
                columns.extend(
                    places
                        .uncovered_columns(tuple)
                        .into_iter()
                        .map(str::to_owned),
                );
            }
            group_of_tuple.push(group);
        }
        let mut group_of_row = Vec::with_capacity(table.rows());
        for tuple in tuples_of_rows(cube) {
            group_of_row.push(tuple.and_then(|tuple| group_of_tuple[tuple]));
        }
        Ok(Placed {
            group_of_row,
            columns: columns.into_iter().collect(),
        })
    }

    /// How many rows have a place.
    pub fn rows(&self) -> u64 {
        self.group_of_row.iter().flatten().count() as u64
    }

    /// How many groups got rows.
    pub fn grown_groups(&self) -> u64 {
        let grown: BTreeSet<u32> = self.group_of_row.iter().flatten().copied().collect();
        grown.len() as u64
    }

    /// Rows that are not in the union, then and now, by provider; refused where they are more than
    /// the policy allows.
    pub fn left_out(
        &self,
        policy: &Policy,
        earlier: &Earlier<'_>,
        table: &Table,
    ) -> Result<BTreeMap<String, u64>, Problem> {
        let mut left_out: BTreeMap<String, u64> = BTreeMap::new();
        let mut all_rows = table.rows() as u64;
        for provider in &earlier.private.providers {
            all_rows += provider.rows;
            let before = provider.rows.saturating_sub(provider.published_rows);
            if before > 0 {
                left_out.insert(provider.name.clone(), before);
            }
        }
        for (row, group) in self.group_of_row.iter().enumerate() {
            if group.is_none() {
                let id = ProviderId(table.provider_of.get(row));
                let name = table.providers.name(id).to_owned();
                *left_out.entry(name).or_default() += 1;
            }
        }
        let without_place = table.rows() as u64 - self.rows();
        let share = policy.method.max_suppressed;
        let all_left_out: u64 = left_out.values().sum();
        let too_many = u128::from(all_left_out) * u128::from(share.denominator())
            > u128::from(all_rows) * u128::from(share.numerator());
        if without_place > 0 && too_many {
            return Err(self.refusal(without_place, table.rows()));
        }
        if self.rows() == 0 {
            return Err(self.refusal(without_place, table.rows()));
        }
        Ok(left_out)
    }

    fn refusal(&self, without_place: u64, rows: usize) -> Problem {
        let mut text = format!(
            "no group of the release covers {without_place} of {}",
            counted(rows, "new row")
        );
        if !self.columns.is_empty() {
            text += &format!(
                ": no label covers some values of {} {}",
                plural(self.columns.len(), "column", "columns"),
                self.columns.join(", ")
            );
        }
        let hint = "publish all rows again, or leave such rows out with max_suppressed in [method]; see MG0312";
        Problem::new(
            ProblemCode::NotCovered,
            crate::failure::printable(&text),
            hint,
        )
    }
}

/// The tuple of each row of a cube's table; `None` for a row that it does not have.
pub(super) fn tuples_of_rows(cube: &Cube) -> Vec<Option<usize>> {
    let table = cube.table();
    let mut tuple_of = HashMap::with_capacity(cube.tuples());
    for tuple in 0..cube.tuples() {
        let quasi_identifiers = cube.quasi_identifiers().iter();
        let codes: Vec<u32> = quasi_identifiers.map(|qi| qi.codes.get(tuple)).collect();
        tuple_of.insert(codes, tuple);
    }
    let columns: Vec<_> = table.with_role(Role::QuasiIdentifier).collect();
    let mut tuples = Vec::with_capacity(table.rows());
    let mut codes = Vec::with_capacity(columns.len());
    for row in 0..table.rows() {
        codes.clear();
        codes.extend(columns.iter().map(|column| column.codes.get(row)));
        tuples.push(tuple_of.get(&codes).copied());
    }
    tuples
}
