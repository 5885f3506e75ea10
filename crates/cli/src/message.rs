//! Messages to people: errors, warnings and notes on standard error.
//!
//! Every error has a stable code, a text that says what and where, and a hint that says what to do.
//! None of them ever holds a cell of a table: texts are made of names, positions and counts. A
//! policy's own lines may be quoted, because a policy holds no data.

use crate::explain::Code;
use std::fmt::Write as _;
use std::io::{IsTerminal, Write};

/// How the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything is fine.
    Fine = 0,
    /// A finding: a constraint fails, or no release can satisfy the policy.
    Finding = 1,
    /// Wrong usage, policy or input.
    Usage = 2,
    /// The partner or the network: nothing was published, or it is in doubt.
    Peer = 3,
    /// A limit was reached, or a verdict is undecided.
    Limit = 4,
    /// A defect of this program.
    Defect = 70,
    /// Stopped by the user.
    Interrupted = 130,
}

/// Why a command cannot go on.
#[derive(Debug)]
pub struct Problem {
    code: Code,
    text: String,
    excerpt: Option<String>,
    position: Option<(usize, usize)>,
    hint: String,
}

impl Problem {
    /// A problem with a hint; both lower case, without a period.
    pub fn new(code: Code, text: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem {
            code,
            text: text.into(),
            excerpt: None,
            position: None,
            hint: hint.into(),
        }
    }

    /// Adds the lines of the policy that it is about.
    pub fn with_excerpt(mut self, excerpt: String) -> Problem {
        self.excerpt = Some(excerpt);
        self
    }

    /// Adds where in the policy it stands: line and column, counted from 1.
    pub fn at(mut self, line: usize, column: usize) -> Problem {
        self.position = Some((line, column));
        self
    }

    /// The same problem, with what had happened before it; what to do about it is something else
    /// then.
    pub fn after(mut self, what: &str, hint: impl Into<String>) -> Problem {
        self.text = format!("{}; {what}", self.text);
        self.hint = hint.into();
        self
    }

    /// Which one it is.
    pub fn code(&self) -> Code {
        self.code
    }

    /// What it says.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What to do about it.
    pub fn hint(&self) -> &str {
        &self.hint
    }

    /// The lines of the policy that it is about.
    pub fn excerpt(&self) -> Option<&str> {
        self.excerpt.as_deref()
    }

    /// Line and column of the policy, counted from 1.
    pub fn position(&self) -> Option<(usize, usize)> {
        self.position
    }

    fn render(&self, label: &str, paint: Paint) -> String {
        let mut out = format!(
            "{}: {}\n",
            paint.strong(label, self.code),
            visible(&self.text)
        );
        if let Some(excerpt) = &self.excerpt {
            let _ = writeln!(out, "{}", visible(excerpt));
        }
        if !self.hint.is_empty() {
            let _ = writeln!(out, "{} {}", paint.hint("hint:"), visible(&self.hint));
        }
        out
    }
}

/// Where messages go, and how many of them.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    verbosity: Verbosity,
    paint: Paint,
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
        }
    }

    /// Says why a command ends.
    pub fn problem(self, problem: &Problem) {
        say(&problem.render("error", self.paint));
    }

    /// Says what deserves attention but does not stop the command.
    pub fn warning(self, warning: &Problem) {
        if self.verbosity >= Verbosity::Normal {
            say(&warning.render("warning", self.paint));
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

    /// Whether nothing but errors and asked-for results shall be seen.
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
    let steers = |c: char| (c.is_control() && c != '\n') || mingle_report::text::is_steering(c);
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
            Err(crate::failure::write("standard output", &e))
        }
        _ => Ok(()),
    }
}

/// Prints one JSON document.
pub fn print_json(document: &serde_json::Value) -> Result<(), Problem> {
    print(&format!("{document:#}\n"))
}

#[derive(Clone, Copy, Debug)]
struct Paint(bool);

impl Paint {
    fn strong(self, label: &str, code: Code) -> String {
        let colour = if label == "error" { "31" } else { "33" };
        match self.0 {
            true => format!("\x1b[1;{colour}m{label}[{code}]\x1b[0m"),
            false => format!("{label}[{code}]"),
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

/// Breaks text into lines of at most 78 characters at spaces; lines that start with a space stay as
/// they are.
pub fn wrap(text: &str) -> String {
    wrap_to(text, 78)
}

/// The same for lines of another width.
pub fn wrap_to(text: &str, most: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut width = 0;
        let words: Vec<&str> = if line.starts_with(' ') {
            vec![line]
        } else {
            line.split(' ').collect()
        };
        for word in words {
            let length = word.chars().count();
            if width > 0 && width + 1 + length > most {
                out.push('\n');
                width = 0;
            }
            if width > 0 {
                out.push(' ');
                width += 1;
            }
            out.push_str(word);
            width += length;
        }
        out.push('\n');
    }
    out
}

/// A name, and its value broken into lines beside it, `indent` characters in.
pub fn beside(name: &str, value: &str, indent: usize) -> String {
    let broken = wrap_to(value, 79 - indent);
    let next = format!("\n{}", " ".repeat(indent));
    format!("{name:<indent$}{}", broken.trim_end().replace('\n', &next))
}

/// The name that is most like a mistyped one, if any is close enough.
pub fn closest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&typed, &name.to_lowercase()), name))
        .filter(|&(likeness, _)| likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
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
    fn suggestions_are_close_or_absent() {
        let names = ["role", "kind", "hierarchy", "order"];
        assert_eq!(closest("rol", names), Some("role"));
        assert_eq!(closest("heirarchy", names), Some("hierarchy"));
        assert_eq!(closest("zzz", names), None);
    }

    #[test]
    fn a_problem_is_one_line_and_a_hint() {
        let problem = Problem::new(
            Code::UnknownKey,
            "policy.toml:1:1: unknown key `rol`",
            "did you mean `role`?",
        );
        assert_eq!(
            problem.render("error", Paint(false)),
            "error[MG0103]: policy.toml:1:1: unknown key `rol`\nhint: did you mean `role`?\n"
        );
    }
}
