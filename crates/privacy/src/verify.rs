//! Verification: does what is promised hold for every published group, whoever colludes?
//!
//! The verifier sees only [`Published`], whose groups were formed from the published texts, and
//! compares with the distribution of the published rows themselves; what an anonymizer planned
//! plays no part. It decides for the outsider and for up to m insiders who take out their own rows
//! (see [`Insiders`]), always exactly, whatever strategy the anonymizer was told to use, and looks
//! whether the ends of published ranges give insiders a victim's value away ([`NarrowEnd`]). Not
//! protected here: against readers who lay several releases side by side.
//!
//! Cost O(entries log entries) for counting, and what the constraints need to decide; memory is
//! used again from group to group.

use crate::breach::{Attack, Breach};
use crate::constraint::{Check, Limit, outsider};
use crate::error::Error;
use crate::insiders::{Insiders, LabelPromise, M};
use crate::label_ends::{NarrowEnd, first_narrow_end};
use crate::people::Crowd;
use crate::reference::ReferenceTable;
use crate::requirement::Requirement;
use crate::rule::Promise;
use crate::shares::Shares;
use crate::strategy::smallest_coalition;
use crate::tally::Tally;
use mingle_model::{PersonRows, ProviderId, Published};
use std::fmt;

/// How far to look for coalitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Up to the stated m: enough for the verdict.
    Stated,
    /// Up to all providers but one: for the attack number.
    Everyone,
}

/// Decides every promise for every group.
pub fn verify(
    published: Published,
    promises: &[Promise],
    insiders: Insiders,
    reach: Reach,
) -> Result<Verification, Error> {
    if promises.is_empty() {
        return Err(Error::NothingPromised);
    }
    let requirement = match published.people() {
        None => Requirement::bind(promises, published.sensitive(), &distribution(&published)?)?,
        Some(people) => {
            insiders.check_promises(promises)?;
            let (sensitive, kinds) = (published.sensitive(), people.kinds());
            Requirement::bind_people(promises, sensitive, kinds, people.rows())?
        }
    };
    Ok(decide(published, requirement, insiders, reach))
}

/// Decides every promise for some of the groups of a table that nobody has whole in memory: each
/// group must be there with all of its rows, and is compared with the whole table.
///
/// Everything holds for the table if it holds for parts that have each of its groups once. No
/// promise about people who have several rows can be decided by parts: somebody may be in two.
pub fn verify_part(
    published: Published,
    promises: &[Promise],
    insiders: Insiders,
    whole: &ReferenceTable,
) -> Result<Verification, Error> {
    if promises.is_empty() {
        return Err(Error::NothingPromised);
    }
    if published.people().is_some() {
        return Err(Error::CountsPeople);
    }
    let requirement = whole.bind(promises)?;
    Ok(decide(published, requirement, insiders, Reach::Stated))
}

fn decide(
    published: Published,
    requirement: Requirement,
    insiders: Insiders,
    reach: Reach,
) -> Verification {
    let promises = requirement.promises().to_vec();
    let everyone = M((published.providers().len() as u64).saturating_sub(1));
    let most = if reach == Reach::Everyone {
        everyone.max(insiders.m)
    } else {
        insiders.m
    };
    let requirement = requirement.against(Insiders {
        m: most,
        ..insiders
    });
    let mut search = Search {
        requirement: &requirement,
        m: insiders.m,
        most,
        constraints: promises.iter().map(|_| Found::default()).collect(),
        sites: None,
        shares: Shares::default(),
    };
    let mut tally = Tally::default();
    for group in 0..published.groups() {
        match published.people() {
            None => requirement.tally_into(published.entries(group).iter().copied(), &mut tally),
            Some(people) => {
                let kinds = people.kinds_of(group);
                let own = kinds.map(|kind| (kind, people.kinds().get(kind).people));
                requirement.tally_kinds_into(own, &mut tally);
            }
        }
        search.sites(group, &tally, insiders.fewest_providers());
        search.group(group, &tally);
    }
    let Search {
        constraints, sites, ..
    } = search;
    let found = constraints
        .iter()
        .filter_map(|found| found.witness.as_ref())
        .map(|w| w.coalition.len() as u64)
        .min();
    let open = constraints.iter().any(|found| found.open) || (found.is_none() && most < everyone);
    Verification {
        records: published.rows(),
        verdicts: constraints
            .into_iter()
            .map(|found| found.verdict(insiders.m))
            .collect(),
        sites: (insiders.fewest_providers() > 1)
            .then(|| sites.map_or(Verdict::Holds, Verdict::Fails)),
        narrow_end: first_narrow_end(&published, insiders),
        foreign_label: first_foreign_label(&published, insiders),
        together: together(&published, promises.len()),
        published: Box::new(published),
        promises,
        insiders,
        attack: AttackNumber { found, open },
    }
}

/// A label that the policy does not fix, where only such labels are promised.
fn first_foreign_label(published: &Published, insiders: Insiders) -> Option<(usize, usize)> {
    match insiders.labels {
        LabelPromise::FewAttainNoEnd => None,
        LabelPromise::Public => published.first_label_outside_vocabulary(),
    }
}

/// What is known about a constraint so far.
#[derive(Default)]
struct Found {
    /// The smallest coalition, in the first group where one of this size succeeds.
    witness: Option<Witness>,
    /// Why some group could not be decided for the stated m.
    undecided: Option<Limit>,
    /// Whether a smaller coalition than the witness's may exist.
    open: bool,
}

impl Found {
    fn verdict(self, m: M) -> Verdict {
        match (self.witness, self.undecided) {
            (Some(witness), _) if witness.coalition.len() as u64 <= m.0 => Verdict::Fails(witness),
            (_, Some(limit)) => Verdict::Undecided(limit),
            _ => Verdict::Holds,
        }
    }

    /// How large a coalition would be worth finding; `None` when the outsider succeeds already.
    fn worth(&self, most: M) -> Option<M> {
        self.witness.as_ref().map_or(Some(most), |witness| {
            (witness.coalition.len() as u64).checked_sub(1).map(M)
        })
    }
}

struct Search<'a> {
    requirement: &'a Requirement,
    m: M,
    most: M,
    constraints: Vec<Found>,
    /// The first group with too few contributors.
    sites: Option<Witness>,
    shares: Shares,
}

impl Search<'_> {
    fn sites(&mut self, group: usize, tally: &Tally, fewest: u64) {
        if fewest > 1 && self.sites.is_none() && (tally.providers() as u64) < fewest {
            let constraint = self.requirement.promises().len();
            let breach = Breach::by_outsider(tally.size());
            self.sites = Some(self.witness(constraint, Insiders::SITE_DIVERSITY, group, breach));
        }
    }

    fn group(&mut self, group: usize, tally: &Tally) {
        if self.requirement.counts_people() {
            return self.group_of_people(group, tally);
        }
        let mut seen = None;
        for constraint in 0..self.constraints.len() {
            let Some(worth) = self.constraints[constraint].worth(self.most) else {
                continue;
            };
            match self.requirement.check(constraint, tally) {
                Check::Fails => self.add(
                    constraint,
                    group,
                    Attack::Breach(Breach::by_outsider(tally.size())),
                ),
                check if worth == M(0) => {
                    self.add(constraint, group, outsider(check, tally.size()))
                }
                _ => {
                    let attribute = self.requirement.attribute_of(constraint);
                    if seen.replace(attribute) != Some(attribute) {
                        self.shares.refill(tally, attribute);
                    }
                    self.attack(constraint, group, worth);
                }
            }
        }
    }

    fn group_of_people(&mut self, group: usize, tally: &Tally) {
        let mut seen: Option<(Option<usize>, Crowd)> = None;
        for constraint in 0..self.constraints.len() {
            let Some(worth) = self.constraints[constraint].worth(self.most) else {
                continue;
            };
            let attribute = self.requirement.attribute_of(constraint);
            let crowd = match seen.take() {
                Some((before, crowd)) if before == attribute => crowd,
                _ => {
                    let crowd = self.requirement.crowd(attribute, tally);
                    crowd.expect("the tally was made of kinds of people")
                }
            };
            self.attack_people(constraint, group, &crowd, worth);
            seen = Some((attribute, crowd));
        }
    }

    /// Like [`attack`](Search::attack), about people.
    fn attack_people(&mut self, constraint: usize, group: usize, crowd: &Crowd, worth: M) {
        let find = |m: M| {
            let requirement = self.requirement;
            requirement.smallest_coalition_of_people(constraint, crowd, m)
        };
        let (attack, sure) = find(worth);
        let beyond = match &attack {
            Attack::Breach(breach) => breach.coalition.len() as u64 > self.m.0,
            _ => worth > self.m,
        };
        let stated = (!sure && beyond).then(|| find(self.m).0);
        let mut found = Vec::new();
        match (attack, stated) {
            // what m can do decides whether the constraint is undecided
            (Attack::Undecided(_), Some(stated)) => found.push(stated),
            (attack, stated) => {
                found.push(attack);
                found.extend(stated);
            }
        }
        for attack in found {
            self.add_people(constraint, group, crowd, attack);
        }
        self.constraints[constraint].open |= !sure;
    }

    fn add_people(&mut self, constraint: usize, group: usize, crowd: &Crowd, attack: Attack) {
        match attack {
            Attack::Breach(breach) => {
                let members = breach.coalition.iter();
                let found = &mut self.constraints[constraint];
                found.witness = Some(Witness {
                    constraint,
                    name: self.requirement.promises()[constraint].name(),
                    group,
                    coalition: members.map(|&place| crowd.provider(place)).collect(),
                    records_left: breach.left,
                    people_left: breach.people_left,
                });
            }
            other => self.add(constraint, group, other),
        }
    }

    /// The smallest coalition within reach; where that is left open beyond the stated m, at least
    /// what m can do.
    fn attack(&mut self, constraint: usize, group: usize, worth: M) {
        let bound = self.requirement.constraint(constraint);
        let (attack, sure) = smallest_coalition(bound, &self.shares, worth);
        let beyond = |attack: &Attack| match attack {
            Attack::Breach(breach) => breach.coalition.len() as u64 > self.m.0,
            _ => worth > self.m,
        };
        let stated =
            (!sure && beyond(&attack)).then(|| smallest_coalition(bound, &self.shares, self.m).0);
        match (attack, &stated) {
            // what m can do decides whether the constraint is undecided
            (Attack::Undecided(_), Some(_)) => self.constraints[constraint].open = true,
            (attack, _) => self.add(constraint, group, attack),
        }
        stated
            .into_iter()
            .for_each(|attack| self.add(constraint, group, attack));
        self.constraints[constraint].open |= !sure;
    }

    fn add(&mut self, constraint: usize, group: usize, attack: Attack) {
        let name = self.requirement.promises()[constraint].name();
        match attack {
            Attack::Withstood => {}
            Attack::Breach(breach) => {
                let witness = self.witness(constraint, name, group, breach);
                self.constraints[constraint].witness = Some(witness);
            }
            Attack::Undecided(limit) => {
                let found = &mut self.constraints[constraint];
                found.open = true;
                found.undecided = found.undecided.or(Some(limit));
            }
        }
    }

    fn witness(
        &self,
        constraint: usize,
        name: &'static str,
        group: usize,
        breach: Breach,
    ) -> Witness {
        let coalition = breach
            .coalition
            .iter()
            .map(|&place| self.shares.provider(place))
            .collect();
        Witness {
            constraint,
            name,
            group,
            coalition,
            records_left: breach.left,
            people_left: breach.people_left,
        }
    }
}

/// Whether everybody's rows are in one group, where that is asked.
fn together(published: &Published, constraint: usize) -> Option<Verdict> {
    let people = published.people()?;
    if people.rows() == PersonRows::Apart {
        return None;
    }
    let Some(group) = people.first_split() else {
        return Some(Verdict::Holds);
    };
    Some(Verdict::Fails(Witness {
        constraint,
        name: Verification::ROWS_TOGETHER,
        group,
        coalition: Vec::new(),
        records_left: published.size(group),
        people_left: Some(people.size(group)),
    }))
}

/// How often each combination of sensitive values is published.
fn distribution(published: &Published) -> Result<Vec<u64>, Error> {
    // without sensitive columns there is one combination, the empty one
    let combinations = published
        .sensitive()
        .first()
        .map_or(1, |column| column.codes.len());
    let mut counts = vec![0u64; combinations];
    for entry in (0..published.groups()).flat_map(|group| published.entries(group)) {
        let count = &mut counts[entry.sensitive as usize];
        *count = count.checked_add(entry.count).ok_or(Error::TooManyRows)?;
    }
    Ok(counts)
}

/// What verification found out about a constraint, or about all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It holds for every group.
    Holds,
    /// It fails for some group.
    Fails(Witness),
    /// It fails for no group, but could not be decided for some. Publishing treats this as a
    /// failure.
    Undecided(Limit),
}

/// A group for which a constraint fails, and who could make use of it. Never a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The constraint's place in the policy.
    pub constraint: usize,
    /// Its name.
    pub name: &'static str,
    /// The group's place in published order.
    pub group: usize,
    /// The providers who take out their own records, in order of their names; nobody for the
    /// outsider.
    pub coalition: Vec<ProviderId>,
    /// How many records of the group are then left: those of the others, and of the coalition's own
    /// those that it leaves in because they help.
    pub records_left: u64,
    /// How many people are then left, where people may have several rows.
    pub people_left: Option<u64>,
}

impl Verdict {
    /// The word used in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Fails(_) => "fails",
            Verdict::Undecided(_) => "undecided",
        }
    }
}

/// What is published, what is promised about it, and what is true.
pub struct Verification {
    published: Box<Published>,
    promises: Vec<Promise>,
    verdicts: Vec<Verdict>,
    /// Whether groups have enough contributors, where that is asked.
    sites: Option<Verdict>,
    /// Whether everybody's rows are in one group, where people have several and that is asked.
    together: Option<Verdict>,
    /// An end of a label that gives insiders a victim's value away.
    narrow_end: Option<NarrowEnd>,
    /// The group and column of a label that the policy does not fix, where only such labels are promised.
    foreign_label: Option<(usize, usize)>,
    insiders: Insiders,
    attack: AttackNumber,
    records: u64,
}

/// The size of the smallest coalition that breaches some group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AttackNumber {
    /// The smallest that was found, 0 for the outsider.
    pub found: Option<u64>,
    /// Whether a smaller one, or one at all, may exist that was not found: a search was cut short,
    /// or did not look as far.
    pub open: bool,
}

impl Verification {
    /// The name of the promise that everybody's rows are in one group.
    pub const ROWS_TOGETHER: &str = "rows-together";

    /// Whether everybody's rows are in one group; `None` where each row is one person, or where that is
    /// not asked.
    pub fn rows_together(&self) -> Option<&Verdict> {
        self.together.as_ref()
    }

    /// A verdict for each constraint, in the policy's order.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// Whether groups have as many contributors as strict semantics asks for; `None` where it does
    /// not ask.
    pub fn site_diversity(&self) -> Option<&Verdict> {
        self.sites.as_ref()
    }

    /// An end of a range that insiders can pin on a victim, where the table was made from a
    /// partition. Then nothing is released, whatever the verdicts on counts.
    pub fn narrow_end(&self) -> Option<NarrowEnd> {
        self.narrow_end
    }

    /// The group and the quasi-identifier, by their places, of a label that the policy does not fix, where
    /// public labels are promised and the table was made from a partition. Then nothing is released.
    pub fn foreign_label(&self) -> Option<(usize, usize)> {
        self.foreign_label
    }

    /// Against whom everything was verified.
    pub fn insiders(&self) -> Insiders {
        self.insiders
    }

    /// The size of the smallest coalition that breaches a constraint, as far as was looked.
    pub fn attack_number(&self) -> AttackNumber {
        self.attack
    }

    /// All promises together: a failure with the smallest coalition, else undecided if any is, else
    /// holds.
    ///
    /// Among coalitions of equal size the first constraint of the policy wins, then the first group
    /// as published. Too few contributors come last: nobody needs to collude to make use of that,
    /// but nobody's record is told by it.
    pub fn verdict(&self) -> &Verdict {
        let all = || {
            self.verdicts
                .iter()
                .chain(&self.sites)
                .chain(&self.together)
        };
        let size = |verdict: &Verdict| match verdict {
            Verdict::Fails(w) => Some((w.constraint == self.verdicts.len(), w.coalition.len())),
            _ => None,
        };
        let worst = all().filter(|v| size(v).is_some()).min_by_key(|v| size(v));
        worst
            .or_else(|| all().find(|v| matches!(v, Verdict::Undecided(_))))
            .unwrap_or(&Verdict::Holds)
    }

    /// The failure that [`verdict`](Verification::verdict) is about.
    pub fn witness(&self) -> Option<&Witness> {
        if let Verdict::Fails(witness) = self.verdict() {
            Some(witness)
        } else {
            None
        }
    }

    /// What was verified.
    pub fn published(&self) -> &Published {
        &self.published
    }

    /// What was promised, in the policy's order.
    pub fn promises(&self) -> &[Promise] {
        &self.promises
    }

    /// How many groups were verified.
    pub fn groups(&self) -> usize {
        self.published.groups()
    }

    /// How many rows they have.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// How many providers took part.
    pub fn providers(&self) -> usize {
        self.published.providers().len()
    }

    /// The licence to release, if everything holds and no label gives a victim's value away; the
    /// verification itself otherwise. Undecided is no.
    pub fn into_verified(self) -> Result<Verified, Box<Verification>> {
        let labels_hold = self.narrow_end.is_none() && self.foreign_label.is_none();
        if *self.verdict() == Verdict::Holds && labels_hold {
            Ok(Verified { verification: self })
        } else {
            Err(Box::new(self))
        }
    }
}

impl fmt::Debug for Verification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verification")
            .field("promises", &self.promises)
            .field("verdicts", &self.verdicts)
            .finish_non_exhaustive()
    }
}

/// A published table of which everything that was promised holds: the only thing that can be
/// released.
///
/// Only [`Verification::into_verified`] makes one.
///
/// ```compile_fail,E0451
/// fn forge(verification: mingle_privacy::Verification) -> mingle_privacy::Verified {
///     mingle_privacy::Verified { verification }
/// }
/// ```
pub struct Verified {
    verification: Verification,
}

impl Verified {
    /// The table.
    pub fn published(&self) -> &Published {
        self.verification.published()
    }

    /// What holds of it, in the policy's order.
    pub fn promises(&self) -> &[Promise] {
        self.verification.promises()
    }

    /// How it was verified.
    pub fn verification(&self) -> &Verification {
        &self.verification
    }
}

impl fmt::Debug for Verified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verified")
            .field("promises", &self.promises())
            .finish_non_exhaustive()
    }
}
