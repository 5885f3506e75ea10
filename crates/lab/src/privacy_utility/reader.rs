//! What a reader of both releases learns, right or wrong, about people who are in both tables and
//! people who are in neither.
//!
//! Releases of records are intersected as by `mingle attack intersection`: values that the groups
//! have in common which fit a person, by the reader of labels who gets most right. A table of
//! made-up records is taken as groups in declared cells, as a careless reader would; tables of some
//! columns are read by [`NoisyTables`]. Where one value is left the reader *claims* it. In any case
//! the reader guesses: the likeliest of the values that are left or, where nothing is left or
//! nobody fits, the most common value of the releases.
//!
//! What is right about people in neither table cannot come from their records. So the difference
//! between the two is what being in the tables costs, and without it every number of correct
//! guesses looks like a breach.

use super::draw::{Draw, PeoplePart};
use super::noisy::as_groups;
use super::table_reader::NoisyTables;
use crate::error::Error;
use mingle_assess::attack::intersection::{
    IntersectionChoice, IntersectionOptions, Person, Truths, play,
};
use mingle_dp::Output;
use mingle_model::{Cube, Missing, Published};
use mingle_privacy::composition::{self, Overlay, Scratch};

/// What both releases give away.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairExposure {
    /// About people who are in both tables.
    pub both: LearntShares,
    /// About people who are in neither.
    pub neither: LearntShares,
    /// Groups alone: share of the people in both of whom one value is left for a reader who knows
    /// the right groups.
    pub told: Option<f64>,
}

/// What is learnt, in shares of the people.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LearntShares {
    /// Of whom one value is left.
    pub claimed: f64,
    /// Of whom one value is left that is theirs.
    pub claimed_right: f64,
    /// Of whom at most four are left: a confidence of 25 %.
    pub quarter: f64,
    /// Of whom at most four are left and theirs is one of them.
    pub quarter_right: f64,
    /// Whose value is guessed.
    pub guessed: f64,
}

/// The number of values at a confidence of 25 %.
const QUARTER: usize = 4;

/// Two releases of records. Whether groups are known as the paper assumes is asked of groups alone:
/// nobody is in a group of made-up records.
pub fn of_groups(
    draw: &Draw,
    releases: [&Published; 2],
    with_told: bool,
) -> Result<PairExposure, Error> {
    let [both, neither] = [PeoplePart::Common, PeoplePart::Neither]
        .map(|part| Cube::new(draw.table(part, false).clone()));
    let missing = Missing::default();
    let (both, neither) = (
        overlay(&both, &missing, releases)?,
        overlay(&neither, &missing, releases)?,
    );
    let common = most_common(releases);
    let of = |reader| {
        (
            learnt(&both, reader, &common),
            learnt(&neither, reader, &common),
        )
    };
    let (union, specific) = (
        of(IntersectionChoice::Union),
        of(IntersectionChoice::MostSpecific),
    );
    let worse = specific.0.claimed_right > union.0.claimed_right;
    let (in_both, in_neither) = if worse { specific } else { union };
    let told = with_told.then(|| {
        let play = play(
            &both,
            IntersectionChoice::True,
            IntersectionOptions::default(),
        );
        play.share(play.perfect())
    });
    Ok(PairExposure {
        both: in_both,
        neither: in_neither,
        told,
    })
}

/// Two releases with noise.
pub fn of_noise(draw: &Draw, releases: [&Output; 2]) -> Result<PairExposure, Error> {
    if let [Some(first), Some(second)] = [as_groups(releases[0])?, as_groups(releases[1])?] {
        return of_groups(draw, [&first, &second], false);
    }
    let of = |part| NoisyTables::new(releases).learnt(draw.table(part, false));
    Ok(PairExposure {
        both: of(PeoplePart::Common),
        neither: of(PeoplePart::Neither),
        told: None,
    })
}

fn overlay<'a>(
    people: &'a Cube,
    missing: &'a Missing,
    releases: [&Published; 2],
) -> Result<Overlay<'a>, Error> {
    let attribute = &people.sensitive()[0].name;
    let mut overlay = Overlay::new(
        composition::People {
            cube: people,
            missing,
            hierarchies: Vec::new(),
        },
        attribute,
    );
    for (release, name) in releases
        .into_iter()
        .zip(["the first release", "the second release"])
    {
        // a histogram whose cells are all too small publishes nothing
        if release.groups() > 0 {
            overlay.add(&composition::Reader::new(name), release)?;
        }
    }
    Ok(overlay)
}

/// The value that the releases have most often.
fn most_common(releases: [&Published; 2]) -> Option<String> {
    let mut counts = std::collections::BTreeMap::<&str, u64>::new();
    for release in releases {
        let column = &release.sensitive()[0];
        for entry in (0..release.groups()).flat_map(|group| release.entries(group)) {
            let text = column
                .domain
                .text(column.codes.get(entry.sensitive as usize));
            *counts.entry(text).or_default() += entry.count;
        }
    }
    counts
        .into_iter()
        .max_by_key(|&(_, count)| count)
        .map(|(value, _)| value.to_owned())
}

fn learnt(overlay: &Overlay, reader: IntersectionChoice, common: &Option<String>) -> LearntShares {
    let people = overlay.people();
    let (truths, own, mut scratch) = (
        Truths::new(overlay),
        overlay.own_values(),
        Scratch::default(),
    );
    let column = &people.sensitive()[0];
    let mut tally = PeopleFound::default();
    for tuple in 0..people.tuples() {
        for record in people.records_of(tuple) {
            let person = Person::new(
                overlay,
                &truths,
                (tuple, record),
                (reader, true),
                &mut scratch,
            );
            let record = &people.records()[record];
            let code = column.codes.get(record.sensitive as usize);
            let is_common = common.as_deref() == Some(column.domain.text(code));
            let left: Vec<(bool, f64)> = person
                .candidates
                .iter()
                .zip(&person.likelihoods)
                .map(|(&value, &likely)| (own[code as usize] == Some(value), likely))
                .collect();
            tally.count(&left, person.found.is_composed(), is_common, record.count);
        }
    }
    tally.learnt()
}

/// Counts of people.
#[derive(Clone, Copy, Default)]
pub struct PeopleFound {
    people: f64,
    sums: LearntShares,
}

/// Values nearly as likely as the likeliest count as equally likely: products round.
const ALIKE: f64 = 1.0 - 1e-12;

impl PeopleFound {
    /// So many people of whom these values are left, each with whether it is theirs and how likely
    /// it is; whether both releases say something about them, and whether the most common value is
    /// theirs.
    pub fn count(&mut self, left: &[(bool, f64)], by_both: bool, is_common: bool, people: u64) {
        let people = people as f64;
        let among = left.iter().any(|&(own, _)| own);
        let best = left.iter().map(|&(_, likely)| likely).fold(0.0, f64::max);
        let alike = || left.iter().filter(|&&(_, likely)| likely >= best * ALIKE);
        let guessed = if left.is_empty() {
            f64::from(u8::from(is_common))
        } else {
            f64::from(u8::from(alike().any(|&(own, _)| own))) / alike().count() as f64
        };
        let if_so = |so: bool| if so { people } else { 0.0 };
        let (one, few) = (
            by_both && left.len() == 1,
            by_both && (1..=QUARTER).contains(&left.len()),
        );
        self.people += people;
        self.sums.claimed += if_so(one);
        self.sums.claimed_right += if_so(one && among);
        self.sums.quarter += if_so(few);
        self.sums.quarter_right += if_so(few && among);
        self.sums.guessed += guessed * people;
    }

    /// As shares.
    pub fn learnt(&self) -> LearntShares {
        let share = |sum: f64| sum / self.people.max(1.0);
        LearntShares {
            claimed: share(self.sums.claimed),
            claimed_right: share(self.sums.claimed_right),
            quarter: share(self.sums.quarter),
            quarter_right: share(self.sums.quarter_right),
            guessed: share(self.sums.guessed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Grouped, Noisy, NoisyReleaseKind};
    use super::super::{grouped, noisy};
    use super::*;
    use crate::data::PeopleRows;
    use mingle_dp::synthetic::Synthetic;
    use mingle_dp::{Content, PerPerson, Records};
    use mingle_privacy::{Insiders, M};

    fn draw() -> Draw {
        let data = PeopleRows::load(None, 4_000, 5)
            .unwrap()
            .without_hierarchies();
        Draw::new(&data, 4_000, 0, 0).unwrap()
    }

    fn noise(draw: &Draw, kind: NoisyReleaseKind, epsilon: &'static str) -> [Output; 2] {
        let how = Noisy {
            kind,
            epsilon,
            pure: false,
        };
        [PeoplePart::First, PeoplePart::Second]
            .map(|part| noisy::publish(draw.table(part, false), &how, None).unwrap())
    }

    /// Both tables as they are, passed off as made up.
    fn leaked(draw: &Draw) -> [Output; 2] {
        let mut releases = noise(draw, NoisyReleaseKind::Synthetic, "1");
        for (release, part) in releases
            .iter_mut()
            .zip([PeoplePart::First, PeoplePart::Second])
        {
            let table = draw.table(part, false);
            let (records, _) = Records::encode(&release.attributes, table, PerPerson::ONE).unwrap();
            let columns = (0..8).map(|at| records.column(at).to_vec()).collect();
            release.content = Content::Synthetic(Synthetic {
                columns,
                numbers: vec![None; 8],
                measured: Vec::new(),
            });
        }
        releases
    }

    #[test]
    fn people_in_published_tables_are_exposed_and_others_are_not() {
        let draw = draw();
        let [first, second] = &leaked(&draw);
        let found = of_noise(&draw, [first, second]).unwrap();
        assert!(
            found.both.claimed > 0.3 && found.both.claimed_right == found.both.claimed,
            "{found:?}"
        );
        assert_eq!(found.both.quarter_right, found.both.quarter);
        assert!(
            found.both.guessed > 0.5 && found.neither.guessed < 0.3,
            "{found:?}"
        );
        assert!(
            found.neither.claimed_right < found.neither.claimed / 2.0,
            "{found:?}"
        );
        assert_eq!(found.told, None);
    }

    #[test]
    fn noise_says_about_people_in_the_tables_what_it_says_about_others() {
        let draw = draw();
        for kind in [
            NoisyReleaseKind::Pairs,
            NoisyReleaseKind::Histogram,
            NoisyReleaseKind::Synthetic,
        ] {
            let [first, second] = &noise(&draw, kind, "0.1");
            let found = of_noise(&draw, [first, second]).unwrap();
            // of a thousand people each, five standard deviations of a difference are 10 percentage
            // points
            assert!(
                (found.both.guessed - found.neither.guessed).abs() < 0.1,
                "{} {found:?}",
                kind.name()
            );
            assert!(
                (found.both.claimed_right - found.neither.claimed_right).abs() < 0.1,
                "{} {found:?}",
                kind.name()
            );
        }
    }

    #[test]
    fn small_groups_say_more_about_their_own_people() {
        let draw = draw();
        let exposure = |k| {
            let how = Grouped {
                method: "mondrian",
                k,
                t: None,
                insiders: Insiders::victim(M(0)),
            };
            let release = |part| {
                grouped::publish(draw.table(part, false), &how, None)
                    .unwrap()
                    .unwrap()
            };
            let (first, second) = (release(PeoplePart::First), release(PeoplePart::Second));
            of_groups(&draw, [first.published(), second.published()], true).unwrap()
        };
        let [two, hundred] = [2, 100].map(exposure);
        assert!(
            two.told > Some(0.1) && two.told > hundred.told,
            "{two:?} {hundred:?}"
        );
        assert!(two.both.guessed > two.neither.guessed + 0.1, "{two:?}");
        assert!(
            hundred.both.guessed < two.both.guessed && hundred.both.claimed < two.both.claimed,
            "{hundred:?}"
        );
    }

    #[test]
    fn a_tally_counts_what_is_right() {
        let mut tally = PeopleFound::default();
        tally.count(&[(true, 1.0)], true, false, 1);
        tally.count(&[(false, 1.0)], true, true, 1);
        tally.count(&[(true, 0.5), (false, 0.5)], true, false, 2);
        tally.count(&[], true, true, 1);
        tally.count(&[(true, 1.0)], false, false, 1);
        tally.count(
            &[
                (true, 0.1),
                (false, 0.9),
                (false, 0.0),
                (false, 0.0),
                (false, 0.0),
            ],
            true,
            false,
            4,
        );
        let expected = LearntShares {
            claimed: 0.2,
            claimed_right: 0.1,
            quarter: 0.4,
            quarter_right: 0.3,
            guessed: 0.4,
        };
        assert_eq!(tally.learnt(), expected);
    }
}
