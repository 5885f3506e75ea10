//! REPAIR: start at the intersections, and unite what fails with a neighbour.
//!
//! The blocks are those of the meet. While a block fails k at all, or a promise at either site, the
//! smallest such block (ties: first in block order) is united with an adjacent one, that is one
//! that shares a class with it: the one with fewest people, then one that shares a class at site 0,
//! then the first in block order. Block order is that of the block's first pair of classes, site
//! 0's before site 1's, classes numbered by their first member. The result lies between meet and
//! join; a block without a neighbour is a block of the join and holds.
//!
//! Both sites must know both partitions by person (L2), of classes with at least k people. Blocks
//! of fewer than k people fail without asking. About the others each site tells its verdict, a bit,
//! when the order of work needs it: about all blocks not yet judged at once, to save turns.
//!
//! Cost: O(blocks log blocks) unions by ordered sets per class, small block lists poured into
//! larger ones.

use super::tagged::{encode_numbers, numbers};
use super::{Agreement, People, Round, current, everybody};
use crate::anonymizer::Local;
use crate::classes::Classes;
use crate::conversation::Conversation;
use crate::error::{Error, Violation};
use crate::frame::Kind;
use mingle_privacy::Tally;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const REVEALS: &str = "both sites learn the other's partition person by person, in classes of at least k and \
                                  without labels, and for blocks that occur on the way whether the other's promises \
                                  hold, from which values of named people can follow";

pub(super) fn reference(sites: &mut [&mut dyn Local; 2], k: u64) -> Agreement {
    let people = everybody(sites[0]);
    let [first, second] = current(sites, &people);
    let mut round = Round::new(people.len(), [&first, &second]);
    let mut blocks = Blocks::new([&first, &second], k);
    let mut judges = [0, 1].map(|site: usize| Judge::new(&*sites[site], &blocks));
    loop {
        let open = blocks.advance();
        let unions = std::mem::take(&mut blocks.unions);
        judges.iter_mut().for_each(|judge| judge.follow(&unions));
        if open.is_empty() {
            break;
        }
        round.verdicts.push(open.len());
        for block in open {
            let holds = [0, 1]
                .iter()
                .all(|&site: &usize| judges[site].holds(&*sites[site], block));
            blocks.judged(block, holds);
        }
    }
    Agreement::at_last(blocks.groups(), vec![round])
}

pub(super) async fn run(
    conversation: &mut Conversation,
    local: &mut dyn Local,
    people: &People<'_>,
) -> Result<Agreement, Error> {
    let everybody = people.all();
    let mine = Classes::new(local.classes(&everybody));
    let theirs = conversation
        .exchange_committed(Kind::Partition, encode_numbers(mine.class_of()))
        .await?;
    let theirs = partition(&theirs, everybody.len(), people.k)?;
    let mut round = Round {
        people: everybody.len(),
        classes: [mine.len(), theirs.len()],
        verdicts: Vec::new(),
    };
    let [first, second] = crate::session_id::by_seat(conversation.seat, &mine, &theirs);
    let mut blocks = Blocks::new([first, second], people.k);
    let mut judge = Judge::new(local, &blocks);
    loop {
        let open = blocks.advance();
        judge.follow(&std::mem::take(&mut blocks.unions));
        if open.is_empty() {
            break;
        }
        round.verdicts.push(open.len());
        let verdicts: Vec<bool> = open
            .iter()
            .map(|&block| judge.holds(local, block))
            .collect();
        let others = conversation
            .exchange(
                Kind::Verdicts,
                verdicts.iter().map(|&holds| u8::from(holds)).collect(),
            )
            .await?;
        let others = bits(&others, open.len())?;
        open.into_iter()
            .zip(verdicts.into_iter().zip(others))
            .for_each(|(block, (mine, theirs))| {
                blocks.judged(block, mine && theirs);
            });
    }
    Ok(Agreement::at_last(blocks.groups(), vec![round]))
}

/// A partition as the other site numbers it, of classes with at least k people.
fn partition(bytes: &[u8], people: usize, k: u64) -> Result<Classes, Violation> {
    let sent = numbers(bytes, people)?;
    let classes = Classes::new(sent.iter().copied());
    if classes.class_of() != sent {
        return Err(Violation::Inconsistent {
            what: "classes not numbered by their first member",
        });
    }
    match classes.smallest() {
        size if size < k => Err(Violation::SmallClass { size, k }),
        _ => Ok(classes),
    }
}

fn bits(bytes: &[u8], count: usize) -> Result<Vec<bool>, Violation> {
    if bytes.len() != count {
        return Err(Violation::WrongCount {
            expected: count,
            found: bytes.len(),
        });
    }
    let bit = |&byte: &u8| match byte {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Violation::Malformed {
            kind: Kind::Verdicts.name(),
        }),
    };
    bytes.iter().map(bit).collect()
}

/// A block's number: its place in block order among the blocks of the meet. A union keeps the
/// smaller one.
type BlockId = u32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Open,
    Fails,
}

/// The blocks and what is known about them.
struct Blocks {
    k: u64,
    /// Per block of the meet its people; those of a union are with the smallest number.
    members: Vec<Vec<u32>>,
    /// Per block and site its classes, ascending.
    classes: [Vec<BTreeSet<u32>>; 2],
    /// Per site and class the blocks that touch it, by size, then by block order.
    touching: [Vec<BTreeSet<(usize, BlockId)>>; 2],
    /// Blocks that fail or are not judged yet, smallest first.
    pending: BTreeMap<(usize, BlockId), Verdict>,
    /// Unions since somebody looked: the second was poured into the first.
    unions: Vec<(BlockId, BlockId)>,
}

impl Blocks {
    fn new(sites: [&Classes; 2], k: u64) -> Blocks {
        let pair = |person: usize| (sites[0].class_of()[person], sites[1].class_of()[person]);
        let mut meet: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
        (0..sites[0].people())
            .for_each(|person| meet.entry(pair(person)).or_default().push(person as u32));
        let mut blocks = Blocks {
            k,
            members: Vec::with_capacity(meet.len()),
            classes: [
                Vec::with_capacity(meet.len()),
                Vec::with_capacity(meet.len()),
            ],
            touching: sites.map(|classes| vec![BTreeSet::new(); classes.len()]),
            pending: BTreeMap::new(),
            unions: Vec::new(),
        };
        for (id, ((first, second), members)) in (0..).zip(meet) {
            for (site, class) in [first, second].into_iter().enumerate() {
                blocks.classes[site].push(BTreeSet::from([class]));
                blocks.touching[site][class as usize].insert((members.len(), id));
            }
            blocks
                .pending
                .insert((members.len(), id), blocks.first_verdict(members.len()));
            blocks.members.push(members);
        }
        blocks
    }

    fn first_verdict(&self, size: usize) -> Verdict {
        if (size as u64) < self.k {
            Verdict::Fails
        } else {
            Verdict::Open
        }
    }

    /// Unites as long as the next failing block is known. Returns the blocks to be judged next, in
    /// block order; none when all hold.
    fn advance(&mut self) -> Vec<BlockId> {
        while let Some((&(size, id), &verdict)) = self.pending.first_key_value() {
            if verdict == Verdict::Open {
                let open = self
                    .pending
                    .iter()
                    .filter(|(_, verdict)| **verdict == Verdict::Open);
                let mut open: Vec<BlockId> = open.map(|(&(_, id), _)| id).collect();
                open.sort_unstable();
                return open;
            }
            self.pending.remove(&(size, id));
            // a block without a neighbour is one of the join, which holds; only a site that lies
            // can have it fail
            if let Some(partner) = self.partner(id) {
                self.unite(id, partner);
            }
        }
        Vec::new()
    }

    fn judged(&mut self, id: BlockId, holds: bool) {
        let key = (self.members[id as usize].len(), id);
        if holds {
            self.pending.remove(&key);
        } else {
            self.pending.insert(key, Verdict::Fails);
        }
    }

    /// The neighbour to unite with.
    fn partner(&self, id: BlockId) -> Option<BlockId> {
        let smallest = |site: usize| {
            let classes = self.classes[site][id as usize].iter();
            let first = |&class: &u32| {
                self.touching[site][class as usize]
                    .iter()
                    .find(|(_, other)| *other != id)
            };
            classes.filter_map(first).min().copied()
        };
        let candidates = [smallest(0), smallest(1)];
        let by_size = |&(site, (size, _)): &(usize, (usize, BlockId))| (size, site);
        (0..)
            .zip(candidates)
            .filter_map(|(site, c)| Some((site, c?)))
            .min_by_key(by_size)
            .map(|(_, (_, id))| id)
    }

    fn unite(&mut self, a: BlockId, b: BlockId) {
        let (kept, gone) = (a.min(b) as usize, a.max(b) as usize);
        [kept, gone].into_iter().for_each(|id| self.withdraw(id));
        pour(&mut self.members, kept, gone, Vec::len);
        for site in &mut self.classes {
            pour(site, kept, gone, BTreeSet::len);
        }
        self.unions.push((kept as BlockId, gone as BlockId));
        let size = self.members[kept].len();
        for (classes, touching) in self.classes.iter().zip(&mut self.touching) {
            for &class in &classes[kept] {
                touching[class as usize].insert((size, kept as BlockId));
            }
        }
        self.pending
            .insert((size, kept as BlockId), self.first_verdict(size));
    }

    fn withdraw(&mut self, id: usize) {
        let key = (self.members[id].len(), id as BlockId);
        self.pending.remove(&key);
        for (classes, touching) in self.classes.iter().zip(&mut self.touching) {
            for class in &classes[id] {
                touching[*class as usize].remove(&key);
            }
        }
    }

    fn groups(&self) -> Classes {
        let people = self.members.iter().map(Vec::len).sum();
        let mut block_of = vec![0; people];
        for (id, members) in (0..).zip(&self.members) {
            members
                .iter()
                .for_each(|&person| block_of[person as usize] = id);
        }
        Classes::new(block_of)
    }
}

/// Pours the smaller of two collections into the larger; the first place keeps it.
fn pour<T>(all: &mut [T], kept: usize, gone: usize, size: impl Fn(&T) -> usize)
where
    T: Default + IntoIterator + Extend<T::Item>,
{
    let mut from = std::mem::take(&mut all[gone]);
    if size(&from) > size(&all[kept]) {
        std::mem::swap(&mut from, &mut all[kept]);
    }
    all[kept].extend(from);
}

/// One site's counts of the blocks, to judge them by.
struct Judge {
    tallies: Vec<Tally>,
}

impl Judge {
    fn new(site: &dyn Local, blocks: &Blocks) -> Judge {
        Judge {
            tallies: blocks
                .members
                .iter()
                .map(|members| site.tally(members))
                .collect(),
        }
    }

    /// Does as the blocks did.
    fn follow(&mut self, unions: &[(BlockId, BlockId)]) {
        for &(kept, gone) in unions {
            let gone = std::mem::take(&mut self.tallies[gone as usize]);
            self.tallies[kept as usize].merge(&gone);
        }
    }

    fn holds(&self, site: &dyn Local, block: BlockId) -> bool {
        site.holds(&self.tallies[block as usize])
    }
}
