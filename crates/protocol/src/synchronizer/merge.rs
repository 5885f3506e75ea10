//! MERGE: the finest partition that both sites' partitions refine, in one step (Nielsen et al.,
//! section 3.5).
//!
//! A group is a connected component of "shares a class"; it is a union of whole classes at either
//! site, so k, l and t hold for it (distances from the table's distribution are convex). Never
//! worse than IDENTITY or FORK. Where the sites' quasi-identifiers are nearly independent,
//! everybody ends up in one group: see REPAIR.
//!
//! The evaluator joins anonymous people with their tags, finds the components and tells site 0 the
//! component of each of its tags.

use super::tagged::{View, encode_numbers, exchange, nothing, numbers};
use super::{Agreement, People, Round, current, everybody};
use crate::anonymizer::Local;
use crate::classes::{Classes, Components};
use crate::conversation::Conversation;
use crate::error::{Error, Violation};
use crate::frame::Kind;

pub(crate) const REVEALS: &str = "site 1 (the evaluator) learns how many people each pair of anonymous classes has in \
                                  common; site 0 learns how large site 1's classes are; a site 1 that \
                                  deviates from the protocol can learn site 0's class of every person";

pub(super) fn reference(sites: &mut [&mut dyn Local; 2]) -> Agreement {
    let people = everybody(sites[0]);
    let [first, second] = current(sites, &people);
    let round = Round::new(people.len(), [&first, &second]);
    Agreement::at_last(first.join(&second), vec![round])
}

pub(super) async fn run(
    conversation: &mut Conversation,
    local: &mut dyn Local,
    people: &People<'_>,
) -> Result<Agreement, Error> {
    let everybody = people.all();
    let classes = Classes::new(local.classes(&everybody));
    let tagged = exchange(conversation, people, &classes, 0).await?;
    // per tag of ours its component
    let components = match tagged.view {
        View::Other { .. } => {
            let components = conversation.exchange(Kind::Components, Vec::new()).await?;
            let components = numbers(&components, classes.len())?;
            if components.iter().any(|&c| c as usize >= classes.len()) {
                return Err(Violation::Inconsistent {
                    what: "a component out of range",
                }
                .into());
            }
            components
        }
        View::Evaluator {
            pairs, their_tags, ..
        } => {
            let (theirs, ours) = components(&pairs, their_tags, classes.len());
            nothing(
                &conversation
                    .exchange(Kind::Components, encode_numbers(&theirs))
                    .await?,
            )?;
            ours
        }
    };
    let group = |&class: &u32| components[tagged.tag_of[class as usize] as usize];
    let groups = Classes::new(classes.class_of().iter().map(group));
    let round = Round::of_one(everybody.len(), &classes);
    Ok(Agreement::at_last(groups, vec![round]))
}

/// The component of each of site 0's tags and of each of site 1's, numbered from 0 without gaps.
fn components(pairs: &[(u32, u32)], theirs: usize, ours: usize) -> (Vec<u32>, Vec<u32>) {
    let mut components = Components::new(theirs + ours);
    pairs
        .iter()
        .for_each(|&(their, our)| components.unite(their as usize, theirs + our as usize));
    // every component has a tag of site 0, and the smaller root wins
    let mut number = vec![u32::MAX; theirs];
    let mut next = 0;
    let mut numbered = |tag: usize| {
        let root = components.root(tag);
        if number[root] == u32::MAX {
            number[root] = next;
            next += 1;
        }
        number[root]
    };
    let first = (0..theirs).map(&mut numbered).collect();
    (first, (theirs..theirs + ours).map(numbered).collect())
}
