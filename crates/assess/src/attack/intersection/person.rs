//! What a reader learns about one person.

use super::IntersectionChoice;
use mingle_privacy::composition::{Choice, Found, Overlay, Scratch};

/// A person's sensitive value, as far as the population tells.
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

    /// The truth about people with this combination of sensitive values.
    pub(super) fn of(&self, combination: u32) -> Truth {
        self.by_combination
            .get(combination as usize)
            .copied()
            .unwrap_or(Truth::Unknown)
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
    /// Plays a reader on the people of one record of the overlay's cube, which belongs to `tuple`.
    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    pub fn new(
        overlay: &Overlay<'_>,
        truths: &Truths,
        reader: IntersectionChoice,
        (tuple, record): (usize, usize),
        probabilistic: bool,
        scratch: &mut Scratch,
    ) -> Person {
        let known = truths
            .of(overlay.people().records()[record].sensitive)
            .known_to(reader);
        Person::of_tuple(overlay, tuple, known, probabilistic, scratch)
    }

    /// Plays a reader who knows this on the people of a tuple.
    pub(super) fn of_tuple(
        overlay: &Overlay<'_>,
        tuple: usize,
        known: Known,
        probabilistic: bool,
        scratch: &mut Scratch,
    ) -> Person {
        let choice = known.choice();
        let likelihoods = if probabilistic {
            overlay.likelihoods(tuple, choice, scratch)
        } else {
            Vec::new()
        };
        let found = overlay.person(tuple, choice, scratch);
        Person {
            found,
            priors: scratch.priors().to_vec(),
            fits: scratch.fits().to_vec(),
            candidates: scratch.candidates().to_vec(),
            likelihoods,
        }
    }

    /// Whether the true value is among those that are left.
    pub(super) fn leaves(&self, truth: Truth) -> bool {
        self.candidates
            .iter()
            .any(|&value| truth == Truth::Value(value))
    }
}
