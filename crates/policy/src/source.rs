//! Where in a policy something stands: a file or a `--set` flag, and a range of its text.

use super::credentials;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use std::ops::Range;
use std::sync::Arc;

/// A text that policy values come from.
#[derive(Debug)]
pub struct PolicyText {
    name: String,
    text: String,
    flag: bool,
}

impl PolicyText {
    /// A policy file.
    pub fn file(name: String, text: String) -> Arc<PolicyText> {
        Arc::new(PolicyText {
            name,
            text,
            flag: false,
        })
    }

    /// A `--set` flag; its text is the whole argument.
    pub fn flag(text: &str) -> Arc<PolicyText> {
        Arc::new(PolicyText {
            name: format!("--set {text}"),
            text: text.to_owned(),
            flag: true,
        })
    }

    /// A flag of a command's own, such as `--epsilon 1`.
    pub fn own_flag(flag: &str, value: &str) -> Arc<PolicyText> {
        Arc::new(PolicyText {
            name: format!("{flag} {value}"),
            text: value.to_owned(),
            flag: true,
        })
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// A range of a source.
#[derive(Clone, Debug)]
pub struct PlaceInPolicy {
    source: Arc<PolicyText>,
    span: Range<usize>,
}

impl PlaceInPolicy {
    /// A range of bytes; one that does not fit the text is cut to it.
    pub fn new(source: &Arc<PolicyText>, span: Range<usize>) -> PlaceInPolicy {
        let end = span.end.min(source.text.len());
        PlaceInPolicy {
            source: source.clone(),
            span: span.start.min(end)..end,
        }
    }

    /// Whether it was said on the command line, and not in the file.
    pub fn is_flag(&self) -> bool {
        self.source.flag
    }

    /// Whether it was said by a command's own flag of that name.
    pub fn is_own_flag(&self, flag: &str) -> bool {
        self.source.flag
            && self
                .source
                .name
                .strip_prefix(flag)
                .is_some_and(|rest| rest.starts_with(' '))
    }

    /// A problem at this place, with the line it is in.
    pub fn problem(
        &self,
        code: ProblemCode,
        text: impl AsRef<str>,
        hint: impl Into<String>,
    ) -> Problem {
        let problem = self.problem_unseen(code, text, hint);
        if self.source.flag || credentials::may_hold_one(self.line()) {
            problem
        } else {
            problem.with_excerpt(self.excerpt())
        }
    }

    /// A problem at this place without the line it is in: what is no policy may be somebody's data.
    pub fn problem_unseen(
        &self,
        code: ProblemCode,
        text: impl AsRef<str>,
        hint: impl Into<String>,
    ) -> Problem {
        let problem = Problem::new(code, format!("{}: {}", self.name(), text.as_ref()), hint);
        if self.source.flag {
            problem
        } else {
            let (line, column) = self.line_and_column();
            problem.in_file(self.source.name.clone()).at(line, column)
        }
    }

    /// `policy.toml:12:5`, or the flag.
    pub fn name(&self) -> String {
        if self.source.flag {
            if credentials::may_hold_one(&self.source.name)
                && let Some((key, _)) = self.source.name.split_once('=')
            {
                return format!("{key}=…");
            }
            return self.source.name.clone();
        }
        let (line, column) = self.line_and_column();
        format!("{}:{line}:{column}", self.source.name)
    }

    /// Counted from 1, in characters.
    fn line_and_column(&self) -> (usize, usize) {
        let before = self.before();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        (
            before.matches('\n').count() + 1,
            before[line_start..].chars().count() + 1,
        )
    }

    fn before(&self) -> &str {
        let mut start = self.span.start;
        while !self.source.text.is_char_boundary(start) {
            start -= 1;
        }
        &self.source.text[..start]
    }

    /// The line that it starts on.
    fn line(&self) -> &str {
        let (number, _) = self.line_and_column();
        self.source.text.lines().nth(number - 1).unwrap_or_default()
    }

    /// The line with a mark below the range, as far as it lies on that line and within 72 columns.
    fn excerpt(&self) -> String {
        const WIDTH: usize = 72;
        let (number, column) = self.line_and_column();
        let line = self.source.text.lines().nth(number - 1).unwrap_or_default();
        let shown: String = line
            .chars()
            .take(WIDTH)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let rest = shown.chars().count().saturating_sub(column - 1);
        let length = self
            .source
            .text
            .get(self.span.clone())
            .map_or(1, |t| t.lines().next().map_or(1, |l| l.chars().count()));
        let margin = " ".repeat(number.to_string().len());
        let mark = "^".repeat(length.clamp(1, rest.max(1)));
        if column <= WIDTH {
            format!(
                "{margin} |\n{number} | {shown}\n{margin} | {}{mark}",
                " ".repeat(column - 1)
            )
        } else {
            format!("{margin} |\n{number} | {shown}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_shows_its_line() {
        let source = PolicyText::file("p.toml".into(), "a = 1\nä = \"x\"\nc = 3".into());
        let start = source.text().find('"').unwrap();
        let problem = PlaceInPolicy::new(&source, start..start + 3).problem(
            ProblemCode::UnknownKey,
            "what",
            "hint",
        );
        let shown = format!("{problem:?}");
        assert!(shown.contains("p.toml:2:5: what"), "{shown}");
        assert!(
            shown.contains(r#"  |\n2 | ä = \"x\"\n  |     ^^^"#),
            "{shown}"
        );
    }

    #[test]
    fn places_beyond_the_text_do_not_break() {
        let source = PolicyText::file("p.toml".into(), "é".into());
        for span in [0..9, 1..1, 2..2, 5..7] {
            let _ =
                PlaceInPolicy::new(&source, span).problem(ProblemCode::UnknownKey, "what", "hint");
        }
    }

    #[test]
    fn a_flag_is_named_as_typed() {
        let problem = PlaceInPolicy::new(&PolicyText::flag("privacy.k=x"), 10..11).problem(
            ProblemCode::UnknownKey,
            "what",
            "hint",
        );
        assert!(format!("{problem:?}").contains("--set privacy.k=x: what"));
    }
}
