//! Progress of long work, on a terminal only.

use crate::message::Screen;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// A line that says what is being done.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Hidden unless the screen is a terminal.
    pub fn new(screen: Screen) -> Progress {
        let bar = ProgressBar::new(0);
        let target = if screen.shows_progress() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        bar.set_draw_target(target);
        Progress { bar }
    }

    /// Starts reading this many bytes.
    pub fn reading(&self, bytes: u64) {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {bytes}/{total_bytes}");
        self.bar.set_style(style.expect("a fixed template"));
        self.bar.set_length(bytes);
        self.bar.set_message("reading");
    }

    /// Starts writing this many rows.
    pub fn counting(&self, rows: u64) {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {human_pos}/{human_len}");
        self.bar.set_style(style.expect("a fixed template"));
        self.bar.set_length(rows);
        self.bar.set_message("writing");
    }

    /// So many bytes or rows are done.
    pub fn done(&self, so_far: u64) {
        self.bar.set_position(so_far);
    }

    /// Starts a step whose length is not known.
    pub fn step(&self, what: &'static str) {
        self.bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("a fixed template"));
        self.bar.set_message(what);
        if !self.bar.is_hidden() {
            self.bar.enable_steady_tick(Duration::from_millis(120));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
