//! A proposal as a policy file with comments.

use super::domain;
use super::formats::SeenFormat;
use super::hierarchy::FoundHierarchy;
use super::people::mean_rows;
use super::profile::Profile;
use super::proposal::{ColumnProposal, HierarchyProposal, Proposal};
use super::relative::relative;
use crate::words::wrap_to;
use mingle_model::counted;
use mingle_model::{Kind, Number, Role};
use mingle_policy::decide;
use mingle_record::answer::InitPeople;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Where comments start, as far as the line before them allows.
const COMMENT: usize = 30;
/// No line is longer, as far as names and values allow.
const WIDTH: usize = 80;

/// The tables that a policy is about.
pub struct LookedTables<'a> {
    /// Where they are; nothing where they are in memory.
    pub data: &'a [PathBuf],
    /// How many there are.
    pub tables: usize,
    /// How each is written.
    pub formats: &'a [SeenFormat],
    /// The folder of the policy, from which paths are named.
    pub folder: &'a Path,
    /// Whose rows belong together, where people have several.
    pub people: Option<&'a InitPeople>,
}

/// The text of the policy.
pub fn policy(
    proposal: &Proposal,
    profiles: &[Profile],
    tables: &LookedTables<'_>,
    domains: bool,
) -> String {
    let (data, folder) = (tables.data, tables.folder);
    let rows = profiles.first().map_or(0, |p| p.rows);
    let mut out = format!(
        "# A proposal by `mingle init` after a look at {} in {}.\n\
         # Read every line: names of columns are hints, and only you know what others\n\
         # know. It can be published as it is: what is not understood is left out.\n",
        counted(rows, "row"),
        match data {
            [] => counted(tables.tables, "table"),
            _ => counted(data.len(), "file"),
        }
    );
    let to_decide = proposal.columns.iter().filter(|column| column.decide);
    match to_decide.count() {
        0 => {}
        columns => say(
            &mut out,
            &format!(
                "{} left out for you to decide about: look for DECIDE, and give another role to the \
                 columns you need.",
                counted(columns, "column")
            ),
        ),
    }
    out.push('\n');
    write_data(&mut out, proposal, profiles, tables);
    // noise bounds the rows of a person in a section of its own
    if !domains {
        write_people(&mut out, proposal, profiles, tables.people);
    }
    out.push_str(
        "# undeclared = \"drop\"         # leave out columns that are not declared below\n\n",
    );
    for (index, profile) in profiles.iter().enumerate() {
        if proposal.provider_column != Some(index) {
            write_column(&mut out, &proposal.columns[index], profile, folder);
        }
    }
    if domains {
        write_noise(&mut out, proposal, profiles, data)
    } else {
        write_privacy(&mut out, proposal, profiles, tables.people.is_some())
    }
    write_release(&mut out);
    out
}

fn write_data(
    out: &mut String,
    proposal: &Proposal,
    profiles: &[Profile],
    tables: &LookedTables<'_>,
) {
    let LookedTables {
        data,
        formats,
        folder,
        ..
    } = *tables;
    out.push_str("[data]\n");
    let path = |file: &Path| quoted(&relative(file, folder).to_string_lossy());
    match data {
        _ if tables.tables == 1 => {
            if let [file] = data {
                let _ = writeln!(out, "path = {}", path(file));
            }
            if let Some(column) = proposal.provider_column {
                let line = format!("provider_column = {}", quoted(&profiles[column].name));
                comment(
                    out,
                    &line,
                    &format!("{} providers; never published", profiles[column].distinct),
                );
            }
            for format in formats {
                for (key, evidence) in &format.keys {
                    comment(out, key, evidence);
                }
                for doubt in &format.doubts {
                    say(out, &format!("DECIDE: {doubt}"));
                }
            }
        }
        [] => {}
        _ => write_providers(out, tables),
    }
}

/// Whose rows belong together. Where an identifier repeats and none looks like a person's, it is
/// left to the steward, and nothing is published before.
fn write_people(
    out: &mut String,
    proposal: &Proposal,
    profiles: &[Profile],
    people: Option<&InitPeople>,
) {
    let Some(people) = people else {
        let repeating = proposal
            .with_role(Role::Identifier)
            .into_iter()
            .find(|&place| {
                let profile = &profiles[place];
                proposal.provider_column != Some(place) && profile.distinct < profile.present()
            });
        if let Some(place) = repeating {
            let name = quoted(&profiles[place].name);
            say(
                out,
                &format!(
                    "DECIDE: {name} repeats, and nothing is published before you say whose the rows are: \
                     the identifier that tells people apart, or \"row\" if each row is one person."
                ),
            );
            comment(out, "# person = \"row\"", "each row is one person");
        }
        return;
    };
    say(
        out,
        &format!(
            "{} people have {} rows, {:.1} each, up to {}: promises count people, and the rows of a person \
             stay together. \"row\" says that each row is one person.",
            people.people,
            people.rows,
            mean_rows(people),
            people.most_rows
        ),
    );
    for change in &people.changes {
        say(
            out,
            &format!(
                "{} changes within {} of the people; covering it costs an NCP of {:.3} by itself.",
                change.column,
                change.percent_of(people.people),
                change.ncp
            ),
        );
    }
    let place = profiles
        .iter()
        .find(|profile| profile.name == people.column);
    let missing = place.map_or(0, |profile| profile.missing);
    if missing > 0 {
        say(
            out,
            &format!(
                "DECIDE: {} without it: complete or leave them out.",
                counted(missing, "row")
            ),
        );
    }
    comment(
        out,
        &format!("person = {}", quoted(&people.column)),
        "hashed while reading, never kept",
    );
}

fn write_providers(out: &mut String, tables: &LookedTables<'_>) {
    out.push_str("providers = [                 # one table each\n");
    let names = provider_names(tables.data);
    for ((name, file), format) in names.iter().zip(tables.data).zip(tables.formats) {
        let file = quoted(&relative(file, tables.folder).to_string_lossy());
        let mut keys = String::new();
        for (key, evidence) in &format.keys {
            // an inline table has one line, so what speaks for its keys stands above it
            say_in(out, &format!("{key}: {evidence}"));
            let _ = write!(keys, ", {key}");
        }
        for doubt in &format.doubts {
            say_in(out, &format!("DECIDE: {doubt}"));
        }
        let _ = writeln!(out, "  {{ name = {}, path = {file}{keys} }},", quoted(name));
    }
    out.push_str("]\n");
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

fn write_column(out: &mut String, column: &ColumnProposal, profile: &Profile, folder: &Path) {
    let _ = writeln!(out, "[columns.{}]", key(&profile.name));
    say(out, &counts(profile));
    let mark = if column.decide { decide::MARK } else { "" };
    say(out, &format!("{mark}{}", column.reason));
    let _ = writeln!(out, "role = \"{}\"", column.role.name());
    if column.is_published() {
        write_kind(out, column, profile);
        write_hierarchy(out, column, profile, folder);
        out.push_str(&domain::lines(profile, column));
    }
    out.push('\n');
}

/// `postcode: 425 distinct, 93 rows alone, 28 missing`.
fn counts(profile: &Profile) -> String {
    let mut text = format!(
        "{}: {} distinct",
        profile.recognition.meaning.name(),
        profile.distinct
    );
    if profile.unique > 0 {
        let rows = if profile.unique == 1 { "row" } else { "rows" };
        let _ = write!(text, ", {} {rows} alone with a value", profile.unique);
    }
    if profile.missing > 0 {
        let _ = write!(text, ", {} missing", profile.missing);
    }
    text
}

fn write_kind(out: &mut String, column: &ColumnProposal, profile: &Profile) {
    let line = format!("kind = \"{}\"", column.kind_name());
    if column.kind == Kind::Category && profile.kind.is_numeric() {
        comment(out, &line, "a code, not a number to compute with");
    } else {
        let _ = writeln!(out, "{line}");
    }
}

fn write_hierarchy(out: &mut String, column: &ColumnProposal, profile: &Profile, folder: &Path) {
    // what generalizes groups has no effect on noise
    let noise = profile.seen.is_some();
    match (column.hierarchy, &profile.hierarchy) {
        (Some(HierarchyProposal::File), Some(FoundHierarchy::Fits(file))) => {
            let file = quoted(&relative(file, folder).to_string_lossy());
            let line = format!("hierarchy = {file}");
            comment(out, &line, "found by its name, covers all values");
        }
        (None | Some(HierarchyProposal::File), _) => {}
        _ if noise => {}
        (Some(HierarchyProposal::Mask(n)), _) => {
            let line = format!("hierarchy = {{ mask = {n} }}");
            comment(out, &line, "hides the last characters, one by one");
        }
        (Some(HierarchyProposal::Prefix(lengths)), _) => {
            let lengths: Vec<String> = lengths.iter().map(usize::to_string).collect();
            let line = format!("hierarchy = {{ prefix = [{}] }}", lengths.join(", "));
            comment(out, &line, "keeps the first characters");
        }
        (Some(HierarchyProposal::Dates), _) => {
            out.push_str(
                "hierarchy = { dates = [\"month\", \"quarter\", \"year\", \"decade\"] }\n",
            );
        }
        (Some(HierarchyProposal::Intervals(width)), _) => {
            let widths = HierarchyProposal::widths(width)
                .map(|width| Number::text(width.mantissa, width.scale));
            let line = format!("hierarchy = {{ intervals = [{}] }}", widths.join(", "));
            comment(out, &line, "no end is a cell");
        }
    }
    if let Some(FoundHierarchy::Misfit(file, reason)) = &profile.hierarchy {
        let reason = reason.replace(char::is_control, " ");
        say(out, &format!("{} was found, but: {reason}", file.display()));
    }
}

fn write_privacy(out: &mut String, proposal: &Proposal, profiles: &[Profile], of_people: bool) {
    out.push_str("[privacy]\n");
    write_insiders(out, proposal.providers);
    let small = profiles.first().is_some_and(|p| p.rows <= 5);
    let why = match (small, of_people) {
        (true, _) => "the table is tiny: this is all of it",
        (false, true) => "every group has at least this many people",
        (false, false) => "every group has at least this many rows",
    };
    comment(out, &format!("k = {}", proposal.k), why);
    if proposal.diverse {
        let why = if of_people {
            "and no sensitive value is everybody's"
        } else {
            "and at least two different sensitive values"
        };
        comment(out, "l = { distinct = 2 }", why)
    } else {
        out.push_str("# l = { distinct = 2 }        # needs a sensitive column with two values\n")
    }
    say(out, "and a distribution like the whole table's:");
    out.push_str("# t = { max = 0.2, distance = \"equal\" }\n\n");
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
    let name = provider_names(&data[..data.len().min(1)]).concat();
    let name = if name.is_empty() { "mingle" } else { &name };
    let ledger = quoted(&format!("{name}.ledger"));
    out.push_str("[dp]\n");
    comment(
        out,
        "release = \"synthetic\"",
        "synthetic records; or \"marginals\", \"histogram\": tables of counts",
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
            say(
                out,
                "where a person may have several rows: who is one person, and how many of them count",
            );
            let _ = writeln!(out, "# person = {}", quoted(&profiles[at].name));
            out.push_str("# records_per_person = 1\n");
        }
        None => out
            .push_str("# records_per_person = 1      # nothing tells people apart: more is your own statement\n"),
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
    say(
        out,
        &format!(
            "m: how many of the {providers} providers might put their own records together, take them \
             out of the table and look at what is left of the others'. 0: nobody does, readers are \
             outsiders. 1: each by itself is curious. More: as many as could plausibly pool what they \
             know, such as sites of one owner.\n\
             {all_but_one}: everybody against one, the strongest there is. A larger m costs \
             precision: compare with\n\
             `mingle publish … --dry-run --set privacy.m={all_but_one}`."
        ),
    );
    comment(
        out,
        "m = 1",
        "no provider alone learns more about the others' people",
    );
    say(
        out,
        "and every group mixes m + site_diversity providers, so that none tells which site it comes \
         from; costs more:\n\
         semantics = \"strict\"\n\
         site_diversity = 1",
    );
}

/// A line with a comment beside it, or above it where there is no room.
fn comment(out: &mut String, line: &str, text: &str) {
    let width = COMMENT.max(line.chars().count() + 1);
    if width + 2 + text.chars().count() > WIDTH {
        say(out, text);
        let _ = writeln!(out, "{line}");
    } else {
        let _ = writeln!(out, "{line:<width$}# {text}");
    }
}

/// Lines of comment, two characters in.
fn say_in(out: &mut String, text: &str) {
    for line in wrap_to(text, WIDTH - 4).lines() {
        let _ = writeln!(out, "  # {line}");
    }
}

/// Lines of comment.
fn say(out: &mut String, text: &str) {
    for line in wrap_to(text, WIDTH - 2).lines() {
        let _ = writeln!(out, "# {line}");
    }
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
