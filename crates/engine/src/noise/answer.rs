//! An outcome as the document `mingle.dp/1`.

use super::{NoiseOutcome, recorded};
use crate::report;
use mingle_dp::Content;
use mingle_dp::purse::Purse;
use mingle_record::answer::{
    DpAnswer, DpColumn, DpLedgerUse, DpMade, DpMadeHistogram, DpMadeMarginals, DpMadeSynthetic,
    WarningNotice,
};
use mingle_record::schema::DpSchema;
use mingle_release::ReportPlaces;
use mingle_release::manifest::format_entry;
use std::path::Path;

impl NoiseOutcome<'_> {
    /// The document `mingle.dp/1`.
    pub fn answer(&self) -> DpAnswer {
        let terms = &self.terms;
        DpAnswer {
            schema: DpSchema,
            release: self.out.map(|folder| folder.display().to_string()),
            reports: self.reported().map(report::files),
            kind: recorded::kind(&terms.request),
            guarantee: recorded::guarantee(terms.guarantee),
            said_as: recorded::epsilon_at_delta(terms.guarantee.said()),
            records_per_person: terms.dp.records_per_person,
            person_known: terms.dp.person.is_some(),
            noise: Purse::new(terms.guarantee).shape().name().to_owned(),
            least_deviation: terms.least_deviation(),
            ledger: self.ledger_use(),
            rows: self.encoded.rows,
            rows_left_out: self.encoded.left_out,
            rows_of_unknown: self.encoded.of_unknown,
            rows_beyond_bound: self.encoded.beyond_bound,
            columns: self.columns(),
            made: self.made_with_noise(),
            format: format_entry(terms.format),
            warnings: self.warnings.iter().map(WarningNotice::from).collect(),
            seconds: (self.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        }
    }

    /// The release's folder, where it has its reports.
    pub fn reported(&self) -> Option<&Path> {
        self.out
            .filter(|folder| ReportPlaces::of(folder).public().exists())
    }

    fn ledger_use(&self) -> DpLedgerUse {
        DpLedgerUse {
            path: self.terms.ledger_name.clone(),
            entry: self.made.as_ref().map(|made| made.entry),
            charged: recorded::charge(self.terms.charge),
            left_before: recorded::charge(self.terms.ledger.remaining()),
            leaves_cells_out: self.terms.spending.leaves_cells_out,
        }
    }

    fn columns(&self) -> Vec<DpColumn> {
        let mut columns = Vec::new();
        for (found, cells) in self.encoded.columns.iter().zip(self.terms.cells()) {
            columns.push(DpColumn {
                name: found.column.clone(),
                cells,
                clamped: found.clamped,
                other: found.other,
                left_out: found.left_out,
            });
        }
        columns
    }

    fn made_with_noise(&self) -> Option<DpMade> {
        let made = self.made.as_ref()?;
        Some(match &made.output.content {
            Content::Marginals(tables) => DpMade::Marginals(DpMadeMarginals {
                tables: tables.len(),
                cells: tables.iter().map(|table| table.counts.len()).sum(),
            }),
            Content::Histogram(table) => DpMade::Histogram(DpMadeHistogram {
                cells: table.cells.len(),
                threshold: table.threshold,
            }),
            Content::Synthetic(made) => DpMade::Synthetic(DpMadeSynthetic {
                rows: made.rows(),
                measured: made.measured.len(),
            }),
        })
    }
}
