//! The examples below every help: what somebody is likely to type first. Tests parse each of them.

use crate::args::Cli;
use clap::{Command, CommandFactory};

/// What an example does, and what is typed.
type Example = (&'static str, &'static str);

/// A command by its words, and its examples.
const EXAMPLES: &[(&str, &[Example])] = &[
    (
        "init",
        &[
            (
                "Look at one table and write a policy to read",
                "mingle init patients.csv --out policy.toml",
            ),
            (
                "Three hospitals, one table each",
                "mingle init north.csv south.csv east.csv --out policy.toml",
            ),
            (
                "A table without a header",
                "mingle init east.csv --names id,birth_date,sex,diagnosis",
            ),
        ],
    ),
    (
        "publish",
        &[
            (
                "See what a release would protect and cost; write nothing",
                "mingle publish policy.toml --dry-run",
            ),
            (
                "Try another k",
                "mingle publish policy.toml --dry-run --set privacy.k=10",
            ),
            (
                "Write the release, unless there is a warning",
                "mingle publish policy.toml --out release --strict",
            ),
        ],
    ),
    (
        "apply",
        &[
            (
                "Add the rows of March to the groups of a release",
                "mingle apply release march.csv --policy policy.toml --out release-2",
            ),
            (
                "The same, with one table for each provider",
                "mingle apply release North=n.csv South=s.csv --policy policy.toml --dry-run",
            ),
        ],
    ),
    (
        "verify",
        &[
            (
                "Decide every promise again, from the files",
                "mingle verify release",
            ),
            (
                "A table from any tool against a policy",
                "mingle verify --table anonymized.csv --policy policy.toml",
            ),
        ],
    ),
    (
        "show",
        &[
            ("Everything about your own release", "mingle show release"),
            (
                "What somebody else has handed out",
                "mingle show release/public",
            ),
        ],
    ),
    (
        "report",
        &[
            (
                "Regenerate the reports of a release",
                "mingle report release",
            ),
            (
                "The private report as PDF, to sign",
                "mingle report release --private --pdf --out report.pdf",
            ),
        ],
    ),
    (
        "measure",
        &[
            (
                "A release against the tables it was made from",
                "mingle measure release --policy policy.toml",
            ),
            (
                "A table from any tool",
                "mingle measure --table anonymized.csv --policy policy.toml",
            ),
        ],
    ),
    (
        "attack",
        &[
            (
                "What could colluding hospitals learn?",
                "mingle attack insider release",
            ),
            (
                "What do two releases give away together?",
                "mingle attack intersection release other-release --policy policy.toml",
            ),
        ],
    ),
    (
        "attack insider",
        &[
            (
                "Every coalition, from nobody to all but one",
                "mingle attack insider release",
            ),
            (
                "A table from any tool; the policy names its provider column",
                "mingle attack insider --table anonymized.csv --policy policy.toml",
            ),
        ],
    ),
    (
        "attack intersection",
        &[
            (
                "Our release beside another one",
                "mingle attack intersection release other/public --policy policy.toml",
            ),
            (
                "Accept that one person in a hundred is found",
                "mingle attack intersection a b --policy policy.toml --max-perfect-breach 0.01",
            ),
        ],
    ),
    (
        "attack background-join",
        &[
            (
                "A reader who knows one sensitive column, each in turn",
                "mingle attack background-join release --policy policy.toml",
            ),
            (
                "A reader who knows diagnoses",
                "mingle attack background-join release --policy policy.toml --knows diagnosis",
            ),
        ],
    ),
    (
        "attack minimality",
        &[(
            "What does the method give away?",
            "mingle attack minimality release --policy policy.toml",
        )],
    ),
    (
        "hierarchy",
        &[
            (
                "How could this column be generalized?",
                "mingle hierarchy propose patients.csv --column zip",
            ),
            (
                "Do the hierarchies of a policy fit the tables?",
                "mingle hierarchy check policy.toml",
            ),
        ],
    ),
    (
        "hierarchy propose",
        &[
            (
                "A line for the policy",
                "mingle hierarchy propose patients.csv --column diagnosis",
            ),
            (
                "A file to edit, for words that have no rule",
                "mingle hierarchy propose patients.csv --column job --out job.csv",
            ),
        ],
    ),
    (
        "hierarchy check",
        &[
            (
                "All hierarchies of a policy",
                "mingle hierarchy check policy.toml",
            ),
            (
                "A file before a policy names it",
                "mingle hierarchy check --file job.csv --table patients.csv --column job",
            ),
        ],
    ),
    (
        "history",
        &[
            (
                "Before the first version",
                "mingle history init patients-history",
            ),
            (
                "What do all versions give away together?",
                "mingle history check patients-history",
            ),
        ],
    ),
    (
        "history init",
        &[(
            "Create it, then name it in the policy: history = \"patients-history\"",
            "mingle history init patients-history",
        )],
    ),
    (
        "history list",
        &[(
            "The versions, and who came and went",
            "mingle history list patients-history",
        )],
    ),
    (
        "history check",
        &[
            (
                "Compare all versions",
                "mingle history check patients-history",
            ),
            (
                "At least two values must remain for everybody",
                "mingle history check patients-history --min-posterior 2",
            ),
        ],
    ),
    (
        "history add",
        &[(
            "A release from before the history",
            "mingle history add patients-history release --policy policy.toml",
        )],
    ),
    (
        "history forget",
        &[
            (
                "A version that nobody received",
                "mingle history forget patients-history v2 --yes",
            ),
            (
                "A release that was announced, never written",
                "mingle history forget patients-history --pending",
            ),
        ],
    ),
    (
        "dp",
        &[
            (
                "A privacy budget for the data set, once",
                "mingle dp budget patients.ledger --create --epsilon 2 --delta 1e-9",
            ),
            (
                "Synthetic records that spend from it",
                "mingle dp synthetic policy.toml --out release",
            ),
        ],
    ),
    (
        "dp synthetic",
        &[
            (
                "See the plan; spend nothing",
                "mingle dp synthetic policy.toml --dry-run",
            ),
            (
                "Spend, draw, write",
                "mingle dp synthetic policy.toml --out release --epsilon 0.5",
            ),
        ],
    ),
    (
        "dp marginals",
        &[(
            "Tables of counts, as the policy lists them",
            "mingle dp marginals policy.toml --out release",
        )],
    ),
    (
        "dp histogram",
        &[(
            "The full table of counts",
            "mingle dp histogram policy.toml --out release --delta 1e-9",
        )],
    ),
    (
        "dp budget",
        &[
            (
                "Create a ledger for a data set",
                "mingle dp budget patients.ledger --create --epsilon 2 --delta 1e-9",
            ),
            (
                "What was spent, and what is left",
                "mingle dp budget patients.ledger",
            ),
        ],
    ),
    (
        "dp compose",
        &[(
            "Two releases of different organisations about the same people",
            "mingle dp compose ours/public theirs/public",
        )],
    ),
    (
        "site",
        &[
            (
                "See the whole thing on one machine",
                "mingle site demo --synchronizer repair",
            ),
            (
                "Set up your own site",
                "mingle site init hospital --name Hospital",
            ),
            (
                "Publish with the partner",
                "mingle site run hospital/site.toml",
            ),
        ],
    ),
    (
        "site init",
        &[(
            "A folder with key, certificate and settings",
            "mingle site init hospital --name Hospital",
        )],
    ),
    (
        "site fingerprint",
        &[(
            "Read it to the partner over the telephone",
            "mingle site fingerprint hospital/site.toml",
        )],
    ),
    (
        "site trust",
        &[(
            "Pin a certificate that the partner handed over in person",
            "mingle site trust hospital/site.toml --certificate insurer.crt",
        )],
    ),
    (
        "site invite",
        &[(
            "Three hospitals",
            "mingle site invite --board board.example:7447 \\\n      --board-certificate board.crt A=a.crt B=b.crt C=c.crt",
        )],
    ),
    (
        "site join",
        &[(
            "Accept the invitation that arrived as text",
            "mingle site join hospital/site.toml \"$(cat invitation.txt)\"",
        )],
    ),
    (
        "site board",
        &[(
            "Listen on port 7447",
            "mingle site board board-folder --listen 0.0.0.0:7447",
        )],
    ),
    (
        "site verify",
        &[(
            "See whether a table withstands any m of its providers",
            "mingle site verify hospital/site.toml --table published.csv --own ours.csv",
        )],
    ),
    (
        "site run",
        &[(
            "Both partners, or all providers, run this",
            "mingle site run hospital/site.toml --out release",
        )],
    ),
    (
        "site demo",
        &[
            (
                "A hospital and an insurer",
                "mingle site demo --synchronizer repair",
            ),
            (
                "Four hospitals and a board",
                "mingle site demo --horizontal",
            ),
        ],
    ),
    (
        "serve",
        &[
            ("Drop tables on the page", "mingle serve"),
            ("Open a policy", "mingle serve policy.toml"),
        ],
    ),
    (
        "synth",
        &[
            (
                "Patients of four hospitals",
                "mingle synth hospital --rows 20000 --providers 4 --out patients.csv",
            ),
            (
                "Patients with three visits each, on average",
                "mingle synth hospital --rows 6000 --visits 3 --out visits.csv",
            ),
        ],
    ),
    (
        "lab",
        &[
            ("List the experiments", "mingle lab"),
            (
                "Reproduce one quickly, on synthetic rows",
                "mingle lab m-privacy-verification --quick",
            ),
        ],
    ),
    (
        "explain",
        &[
            ("What does this code mean?", "mingle explain MG0310"),
            ("All codes", "mingle explain"),
        ],
    ),
    (
        "completions",
        &[(
            "For bash, in this shell",
            "source <(mingle completions bash)",
        )],
    ),
    (
        "man",
        &[
            ("Read the page", "mingle man | man -l -"),
            ("Write all pages", "mingle man --out man1"),
        ],
    ),
];

/// The program's arguments with the examples below every help.
pub fn command() -> Command {
    let mut command = Cli::command();
    for (words, examples) in EXAMPLES {
        let path: Vec<&str> = words.split(' ').collect();
        command = with_examples(command, &path, examples);
    }
    command
}

fn with_examples(command: Command, path: &[&str], examples: &[Example]) -> Command {
    match path {
        [] => command.after_help(text(examples)),
        [first, below @ ..] => {
            command.mut_subcommand(first, |sub| with_examples(sub, below, examples))
        }
    }
}

fn text(examples: &[Example]) -> String {
    let mut text = String::from("Examples:");
    for (does, line) in examples {
        let colon = if does.ends_with('?') { "" } else { ":" };
        text.push_str(&format!("\n  {does}{colon}\n    {line}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of an example, as a shell would hand them over.
    fn words(line: &str) -> Vec<String> {
        let line = line.replace("\\\n", " ");
        let command = line.split(" | ").next().unwrap();
        let command = command.strip_prefix("source <(").unwrap_or(command);
        let mut words = Vec::new();
        for word in command.trim_end_matches(')').split_whitespace() {
            words.push(word.trim_matches('"').to_owned());
        }
        words
    }

    #[test]
    fn every_example_is_a_command_that_parses() {
        for (path, examples) in EXAMPLES {
            for (_, line) in *examples {
                // what the shell puts in place of a substitution is one word
                let line = line.replace("$(cat invitation.txt)", "text");
                let parsed = command().try_get_matches_from(words(&line));
                let matches = parsed.unwrap_or_else(|e| panic!("{line}: {e}"));
                let first = path.split(' ').next().unwrap();
                assert_eq!(matches.subcommand_name(), Some(first), "{line}");
            }
        }
    }

    #[test]
    fn every_command_has_examples() {
        fn look(command: &Command, path: &str) {
            for below in command.get_subcommands() {
                let path = format!("{path} {}", below.get_name());
                let help = below.get_after_help();
                assert!(
                    help.is_some_and(|help| help.to_string().starts_with("Examples:")),
                    "{path} has no example"
                );
                look(below, &path);
            }
        }
        look(&command(), "mingle");
    }

    #[test]
    #[should_panic(expected = "nosuchflag")]
    fn an_example_with_a_wrong_flag_is_noticed() {
        let parsed = command().try_get_matches_from(words("mingle verify release --nosuchflag"));
        parsed.unwrap_or_else(|e| panic!("{e}"));
    }
}
