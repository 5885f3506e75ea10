//! What a person sees while a site runs: connections as they come and go, and how far the work is.

use crate::message::Screen;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mingle_protocol::Observer;
use mingle_site::{Event, Watcher};
use std::sync::Mutex;

/// Tells what happens.
pub struct Watch {
    screen: Screen,
    bar: ProgressBar,
    partner: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    phase: Option<&'static str>,
    /// Whether it was said that nobody answers.
    unanswered: bool,
}

impl Watch {
    pub fn new(screen: Screen, partner: &str) -> Watch {
        let bar = ProgressBar::new(0);
        let target = if screen.shows_progress() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        bar.set_draw_target(target);
        let style = ProgressStyle::with_template("{msg} {wide_bar} {human_pos}/{human_len}")
            .expect("a fixed template");
        bar.set_style(style);
        Watch {
            screen,
            bar,
            partner: partner.to_owned(),
            state: Mutex::default(),
        }
    }

    /// Takes the bar off the screen.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn note(&self, text: &str) {
        self.bar.suspend(|| self.screen.note(text));
    }

    fn detail(&self, text: &str) {
        self.bar.suspend(|| self.screen.detail(text));
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl Observer for Watch {
    fn progress(&self, phase: &'static str, done: u64, total: u64) {
        let entered = self.state().phase.replace(phase) != Some(phase);
        if entered {
            self.detail(&format!("{phase}: {total} to do"));
            self.bar.set_message(phase);
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
    }

    fn frame(&self, sent: bool, kind: &'static str, bytes: &[u8]) {
        let direction = if sent { "sent" } else { "received" };
        self.detail(&format!("{direction} {kind}, {} bytes", bytes.len()));
    }

    fn learned(&self, what: &str) {
        self.note(&format!("learnt: {what}"));
    }
}

impl Watcher for Watch {
    fn event(&self, event: Event<'_>) {
        let partner = &self.partner;
        match event {
            Event::Listening(address) => self.note(&format!("waiting for {partner} on {address}")),
            Event::Calling(address) => self.note(&format!("calling {partner} at {address}")),
            Event::Connected => {
                self.state().unanswered = false;
                self.note(&format!(
                    "connected to {partner}, whose certificate is the pinned one"
                ));
            }
            Event::Lost(error) => self.note(&format!(
                "connection lost: {error}; waiting for the next one"
            )),
            Event::Stranger(address, error) => {
                self.note(&format!("turned away {address}: {error}"))
            }
            Event::NoAnswer(error, _) => {
                let first = !std::mem::replace(&mut self.state().unanswered, true);
                if first {
                    self.note(&format!(
                        "{partner} does not answer yet ({error}); trying again until the deadline"
                    ))
                } else {
                    self.detail(&format!("{partner} does not answer: {error}"))
                }
            }
        }
    }
}
