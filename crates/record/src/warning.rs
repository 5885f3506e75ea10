//! Warnings: what deserves attention though nothing failed, and who may read each of them.
//!
//! `public/` holds only what follows from the published rows and the policy. A warning that does may
//! be handed out, and whoever has the release can find it again. Every other tells something about
//! the input (who gave no rows, which identifiers repeat, how many values an original column has),
//! and stays with the steward. [`PUBLIC_WARNINGS`] is the one place where that is decided; what is
//! not in it is private, so that a new warning reaches nobody before somebody has thought about it.

use crate::{Problem, ProblemCode};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The warnings that follow from the published rows and the policy alone, and why they do.
pub const PUBLIC_WARNINGS: &[(ProblemCode, &str)] = &[
    (
        ProblemCode::LargeEpsilon,
        "epsilon is what the public manifest promises",
    ),
    (
        ProblemCode::RevealingColumn,
        "the column is published as it is, and its values are counted in the published rows",
    ),
    (
        ProblemCode::BackgroundJoin,
        "the roles of columns are in the public manifest",
    ),
    (
        ProblemCode::NoQuasiIdentifiers,
        "the roles of columns are in the public manifest",
    ),
];

impl ProblemCode {
    /// Whether a warning with this code may be handed out with a release.
    pub fn is_public_warning(self) -> bool {
        PUBLIC_WARNINGS.iter().any(|(code, _)| *code == self)
    }
}

/// What deserves attention though the command went on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WarningNotice {
    /// Its stable code.
    pub code: ProblemCode,
    /// What it says.
    pub text: String,
    /// What to do about it; documents of 0.1.0 do not have it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hint: String,
}

impl WarningNotice {
    /// Those that may be handed out with a release.
    pub fn public(warnings: &[WarningNotice]) -> Vec<WarningNotice> {
        let mut public = Vec::new();
        for warning in warnings {
            if warning.code.is_public_warning() {
                public.push(warning.clone());
            }
        }
        public
    }

    /// The same as a problem, as a terminal shows it.
    pub fn to_problem(&self) -> Problem {
        Problem::new(self.code, &*self.text, &*self.hint)
    }
}

impl From<&Problem> for WarningNotice {
    fn from(problem: &Problem) -> WarningNotice {
        WarningNotice {
            code: problem.code(),
            text: problem.text().to_owned(),
            hint: problem.hint().to_owned(),
        }
    }
}

/// A warning as a private manifest keeps it. Manifests of 0.1.0 have a text that opens with the
/// code, later ones the parts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum RecordedWarning {
    /// In parts.
    Notice(WarningNotice),
    /// As 0.1.0 wrote it: `MG0501: text`.
    Line(WarningLine),
}

/// A warning as one text that opens with its code: `MG0501: text`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarningLine {
    /// Its stable code.
    pub code: ProblemCode,
    /// What it says.
    pub text: String,
}

impl RecordedWarning {
    /// In parts, whoever wrote it.
    pub fn to_notice(&self) -> WarningNotice {
        match self {
            RecordedWarning::Notice(notice) => notice.clone(),
            RecordedWarning::Line(line) => WarningNotice {
                code: line.code,
                text: line.text.clone(),
                hint: String::new(),
            },
        }
    }

    /// Its stable code.
    pub fn code(&self) -> ProblemCode {
        match self {
            RecordedWarning::Notice(notice) => notice.code,
            RecordedWarning::Line(line) => line.code,
        }
    }
}

impl From<&Problem> for RecordedWarning {
    fn from(problem: &Problem) -> RecordedWarning {
        RecordedWarning::Notice(problem.into())
    }
}

impl Serialize for WarningLine {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}: {}", self.code, self.text))
    }
}

impl<'de> Deserialize<'de> for WarningLine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<WarningLine, D::Error> {
        let line = String::deserialize(deserializer)?;
        let parts = line.split_once(": ").and_then(|(code, text)| {
            let known = ProblemCode::parse(code).filter(|known| known.to_string() == code)?;
            Some(WarningLine {
                code: known,
                text: text.to_owned(),
            })
        });
        parts.ok_or_else(|| de::Error::custom("a warning that does not open with its code"))
    }
}

/// How much of what was known when a release was made is at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarningsRecorded {
    /// All that the steward was warned of: the private part is here.
    All,
    /// Those that may be handed out: the private part is not here, and may hold more.
    Public,
    /// None: an older version wrote what is here, or it is no release. That is not to say that
    /// there was nothing to warn of.
    #[default]
    Nothing,
}

impl WarningsRecorded {
    /// What is missing, in words; `None` where nothing is.
    pub fn words(self) -> Option<&'static str> {
        match self {
            WarningsRecorded::All => None,
            WarningsRecorded::Public => Some(
                "only warnings that follow from what is public are shown; \
                 what else the steward was warned of is in the private part",
            ),
            WarningsRecorded::Nothing => Some(
                "nothing here records what the steward was warned of, which is not to say that \
                 there was nothing; shown is what follows from what is here",
            ),
        }
    }
}

impl WarningsRecorded {
    /// By what is at hand: the private part's list, and whether the public part has one.
    pub fn of(private: Option<&[RecordedWarning]>, public_records: bool) -> WarningsRecorded {
        if private.is_some() {
            return WarningsRecorded::All;
        }
        if public_records {
            return WarningsRecorded::Public;
        }
        WarningsRecorded::Nothing
    }
}

/// What can be found again in the published rows, and what was recorded besides. A recorded warning
/// of a kind that can be found again is left out: the rows say it better.
pub fn found_and_recorded(
    found: &[WarningNotice],
    recorded: &[RecordedWarning],
) -> Vec<WarningNotice> {
    let mut all = found.to_vec();
    for warning in recorded {
        if !warning.code().is_public_warning() {
            all.push(warning.to_notice());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Exit;

    #[test]
    fn only_warnings_are_public_warnings() {
        for (code, why) in PUBLIC_WARNINGS {
            assert_eq!(code.exit(), Exit::Fine, "{code}");
            assert!(why.len() > 20, "{code}");
        }
        for code in [
            ProblemCode::RepeatedIdentifier,
            ProblemCode::ProviderWithoutRows,
            ProblemCode::SameRows,
            ProblemCode::MoreInsidersThanProviders,
            ProblemCode::NobodyColludes,
            ProblemCode::OutsideDomain,
            ProblemCode::PersonUnnamed,
        ] {
            assert!(!code.is_public_warning(), "{code} is about the input");
        }
    }

    #[test]
    fn both_ways_of_recording_are_read_and_written_again() {
        let text = r#"["MG0501: column \"id\": 3 row(s)",{"code":"MG0502","text":"t","hint":"h"}]"#;
        let read: Vec<RecordedWarning> = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
        assert_eq!(read[0].code(), ProblemCode::RepeatedIdentifier);
        assert_eq!(read[0].to_notice().text, "column \"id\": 3 row(s)");
        assert_eq!(read[1].to_notice().hint, "h");
        for wrong in [
            r#""a text without a code""#,
            r#""MG9999: t""#,
            r#""mg501: t""#,
            r#"{"code":"MG0502"}"#,
            r#"{"code":"MG0502","text":"t","more":1}"#,
        ] {
            assert!(
                serde_json::from_str::<RecordedWarning>(wrong).is_err(),
                "{wrong}"
            );
        }
    }

    #[test]
    fn what_the_rows_say_is_not_said_twice() {
        let notice = |code, text: &str| WarningNotice {
            code,
            text: text.to_owned(),
            hint: String::new(),
        };
        let found = [notice(ProblemCode::RevealingColumn, "from the rows")];
        let recorded = [
            RecordedWarning::Notice(notice(ProblemCode::RevealingColumn, "from the original")),
            RecordedWarning::Notice(notice(ProblemCode::SameRows, "twice")),
        ];
        let all = found_and_recorded(&found, &recorded);
        assert_eq!(
            all,
            [found[0].clone(), notice(ProblemCode::SameRows, "twice")]
        );
    }
}
