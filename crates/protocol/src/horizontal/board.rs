//! The board: it takes every provider's messages to all others, and decides nothing.
//!
//! Providers only connect out, to a board that one of them or anybody else runs. It keeps who is
//! connected in which run, and of each connection at most one unfinished frame; what a provider
//! misses while it is away is sent again by the others. It is not trusted with anything: messages
//! are signed, bodies are masked or encrypted, and providers compare what they saw.

use super::envelope::EVERYBODY;
use super::terms::MOST_PROVIDERS;
use crate::error::Violation;
use crate::frame::{self, Frame, Kind, Reader};
use std::collections::BTreeMap;

/// What a board takes at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardLimits {
    /// Runs at the same time.
    pub runs: usize,
    /// Connections, in all runs and before they have joined one.
    pub connections: usize,
}

impl Default for BoardLimits {
    fn default() -> BoardLimits {
        BoardLimits {
            runs: 64,
            connections: 2048,
        }
    }
}

type RunName = [u8; 16];

/// The relay between providers.
pub struct RelayBoard {
    limits: BoardLimits,
    links: BTreeMap<u64, Link>,
    /// Which connection has which seat, by run.
    runs: BTreeMap<RunName, BTreeMap<u16, u64>>,
}

#[derive(Default)]
struct Link {
    reader: Reader,
    joined: Option<(RunName, u16, u16)>,
    refused: Option<Violation>,
}

impl RelayBoard {
    /// A board with nobody connected.
    pub fn new(limits: BoardLimits) -> RelayBoard {
        RelayBoard {
            limits,
            links: BTreeMap::new(),
            runs: BTreeMap::new(),
        }
    }

    /// A new connection, under a number of the owner's choice that is not in use. `false` where
    /// there are too many: hang up.
    pub fn connect(&mut self, connection: u64) -> bool {
        if self.links.len() >= self.limits.connections || self.links.contains_key(&connection) {
            return false;
        }
        self.links.insert(connection, Link::default());
        true
    }

    /// Bytes arrived, cut anywhere. Returns what to send to which connection.
    pub fn receive(&mut self, connection: u64, bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
        let mut out = Vec::new();
        let Some(link) = self.links.get_mut(&connection) else {
            return out;
        };
        if link.refused.is_some() {
            return out;
        }
        link.reader.push(bytes);
        loop {
            let Some(link) = self.links.get_mut(&connection) else {
                return out;
            };
            let has_joined = link.joined.is_some();
            let limit = |kind: Kind| match kind {
                Kind::Join => Ok(64),
                kind if has_joined => kind.most_between_providers().ok_or(Violation::Damaged),
                _ => Err(Violation::Unexpected {
                    expected: Kind::Join.name(),
                }),
            };
            let step = match link.reader.next_within(limit) {
                Ok(None) => return out,
                Ok(Some(frame)) => self.frame(connection, &frame, &mut out),
                Err(violation) => Err(violation),
            };
            if let Err(violation) = step {
                self.refuse(connection, violation);
                return out;
            }
        }
    }

    /// A connection is gone.
    pub fn disconnect(&mut self, connection: u64) {
        self.leave(connection);
        self.links.remove(&connection);
    }

    /// What a connection did that no honest provider does: hang up on it.
    pub fn is_refused(&self, connection: u64) -> Option<&Violation> {
        self.links.get(&connection)?.refused.as_ref()
    }

    /// How many runs are open.
    pub fn runs(&self) -> usize {
        self.runs.len()
    }

    /// The seats that are taken in each run, for whoever watches the board: it knows no more.
    pub fn seats_taken(&self) -> Vec<usize> {
        self.runs.values().map(BTreeMap::len).collect()
    }

    fn refuse(&mut self, connection: u64, violation: Violation) {
        self.leave(connection);
        if let Some(link) = self.links.get_mut(&connection) {
            link.reader.clear();
            link.refused = Some(violation);
        }
    }

    fn leave(&mut self, connection: u64) {
        let joined = self
            .links
            .get_mut(&connection)
            .and_then(|l| l.joined.take());
        let Some((run, seat, _)) = joined else {
            return;
        };
        if let Some(seats) = self.runs.get_mut(&run) {
            // a newer connection may have taken the seat
            if seats.get(&seat) == Some(&connection) {
                seats.remove(&seat);
            }
            if seats.is_empty() {
                self.runs.remove(&run);
            }
        }
    }

    fn frame(
        &mut self,
        connection: u64,
        frame: &Frame,
        out: &mut Vec<(u64, Vec<u8>)>,
    ) -> Result<(), Violation> {
        if frame.kind == Kind::Join {
            return self.join(connection, frame);
        }
        let joined = self.links.get(&connection).and_then(|link| link.joined);
        let Some((run, seat, _)) = joined else {
            return Err(Violation::Unexpected {
                expected: Kind::Join.name(),
            });
        };
        if frame.session != run {
            return Err(Violation::UnknownSession);
        }
        let Some((route, rest)) = frame.payload.split_first_chunk::<2>() else {
            return Err(Violation::Malformed {
                kind: frame.kind.name(),
            });
        };
        let claimed = rest
            .first_chunk::<2>()
            .map(|pair| u16::from_le_bytes(*pair));
        // a last word is passed on by whoever heard it
        if claimed != Some(seat) && frame.kind != Kind::Abort {
            return Err(Violation::WrongSeat);
        }
        let route = u16::from_le_bytes(*route);
        let Some(seats) = self.runs.get(&run) else {
            return Ok(());
        };
        let whole = frame::encode(frame.kind, frame.session, frame.sequence, &frame.payload);
        let stripped = stripped(frame);
        for (&other, &to) in seats {
            if other == seat || (route != EVERYBODY && route != other) {
                continue;
            }
            let bytes = match &stripped {
                Some((reader, stripped)) if *reader != other => stripped,
                _ => &whole,
            };
            out.push((to, bytes.clone()));
        }
        Ok(())
    }

    /// Takes a seat; whoever had it before is gone, as after a crash that nobody noticed.
    fn join(&mut self, connection: u64, frame: &Frame) -> Result<(), Violation> {
        let malformed = Violation::Malformed {
            kind: Kind::Join.name(),
        };
        let &[a, b, c, d] = frame.payload.as_slice() else {
            return Err(malformed);
        };
        let (seat, seats) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
        if seat >= seats || usize::from(seats) > MOST_PROVIDERS {
            return Err(Violation::WrongSeat);
        }
        if !self.runs.contains_key(&frame.session) && self.runs.len() >= self.limits.runs {
            return Err(Violation::Unexpected {
                expected: "fewer runs on this board",
            });
        }
        if let Some(others) = self.runs.get(&frame.session) {
            let sizes = others
                .values()
                .filter_map(|other| self.links.get(other)?.joined);
            if sizes.into_iter().any(|(_, _, other)| other != seats) {
                return Err(Violation::Inconsistent {
                    what: "another number of seats",
                });
            }
        }
        self.leave(connection);
        let before = self
            .runs
            .entry(frame.session)
            .or_default()
            .insert(seat, connection);
        if let Some(before) = before {
            if let Some(link) = self.links.get_mut(&before) {
                link.joined = None;
                link.refused = Some(Violation::Unexpected {
                    expected: "one connection per seat",
                });
            }
        }
        if let Some(link) = self.links.get_mut(&connection) {
            link.joined = Some((frame.session, seat, seats));
        }
        Ok(())
    }
}

/// A message for one reader as the others get it, without its body; `None` for what is for all.
fn stripped(frame: &Frame) -> Option<(u16, Vec<u8>)> {
    const HEAD: usize = 111;
    if matches!(frame.kind, Kind::Resume | Kind::Certificate) || frame.payload.len() < HEAD {
        return None;
    }
    let reader = u16::from_le_bytes([frame.payload[4], frame.payload[5]]);
    if reader == EVERYBODY {
        return None;
    }
    let mut head = frame.payload[..HEAD].to_vec();
    head[6] = 1;
    Some((
        reader,
        frame::encode(frame.kind, frame.session, frame.sequence, &head),
    ))
}
