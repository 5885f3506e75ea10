//! A long answer as lines: one JSON document each, sent as they come.
//!
//! The work runs on a thread that may block and sends through a channel of 64 lines: a reader that
//! does not read holds the work up, not the memory. A blank line every 150 ms keeps the connection
//! honest: when the reader is gone, writing fails, the body is dropped and the work is told to give
//! up. (Where nothing else was sent ahead, the end of the connection is noticed at once.)

use crate::Error;
use crate::cancel::Cancel;
use crate::jobs::{Entry, Job};
use crate::site::Site;
use crate::workbench::{Sink, Stopped};
use axum::body::{Body, Bytes};
use hyper::body::Frame;
use serde::Serialize;
use std::convert::Infallible;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

const LINES_AHEAD: usize = 64;
const BEAT: Duration = Duration::from_millis(150);

/// Starts a job and answers with its lines.
pub(crate) fn stream<J: Job>(site: Arc<Site>, entry: Entry, job: J) -> Body {
    let (sender, receiver) = mpsc::channel(LINES_AHEAD);
    let lines = Lines::new(receiver, Arc::clone(&entry.cancel));
    tokio::spawn(work(site, entry, job, sender));
    Body::new(lines)
}

async fn work<J: Job>(site: Arc<Site>, entry: Entry, job: J, sender: Sender<Bytes>) {
    let seat = tokio::select! {
        seat = site.jobs.seats().acquire_owned() => seat,
        () = entry.cancel.raised() => return,
    };
    let sink = Lane {
        sender,
        cancel: Arc::clone(&entry.cancel),
        runtime: Handle::current(),
        events: PhantomData,
    };
    let lane = sink.clone();
    let done = spawn_blocking(move || {
        let _seat = seat;
        // that it stopped is what we told it
        let _ = job.run(&*site.workbench, &sink);
    });
    if done.await.is_err() {
        let _ = lane.pass(line(&J::failed(Error::Defect.problem()))).await;
    }
}

fn line<T: Serialize>(event: &T) -> Bytes {
    let mut text = serde_json::to_vec(event).expect("an event is plain data");
    text.push(b'\n');
    text.into()
}

/// The way from the work to the reader.
struct Lane<T> {
    sender: Sender<Bytes>,
    cancel: Arc<Cancel>,
    runtime: Handle,
    events: PhantomData<fn(T)>,
}

impl<T> Clone for Lane<T> {
    fn clone(&self) -> Self {
        Self {
            sender: self.sender.clone(),
            cancel: Arc::clone(&self.cancel),
            runtime: self.runtime.clone(),
            events: PhantomData,
        }
    }
}

impl<T> Lane<T> {
    async fn pass(&self, line: Bytes) -> Result<(), Stopped> {
        tokio::select! {
            biased;
            () = self.cancel.raised() => Err(Stopped),
            sent = self.sender.send(line) => sent.map_err(|_| Stopped),
        }
    }
}

impl<T: Serialize> Sink<T> for Lane<T> {
    fn send(&self, event: T) -> Result<(), Stopped> {
        self.runtime.block_on(self.pass(line(&event)))
    }

    fn cancelled(&self) -> &Arc<AtomicBool> {
        self.cancel.flag()
    }
}

/// The lines as a body.
struct Lines {
    receiver: Receiver<Bytes>,
    cancel: Arc<Cancel>,
    beat: Interval,
}

impl Lines {
    fn new(receiver: Receiver<Bytes>, cancel: Arc<Cancel>) -> Self {
        let mut beat = interval_at(Instant::now() + BEAT, BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self {
            receiver,
            cancel,
            beat,
        }
    }
}

impl hyper::body::Body for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if let Poll::Ready(line) = self.receiver.poll_recv(cx) {
            return Poll::Ready(line.map(|line| Ok(Frame::data(line))));
        }
        // the beat wakes us, so that a job that was told to give up ends its answer even where it
        // does not listen
        if self.beat.poll_tick(cx).is_pending() {
            return Poll::Pending;
        }
        let beat = (!self.cancel.is_raised()).then(|| Ok(Frame::data(Bytes::from_static(b"\n"))));
        Poll::Ready(beat)
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.cancel.raise();
    }
}
