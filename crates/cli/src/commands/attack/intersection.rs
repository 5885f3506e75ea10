//! `mingle attack intersection`: plays a reader who lays several releases side by side, ours or of
//! any tool.

mod noise;
mod text;

use super::files::{Asked, OutputFiles};
use crate::args::{AttackIntersection, ChoiceName};
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use crate::progress::terminal_run;
use mingle::Policy;
use mingle::attack::intersection::{IntersectionRequest, intersection};
use mingle::tables::{ForeignTable, TableArgument};
use mingle_assess::attack::intersection::IntersectionChoice;
use mingle_privacy::composition::CompositionLimits;
use std::path::Path;
use text::IntersectionText;

pub fn run(args: &AttackIntersection, screen: Screen) -> Result<Exit, Problem> {
    let mut read: Vec<&Path> = args.releases.iter().map(Path::new).collect();
    read.extend(args.population.as_deref());
    let asked = Asked {
        files: vec![&args.per_person, &args.svg],
        read,
        policy: Some(&args.policy),
        force: args.force,
    };
    let outputs = OutputFiles::new(asked)?;
    let policy = Policy::load(&args.policy, &args.overrides.set)?;
    let run = terminal_run(screen);
    let population = args.population.as_deref();
    let population = population
        .map(|table| TableArgument::new(table, &run))
        .transpose()?;
    let population = population.as_ref().map(TableArgument::foreign);
    let request = request(args, &policy, population);
    let warn = |warnings: &[Problem]| screen.warnings(warnings);
    let mut outcome = intersection(&request, &run, warn)?;
    let per_person = outcome.per_person.take().unwrap_or_default();
    outputs.write(&args.per_person, || Ok(per_person), screen)?;
    let figure = outcome.figure.take().unwrap_or_default();
    outputs.write(&args.svg, || Ok(figure), screen)?;
    run.end();
    if args.json {
        print_json(&outcome.answer)?;
    } else {
        print(&visible(&IntersectionText(&outcome).to_text()))?;
    }
    Ok(super::conclude(outcome.problem(), screen))
}

fn request<'a>(
    args: &'a AttackIntersection,
    policy: &'a Policy,
    population: Option<ForeignTable<'a>>,
) -> IntersectionRequest<'a> {
    let choice = args.choice.map(|choice| match choice {
        ChoiceName::Union => IntersectionChoice::Union,
        ChoiceName::MostSpecific => IntersectionChoice::MostSpecific,
        ChoiceName::True => IntersectionChoice::True,
    });
    IntersectionRequest {
        releases: &args.releases,
        policy,
        population,
        sensitive: &args.sensitive,
        without: &args.without,
        choice,
        probabilistic: args.probabilistic,
        limits: CompositionLimits {
            max_perfect_breach: Some(args.max_perfect_breach),
            min_posterior: args.min_posterior,
            except_already_exposed: false,
        },
        show_values: args.show_values,
        per_person: args.per_person.is_some(),
        figure: args.svg.is_some(),
    }
}
