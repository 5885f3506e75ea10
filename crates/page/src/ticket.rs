//! Tickets: an address that shows one report, once, within a minute.
//!
//! A report is opened in a tab of its own, whose first request cannot carry the session's key. The
//! ticket stands in for it and is worth nothing afterwards, so that an address in a history opens
//! nothing. Reports are rendered when tickets are made; at most 16 wait.

use crate::secret::Secret;
use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const MOST_TICKETS: usize = 16;
const LIFETIME: Duration = Duration::from_secs(60);

/// The tickets that wait.
pub(crate) struct Tickets(Mutex<VecDeque<Ticket>>);

struct Ticket {
    secret: Secret,
    html: String,
    made: Instant,
}

impl Tickets {
    /// None.
    pub(crate) fn new() -> Self {
        Self(Mutex::new(VecDeque::new()))
    }

    /// A ticket for a report.
    pub(crate) fn add(&self, html: String, now: Instant) -> io::Result<String> {
        let (secret, mut tickets) = (Secret::new()?, self.tickets());
        let text = secret.reveal().to_owned();
        while tickets.len() >= MOST_TICKETS {
            tickets.pop_front();
        }
        tickets.push_back(Ticket {
            secret,
            html,
            made: now,
        });
        Ok(text)
    }

    /// The report, for the first who asks in time.
    pub(crate) fn take(&self, ticket: &str, now: Instant) -> Option<String> {
        self.sweep(now);
        let mut tickets = self.tickets();
        let found = tickets.iter().enumerate().fold(None, |found, (i, t)| {
            if t.secret.is(ticket) { Some(i) } else { found }
        });
        found
            .and_then(|index| tickets.remove(index))
            .map(|ticket| ticket.html)
    }

    /// Forgets what is too old.
    pub(crate) fn sweep(&self, now: Instant) {
        self.tickets()
            .retain(|ticket| now.duration_since(ticket.made) < LIFETIME);
    }

    fn tickets(&self) -> MutexGuard<'_, VecDeque<Ticket>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_visit() {
        let (tickets, now) = (Tickets::new(), Instant::now());
        let one = tickets.add("one".into(), now).unwrap();
        let two = tickets.add("two".into(), now).unwrap();
        assert_eq!(tickets.take(&two, now).as_deref(), Some("two"));
        assert_eq!(tickets.take(&two, now), None);
        assert_eq!(tickets.take("", now), None);
        assert_eq!(tickets.take(&one, now).as_deref(), Some("one"));
    }

    #[test]
    fn one_minute() {
        let (tickets, now) = (Tickets::new(), Instant::now());
        let ticket = tickets.add("late".into(), now).unwrap();
        assert_eq!(tickets.take(&ticket, now + Duration::from_secs(61)), None);
        assert_eq!(tickets.take(&ticket, now), None, "it is gone, not hidden");
    }

    #[test]
    fn few_wait() {
        let (tickets, now) = (Tickets::new(), Instant::now());
        let first = tickets.add("first".into(), now).unwrap();
        let more: Vec<String> = (0..MOST_TICKETS)
            .map(|_| tickets.add("more".into(), now).unwrap())
            .collect();
        assert_eq!(tickets.take(&first, now), None);
        assert!(
            more.iter()
                .all(|ticket| tickets.take(ticket, now).is_some())
        );
    }
}
