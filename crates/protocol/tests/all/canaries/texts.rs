//! What people and logs get to see: no error, status or value that can be printed has a canary in
//! it.

use super::inspector::Inspector;
use super::people::{Session, ask, setups};
use mingle_protocol::{Error, Nobody, Party, Setup, Status, Synchronizer};
use std::fmt::{Debug, Display};
use std::sync::{Arc, Mutex};

struct Texts(Vec<String>);

impl Texts {
    fn debug(&mut self, value: &impl Debug) {
        self.0.push(format!("{value:?}"));
        self.0.push(format!("{value:#?}"));
    }

    fn error(&mut self, error: &(impl Debug + Display)) {
        self.0.push(error.to_string());
        self.debug(error);
    }
}

fn refused(setup: Setup) -> Error {
    let disk = Arc::new(Mutex::new(crate::common::Disk::default()));
    let vault = crate::common::MemoryVault {
        seat: setup.seat,
        disk,
    };
    Party::new(setup, Box::new(vault), Arc::new(Nobody))
        .err()
        .expect("not a sound setup")
}

/// Setups that are wrong in ways that have to do with cells.
fn setup_errors() -> Vec<Error> {
    let changed = |change: fn(&mut Setup)| {
        let [mut setup, _] = setups(&ask(Synchronizer::Merge));
        change(&mut setup);
        refused(setup)
    };
    vec![
        changed(|s| s.identifiers[3] = s.identifiers[2].to_uppercase()),
        changed(|s| s.identifiers[3] = " ".into()),
        changed(|s| s.terms.padded_size = 5),
        changed(|s| drop(s.identifiers.pop())),
        changed(|s| s.table.columns[0].spec.name = "gid".into()),
    ]
}

fn session_errors() -> Vec<Status> {
    let run = |change: fn(&mut [Setup; 2])| {
        let mut both = setups(&ask(Synchronizer::Merge));
        change(&mut both);
        Session::of(both, 2).statuses
    };
    let statuses = [
        run(|both| both[1].terms.padded_size += 1),
        run(|both| both[1].identifiers.iter_mut().for_each(|id| id.push('x'))),
        run(|both| both[1].table.columns[0].spec.name = "ZIP".into()),
        run(|_| ()),
    ];
    statuses.into_iter().flatten().collect()
}

#[test]
fn nothing_that_is_printed_has_a_canary_in_it() {
    let inspector = Inspector::new(&Session::run(Synchronizer::Merge, 2));
    let mut texts = Texts(Vec::new());
    let errors = setup_errors();
    assert!(
        matches!(errors[0], Error::DuplicateIdentifier { .. }),
        "{:?}",
        errors[0]
    );
    errors.iter().for_each(|error| texts.error(error));
    let statuses = session_errors();
    assert_eq!(
        statuses
            .iter()
            .filter(|status| matches!(status, Status::Aborted(_)))
            .count(),
        6,
        "{statuses:?}"
    );
    for status in &statuses {
        texts.debug(status);
        if let Status::Aborted(error) = status {
            texts.error(error);
        }
    }
    for synchronizer in Synchronizer::ALL {
        let reference = mingle_protocol::reference(setups(&ask(synchronizer))).expect("a release");
        texts.debug(&reference.agreement);
    }
    for text in &texts.0 {
        assert_eq!(inspector.findings("printed", text.as_bytes()), [""; 0]);
    }
}
