//! Progress of long work, on a terminal only.

use crate::message::Screen;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// A line that says what is being done; with `-v`, how long each step took.
pub struct Progress {
    bar: ProgressBar,
    screen: Screen,
    step: Cell<Option<(&'static str, Instant)>>,
}

impl Progress {
    /// Hidden unless the screen is a terminal.
    pub fn new(screen: Screen) -> Progress {
        let bar = ProgressBar::new(0);
        let target = if screen.shows_progress() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        bar.set_draw_target(target);
        Progress { bar, screen, step: Cell::new(None) }
    }

    /// Starts reading this many bytes.
    pub fn reading(&self, bytes: u64) {
        self.begin("reading", "{msg} {wide_bar} {bytes}/{total_bytes}", bytes);
    }

    /// Starts writing this many rows.
    pub fn writing(&self, rows: u64) {
        self.begin("writing", "{msg} {wide_bar} {human_pos}/{human_len}", rows);
    }

    /// Starts measuring this many settings.
    pub fn measuring(&self, settings: u64) {
        self.begin("measuring", "{msg} {wide_bar} {human_pos}/{human_len} {eta}", settings);
    }

    /// Starts a step whose length is not known.
    pub fn step(&self, what: &'static str) {
        self.begin(what, "{spinner} {msg}", 0);
        if !self.bar.is_hidden() {
            self.bar.enable_steady_tick(Duration::from_millis(120));
        }
    }

    /// Called from any thread with how many bytes or rows are done.
    pub fn counter(&self) -> impl Fn(u64) + Sync + use<> {
        let bar = self.bar.clone();
        move |so_far| bar.set_position(so_far)
    }

    /// Says something without tearing the bar apart.
    pub fn detail(&self, text: &str) {
        self.bar.suspend(|| self.screen.detail(text));
    }

    fn begin(&self, what: &'static str, template: &str, length: u64) {
        self.end_step();
        self.step.set(Some((what, Instant::now())));
        self.bar.set_style(ProgressStyle::with_template(template).expect("a fixed template"));
        self.bar.set_length(length);
        self.bar.set_message(what);
    }

    fn end_step(&self) {
        if let Some((what, started)) = self.step.take() {
            self.detail(&format!("{what}: {:.3} s", started.elapsed().as_secs_f64()));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.end_step();
        self.bar.finish_and_clear();
    }
}
