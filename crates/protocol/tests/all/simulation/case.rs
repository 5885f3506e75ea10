//! What the two sites bring: small, since a simulation runs tens of thousands of sessions.

use super::run::simulate;
use super::schedule::Schedule;
use crate::common::{Ask, Field, Shown, patients, ratio, show};
use mingle_model::Role;
use mingle_protocol::{Seat, Setup, Synchronizer, reference};
use std::sync::LazyLock;

/// Data and parameters of two sites.
pub struct Case {
    pub name: &'static str,
    asks: [Ask; 2],
    identifiers: [Vec<String>; 2],
    fields: [Vec<Field>; 2],
    /// What must be published; none where there can be no release.
    pub expected: Option<Vec<Shown>>,
    /// How many messages each site sends when nothing goes wrong.
    pub messages: u32,
}

impl Case {
    pub fn named(name: &str) -> &'static Case {
        CASES
            .iter()
            .find(|case| case.name == name)
            .expect("one of the cases")
    }

    pub fn setup(&self, site: usize) -> Setup {
        let seat = [Seat::Zero, Seat::One][site];
        self.asks[site].setup(seat, &self.identifiers[site], &self.fields[site])
    }
}

/// The smallest case comes first.
pub static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    let mut cases = vec![pair()];
    cases.extend(Synchronizer::ALL.map(seven));
    cases.extend([some_in_common(), too_few(), unsatisfiable(), terms_differ()]);
    cases.into_iter().map(complete).collect()
});

/// Two people, one group.
fn pair() -> Case {
    let ask = Ask {
        padded_size: 2,
        ..Ask::new(Synchronizer::Identity, 2)
    };
    let (_, first, second) = patients();
    let few = |fields: Vec<Field>| {
        let few = |f: Field| Field {
            values: f.values[..2].to_vec(),
            ..f
        };
        fields.into_iter().map(few).collect()
    };
    let identifiers = [(); 2].map(|()| vec!["patient 1".to_owned(), "patient 2".to_owned()]);
    case(
        "pair",
        [ask.clone(), ask],
        identifiers,
        [few(first), few(second)],
    )
}

/// The paper's seven patients.
fn seven(synchronizer: Synchronizer) -> Case {
    let t = (synchronizer != Synchronizer::Dpp2ga).then(|| ratio(3, 4));
    let ask = Ask {
        t,
        padded_size: 8,
        ..Ask::new(synchronizer, 2)
    };
    patients_case(synchronizer.name(), [ask.clone(), ask])
}

/// Two of the seven are known to one site only, each to another.
fn some_in_common() -> Case {
    let ask = Ask {
        padded_size: 8,
        ..Ask::new(Synchronizer::Merge, 2)
    };
    let mut case = patients_case("some in common", [ask.clone(), ask]);
    case.identifiers[0][2] = "somebody else".to_owned();
    case.identifiers[1][6] = "a third".to_owned();
    case
}

fn too_few() -> Case {
    let ask = Ask {
        padded_size: 8,
        ..Ask::new(Synchronizer::Merge, 2)
    };
    let mut case = patients_case("too few in common", [ask.clone(), ask]);
    case.identifiers[1] = (7..14).map(|id| format!("patient {id}")).collect();
    case
}

/// Seven distinct diseases are asked for where there are six.
fn unsatisfiable() -> Case {
    let ask = Ask {
        l: Some(7),
        padded_size: 8,
        ..Ask::new(Synchronizer::Merge, 2)
    };
    patients_case("unsatisfiable", [ask.clone(), ask])
}

fn terms_differ() -> Case {
    let ask = |k| Ask {
        padded_size: 8,
        ..Ask::new(Synchronizer::Merge, k)
    };
    patients_case("terms differ", [ask(2), ask(3)])
}

fn patients_case(name: &'static str, asks: [Ask; 2]) -> Case {
    let (identifiers, first, second) = patients();
    case(
        name,
        asks,
        [identifiers.clone(), identifiers],
        [first, second],
    )
}

fn case(
    name: &'static str,
    asks: [Ask; 2],
    identifiers: [Vec<String>; 2],
    fields: [Vec<Field>; 2],
) -> Case {
    debug_assert!(fields.iter().flatten().any(|f| f.role == Role::Sensitive));
    Case {
        name,
        asks,
        identifiers,
        fields,
        expected: None,
        messages: 0,
    }
}

/// Fills in what must come of it.
fn complete(mut case: Case) -> Case {
    let differ = case.asks[0].k != case.asks[1].k;
    let release = if differ {
        None
    } else {
        reference([case.setup(0), case.setup(1)]).ok()
    };
    case.expected = release.map(|release| show(release.verified.fragments()));
    let calm = Schedule {
        seed: 0,
        case: case.name,
        operations: Vec::new(),
    };
    let report =
        simulate(&calm, &case, super::Bug::None).expect("nothing goes wrong without faults");
    case.messages = report.messages[0].max(report.messages[1]);
    case
}
