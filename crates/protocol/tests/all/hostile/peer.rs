//! A hostile peer: an honest site whose chosen messages are rewritten on their way out.
//!
//! It is always the rushing one: it hears what the honest site says in a turn before it speaks
//! itself. Whatever the site inside says when it gives up is withheld, so that the honest site has
//! to notice by itself.

use crate::common::{Ask, Disk, parties, patients};
use crate::wire::{Frame, commitment, session_id};
use mingle_protocol::hazmat::held;
use mingle_protocol::{Error, Party, Reason, Seat, Standing, Status, Synchronizer};
use std::sync::{Arc, Mutex};

/// The honest site's randomness is this; its peer's is another.
pub const SEED: u64 = 11;

/// What the hostile peer knows when it speaks.
pub struct View<'a> {
    /// Everything the honest site has said.
    pub heard: &'a [Frame],
    /// Both greetings, site 0's first, once both are there.
    greetings: [Option<&'a Frame>; 2],
    pub seat: Seat,
}

impl View<'_> {
    pub fn session(&self) -> [u8; 32] {
        let greeting = |seat: usize| &self.greetings[seat].expect("both have greeted").payload[..];
        session_id([greeting(0), greeting(1)], [[1; 32], [2; 32]])
    }

    /// The last message of the honest site of one of these kinds.
    pub fn last(&self, kinds: &[&str]) -> &Frame {
        self.heard
            .iter()
            .rev()
            .find(|frame| kinds.contains(&frame.kind()))
            .expect("such a message")
    }
}

/// How a message is changed.
#[derive(Clone, Copy)]
pub enum Change {
    /// What the message says.
    Payload(fn(&View, &mut Vec<u8>)),
    /// The message as a whole.
    Frame(fn(&View, &mut Frame)),
    /// The bytes that go out in its place.
    Bytes(fn(&View, &Frame) -> Vec<u8>),
}

/// What the honest site must end with.
#[derive(Clone, PartialEq, Debug)]
pub enum Expect {
    Aborted(Error),
    /// Ready, and the other's word was worth nothing.
    InDoubt(Error),
    /// The other misbehaved when all was over.
    Published(Error),
}

impl<E: Into<Error>> From<E> for Expect {
    fn from(error: E) -> Expect {
        Expect::Aborted(error.into())
    }
}

/// The honest site when it has heard the hostile one.
pub struct Outcome {
    pub honest: Party,
    pub disk: Arc<Mutex<Disk>>,
    pub heard: Vec<Frame>,
}

/// The worked example; DPP2GA cannot keep t.
pub fn ask(synchronizer: Synchronizer) -> Ask {
    let t = (synchronizer != Synchronizer::Dpp2ga).then(|| crate::common::ratio(3, 4));
    Ask {
        t,
        ..Ask::new(synchronizer, 2)
    }
}

pub fn worked_example(ask: &Ask) -> ([Party; 2], [Arc<Mutex<Disk>>; 2]) {
    let (ids, first, second) = patients();
    parties(
        [
            ask.setup(Seat::Zero, &ids, &first),
            ask.setup(Seat::One, &ids, &second),
        ],
        SEED,
    )
}

/// Runs a session in which the `nth` message of a kind is changed.
pub fn attack(
    synchronizer: Synchronizer,
    hostile: Seat,
    kind: &str,
    nth: usize,
    change: Change,
) -> Outcome {
    let mut count = 0;
    rewrite(synchronizer, hostile, &mut |view, mut frame| {
        let hit = frame.kind() == kind && count == nth;
        count += usize::from(frame.kind() == kind);
        match change {
            _ if !hit => {}
            Change::Payload(edit) => edit(view, &mut frame.payload),
            Change::Frame(edit) => edit(view, &mut frame),
            Change::Bytes(edit) => return edit(view, &frame),
        }
        frame.bytes()
    })
}

/// Runs a session in which the `nth` commitment is to something else, opened as it should be in a
/// message of this kind.
pub fn commit(
    synchronizer: Synchronizer,
    hostile: Seat,
    nth: usize,
    kind: &str,
    make: &dyn Fn(&View) -> Vec<u8>,
) -> Outcome {
    let (mut count, mut forged) = (0, None);
    rewrite(synchronizer, hostile, &mut |view, mut frame| {
        if frame.kind() == "commitment" {
            if count == nth {
                let opening = [vec![7; 32], make(view)].concat();
                frame.payload = commitment(&view.session(), view.seat, kind, &opening);
                forged = Some(opening);
            }
            count += 1;
        } else if frame.kind() == kind
            && let Some(opening) = forged.take()
        {
            frame.payload = opening;
        }
        frame.bytes()
    })
}

/// Runs a session in which every message of the hostile site goes through `edit`.
pub fn rewrite(
    synchronizer: Synchronizer,
    hostile: Seat,
    edit: &mut dyn FnMut(&View, Frame) -> Vec<u8>,
) -> Outcome {
    let (sites, disks) = worked_example(&ask(synchronizer));
    let [first, second] = sites;
    let (mut honest, mut inner) = if hostile == Seat::One {
        (first, second)
    } else {
        (second, first)
    };
    let (mut heard, mut said): (Vec<Frame>, Vec<Frame>) = (Vec::new(), Vec::new());
    let mut to_inner = honest.connect();
    heard.extend(Frame::cut(&to_inner));
    let mut outgoing = Frame::cut(&inner.connect());
    while !outgoing.is_empty() {
        for frame in outgoing.into_iter().filter(|frame| frame.kind() != "abort") {
            said.push(frame.clone());
            let mut greetings = [said.first(), heard.first()];
            if hostile == Seat::One {
                greetings.reverse();
            }
            let bytes = edit(
                &View {
                    heard: &heard,
                    greetings,
                    seat: hostile,
                },
                frame,
            );
            let answer = honest.receive(&bytes);
            heard.extend(Frame::cut(&answer));
            to_inner.extend(answer);
        }
        outgoing = Frame::cut(&inner.receive(&std::mem::take(&mut to_inner)));
    }
    Outcome {
        honest,
        disk: disks[hostile.other().number()].clone(),
        heard,
    }
}

/// Checks everything that must hold after a refusal.
pub fn refused(name: &str, mut outcome: Outcome, expected: &Expect) {
    // the site under test looks at its disk too, so it must not be held
    let (standing, staged, public, releases) = {
        let disk = outcome.disk.lock().expect("a disk");
        (
            disk.standing,
            disk.staged.is_some(),
            disk.public.is_some(),
            disk.history.len(),
        )
    };
    let told: Vec<Reason> = outcome
        .heard
        .iter()
        .filter(|f| f.kind() == "abort")
        .map(reason)
        .collect();
    match expected {
        Expect::Aborted(error) => {
            assert_eq!(
                outcome.honest.status(),
                Status::Aborted(error.clone()),
                "{name}"
            );
            assert_eq!(
                (standing, staged),
                (Standing::Nothing, false),
                "{name}: something is left over"
            );
            assert_eq!(told, [error.reason()], "{name}: the other is told");
        }
        Expect::InDoubt(error) => {
            assert_eq!(outcome.honest.status(), Status::InDoubt, "{name}");
            assert_eq!(
                (outcome.honest.trouble(), told.len()),
                (Some(error), 0),
                "{name}"
            );
        }
        Expect::Published(error) => {
            assert_eq!(outcome.honest.status(), Status::Published, "{name}");
            assert_eq!(
                (outcome.honest.trouble(), told.len()),
                (Some(error), 0),
                "{name}"
            );
        }
    }
    let published = matches!(expected, Expect::Published(_));
    assert_eq!(
        (public, releases),
        (published, usize::from(published)),
        "{name}: published"
    );
    assert!(outcome.honest.is_broken(), "{name}: hangs up");
    // whoever goes on talking is not listened to
    let before = held(&outcome.honest);
    assert!(before < 4096, "{name}: {before} bytes kept");
    assert!(
        outcome.honest.receive(&[0; 1 << 16]).is_empty(),
        "{name}: still answers"
    );
    assert!(
        held(&outcome.honest) <= before,
        "{name}: keeps what nobody will read"
    );
}

pub fn reason(frame: &Frame) -> Reason {
    Reason::ALL[usize::from(frame.payload[0])]
}
