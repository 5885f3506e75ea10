//! Risk and loss over a range of parameters: one candidate at each point, made as a slider would
//! make it.

use super::plan::{self, Board};
use super::{Bench, End, candidate, problem_view, roles};
use mingle_page::Sink;
use mingle_page::protocol::{
    Candidate, FrontierEvent, FrontierPoint, FrontierRequest, Stage, Vary,
};
use mingle_policy::edit::{self, change};
use mingle_policy::{Policy, PolicyEdit};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_record::policy_document::{PolicyTable, PolicyValue};
use std::sync::Arc;

/// The most points of one request.
const POINTS: usize = 200;

/// Makes a candidate at each point, in order of values, so that cheap settings come first.
pub fn answer(
    bench: &Bench,
    request: &FrontierRequest,
    sink: &dyn Sink<FrontierEvent>,
) -> Result<(), End> {
    let points: Vec<(f64, &String)> = request
        .values
        .iter()
        .flat_map(|&value| request.methods.iter().map(move |method| (value, method)))
        .collect();
    check(&points)?;
    let whole = |value: &f64| request.vary == Vary::T || (value.fract() == 0.0 && *value >= 0.0);
    if !request.values.iter().all(whole) {
        let text = "k, m and l are whole numbers";
        return Err(Problem::new(
            ProblemCode::WrongEdit,
            text,
            "ask for whole values, or vary t",
        )
        .into());
    }
    // the policy itself must make sense before one of its numbers is varied
    let policy = plan::grouped(bench.read(&request.text, &[])?)?;
    roles::check_confirmed(&policy, request.confirmed)?;
    refuse_overridden(&request.text, request.vary)?;
    let of = points.len() as f64;
    for (place, (value, method)) in points.into_iter().enumerate() {
        plan::stop_if(sink.cancelled())?;
        let done = (place + 1) as f64;
        let event = match point(bench, request, value, method, sink) {
            Ok(point) => FrontierEvent::Point { point, done, of },
            Err(problem) if problem.code() == ProblemCode::Interrupted => return Err(End::Stopped),
            Err(problem) => {
                let (method, problem) = (method.clone(), problem_view(&problem));
                FrontierEvent::Missing {
                    value,
                    method,
                    problem,
                    done,
                    of,
                }
            }
        };
        sink.send(event)?;
    }
    Ok(())
}

fn check(points: &[(f64, &String)]) -> Result<(), Problem> {
    let problem = |text: &str| {
        Problem::new(
            ProblemCode::WrongEdit,
            text,
            format!("ask for 1 to {POINTS} points"),
        )
    };
    match points.len() {
        0 => Err(problem("no point was asked for")),
        n if n > POINTS => Err(problem("too many points were asked for")),
        _ => Ok(()),
    }
}

fn point(
    bench: &Bench,
    request: &FrontierRequest,
    value: f64,
    method: &str,
    sink: &dyn Sink<FrontierEvent>,
) -> Result<FrontierPoint, Problem> {
    let text = edit::apply(
        &request.text,
        &edits(&request.text, request.vary, value, method),
    )?;
    let policy: Policy = bench.read(&text, &[])?;
    let board = Board::new();
    let loaded = plan::load(bench, &policy, &board, sink.cancelled())?;
    let id = plan::id(&policy, &loaded, Stage::Final);
    let view = match (bench.made.get(&id), bench.points.get(&id)) {
        (Some(made), _) => made.view.clone(),
        (None, Some(view)) => (*view).clone(),
        // a frontier must not push the candidate that is looked at out of its place
        (None, None) => {
            candidate::make(
                &policy,
                &loaded,
                (&id, Stage::Final),
                &board,
                sink.cancelled(),
            )?
            .view
        }
    };
    bench.points.put(&id, Arc::new(view.clone()));
    Ok(in_short(&view, value, method, text))
}

/// A column's own limit counts more than the general one, which would be varied without effect.
fn refuse_overridden(text: &str, vary: Vary) -> Result<(), Problem> {
    let key = match vary {
        Vary::L => "l",
        Vary::T => "t",
        Vary::K | Vary::M => return Ok(()),
    };
    let own = edit::said(text, &["privacy", "sensitive"]);
    let mut columns = own
        .iter()
        .filter_map(PolicyValue::as_table)
        .flat_map(PolicyTable::iter);
    let has_its_own =
        |limits: &PolicyValue| limits.as_table().is_some_and(|own| own.get(key).is_some());
    match columns.find(|(_, limits)| has_its_own(limits)) {
        None => Ok(()),
        Some((column, _)) => {
            let text = format!("column {column:?} has a {key} of its own in [privacy.sensitive]");
            Err(Problem::new(
                ProblemCode::WrongEdit,
                text,
                "take it out to vary the one for all columns",
            ))
        }
    }
}

fn edits(text: &str, vary: Vary, value: f64, method: &str) -> Vec<PolicyEdit> {
    let whole = PolicyValue::from(value as u64);
    let varied = match vary {
        Vary::K => change(&["privacy", "k"], whole),
        Vary::M => change(&["privacy", "m"], whole),
        Vary::L => change(&["privacy", "l"], with(text, "l", "distinct", whole)),
        Vary::T => change(
            &["privacy", "t"],
            with(text, "t", "max", PolicyValue::Float(value)),
        ),
    };
    vec![varied, change(&["method", "name"], method.into())]
}

/// What the policy says about l or t, with one of its numbers replaced.
fn with(text: &str, limit: &str, key: &str, value: PolicyValue) -> PolicyValue {
    let mut limits = match edit::said(text, &["privacy", limit]) {
        Some(PolicyValue::Table(limits)) => limits,
        _ => PolicyTable::default(),
    };
    limits.set(key, value);
    limits.into()
}

fn in_short(view: &Candidate, value: f64, method: &str, text: String) -> FrontierPoint {
    let people = view.people.max(1.0);
    let one_insider = view.exposure.get(1).or(view.exposure.last());
    FrontierPoint {
        value,
        method: method.to_owned(),
        loss: view.loss,
        loss_name: view.loss_name,
        query_error: view.query_error.mean,
        highest_risk: view.risk.prosecutor.highest,
        average_risk: view.risk.prosecutor.average,
        insider_share: one_insider.map_or(0.0, |e| e.people as f64 / people),
        insider_exposed: one_insider.map_or(0.0, |e| e.exposed as f64 / people),
        text,
    }
}
