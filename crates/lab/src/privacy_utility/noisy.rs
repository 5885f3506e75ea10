//! A release with noise: made from a table through public domains, and read as if it were one of
//! groups.

use super::plan::{DELTA, Noisy, NoisyReleaseKind};
use crate::codebook::declared;
use crate::error::Error;
use mingle_dp::ledger::Receipt;
use mingle_dp::universe::CellId;
use mingle_dp::{
    Amount, Content, DeclaredAttribute, Epsilon, Error as NoRelease, Guarantee, Output, PerPerson,
    Records, Request, histogram, marginals, release, synthetic,
};
use mingle_model::{Column, ColumnSpec, Kind as ColumnKind, Missing, Providers, Published, Table};
use std::sync::atomic::AtomicBool;

/// The table's columns through the codebook.
pub fn attributes(table: &Table) -> Vec<DeclaredAttribute> {
    let of = |column: &Column| {
        declared(&column.spec.name)
            .expect("the codebook has it")
            .attribute(column.spec.role)
    };
    table.columns.iter().map(of).collect()
}

/// Makes a release.
pub fn publish(table: &Table, how: &Noisy, cancel: Option<&AtomicBool>) -> Result<Output, Error> {
    let attributes = attributes(table);
    let (records, _) = Records::encode(&attributes, table, PerPerson::ONE)?;
    let amount = |text: &str| Amount::parse(text).expect("the plan has amounts");
    let guarantee = if how.pure {
        Guarantee::Pure {
            epsilon: Epsilon(amount(how.epsilon)),
        }
    } else {
        Guarantee::Approximate {
            epsilon: Epsilon(amount(how.epsilon)),
            delta: amount(DELTA),
        }
    };
    let never = AtomicBool::new(false);
    let receipt = Receipt::for_experiment(guarantee);
    release(
        &attributes,
        records,
        &request(how.kind),
        receipt,
        cancel.unwrap_or(&never),
    )
    .map_err(|e| match e {
        NoRelease::Cancelled => Error::Cancelled,
        other => Error::Noise(other),
    })
}

fn request(kind: NoisyReleaseKind) -> Request {
    let marginals = |choice| {
        Request::Marginals(marginals::MarginalsOptions {
            choice,
            ..marginals::MarginalsOptions::default()
        })
    };
    match kind {
        NoisyReleaseKind::Pairs => marginals(marginals::MarginalsChoice::All(2)),
        NoisyReleaseKind::Selected => marginals(marginals::MarginalsChoice::Selected(2)),
        NoisyReleaseKind::Histogram => Request::Histogram(histogram::HistogramOptions::default()),
        NoisyReleaseKind::Synthetic => Request::Synthetic(synthetic::SyntheticOptions::default()),
    }
}

/// Records in declared cells as groups with one label per cell, which is how a careless reader
/// takes them; `None` for tables of some columns, which have no records.
pub fn as_groups(output: &Output) -> Result<Option<Published>, Error> {
    match &output.content {
        Content::Marginals(_) => Ok(None),
        Content::Synthetic(made) => {
            let columns: Vec<&[CellId]> = made.columns.iter().map(Vec::as_slice).collect();
            Ok(Some(Published::from_table(&as_table(
                &output.attributes,
                &columns,
            )?)))
        }
        Content::Histogram(histogram) => {
            let column = |a: usize| {
                histogram
                    .cells
                    .iter()
                    .map(|(cell, _)| cell[a])
                    .collect::<Vec<CellId>>()
            };
            let columns: Vec<Vec<CellId>> = (0..output.attributes.len()).map(column).collect();
            let columns: Vec<&[CellId]> = columns.iter().map(Vec::as_slice).collect();
            let counts: Vec<u64> = histogram.cells.iter().map(|&(_, count)| count).collect();
            let table = as_table(&output.attributes, &columns)?;
            Ok(Some(
                Published::from_counts(&table, &counts)
                    .expect("a count for each cell, and few people"),
            ))
        }
    }
}

fn as_table(attributes: &[DeclaredAttribute], cells: &[&[CellId]]) -> Result<Table, Error> {
    let column = |(attribute, cells): (&DeclaredAttribute, &&[CellId])| {
        let labels: Vec<String> = (0..attribute.len())
            .map(|cell| attribute.label(cell as CellId))
            .collect();
        let spec = ColumnSpec {
            kind: Some(ColumnKind::Category),
            ..ColumnSpec::new(&attribute.name, attribute.role)
        };
        let texts = cells.iter().map(|&cell| labels[usize::from(cell)].as_str());
        let named = |source| Error::Column {
            column: attribute.name.clone(),
            source,
        };
        Column::from_texts(spec, texts, &Missing::default()).map_err(named)
    };
    let columns = attributes
        .iter()
        .zip(cells)
        .map(column)
        .collect::<Result<Vec<Column>, Error>>()?;
    let rows = cells.first().map_or(0, |cells| cells.len());
    let providers = Providers::new(vec![String::new()]);
    Ok(Table {
        columns,
        providers,
        provider_of: std::iter::repeat_n(0, rows).collect(),
        person_of: None,
    })
}
