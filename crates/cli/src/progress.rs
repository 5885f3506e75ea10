//! Progress of long work, on a terminal only.

use crate::interrupt;
use crate::message::Screen;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mingle::{Length, Progress, Run};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A run that shows its progress on the terminal, and that Ctrl-C stops.
pub fn terminal_run(screen: Screen) -> Run {
    Run::new(Arc::new(TerminalProgress::new(screen)), interrupt::listen())
}

/// A line that says what is being done; with `-v`, how long each step took.
struct TerminalProgress {
    bar: ProgressBar,
    screen: Screen,
    step: Mutex<Option<(&'static str, Instant)>>,
}

impl TerminalProgress {
    /// Hidden unless the screen is a terminal.
    fn new(screen: Screen) -> TerminalProgress {
        let bar = ProgressBar::new(0);
        let target = if screen.shows_progress() {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        bar.set_draw_target(target);
        TerminalProgress {
            bar,
            screen,
            step: Mutex::new(None),
        }
    }

    /// Ends the step that is under way, if any, and starts the next.
    fn change_step(&self, next: Option<(&'static str, Instant)>) {
        let mut step = self.step.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((name, started)) = std::mem::replace(&mut *step, next) {
            self.detail(&format!("{name}: {:.3} s", started.elapsed().as_secs_f64()));
        }
    }
}

impl Progress for TerminalProgress {
    fn begin(&self, step: &'static str, length: Length) {
        self.change_step(Some((step, Instant::now())));
        let template = match length {
            Length::Unknown => "{spinner} {msg}",
            Length::Bytes(_) => "{msg} {wide_bar} {bytes}/{total_bytes}",
            Length::Rows(_) => "{msg} {wide_bar} {human_pos}/{human_len}",
            Length::Settings(_) => "{msg} {wide_bar} {human_pos}/{human_len} {eta}",
        };
        let style = ProgressStyle::with_template(template).expect("a fixed template");
        // a run that goes on after its result was said shows its bar again
        if self.bar.is_finished() {
            self.bar.reset();
        }
        self.bar.set_style(style);
        self.bar.set_length(length.number().unwrap_or(0));
        self.bar.set_message(step);
        if length == Length::Unknown && !self.bar.is_hidden() {
            self.bar.enable_steady_tick(Duration::from_millis(120));
        }
    }

    fn advance(&self, so_far: u64) {
        self.bar.set_position(so_far);
    }

    /// Does not tear the bar apart.
    fn detail(&self, text: &str) {
        self.bar.suspend(|| self.screen.detail(text));
    }

    fn end(&self) {
        self.change_step(None);
        self.bar.finish_and_clear();
    }
}

impl Drop for TerminalProgress {
    fn drop(&mut self) {
        self.end();
    }
}
