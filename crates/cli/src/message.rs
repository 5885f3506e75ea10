//! Messages to people: errors, warnings and notes on standard error.
//!
//! Every error has a stable code, a text that says what and where, and a hint that says what to do.
//! None of them ever holds a cell of a table: texts are made of names, positions and counts. A
//! policy's own lines may be quoted, because a policy holds no data.

pub use crate::document::print_json;
pub use mingle::words::{beside, wrap, wrap_to};
pub use mingle_record::{Exit, Problem};

use crate::document;
use mingle_record::{ProblemCode, foreign_text::is_steering};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};
use terminal_size::{Height, Width, terminal_size_of};

/// The widest line of a message on a terminal.
const WIDEST_MESSAGE: usize = 100;

/// How many characters a line of standard output has; `None` where it is no terminal.
pub fn columns_of_output() -> Option<usize> {
    columns(terminal_size_of(std::io::stdout()))
}

/// The same of standard error.
fn columns_of_messages() -> Option<usize> {
    columns(terminal_size_of(std::io::stderr()))
}

fn columns(size: Option<(Width, Height)>) -> Option<usize> {
    size.map(|(Width(columns), _)| usize::from(columns))
}

/// A problem as lines of text, broken between words where a width is given.
fn render(problem: &Problem, label: &str, paint: Paint, width: Option<usize>) -> String {
    let heading = format!("{label}[{}]", problem.code());
    let text = format!("{heading}: {}", visible(problem.text()));
    let mut out = within(&text, width).replacen(&heading, &paint.strong(label, problem.code()), 1);
    if let Some(excerpt) = problem.excerpt() {
        let _ = writeln!(out, "{}", visible(excerpt));
    }
    if !problem.hint().is_empty() {
        let hint = within(&format!("hint: {}", visible(problem.hint())), width);
        out.push_str(&hint.replacen("hint:", &paint.hint("hint:"), 1));
    }
    out
}

/// Lines no longer than `width`, as far as words allow; each ends in a line feed.
fn within(text: &str, width: Option<usize>) -> String {
    match width {
        Some(width) => wrap_to(text, width),
        None => format!("{text}\n"),
    }
}

/// Where messages go, and how many of them.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    verbosity: Verbosity,
    paint: Paint,
    width: Option<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Verbosity {
    Quiet,
    Normal,
    Verbose,
}

impl Screen {
    /// Colours only on a terminal, and not with `NO_COLOR`.
    pub fn new(quiet: bool, verbose: bool) -> Screen {
        let verbosity = match (quiet, verbose) {
            (true, _) => Verbosity::Quiet,
            (_, true) => Verbosity::Verbose,
            _ => Verbosity::Normal,
        };
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        Screen {
            verbosity,
            paint: Paint(wanted && std::io::stderr().is_terminal()),
            width: columns_of_messages()
                .map(|columns| columns.saturating_sub(1).clamp(40, WIDEST_MESSAGE)),
        }
    }

    /// Says why a command ends.
    pub fn problem(self, problem: &Problem) {
        say(&render(problem, "error", self.paint, self.width));
    }

    /// Says what deserves attention but does not stop the command. However quiet: a warning is part
    /// of the verdict.
    pub fn warning(self, warning: &Problem) {
        document::remember(warning);
        say(&render(warning, "warning", self.paint, self.width));
    }

    /// Says all of them.
    pub fn warnings<'a>(self, warnings: impl IntoIterator<Item = &'a Problem>) {
        for warning in warnings {
            self.warning(warning);
        }
    }

    /// Says something about what was done.
    pub fn note(self, text: &str) {
        if self.verbosity >= Verbosity::Normal {
            say(&format!("{}\n", visible(text)));
        }
    }

    /// Says something that only a closer look needs.
    pub fn detail(self, text: &str) {
        if self.verbosity >= Verbosity::Verbose {
            say(&format!("{text}\n"));
        }
    }

    /// Whether nothing but warnings, errors and asked-for results shall be seen.
    pub fn is_quiet(self) -> bool {
        self.verbosity == Verbosity::Quiet
    }

    /// Whether a progress bar may be drawn.
    pub fn shows_progress(self) -> bool {
        self.verbosity >= Verbosity::Normal && std::io::stderr().is_terminal()
    }
}

/// A closed standard error is no reason to fail.
fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// Names and labels come from files: what would steer a terminal is shown as an escape.
pub fn visible(text: &str) -> String {
    let steers = |c: char| (c.is_control() && c != '\n') || is_steering(c);
    let shown = |c: char| {
        if steers(c) {
            c.escape_default().to_string()
        } else {
            c.to_string()
        }
    };
    text.chars().map(shown).collect()
}

/// Writes a result to standard output. A reader that closed the pipe has seen enough: that is no
/// error.
pub fn print(text: &str) -> Result<(), Problem> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(mingle::failure::write("standard output", &e))
        }
        _ => Ok(()),
    }
}

#[derive(Clone, Copy, Debug)]
struct Paint(bool);

impl Paint {
    fn strong(self, label: &str, code: ProblemCode) -> String {
        let colour = if label == "error" { "31" } else { "33" };
        if self.0 {
            format!("\x1b[1;{colour}m{label}[{code}]\x1b[0m")
        } else {
            format!("{label}[{code}]")
        }
    }

    fn hint(self, label: &str) -> String {
        if self.0 {
            format!("\x1b[36m{label}\x1b[0m")
        } else {
            label.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapped_lines_fit_and_keep_their_words() {
        let text = "a word ".repeat(60) + &"x".repeat(100);
        let wrapped = wrap(&text);
        assert!(
            wrapped
                .lines()
                .filter(|l| !l.starts_with('x'))
                .all(|l| l.len() <= 78)
        );
        assert_eq!(
            wrapped.split_whitespace().count(),
            text.split_whitespace().count()
        );
        assert_eq!(
            wrap("  indented stays as it is"),
            "  indented stays as it is\n"
        );
    }

    #[test]
    fn a_problem_is_one_line_and_a_hint() {
        let problem = Problem::new(
            ProblemCode::UnknownKey,
            "policy.toml:1:1: unknown key `rol`",
            "did you mean `role`?",
        );
        assert_eq!(
            render(&problem, "error", Paint(false), None),
            "error[MG0103]: policy.toml:1:1: unknown key `rol`\nhint: did you mean `role`?\n"
        );
    }

    #[test]
    fn a_terminal_gets_lines_that_fit_and_colours_that_break_nothing() {
        let text = "policy.toml:1:1: unknown key `rol` beside many other words that go on and on";
        let problem = Problem::new(ProblemCode::UnknownKey, text, "did you mean `role`?");
        let plain = render(&problem, "error", Paint(false), Some(40));
        assert!(plain.lines().all(|line| line.len() <= 40), "{plain}");
        assert!(plain.lines().count() > 2, "{plain}");
        let painted = render(&problem, "error", Paint(true), Some(40));
        let bare = painted.replace("\x1b[1;31m", "").replace("\x1b[36m", "");
        assert_eq!(bare.replace("\x1b[0m", ""), plain);
    }
}
