//! Who is found by a reader in a group that does not serve them, once the table is looked at as it
//! would be published.

use super::Against;
use super::knowledge::{Knowledge, NOTHING};
use crate::Error;
use mingle_model::{Cube, Partition, Published};
use mingle_privacy::composition::{Choice, Overlay, Reader, Scratch};
use rayon::prelude::*;

/// What is to be mended.
#[derive(Default)]
pub struct Claims {
    /// Attribute, published group, what the other releases leave of the claimants, and how many
    /// they are.
    pub unserved: Vec<(usize, u32, u32, u64)>,
    /// Published groups that must not stay as they are.
    pub forced: Vec<u32>,
    /// The tuples whose people are found.
    pub tuples: Vec<u32>,
    people: u64,
}

/// A tuple whose people have too few values left.
struct Found {
    tuple: usize,
    groups: Vec<u32>,
    people: u64,
}

impl Claims {
    /// Plays the readers who must find people by their labels.
    pub fn find(
        knowledge: &Knowledge,
        against: &mut Against<'_, '_>,
        published: &Published,
        also: Vec<u32>,
    ) -> Result<Claims, Error> {
        let mut claims = Claims {
            people: also.len() as u64,
            forced: also,
            ..Claims::default()
        };
        for (place, overlay) in against.overlays.iter_mut().enumerate() {
            let known = &knowledge.attributes[place];
            let specific_need = |tuple: usize| match known.specific_of[tuple] {
                NOTHING => 0,
                set => known.need(set),
            };
            let union_need = |tuple: usize| known.union_needs[tuple];
            // labels of our own making can be read, or they would not have been published
            overlay
                .add(&Reader::new("the table"), published)
                .map_err(|_| Error::Unsatisfiable)?;
            let specific = find(overlay, published, Choice::MostSpecific, specific_need);
            let union = find(overlay, published, Choice::Union, union_need);
            let people = |found: &[Found]| found.iter().map(|f| f.people).sum::<u64>();
            if people(&specific) > knowledge.allowed {
                claims
                    .tuples
                    .extend(specific.iter().map(|f| f.tuple as u32));
                claims.people = claims.people.max(people(&specific));
                let claim = |f: &Found| {
                    f.groups
                        .iter()
                        .map(|&g| (place, g, known.specific_of[f.tuple], f.people))
                        .collect::<Vec<_>>()
                };
                // nobody can serve a claimant of whom too little is left to begin with
                let may_be_served =
                    |f: &&Found| known.size(known.specific_of[f.tuple]) >= specific_need(f.tuple);
                claims
                    .unserved
                    .extend(specific.iter().filter(may_be_served).flat_map(claim));
            }
            if people(&union) > knowledge.allowed {
                claims.tuples.extend(union.iter().map(|f| f.tuple as u32));
                claims.people = claims.people.max(people(&union));
                claims.forced.extend(union.iter().flat_map(|f| &f.groups));
            }
            overlay.remove_last();
        }
        Ok(claims)
    }

    /// How many people, for the worst reader.
    pub fn people(&self) -> u64 {
        self.people
    }
}

/// The tuples of whose people a reader keeps too few values, with the groups that the reader takes.
fn find(
    overlay: &Overlay<'_>,
    published: &Published,
    choice: Choice<'_>,
    need: impl Fn(usize) -> u32 + Sync,
) -> Vec<Found> {
    let own = overlay.len() - 1;
    let one = |scratch: &mut Scratch, tuple: usize| {
        let people = published_people(overlay.people(), published, tuple);
        let found = overlay.person(tuple, choice, scratch);
        let is_bad =
            people > 0 && found.is_composed() && (1..need(tuple)).contains(&found.posterior);
        is_bad.then(|| Found {
            tuple,
            groups: overlay.chosen(own, tuple, choice, scratch).to_vec(),
            people,
        })
    };
    (0..overlay.people().tuples())
        .into_par_iter()
        .map_init(Scratch::default, one)
        .flatten()
        .collect()
}

/// How many people of a tuple are published.
fn published_people(cube: &Cube, published: &Published, tuple: usize) -> u64 {
    let kept = cube
        .records_of(tuple)
        .filter(|&r| published.group_of()[r] != Partition::SUPPRESSED);
    kept.map(|r| cube.records()[r].count).sum()
}
