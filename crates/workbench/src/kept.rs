//! The few things that were made last: what is asked for again is not made again.

use super::lock;
use std::sync::{Arc, Mutex};

/// At most so many things, by name; the one that was not asked for longest goes first.
pub struct Kept<T> {
    room: usize,
    things: Mutex<Vec<(String, Arc<T>)>>,
}

impl<T> Kept<T> {
    /// Room for so many.
    pub fn new(room: usize) -> Kept<T> {
        Kept {
            room,
            things: Mutex::default(),
        }
    }

    /// A thing that is still there.
    pub fn get(&self, name: &str) -> Option<Arc<T>> {
        let mut things = lock(&self.things);
        let place = things.iter().position(|(n, _)| n == name)?;
        let found = things.remove(place);
        let thing = found.1.clone();
        things.push(found);
        Some(thing)
    }

    /// Keeps a thing.
    pub fn put(&self, name: &str, thing: Arc<T>) {
        let mut things = lock(&self.things);
        things.retain(|(n, _)| n != name);
        things.push((name.to_owned(), thing));
        let over = things.len().saturating_sub(self.room);
        things.drain(..over);
    }

    /// Keeps at most so many of what is there: large things need room.
    pub fn trim(&self, room: usize) {
        let mut things = lock(&self.things);
        let over = things.len().saturating_sub(room);
        things.drain(..over);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_asked_for_last_stays() {
        let kept = Kept::new(2);
        for name in ["a", "b"] {
            kept.put(name, Arc::new(name));
        }
        assert!(kept.get("a").is_some());
        kept.put("c", Arc::new("c"));
        assert!(kept.get("a").is_some() && kept.get("c").is_some() && kept.get("b").is_none());
        kept.trim(1);
        assert!(kept.get("a").is_none() && kept.get("c").is_some());
    }
}
