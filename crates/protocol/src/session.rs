//! One session from the common people to the published tables, as this site sees it.

use crate::anonymizer::{Anonymizer, restrict};
use crate::conversation::{Conversation, Phase};
use crate::error::{Error, Violation};
use crate::fragmenter::{Part, assemble};
use crate::frame::Kind;
use crate::group::Use;
use crate::hello::Offer;
use crate::intersection::intersect;
use crate::output::JointOutput;
use crate::session_id::by_seat;
use crate::setup::Checked;
use crate::synchronizer::{People, run as synchronize};
use mingle_model::{counted, plural};
use std::sync::Arc;

/// Runs the session; the offer is the other site's.
pub(crate) async fn run(
    mut conversation: Conversation,
    site: Arc<Checked>,
    theirs: Offer,
) -> Result<JointOutput, Error> {
    let setup = &site.setup;
    let (rows, identifiers) = common_people(&mut conversation, &site).await?;
    let table = restrict(&setup.table, &rows, &setup.missing)?;
    let mut anonymizer = Anonymizer::new(&table, &setup.promises)?;

    conversation.enter(Phase::Synchronization);
    let people = People {
        identifiers: &identifiers,
        k: site.k,
    };
    let steps = site.offer.steps.saturating_add(theirs.steps);
    let synchronizer = setup.terms.synchronizer;
    let agreement = synchronize(
        synchronizer,
        &mut conversation,
        &mut anonymizer,
        &people,
        steps,
    )
    .await?;
    let groups: Vec<u8> = agreement
        .groups
        .class_of()
        .iter()
        .flat_map(|group| group.to_le_bytes())
        .collect();
    conversation.conclude(&groups);
    conversation.checkpoint().await?;
    conversation.observer.learned(&format!(
        "{} of common people after {} of {}",
        counted(agreement.groups.len(), "group"),
        counted(agreement.rounds.len(), "round"),
        synchronizer.name()
    ));

    conversation.enter(Phase::Fragments);
    let mine = Part::new(&anonymizer, &table, &site.offer, &agreement, &setup.missing)?.to_bytes();
    if mine.len() > Kind::Fragments.most(setup.terms.padded_size) {
        return Err(Error::Column(
            "labels and values are longer than a message can be".to_owned(),
        ));
    }
    let received = conversation.exchange(Kind::Fragments, mine.clone()).await?;
    // both parts go the same way, so that both sites come to the same tables
    let received = Part::from_bytes(&received)?;
    received.check_received(&theirs, &agreement)?;
    let parts = by_seat(setup.seat, Part::from_bytes(&mine)?, received);
    let offers = by_seat(setup.seat, &site.offer, &theirs);
    let (verified, columns) =
        assemble(parts, offers, &agreement, site.k).map_err(|error| match error {
            // ours were bound to our values long ago
            Error::Promise(_) => Violation::Inconsistent {
                what: "promises that its tables cannot show",
            }
            .into(),
            error => error,
        })?;
    Ok(JointOutput {
        session: *conversation.session.bytes(),
        seat: setup.seat,
        sites: offers.map(|offer| offer.site.clone()),
        terms: setup.terms.clone(),
        columns,
        verified,
        rounds: agreement.rounds.len() as u32,
        traffic: conversation.traffic,
    })
}

/// The rows of the people that both sites have, in the order of their canonical identifiers, and
/// those.
async fn common_people(
    conversation: &mut Conversation,
    site: &Checked,
) -> Result<(Vec<u32>, Vec<String>), Error> {
    let padded = site.setup.terms.padded_size as usize;
    let common = intersect(
        conversation,
        Use::Identifiers,
        &site.identifiers,
        padded,
        "intersecting",
    )
    .await?;
    let mut people: Vec<(&str, u32)> = site
        .identifiers
        .iter()
        .map(String::as_str)
        .zip(0..)
        .filter(|&(_, row)| common[row as usize])
        .collect();
    people.sort_unstable();
    conversation.conclude(&(people.len() as u64).to_le_bytes());
    conversation.checkpoint().await?;
    site.same_people_as_before(&people)?;
    conversation.observer.learned(&format!(
        "{} {} in common",
        people.len(),
        plural(people.len(), "person", "people")
    ));
    check_enough(people.len() as u64, site.least())?;
    Ok(people
        .into_iter()
        .map(|(id, row)| (row, id.to_owned()))
        .unzip())
}

/// A group of fewer people cannot hold.
pub(crate) fn check_enough(common: u64, least: u64) -> Result<(), Error> {
    if common < least {
        Err(Error::TooFewCommon { common, least })
    } else {
        Ok(())
    }
}
