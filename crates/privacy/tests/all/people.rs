//! People with several rows against the definition: every coalition, every set of people it may leave
//! out, every set of values.
//!
//! `MINGLE_PEOPLE_CASES` says how many groups of each kind are generated; 20,000 is the campaign.

use crate::common::{Instance, ratio, rng};
use mingle_model::{Entry, Kinds, PersonRows, ProviderId, SensitiveColumn};
use mingle_privacy::oracle::people::{OraclePerson, OracleQuestion, OracleRow, surely_marked};
use mingle_privacy::{
    Attribute, Check, Decision, Distance, Error, Insiders, K, Knows, L, M, Promise, Requirement,
    Rule, Strategy, Tally,
};
use rand::{Rng, RngExt};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sort {
    KAnonymity,
    Dominance,
    Distinct,
    MaxFrequency,
    Entropy,
    Recursive,
    T(Distance),
}

/// A person: combination of sensitive values and provider of each row.
type Visits = Vec<(u32, u32)>;

struct Case {
    sensitive: Vec<SensitiveColumn>,
    group: Vec<Visits>,
    others: Vec<Visits>,
}

/// How large generated groups are.
#[derive(Clone, Copy)]
struct Size {
    people: usize,
    rows: usize,
    providers: u32,
}

impl Case {
    fn random(rng: &mut impl Rng, size: Size) -> Case {
        let sensitive = Instance::random(rng).sensitive;
        let combinations = sensitive[0].codes.len() as u32;
        // few values make promises fail and hold by turns
        let used = rng
            .random_range(1..=combinations.min(5))
            .min(rng.random_range(2..=5));
        let providers = rng.random_range(1..=size.providers);
        let sharing = [0.0, 0.2, 0.6][rng.random_range(0..3)];
        let person = |rng: &mut _, most: usize| person(rng, used, providers, sharing, most);
        let people = rng.random_range(1..=size.people);
        let group = (0..people).map(|_| person(rng, size.rows)).collect();
        let others = (0..rng.random_range(0..3))
            .map(|_| person(rng, size.rows))
            .collect();
        Case {
            sensitive,
            group,
            others,
        }
    }

    fn oracle_people(&self, people: &[Visits]) -> Vec<OraclePerson> {
        let row = |&(combination, provider): &(u32, u32)| OracleRow {
            values: self
                .sensitive
                .iter()
                .map(|c| c.codes.get(combination as usize))
                .collect(),
            provider,
        };
        let person = |visits: &Visits| OraclePerson {
            rows: visits.iter().map(row).collect(),
            elsewhere: Vec::new(),
        };
        people.iter().map(person).collect()
    }

    fn kinds(&self) -> Kinds {
        let mut kinds = Kinds::default();
        for visits in self.group.iter().chain(&self.others) {
            let entries = visits.iter().map(|&(sensitive, provider)| Entry {
                sensitive,
                provider: ProviderId(provider),
                count: 1,
            });
            kinds.push(1, entries, std::iter::empty());
        }
        kinds
    }

    fn requirement(&self, promise: &Promise, insiders: Insiders) -> Requirement {
        let rows = PersonRows::Together;
        Requirement::bind_people(&[*promise], &self.sensitive, &self.kinds(), rows)
            .unwrap()
            .against(insiders)
    }

    fn tally(&self, requirement: &Requirement) -> Tally {
        requirement.tally_kinds((0..self.group.len()).map(|kind| (kind, 1)))
    }

    fn fast(&self, promise: &Promise, insiders: Insiders) -> Decision {
        let requirement = self.requirement(promise, insiders);
        let tally = self.tally(&requirement);
        let (decision, sure) = requirement.smallest_breach(&tally, insiders.m);
        assert!(sure || matches!(decision, Decision::Undecided(_)));
        let holds = requirement.holds(&tally);
        assert_eq!(
            holds,
            decision == Decision::Holds,
            "holds and smallest breach disagree"
        );
        let outsider = matches!(&decision, Decision::Breach(_, b) if b.coalition.is_empty());
        if !matches!(decision, Decision::Undecided(_)) {
            assert_eq!(requirement.check(0, &tally) == Check::Fails, outsider);
        }
        decision
    }

    fn slow(&self, promise: &Promise, insiders: Insiders) -> Option<usize> {
        let (group, others) = (
            self.oracle_people(&self.group),
            self.oracle_people(&self.others),
        );
        let table = [group.clone(), others].concat();
        let question = OracleQuestion {
            promise,
            sensitive: &self.sensitive,
            table: &table,
            knows: insiders.knows,
        };
        question.smallest_breach(&group, insiders.m.0 as usize)
    }

    fn promise(&self, sort: Sort, rng: &mut impl Rng) -> Option<Promise> {
        let share = |rng: &mut _, least: u64| {
            let unit = uniform(rng, 2, 7);
            ratio(uniform(rng, least, unit + 1), unit)
        };
        let rule = match sort {
            Sort::KAnonymity => Rule::k_anonymity(K(uniform(rng, 1, 5))),
            Sort::Dominance => Rule::max_share_of_rows(share(rng, 1)),
            Sort::Distinct => Rule::distinct_diversity(L(uniform(rng, 1, 5))),
            Sort::MaxFrequency => Rule::max_frequency(share(rng, 1)),
            // just above 1 it is the weights that decide, and above that the hitting number
            Sort::Entropy if rng.random_bool(0.6) => {
                Rule::entropy_diversity(ratio(uniform(rng, 20, 40), 20))
            }
            Sort::Entropy => Rule::entropy_diversity(ratio(uniform(rng, 4, 13), 4)),
            Sort::Recursive => {
                let c = ratio(uniform(rng, 1, 9), uniform(rng, 1, 4));
                Rule::recursive_diversity(c, L(uniform(rng, 1, 4)))
            }
            Sort::T(distance) => Rule::t_closeness(share(rng, 0), distance),
        };
        if matches!(sort, Sort::KAnonymity | Sort::Dominance) {
            let attribute = None;
            return Some(Promise { rule, attribute });
        }
        let column = rng.random_range(0..self.sensitive.len());
        let domain = &self.sensitive[column].domain;
        let fits = match sort {
            Sort::T(Distance::Ordered) => domain.is_ordered(),
            Sort::T(Distance::Hierarchical) => domain.hierarchy().is_some(),
            _ => true,
        };
        let single = matches!(sort, Sort::T(Distance::Ordered | Distance::Hierarchical));
        let attribute = if !single && rng.random_bool(0.2) {
            Attribute::Joint
        } else if fits {
            Attribute::Column(column)
        } else {
            return None;
        };
        Some(Promise {
            rule,
            attribute: Some(attribute),
        })
    }
}

fn uniform(rng: &mut impl Rng, from: u64, to: u64) -> u64 {
    rng.random_range(from..to)
}

fn person(rng: &mut impl Rng, used: u32, providers: u32, sharing: f64, most: usize) -> Visits {
    let home = rng.random_range(0..providers);
    let rows = rng.random_range(1..=most);
    let favourite = rng.random_range(0..used);
    let mut visits = Vec::new();
    for _ in 0..rows {
        let shared = rng.random_bool(sharing);
        let provider = if shared {
            rng.random_range(0..providers)
        } else {
            home
        };
        let usual = rng.random_bool(0.4);
        let value = if usual {
            favourite
        } else {
            rng.random_range(0..used)
        };
        visits.push((value, provider));
    }
    visits
}

fn cases() -> u64 {
    let wanted = std::env::var("MINGLE_PEOPLE_CASES").ok();
    wanted.and_then(|cases| cases.parse().ok()).unwrap_or(2_500)
}

/// Compares, and insists that promises held and failed by turns, by outsiders and by coalitions.
fn compare(sort: Sort, knows: Knows, size: Size) {
    let mut rng = rng(sort_seed(sort) + knows as u64);
    let mut seen = [0u64; 4];
    let mut done = 0;
    let mut seed = 0;
    while done < cases() {
        seed += 1;
        let case = Case::random(&mut rng, size);
        let Some(promise) = case.promise(sort, &mut rng) else {
            continue;
        };
        done += 1;
        let m = M(rng.random_range(0..=3));
        let insiders = Insiders::victim(m).knowing(knows);
        let slow = case.slow(&promise, insiders);
        let fast = match case.fast(&promise, insiders) {
            Decision::Holds => None,
            Decision::Breach(_, breach) => {
                let people = case.oracle_people(&case.group);
                let coalition: Vec<u32> = providers(&case, &breach.coalition);
                let table = [people.clone(), case.oracle_people(&case.others)].concat();
                let question = OracleQuestion {
                    promise: &promise,
                    sensitive: &case.sensitive,
                    table: &table,
                    knows,
                };
                assert!(
                    question.breached_by(&people, &coalition),
                    "{seed} {promise:?}"
                );
                assert!(breach.people_left.is_some_and(|left| left > 0));
                Some(breach.coalition.len())
            }
            Decision::Undecided(limit) => panic!("{sort:?} {seed} undecided: {limit:?}"),
        };
        assert_eq!(
            fast, slow,
            "{sort:?} {knows:?} {m:?} {promise:?} group {:?} others {:?}",
            case.group, case.others
        );
        let place = match slow {
            None if m.0 > 0 => 0,
            None => 1,
            Some(0) => 2,
            Some(_) => 3,
        };
        seen[place] += 1;
    }
    assert!(
        seen.iter().all(|&n| n * 100 >= cases()),
        "{sort:?} {knows:?}: {seen:?}"
    );
}

fn sort_seed(sort: Sort) -> u64 {
    1_000
        + 10 * match sort {
            Sort::KAnonymity => 0,
            Sort::Dominance => 1,
            Sort::Distinct => 2,
            Sort::MaxFrequency => 3,
            Sort::Entropy => 4,
            Sort::Recursive => 5,
            Sort::T(Distance::Equal) => 6,
            Sort::T(Distance::Ordered) => 7,
            Sort::T(Distance::Hierarchical) => 8,
        }
}

/// Places among the group's providers as providers.
fn providers(case: &Case, places: &[usize]) -> Vec<u32> {
    let mut all: Vec<u32> = case.group.iter().flatten().map(|visit| visit.1).collect();
    all.sort_unstable();
    all.dedup();
    places.iter().map(|&place| all[place]).collect()
}

const PEOPLE: Size = Size {
    people: 6,
    rows: 3,
    providers: 5,
};
const ROWS: Size = Size {
    people: 5,
    rows: 2,
    providers: 4,
};

#[test]
fn k_of_people() {
    compare(Sort::KAnonymity, Knows::People, PEOPLE);
    compare(Sort::KAnonymity, Knows::Rows, ROWS);
}

#[test]
fn dominance() {
    compare(Sort::Dominance, Knows::People, PEOPLE);
    compare(Sort::Dominance, Knows::Rows, ROWS);
}

#[test]
fn distinct_values_of_people() {
    compare(Sort::Distinct, Knows::People, PEOPLE);
    compare(Sort::Distinct, Knows::Rows, ROWS);
}

#[test]
fn frequency_among_people() {
    compare(Sort::MaxFrequency, Knows::People, PEOPLE);
    compare(Sort::MaxFrequency, Knows::Rows, ROWS);
}

#[test]
fn entropy_of_people() {
    compare(Sort::Entropy, Knows::People, PEOPLE);
}

#[test]
fn recursive_diversity_of_people() {
    compare(Sort::Recursive, Knows::People, PEOPLE);
}

#[test]
fn t_closeness_of_people_equal() {
    compare(Sort::T(Distance::Equal), Knows::People, PEOPLE);
}

#[test]
fn t_closeness_of_people_ordered() {
    compare(Sort::T(Distance::Ordered), Knows::People, PEOPLE);
}

#[test]
fn t_closeness_of_people_hierarchical() {
    compare(Sort::T(Distance::Hierarchical), Knows::People, PEOPLE);
}

/// What the counting reader is sure of is what is so in every world.
#[test]
fn the_counting_reader_is_sure_of_what_every_world_has() {
    let mut rng = rng(7);
    for _ in 0..1_000 {
        let rows: Vec<bool> = (0..rng.random_range(1..8))
            .map(|_| rng.random_bool(0.5))
            .collect();
        let count = rng.random_range(1..=rows.len());
        let outside = rows.iter().filter(|marked| !**marked).count();
        assert_eq!(surely_marked(&rows, count), count > outside);
    }
}

#[test]
fn with_one_row_a_person_people_are_rows() {
    let mut rng = rng(8);
    let sorts = [Sort::KAnonymity, Sort::Dominance, Sort::Distinct];
    for round in 0..3_000 {
        let case = Case::random(
            &mut rng,
            Size {
                people: 8,
                rows: 1,
                providers: 4,
            },
        );
        let Some(promise) = case.promise(sorts[round % sorts.len()], &mut rng) else {
            continue;
        };
        let insiders = Insiders::victim(M(rng.random_range(0..=3)));
        let of_people = case.fast(&promise, insiders);
        let everybody: Vec<Visits> = case.group.iter().chain(&case.others).cloned().collect();
        let mut table = vec![0; case.sensitive[0].codes.len()];
        everybody
            .iter()
            .for_each(|visits| table[visits[0].0 as usize] += 1);
        let requirement = Requirement::bind(&[promise], &case.sensitive, &table).unwrap();
        let requirement = requirement.against(Insiders::victim(M(3)));
        let entries = case.group.iter().map(|visits| Entry {
            sensitive: visits[0].0,
            provider: ProviderId(visits[0].1),
            count: 1,
        });
        let (of_rows, _) = requirement.smallest_breach(&requirement.tally(entries), insiders.m);
        let size = |decision: &Decision| match decision {
            Decision::Breach(_, breach) => Some(breach.coalition.len()),
            _ => None,
        };
        assert_eq!(
            size(&of_people),
            size(&of_rows),
            "{promise:?} {:?}",
            case.group
        );
    }
}

#[test]
fn tallies_of_people_add_up_and_come_apart() {
    let mut rng = rng(9);
    for _ in 0..300 {
        let case = Case::random(&mut rng, PEOPLE);
        let promise = case.promise(Sort::Distinct, &mut rng).unwrap();
        let requirement = case.requirement(&promise, Insiders::victim(M(1)));
        let whole = case.tally(&requirement);
        assert_eq!(whole.members(), case.group.len() as u64);
        let single: Vec<Tally> = (0..case.group.len())
            .map(|kind| requirement.tally_kinds([(kind, 1)].into_iter()))
            .collect();
        assert_eq!(Tally::sum(single.iter()), whole);
        let mut rest = whole.clone();
        rest.subtract(&single[0]);
        let others = requirement.tally_kinds((1..case.group.len()).map(|kind| (kind, 1)));
        assert_eq!(
            (rest.members(), rest.size()),
            (others.members(), others.size())
        );
        assert_eq!(requirement.holds(&rest), requirement.holds(&others));
        // rows without people say nothing about people
        let rows = requirement.tally(std::iter::once(Entry {
            sensitive: 0,
            provider: ProviderId(0),
            count: 99,
        }));
        assert!(!requirement.holds(&rows));
        assert!(matches!(requirement.check(0, &rows), Check::Undecided(_)));
    }
}

#[test]
fn what_is_not_decided_is_refused_with_the_reason() {
    let mut rng = rng(10);
    let case = Case::random(&mut rng, PEOPLE);
    let k = case.promise(Sort::KAnonymity, &mut rng).unwrap();
    let entropy = case.promise(Sort::Entropy, &mut rng).unwrap();
    for strategy in Strategy::ALL {
        let requirement = case.requirement(&k, Insiders::victim(M(1)));
        let decided = requirement.decided_by(strategy).map(|_| ());
        let refused = Err(Error::CountsRows {
            strategy: strategy.name(),
        });
        assert_eq!(
            decided,
            if strategy == Strategy::Exact {
                Ok(())
            } else {
                refused
            }
        );
    }
    let rows = Insiders::victim(M(1)).knowing(Knows::Rows);
    assert_eq!(rows.check_promises(&[k]), Ok(()));
    let constraint = "entropy-l-diversity";
    let refused = Err(Error::KnowsRows { constraint });
    assert_eq!(rows.check_promises(&[k, entropy]), refused);
    assert_eq!(Insiders::victim(M(1)).check_promises(&[entropy]), Ok(()));
}

/// A way to get it wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mistake {
    /// Rows are counted instead of people.
    Rows,
    /// Shared people are forgotten.
    ForgetsShared,
    /// A person is taken for several, one at each of her providers.
    Splits,
    /// Only coalitions of the largest size are looked at.
    LargestOnly,
    /// Shared people stand at one provider only.
    FirstProvider,
    /// Missing values count as values.
    MissingCounts,
}

/// The answer of who makes the mistake.
fn mistaken(case: &Case, promise: &Promise, insiders: Insiders, mistake: Mistake) -> Option<usize> {
    let providers = |visits: &Visits| {
        let mut all: Vec<u32> = visits.iter().map(|visit| visit.1).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let mut wrong = Case {
        sensitive: case.sensitive.clone(),
        group: case.group.clone(),
        others: case.others.clone(),
    };
    match mistake {
        Mistake::Rows => {
            let single = |visits: &Visits| visits.iter().map(|&visit| vec![visit]).collect();
            wrong.group = case
                .group
                .iter()
                .flat_map::<Vec<Visits>, _>(single)
                .collect();
        }
        Mistake::ForgetsShared => {
            wrong.group.retain(|visits| providers(visits).len() == 1);
            if wrong.group.is_empty() {
                return None;
            }
        }
        Mistake::Splits => {
            wrong.group = Vec::new();
            for visits in &case.group {
                for provider in providers(visits) {
                    let own = visits.iter().copied().filter(|visit| visit.1 == provider);
                    wrong.group.push(own.collect());
                }
            }
        }
        Mistake::FirstProvider => {
            for visits in &mut wrong.group {
                let first = visits[0].1;
                visits.iter_mut().for_each(|visit| visit.1 = first);
            }
        }
        Mistake::MissingCounts => {
            // another value in place of the missing one
            let complete = |&id: &u32| {
                let columns = case.sensitive.iter();
                let mut codes = columns.map(|c| (c.domain.missing(), c.codes.get(id as usize)));
                codes.all(|(missing, code)| missing != Some(code))
            };
            let all = 0..case.sensitive[0].codes.len() as u32;
            let Some(unused) = all.rev().find(complete) else {
                return case.slow(promise, insiders);
            };
            for visit in wrong.group.iter_mut().flatten() {
                if !complete(&visit.0) {
                    visit.0 = unused;
                }
            }
        }
        Mistake::LargestOnly => {
            let group = case.oracle_people(&case.group);
            let table = [group.clone(), case.oracle_people(&case.others)].concat();
            let question = OracleQuestion {
                promise,
                sensitive: &case.sensitive,
                table: &table,
                knows: insiders.knows,
            };
            let mut all: Vec<u32> = case.group.iter().flatten().map(|visit| visit.1).collect();
            all.sort_unstable();
            all.dedup();
            let most = (insiders.m.0 as usize).min(all.len() - 1);
            for bits in 0u32..1 << all.len() {
                let inside = |at: &usize| bits >> at & 1 == 1;
                let coalition: Vec<u32> = (0..all.len()).filter(inside).map(|at| all[at]).collect();
                if coalition.len() == most && question.breached_by(&group, &coalition) {
                    return Some(most);
                }
            }
            return None;
        }
    }
    match wrong.fast(promise, insiders) {
        Decision::Breach(_, breach) => Some(breach.coalition.len()),
        _ => None,
    }
}

/// The comparison would not be worth much if it did not notice.
#[test]
fn planted_mistakes_are_noticed() {
    use Mistake::{
        FirstProvider, ForgetsShared, LargestOnly, MissingCounts, Rows as CountsRows, Splits,
    };
    let planted: &[(Sort, &[Mistake])] = &[
        (
            Sort::KAnonymity,
            &[
                CountsRows,
                ForgetsShared,
                LargestOnly,
                Splits,
                FirstProvider,
            ],
        ),
        (
            Sort::Dominance,
            &[
                CountsRows,
                ForgetsShared,
                LargestOnly,
                Splits,
                FirstProvider,
            ],
        ),
        (
            Sort::Distinct,
            &[
                CountsRows,
                ForgetsShared,
                LargestOnly,
                Splits,
                FirstProvider,
                MissingCounts,
            ],
        ),
        (
            Sort::MaxFrequency,
            &[
                CountsRows,
                ForgetsShared,
                LargestOnly,
                Splits,
                FirstProvider,
                MissingCounts,
            ],
        ),
        (
            Sort::Entropy,
            &[
                CountsRows,
                ForgetsShared,
                LargestOnly,
                FirstProvider,
                MissingCounts,
            ],
        ),
        (
            Sort::Recursive,
            &[
                CountsRows,
                ForgetsShared,
                LargestOnly,
                FirstProvider,
                MissingCounts,
            ],
        ),
        (
            Sort::T(Distance::Equal),
            &[CountsRows, ForgetsShared, LargestOnly, FirstProvider],
        ),
    ];
    for &(sort, mistakes) in planted {
        for &mistake in mistakes {
            let mut rng = rng(sort_seed(sort) + 5);
            let mut noticed = 0;
            for _ in 0..1_500 {
                let case = Case::random(&mut rng, PEOPLE);
                let Some(promise) = case.promise(sort, &mut rng) else {
                    continue;
                };
                let insiders = Insiders::victim(M(rng.random_range(1..=3)));
                let slow = case.slow(&promise, insiders);
                let wrong = mistaken(&case, &promise, insiders, mistake);
                // a larger coalition than the smallest is no wrong verdict
                let verdict = mistake == LargestOnly;
                let differs = wrong.is_some() != slow.is_some() || (!verdict && wrong != slow);
                noticed += u32::from(differs);
            }
            assert!(noticed > 0, "{sort:?} {mistake:?}");
        }
    }
}
