//! `mingle attack intersection`: plays a reader who lays several releases side by side, ours or of
//! any tool.
//!
//! Needs to know people: a population with their quasi-identifiers, and with the sensitive column
//! what the reader concludes is scored. Whoever has that may see figures about people; identifiers
//! stand in the per-person file only, and a sensitive value is shown only when asked for, and never
//! in a message.

mod document;
mod example;
mod figure;
mod files;
mod given;
mod noise;
mod per_person;
mod population;
mod text;

use crate::args::{AttackIntersection, ChoiceName};
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print, print_json, visible};
use crate::progress::terminal_run;
use example::Example;
use files::Outputs;
use given::Given;
use mingle::Run;
use mingle_assess::attack::intersection::{self, Options, Play, Reader};
use mingle_policy::{Policy, closest};
use mingle_privacy::composition::{Limits, Overlay, People, Reader as Reading};
use mingle_record::Code;
use population::Population;
use std::collections::HashSet;

/// What came of it.
struct Played<'a> {
    releases: &'a [Given],
    population: &'a Population,
    limits: Limits,
    without: &'a [String],
    attributes: Vec<Attribute<'a>>,
    show_values: bool,
}

/// What came of it for one sensitive column.
struct Attribute<'a> {
    overlay: Overlay<'a>,
    plays: Vec<Play>,
    /// A person of whom a single value is left, to the worst reader.
    example: Option<Example>,
}

pub fn run(args: &AttackIntersection, screen: Screen) -> Result<Exit, Problem> {
    let outputs = Outputs::new(args)?;
    let policy = Policy::load(&args.policy, &args.overrides.set)?;
    let run = terminal_run(screen);
    let releases = open(args, &policy, &run)?;
    let columns = sensitive_columns(args, &releases)?;
    check_without(args, &releases)?;
    let wanted = population::Wanted {
        file: args.population.as_deref(),
        quasi_identifiers: population::needed(&releases, &args.without, &policy)?,
        rows: args.per_person.is_some(),
        identifiers: args.per_person.is_some() || args.show_values,
        cells: noise::cells(&releases, &columns)?,
    };
    let population = Population::read(&policy, &wanted, &run)?;
    warnings(&releases, &population, args)
        .iter()
        .for_each(|warning| screen.warning(warning));
    let mut played = Played {
        releases: &releases,
        population: &population,
        limits: limits(args),
        without: &args.without,
        attributes: Vec::new(),
        show_values: args.show_values,
    };
    for column in &columns {
        run.step("laying releases side by side");
        let overlay = lay(&releases, &population, column, &args.without)?;
        run.step("intersecting");
        played.attributes.push(Attribute::play(
            overlay,
            &readers(args, &population, column)?,
            args.probabilistic,
        ));
        interrupt::check()?;
    }
    run.step("writing");
    outputs.write(&played, screen)?;
    drop(run);
    match args.json {
        true => print_json(&played.to_json())?,
        false => print(&visible(&played.to_text()))?,
    }
    Ok(played.conclude(screen))
}

fn open(args: &AttackIntersection, policy: &Policy, run: &Run) -> Result<Vec<Given>, Problem> {
    if args.releases.len() < 2 {
        let text = "one release alone cannot be intersected with anything";
        return Err(Problem::new(
            Code::Usage,
            text,
            "give at least two; `mingle verify` checks one by itself",
        ));
    }
    run.step("reading releases");
    let one = |text: &String| {
        interrupt::check()?;
        Given::open(text, policy)
    };
    args.releases.iter().map(one).collect()
}

/// The columns that are intersected: those asked for, or all that every release has.
fn sensitive_columns(
    args: &AttackIntersection,
    releases: &[Given],
) -> Result<Vec<String>, Problem> {
    let lacking = |column: &str| {
        releases
            .iter()
            .find(|r| !r.released.sensitive().contains(&column))
    };
    if !args.sensitive.is_empty() {
        for column in &args.sensitive {
            if let Some(release) = lacking(column) {
                let has = release.released.sensitive().join(", ");
                let text = format!("{} has no sensitive column {column:?}", release.name());
                return Err(Problem::new(
                    Code::NotAligned,
                    text,
                    format!("its sensitive columns: {has}"),
                ));
            }
        }
        let mut seen = HashSet::new();
        return Ok(args
            .sensitive
            .iter()
            .filter(|column| seen.insert(*column))
            .cloned()
            .collect());
    }
    let shared: Vec<String> = releases[0]
        .released
        .sensitive()
        .into_iter()
        .filter(|c| lacking(c).is_none())
        .map(str::to_owned)
        .collect();
    match shared.is_empty() {
        false => Ok(shared),
        true => {
            let one = |r: &Given| {
                format!(
                    "{} has {}",
                    r.name(),
                    none_or(&r.released.sensitive().join(", "))
                )
            };
            let text = "the releases have no sensitive column in common";
            let hint = releases.iter().map(one).collect::<Vec<_>>().join("; ");
            Err(Problem::new(Code::NotAligned, text, hint))
        }
    }
}

fn none_or(list: &str) -> &str {
    if list.is_empty() { "none" } else { list }
}

/// A column that no release has is one that was misspelled.
fn check_without(args: &AttackIntersection, releases: &[Given]) -> Result<(), Problem> {
    let known: Vec<&str> = releases
        .iter()
        .flat_map(|r| r.released.quasi_identifiers())
        .collect();
    let Some(wrong) = args
        .without
        .iter()
        .find(|column| !known.contains(&column.as_str()))
    else {
        return Ok(());
    };
    let hint = match closest(wrong, known.iter().copied()) {
        Some(name) => format!("did you mean {name:?}?"),
        None => "name columns as the releases do".to_owned(),
    };
    Err(Problem::new(
        Code::Usage,
        format!("--without {wrong:?}: no release has this quasi-identifier"),
        hint,
    ))
}

/// A column all of whose labels cover nobody is more often coded otherwise than about other people.
fn warnings(
    releases: &[Given],
    population: &Population,
    args: &AttackIntersection,
) -> Vec<Problem> {
    let mut found = Vec::new();
    for (at, release) in releases.iter().enumerate() {
        if let Some(first) = releases[..at]
            .iter()
            .find(|other| other.is_same_as(release))
        {
            let text = format!(
                "{} and {} are the same release",
                first.name(),
                release.name()
            );
            let hint = "it says nothing new beside itself; give the other release";
            found.push(Problem::new(Code::ReleaseTwice, text, hint));
        }
        for column in release.covers_nobody(population, &args.without) {
            let text = format!(
                "{}: no label of column {column:?} covers anybody in the population",
                release.name()
            );
            let hint = "is it coded as in the population? declare its kind and hierarchy as the release has them";
            found.push(Problem::new(Code::CoversNobody, text, hint));
        }
    }
    found
}

fn limits(args: &AttackIntersection) -> Limits {
    Limits {
        max_perfect_breach: Some(args.max_perfect_breach),
        min_posterior: args.min_posterior,
        except_already_exposed: false,
    }
}

/// Whose value is not known cannot be told the right group.
fn readers(
    args: &AttackIntersection,
    population: &Population,
    column: &str,
) -> Result<Vec<Reader>, Problem> {
    let knows = population.cube.sensitive().iter().any(|s| s.name == column);
    Ok(match args.choice {
        Some(ChoiceName::True) if !knows => {
            let text = format!(
                "--choice true: {} has no column {column:?}",
                population.name
            );
            return Err(Problem::new(
                Code::Usage,
                text,
                "give people with their value, or choose another reader",
            ));
        }
        Some(ChoiceName::Union) => vec![Reader::Union],
        Some(ChoiceName::MostSpecific) => vec![Reader::MostSpecific],
        Some(ChoiceName::True) => vec![Reader::True],
        None => Reader::ALL
            .into_iter()
            .filter(|&reader| reader != Reader::True || knows)
            .collect(),
    })
}

fn lay<'a>(
    releases: &'a [Given],
    population: &'a Population,
    column: &str,
    without: &[String],
) -> Result<Overlay<'a>, Problem> {
    let people = People {
        cube: &population.cube,
        missing: &population.missing,
        hierarchies: population.hierarchies(),
    };
    let mut overlay = Overlay::new(people, column);
    for release in releases {
        let hidden: Vec<String> = release
            .released
            .group_numbers()
            .into_iter()
            .chain(without.iter().cloned())
            .collect();
        let (location, hierarchies) = (release.released.location, release.released.hierarchies());
        let reading = Reading {
            name: release.name(),
            location,
            without: &hidden,
            hierarchies: &hierarchies,
        };
        let added = release
            .released
            .with(column, |published| overlay.add(&reading, published));
        let reader = |column: &str| population.reader(column, release.released.hierarchy(column));
        added.map_err(|error| release.released.does_not_fit(&error, reader))?;
    }
    Ok(overlay)
}

impl<'a> Attribute<'a> {
    fn play(overlay: Overlay<'a>, readers: &[Reader], probabilistic: bool) -> Attribute<'a> {
        let options = Options { probabilistic };
        let plays: Vec<Play> = readers
            .iter()
            .map(|&reader| intersection::play(&overlay, reader, options))
            .collect();
        let worst = intersection::worst(&plays);
        let example = worst.and_then(|worst| Example::find(&overlay, worst));
        Attribute {
            overlay,
            plays,
            example,
        }
    }

    fn name(&self) -> &str {
        self.overlay.attribute()
    }

    /// There is always a reader.
    fn worst(&self) -> &Play {
        intersection::worst(&self.plays).expect("at least one reader was played")
    }

    fn verdict(&self, limits: &Limits) -> &'static str {
        if self.plays.iter().all(|play| play.is_within(limits)) {
            "holds"
        } else {
            "fails"
        }
    }
}

impl Played<'_> {
    /// Limits are for people in groups: where every release is differentially private, nobody is
    /// behind a row, and what can be learned about anybody is bounded by what they promise
    /// together.
    fn verdict(&self) -> &'static str {
        let (_, all_noisy) = self.noisy();
        let holds = all_noisy
            || self
                .attributes
                .iter()
                .all(|attribute| attribute.verdict(&self.limits) == "holds");
        if holds { "holds" } else { "fails" }
    }

    /// The attribute of which most is lost, the first of equals.
    fn worst(&self) -> &Attribute<'_> {
        let failing = |a: &Attribute<'_>| (a.verdict(&self.limits) == "fails", a.worst().perfect());
        let worse = |a, b| if failing(b) > failing(a) { b } else { a };
        self.attributes
            .iter()
            .reduce(worse)
            .expect("at least one column was intersected")
    }

    fn conclude(&self, screen: Screen) -> Exit {
        if self.verdict() == "holds" {
            return Exit::Fine;
        }
        let worst = self.worst();
        let (name, play) = (worst.name(), worst.worst());
        let single = format!(
            "a single value of {name} is left of {} of {} people",
            play.perfect(),
            play.people
        );
        let text = match self.limits.min_posterior {
            Some(min) if play.perfect() <= self.limits.most_perfect(play.people) => {
                let below = play.at_most(u32::try_from(min).unwrap_or(u32::MAX).saturating_sub(1));
                format!(
                    "fewer than {min} values of {name} are left of {below} of {} people",
                    play.people
                )
            }
            _ => single,
        };
        let hint = "do not hand out the next release as it is: [composition] in its policy publishes against the others";
        let problem = Problem::new(
            Code::AttackSucceeds,
            format!("the releases together: {text}"),
            hint,
        );
        screen.problem(&problem);
        problem.code().exit()
    }
}
