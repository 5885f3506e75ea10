//! Small groups with providers, the definition of m-privacy played out row by row, and a judge of
//! decisions.

use crate::common::{Instance, ratio, rng};
use mingle_model::{Domain, Entry, ProviderId};
use mingle_privacy::oracle::{self, Row};
use mingle_privacy::{
    Attribute, Breach, Decision, Distance, Insiders, K, L, M, Promise, Ratio, Requirement, Rule,
    Tally,
};
use rand::{Rng, RngExt};
use std::cell::RefCell;
use std::collections::HashMap;

/// What a requirement is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    KAnonymity,
    Distinct,
    MaxFrequency,
    Recursive,
    Entropy,
    T(Distance),
    /// k-anonymity and distinct values of one or several attributes, or of all together.
    Monotone,
    /// Two or three of anything.
    Any,
}

pub const KINDS: [Kind; 10] = [
    Kind::KAnonymity,
    Kind::Distinct,
    Kind::MaxFrequency,
    Kind::Recursive,
    Kind::Entropy,
    Kind::T(Distance::Equal),
    Kind::T(Distance::Ordered),
    Kind::T(Distance::Hierarchical),
    Kind::Monotone,
    Kind::Any,
];

impl Kind {
    pub fn group_monotone(self) -> bool {
        matches!(self, Kind::KAnonymity | Kind::Distinct | Kind::Monotone)
    }

    fn seed(self) -> u64 {
        KINDS.iter().position(|&kind| kind == self).unwrap() as u64
    }
}

/// How often each combination of sensitive values occurs.
type Vector = Vec<u64>;

/// Sensitive columns, a table and promises; remembers what the oracle said.
pub struct Setting {
    pub instance: Instance,
    pub promises: Vec<Promise>,
    /// The same with parameters a trifle beyond: a verdict that changes was a tie.
    nudged: Vec<Promise>,
    table: Vec<Row>,
    said: RefCell<HashMap<(usize, u64), bool>>,
}

impl Setting {
    pub fn random(kind: Kind, rng: &mut impl Rng) -> Setting {
        loop {
            let mut instance = Instance::random(rng);
            instance.table.iter_mut().for_each(|n| *n %= 4);
            instance.table[0] += 1;
            let promises: Option<Vec<Promise>> = parts(kind, rng)
                .iter()
                .map(|&p| promise(p, &instance, rng))
                .collect();
            if let Some(promises) = promises {
                return Setting::new(instance, promises);
            }
        }
    }

    pub fn new(instance: Instance, promises: Vec<Promise>) -> Setting {
        let nudged = promises.iter().map(nudge).collect();
        let table = instance.rows(&instance.table);
        Setting {
            instance,
            promises,
            nudged,
            table,
            said: RefCell::default(),
        }
    }

    pub fn requirement(&self, m: u64) -> Requirement {
        let requirement = Requirement::bind(
            &self.promises,
            &self.instance.sensitive,
            &self.instance.table,
        )
        .unwrap();
        requirement.against(Insiders::victim(M(m)))
    }

    /// The oracle's word; promises beyond the last are the nudged ones.
    fn holds(&self, promise: usize, rows: &[u64]) -> bool {
        let key = rows.iter().fold(0u64, |key, &n| key << 4 | n);
        *self
            .said
            .borrow_mut()
            .entry((promise, key))
            .or_insert_with(|| {
                let promise = self
                    .promises
                    .iter()
                    .chain(&self.nudged)
                    .nth(promise)
                    .unwrap();
                oracle::holds(
                    promise,
                    &self.instance.sensitive,
                    &self.instance.rows(rows),
                    &self.table,
                )
            })
    }
}

/// The kinds of the constraints of a conjunction.
fn parts(kind: Kind, rng: &mut impl Rng) -> Vec<Kind> {
    let mut parts = match kind {
        Kind::Monotone => (0..rng.random_range(1..=2))
            .map(|_| Kind::Distinct)
            .chain([Kind::KAnonymity])
            .collect(),
        Kind::Any => (0..rng.random_range(2..=3))
            .map(|_| KINDS[rng.random_range(0..8)])
            .collect(),
        single => vec![single],
    };
    let turn = rng.random_range(0..parts.len());
    parts.rotate_left(turn);
    parts
}

fn promise(kind: Kind, instance: &Instance, rng: &mut impl Rng) -> Option<Promise> {
    let some = |rng: &mut dyn Rng| match rng.random_range(0..4) {
        0 => Attribute::Joint,
        _ => Attribute::Column(rng.random_range(0..instance.sensitive.len())),
    };
    let with = |fits: fn(&Domain) -> bool| {
        (0..instance.sensitive.len())
            .find(|&c| fits(&instance.sensitive[c].domain))
            .map(Attribute::Column)
    };
    let fraction = |rng: &mut dyn Rng, most: u64| {
        let denominator = rng.random_range(1..=6);
        ratio(rng.random_range(1..=most * denominator), denominator)
    };
    let (rule, attribute) = match kind {
        Kind::KAnonymity => (Rule::k_anonymity(K(rng.random_range(1..=6))), None),
        Kind::Distinct => (
            Rule::distinct_diversity(L(rng.random_range(1..=3))),
            Some(some(rng)),
        ),
        Kind::MaxFrequency => {
            let parts: u64 = rng.random_range(2..=5);
            let max = ratio(rng.random_range(parts.div_ceil(2)..=parts), parts);
            (Rule::max_frequency(max), Some(some(rng)))
        }
        Kind::Recursive => {
            let l = rng.random_range(1..=3);
            // whole numbers for ties
            let c = if rng.random_bool(0.5) {
                ratio(rng.random_range(1..=3), 1)
            } else {
                fraction(rng, 4)
            };
            (Rule::recursive_diversity(c, L(l)), Some(some(rng)))
        }
        Kind::Entropy => {
            let l = [
                ratio(1, 1),
                ratio(2, 1),
                ratio(3, 2),
                ratio(3, 1),
                ratio(4, 1),
                ratio(11, 7),
            ];
            (
                Rule::entropy_diversity(l[rng.random_range(0..l.len())]),
                Some(some(rng)),
            )
        }
        Kind::T(distance) => {
            let attribute = match distance {
                Distance::Equal => some(rng),
                Distance::Ordered => with(Domain::is_ordered)?,
                Distance::Hierarchical => with(|domain| domain.hierarchy().is_some())?,
            };
            (
                Rule::t_closeness(near_distance(attribute, distance, instance, rng), distance),
                Some(attribute),
            )
        }
        Kind::Monotone | Kind::Any => unreachable!(),
    };
    Some(Promise { rule, attribute })
}

/// The distance of some small set of rows.
fn near_distance(
    attribute: Attribute,
    distance: Distance,
    instance: &Instance,
    rng: &mut impl Rng,
) -> Ratio {
    let mut rows = vec![0; instance.table.len()];
    for _ in 0..rng.random_range(1..=4) {
        rows[rng.random_range(0..instance.table.len())] += 1;
    }
    let (group, table) = (instance.rows(&rows), instance.rows(&instance.table));
    match oracle::distance(attribute, distance, &instance.sensitive, &group, &table) {
        Some((cost, unit)) => ratio(u64::try_from(cost).unwrap(), u64::try_from(unit).unwrap()),
        None => ratio(1, 3),
    }
}

/// One row or value more, or a parameter so little stricter, or looser where equality fails, that
/// only ties notice.
fn nudge(promise: &Promise) -> Promise {
    let fine = 1_000_000;
    let by = |r: Ratio, trifle: i64| {
        ratio(
            (r.numerator() * fine).saturating_add_signed(trifle),
            r.denominator() * fine,
        )
    };
    let old = promise.rule;
    let rule = if let Some(K(k)) = old.as_k_anonymity() {
        Rule::k_anonymity(K(k + 1))
    } else if let Some(L(l)) = old.as_distinct_diversity() {
        Rule::distinct_diversity(L(l + 1))
    } else if let Some(l) = old.as_entropy_diversity() {
        Rule::entropy_diversity(by(l, 1))
    } else if let Some((c, l)) = old.as_recursive_diversity() {
        Rule::recursive_diversity(by(c, 1), l)
    } else if let Some(max) = old.as_max_frequency() {
        Rule::max_frequency(by(max, -1))
    } else {
        let (max, distance) = old.as_t_closeness().unwrap();
        Rule::t_closeness(by(max, -1), distance)
    };
    Promise { rule, ..*promise }
}

/// Who contributed what; only contributors, ascending.
pub struct Group {
    pub providers: Vec<(u32, Vector)>,
}

impl Group {
    pub fn random(combinations: usize, rng: &mut impl Rng) -> Group {
        let rows = rng.random_range(1..=7);
        let providers = rng.random_range(1..=6);
        let alike = rng.random_bool(0.3);
        let mut held = vec![vec![0; combinations]; 9];
        for row in 0..rows {
            let provider = if alike {
                row % providers
            } else {
                rng.random_range(0..providers)
            };
            // numbers with gaps: a place is not a name
            held[(provider * 4) % 9][rng.random_range(0..combinations)] += 1;
        }
        let contributors = (0u32..)
            .zip(held)
            .filter(|(_, rows)| rows.iter().any(|&n| n > 0));
        Group {
            providers: contributors.collect(),
        }
    }

    pub fn total(&self) -> Vector {
        self.sum(|_| true)
    }

    /// The rows of some of the providers.
    pub fn sum(&self, chosen: impl Fn(usize) -> bool) -> Vector {
        let mut total = vec![0; self.providers[0].1.len()];
        for (_, (_, rows)) in self
            .providers
            .iter()
            .enumerate()
            .filter(|&(place, _)| chosen(place))
        {
            total.iter_mut().zip(rows).for_each(|(sum, n)| *sum += n);
        }
        total
    }

    pub fn tally(&self, requirement: &Requirement) -> Tally {
        let entry = |provider: u32, sensitive: usize, count: u64| Entry {
            provider: ProviderId(provider),
            sensitive: sensitive as u32,
            count,
        };
        let of = |(id, rows): &(u32, Vector)| -> Vec<Entry> {
            rows.iter()
                .enumerate()
                .filter(|r| *r.1 > 0)
                .map(|(s, &n)| entry(*id, s, n))
                .collect()
        };
        let rows: Vec<Entry> = self.providers.iter().flat_map(of).collect();
        requirement.tally(rows.iter().copied())
    }

    /// Whether some set of rows between what a coalition leaves and all is accepted.
    pub fn any_subset(
        &self,
        coalition: impl Fn(usize) -> bool,
        accepted: impl Fn(&[u64]) -> bool,
    ) -> bool {
        let (least, all) = (self.sum(|place| !coalition(place)), self.total());
        let mut rows = least.clone();
        loop {
            if accepted(&rows) {
                return true;
            }
            let Some(grows) = (0..rows.len()).find(|&s| rows[s] < all[s]) else {
                return false;
            };
            rows[grows] += 1;
            rows[..grows].copy_from_slice(&least[..grows]);
        }
    }
}

/// A group in a setting, and what the definition says about it.
pub struct Case<'a> {
    pub setting: &'a Setting,
    pub group: Group,
    pub requirement: &'a Requirement,
    pub tally: Tally,
    /// The size of the smallest coalition that breaches.
    pub attack: Option<usize>,
    /// For the nudged promises.
    nudged: Option<usize>,
}

impl<'a> Case<'a> {
    pub fn new(setting: &'a Setting, requirement: &'a Requirement, group: Group) -> Case<'a> {
        let n = setting.promises.len();
        let attack = attack_number(&group, |rows| (0..n).all(|p| setting.holds(p, rows)));
        let nudged = attack_number(&group, |rows| (n..2 * n).all(|p| setting.holds(p, rows)));
        Case {
            tally: group.tally(requirement),
            setting,
            group,
            requirement,
            attack,
            nudged,
        }
    }

    pub fn breached(&self, m: u64) -> bool {
        self.attack.is_some_and(|size| size as u64 <= m)
    }

    fn tie(&self, m: u64) -> bool {
        self.nudged.is_some_and(|size| size as u64 <= m) != self.breached(m)
    }

    /// Whether what is left of the group without a coalition, given as bits, breaks some promise.
    pub fn fails_without(&self, coalition: u32) -> bool {
        let left = self.group.sum(|place| coalition >> place & 1 == 0);
        (0..self.setting.promises.len()).any(|promise| !self.setting.holds(promise, &left))
    }

    /// What is wrong with a decision.
    pub fn fault(&self, m: u64, decision: &Decision) -> Option<&'static str> {
        match decision {
            Decision::Undecided(_) => Some("undecided"),
            Decision::Holds => self.breached(m).then_some("a breach was missed"),
            Decision::Breach(..) if !self.breached(m) => Some("there is no breach"),
            Decision::Breach(at, breach) => self.witness_fault(m, *at, breach),
        }
    }

    fn witness_fault(&self, m: u64, at: usize, breach: &Breach) -> Option<&'static str> {
        let (n, coalition) = (self.group.providers.len(), &breach.coalition);
        let fails =
            |rows: &[u64]| rows.iter().sum::<u64>() == breach.left && !self.setting.holds(at, rows);
        if coalition.len() as u64 > m || coalition.len() >= n {
            Some("the coalition is too large")
        } else if !coalition.is_sorted_by(|a, b| a < b) || coalition.iter().any(|&place| place >= n)
        {
            Some("the coalition is no ascending list of places")
        } else if at >= self.setting.promises.len() {
            Some("there is no such constraint")
        } else if !self
            .group
            .any_subset(|place| coalition.contains(&place), fails)
        {
            Some("no such set of rows breaks the constraint")
        } else {
            None
        }
    }

    /// What is wrong, beyond that, when a coalition takes out all of its rows and constraints are
    /// asked in order.
    pub fn remainder_fault(&self, decision: &Decision) -> Option<&'static str> {
        let Decision::Breach(at, breach) = decision else {
            return None;
        };
        let left = self.group.sum(|place| !breach.coalition.contains(&place));
        let first = (0..self.setting.promises.len()).find(|&p| !self.setting.holds(p, &left));
        if left.iter().sum::<u64>() != breach.left {
            Some("not all rows of the coalition were taken out")
        } else {
            (first != Some(*at)).then_some("not the first constraint that fails")
        }
    }

    /// What is wrong, beyond that, when a coalition should be one of the smallest.
    pub fn size_fault(&self, decision: &Decision) -> Option<&'static str> {
        let Decision::Breach(_, breach) = decision else {
            return None;
        };
        (Some(breach.coalition.len()) != self.attack)
            .then_some("a smaller coalition breaches as well")
    }
}

/// The definition: the smallest coalition, leaving out a contributor, that reaches a set of rows
/// that is not private.
fn attack_number(group: &Group, private: impl Fn(&[u64]) -> bool) -> Option<usize> {
    let n = group.providers.len();
    let of_size =
        |size: usize| (0u32..(1 << n) - 1).filter(move |set| set.count_ones() as usize == size);
    let breaches =
        |set: u32| group.any_subset(|place| set >> place & 1 == 1, |rows| !private(rows));
    (0..n).find(|&size| of_size(size).any(breaches))
}

/// How often what came about.
#[derive(Default, Debug)]
pub struct Outcome {
    pub groups: usize,
    pub holds: usize,
    pub fails: usize,
    /// A parameter a trifle beyond would change the verdict.
    pub ties: usize,
}

/// Visits `n` random groups in a hundred settings, each with some number of insiders around the
/// attack number.
pub fn visit(kind: Kind, n: usize, mut visitor: impl FnMut(&Case, u64)) -> Outcome {
    let mut rng = rng(0x696e + kind.seed());
    let mut outcome = Outcome::default();
    while outcome.groups < n {
        let setting = Setting::random(kind, &mut rng);
        let requirement = setting.requirement(1);
        for _ in 0..(n / 100).max(1) {
            let case = Case::new(
                &setting,
                &requirement,
                Group::random(setting.instance.table.len(), &mut rng),
            );
            let m = match (case.attack, rng.random_range(0..3)) {
                (Some(attack), 0) => attack as u64,
                (Some(attack), 1) => (attack as u64).saturating_sub(1),
                _ => rng.random_range(0..7),
            };
            visitor(&case, m);
            outcome.groups += 1;
            outcome.ties += usize::from(case.tie(m));
            *(if case.breached(m) {
                &mut outcome.fails
            } else {
                &mut outcome.holds
            }) += 1;
        }
    }
    outcome
}
