//! Why something cannot go on, or what deserves attention: a code, a text and a hint.
//!
//! Every problem has a stable code, a text that says what and where, and a hint that says what to
//! do. None of them ever holds a cell of a table: texts are made of names, positions and counts. A
//! policy's own lines may be quoted, because a policy holds no data.

use crate::ProblemCode;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a piece of work cannot go on, or what a person should know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    code: ProblemCode,
    text: String,
    excerpt: Option<String>,
    place: ProblemPlace,
    hint: String,
}

/// Where a problem is; what is not known is left out.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProblemPlace {
    /// The file, as the message names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Of a policy: the character within the line, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u64>,
    /// Of a table: the name of the column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column_name: Option<String>,
}

impl Problem {
    /// A problem with a hint; both lower case, without a period.
    pub fn new(code: ProblemCode, text: impl Into<String>, hint: impl Into<String>) -> Problem {
        Problem {
            code,
            text: text.into(),
            excerpt: None,
            place: ProblemPlace::default(),
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
        self.place.line = Some(line as u64);
        self.place.column = Some(column as u64);
        self
    }

    /// Adds which place of which file it is about.
    pub fn in_place(mut self, place: ProblemPlace) -> Problem {
        self.place = place;
        self
    }

    /// Adds the file that it is about.
    pub fn in_file(mut self, file: impl Into<String>) -> Problem {
        self.place.file = Some(file.into());
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
    pub fn code(&self) -> ProblemCode {
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
        let line = self.place.line?;
        let column = self.place.column?;
        Some((line as usize, column as usize))
    }

    /// Where it is, as far as that is known; `None` where nothing is.
    pub fn place(&self) -> Option<&ProblemPlace> {
        if self.place == ProblemPlace::default() {
            return None;
        }
        Some(&self.place)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.text)
    }
}

impl std::error::Error for Problem {}
