//! Every strategy against the definition, on many thousands of small groups per kind of constraint
//! with ties at the boundary: verdicts, attack numbers and witnesses; and wrong strategies, to show
//! that the comparison finds them.

use crate::coalitions::{Case, Group, KINDS, Kind, Outcome, Setting, visit};
use crate::common::{entry, ratio, rng};
use mingle_privacy::{
    Attribute, Breach, Decision, Distance, Effort, Error, Insiders, K, L, Limit, M, Promise,
    Requirement, Rule, Strategy, Tally,
};
use rand::RngExt;
use std::collections::BTreeMap;

const CASES: usize = 20_000;

/// Faults by strategy and what is wrong.
type Faults = BTreeMap<(&'static str, &'static str), usize>;

fn decide(strategy: Strategy, requirement: &Requirement, tally: &Tally, m: u64) -> Decision {
    let mut effort = Effort::default();
    let decision = strategy.decide(requirement, tally, M(m), &mut effort);
    assert!(
        effort.checks > 0,
        "{} decides without a check",
        strategy.name()
    );
    decision
}

/// Everything that can be said against a strategy's decision.
fn fault(strategy: Strategy, case: &Case, m: u64, decision: &Decision) -> Option<&'static str> {
    case.fault(m, decision)
        .or_else(|| {
            strategy
                .needs_monotone()
                .then(|| case.remainder_fault(decision))?
        })
        .or_else(|| (strategy == Strategy::BottomUp).then(|| case.size_fault(decision))?)
}

fn compare(kind: Kind) -> (Outcome, Faults) {
    let mut faults = Faults::new();
    let outcome = visit(kind, CASES, |case, m| {
        let takes_part = |s: &Strategy| kind.group_monotone() || !s.needs_monotone();
        for strategy in Strategy::ALL.into_iter().filter(takes_part) {
            let decision = decide(strategy, case.requirement, &case.tally, m);
            if let Some(what) = fault(strategy, case, m, &decision) {
                *faults.entry((strategy.name(), what)).or_default() += 1;
            }
        }
        let (smallest, sure) = case.requirement.smallest_breach(&case.tally, M(m));
        let what = case
            .fault(m, &smallest)
            .or_else(|| case.size_fault(&smallest));
        if let Some(what) = what.or((!sure).then_some("not sure")) {
            *faults.entry(("smallest breach", what)).or_default() += 1;
        }
    });
    (outcome, faults)
}

fn agrees(kind: Kind) {
    let (outcome, faults) = compare(kind);
    assert!(faults.is_empty(), "{kind:?}: {faults:?} in {outcome:?}");
    let enough = CASES / 10;
    // few small groups have an entropy that is the logarithm of a fraction
    let ties = if kind == Kind::Entropy {
        CASES / 50
    } else {
        CASES / 20
    };
    assert!(
        outcome.holds > enough && outcome.fails > enough && outcome.ties > ties,
        "{kind:?}: {outcome:?}"
    );
}

#[test]
fn k_anonymity() {
    agrees(Kind::KAnonymity);
}

#[test]
fn distinct_diversity() {
    agrees(Kind::Distinct);
}

#[test]
fn max_frequency() {
    agrees(Kind::MaxFrequency);
}

#[test]
fn recursive_diversity() {
    agrees(Kind::Recursive);
}

#[test]
fn entropy_diversity() {
    agrees(Kind::Entropy);
}

#[test]
fn t_closeness_equal() {
    agrees(Kind::T(Distance::Equal));
}

#[test]
fn t_closeness_ordered() {
    agrees(Kind::T(Distance::Ordered));
}

#[test]
fn t_closeness_hierarchical() {
    agrees(Kind::T(Distance::Hierarchical));
}

#[test]
fn conjunctions_of_monotone_constraints() {
    agrees(Kind::Monotone);
}

#[test]
fn conjunctions_of_any_constraints() {
    agrees(Kind::Any);
}

/// How many decisions of a wrong strategy are found out.
fn caught(kind: Kind, wrong: impl Fn(&Case, u64) -> Decision) -> usize {
    let mut caught = 0;
    visit(kind, 2_000, |case, m| {
        caught += usize::from(case.fault(m, &wrong(case, m)).is_some())
    });
    caught
}

/// A breach that takes out all rows of a coalition, given as bits; the constraint is that of a
/// single promise.
fn by(case: &Case, coalition: u32) -> Decision {
    let members = (0..case.group.providers.len())
        .filter(|place| coalition >> place & 1 == 1)
        .collect();
    let left = case
        .group
        .sum(|place| coalition >> place & 1 == 0)
        .iter()
        .sum();
    Decision::Breach(
        0,
        Breach {
            coalition: members,
            left,
            people_left: None,
        },
    )
}

#[test]
fn planted_off_by_one_in_each_strategy() {
    for kind in KINDS {
        for strategy in Strategy::ALL
            .into_iter()
            .filter(|s| kind.group_monotone() || !s.needs_monotone())
        {
            let with = |case: &Case, m: u64| decide(strategy, case.requirement, &case.tally, m);
            let name = strategy.name();
            assert!(
                caught(kind, |case, m| with(case, m + 1)) > 10,
                "{name}: one insider more, {kind:?}"
            );
            assert!(
                caught(kind, |case, m| with(case, m.saturating_sub(1))) > 10,
                "{name}: one less, {kind:?}"
            );
        }
    }
}

#[test]
fn planted_mistakes_about_who_may_collude() {
    for kind in [Kind::KAnonymity, Kind::Distinct] {
        let of_size = |case: &Case, sizes: std::ops::RangeInclusive<u64>| -> Vec<u32> {
            let all = 0u32..1 << case.group.providers.len();
            all.filter(|set| sizes.contains(&u64::from(set.count_ones())))
                .collect()
        };
        let first = |case: &Case, sets: &[u32]| {
            sets.iter()
                .find(|&&set| case.fails_without(set))
                .map_or(Decision::Holds, |&set| by(case, set))
        };
        let last = |case: &Case| case.group.providers.len() as u64 - 1;
        let right = |case: &Case, m: u64| first(case, &of_size(case, 0..=m.min(last(case))));
        assert_eq!(caught(kind, right), 0, "{kind:?}");
        let everybody = |case: &Case, m: u64| first(case, &of_size(case, 0..=m));
        assert!(caught(kind, everybody) > 10, "all contributors, {kind:?}");
        let skips = |case: &Case, m: u64| {
            let sets = of_size(case, 0..=m.min(last(case)));
            first(case, &sets[..sets.len() - 1])
        };
        assert!(
            caught(kind, skips) > 10,
            "all coalitions but the last, {kind:?}"
        );
        let skips_first =
            |case: &Case, m: u64| first(case, &of_size(case, m.min(last(case))..=m)[1..]);
        assert!(
            caught(kind, skips_first) > 10,
            "all coalitions of m but the first, {kind:?}"
        );
        let too_few = |case: &Case, m: u64| {
            first(
                case,
                &of_size(case, 0..=m.min(last(case)).saturating_sub(1)),
            )
        };
        assert!(
            caught(kind, too_few) > 10,
            "only smaller coalitions, {kind:?}"
        );
    }
}

/// Taking out all rows is not the worst a coalition can do where constraints are about proportions.
#[test]
fn planted_belief_in_monotonicity() {
    for kind in KINDS.into_iter().filter(|kind| !kind.group_monotone()) {
        let all_rows = |case: &Case, m: u64| {
            let n = case.group.providers.len();
            let most = (n as u64 - 1).min(m);
            let sets = (0u32..1 << n).filter(|set| u64::from(set.count_ones()) <= most);
            sets.into_iter()
                .find(|&set| case.fails_without(set))
                .map_or(Decision::Holds, |set| by(case, set))
        };
        let caught = caught(kind, all_rows);
        assert!(caught > 2, "{caught}, {kind:?}");
    }
}

#[test]
fn planted_mistakes_in_witnesses() {
    type Change = fn(&Case, &mut usize, &mut Breach);
    let changes: [(&str, Change); 6] = [
        ("members left out", |_, _, breach| {
            breach.coalition.truncate(breach.coalition.len() / 2)
        }),
        ("everybody", |case, _, breach| {
            breach.coalition = (0..case.group.providers.len()).collect()
        }),
        ("one row more", |_, _, breach| breach.left += 1),
        ("one row less", |_, _, breach| {
            breach.left = breach.left.saturating_sub(1)
        }),
        ("no such constraint", |_, at, _| *at += 1),
        ("another member", |case, _, breach| {
            let n = case.group.providers.len();
            breach
                .coalition
                .iter_mut()
                .for_each(|place| *place = n - 1 - *place);
            breach.coalition.reverse();
        }),
    ];
    for kind in [Kind::KAnonymity, Kind::Distinct, Kind::MaxFrequency] {
        for (name, change) in changes {
            let wrong = |case: &Case, m: u64| match decide(
                Strategy::BruteForce,
                case.requirement,
                &case.tally,
                m,
            ) {
                Decision::Breach(mut at, mut breach) => {
                    change(case, &mut at, &mut breach);
                    Decision::Breach(at, breach)
                }
                other => other,
            };
            assert!(caught(kind, wrong) > 10, "{name}, {kind:?}");
        }
    }
}

fn single_column(values: usize, promises: Vec<Promise>) -> Setting {
    let mut rng = rng(3);
    loop {
        let mut instance = crate::common::Instance::random(&mut rng);
        if instance.sensitive.len() == 1
            && instance.sensitive[0].domain.missing().is_none()
            && instance.sensitive[0].codes.len() == values
        {
            instance.table = vec![1; values];
            return Setting::new(instance, promises);
        }
    }
}

fn k_and_l(k: u64, l: u64) -> Vec<Promise> {
    let diverse = Promise {
        rule: Rule::distinct_diversity(L(l)),
        attribute: Some(Attribute::Column(0)),
    };
    vec![
        Promise {
            rule: Rule::k_anonymity(K(k)),
            attribute: None,
        },
        diverse,
    ]
}

/// Deeper lattices than those of the definition, and how much of them is looked at.
#[test]
fn larger_groups_and_checks() {
    let mut rng = rng(77);
    let (mut holds, mut fails) = (0, 0);
    for round in 0..300u64 {
        let setting = single_column(4, k_and_l(1 + round % 13, 1 + round % 3));
        let requirement = setting.requirement(1);
        let n = rng.random_range(6..=11);
        let mut rows = || {
            (0..4)
                .map(|_| rng.random_range(0..6u64).saturating_sub(3))
                .collect::<Vec<u64>>()
        };
        let held: Vec<Vec<u64>> = (0..n).map(|_| rows()).collect();
        let mut group = Group {
            providers: (0u32..).zip(held).collect(),
        };
        group
            .providers
            .retain(|(_, rows)| rows.iter().any(|&n| n > 0));
        let n = group.providers.len();
        let Some(last) = n.checked_sub(1) else {
            continue;
        };
        let tally = group.tally(&requirement);
        let case = Case::new(&setting, &requirement, group);
        let failing: Vec<bool> = (0u32..1 << n).map(|set| case.fails_without(set)).collect();
        for m in 0..=last as u64 {
            let breached =
                (0..1usize << n).any(|set| set.count_ones() as usize == m as usize && failing[set]);
            *(if breached { &mut fails } else { &mut holds }) += 1;
            for strategy in Strategy::ALL
                .into_iter()
                .filter(|&s| s != Strategy::BruteForce)
            {
                let mut effort = Effort::default();
                let decision = strategy.decide(&requirement, &tally, M(m), &mut effort);
                assert_eq!(
                    matches!(decision, Decision::Breach(..)),
                    breached,
                    "{} {m} of {n}",
                    strategy.name()
                );
                assert_eq!(
                    fault(strategy, &case, m, &decision),
                    None,
                    "{} {m} of {n}",
                    strategy.name()
                );
                let expected =
                    expected_checks(strategy, &failing, n, m as usize).unwrap_or(effort.checks);
                assert!(
                    breached || effort.checks == expected,
                    "{} {m} of {n}",
                    strategy.name()
                );
            }
        }
    }
    assert!(holds > 500 && fails > 500, "{holds} hold, {fails} fail");
}

/// How many checks it takes when no coalition of `m` breaches, from what the paper says.
fn expected_checks(strategy: Strategy, failing: &[bool], n: usize, m: usize) -> Option<u64> {
    let of_size = |size: usize| {
        (0..1u32 << n)
            .filter(move |set| set.count_ones() as usize == size)
            .count() as u64
    };
    match strategy {
        Strategy::Direct => Some(of_size(m)),
        Strategy::BottomUp => Some((0..=m).map(of_size).sum()),
        Strategy::TopDown => {
            // checked unless a coalition with one more member is safe, or was not checked for the
            // same reason
            let everyone = (1u32 << n) - 1;
            let all_breach =
                |set: u32| (0..n).all(|p| set >> p & 1 == 1 || failing[(set | 1 << p) as usize]);
            let checked =
                |set: &u32| set.count_ones() as usize >= m && *set != everyone && all_breach(*set);
            Some((0..everyone).filter(checked).count() as u64)
        }
        _ => None,
    }
}

/// More providers than a word has bits: checks as long as pruning is quick, undecided where it is
/// not.
#[test]
fn many_providers() {
    let setting = single_column(4, k_and_l(100, 2));
    let requirement = setting.requirement(1);
    let rows = |n: u32, count: u64| {
        requirement.tally(
            (0..n)
                .flat_map(|p| (0..4).map(move |s| entry(s, p, count)))
                .collect::<Vec<_>>()
                .into_iter(),
        )
    };
    let mut effort = Effort::default();
    let mut checks = |strategy: Strategy, group: &Tally, m: u64| {
        let before = effort.checks;
        let decision = strategy.decide(&requirement, group, M(m), &mut effort);
        (decision, effort.checks - before)
    };
    for n in [63, 64, 65, 300] {
        // 25 rows are not enough for one value each: it takes one provider
        let (strong, weak) = (rows(n, 25), rows(n, 24));
        for strategy in [Strategy::TopDown, Strategy::Binary, Strategy::Adaptive] {
            assert_eq!(
                checks(strategy, &strong, u64::from(n) - 2),
                (Decision::Holds, n.into())
            );
            assert!(
                matches!(checks(strategy, &weak, u64::MAX).0, Decision::Breach(0, b) if b.coalition.len() as u32 == n - 1)
            );
        }
        // two of 96 rows are enough, one is not
        assert_eq!(
            checks(Strategy::Exact, &weak, u64::from(n) - 2).0,
            Decision::Holds
        );
        assert_eq!(
            checks(Strategy::TopDown, &weak, u64::from(n) - 2),
            (Decision::Holds, u64::from(n) * (u64::from(n) + 1) / 2)
        );
        assert_eq!(
            checks(Strategy::Binary, &weak, u64::from(n) - 2).0,
            Decision::Holds
        );
        assert_eq!(
            checks(Strategy::Direct, &strong, 1),
            (Decision::Holds, n.into())
        );
        assert_eq!(
            checks(Strategy::BottomUp, &strong, 1),
            (Decision::Holds, u64::from(n) + 1)
        );
    }
    let crowd = rows(1_025, 1);
    let undecided = |decision: (Decision, u64)| {
        matches!(decision.0, Decision::Undecided(Limit::SearchSteps(_)))
    };
    assert!(
        undecided(checks(Strategy::TopDown, &crowd, 1))
            && undecided(checks(Strategy::Binary, &crowd, 1))
    );
    assert_eq!(
        checks(Strategy::Direct, &crowd, 1),
        (Decision::Holds, 1_025)
    );
    assert_eq!(checks(Strategy::Exact, &crowd, 1_000).0, Decision::Holds);
    for strategy in [
        Strategy::TopDown,
        Strategy::Direct,
        Strategy::Binary,
        Strategy::BruteForce,
    ] {
        assert!(
            undecided(checks(strategy, &rows(60, 1), 30)),
            "{}",
            strategy.name()
        );
    }
}

#[test]
fn what_is_not_monotone_is_refused() {
    let share = Promise {
        rule: Rule::max_frequency(ratio(1, 2)),
        attribute: Some(Attribute::Column(0)),
    };
    let setting = single_column(4, vec![k_and_l(1, 1)[0], share]);
    let bind = || {
        Requirement::bind(
            &setting.promises,
            &setting.instance.sensitive,
            &setting.instance.table,
        )
        .unwrap()
    };
    let requirement = setting.requirement(1);
    let tally = requirement.tally([entry(0, 0, 2), entry(1, 1, 2)].into_iter());
    for strategy in Strategy::ALL {
        let refused = bind()
            .against(Insiders::victim(M(1)))
            .decided_by(strategy)
            .err();
        let expected = Error::NotMonotone {
            strategy: strategy.name(),
            constraint: "max-frequency",
        };
        assert_eq!(refused, strategy.needs_monotone().then_some(expected));
        // and asked behind the requirement's back, none of them guesses
        let decision = strategy.decide(&requirement, &tally, M(1), &mut Effort::default());
        match decision {
            Decision::Breach(at, found) => {
                assert!(!strategy.needs_monotone() && at == 1 && found.coalition.len() == 1)
            }
            other => assert_eq!(
                other,
                Decision::Undecided(Limit::SearchSteps(0)),
                "{}",
                strategy.name()
            ),
        }
    }
    let message = bind()
        .against(Insiders::victim(M(1)))
        .decided_by(Strategy::Binary)
        .err()
        .unwrap();
    assert_eq!(
        message.to_string(),
        "the binary verification skips coalitions on the grounds that taking out more rows never helps a constraint, \
         which is not so for max-frequency"
    );
}

/// The weight orders coalitions and chooses a search; it never decides.
#[test]
fn the_weight_changes_no_verdict() {
    visit(Kind::Monotone, 2_000, |case, m| {
        for strategy in Strategy::ALL {
            for alpha in [0.0, 0.8, 1.0] {
                let decision = strategy.decide_weighted(
                    case.requirement,
                    &case.tally,
                    M(m),
                    alpha,
                    &mut Effort::default(),
                );
                assert_eq!(
                    fault(strategy, case, m, &decision),
                    None,
                    "{} {alpha}",
                    strategy.name()
                );
            }
        }
    });
}

#[test]
fn fitness_is_the_first_constraint_and_the_mean_of_the_others() {
    let setting = single_column(4, k_and_l(5, 2));
    let requirement = setting.requirement(1);
    let tally = requirement.tally([entry(0, 0, 3), entry(1, 1, 1)].into_iter());
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-12, "{found}");
    near(
        requirement.fitness(&tally, 0.3),
        0.7 * 4.0 / 5.0 + 0.3 * 2.0 / 2.0,
    );
    near(
        single_column(4, k_and_l(5, 2)[..1].to_vec())
            .requirement(1)
            .fitness(&tally, 0.3),
        0.8,
    );
    let three =
        single_column(4, [k_and_l(5, 2), k_and_l(8, 1)[..1].to_vec()].concat()).requirement(1);
    near(
        three.fitness(&tally, 0.3),
        0.7 * 0.8 + 0.3 * (1.0 + 0.5) / 2.0,
    );
    near(
        single_column(4, vec![]).requirement(1).fitness(&tally, 0.3),
        1.0,
    );
}
