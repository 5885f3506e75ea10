//! What tests do to noise: tamper with it, write down every look at the data, and answer a
//! neighbour's questions with what was answered before.
//!
//! Both are for noise that the asking thread makes; noise carries them to whichever thread draws.

use super::{Noise, Shape, Tampered};
use crate::Error;
use dashu::integer::UBig;
use dashu::rational::RBig;
use std::cell::{Cell, RefCell};
use std::sync::{Arc, Mutex};

thread_local! {
    static TAMPERING: Cell<Tampered> = const { Cell::new(Tampered::No) };
    static TRANSCRIPT: RefCell<Option<Transcript>> = const { RefCell::new(None) };
}

impl Tampered {
    /// What is drawn from instead; `None` where nothing is drawn.
    pub(super) fn with(self, shape: Shape, scale: RBig) -> Option<(Shape, RBig)> {
        let times = |n: u32, d: u32| scale.clone() * UBig::from(n) / UBig::from(d);
        match (self, shape) {
            (Tampered::No, _) => Some((shape, scale)),
            (Tampered::Off, _) => None,
            (Tampered::Half, _) => Some((shape, times(1, 2))),
            (Tampered::OneLess, _) => Some((shape, scale - RBig::ONE)),
            // √2 is about 577/408
            (Tampered::OtherShape, Shape::Gaussian) => Some((Shape::Laplace, times(408, 577))),
            (Tampered::OtherShape, Shape::Laplace) => Some((Shape::Gaussian, times(577, 408))),
        }
    }
}

/// What the present thread does to noise that is made now.
pub(crate) fn tampering() -> Tampered {
    TAMPERING.get()
}

/// Where the present thread writes looks down.
pub(super) fn transcript() -> Option<Transcript> {
    TRANSCRIPT.with_borrow(Clone::clone)
}

/// Runs something whose noise is tampered with.
pub(crate) fn with<R>(how: Tampered, then: impl FnOnce() -> R) -> R {
    let before = TAMPERING.replace(how);
    let result = then();
    TAMPERING.set(before);
    result
}

/// One look at the data: the questions' exact answers, and what was answered.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    pub(crate) shape: Shape,
    pub(crate) scale: RBig,
    pub(crate) exact: Vec<u64>,
    noisy: Vec<i64>,
}

/// Looks in the order in which they are taken.
#[derive(Clone)]
pub(crate) struct Transcript(Arc<Mutex<Looks>>);

/// What was looked at, and what was answered before, if anything.
struct Looks {
    taken: Vec<Look>,
    before: Option<Vec<Look>>,
}

impl std::fmt::Debug for Transcript {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Transcript")
    }
}

impl PartialEq for Transcript {
    fn eq(&self, other: &Transcript) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Transcript {}

impl Transcript {
    /// Writes a look down. Answers as before where there was one before, which must have asked for
    /// the same noise.
    pub(super) fn look(
        &self,
        noise: &Noise,
        exact: &[u64],
        answer: impl FnOnce() -> Result<Vec<i64>, Error>,
    ) -> Result<Vec<i64>, Error> {
        let Looks { taken, before } = &mut *self.0.lock().expect("no test panics inside");
        let noisy = match before {
            None => answer()?,
            Some(before) => {
                let same = before.get(taken.len()).filter(|look| {
                    (look.shape, &look.scale, look.exact.len())
                        == (noise.shape, &noise.scale, exact.len())
                });
                same.map(|look| look.noisy.clone())
                    .unwrap_or_else(|| vec![0; exact.len()])
            }
        };
        let look = Look {
            shape: noise.shape,
            scale: noise.scale.clone(),
            exact: exact.to_vec(),
            noisy: noisy.clone(),
        };
        taken.push(look);
        Ok(noisy)
    }
}

/// Runs something and gives its looks.
pub(crate) fn recorded<R>(then: impl FnOnce() -> R) -> (R, Vec<Look>) {
    written(None, then)
}

/// Runs something again that gets the answers of before, whatever the exact ones are now, and gives
/// its looks.
pub(crate) fn answered_by<R>(before: &[Look], then: impl FnOnce() -> R) -> (R, Vec<Look>) {
    written(Some(before.to_vec()), then)
}

fn written<R>(before: Option<Vec<Look>>, then: impl FnOnce() -> R) -> (R, Vec<Look>) {
    let transcript = Transcript(Arc::new(Mutex::new(Looks {
        taken: Vec::new(),
        before,
    })));
    let outer = TRANSCRIPT.replace(Some(transcript.clone()));
    let result = then();
    TRANSCRIPT.set(outer);
    let looks = std::mem::take(&mut transcript.0.lock().expect("no test panics inside").taken);
    (result, looks)
}
