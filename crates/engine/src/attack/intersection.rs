//! A reader is played who lays several releases side by side, ours or of any tool.
//!
//! Needs to know people: a population with their quasi-identifiers, and with the sensitive column
//! what the reader concludes is scored. Whoever has that may see figures about people; identifiers
//! stand in the per-person file only, and a sensitive value is shown only when asked for, and never
//! in a message.

mod document;
mod example;
mod figure;
mod given;
mod noise;
mod per_person;
mod population;

use crate::failure;
use crate::run::Run;
use crate::tables::ForeignTable;
use example::Example;
use given::Given;
use mingle_assess::attack::intersection::{
    self, IntersectionChoice, IntersectionOptions, IntersectionPlay,
};
use mingle_dp::Guarantee;
use mingle_policy::{Policy, closest};
use mingle_privacy::composition::{CompositionLimits, Overlay, People, Reader as Reading};
use mingle_record::answer::IntersectionAnswer;
use mingle_record::{Judgement, Problem, ProblemCode, WarningNotice};
use population::Population;
use std::collections::HashSet;

/// What is to be played.
#[derive(Clone)]
pub struct IntersectionRequest<'a> {
    /// Each a folder, a table, or `TABLE=POLICY`.
    pub releases: &'a [String],
    /// Says what the columns of tables and people are.
    pub policy: &'a Policy,
    /// The people whom the reader knows; otherwise the policy's tables.
    pub population: Option<ForeignTable<'a>>,
    /// The sensitive columns to intersect; all that every release has where none is given.
    pub sensitive: &'a [String],
    /// Quasi-identifiers that the reader does not know.
    pub without: &'a [String],
    /// Which of several groups that fit a person the reader takes; all readers are played where
    /// none is given.
    pub choice: Option<IntersectionChoice>,
    /// Whether frequencies are multiplied.
    pub probabilistic: bool,
    /// How much may be learnt.
    pub limits: CompositionLimits,
    /// Whether sensitive values may be shown.
    pub show_values: bool,
    /// Whether a table of what is learnt about each person is wanted.
    pub per_person: bool,
    /// Whether a figure is wanted.
    pub figure: bool,
}

/// What came of it.
pub struct IntersectionOutcome {
    /// The document `mingle.attack-intersection/1`.
    pub answer: IntersectionAnswer,
    /// What messages call the population.
    pub population: String,
    /// By sensitive column, what every reader learns, in full.
    pub plays: Vec<AttributePlays>,
    /// What noise promises, release by release; `None` for groups.
    pub guarantees: Vec<Option<Guarantee>>,
    /// What is learnt about each person as CSV, where it was wanted.
    pub per_person: Option<Vec<u8>>,
    /// At which confidence how many people's values are known, as SVG, where it was wanted.
    pub figure: Option<Vec<u8>>,
    limits: CompositionLimits,
}

/// What every reader learns about one sensitive column.
pub struct AttributePlays {
    /// The column.
    pub name: String,
    /// One per reader.
    pub plays: Vec<IntersectionPlay>,
    verdict: Judgement,
}

impl AttributePlays {
    /// The reader who learns most; there is always one.
    pub fn worst(&self) -> &IntersectionPlay {
        intersection::worst(&self.plays).expect("at least one reader was played")
    }
}

/// What came of it, while releases and people are at hand.
struct Played<'a> {
    releases: &'a [Given],
    population: &'a Population,
    limits: CompositionLimits,
    without: &'a [String],
    attributes: Vec<Attribute<'a>>,
    show_values: bool,
}

/// What came of it for one sensitive column.
struct Attribute<'a> {
    overlay: Overlay<'a>,
    plays: Vec<IntersectionPlay>,
    /// A person of whom a single value is left, to the worst reader.
    example: Option<Example>,
}

/// Plays the reader. What is odd about releases and people is told to `warn` before the play, which
/// may take long.
pub fn intersection(
    request: &IntersectionRequest<'_>,
    run: &Run,
    warn: impl FnOnce(&[Problem]),
) -> Result<IntersectionOutcome, Problem> {
    let policy = request.policy;
    let releases = open(request, run)?;
    let columns = sensitive_columns(request.sensitive, &releases)?;
    check_without(request.without, &releases)?;
    let wanted = population::Wanted {
        table: request.population,
        quasi_identifiers: population::needed(&releases, request.without, policy)?,
        rows: request.per_person,
        identifiers: request.per_person || request.show_values,
        cells: noise::cells(&releases, &columns)?,
    };
    let population = Population::read(policy, &wanted, run)?;
    let odd = warnings(&releases, &population, request.without);
    warn(&odd);
    let mut played = Played {
        releases: &releases,
        population: &population,
        limits: request.limits,
        without: request.without,
        attributes: Vec::new(),
        show_values: request.show_values,
    };
    for column in &columns {
        run.step("comparing releases");
        let overlay = lay(&releases, &population, column, request.without)?;
        run.step("intersecting");
        let readers = readers(request.choice, &population, column)?;
        let attribute = Attribute::play(overlay, &readers, request.probabilistic);
        played.attributes.push(attribute);
        run.check()?;
    }
    run.step("writing");
    let per_person = if request.per_person {
        Some(per_person::table(&played)?)
    } else {
        None
    };
    let figure = request
        .figure
        .then(|| figure::draw(&played).to_svg().into_bytes());
    let answer = IntersectionAnswer {
        warnings: odd.iter().map(WarningNotice::from).collect(),
        ..played.answer()
    };
    let guarantees = releases.iter().map(|release| release.released.noise());
    let guarantees = guarantees.map(|noise| Some(noise?.guarantee)).collect();
    let mut plays = Vec::new();
    for attribute in played.attributes {
        plays.push(AttributePlays {
            name: attribute.name().to_owned(),
            verdict: attribute.verdict(&request.limits),
            plays: attribute.plays,
        });
    }
    Ok(IntersectionOutcome {
        answer,
        population: population.name.clone(),
        plays,
        guarantees,
        per_person,
        figure,
        limits: request.limits,
    })
}

fn open(request: &IntersectionRequest<'_>, run: &Run) -> Result<Vec<Given>, Problem> {
    if request.releases.len() < 2 {
        let text = "the attack needs at least two releases";
        let hint = "name another one; `mingle verify` checks a single release";
        return Err(Problem::new(ProblemCode::Usage, text, hint));
    }
    run.step("reading releases");
    let mut releases = Vec::new();
    for text in request.releases {
        run.check()?;
        releases.push(Given::open(text, request.policy)?);
    }
    Ok(releases)
}

/// The columns that are intersected: those asked for, or all that every release has.
fn sensitive_columns(asked: &[String], releases: &[Given]) -> Result<Vec<String>, Problem> {
    let lacking = |column: &str| {
        releases
            .iter()
            .find(|r| !r.released.sensitive().contains(&column))
    };
    if !asked.is_empty() {
        for column in asked {
            if let Some(release) = lacking(column) {
                let has = release.released.sensitive().join(", ");
                let text = format!("{} has no sensitive column {column:?}", release.name());
                return Err(Problem::new(
                    ProblemCode::NotAligned,
                    text,
                    format!("its sensitive columns: {has}"),
                ));
            }
        }
        let mut seen = HashSet::new();
        return Ok(asked
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
    if shared.is_empty() {
        let one = |r: &Given| {
            format!(
                "{} has {}",
                r.name(),
                none_or(&r.released.sensitive().join(", "))
            )
        };
        let text = "the releases have no sensitive column in common";
        let hint = releases.iter().map(one).collect::<Vec<_>>().join("; ");
        Err(Problem::new(ProblemCode::NotAligned, text, hint))
    } else {
        Ok(shared)
    }
}

fn none_or(list: &str) -> &str {
    if list.is_empty() { "none" } else { list }
}

/// A column that no release has is one that was misspelled.
fn check_without(without: &[String], releases: &[Given]) -> Result<(), Problem> {
    let known: Vec<&str> = releases
        .iter()
        .flat_map(|r| r.released.quasi_identifiers())
        .collect();
    let Some(wrong) = without
        .iter()
        .find(|column| !known.contains(&column.as_str()))
    else {
        return Ok(());
    };
    let hint = match closest(wrong, known.iter().copied()) {
        Some(name) => format!("did you mean {name:?}?"),
        None => "use the names of the columns in the releases".to_owned(),
    };
    Err(Problem::new(
        ProblemCode::Usage,
        format!("--without {wrong:?}: no release has this quasi-identifier"),
        hint,
    ))
}

/// A column all of whose labels cover nobody is more often coded otherwise than about other people.
fn warnings(releases: &[Given], population: &Population, without: &[String]) -> Vec<Problem> {
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
            let hint = "name two different releases";
            found.push(Problem::new(ProblemCode::ReleaseTwice, text, hint));
        }
        for column in release.covers_nobody(population, without) {
            let text = format!(
                "{}: no label of column {column:?} covers anybody in the population",
                release.name()
            );
            let hint = "check that it is coded as in the population: declare its kind and its hierarchy as in the release";
            found.push(Problem::new(ProblemCode::CoversNobody, text, hint));
        }
    }
    found
}

/// Whose value is not known cannot be told the right group.
fn readers(
    choice: Option<IntersectionChoice>,
    population: &Population,
    column: &str,
) -> Result<Vec<IntersectionChoice>, Problem> {
    let knows = population.cube.sensitive().iter().any(|s| s.name == column);
    Ok(match choice {
        Some(IntersectionChoice::True) if !knows => {
            let text = format!(
                "--choice true: {} has no column {column:?}",
                population.name
            );
            return Err(Problem::new(
                ProblemCode::Usage,
                text,
                "add the column to the table of people, or choose another reader",
            ));
        }
        Some(reader) => vec![reader],
        None => IntersectionChoice::ALL
            .into_iter()
            .filter(|&reader| reader != IntersectionChoice::True || knows)
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
    fn play(
        overlay: Overlay<'a>,
        readers: &[IntersectionChoice],
        probabilistic: bool,
    ) -> Attribute<'a> {
        let options = IntersectionOptions { probabilistic };
        let plays: Vec<IntersectionPlay> = readers
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
    fn worst(&self) -> &IntersectionPlay {
        intersection::worst(&self.plays).expect("at least one reader was played")
    }

    fn verdict(&self, limits: &CompositionLimits) -> Judgement {
        Judgement::holds_if(self.plays.iter().all(|play| play.is_within(limits)))
    }
}

impl Played<'_> {
    /// Limits are for people in groups: where every release is differentially private, nobody is
    /// behind a row, and what can be learned about anybody is bounded by what they promise
    /// together.
    fn verdict(&self) -> Judgement {
        let within =
            |attribute: &Attribute<'_>| attribute.verdict(&self.limits) == Judgement::Holds;
        Judgement::holds_if(self.are_all_noisy() || self.attributes.iter().all(within))
    }

    /// Whether all releases are differentially private.
    fn are_all_noisy(&self) -> bool {
        self.releases
            .iter()
            .all(|release| release.released.noise().is_some())
    }
}

impl IntersectionOutcome {
    /// The attribute of which most is lost, the first of equals.
    fn worst(&self) -> Option<&AttributePlays> {
        let rank = |a: &AttributePlays| (a.verdict == Judgement::Fails, a.worst().perfect());
        let worse = |a, b| if rank(b) > rank(a) { b } else { a };
        self.plays.iter().reduce(worse)
    }

    /// Why the next release should not be handed out; `None` where all stay within the limits.
    pub fn problem(&self) -> Option<Problem> {
        if self.answer.verdict == Judgement::Holds {
            return None;
        }
        let Some(worst) = self.worst() else {
            return Some(failure::defect("no column was intersected"));
        };
        let (name, play) = (&worst.name, worst.worst());
        let text = match self.limits.min_posterior {
            Some(min) if play.perfect() <= self.limits.most_perfect(play.people) => {
                let below = play.at_most(u32::try_from(min).unwrap_or(u32::MAX).saturating_sub(1));
                format!(
                    "fewer than {min} values of {name} remain for {below} of {} people",
                    play.people
                )
            }
            _ => format!(
                "only one value of {name} remains for {} of {} people",
                play.perfect(),
                play.people
            ),
        };
        let hint = "do not hand out the next release as it is; name the others under [composition] in its policy";
        let text = format!("the releases together: {text}");
        Some(Problem::new(ProblemCode::AttackSucceeds, text, hint))
    }
}
