//! DPP2GA: intersections of classes, each of at least k people (Jiang and Clifton 2005; Nielsen et
//! al., section 2.3).
//!
//! Each round joins anonymous people with both sites' tags. If every pair of tags that occurs has
//! at least k people, the pairs are the groups; otherwise both sites generalize by one step. Groups
//! are smaller than the classes that the sites have checked, so nothing but k-anonymity survives:
//! promises about sensitive values are refused.
//!
//! Accepted, both learn their people's groups, which the release tells them anyway: the evaluator
//! names the pair for every place of site 0's list, and site 0 opens the random order in which it
//! had returned the evaluator's.

use super::tagged::{Tagged, View, encode_numbers, exchange, nothing, numbers};
use super::{Agreement, People, Round, current, everybody, limit, step};
use crate::anonymizer::Local;
use crate::classes::Classes;
use crate::conversation::Conversation;
use crate::error::{Error, Violation};
use crate::frame::Kind;
use std::collections::HashMap;

pub(crate) const REVEALS: &str = "each round, site 1 (the evaluator) learns how many people each pair of anonymous \
                                  classes has in common; site 0 learns how large site 1's classes are; a \
                                  site 1 that deviates can learn site 0's class of every person";

pub(super) fn reference(sites: &mut [&mut dyn Local; 2], k: u64) -> Agreement {
    let people = everybody(sites[0]);
    let mut rounds = Vec::new();
    loop {
        let [first, second] = current(sites, &people);
        rounds.push(Round::new(people.len(), [&first, &second]));
        let meet = first.meet(&second);
        if meet.smallest() >= k {
            return Agreement::at_last(meet, rounds);
        }
        step(sites, &people);
    }
}

pub(super) async fn run(
    conversation: &mut Conversation,
    local: &mut dyn Local,
    people: &People<'_>,
    steps: u32,
) -> Result<Agreement, Error> {
    let everybody = people.all();
    let mut rounds = Vec::new();
    for round in 0.. {
        limit(round, steps)?;
        let classes = Classes::new(local.classes(&everybody));
        rounds.push(Round::of_one(everybody.len(), &classes));
        let tagged = exchange(conversation, people, &classes, round).await?;
        if let Some(groups) = settle(conversation, tagged, people.k).await? {
            if !groups.refines(&classes) {
                return Err(Violation::Inconsistent {
                    what: "a block of several classes",
                }
                .into());
            }
            return Ok(Agreement::at_last(groups, rounds));
        }
        local.step(&everybody);
    }
    Err(Error::Defect("rounds have an end"))
}

/// Whether the intersections are large enough, and if so who is in which.
async fn settle(
    conversation: &mut Conversation,
    tagged: Tagged,
    k: u64,
) -> Result<Option<Classes>, Error> {
    let n = tagged.order.len();
    // per place of our own list its block
    let block_of_place = match tagged.view {
        View::Other { returned } => {
            let answer = conversation.exchange(Kind::Blocks, Vec::new()).await?;
            if answer.is_empty() {
                return Ok(None);
            }
            let blocks = numbers(&answer, n)?;
            nothing(
                &conversation
                    .exchange(Kind::Opening, encode_numbers(&returned))
                    .await?,
            )?;
            blocks
        }
        View::Evaluator {
            pairs, place_of, ..
        } => {
            let blocks = blocks(&pairs);
            let accepted = blocks.smallest() >= k;
            let answer = if accepted {
                encode_numbers(blocks.class_of())
            } else {
                Vec::new()
            };
            nothing(&conversation.exchange(Kind::Blocks, answer).await?)?;
            if !accepted {
                return Ok(None);
            }
            let opening = conversation.exchange(Kind::Opening, Vec::new()).await?;
            let returned = order(&opening, n)?;
            let mut block_of_place = vec![0; n];
            for (at, &place) in returned.iter().enumerate() {
                block_of_place[place as usize] = blocks.class_of()[place_of[at] as usize];
            }
            block_of_place
        }
    };
    let mut block_of = vec![0; n];
    tagged
        .order
        .iter()
        .zip(block_of_place)
        .for_each(|(&person, block)| block_of[person as usize] = block);
    let groups = Classes::new(block_of);
    match groups.smallest() {
        size if size < k => Err(Violation::SmallClass { size, k }.into()),
        _ => Ok(Some(groups)),
    }
}

fn blocks(pairs: &[(u32, u32)]) -> Classes {
    let mut number: HashMap<(u32, u32), u32, ahash::RandomState> = HashMap::default();
    Classes::new(pairs.iter().map(|&pair| {
        let next = number.len() as u32;
        *number.entry(pair).or_insert(next)
    }))
}

/// Every place once.
fn order(bytes: &[u8], n: usize) -> Result<Vec<u32>, Violation> {
    let order = numbers(bytes, n)?;
    let mut seen = vec![false; n];
    for &place in &order {
        match seen.get_mut(place as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => {
                return Err(Violation::Inconsistent {
                    what: "an order that is none",
                });
            }
        }
    }
    Ok(order)
}
