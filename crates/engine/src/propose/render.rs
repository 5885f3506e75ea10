//! A proposal as a policy file with comments.

use super::domain;
use super::hierarchy::FoundHierarchy;
use super::profile::Profile;
use super::proposal::{HierarchyProposal, Proposal};
use super::relative::relative;
use mingle_model::Role;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Where comments start, as far as the line before them allows.
const COMMENT: usize = 30;

/// The text of the policy, with paths relative to `folder`.
pub fn policy(
    proposal: &Proposal,
    profiles: &[Profile],
    data: &[PathBuf],
    folder: &Path,
    domains: bool,
) -> String {
    let rows = profiles.first().map_or(0, |p| p.rows);
    let mut out = format!(
        "# A proposal by `mingle init` after a look at {rows} rows in {} file(s).\n\
         # Read every line: names of columns are hints, and only you know what others know.\n\n",
        data.len()
    );
    write_data(&mut out, proposal, profiles, data, folder);
    for (index, profile) in profiles.iter().enumerate() {
        if proposal.provider_column != Some(index) {
            write_column(&mut out, proposal, profile, index, folder);
        }
    }
    if domains {
        write_noise(&mut out, proposal, profiles, data)
    } else {
        write_privacy(&mut out, proposal, profiles)
    }
    write_release(&mut out);
    out
}

fn write_data(
    out: &mut String,
    proposal: &Proposal,
    profiles: &[Profile],
    data: &[PathBuf],
    folder: &Path,
) {
    out.push_str("[data]\n");
    let path = |file: &Path| quoted(&relative(file, folder).to_string_lossy());
    match data {
        [file] => {
            let _ = writeln!(out, "path = {}", path(file));
            if let Some(column) = proposal.provider_column {
                let line = format!("provider_column = {}", quoted(&profiles[column].name));
                comment(
                    out,
                    &line,
                    &format!("{} providers; never published", profiles[column].distinct),
                );
            }
        }
        _ => {
            out.push_str("providers = [                 # one table each\n");
            for (name, file) in provider_names(data).iter().zip(data) {
                let _ = writeln!(
                    out,
                    "  {{ name = {}, path = {} }},",
                    quoted(name),
                    path(file)
                );
            }
            out.push_str("]\n");
        }
    }
    out.push_str(
        "# undeclared = \"drop\"         # leave out columns that are not declared below\n\n",
    );
}

/// File names without their endings, or with them where that would be ambiguous.
fn provider_names(data: &[PathBuf]) -> Vec<String> {
    let stem = |file: &PathBuf| {
        let name = file
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        name.split('.')
            .next()
            .filter(|stem| !stem.is_empty())
            .unwrap_or(&name)
            .to_owned()
    };
    let mut names: Vec<String> = Vec::new();
    for file in data {
        let wanted = stem(file);
        let free = |name: &String| !names.contains(name);
        let numbered = (2..).map(|n| format!("{wanted}-{n}"));
        let name = std::iter::once(wanted.clone()).chain(numbered).find(free);
        names.push(name.expect("numbers do not end"));
    }
    names
}

fn write_column(
    out: &mut String,
    proposal: &Proposal,
    profile: &Profile,
    index: usize,
    folder: &Path,
) {
    let column = &proposal.columns[index];
    let missing = if profile.missing > 0 {
        format!(", {} missing", profile.missing)
    } else {
        String::new()
    };
    let _ = writeln!(out, "[columns.{}]", key(&profile.name));
    let _ = writeln!(
        out,
        "# {}, {} distinct{missing}: {}",
        profile.kind.name(),
        profile.distinct,
        column.reason
    );
    let _ = writeln!(out, "role = \"{}\"", column.role.name());
    if let Some(kind) = column.kind {
        comment(
            out,
            &format!("kind = \"{}\"", kind.name()),
            "a code, not a number to compute with",
        );
    }
    match (&column.hierarchy, &profile.hierarchy) {
        (Some(HierarchyProposal::File), Some(FoundHierarchy::Fits(file))) => {
            let file = quoted(&relative(file, folder).to_string_lossy());
            comment(
                out,
                &format!("hierarchy = {file}"),
                "found by its name, covers all values",
            );
        }
        // what generalizes groups has no effect on noise
        (Some(HierarchyProposal::Mask(_) | HierarchyProposal::Dates), _)
            if profile.seen.is_some() => {}
        (Some(HierarchyProposal::Mask(n)), _) => {
            comment(
                out,
                &format!("hierarchy = {{ mask = {n} }}"),
                "hides the last characters, one by one",
            );
        }
        (Some(HierarchyProposal::Dates), _) => {
            out.push_str(
                "hierarchy = { dates = [\"month\", \"quarter\", \"year\", \"decade\"] }\n",
            );
        }
        _ => {}
    }
    if let (Some(FoundHierarchy::Misfit(file, reason)), Role::QuasiIdentifier | Role::Sensitive) =
        (&profile.hierarchy, column.role)
    {
        let _ = writeln!(
            out,
            "# {} was found, but: {}",
            file.display(),
            reason.replace(char::is_control, " ")
        );
    }
    if column.role != Role::Identifier {
        out.push_str(&domain::lines(profile, column));
    }
    out.push('\n');
}

fn write_privacy(out: &mut String, proposal: &Proposal, profiles: &[Profile]) {
    out.push_str("[privacy]\n");
    write_insiders(out, proposal.providers);
    let small = profiles.first().is_some_and(|p| p.rows <= 5);
    let why = if small {
        "the table is tiny: this is all of it"
    } else {
        "every group has at least this many rows"
    };
    comment(out, &format!("k = {}", proposal.k), why);
    if proposal.diverse {
        comment(
            out,
            "l = { distinct = 2 }",
            "and at least two different sensitive values",
        )
    } else {
        out.push_str("# l = { distinct = 2 }        # needs a sensitive column with two values\n")
    }
    out.push_str("# t = { max = 0.2, distance = \"equal\" }   # and a distribution like the whole table's\n\n");
    out.push_str("[method]\n");
    let default = mingle_anonymize::METHODS[0].name;
    let others: Vec<&str> = mingle_anonymize::method_names().skip(1).collect();
    comment(
        out,
        &format!("name = {}", quoted(default)),
        &format!("or {}", others.join(", ")),
    );
}

fn write_release(out: &mut String) {
    out.push_str("\n[release]\n");
    comment(out, "format = \"csv\"", "csv | parquet");
}

/// What a release with noise needs; every parameter is one to think about.
fn write_noise(out: &mut String, proposal: &Proposal, profiles: &[Profile], data: &[PathBuf]) {
    let ledger = quoted(&format!("{}.ledger", provider_names(&data[..1]).concat()));
    out.push_str("[dp]\n");
    comment(
        out,
        "release = \"synthetic\"",
        "made-up records; or \"marginals\", \"histogram\": tables of counts",
    );
    comment(
        out,
        "epsilon = 1",
        "what is seen is at most e^epsilon times as likely with a person as without",
    );
    comment(
        out,
        "delta = 1e-9",
        "plus this much probability; far below 1 in the number of people",
    );
    let _ = writeln!(
        out,
        "# what all releases about these people spend together; make it once:"
    );
    let _ = writeln!(
        out,
        "# mingle dp budget {ledger} --create --epsilon 1 --delta 1e-9"
    );
    let _ = writeln!(out, "ledger = {ledger}");
    let identifier = proposal
        .columns
        .iter()
        .position(|column| column.role == Role::Identifier);
    let identifier = identifier.filter(|&at| proposal.provider_column != Some(at));
    match identifier {
        Some(at) => {
            out.push_str("# where a person may have several rows: who is one person, and how many of them count\n");
            let _ = writeln!(out, "# person = {}", quoted(&profiles[at].name));
            out.push_str("# records_per_person = 1\n");
        }
        None => out.push_str(
            "# records_per_person = 1      # no column tells people apart: more is your word\n",
        ),
    }
}

/// What helps to choose m, and the choice of most.
fn write_insiders(out: &mut String, providers: usize) {
    if providers < 2 {
        comment(
            out,
            "m = 0",
            "one provider: nobody can take out records of their own",
        );
        return;
    }
    let all_but_one = providers - 1;
    let _ = write!(
        out,
        "# m: how many of the {providers} providers might put their own records together, take them out of the table\n\
         # and look at what is left of the others'. 0: nobody does, readers are outsiders. 1: each by itself\n\
         # is curious. More: as many as could plausibly pool what they know, such as sites of one owner.\n\
         # {all_but_one}: everybody against one, the strongest there is. A larger m costs precision: compare with\n\
         # `mingle publish … --dry-run --set privacy.m={all_but_one}`.\n"
    );
    comment(
        out,
        "m = 1",
        "no provider alone learns more about the others' people",
    );
    out.push_str(
        "# semantics = \"strict\"        # and every group mixes m + site_diversity providers, so that none\n\
         # site_diversity = 1          # tells which site it comes from; costs more\n",
    );
}

fn comment(out: &mut String, line: &str, text: &str) {
    let _ = writeln!(
        out,
        "{line:<width$}# {text}",
        width = COMMENT.max(line.len() + 1)
    );
}

/// A TOML key: bare where possible.
fn key(name: &str) -> String {
    let bare = !name.is_empty()
        && name
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if bare { name.to_owned() } else { quoted(name) }
}

/// A TOML basic string on one line.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_strings_read_back() {
        for name in [
            "age",
            "native country",
            "a\"b\\c",
            "naïve\n",
            "",
            "x.y",
            "\u{85}",
        ] {
            let text = format!("[columns.{}]\nv = {}", key(name), quoted(name));
            let table: toml::Table = text.parse().unwrap();
            assert_eq!(table["columns"][name]["v"].as_str(), Some(name), "{text}");
        }
    }

    #[test]
    fn provider_names_differ() {
        let data = ["a/x.csv", "b/x.csv", "b/y.csv.gz", "x.parquet"].map(PathBuf::from);
        assert_eq!(provider_names(&data), ["x", "x-2", "y", "x-3"]);
    }
}
