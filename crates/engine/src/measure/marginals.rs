//! Total variation of a release of groups.

use super::cells::binning;
use super::{GroupRepresentative, Grouped};
use crate::domains;
use mingle_assess::utility::marginals::{
    Binning, Distances, LabelProblem, MarginalLines, distances,
};
use mingle_model::{Column, Table};
use mingle_policy::Policy;
use mingle_record::Problem;
use mingle_record::ProblemCode;

/// In cells of the domains that the policy declares, and by the original's values where it declares
/// none.
pub fn of_groups(
    policy: &Policy,
    original: &Table,
    grouped: &Grouped,
) -> Result<Distances, Problem> {
    let there = |column: &&Column| {
        let name = &column.spec.name;
        let in_fragments =
            |f: &mingle_model::Fragments| f.sensitive().iter().any(|s| s.name == *name);
        grouped.table.columns.iter().any(|c| c.spec.name == *name)
            || grouped.fragments.as_ref().is_some_and(in_fragments)
    };
    let columns: Vec<&Column> = original.columns.iter().filter(there).collect();
    let binnings: Vec<Binning> = columns
        .iter()
        .map(|c| declared(policy, c))
        .collect::<Result<_, _>>()?;
    let names: Vec<String> = columns.iter().map(|c| c.spec.name.clone()).collect();
    let missing = &policy.data.missing;
    let release = match &grouped.fragments {
        Some(fragments) => MarginalLines::fragmented(&columns, &binnings, fragments, missing),
        None => {
            let centroids = grouped.output == GroupRepresentative::Centroid;
            MarginalLines::generalized(&columns, &binnings, &grouped.table, missing, centroids)
        }
    };
    let release = release.map_err(|problem| unreadable(&problem))?;
    Ok(distances(
        &names,
        &MarginalLines::original(&columns, &binnings),
        &release,
    ))
}

fn declared(policy: &Policy, column: &Column) -> Result<Binning, Problem> {
    let declared = policy
        .columns
        .iter()
        .find(|c| c.spec.name == column.spec.name);
    let attribute = declared
        .map(|c| domains::attribute(policy, c))
        .transpose()?
        .flatten();
    Ok(attribute.map_or_else(
        || Binning::values(column),
        |attribute| binning(column, &attribute),
    ))
}

pub fn unreadable(problem: &LabelProblem) -> Problem {
    let hint = "give the policy and the tables that the release was made from";
    Problem::new(ProblemCode::NotComparable, problem.to_string(), hint)
}
