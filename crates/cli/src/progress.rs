//! Progress of long work, on a terminal only.

use crate::message::Screen;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A line that says what is being done; with `-v`, how long each step took.
pub struct Progress {
    bar: ProgressBar,
    screen: Screen,
    step: Cell<Option<(&'static str, Instant)>>,
    listener: Option<Listener>,
}

/// Told what is being done, and what share of it is done where that is known.
pub type Listener = Arc<dyn Fn(&'static str, Option<f64>) + Send + Sync>;

impl Progress {
    /// Hidden unless the screen is a terminal.
    pub fn new(screen: Screen) -> Progress {
        let bar = ProgressBar::new(0);
        let target = if screen.shows_progress() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        bar.set_draw_target(target);
        Progress {
            bar,
            screen,
            step: Cell::new(None),
            listener: None,
        }
    }

    /// Seen by nobody.
    pub fn hidden() -> Progress {
        Progress::new(Screen::new(true, false))
    }

    /// Seen by nobody but a listener.
    pub fn told(listener: Listener) -> Progress {
        let mut progress = Progress::hidden();
        progress.listener = Some(listener);
        progress
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
        self.begin(
            "measuring",
            "{msg} {wide_bar} {human_pos}/{human_len} {eta}",
            settings,
        );
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
        let (bar, listener) = (self.bar.clone(), self.listener.clone());
        let step = self.step.get().map_or("", |(what, _)| what);
        move |so_far| {
            bar.set_position(so_far);
            if let Some(tell) = &listener {
                tell(
                    step,
                    bar.length()
                        .filter(|&all| all > 0)
                        .map(|all| so_far as f64 / all as f64),
                );
            }
        }
    }

    /// Says something without tearing the bar apart.
    pub fn detail(&self, text: &str) {
        self.bar.suspend(|| self.screen.detail(text));
    }

    fn begin(&self, what: &'static str, template: &str, length: u64) {
        self.end_step();
        self.step.set(Some((what, Instant::now())));
        if let Some(tell) = &self.listener {
            tell(what, None);
        }
        self.bar
            .set_style(ProgressStyle::with_template(template).expect("a fixed template"));
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
