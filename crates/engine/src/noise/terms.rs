//! What a release with noise will be, known before any table is read: domains, the promise, its
//! price, and whether it can be made.

use super::limits;
use super::people::PeopleOfRows;
use crate::domains;
use crate::failure;
use crate::run::Run;
use mingle_dp::ledger::{Charge, Ledger, Receipt, Spending};
use mingle_dp::purse::{Purse, Sensitivity};
use mingle_dp::{
    Amount, Bins, DeclaredAttribute, DeclaredValues, Guarantee, PerPerson, Request, planned_cells,
};
use mingle_io::Format;
use mingle_policy::{Dp, Policy};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use std::path::Path;

/// A release that could be made.
pub struct NoiseTerms<'a> {
    /// What the policy says.
    pub dp: &'a Dp,
    /// The declared columns.
    pub attributes: Vec<DeclaredAttribute>,
    /// What is released.
    pub request: Request,
    /// What is promised.
    pub guarantee: Guarantee,
    /// The ledger as the policy names it.
    pub ledger_name: String,
    /// The ledger, before the release.
    pub ledger: Ledger,
    /// What will be written down in it.
    pub spending: Spending,
    /// What it will be charged.
    pub charge: Charge,
    /// How tables are written.
    pub format: Format,
}

impl<'a> NoiseTerms<'a> {
    /// Checks everything that does not depend on the tables.
    pub(super) fn new(
        policy: &'a Policy,
        out: Option<&Path>,
        run: &Run,
    ) -> Result<NoiseTerms<'a>, Problem> {
        let dp = policy
            .noise()
            .ok_or_else(|| failure::defect("a policy without noise"))?;
        let (request, guarantee) = (dp.request()?, dp.guarantee()?);
        let (ledger_name, path) = dp.ledger()?;
        let attributes = domains::attributes(policy)?;
        mingle_release::noisy::check_domains(&attributes).map_err(|e| failure::release(&e))?;
        let cells = planned_cells(&attributes);
        mingle_dp::check(&cells, &request, guarantee, dp.records_per_person)
            .map_err(|e| limits::refusal(dp, &request, guarantee, &e))?;
        let spending = Spending {
            release: request.name().to_owned(),
            guarantee,
            leaves_cells_out: request.leaves_cells_out(&cells),
            records_per_person: dp.records_per_person,
            identified: dp.person.is_some(),
            label: out
                .and_then(Path::file_name)
                .map_or(String::new(), |name| name.to_string_lossy().into_owned()),
            at: run.timestamp(),
        };
        let ledger = Ledger::read(path).map_err(|e| failure::dp(&e))?;
        keep_apart(&ledger, ledger_name, out)?;
        let charge = ledger.quote(&spending).map_err(|e| failure::dp(&e))?;
        let ledger_name = ledger_name.to_owned();
        Ok(NoiseTerms {
            dp,
            attributes,
            request,
            guarantee,
            ledger_name,
            ledger,
            spending,
            charge,
            format: policy.release.format,
        })
    }

    /// How many records of a person count.
    pub(super) fn bound<'p>(&self, people: Option<&'p PeopleOfRows>) -> PerPerson<'p> {
        PerPerson {
            most: self.dp.records_per_person,
            person_of: people.map(|people| &people.of_row[..]),
        }
    }

    /// A δ of 1/n allows to publish somebody's whole record.
    pub(super) fn check_delta(&self, people: u64) -> Result<(), Problem> {
        let (delta, one) = (
            self.guarantee.delta(),
            Amount::parse("1").expect("one is an amount"),
        );
        let below = delta
            .units()
            .checked_mul(u128::from(people))
            .is_some_and(|product| product < one.units());
        if below {
            return Ok(());
        }
        // the number of digits of n is the power of ten above it
        let suggestion = format!("1e-{}", people.to_string().len());
        let text = format!(
            "delta = {delta} is not below 1/n: there are {people} people, and delta must be far below"
        );
        let hint = format!(
            "use at most delta = {suggestion}, better a millionth of it; see `mingle explain MG0125`"
        );
        Err(Problem::new(ProblemCode::DeltaTooLarge, text, hint))
    }

    /// Pays. From now on the budget is spent, whatever happens.
    pub(super) fn spend(&self) -> Result<Receipt, Problem> {
        Ledger::spend(self.ledger.path(), &self.spending, Ledger::WAIT).map_err(|e| failure::dp(&e))
    }

    /// What went wrong after the budget was spent.
    pub(super) fn lost(&self, entry: u64, problem: Problem) -> Problem {
        let ledger = &self.ledger_name;
        let (fate, hint) = match problem.code() {
            ProblemCode::ReleaseInDoubt => (
                "the release may have been published",
                format!(
                    "`mingle verify` says whether it is complete; running the command again spends again from {ledger}"
                ),
            ),
            _ => (
                "nothing was published",
                format!(
                    "running the command again spends again; `mingle dp budget {ledger}` shows what is left"
                ),
            ),
        };
        // what was written is the ledger's entry
        let stopped = problem.code() == ProblemCode::Interrupted;
        let problem = if stopped {
            Problem::new(ProblemCode::Interrupted, "stopped", "")
        } else {
            problem
        };
        problem.after(
            &format!("the budget was spent: entry {entry} of {ledger}; {fate}"),
            hint,
        )
    }

    /// The smallest standard deviation that the noise of a count can have: were it of the only
    /// table.
    pub fn least_deviation(&self) -> f64 {
        Purse::new(self.guarantee)
            .deviation(1.0, Sensitivity::of_counts(self.dp.records_per_person))
    }

    /// The columns whose bins a noisy look at the data finds.
    pub fn private_bins(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for attribute in &self.attributes {
            if let DeclaredValues::Bins(Bins {
                private: Some(_), ..
            }) = &attribute.domain
            {
                names.push(attribute.name.as_str());
            }
        }
        names
    }

    /// How many cells each column has.
    pub fn cells(&self) -> Vec<usize> {
        planned_cells(&self.attributes)
    }
}

/// A release that is replaced goes as a whole, and must not take the ledger along.
fn keep_apart(ledger: &Ledger, name: &str, out: Option<&Path>) -> Result<(), Problem> {
    // a folder that is not there yet holds no ledger
    let Some((out, folder)) = out.and_then(|out| Some((out, out.canonicalize().ok()?))) else {
        return Ok(());
    };
    if !ledger.path().starts_with(folder) {
        return Ok(());
    }
    let text = format!(
        "the ledger {name} is inside of {}, where the release is to be",
        out.display()
    );
    let hint = "keep the ledger beside the data, not in a release";
    Err(Problem::new(ProblemCode::Contradiction, text, hint))
}
