//! Private set intersection: which of our items does the other site have as well?
//!
//! Both sites send their items hashed into the group and raised to a secret, in random order,
//! filled up with random items to an agreed number. Each raises what it received once more and
//! returns it in the same order: an item that both have comes back to us equal to one that we
//! returned. Each learns which of its own items are common, and nothing about the others' number or
//! order.
//!
//! A site that saw our answers before it gave its own could return copies of them and make all our
//! items look common. So both commit to their answers before either opens them.
//!
//! Cost: each site hashes and raises n points and decodes and raises n; 64 bytes per item and site.

use crate::conversation::Conversation;
use crate::entropy::{Entropy, shuffled};
use crate::error::{Error, Violation};
use crate::frame::Kind;
use crate::group::{Blind, Encoded, POINT, Points, Use, check, decode};

/// Per item whether the other site has it too. There are at most `padded` items.
pub(crate) async fn intersect<T: AsRef<[u8]> + Sync>(
    conversation: &mut Conversation,
    purpose: Use,
    items: &[T],
    padded: usize,
    phase: &'static str,
) -> Result<Vec<bool>, Error> {
    let blind = Blind::random(&mut *conversation.entropy);
    let tick = conversation.ticker(phase, 2 * padded);
    // padding goes the same way as items: work that is quicker would tell how much of it there is
    let padding = padding(padded - items.len(), &mut *conversation.entropy);
    let all: Vec<&[u8]> = items
        .iter()
        .map(AsRef::as_ref)
        .chain(padding.iter().map(|p| &p[..]))
        .collect();
    let hidden = blind.hide(&conversation.session, purpose, &all, &tick);
    let order = shuffled(padded, &mut *conversation.entropy);
    let mine: Vec<Encoded> = order.iter().map(|&item| hidden[item as usize]).collect();

    let theirs = conversation.exchange(Kind::Points, mine.concat()).await?;
    let theirs = decode(list(&theirs, padded)?, &mine)?;
    let answers = blind.raise(&theirs, &tick);
    drop((theirs, blind));

    let opened = conversation
        .exchange_committed(Kind::Answers, answers.concat())
        .await?;
    let opened = list(&opened, padded)?;
    let answers: Points = answers.into_iter().collect();
    check(opened, &mine, &answers)?;
    let mut common = vec![false; padded];
    for (&item, answer) in order.iter().zip(opened) {
        common[item as usize] = answers.contains(answer);
    }
    // padding belongs to nobody
    let strangers = common.split_off(items.len());
    if strangers.contains(&true) {
        Err(Violation::Inconsistent {
            what: "padding in common",
        }
        .into())
    } else {
        Ok(common)
    }
}

/// Items that belong to nobody, to hide how many there are: nobody else draws the same 32 bytes.
fn padding(n: usize, entropy: &mut dyn Entropy) -> Vec<[u8; 32]> {
    let mut padding = vec![[0; 32]; n];
    padding.iter_mut().for_each(|item| entropy.fill(item));
    padding
}

/// A list of exactly this many points.
pub(crate) fn list(bytes: &[u8], points: usize) -> Result<&[Encoded], Violation> {
    match bytes.as_chunks::<POINT>() {
        (list, []) if list.len() == points => Ok(list),
        _ => Err(Violation::WrongCount {
            expected: points * POINT,
            found: bytes.len(),
        }),
    }
}
