//! The paper's seven patients through every synchronizer: tables, rounds, groups.

use crate::common::{Ask, Shown, parties, patients, ratio, show, talk};
use mingle_protocol::{Seat, Status, Synchronizer, reference};

struct Expected {
    synchronizer: Synchronizer,
    rounds: u32,
    /// Labels and people of each group, by ascending label.
    groups: &'static [(&'static str, &'static str, &'static [usize])],
}

/// Tables 2 to 5 of the paper, with its slips mended.
const EXPECTED: [Expected; 5] = [
    Expected {
        synchronizer: Synchronizer::Dpp2ga,
        rounds: 2,
        groups: &[
            ("123**", "[20-39]", &[1, 2]),
            ("123**", "[40-59]", &[3, 4, 5]),
            ("124**", "[40-59]", &[6, 7]),
        ],
    },
    Expected {
        synchronizer: Synchronizer::Identity,
        rounds: 3,
        groups: &[("*", "*", &[1, 2, 3, 4, 5, 6, 7])],
    },
    Expected {
        synchronizer: Synchronizer::Fork,
        rounds: 3,
        groups: &[("*", "*", &[3, 4, 5, 6, 7]), ("1234*", "[20-29]", &[1, 2])],
    },
    Expected {
        synchronizer: Synchronizer::Merge,
        rounds: 1,
        groups: &[
            ("*", "[40-59]", &[3, 4, 5, 6, 7]),
            ("1234*", "[20-29]", &[1, 2]),
        ],
    },
    Expected {
        // the meet is {1,2}, {3,4}, {5}, {6,7}; {5} is alone and joins {3,4}, which shares its
        // class at site 0
        synchronizer: Synchronizer::Repair,
        rounds: 1,
        groups: &[
            ("1234*", "[20-29]", &[1, 2]),
            ("1236*", "[40-59]", &[3, 4, 5]),
            ("1247*", "[50-59]", &[6, 7]),
        ],
    },
];

fn ask(synchronizer: Synchronizer) -> Ask {
    let t = (synchronizer != Synchronizer::Dpp2ga).then(|| ratio(3, 4));
    Ask {
        t,
        ..Ask::new(synchronizer, 2)
    }
}

fn setups(ask: &Ask) -> [mingle_protocol::Setup; 2] {
    let (ids, first, second) = patients();
    [
        ask.setup(Seat::Zero, &ids, &first),
        ask.setup(Seat::One, &ids, &second),
    ]
}

fn expected(expected: &Expected) -> Vec<Shown> {
    let (_, first, second) = patients();
    let sorted = |values: &[String], people: &[usize]| {
        let mut values: Vec<String> = people.iter().map(|&id| values[id - 1].clone()).collect();
        values.sort();
        values
    };
    let group = |&(zip, age, people): &(&str, &str, &[usize])| {
        let values = vec![
            sorted(&first[1].values, people),
            sorted(&second[1].values, people),
        ];
        (
            vec![zip.to_owned(), age.to_owned()],
            people.len() as u64,
            values,
        )
    };
    expected.groups.iter().map(group).collect()
}

#[test]
fn every_synchronizer_publishes_the_papers_tables() {
    for case in &EXPECTED {
        let name = case.synchronizer.name();
        let (mut sites, disks) = parties(setups(&ask(case.synchronizer)), 1);
        assert_eq!(
            talk(&mut sites),
            [Status::Published, Status::Published],
            "{name}"
        );
        for disk in &disks {
            let disk = disk.lock().expect("a disk");
            assert_eq!(disk.public, Some(expected(case)), "{name}");
            assert_eq!(disk.rounds, case.rounds, "{name}");
        }
        let reference = reference(setups(&ask(case.synchronizer))).expect("a release");
        assert_eq!(
            show(reference.verified.fragments()),
            expected(case),
            "{name}, centrally"
        );
    }
}

#[test]
fn other_t_as_the_note_says() {
    let with = |t| Ask {
        t: Some(t),
        ..Ask::new(Synchronizer::Merge, 2)
    };
    let five_sevenths = reference(setups(&with(ratio(5, 7)))).expect("a release");
    assert_eq!(
        show(five_sevenths.verified.fragments()),
        expected(&EXPECTED[3])
    );
    let seven_tenths = reference(setups(&with(ratio(7, 10)))).expect("a release");
    assert_eq!(seven_tenths.agreement.groups.len(), 1);
}
