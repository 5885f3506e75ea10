//! The adversaries: each answers with its document and, where the attack succeeds, the problem.

use crate::failure::document;
use crate::policy::NativePolicy;
use crate::tables::{AnonymizedTable, GivenTable, Looked, ScannedTables};
use crate::work::{Listener, wait_for};
use mingle::Problem;
use mingle::attack::background_join::BackgroundJoinRequest;
use mingle::attack::insider::InsiderRequest;
use mingle::attack::intersection::IntersectionRequest;
use mingle::attack::minimality::{MinimalityRequest, check_confidence};
use mingle::attack::{self as played, AttackSubject};
use mingle_privacy::composition::CompositionLimits;
use pyo3::prelude::*;
use serde_json::json;
use std::path::PathBuf;

type Subject<'py> = (Option<PathBuf>, Option<GivenTable<'py>>);

fn as_subject(looked: &Looked) -> AttackSubject<'_> {
    match looked {
        Looked::Release(folder) => AttackSubject::Release(folder),
        Looked::Table(table) => AttackSubject::Table(table.as_foreign()),
    }
}

fn found(
    answer: &impl serde::Serialize,
    problem: Option<Problem>,
    figure: Option<String>,
) -> String {
    let problem = problem.as_ref().map(document);
    json!({ "answer": answer, "problem": problem, "figure": figure }).to_string()
}

/// Coalitions of providers.
#[pyfunction]
pub fn insider(
    py: Python<'_>,
    subject: Subject<'_>,
    policy: Option<&NativePolicy>,
    up_to: Option<u64>,
    show_values: bool,
    listener: Listener,
) -> PyResult<String> {
    let looked = Looked::of(subject.0, subject.1)?;
    let policy = policy.map(|policy| policy.policy.clone());
    wait_for(py, &listener, |run| {
        // a release is attacked by its own promises
        let for_table = policy.as_deref().filter(|_| looked.folder().is_none());
        let request = InsiderRequest {
            subject: as_subject(&looked),
            policy: for_table,
            up_to,
            show_values,
        };
        let outcome = played::insider::insider(&request, run)?;
        Ok(found(
            &outcome.answer(),
            outcome.problem(),
            Some(outcome.figure()),
        ))
    })
}

/// A site that knows some sensitive columns.
#[pyfunction]
pub fn background_join(
    py: Python<'_>,
    subject: Subject<'_>,
    policy: &NativePolicy,
    original: Vec<GivenTable<'_>>,
    knows: (Vec<String>, Vec<String>),
    show_values: bool,
    listener: Listener,
) -> PyResult<String> {
    let looked = Looked::of(subject.0, subject.1)?;
    let policy = policy.policy.clone();
    let original = ScannedTables::take(original, Some(&policy))?.into_inputs(&policy)?;
    wait_for(py, &listener, |run| {
        let request = BackgroundJoinRequest {
            subject: as_subject(&looked),
            policy: &policy,
            original: &original,
            knows: &knows.0,
            quasi_identifiers: &knows.1,
            show_values,
        };
        let outcome = played::background_join::background_join(&request, run)?;
        Ok(found(
            &outcome.answer,
            outcome.problem(),
            Some(outcome.figure()),
        ))
    })
}

/// A reader who knows the method.
#[pyfunction]
pub fn minimality(
    py: Python<'_>,
    subject: Subject<'_>,
    policy: &NativePolicy,
    original: Vec<GivenTable<'_>>,
    confidence: f64,
    show_values: bool,
    listener: Listener,
) -> PyResult<String> {
    let looked = Looked::of(subject.0, subject.1)?;
    let policy = policy.policy.clone();
    let original = ScannedTables::take(original, Some(&policy))?.into_inputs(&policy)?;
    wait_for(py, &listener, |run| {
        check_confidence(confidence)?;
        let request = MinimalityRequest {
            subject: as_subject(&looked),
            policy: &policy,
            original: &original,
            confidence,
            show_values,
        };
        let outcome = played::minimality::minimality(&request, run)?;
        Ok(found(&outcome.answer, outcome.problem(), None))
    })
}

/// A reader who lays releases beside each other.
#[pyfunction]
pub fn intersection(
    py: Python<'_>,
    releases: Vec<String>,
    policy: &NativePolicy,
    population: Option<GivenTable<'_>>,
    without: Vec<String>,
    show_values: bool,
    listener: Listener,
) -> PyResult<String> {
    let policy = policy.policy.clone();
    let population = population.map(AnonymizedTable::take).transpose()?;
    wait_for(py, &listener, |run| {
        let request = IntersectionRequest {
            releases: &releases,
            policy: &policy,
            population: population.as_ref().map(AnonymizedTable::as_foreign),
            sensitive: &[],
            without: &without,
            choice: None,
            probabilistic: false,
            limits: CompositionLimits::default(),
            show_values,
            per_person: false,
            figure: true,
        };
        let outcome = played::intersection::intersection(&request, run, |_| {})?;
        let figure = outcome
            .figure
            .as_ref()
            .map(|svg| String::from_utf8_lossy(svg).into_owned());
        Ok(found(&outcome.answer, outcome.problem(), figure))
    })
}
