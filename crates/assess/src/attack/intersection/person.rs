//! What a reader learns about one person.

use super::IntersectionChoice;
use mingle_privacy::composition::{Choice, Found, Overlay, Scratch};

/// One of a person's sensitive values, as far as the population tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Truth {
    /// Nothing.
    Unknown,
    /// A value that no release has.
    Elsewhere,
    /// A value, by its number in the overlay.
    Value(u32),
}

/// What the reader knows about the person besides quasi-identifiers, in that it changes which
/// groups are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// Nothing, and takes all groups.
    Union,
    /// Nothing, and takes the most specific.
    MostSpecific,
    /// The value; none where no release has it.
    Value(Option<u32>),
}

impl Truth {
    pub fn is_known(self) -> bool {
        self != Truth::Unknown
    }

    pub fn known_to(self, reader: IntersectionChoice) -> Known {
        match (reader, self) {
            (IntersectionChoice::Union, _) => Known::Union,
            (IntersectionChoice::MostSpecific, _) | (IntersectionChoice::True, Truth::Unknown) => {
                Known::MostSpecific
            }
            (IntersectionChoice::True, Truth::Elsewhere) => Known::Value(None),
            (IntersectionChoice::True, Truth::Value(value)) => Known::Value(Some(value)),
        }
    }
}

impl Known {
    fn choice(self) -> Choice<'static> {
        match self {
            Known::Union => Choice::Union,
            Known::MostSpecific => Choice::MostSpecific,
            Known::Value(value) => Choice::Holding(value),
        }
    }
}

/// The people's own values of the overlay's attribute. No `Debug`: it has cells' numbers.
pub struct Truths {
    /// By combination of sensitive values; empty where the people have no such column.
    by_combination: Vec<Truth>,
}

impl Truths {
    /// Of an overlay to which all releases were added.
    pub fn new(overlay: &Overlay<'_>) -> Truths {
        let column = overlay
            .people()
            .sensitive()
            .iter()
            .find(|s| s.name == overlay.attribute());
        let numbers = overlay.own_values();
        let by_combination = column.map_or(Vec::new(), |column| {
            let truth = |code: u32| match numbers[code as usize] {
                _ if column.domain.missing() == Some(code) => Truth::Unknown,
                Some(value) => Truth::Value(value),
                None => Truth::Elsewhere,
            };
            column.codes.iter().map(truth).collect()
        });
        Truths { by_combination }
    }

    /// Whether the value of anybody is known.
    pub fn any(&self) -> bool {
        self.by_combination.iter().any(|truth| truth.is_known())
    }

    /// The truth about a member of the overlay's crowd: what is known of their values, each once.
    /// Of somebody with several, those that are not known say nothing.
    pub(super) fn of(&self, overlay: &Overlay<'_>, member: usize) -> Vec<Truth> {
        let mut truths = Vec::new();
        for combination in overlay.crowd().combinations_of(member) {
            let truth = self.by_combination.get(combination as usize);
            let truth = truth.copied().unwrap_or(Truth::Unknown);
            if !truths.contains(&truth) {
                truths.push(truth);
            }
        }
        if truths.iter().any(|truth| truth.is_known()) {
            truths.retain(|truth| truth.is_known());
        }
        truths
    }
}

/// What a reader learns about one person. No `Debug`: it says which values are left.
pub struct Person {
    /// How many releases, values before and values left.
    pub found: Found,
    /// Effective prior anonymity by release; 0 where no group fits.
    pub priors: Vec<u32>,
    /// How many groups were taken, by release.
    pub fits: Vec<u32>,
    /// The values that are left, by their numbers in the overlay.
    pub candidates: Vec<u32>,
    /// How likely each of them is; empty where not asked for.
    pub likelihoods: Vec<f64>,
}

impl Person {
    /// Plays a reader on a member of a unit of the overlay's crowd.
    pub fn new(
        overlay: &Overlay<'_>,
        truths: &Truths,
        (unit, member): (usize, usize),
        (reader, probabilistic): (IntersectionChoice, bool),
        scratch: &mut Scratch,
    ) -> Person {
        let mut known: Vec<Known> = Vec::new();
        for truth in truths.of(overlay, member) {
            known.push(truth.known_to(reader));
        }
        Person::of_unit(overlay, unit, &known, probabilistic, scratch)
    }

    /// Plays a reader who knows one of these on the people of a unit: the one of which least is
    /// left, the first of equals.
    pub(super) fn of_unit(
        overlay: &Overlay<'_>,
        unit: usize,
        known: &[Known],
        probabilistic: bool,
        scratch: &mut Scratch,
    ) -> Person {
        let mut worst: Option<Person> = None;
        for (at, &known_now) in known.iter().enumerate() {
            // readers who know no value are the same for all values
            if known[..at].contains(&known_now) {
                continue;
            }
            let person = Person::who_knows(overlay, unit, known_now, probabilistic, scratch);
            let badness = |person: &Person| {
                let found = person.found;
                (!found.is_composed() || found.is_apart(), found.posterior)
            };
            let is_worse = |worst: &Person| badness(&person) < badness(worst);
            if worst.as_ref().is_none_or(is_worse) {
                worst = Some(person);
            }
        }
        worst.unwrap_or_else(|| {
            Person::who_knows(overlay, unit, Known::MostSpecific, probabilistic, scratch)
        })
    }

    fn who_knows(
        overlay: &Overlay<'_>,
        unit: usize,
        known: Known,
        probabilistic: bool,
        scratch: &mut Scratch,
    ) -> Person {
        let choice = known.choice();
        let likelihoods = if probabilistic {
            overlay.likelihoods(unit, choice, scratch)
        } else {
            Vec::new()
        };
        let found = overlay.person(unit, choice, scratch);
        Person {
            found,
            priors: scratch.priors().to_vec(),
            fits: scratch.fits().to_vec(),
            candidates: scratch.candidates().to_vec(),
            likelihoods,
        }
    }

    /// Whether a true value is among those that are left.
    pub(super) fn leaves(&self, truths: &[Truth]) -> bool {
        self.candidates
            .iter()
            .any(|&value| truths.contains(&Truth::Value(value)))
    }
}
