//! Who may ask: the token of a link, used once, is exchanged for the key that every later request
//! carries.
//!
//! A link can be seen over a shoulder or in a history; after its first use it is worth nothing.
//! Unused tokens are few (8, the oldest goes) and so are keys. Wrong tokens slow the next tries
//! down. Keys end with the server.

use crate::secret::Secret;
use std::collections::VecDeque;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const MOST_TOKENS: usize = 8;
const MOST_KEYS: usize = 64;
const WRONG_TRIES: usize = 20;
const WRONG_WITHIN: Duration = Duration::from_secs(60);
const WRONG_COSTS: Duration = Duration::from_secs(1);

/// The number of a session, for telling tabs of different sessions apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct SessionId(u64);

/// Tokens, keys and wrong tries.
pub(crate) struct Sessions(Mutex<Inner>);

struct Inner {
    tokens: VecDeque<Secret>,
    keys: VecDeque<(SessionId, Secret)>,
    wrong: VecDeque<Instant>,
    next: u64,
}

impl Sessions {
    /// Nobody yet.
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Inner {
            tokens: VecDeque::new(),
            keys: VecDeque::new(),
            wrong: VecDeque::new(),
            next: 0,
        }))
    }

    /// A token for a link.
    pub(crate) fn token(&self) -> io::Result<String> {
        let (token, mut inner) = (Secret::new()?, self.inner());
        let text = token.reveal().to_owned();
        make_room(&mut inner.tokens, MOST_TOKENS);
        inner.tokens.push_back(token);
        Ok(text)
    }

    /// How long the next try has to wait.
    pub(crate) fn wait(&self, now: Instant) -> Duration {
        let mut inner = self.inner();
        inner
            .wrong
            .retain(|at| now.duration_since(*at) < WRONG_WITHIN);
        if inner.wrong.len() < WRONG_TRIES {
            Duration::ZERO
        } else {
            WRONG_COSTS
        }
    }

    /// The key for a token, which is used up.
    pub(crate) fn exchange(&self, token: &str, now: Instant) -> io::Result<Option<String>> {
        let (key, mut inner) = (Secret::new()?, self.inner());
        // all are compared, so that time does not tell which was near
        let found =
            inner.tokens.iter().enumerate().fold(
                None,
                |found, (i, t)| if t.is(token) { Some(i) } else { found },
            );
        let Some(index) = found else {
            make_room(&mut inner.wrong, WRONG_TRIES);
            inner.wrong.push_back(now);
            return Ok(None);
        };
        inner.tokens.remove(index);
        make_room(&mut inner.keys, MOST_KEYS);
        let (text, id) = (key.reveal().to_owned(), SessionId(inner.next));
        inner.next += 1;
        inner.keys.push_back((id, key));
        Ok(Some(text))
    }

    /// Whose key this is.
    pub(crate) fn owner(&self, key: &str) -> Option<SessionId> {
        self.inner().keys.iter().fold(
            None,
            |found, (id, k)| if k.is(key) { Some(*id) } else { found },
        )
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn make_room<T>(queue: &mut VecDeque<T>, most: usize) {
    while queue.len() >= most {
        queue.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exchange(sessions: &Sessions, token: &str) -> Option<String> {
        sessions.exchange(token, Instant::now()).unwrap()
    }

    #[test]
    fn a_token_works_once() {
        let sessions = Sessions::new();
        let token = sessions.token().unwrap();
        let key = exchange(&sessions, &token).unwrap();
        assert!(sessions.owner(&key).is_some());
        assert!(exchange(&sessions, &token).is_none());
        assert!(sessions.owner(&token).is_none(), "a token is no key");
        assert!(exchange(&sessions, &key).is_none(), "a key is no token");
    }

    #[test]
    fn nothing_is_neither_token_nor_key() {
        let sessions = Sessions::new();
        assert!(exchange(&sessions, "").is_none() && sessions.owner("").is_none());
        sessions.token().unwrap();
        assert!(exchange(&sessions, "").is_none());
    }

    #[test]
    fn eight_tokens_wait_and_the_oldest_goes() {
        let sessions = Sessions::new();
        let tokens: Vec<String> = (0..9).map(|_| sessions.token().unwrap()).collect();
        assert!(exchange(&sessions, &tokens[0]).is_none());
        assert!(tokens[1..].iter().all(|t| exchange(&sessions, t).is_some()));
    }

    #[test]
    fn sessions_differ_and_the_oldest_goes() {
        let sessions = Sessions::new();
        let keys: Vec<String> = (0..=MOST_KEYS)
            .map(|_| exchange(&sessions, &sessions.token().unwrap()).unwrap())
            .collect();
        assert!(sessions.owner(&keys[0]).is_none());
        let (one, other) = (
            sessions.owner(&keys[1]).unwrap(),
            sessions.owner(&keys[2]).unwrap(),
        );
        assert!(one != other);
    }

    #[test]
    fn twenty_wrong_tokens_slow_down_for_a_minute() {
        let (sessions, start) = (Sessions::new(), Instant::now());
        for _ in 0..19 {
            assert!(sessions.exchange("wrong", start).unwrap().is_none());
        }
        assert_eq!(sessions.wait(start), Duration::ZERO);
        assert!(sessions.exchange("wrong", start).unwrap().is_none());
        assert_eq!(sessions.wait(start + Duration::from_secs(59)), WRONG_COSTS);
        assert_eq!(
            sessions.wait(start + Duration::from_secs(61)),
            Duration::ZERO
        );
    }
}
