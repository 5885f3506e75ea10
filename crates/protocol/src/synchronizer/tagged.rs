//! People with the tags of their classes, joined without knowing who they are.
//!
//! Both sites send `(H(person)^secret, tag)` for everybody, in random order; tags are random names
//! of classes. Site 0 raises site 1's points once more and returns them *in a new random order*:
//! only that keeps site 1, who knows whom it put where, from reading off everybody's tag. Site 1,
//! the evaluator, raises site 0's points itself and joins the two lists: for every anonymous person
//! it has the pair of tags, the contingency table of the two partitions. Site 0 learns how large
//! site 1's classes are, and nothing else here.

use super::People;
use crate::classes::Classes;
use crate::conversation::Conversation;
use crate::entropy::shuffled;
use crate::error::{Error, Violation};
use crate::frame::Kind;
use crate::group::{Blind, Encoded, POINT, Use, decode};
use crate::terms::Seat;
use std::collections::HashMap;

/// Bytes per person: a point and a tag.
pub(crate) const ENTRY: usize = POINT + 4;

/// What a site knows after a round.
pub(super) struct Tagged {
    /// Per place of our own list the person.
    pub(super) order: Vec<u32>,
    /// Per class of ours its tag.
    pub(super) tag_of: Vec<u32>,
    pub(super) view: View,
}

pub(super) enum View {
    /// Site 0: per place of what it returned, the place in site 1's list.
    Other { returned: Vec<u32> },
    /// Site 1.
    Evaluator {
        /// Per place of site 0's list the tags at site 0 and at site 1.
        pairs: Vec<(u32, u32)>,
        /// How many tags site 0 has.
        their_tags: usize,
        /// Per place of what site 0 returned, the place of the same person in site 0's list.
        place_of: Vec<u32>,
    },
}

struct Entries {
    points: Vec<Encoded>,
    tags: Vec<u32>,
}

impl Entries {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.points.len() * ENTRY);
        for (point, tag) in self.points.iter().zip(&self.tags) {
            bytes.extend_from_slice(point);
            bytes.extend_from_slice(&tag.to_le_bytes());
        }
        bytes
    }

    fn read(bytes: &[u8], people: usize) -> Result<Entries, Violation> {
        let (entries, []) = bytes.as_chunks::<ENTRY>() else {
            return Err(Violation::WrongCount {
                expected: people * ENTRY,
                found: bytes.len(),
            });
        };
        if entries.len() != people {
            return Err(Violation::WrongCount {
                expected: people * ENTRY,
                found: bytes.len(),
            });
        }
        let (points, tags) = entries
            .iter()
            .map(|entry| {
                let (point, tag) = entry
                    .split_first_chunk::<POINT>()
                    .expect("an entry starts with a point");
                (
                    *point,
                    u32::from_le_bytes(tag.try_into().expect("and ends with a tag")),
                )
            })
            .unzip();
        Ok(Entries { points, tags })
    }
}

/// One round for this site's current classes of everybody.
pub(super) async fn exchange(
    conversation: &mut Conversation,
    people: &People<'_>,
    classes: &Classes,
    round: u32,
) -> Result<Tagged, Error> {
    let n = classes.people();
    let blind = Blind::random(&mut *conversation.entropy);
    let order = shuffled(n, &mut *conversation.entropy);
    let tag_of = shuffled(classes.len(), &mut *conversation.entropy);
    let items: Vec<&str> = order
        .iter()
        .map(|&person| people.identifiers[person as usize].as_str())
        .collect();
    let tick = conversation.ticker("synchronizing", 2 * n);
    let mine = Entries {
        points: blind.hide(&conversation.session, Use::Tagged(round), &items, &tick),
        tags: order
            .iter()
            .map(|&person| tag_of[classes.class_of()[person as usize] as usize])
            .collect(),
    };
    let theirs = Entries::read(
        &conversation.exchange(Kind::Tagged, mine.encode()).await?,
        n,
    )?;
    let their_sizes = sizes(&theirs.tags, people.k)?;
    let points = decode(&theirs.points, &mine.points)?;
    let raised = blind.raise(&points, &tick);
    drop((points, blind));
    let view = match conversation.seat {
        Seat::Zero => {
            let returned = shuffled(n, &mut *conversation.entropy);
            let answer = Entries {
                points: returned
                    .iter()
                    .map(|&place| raised[place as usize])
                    .collect(),
                tags: returned
                    .iter()
                    .map(|&place| theirs.tags[place as usize])
                    .collect(),
            };
            nothing(
                &conversation
                    .exchange(Kind::Returned, answer.encode())
                    .await?,
            )?;
            View::Other { returned }
        }
        Seat::One => {
            let answer =
                Entries::read(&conversation.exchange(Kind::Returned, Vec::new()).await?, n)?;
            decode(&answer.points, &mine.points)?;
            evaluate(
                &raised,
                &theirs.tags,
                their_sizes.len(),
                &answer,
                &mine.tags,
            )?
        }
    };
    Ok(Tagged {
        order,
        tag_of,
        view,
    })
}

/// Joins site 0's list, raised here, with our own, raised there.
fn evaluate(
    raised: &[Encoded],
    their_tags_by_place: &[u32],
    their_tags: usize,
    answer: &Entries,
    our_tags: &[u32],
) -> Result<View, Violation> {
    let sorted = |tags: &[u32]| {
        let mut tags = tags.to_vec();
        tags.sort_unstable();
        tags
    };
    if sorted(&answer.tags) != sorted(our_tags) {
        return Err(Violation::Inconsistent {
            what: "tags came back changed",
        });
    }
    let place: HashMap<&Encoded, u32, ahash::RandomState> = raised.iter().zip(0..).collect();
    let unknown = Violation::Inconsistent {
        what: "a person that only one site has",
    };
    let mut place_of = Vec::with_capacity(raised.len());
    let mut pairs: Vec<(u32, u32)> = their_tags_by_place.iter().map(|&tag| (tag, 0)).collect();
    for (point, &tag) in answer.points.iter().zip(&answer.tags) {
        let &at = place.get(point).ok_or(unknown.clone())?;
        pairs[at as usize].1 = tag;
        place_of.push(at);
    }
    Ok(View::Evaluator {
        pairs,
        their_tags,
        place_of,
    })
}

/// Tags are `0..c`, each of at least k people.
fn sizes(tags: &[u32], k: u64) -> Result<Vec<u64>, Violation> {
    let mut sizes: Vec<u64> = Vec::new();
    for &tag in tags {
        // no more tags than people
        if tag as usize >= tags.len() {
            return Err(Violation::Inconsistent {
                what: "a tag out of range",
            });
        }
        if tag as usize >= sizes.len() {
            sizes.resize(tag as usize + 1, 0);
        }
        sizes[tag as usize] += 1;
    }
    match sizes.iter().find(|&&size| size < k) {
        Some(&size) => Err(Violation::SmallClass { size, k }),
        None => Ok(sizes),
    }
}

/// Where one site has nothing to say.
pub(super) fn nothing(bytes: &[u8]) -> Result<(), Violation> {
    match bytes {
        [] => Ok(()),
        _ => Err(Violation::WrongCount {
            expected: 0,
            found: bytes.len(),
        }),
    }
}

/// A list of numbers.
pub(super) fn numbers(bytes: &[u8], count: usize) -> Result<Vec<u32>, Violation> {
    match bytes.as_chunks::<4>() {
        (list, []) if list.len() == count => {
            Ok(list.iter().map(|n| u32::from_le_bytes(*n)).collect())
        }
        _ => Err(Violation::WrongCount {
            expected: count * 4,
            found: bytes.len(),
        }),
    }
}

/// The bytes of a list of numbers.
pub(super) fn encode_numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|n| n.to_le_bytes()).collect()
}
