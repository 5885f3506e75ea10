//! The cached runner against the straightforward one: an anonymizer at each site from the
//! beginning, for every setting.

use super::closeness::Closeness;
use super::loss::discernibility;
use super::people::SplitPeople;
use super::plan::{Bound, StudyPlan};
use super::report;
use super::results::SplitResults;
use super::split::{Key, key};
use super::study::{Case, MeasuredSplit, SplitSetting, Study};
use crate::Extent;
use mingle_anonymize::{Datafly, Method, MethodOptions};
use mingle_assess::utility::ncp;
use mingle_model::{Column, ColumnSpec, LabelReader, Missing, Role};
use mingle_privacy::{Attribute, Distance, K, Promise, Ratio, Requirement, Rule};
use mingle_protocol::{Anonymizer, Classes, Local, Synchronizer, synchronize, volume};

fn bound(t: &str, distance: Distance) -> Bound {
    Bound {
        t: Ratio::parse(t).unwrap(),
        distance,
    }
}

fn study(people: SplitPeople, ks: &[u64]) -> Study<'static> {
    let ts = ["0.1", "0.2", "0.4", "1"];
    let distances = [Distance::Hierarchical, Distance::Equal];
    let plan = StudyPlan {
        ks: ks.to_vec(),
        bounds: ts
            .iter()
            .flat_map(|t| distances.map(|distance| bound(t, distance)))
            .collect(),
        synchronizers: Synchronizer::ALL.to_vec(),
        halves: people.columns().halves(),
        queries: 5,
    };
    Study::new(people, plan, 0, None).unwrap()
}

fn promises(measured: &MeasuredSplit) -> [Promise; 2] {
    let Bound { t, distance } = measured.bound;
    let close = Rule::t_closeness(t, distance);
    [
        Promise {
            rule: Rule::k_anonymity(K(measured.k)),
            attribute: None,
        },
        Promise {
            rule: close,
            attribute: Some(Attribute::Column(0)),
        },
    ]
}

/// Case, rounds, groups, discernibility, NCP and bytes, with nothing from the caches.
fn straightforward(people: &SplitPeople, measured: &MeasuredSplit) -> MeasuredSplit {
    let all = people.columns();
    let columns = [measured.columns, all.without(measured.columns)];
    let tables = [0, 1].map(|site: usize| people.at_site(columns[site], site));
    let site = |site: usize| Anonymizer::new(&tables[site], &promises(measured)).unwrap();
    let mut sites = [site(0), site(1)];
    let classes = |site: usize| Classes::new(sites[site].classes(&people.everybody()));
    let case = if classes(0) == classes(1) {
        Case::Same
    } else {
        Case::Different
    };
    let synchronizer = measured.synchronizer.unwrap();
    let [first, second] = &mut sites;
    let agreement = synchronize(synchronizer, [first, second], measured.k);
    let mut penalty = 0.0;
    for (group, &round) in agreement.groups.members().iter().zip(&agreement.round_of) {
        for (site, table) in sites.iter().zip(&tables) {
            for (column, label) in table
                .with_role(Role::QuasiIdentifier)
                .zip(site.labels(group, round))
            {
                let reading = LabelReader::new(&column.domain, &Missing::default())
                    .read(&label)
                    .unwrap();
                penalty += group.len() as f64 * ncp::cell(&column.domain, &reading);
            }
        }
    }
    MeasuredSplit {
        case,
        rounds: agreement.rounds.len(),
        groups: agreement.groups.len(),
        discernibility: discernibility(&agreement.groups),
        ncp: penalty / (people.count() * all.len()) as f64,
        traffic: volume(synchronizer, people.count() as u32, measured.k, &agreement),
        ..measured.clone()
    }
}

fn is_equal(one: &MeasuredSplit, other: &MeasuredSplit) -> bool {
    let close = (one.ncp - other.ncp).abs() < 1e-9;
    close
        && MeasuredSplit {
            ncp: 0.0,
            ..one.clone()
        } == MeasuredSplit {
            ncp: 0.0,
            ..other.clone()
        }
}

/// Settings that come out otherwise than straightforward, of every n-th.
fn differences(study: &Study, every: usize) -> (usize, usize) {
    let halves = study.plan.halves.iter();
    let all: Vec<MeasuredSplit> = halves
        .flat_map(|&half| study.both_ways(half).unwrap())
        .collect();
    let sample: Vec<&MeasuredSplit> = all.iter().step_by(every).collect();
    let wrong = sample
        .iter()
        .filter(|m| !is_equal(m, &straightforward(&study.people, m)));
    (wrong.count(), sample.len())
}

#[test]
fn caches_change_nothing() {
    for (rows, seed) in [(150, 1), (400, 2)] {
        let study = study(SplitPeople::load(None, rows, seed).unwrap(), &[2, 5, 20]);
        let (wrong, compared) = differences(&study, 29);
        assert!(compared > 200, "{compared}");
        assert_eq!(wrong, 0);
    }
}

#[test]
fn a_cache_that_forgets_what_matters_is_noticed() {
    let without_k: fn(&SplitSetting) -> Key = |setting| Key {
        k: None,
        ..key(setting)
    };
    let without_bound: fn(&SplitSetting) -> Key = |setting| Key {
        bound: None,
        ..key(setting)
    };
    let without_steps: fn(&SplitSetting) -> Key = |setting| Key {
        steps: [0, setting.steps[1]],
        ..key(setting)
    };
    for forgetful in [without_k, without_bound, without_steps] {
        let mut study = study(SplitPeople::load(None, 400, 2).unwrap(), &[2, 5]);
        study.plan.halves.truncate(4);
        study.key = forgetful;
        let refused = study
            .plan
            .halves
            .iter()
            .any(|&half| study.both_ways(half).is_err());
        assert!(refused || differences(&study, 1).0 > 0);
    }
}

#[test]
fn central_is_datafly() {
    let study = study(SplitPeople::load(None, 400, 3).unwrap(), &[2, 5, 20]);
    let cube = study.people.cube();
    for measured in study.central().unwrap() {
        let [k, close] = promises(&measured);
        let both = [
            k,
            close,
            Promise {
                attribute: Some(Attribute::Column(1)),
                ..close
            },
        ];
        let requirement = Requirement::bind(&both, cube.sensitive(), &cube.combinations()).unwrap();
        let partition = Datafly
            .partition(cube, &requirement, &MethodOptions::default())
            .unwrap();
        let groups = study
            .people
            .tuple_of()
            .iter()
            .map(|&t| partition.group_of[cube.records_of(t as usize).start]);
        let groups = Classes::new(groups);
        assert_eq!(
            (groups.len(), discernibility(&groups)),
            (measured.groups, measured.discernibility),
            "{measured:?}"
        );
    }
}

/// Four people. The first two columns tell the same two pairs apart, the third nobody.
fn two_pairs() -> SplitPeople {
    let column = |name: &str, role: Role, texts: [&'static str; 4]| {
        Column::from_texts(ColumnSpec::new(name, role), texts, &Missing::default())
            .ok()
            .unwrap()
    };
    SplitPeople::new(
        "four people",
        vec![
            column("a", Role::QuasiIdentifier, ["1", "1", "2", "2"]),
            column("b", Role::QuasiIdentifier, ["x", "x", "y", "y"]),
            column("c", Role::QuasiIdentifier, ["u", "u", "u", "u"]),
            column("s", Role::Sensitive, ["p", "q", "p", "q"]),
            column("z", Role::Sensitive, ["p", "q", "r", "s"]),
        ],
    )
}

#[test]
fn same_is_counted_by_hand() {
    let plan = |t: &str| StudyPlan {
        ks: vec![2, 3],
        bounds: vec![bound(t, Distance::Equal)],
        synchronizers: Synchronizer::ALL.to_vec(),
        halves: two_pairs().columns().halves(),
        queries: 5,
    };
    let measured = |t: &str| -> Vec<MeasuredSplit> {
        let study = Study::new(two_pairs(), plan(t), 0, None).unwrap();
        study
            .plan
            .halves
            .iter()
            .flat_map(|&half| study.both_ways(half).unwrap())
            .collect()
    };
    let loose = measured("1");
    let results = SplitResults::new(&loose);
    // {c} against {a, b} differs, twice; everything else has the two pairs on both sides
    assert_eq!(results.k(2).same(), Some(400.0 / 6.0));
    assert_eq!(
        results.k(3).same(),
        Some(100.0),
        "three of four is everybody"
    );
    let different = results.k(2).case(Some(Case::Different));
    let mean = |method| different.by(Some(method)).mean(|r| r.discernibility);
    assert_eq!(
        (mean(Synchronizer::Merge), mean(Synchronizer::Repair)),
        (Some(1.0), Some(0.5))
    );
    // first a rises and b still tells the pairs apart, then b
    assert_eq!(
        different
            .by(Some(Synchronizer::Identity))
            .mean(|r| r.rounds as f64),
        Some(3.0)
    );
    assert_eq!(
        results
            .k(2)
            .case(Some(Case::Same))
            .mean(|r| r.discernibility),
        Some(0.5)
    );
    // a pair has half of z's values, so site 1 needs everybody; site 0 does where it has c alone
    let strict = measured("0.4");
    assert_eq!(SplitResults::new(&strict).k(2).same(), Some(100.0 / 6.0));
    assert!(
        strict
            .iter()
            .all(|r| r.synchronizer != Some(Synchronizer::Dpp2ga))
    );
}

#[test]
fn a_promise_is_decided_as_by_its_own_requirement() {
    let people = SplitPeople::load(None, 300, 5).unwrap();
    let bounds = [
        bound("0.3", Distance::Equal),
        bound("0.1", Distance::Hierarchical),
        bound("0.2", Distance::Equal),
    ];
    let together = Closeness::new(&people, 1, &bounds).unwrap();
    let mut held = [0; 3];
    for first in (0..180).step_by(3) {
        let some: Vec<u32> = (first..first + 5 + first / 9).collect();
        for (place, &one) in bounds.iter().enumerate() {
            let alone = Closeness::new(&people, 1, &[one]).unwrap();
            let holds = alone.holds(0, &alone.tally(&some));
            assert_eq!(together.holds(place, &together.tally(&some)), holds);
            held[place] += usize::from(holds);
        }
    }
    assert!(
        held.iter().all(|&held| held > 0 && held < 60),
        "{held:?}: some hold and some do not"
    );
}

#[test]
fn tables_of_the_full_plan_fit_the_screen() {
    let people = SplitPeople::load(None, 150, 0).unwrap();
    let mut plan = StudyPlan::all_columns(Extent::Full, &people);
    plan.halves.truncate(2);
    plan.queries = 5;
    let column_less = people.without(0);
    let less = StudyPlan {
        queries: 5,
        halves: vec![column_less.columns().halves()[0]],
        ..StudyPlan::one_left_out(Extent::Full, &people)
    };
    let studies = [
        Study::new(people, plan, 0, None).unwrap(),
        Study::new(column_less, less, 0, None).unwrap(),
    ];
    let results = studies.iter().map(|study| {
        let splits = study
            .plan
            .halves
            .iter()
            .flat_map(|&half| study.both_ways(half).unwrap());
        splits
            .chain(study.central().unwrap())
            .collect::<Vec<MeasuredSplit>>()
    });
    let outcome = report::outcome(&studies, &results.collect::<Vec<_>>());
    let text = outcome.to_text();
    assert!(
        text.contains("4 of 62 splits") && text.contains("k = 100") && text.contains("t = 0.15"),
        "{text}"
    );
    assert!(
        text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
}

#[test]
fn fewer_people_than_k_are_refused() {
    let people = SplitPeople::load(None, 50, 0).unwrap();
    let plan = StudyPlan {
        ks: vec![2, 51],
        ..study(SplitPeople::load(None, 50, 0).unwrap(), &[2]).plan
    };
    let refused = Study::new(people, plan, 0, None).map(|_| ());
    assert!(matches!(
        refused,
        Err(crate::Error::TooFewRows {
            rows: 50,
            needed: 51
        })
    ));
}
