//! A dry run of the proposed policy: whether what comes out is worth publishing, and which columns
//! cost most.
//!
//! Made from the sample, with the quickest method, and with every quasi-identifier left out once.
//! Where that says that little is left, the policy's own method has the last word: it is slower and
//! loses less.
//! What a column costs is what the *others* lose because of it: the mean penalty of the others with
//! it, less that without it. Its own loss is no argument for leaving it out, because leaving it out
//! loses all of it. The work is bounded by the sample and by the number of quasi-identifiers, not
//! by a clock, so that the same tables give the same figures.

use super::hierarchy::FoundHierarchy;
use super::profile::Profile;
use super::proposal::{HierarchyProposal, Proposal};
use super::sample::Sample;
use crate::inputs::Inputs;
use crate::insiders;
use crate::publish::little_left::LITTLE_IS_LEFT;
use crate::publish::make;
use crate::run::Run;
use mingle_anonymize::METHODS;
use mingle_assess::utility::{Comparison, ncp};
use mingle_io::TextTable;
use mingle_model::{Cube, Number, Role, date};
use mingle_policy::{BuiltValue, Policy, PolicyBuilder};
use mingle_record::answer::{InitCost, InitDryRun};
use mingle_record::{Problem, ProblemCode};
use std::sync::Arc;

/// So many of the costliest columns are named.
const NAMED: usize = 3;

/// Tries a proposal.
pub struct DryRun<'a> {
    /// What is tried.
    pub proposal: &'a Proposal,
    /// The columns.
    pub profiles: &'a [Profile],
    /// The rows.
    pub sample: &'a Sample,
}

/// What one try has lost.
struct Tried {
    /// The penalty of each quasi-identifier, by its place.
    penalties: Vec<(usize, f64)>,
    /// The share of their cells that say nothing.
    says_nothing: f64,
}

impl Tried {
    /// The mean penalty of all columns but one.
    fn mean_without(&self, left_out: Option<usize>) -> f64 {
        let mut sum = 0.0;
        let mut columns = 0;
        for &(place, penalty) in &self.penalties {
            if Some(place) != left_out {
                sum += penalty;
                columns += 1;
            }
        }
        if columns == 0 {
            0.0
        } else {
            sum / f64::from(columns)
        }
    }
}

impl DryRun<'_> {
    /// Tries it; `None` where there is nothing to generalize.
    pub fn answer(&self, run: &Run) -> Result<Option<InitDryRun>, Problem> {
        let quasi_identifiers = self.proposal.with_role(Role::QuasiIdentifier);
        let method = METHODS.iter().find(|entry| entry.capabilities.quick);
        let Some(method) = method.map(|entry| entry.name) else {
            return Ok(None);
        };
        if quasi_identifiers.is_empty() || self.sample.rows() == 0 {
            return Ok(None);
        }
        let mut answer = InitDryRun {
            method: method.to_owned(),
            sample_rows: self.sample.rows() as u64,
            ncp: None,
            says_nothing: None,
            useless: true,
            costs_by: method.to_owned(),
            costliest: Vec::new(),
        };
        let Some(whole) = self.tried(method, None, run)? else {
            return Ok(Some(answer));
        };
        take(&mut answer, &whole);
        let own = METHODS[0].name;
        if answer.useless
            && own != method
            && let Some(better) = self.tried(own, None, run)?
        {
            answer.method = own.to_owned();
            take(&mut answer, &better);
        }
        if quasi_identifiers.len() > 1 {
            answer.costliest = self.costliest(&quasi_identifiers, &whole, method, run)?;
        }
        Ok(Some(answer))
    }

    fn costliest(
        &self,
        quasi_identifiers: &[usize],
        whole: &Tried,
        method: &str,
        run: &Run,
    ) -> Result<Vec<InitCost>, Problem> {
        let mut costs = Vec::new();
        for &place in quasi_identifiers {
            let Some(without) = self.tried(method, Some(place), run)? else {
                continue;
            };
            costs.push(InitCost {
                column: self.profiles[place].name.clone(),
                others_with: whole.mean_without(Some(place)),
                others_without: without.mean_without(None),
            });
        }
        // a stable sort: columns that cost the same stay in their order
        costs.sort_by(|a, b| saved(b).total_cmp(&saved(a)));
        costs.retain(|cost| saved(cost) > 0.0);
        costs.truncate(NAMED);
        Ok(costs)
    }

    /// One try without a column; `None` where no release was found.
    fn tried(
        &self,
        method: &str,
        left_out: Option<usize>,
        run: &Run,
    ) -> Result<Option<Tried>, Problem> {
        run.check()?;
        let policy = self.policy(method, left_out).build()?;
        let table = self.inputs(left_out)?.read(&policy, run)?.table;
        let contributors = insiders::contributors(&table);
        let against = policy.insiders(contributors)?;
        let cube = Arc::new(Cube::new(table));
        let planned = match run.install(|| make(&policy, against, cube, None, run)) {
            Ok(planned) => planned,
            Err(problem) if problem.code() == ProblemCode::Interrupted => return Err(problem),
            Err(_) => return Ok(None),
        };
        let published = planned.verified.published();
        let Ok(comparison) = Comparison::new(&planned.cube, &policy.data.missing, published) else {
            return Ok(None);
        };
        let mut penalties = Vec::new();
        let mut cells: u64 = 0;
        let mut say_nothing: u64 = 0;
        for (column, loss) in comparison
            .columns()
            .iter()
            .zip(ncp::loss(&comparison).columns)
        {
            let place = self.profiles.iter().position(|p| p.name == loss.column);
            let place = place.expect("the try has no other columns");
            penalties.push((place, loss.loss));
            for (reading, rows) in column.readings().iter().zip(column.rows()) {
                cells += rows;
                if ncp::cell(column.domain(), reading) >= 1.0 {
                    say_nothing += rows;
                }
            }
        }
        Ok(Some(Tried {
            penalties,
            says_nothing: say_nothing as f64 / cells.max(1) as f64,
        }))
    }

    /// The columns that a try reads, by their places.
    fn columns(&self, left_out: Option<usize>) -> Vec<usize> {
        let mut places = Vec::new();
        for (place, column) in self.proposal.columns.iter().enumerate() {
            let provider = self.proposal.provider_column == Some(place);
            if column.is_published() && !provider && left_out != Some(place) {
                places.push(place);
            }
        }
        places
    }

    fn policy(&self, method: &str, left_out: Option<usize>) -> PolicyBuilder {
        let mut policy = Policy::builder().method(method).k(self.proposal.k as u64);
        for place in self.columns(left_out) {
            let name = self.profiles[place].name.as_str();
            let column = &self.proposal.columns[place];
            policy = policy
                .column(name, column.role)
                .put(&["columns", name, "kind"], column.kind_name());
            policy = match column.hierarchy {
                Some(hierarchy) => self.with_hierarchy(policy, place, hierarchy),
                None => policy,
            };
        }
        if let Some(place) = self.proposal.provider_column {
            let name = self.profiles[place].name.as_str();
            policy = policy.put(&["data", "provider_column"], name);
        }
        if self.proposal.diverse {
            policy = policy.set("privacy.l.distinct", 2);
        }
        let several = self.proposal.providers > 1;
        policy.m(u64::from(several))
    }

    fn with_hierarchy(
        &self,
        policy: PolicyBuilder,
        place: usize,
        hierarchy: HierarchyProposal,
    ) -> PolicyBuilder {
        let profile = &self.profiles[place];
        let key = ["columns", profile.name.as_str(), "hierarchy"];
        let below = |kind: &'static str| [key[0], key[1], key[2], kind];
        match (hierarchy, &profile.hierarchy) {
            (HierarchyProposal::File, Some(FoundHierarchy::Fits(file))) => {
                policy.put(&key, file.to_string_lossy().into_owned())
            }
            (HierarchyProposal::File, _) => policy,
            (HierarchyProposal::Mask(length), _) => policy.put(&below("mask"), length as u64),
            (HierarchyProposal::Prefix(lengths), _) => {
                let mut levels = Vec::new();
                for &length in lengths {
                    levels.push(BuiltValue::from(length as u64));
                }
                policy.put(&below("prefix"), BuiltValue::List(levels))
            }
            (HierarchyProposal::Dates, _) => {
                let levels = date::Level::ALL.map(|level| BuiltValue::from(level.name()));
                policy.put(&below("dates"), BuiltValue::List(levels.to_vec()))
            }
            (HierarchyProposal::Intervals(width), _) => {
                let widths = HierarchyProposal::widths(width).map(interval_width);
                policy.put(&below("intervals"), BuiltValue::List(widths.to_vec()))
            }
        }
    }

    fn inputs(&self, left_out: Option<usize>) -> Result<Inputs, Problem> {
        let mut places = self.columns(left_out);
        places.extend(self.proposal.provider_column);
        let tables = self.sample.table_of.iter().max().map_or(0, |last| last + 1);
        let mut of_provider = Vec::new();
        for table in 0..tables {
            let made = self.table(&places, table)?;
            of_provider.push((format!("table {}", table + 1), made));
        }
        if of_provider.len() == 1
            && let Some((_, only)) = of_provider.pop()
        {
            return Ok(Inputs::table(only));
        }
        Ok(Inputs::tables(of_provider))
    }

    fn table(&self, places: &[usize], table: usize) -> Result<TextTable, Problem> {
        let mut columns = Vec::new();
        for &place in places {
            let raw = &self.sample.columns[place];
            let mut texts: Vec<&str> = Vec::new();
            for (row, &of_table) in self.sample.table_of.iter().enumerate() {
                if of_table == table {
                    texts.push(&raw.values[raw.ids.get(row) as usize].text);
                }
            }
            columns.push((self.profiles[place].name.clone(), texts));
        }
        TextTable::new("the sample", columns).map_err(|e| crate::failure::io(&e))
    }
}

/// The figures of a try.
fn take(answer: &mut InitDryRun, tried: &Tried) {
    let penalty = tried.mean_without(None);
    answer.ncp = Some(penalty);
    answer.says_nothing = Some(tried.says_nothing);
    answer.useless = penalty >= LITTLE_IS_LEFT || tried.says_nothing >= LITTLE_IS_LEFT;
}

/// What the others would not lose without a column.
fn saved(cost: &InitCost) -> f64 {
    cost.others_with - cost.others_without
}

fn interval_width(width: Number) -> BuiltValue {
    let text = Number::text(width.mantissa, width.scale);
    match (width.scale, text.parse::<i64>()) {
        (0, Ok(whole)) => whole.into(),
        _ => text.parse::<f64>().unwrap_or(1.0).into(),
    }
}
