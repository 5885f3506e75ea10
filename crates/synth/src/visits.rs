//! Patients who come more than once.
//!
//! How often a patient comes is drawn so that, from each visit on, another one follows with the same
//! probability: one visit is commonest, and a few patients have very many. Visits are shuffled
//! within a block of rows, and nobody has visits in two blocks, so that blocks can be made in any
//! order. With several providers most patients stay with one of them, and some go to two.

use crate::alias::{Alias, below};
use crate::hospital::{Hospital, Patient};
use rand_chacha::ChaCha8Rng;
use std::ops::Range;

/// The most visits of a patient on average.
pub(crate) const LIMIT: u32 = 1_000;

/// Of a hundred patients so many go to two providers.
const AT_TWO: u32 = 20;

pub(crate) struct Visits {
    hospital: Hospital,
    mean: u32,
}

/// A patient and where she goes.
struct Visitor {
    patient: Patient,
    providers: Option<[u32; 2]>,
}

impl Visits {
    pub(crate) fn new(mean: u32) -> Self {
        Visits {
            hospital: Hospital::new(),
            mean,
        }
    }

    /// The codes of some rows.
    pub(crate) fn block(
        &self,
        rows: Range<u64>,
        providers: Option<&Alias>,
        rng: &mut ChaCha8Rng,
    ) -> Vec<u32> {
        let count = (rows.end - rows.start) as usize;
        let mut visitors: Vec<Visitor> = Vec::new();
        let mut visitor_of: Vec<usize> = Vec::with_capacity(count);
        while visitor_of.len() < count {
            // numbers of a block start with that of its first row: no two blocks have one in common
            let number = rows.start as u32 + visitors.len() as u32 + 1;
            let patient = self.hospital.patient(number, rng);
            visitor_of.push(visitors.len());
            while visitor_of.len() < count && below(self.mean, rng) > 0 {
                visitor_of.push(visitors.len());
            }
            let providers = providers.map(|alias| self.places(alias, rng));
            visitors.push(Visitor { patient, providers });
        }
        shuffle(&mut visitor_of, rng);
        let mut codes = Vec::with_capacity(8 * count);
        for place in visitor_of {
            let visitor = &visitors[place];
            self.hospital.push_visit(&visitor.patient, rng, &mut codes);
            if let Some(places) = visitor.providers {
                codes.push(places[below(2, rng) as usize]);
            }
        }
        codes
    }

    /// One provider twice, or two.
    fn places(&self, alias: &Alias, rng: &mut ChaCha8Rng) -> [u32; 2] {
        let first = alias.draw(rng);
        let second = alias.draw(rng);
        if below(100, rng) < AT_TWO {
            [first, second]
        } else {
            [first, first]
        }
    }
}

/// Fisher and Yates.
fn shuffle(places: &mut [usize], rng: &mut ChaCha8Rng) {
    for last in (1..places.len()).rev() {
        let other = below(last as u32 + 1, rng) as usize;
        places.swap(last, other);
    }
}
