//! The background join: what a site learns from a joined table by recognizing its own sensitive
//! values in it.
//!
//! **The adversary** is a site that contributed some columns of a joined table. It knows its own
//! people: who they are, their quasi-identifiers, and its own sensitive values. Where the table is
//! published with all sensitive columns side by side, these values act as further quasi-identifiers
//! (Fang, Ashrafi and Ng 2011; Nielsen et al., D2Pt, section 3.2): of the rows whose labels fit a
//! person, the site keeps those that have its own value, the *candidates*, and reads the other
//! site's column off them. There may be fewer than k, and they may agree.
//!
//! **The remedy** is to publish each sensitive column in a table of its own, joined by the group's
//! number alone ([`mingle_model::Fragments`]). Then a known value says nothing about the other
//! column, beyond which groups are possible where several cover a person. Both are played on the
//! same groups ([`Joined`]), and beside them the outsider, who knows the same quasi-identifiers and
//! no sensitive value: what the release promises anyway. Measures and formulas: [`KnowledgePlay`].
//!
//! What the remedy does not prevent is guessing pairs from what goes together in the whole table:
//! [`reconstruction`].
//!
//! **Assumptions.** Each row is one person, unless the tables say whose each row is: then people are
//! counted, by readers of their own (`people.rs`). The site does not know which person another row belongs
//! to, so it rules out no row because it must be somebody else's; where nobody is covered by
//! several groups that would tell it nothing. By default it knows all quasi-identifiers, which are
//! by definition known from elsewhere. Rows of the original that were left out of the release, but
//! look like published ones, count as people in it.
//!
//! Cost: finding the groups that cover each tuple ([`Joined`]), then groups × distinct values for
//! each play.

mod cover;
mod error;
mod exposure;
mod joined;
mod people;
mod putting_back;
pub mod reconstruction;

pub use error::Error;
pub use exposure::{CandidateUnit, KnowledgePlay, LearntView, NewlyExposed, STEPS, UnlinkedViews};
pub use joined::{Held, Joined};
pub use mingle_record::answer::ReleaseForm;

pub(crate) use joined::all_columns;
pub(crate) use people::combinations_of;
use reconstruction::Reconstruction;

/// Who plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BackgroundJoinOptions {
    /// The sensitive columns that the site knows, together; if there are none, each is played in
    /// turn.
    pub knows: Vec<String>,
    /// The quasi-identifiers that it knows; `None` means all.
    pub quasi_identifiers: Option<Vec<String>>,
    /// The promised group size; candidates fewer than that break the promise.
    pub k: u64,
    /// Breaks ties of the reconstruction.
    pub seed: u64,
}

/// What came of it.
#[derive(Clone, PartialEq, Debug)]
pub struct BackgroundJoin {
    /// People of the original who may be in the release.
    pub people: u64,
    /// People of the original who are not.
    pub left_out: u64,
    /// People whom several groups cover.
    pub overlapping: u64,
    /// Every known set with every other sensitive column as the target.
    pub plays: Vec<KnowledgePlay>,
    /// Every pair of sensitive columns.
    pub reconstructions: Vec<Reconstruction>,
    /// Pairs of columns with too many values to be re-linked here.
    pub not_reconstructed: Vec<[usize; 2]>,
}

impl KnowledgePlay {
    /// What the site learns from a release of this form; `None` where it is not played.
    pub fn view(&self, form: ReleaseForm) -> Option<&LearntView> {
        match form {
            ReleaseForm::Linked => Some(&self.linked),
            ReleaseForm::Fragmented => self.fragmented.as_ref(),
        }
    }

    /// The same for the one of several readers to whom most people are newly exposed; who can link
    /// rows comes first among equals.
    pub fn worst_view(&self, form: ReleaseForm) -> Option<&LearntView> {
        let first = self.view(form)?;
        match &self.by_rows {
            Some(views) if views.linked.newly > first.newly => Some(&views.linked),
            _ => Some(first),
        }
    }

    /// How many people are newly exposed by a release of this form.
    pub fn newly(&self, form: ReleaseForm) -> u64 {
        self.worst_view(form).map_or(0, |view| view.newly)
    }
}

impl BackgroundJoin {
    /// The play that exposes most people of a release of this form anew; the first of equals.
    pub fn worst(&self, form: ReleaseForm) -> Option<&KnowledgePlay> {
        let exposing = self.plays.iter().filter(|play| play.newly(form) > 0);
        exposing.rev().max_by_key(|play| play.newly(form))
    }
}

/// Plays the attack on both forms of the same groups.
pub fn play(joined: &Joined<'_>, options: &BackgroundJoinOptions) -> Result<BackgroundJoin, Error> {
    let columns = joined.sensitive().len();
    if columns < 2 {
        return Err(Error::NothingToJoin { columns });
    }
    let plays = plays(joined, &options.knows)?;
    let known = known_quasi_identifiers(joined, options)?;
    let original = joined.original();
    if let (Some(people), Some(held)) = (original.people(), joined.people()) {
        return Ok(people::play(
            joined,
            people,
            held,
            &plays,
            (options, &known),
        ));
    }
    let cover = joined.cover(&known);
    let people_of = |tuples: &[u32]| -> u64 {
        let records = tuples
            .iter()
            .flat_map(|&tuple| original.records_of(tuple as usize));
        records
            .filter(|&r| joined.is_present(r))
            .map(|r| original.records()[r].count)
            .sum()
    };
    let people = cover.iter().map(|covered| people_of(&covered.tuples)).sum();
    let overlapping = cover
        .iter()
        .filter(|c| c.groups.len() > 1)
        .map(|covered| people_of(&covered.tuples))
        .sum();
    let pairs = (0..columns).flat_map(|a| (a + 1..columns).map(move |b| [a, b]));
    let (mut reconstructions, mut not_reconstructed) = (Vec::new(), Vec::new());
    for pair in pairs {
        match reconstruction::reconstruct(joined, pair, options.seed) {
            Some(found) => reconstructions.push(found),
            None => not_reconstructed.push(pair),
        }
    }
    let one = |(known, target): &(Vec<usize>, usize)| {
        exposure::play(joined, &cover, known, *target, options.k)
    };
    Ok(BackgroundJoin {
        people,
        left_out: original.rows() - people,
        overlapping,
        plays: plays.iter().map(one).collect(),
        reconstructions,
        not_reconstructed,
    })
}

/// The known columns and the target of each play.
fn plays(joined: &Joined<'_>, knows: &[String]) -> Result<Vec<(Vec<usize>, usize)>, Error> {
    let columns = joined.sensitive().len();
    let place = |name: &String| {
        let place = joined.sensitive().iter().position(|s| s.name == *name);
        place.ok_or_else(|| Error::NotSensitive {
            column: name.clone(),
        })
    };
    let mut known: Vec<usize> = knows.iter().map(place).collect::<Result<_, _>>()?;
    known.sort_unstable();
    known.dedup();
    let sets = if known.is_empty() {
        (0..columns).map(|c| vec![c]).collect()
    } else {
        vec![known]
    };
    let targets = |set: Vec<usize>| {
        let open: Vec<usize> = (0..columns)
            .filter(|target| !set.contains(target))
            .collect();
        open.into_iter().map(move |target| (set.clone(), target))
    };
    let plays: Vec<_> = sets.into_iter().flat_map(targets).collect();
    if plays.is_empty() {
        Err(Error::NothingToLearn)
    } else {
        Ok(plays)
    }
}

fn known_quasi_identifiers(
    joined: &Joined<'_>,
    options: &BackgroundJoinOptions,
) -> Result<Vec<usize>, Error> {
    let Some(names) = &options.quasi_identifiers else {
        return Ok(all_columns(joined.original()));
    };
    let place = |name: &String| {
        let place = joined
            .original()
            .quasi_identifiers()
            .iter()
            .position(|qi| qi.name == *name);
        place.ok_or_else(|| Error::NotQuasiIdentifier {
            column: name.clone(),
        })
    };
    let mut places: Vec<usize> = names.iter().map(place).collect::<Result<_, _>>()?;
    places.sort_unstable();
    places.dedup();
    Ok(places)
}

#[cfg(test)]
mod tests;
