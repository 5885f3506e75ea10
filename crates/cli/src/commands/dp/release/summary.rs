//! What was released, or would be, for the steward: as a compact summary and as the document
//! `mingle.dp/1`.

use super::plan::Plan;
use crate::commands::dp::words::{self, DIGITS, counted, deviation};
use crate::message::{Problem, beside};
use mingle::reports;
use mingle_dp::ledger::Ledger;
use mingle_dp::purse::Purse;
use mingle_dp::records::Undeclared;
use mingle_dp::{Content, Encoded, Guarantee, Output};
use mingle_release::ReportPlaces;
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Everything that is said at the end.
pub struct Summary<'a> {
    /// What was planned.
    pub plan: &'a Plan<'a>,
    /// What happened to the records.
    pub encoded: &'a Encoded,
    /// What became of it.
    pub fate: Fate,
    /// Where it is; `None` for a dry run.
    pub out: Option<&'a Path>,
    /// How long it took.
    pub elapsed: Duration,
}

/// What became of a plan.
pub enum Fate {
    /// Nothing: it was a dry run.
    Planned,
    /// It was paid for and written.
    Published {
        /// The entry in the ledger.
        entry: u64,
        /// What was written.
        output: Box<Output>,
    },
}

/// Where values start.
const INDENT: usize = 14;

impl Summary<'_> {
    /// For people.
    pub fn to_text(&self) -> String {
        let lines = [
            ("promised", self.promised()),
            ("in words", self.in_words()),
            ("against", AGAINST.to_owned()),
            ("assumed", self.assumed()),
            ("ledger", self.ledger()),
            ("rows", self.rows()),
            ("outside", self.outside()),
            ("noise", self.noise()),
            ("bins", self.bins()),
            ("made", self.made()),
            ("time", format!("{:.2} s", self.elapsed.as_secs_f64())),
            ("release", self.place()),
            (
                "report",
                self.reported().map_or(String::new(), reports::report_line),
            ),
        ];
        let shown = lines
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| beside(name, value, INDENT));
        shown.collect::<Vec<_>>().join("\n")
    }

    fn promised(&self) -> String {
        let (epsilon, delta) = self.plan.guarantee.said();
        match self.plan.guarantee {
            Guarantee::Pure { epsilon } => {
                format!("epsilon = {epsilon} (pure differential privacy)")
            }
            Guarantee::Approximate { epsilon, delta } => {
                format!("epsilon = {epsilon}, delta = {delta}")
            }
            Guarantee::Concentrated { rho } => {
                format!(
                    "rho = {rho} (zero-concentrated); that is epsilon = {} at delta = {delta}",
                    epsilon.ceil_to(DIGITS)
                )
            }
        }
    }

    /// The definition of (ε, δ), said in words: no more, no less.
    fn in_words(&self) -> String {
        let (epsilon, delta) = self.plan.guarantee.said();
        let factor = words::times(epsilon);
        let chance = if delta.is_zero() {
            String::new()
        } else {
            format!(" (plus {delta})")
        };
        format!(
            "whatever anyone knows or will learn: anything that can be seen of this release is at most {factor} times as \
             likely{chance} with one person's records in the tables as without them, and the other way round"
        )
    }

    fn assumed(&self) -> String {
        let records = self.plan.dp.records_per_person;
        match &self.plan.dp.person {
            Some(column) => {
                format!(
                    "a person is a value of column {column:?} in canonical form, limited to {}",
                    counted(records, "record")
                )
            }
            None if records == 1 => {
                "each row is one person: nothing in the policy tells people apart".to_owned()
            }
            None => format!(
                "nobody has more than {records} rows: your word, nothing in the policy tells people apart"
            ),
        }
    }

    fn ledger(&self) -> String {
        let (name, charge) = (&self.plan.ledger_name, words::spent(self.plan.charge));
        match &self.fate {
            Fate::Planned => {
                let ledger = &self.plan.ledger;
                let left = words::left(ledger.remaining());
                format!(
                    "{name}: {left} left, {}; this would spend {charge}",
                    room(ledger)
                )
            }
            Fate::Published { entry, .. } => {
                // other runs may have spent as well
                let left = Ledger::read(self.plan.ledger.path()).map_or(String::new(), |ledger| {
                    format!(
                        "; {} left, {}",
                        words::left(ledger.remaining()),
                        room(&ledger)
                    )
                });
                format!("{name}: {charge} spent as entry {entry}{left}")
            }
        }
    }

    fn rows(&self) -> String {
        let Encoded {
            rows,
            left_out,
            of_unknown,
            beyond_bound,
            ..
        } = self.encoded;
        let mut text = format!("{rows} read");
        if *left_out > 0 {
            text.push_str(&format!(
                ", {left_out} left out: a value is not declared and there is no `other`"
            ));
        }
        if *of_unknown > 0 {
            text.push_str(&format!(
                ", {of_unknown} left out: without the identifier of a person"
            ));
        }
        if *beyond_bound > 0 {
            let most = self.plan.dp.records_per_person;
            text.push_str(&format!(
                ", {beyond_bound} left out: more than {most} of a person"
            ));
        }
        text
    }

    /// Values that the domains do not have. Private, like all of this.
    fn outside(&self) -> String {
        let column = |found: &Undeclared| {
            let counts = [
                (found.clamped, "clamped"),
                (found.other, "counted as other"),
                (found.left_out, "left out"),
            ];
            let counts = counts
                .iter()
                .filter(|(n, _)| *n > 0)
                .map(|(n, what)| format!("{n} {what}"));
            let counts = counts.collect::<Vec<_>>().join(", ");
            (!counts.is_empty()).then(|| format!("{}: {counts}", found.column))
        };
        self.encoded
            .columns
            .iter()
            .filter_map(column)
            .collect::<Vec<_>>()
            .join("; ")
    }

    fn noise(&self) -> String {
        let shape = Purse::new(self.plan.guarantee).shape().name();
        match self.deviations() {
            Some((least, most)) if most > least => {
                format!(
                    "{shape}, of a standard deviation from {} to {} per count and table",
                    deviation(least),
                    deviation(most)
                )
            }
            Some((same, _)) => format!(
                "{shape}, of a standard deviation of {} per count",
                deviation(same)
            ),
            None => {
                let least = self.plan.least_deviation();
                format!(
                    "{shape}, of a standard deviation of {} or more per count",
                    deviation(least)
                )
            }
        }
    }

    fn bins(&self) -> String {
        match &self.plan.private_bins()[..] {
            [] => String::new(),
            columns => format!(
                "a part of the budget finds the bins of {}",
                columns.join(", ")
            ),
        }
    }

    /// The smallest and the largest noise of the published tables, where they say it.
    fn deviations(&self) -> Option<(f64, f64)> {
        let Fate::Published { output, .. } = &self.fate else {
            return None;
        };
        match &output.content {
            Content::Marginals(tables) => {
                let deviations = || tables.iter().map(|table| table.deviation);
                Some((
                    deviations().reduce(f64::min)?,
                    deviations().reduce(f64::max)?,
                ))
            }
            Content::Histogram(table) => Some((table.deviation, table.deviation)),
            Content::Synthetic(_) => None,
        }
    }

    fn made(&self) -> String {
        let Fate::Published { output, .. } = &self.fate else {
            return self.plan.tables();
        };
        match &output.content {
            Content::Marginals(tables) => {
                let cells: usize = tables.iter().map(|table| table.counts.len()).sum();
                format!(
                    "{} with {}",
                    counted(tables.len() as u64, "table"),
                    counted(cells as u64, "cell")
                )
            }
            Content::Histogram(table) => match table.threshold {
                None => format!(
                    "{} with a count above zero",
                    counted(table.cells.len() as u64, "cell")
                ),
                Some(least) => {
                    format!(
                        "{} with a count of {least} or more",
                        counted(table.cells.len() as u64, "cell")
                    )
                }
            },
            Content::Synthetic(made) => {
                let tables = counted(made.measured.len() as u64, "measured table");
                format!("{}, from {tables}", counted(made.rows() as u64, "record"))
            }
        }
    }

    /// The release, where it has its reports.
    fn reported(&self) -> Option<&Path> {
        self.out
            .filter(|folder| ReportPlaces::of(folder).public().exists())
    }

    fn place(&self) -> String {
        match self.out {
            Some(folder) => reports::release_line(folder),
            None => "dry run: nothing was spent, drawn or written".to_owned(),
        }
    }

    /// For programs.
    pub fn to_json(&self, warnings: &[Problem]) -> Value {
        let plan = self.plan;
        let warning = |w: &Problem| json!({ "code": w.code().to_string(), "text": w.text() });
        let entry = match &self.fate {
            Fate::Planned => None,
            Fate::Published { entry, .. } => Some(*entry),
        };
        let (epsilon, delta) = plan.guarantee.said();
        json!({
            "schema": "mingle.dp/1",
            "release": self.out.map(|folder| folder.display().to_string()),
            "reports": self.reported().map(reports::to_json),
            "kind": plan.request.name(),
            "guarantee": plan.guarantee,
            "said_as": { "epsilon": epsilon, "delta": delta },
            "records_per_person": plan.dp.records_per_person,
            "person_known": plan.dp.person.is_some(),
            "noise": Purse::new(plan.guarantee).shape().name(),
            "least_deviation": plan.least_deviation(),
            "ledger": {
                "path": plan.ledger_name,
                "entry": entry,
                "charged": plan.charge,
                "left_before": plan.ledger.remaining(),
                "leaves_cells_out": plan.spending.leaves_cells_out,
            },
            "rows": self.encoded.rows,
            "rows_left_out": self.encoded.left_out,
            "rows_of_unknown": self.encoded.of_unknown,
            "rows_beyond_bound": self.encoded.beyond_bound,
            "columns": self.columns(),
            "made": self.made_json(),
            "format": plan.format.name(),
            "warnings": warnings.iter().map(warning).collect::<Vec<_>>(),
            "seconds": (self.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
        })
    }

    fn columns(&self) -> Vec<Value> {
        let column = |(found, cells): (&Undeclared, usize)| {
            json!({
                "name": found.column, "cells": cells, "clamped": found.clamped, "other": found.other,
                "left_out": found.left_out,
            })
        };
        self.encoded
            .columns
            .iter()
            .zip(self.plan.cells())
            .map(column)
            .collect()
    }

    fn made_json(&self) -> Value {
        let Fate::Published { output, .. } = &self.fate else {
            return Value::Null;
        };
        match &output.content {
            Content::Marginals(tables) => {
                let cells: usize = tables.iter().map(|table| table.counts.len()).sum();
                json!({ "tables": tables.len(), "cells": cells })
            }
            Content::Histogram(table) => {
                json!({ "cells": table.cells.len(), "threshold": table.threshold })
            }
            Content::Synthetic(made) => {
                json!({ "rows": made.rows(), "measured": made.measured.len() })
            }
        }
    }
}

/// To whom the promise is made. A coalition that knows all records but one is a reader who knows
/// much.
const AGAINST: &str = "every reader, with any side information: outsiders, any coalition of providers up to all but one, \
                       and whoever has other releases (what those spend adds up)";

/// The largest release that a ledger still pays for.
fn room(ledger: &Ledger) -> String {
    let possible = ledger.possible();
    match (possible.approximate, possible.pure, possible.rho) {
        (Some((epsilon, delta)), ..) => {
            format!("enough for epsilon = {epsilon} at delta = {delta}")
        }
        (None, Some(epsilon), _) => format!("enough for epsilon = {epsilon}"),
        (None, None, Some(rho)) => format!("enough for rho = {rho}"),
        (None, None, None) => "enough for nothing".to_owned(),
    }
}
