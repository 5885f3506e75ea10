//! How values were distributed and how a release shows them, while it is made.
//!
//! Both sides are counted in cells of the declared domains, and by the original's values where
//! nothing is declared, as `mingle measure` counts them.

use super::cells::binning;
use super::marginals::unreadable;
use crate::domains;
use mingle_assess::utility::distributions::{ComparisonAxis, Distributions, compare};
use mingle_assess::utility::marginals::{Binning, CountTables, MarginalLines};
use mingle_dp::universe::CellId;
use mingle_dp::{Content, DeclaredAttribute, DeclaredValues, Output};
use mingle_model::{Code, Codes, Column, Cube, Fragments, Published, Role, Table};
use mingle_policy::Policy;
use mingle_record::Problem;

/// Of a release of groups, or of its fragments.
pub fn of_groups(
    policy: &Policy,
    table: &Table,
    (cube, published): (&Cube, &Published),
    fragments: Option<&Fragments>,
) -> Result<Distributions, Problem> {
    let columns: Vec<&Column> = table
        .columns
        .iter()
        .filter(|c| c.spec.role != Role::Identifier)
        .collect();
    let sides = columns
        .iter()
        .map(|column| cells(policy, column))
        .collect::<Result<Vec<_>, _>>()?;
    let (axes, binnings): (Vec<ComparisonAxis>, Vec<Binning>) = sides.into_iter().unzip();
    let missing = &policy.data.missing;
    let release = match fragments {
        Some(fragments) => MarginalLines::fragmented(&columns, &binnings, fragments, missing),
        None => {
            let centroids = policy.method.output == super::GroupRepresentative::Centroid;
            MarginalLines::of_groups(&columns, &binnings, (cube, published), missing, centroids)
        }
    };
    let release = release.map_err(|problem| unreadable(&problem))?;
    Ok(compare(
        &axes,
        &MarginalLines::of_cube(&columns, &binnings, cube),
        &release,
    ))
}

fn cells(policy: &Policy, column: &Column) -> Result<(ComparisonAxis, Binning), Problem> {
    let declared = policy
        .columns
        .iter()
        .find(|c| c.spec.name == column.spec.name);
    let attribute = declared
        .map(|c| domains::attribute(policy, c))
        .transpose()?
        .flatten();
    Ok(match attribute {
        Some(attribute) => (axis(&attribute), binning(column, &attribute)),
        None => (ComparisonAxis::values(column), Binning::values(column)),
    })
}

/// Of a release with noise, in the cells of its own domains. `None` where it has nothing that the
/// table has.
pub fn of_noise(table: &Table, output: &Output) -> Option<Distributions> {
    let shown: Vec<usize> = match &output.content {
        Content::Histogram(histogram) => histogram.attributes.clone(),
        _ => (0..output.attributes.len()).collect(),
    };
    let attributes: Vec<&DeclaredAttribute> =
        shown.iter().map(|&a| &output.attributes[a]).collect();
    let column = |a: &&DeclaredAttribute| table.columns.iter().find(|c| c.spec.name == a.name);
    let columns: Vec<&Column> = attributes.iter().map(column).collect::<Option<_>>()?;
    let binnings: Vec<Binning> = columns
        .iter()
        .zip(&attributes)
        .map(|(c, a)| binning(c, a))
        .collect();
    let axes: Vec<ComparisonAxis> = attributes.iter().map(|a| axis(a)).collect();
    let original = MarginalLines::original(&columns, &binnings);
    let lines = |counts: Vec<u64>, codes: Vec<Codes>| {
        MarginalLines::of_cells(
            counts,
            codes.into_iter().zip(binnings.iter().map(Binning::cells)),
        )
    };
    Some(match &output.content {
        Content::Marginals(tables) => {
            let tables = tables
                .iter()
                .map(|t| (t.attributes.clone(), t.counts.clone()))
                .collect();
            compare(
                &axes,
                &original,
                &CountTables::new(attributes.iter().map(|a| a.len()).collect(), tables)?,
            )
        }
        Content::Histogram(histogram) => {
            let codes = (0..shown.len()).map(|at| {
                histogram
                    .cells
                    .iter()
                    .map(|(cell, _)| Code::from(cell[at]))
                    .collect()
            });
            let counts = histogram.cells.iter().map(|&(_, count)| count).collect();
            compare(&axes, &original, &lines(counts, codes.collect()))
        }
        Content::Synthetic(made) => {
            let codes = made
                .columns
                .iter()
                .map(|cells| cells.iter().map(|&cell| Code::from(cell)).collect());
            compare(
                &axes,
                &original,
                &lines(vec![1; made.rows()], codes.collect()),
            )
        }
    })
}

fn axis(attribute: &DeclaredAttribute) -> ComparisonAxis {
    let label = |cell: CellId| {
        if Some(cell) == attribute.missing_cell() {
            "missing".to_owned()
        } else {
            attribute.label(cell)
        }
    };
    let labels = (0..attribute.len())
        .map(|cell| label(cell as CellId))
        .collect();
    let ordered = matches!(attribute.domain, DeclaredValues::Bins(_));
    ComparisonAxis::declared(
        &attribute.name,
        attribute.role,
        ordered,
        labels,
        attribute.len() - attribute.domain.len(),
    )
}
