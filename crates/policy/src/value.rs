//! Reading single values of a policy: strings, whole numbers, exact fractions, choices.

use super::tree::{Node, Value};
use crate::closest::closest;
use mingle_model::Number;
use mingle_privacy::Ratio;
use mingle_record::Problem;
use mingle_record::ProblemCode;

impl Node {
    /// A string.
    pub fn text(&self) -> Result<&str, Problem> {
        match &self.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.wrong("a string in quotes")),
        }
    }

    /// `true` or `false`.
    pub fn boolean(&self) -> Result<bool, Problem> {
        match self.value {
            Value::Boolean(b) => Ok(b),
            _ => Err(self.wrong("true or false")),
        }
    }

    /// A list.
    pub fn list(&self) -> Result<&[Node], Problem> {
        match &self.value {
            Value::List(items) => Ok(items),
            _ => Err(self.wrong("a list, such as [a, b]")),
        }
    }

    /// A list of strings.
    pub fn texts(&self) -> Result<Vec<String>, Problem> {
        self.list()?
            .iter()
            .map(|item| item.text().map(str::to_owned))
            .collect()
    }

    /// A whole number, at least `least`.
    pub fn whole(&self, least: u64) -> Result<u64, Problem> {
        let range = || {
            let text = format!("`{}` must be a whole number, at least {least}", self.path);
            self.problem(
                ProblemCode::OutOfRange,
                text,
                format!("use {least} or more, without a sign or a point"),
            )
        };
        match &self.value {
            Value::Integer(digits) => {
                let digits = digits.strip_prefix('+').unwrap_or(digits);
                digits
                    .parse()
                    .ok()
                    .filter(|&n| n >= least)
                    .ok_or_else(range)
            }
            Value::Float(_) => Err(range()),
            _ => Err(self.wrong("a whole number")),
        }
    }

    /// A number that is not below zero, exactly as written.
    pub fn ratio(&self) -> Result<Ratio, Problem> {
        let range = || {
            let text = format!(
                "`{}` must be zero or more, with at most 19 decimal places",
                self.path
            );
            self.problem(
                ProblemCode::OutOfRange,
                text,
                "write a plain number such as 0.2",
            )
        };
        Ratio::parse(self.digits()?).ok_or_else(range)
    }

    /// A number, exactly as written.
    pub fn number(&self) -> Result<Number, Problem> {
        let digits = self.digits()?;
        Number::parse(digits).ok_or_else(|| {
            let text = if digits.ends_with("nan") || digits.ends_with("inf") {
                format!("`{}` must be a plain number", self.path)
            } else {
                format!("`{}` holds a number that is too long", self.path)
            };
            self.problem(
                ProblemCode::OutOfRange,
                text,
                "write a plain number such as 0.5 or 10",
            )
        })
    }

    /// A number's text, as written.
    pub fn digits(&self) -> Result<&str, Problem> {
        match &self.value {
            Value::Integer(digits) | Value::Float(digits) => Ok(digits),
            _ => Err(self.wrong("a number")),
        }
    }

    /// One of several words.
    pub fn choice<T: Copy>(&self, choices: &[(&str, T)]) -> Result<T, Problem> {
        let typed = self.text()?;
        choices
            .iter()
            .find(|(name, _)| *name == typed)
            .map(|&(_, value)| value)
            .ok_or_else(|| {
                let names: Vec<&str> = choices.iter().map(|&(name, _)| name).collect();
                let close = closest(typed, names.iter().copied());
                let suggestion =
                    close.map_or(String::new(), |name| format!("did you mean \"{name}\"? "));
                let text = format!("`{}` cannot be \"{typed}\"", self.path);
                self.problem(
                    ProblemCode::UnknownWord,
                    text,
                    format!("{suggestion}one of: {}", names.join(", ")),
                )
            })
    }

    /// A problem with a parameter that a constraint's own check refuses.
    pub fn parameter(&self, error: &mingle_privacy::Error) -> Problem {
        self.problem(
            ProblemCode::OutOfRange,
            error.to_string(),
            format!("change `{}`", self.path),
        )
    }
}
