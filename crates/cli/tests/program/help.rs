//! Help, manual pages, completions, explanations, and how the program speaks.

use crate::common::Bench;
use mingle_record::{Exit, ProblemCode};
use std::path::Path;
use std::process::{Command, Stdio};

/// The commands below `command`, as the program itself lists them; `help` is clap's own.
fn listed_below(bench: &Bench, command: &[String]) -> Vec<Vec<String>> {
    let mut args: Vec<&str> = command.iter().map(String::as_str).collect();
    args.push("-h");
    let help = bench.run(&args).exits(0).out;
    let mut listed = Vec::new();
    for line in help.lines().skip_while(|line| *line != "Commands:").skip(1) {
        // two spaces open an entry; an empty line ends the list, more spaces go on with a text
        let Some(entry) = line.strip_prefix("  ") else {
            break;
        };
        let name = entry.split(' ').next().unwrap();
        if !name.is_empty() && name != "help" {
            let mut path = command.to_vec();
            path.push(name.to_owned());
            listed.push(path);
        }
    }
    listed
}

/// Every command and subcommand of the program.
fn every_command(bench: &Bench) -> Vec<Vec<String>> {
    let mut found = listed_below(bench, &[]);
    let mut looked_at = 0;
    while looked_at < found.len() {
        let below = listed_below(bench, &found[looked_at]);
        found.extend(below);
        looked_at += 1;
    }
    found
}

#[test]
fn every_command_is_listed() {
    let bench = Bench::new();
    let names: Vec<String> = every_command(&bench)
        .iter()
        .map(|path| path.join(" "))
        .collect();
    // one from either end of the list and one from below, so that a list that is not read is noticed
    for known in ["init", "man", "attack insider", "history", "serve"] {
        assert!(
            names.iter().any(|name| name == known),
            "{known} is not among {names:?}"
        );
    }
}

/// An attack that nobody can look up, or whose document nobody can read, is half an attack.
#[test]
fn every_attack_is_in_the_reference() {
    let bench = Bench::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let index = std::fs::read_to_string(root.join("docs/README.md")).unwrap();
    let schemas = std::fs::read_to_string(root.join("crates/record/src/schema.rs")).unwrap();
    let attacks = listed_below(&bench, &["attack".to_owned()]);
    assert!(attacks.len() > 3, "{attacks:?}");
    for attack in attacks {
        let name = attack.join("-");
        let page = format!("reference/{name}.md");
        let text = std::fs::read_to_string(root.join("docs").join(&page));
        let text = text.unwrap_or_else(|e| panic!("{page}: {e}"));
        let schema = format!("\"mingle.{name}/1\"");
        assert!(text.contains(&schema), "{page} does not show {schema}");
        assert!(schemas.contains(&schema), "record has no {schema}");
        assert!(index.contains(&page), "docs/README.md does not link {page}");
    }
}

#[test]
fn help_fits_eighty_columns() {
    let bench = Bench::new();
    let mut commands = every_command(&bench);
    commands.push(Vec::new());
    for command in commands {
        for flag in ["-h", "--help"] {
            let mut args: Vec<&str> = command.iter().map(String::as_str).collect();
            args.push(flag);
            let help = bench.run(&args).exits(0);
            assert!(!help.out.is_empty() && help.err.is_empty(), "{args:?}");
            for line in help.out.lines() {
                assert!(line.chars().count() <= 80, "{args:?}: {line}");
            }
        }
    }
}

#[test]
fn every_code_is_explained() {
    let bench = Bench::new();
    let list = bench.run(&["explain"]).exits(0).out;
    assert!(list.lines().count() > 40);
    for line in list.lines() {
        let code = line.split(' ').next().unwrap();
        let text = bench.run(&["explain", code]).exits(0).out;
        assert!(
            text.starts_with(code) && text.lines().all(|l| l.chars().count() <= 80),
            "{text}"
        );
    }
}

#[test]
fn pages_and_scripts() {
    let bench = Bench::new();
    assert!(bench.run(&["man"]).exits(0).out.starts_with(".ie"));
    bench.run(&["man", "--out", "pages"]).exits(0);
    for command in every_command(&bench) {
        let page = format!("pages/mingle-{}.1", command.join("-"));
        assert!(bench.path(&page).is_file(), "{page} is missing");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(
            bench
                .run(&["completions", shell])
                .exits(0)
                .out
                .contains("mingle"),
            "{shell}"
        );
    }
    assert!(
        bench
            .run(&["--version"])
            .exits(0)
            .out
            .starts_with("mingle 0.")
    );
    assert_eq!(bench.run(&[]).exits(2).out, "");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let bench = Bench::hospitals();
    for args in [
        "explain",
        "completions bash",
        "man",
        "--help",
        "init p1.csv",
        "verify --table t_b.csv --policy table.toml",
    ] {
        let script = format!("(\"$0\" {args}; echo \"exit $?\" >&2) | true");
        let run = Command::new("bash")
            .current_dir(bench.path(""))
            .args(["-c", &script, env!("CARGO_BIN_EXE_mingle")])
            .output();
        let err = String::from_utf8(run.unwrap().stderr).unwrap();
        // what is worth knowing is still said; the closed pipe is not
        let is_fine = err.ends_with("exit 0\n") && !err.contains("error");
        assert!(is_fine, "{args}: {err}");
    }
}

#[test]
fn quiet_and_plain() {
    let bench = Bench::hospitals();
    assert_eq!(
        bench
            .run(&["-q", "publish", "policy.toml", "--out", "q"])
            .exits(0)
            .err,
        ""
    );
    let verbose = bench
        .run(&["-v", "publish", "policy.toml", "--out", "v"])
        .exits(0);
    verbose.says(&["10 rows read"]);
    // not a terminal: no colours, no progress
    let run = Command::new(env!("CARGO_BIN_EXE_mingle"))
        .current_dir(bench.path(""))
        .args(["publish", "policy.toml", "--out", "q"])
        .env_remove("NO_COLOR")
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert!(!run.stderr.contains(&0x1b) && !run.stderr.contains(&b'\r'));
}

/// Commands without `--json`, and why they need none.
const WITHOUT_JSON: &[(&str, &str)] = &[
    ("completions", "prints a script for a shell"),
    ("man", "prints pages for man"),
];

#[test]
fn every_command_with_a_result_prints_json() {
    let bench = Bench::new();
    let commands = every_command(&bench);
    let mut looked_at = 0;
    for command in &commands {
        let args: Vec<&str> = command.iter().map(String::as_str).collect();
        let has_subcommands = commands
            .iter()
            .any(|other| other.len() > command.len() && other.starts_with(command));
        if has_subcommands {
            continue;
        }
        let help = bench.run(&[&args[..], &["-h"]].concat()).exits(0).out;
        let has_json = help
            .lines()
            .any(|line| line.trim_start().starts_with("--json"));
        let name = command.join(" ");
        let is_exception = WITHOUT_JSON.iter().any(|(without, _)| *without == name);
        assert_eq!(has_json, !is_exception, "{name}");
        looked_at += 1;
    }
    assert!(looked_at > 20, "{looked_at}");
}

/// The reference says of every warning who may read it, as the program decides it.
#[test]
fn who_may_read_a_warning_is_documented() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/warnings.md");
    let text = std::fs::read_to_string(page).unwrap();
    for &code in ProblemCode::ALL {
        let is_warning = code.exit() == Exit::Fine;
        let row = text
            .lines()
            .find(|line| line.starts_with(&format!("| {code} |")));
        assert_eq!(
            row.is_some(),
            is_warning,
            "{code} in docs/reference/warnings.md"
        );
        let reader = if code.is_public_warning() {
            "| everybody |"
        } else {
            "| the steward |"
        };
        assert!(
            row.is_none_or(|row| row.ends_with(reader)),
            "{code}: {reader}"
        );
    }
}
