//! A differentially private release as a careless reader takes it: made-up records, or cells with a
//! count, for people.
//!
//! What is known about people is brought to cells of the declared domains, which are in the public
//! manifest: a made-up number is nobody's, but the bin around it has people. So are sensitive
//! values. Nobody is behind any of these rows, so whatever is concluded is a guess that noise and
//! everybody else's records made.

use super::{Groups, NoiseDeclaration, Released};
use crate::failure;
use crate::whole::{GET_AGAIN, refuse_damaged};
use mingle_dp::DeclaredAttribute;
use mingle_dp::universe::CellId;
use mingle_model::{Column, ColumnSpec, Kind, Missing, Providers, Published, Role, Table};
use mingle_policy::Policy;
use mingle_privacy::composition::Location;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_release::NoisyRelease;
use mingle_release::noisy::{CellCounts, NoisyKind, NoisyMeaning};
use std::path::Path;

pub(super) fn released(
    name: &str,
    path: &Path,
    release: &NoisyRelease,
    ours: &Policy,
) -> Result<Released, Problem> {
    refuse_damaged(Some(name), &release.check().problems, GET_AGAIN)?;
    let failed = |e| failure::release(&e);
    let manifest = release.manifest().map_err(failed)?;
    let tables = release.tables().map_err(failed)?;
    let table = match (manifest.kind, &tables[..]) {
        (NoisyKind::Synthetic | NoisyKind::Histogram, [table]) => table,
        _ => {
            let text = format!("{name} has marginals: no row has all that is known about a person");
            return Err(Problem::new(
                ProblemCode::NoisyMarginals,
                text,
                "give a synthetic release or a histogram instead",
            ));
        }
    };
    let attributes = manifest.attributes();
    let published = published(&attributes, table, ours)?;
    Ok(Released {
        name: name.to_owned(),
        location: Location::Containment,
        path: path.to_owned(),
        groups: Groups::Linked(Box::new(published)),
        hierarchies: Vec::new(),
        format: mingle_io::TableFormat::released(),
        noise: Some(NoiseDeclaration {
            kind: manifest.kind.name().to_owned(),
            guarantee: manifest.guarantee(),
            attributes,
        }),
    })
}

fn published(
    attributes: &[DeclaredAttribute],
    table: &CellCounts,
    ours: &Policy,
) -> Result<Published, Problem> {
    let known = |name: &str| {
        ours.with_role(Role::QuasiIdentifier)
            .any(|q| q.spec.name == name)
    };
    let mut columns = Vec::new();
    for (place, &a) in table.attributes.iter().enumerate() {
        let attribute = &attributes[a];
        let role = match attribute.role {
            Role::Insensitive if known(&attribute.name) => Role::QuasiIdentifier,
            Role::Insensitive => continue,
            role => role,
        };
        let spec = ColumnSpec {
            kind: Some(Kind::Category),
            ..ColumnSpec::new(&attribute.name, role)
        };
        let texts = labels(attribute, role, &table.cells[place]);
        let none = Missing::new(Vec::new());
        let column = Column::from_texts(spec, texts.iter().map(String::as_str), &none);
        columns.push(column.map_err(|_| failure::defect("words that are none"))?);
    }
    let providers = Providers::new(vec!["(noise)".to_owned()]);
    let rows = Table {
        columns,
        providers,
        provider_of: table.counts.iter().map(|_| 0).collect(),
        person_of: None,
    };
    let counts: Vec<u64> = table.counts.iter().map(|&count| count as u64).collect();
    Published::from_counts(&rows, &counts).ok_or_else(|| failure::defect("a count for each row"))
}

/// Cells by their labels. What stands for values that are not declared may be anybody's.
fn labels(attribute: &DeclaredAttribute, role: Role, cells: &[CellId]) -> Vec<String> {
    let label = |cell: CellId| {
        if Some(cell) == attribute.other_cell() && role == Role::QuasiIdentifier {
            "*".to_owned()
        } else {
            attribute.label(cell)
        }
    };
    let all: Vec<String> = (0..attribute.len())
        .map(|cell| label(cell as CellId))
        .collect();
    cells
        .iter()
        .map(|&cell| all[usize::from(cell)].clone())
        .collect()
}
