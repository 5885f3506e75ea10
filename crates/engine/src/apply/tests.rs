//! The union beside brute force from the definitions, on random tables and policies; planted
//! mistakes; and everything that is refused.

use super::difference::exposed_rows;
use super::{ApplyRequest, apply};
use crate::inputs::Inputs;
use crate::publish::publish;
use crate::run::Run;
use crate::verify;
use mingle_io::TextTable;
use mingle_model::{ProviderId, Published};
use mingle_policy::{Folders, Policy};
use mingle_record::answer::ApplyAnswer;
use mingle_record::{Problem, ProblemCode};
use mingle_release::Release;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// name, site, age, zip, disease, ward
type Row = [String; 6];

const NAMES: [&str; 6] = ["name", "site", "age", "zip", "disease", "ward"];

fn row(cells: [&str; 6]) -> Row {
    cells.map(str::to_owned)
}

fn table(rows: &[Row]) -> Inputs {
    let mut columns = Vec::new();
    for (place, name) in NAMES.iter().enumerate() {
        let texts: Vec<String> = rows.iter().map(|row| row[place].clone()).collect();
        columns.push((*name, texts));
    }
    Inputs::table(TextTable::new("rows", columns).unwrap())
}

fn policy_in(folder: &Path, text: &str) -> Policy {
    let path = folder.join("policy.toml");
    Policy::parse_at(&path, text.to_owned(), &[], &Folders::of(&path)).unwrap()
}

const COLUMNS: &str = "[columns]\nname.role = \"identifier\"\nage.role = \"quasi-identifier\"\n\
    zip = { role = \"quasi-identifier\", kind = \"category\", hierarchy = { mask = 3 } }\n\
    disease.role = \"sensitive\"\nward = { role = \"insensitive\", kind = \"category\" }\n";
const DATA: &str = "[data]\nprovider_column = \"site\"\nperson = \"row\"\n";

fn published(policy: &Policy, rows: &[Row], out: &Path) -> Result<(), Problem> {
    publish(policy, table(rows))?.write(out)
}

fn applied(
    policy: &Policy,
    release: &Path,
    rows: &[Row],
    out: Option<&Path>,
) -> Result<ApplyAnswer, Problem> {
    let new_rows = table(rows);
    let request = ApplyRequest {
        release,
        policy,
        new_rows: &new_rows,
        never_handed_out: false,
        only_look: out.is_none(),
    };
    let applied = apply(&request, &Run::default());
    let mut applied = applied.map_err(|failed| *failed.problem)?;
    if let Some(out) = out {
        applied.write(out)?;
    }
    let answer = applied.summary().answer(applied.warnings());
    assert!(applied.summary().to_text().contains("goes on from"));
    Ok(answer)
}

/// A published row: its labels, disease and provider.
type Told = (Vec<String>, String, String);

/// All rows of a release, with who contributed them, as its audit says.
fn told(folder: &Path) -> Vec<Told> {
    let release = Release::open(folder).unwrap();
    let published: Published = release.audited().unwrap().unwrap();
    let mut rows = Vec::new();
    for group in 0..published.groups() {
        let labels: Vec<String> = published
            .describe(group)
            .map(|(_, l)| l.to_owned())
            .collect();
        for entry in published.entries(group) {
            let column = &published.sensitive()[0];
            let disease = column
                .domain
                .text(column.codes.get(entry.sensitive as usize));
            let provider = published.providers().name(entry.provider);
            for _ in 0..entry.count {
                rows.push((labels.clone(), disease.to_owned(), provider.to_owned()));
            }
        }
    }
    rows.sort();
    rows
}

/// Whether a label covers a value, by what it looks like.
fn covers(label: &str, value: &str) -> bool {
    if label == value || label == "*" {
        return true;
    }
    if !label.is_empty() && label.chars().all(|sign| sign == '*') && !value.is_empty() {
        return true;
    }
    if let Some(inner) = label
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        && let Some((low, high)) = inner.split_once('-')
        && let (Ok(low), Ok(high), Ok(value)) = (
            low.parse::<i64>(),
            high.parse::<i64>(),
            value.parse::<i64>(),
        )
    {
        return low <= value && value <= high;
    }
    if let Some(inner) = label
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
    {
        return inner.split('|').any(|one| one == value);
    }
    let shown = label.trim_end_matches('*');
    shown.len() < label.len() && label.len() == value.len() && value.starts_with(shown)
}

fn has_place(labels: &[String], row: &Row) -> bool {
    covers(&labels[0], &row[2]) && covers(&labels[1], &row[3])
}

/// What one multiset has more than another.
fn minus(of: &[Told], without: &[Told]) -> Vec<Told> {
    let mut left = without.to_vec();
    let mut more = Vec::new();
    for one in of {
        match left.iter().position(|other| other == one) {
            Some(place) => drop(left.swap_remove(place)),
            None => more.push(one.clone()),
        }
    }
    assert!(left.is_empty(), "a published row is gone");
    more
}

/// Whether published rows can be these new rows, each one another, by augmenting paths.
fn are_those(told: &[Told], rows: &[Row]) -> bool {
    fn find(
        at: usize,
        fits: &[Vec<usize>],
        of_row: &mut [Option<usize>],
        seen: &mut BTreeSet<usize>,
    ) -> bool {
        for &row in &fits[at] {
            if !seen.insert(row) {
                continue;
            }
            if of_row[row].is_none_or(|other| find(other, fits, of_row, seen)) {
                of_row[row] = Some(at);
                return true;
            }
        }
        false
    }
    let mut fits = Vec::new();
    for (labels, disease, provider) in told {
        let same = |row: &Row| row[4] == *disease && row[1] == *provider && has_place(labels, row);
        fits.push((0..rows.len()).filter(|&at| same(&rows[at])).collect());
    }
    let mut of_row = vec![None; rows.len()];
    told.len() == rows.len()
        && (0..told.len()).all(|at| find(at, &fits, &mut of_row, &mut BTreeSet::new()))
}

/// All coalitions of at most m of these providers.
fn coalitions(providers: &[&str], m: usize) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for chosen in 0..1u32 << providers.len() {
        if chosen.count_ones() as usize <= m {
            let picked = (0..providers.len()).filter(|place| chosen >> place & 1 == 1);
            all.push(picked.map(|place| providers[place].to_owned()).collect());
        }
    }
    all
}

fn by_group(rows: &[Told]) -> BTreeMap<&[String], Vec<(&str, &str)>> {
    let mut groups: BTreeMap<&[String], Vec<(&str, &str)>> = BTreeMap::new();
    for (labels, disease, provider) in rows {
        groups.entry(labels).or_default().push((disease, provider));
    }
    groups
}

/// k-anonymity and distinct l-diversity against every coalition, from the definition: what the others
/// have left in a group is nothing, or at least k rows with l values.
fn keeps(rows: &[Told], k: usize, l: usize, m: usize) -> bool {
    let providers: BTreeSet<&str> = rows
        .iter()
        .map(|(.., provider)| provider.as_str())
        .collect();
    let providers: Vec<&str> = providers.into_iter().collect();
    for coalition in coalitions(&providers, m) {
        for group in by_group(rows).values() {
            let mut left = 0;
            let mut values = BTreeSet::new();
            for &(disease, provider) in group {
                if !coalition.iter().any(|one| one == provider) {
                    left += 1;
                    values.insert(disease);
                }
            }
            if left > 0 && (left < k || values.len() < l) {
                return false;
            }
        }
    }
    true
}

/// Whether some coalition is left with a single value of a group's new rows.
fn exposes(new: &[Told], m: usize) -> bool {
    let providers: BTreeSet<&str> = new.iter().map(|(.., provider)| provider.as_str()).collect();
    let providers: Vec<&str> = providers.into_iter().collect();
    for coalition in coalitions(&providers, m) {
        for group in by_group(new).values() {
            let left = group
                .iter()
                .filter(|(_, provider)| !coalition.iter().any(|one| one == provider));
            let values: BTreeSet<&str> = left.map(|(disease, _)| *disease).collect();
            if values.len() == 1 {
                return true;
            }
        }
    }
    false
}

/// Numbers that look random, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn rows(&mut self, count: usize, sites: usize, ages: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        for number in 0..count {
            let age = match self.below(12) {
                0 => String::new(),
                _ => (20 + self.below(ages)).to_string(),
            };
            rows.push([
                format!("n{number}"),
                ["A", "B", "C", "D"][self.below(sites)].to_owned(),
                age,
                format!("1{}{}", self.below(2), self.below(3)),
                ["flu", "gout", "cold", "=mumps"][self.below(4)].to_owned(),
                ["east", "west", "7"][self.below(3)].to_owned(),
            ]);
        }
        rows
    }
}

/// The labels of the only group that has a place for each row; `None` where some row has several.
fn only_places(earlier: &[Told], rows: &[Row]) -> Option<Vec<Told>> {
    let groups: BTreeSet<&[String]> = earlier.iter().map(|(labels, ..)| &labels[..]).collect();
    let mut placed = Vec::new();
    for row in rows {
        let mut places = groups.iter().filter(|labels| has_place(labels, row));
        let labels = places.next()?;
        if places.next().is_some() {
            return None;
        }
        placed.push((labels.to_vec(), row[4].clone(), row[1].clone()));
    }
    Some(placed)
}

#[test]
fn the_union_is_what_brute_force_says() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..160 {
        let mut dice = Dice(seed);
        let (k, l, m) = (2 + dice.below(2), 1 + dice.below(2), dice.below(3));
        let method = ["mondrian", "datafly", "agglomerative"][dice.below(3)];
        let format = ["csv", "parquet"][dice.below(2)];
        let text = format!(
            "{DATA}{COLUMNS}[privacy]\nk = {k}\nm = {m}\nl = {{ distinct = {l} }}\n\
             [method]\nname = \"{method}\"\n[release]\nformat = \"{format}\"\n"
        );
        let folder = tempfile::tempdir().unwrap();
        let policy = policy_in(folder.path(), &text);
        let sites = 1 + dice.below(3);
        let old = dice.rows(24, sites, 12);
        let earlier = folder.path().join("earlier");
        if published(&policy, &old, &earlier).is_err() {
            continue;
        }
        let count = 1 + dice.below(16);
        let sites = 1 + dice.below(4);
        let new = dice.rows(count, sites, 13);
        let before = told(&earlier);
        let union = folder.path().join("union");
        match applied(&policy, &earlier, &new, Some(&union)) {
            Ok(answer) => {
                *seen.entry("written").or_default() += 1;
                let after = told(&union);
                let more = minus(&after, &before);
                assert!(are_those(&more, &new), "seed {seed}");
                assert!(keeps(&after, k, l, m), "seed {seed}");
                assert!(!exposes(&more, m), "seed {seed}");
                assert_eq!(answer.published_rows as usize, old.len() + new.len());
                assert_eq!(answer.grown_groups as usize, by_group(&more).len());
                let checked = verify::release(&union, &Run::default()).unwrap();
                assert!(checked.problem().is_none(), "seed {seed}");
            }
            Err(problem) => {
                assert!(!union.exists());
                let groups: BTreeSet<&[String]> =
                    before.iter().map(|(labels, ..)| &labels[..]).collect();
                let somewhere = |row: &Row| groups.iter().any(|labels| has_place(labels, row));
                let places = only_places(&before, &new);
                match (problem.code(), places) {
                    (ProblemCode::NotCovered, _) => {
                        *seen.entry("not covered").or_default() += 1;
                        let lost: Vec<&Row> = new.iter().filter(|row| !somewhere(row)).collect();
                        assert!(
                            !lost.is_empty(),
                            "seed {seed}: {problem} {groups:?} {new:?}"
                        );
                    }
                    (ProblemCode::UnionBreaks, Some(placed)) => {
                        *seen.entry("breaks").or_default() += 1;
                        let all = [before.clone(), placed].concat();
                        assert!(!keeps(&all, k, l, m), "seed {seed}");
                    }
                    (ProblemCode::Exposed, Some(placed)) => {
                        *seen.entry("exposed").or_default() += 1;
                        assert!(exposes(&placed, m), "seed {seed}");
                    }
                    (ProblemCode::UnionBreaks | ProblemCode::Exposed, None) => {}
                    (code, _) => panic!("seed {seed}: {code}: {problem}"),
                }
            }
        }
    }
    // a comparison that never comes to one of them would show nothing
    for what in ["written", "not covered", "breaks", "exposed"] {
        assert!(seen.get(what).is_some_and(|&times| times > 2), "{seen:?}");
    }
}

/// The checks above notice what they are there for.
#[test]
fn planted_mistakes_are_noticed() {
    let labels = |age: &str| vec![age.to_owned(), "1**".to_owned()];
    let one =
        |age: &str, disease: &str, site: &str| (labels(age), disease.to_owned(), site.to_owned());
    let new = [row(["n", "A", "25", "101", "flu", "east"])];
    assert!(are_those(&[one("[20-30]", "flu", "A")], &new));
    // a group that does not cover the row, another value, another provider, a row too many
    assert!(!are_those(&[one("[30-40]", "flu", "A")], &new));
    assert!(!are_those(&[one("[20-30]", "gout", "A")], &new));
    assert!(!are_those(&[one("[20-30]", "flu", "B")], &new));
    assert!(!are_those(
        &[one("[20-30]", "flu", "A"), one("[20-30]", "flu", "A")],
        &new
    ));
    let two = [one("[20-30]", "flu", "A"), one("[20-30]", "gout", "B")];
    assert!(keeps(&two, 2, 2, 0) && !keeps(&two, 2, 2, 1) && !keeps(&two, 3, 1, 0));
    assert!(!exposes(&two, 0) && exposes(&two, 1));
}

#[test]
fn the_quick_look_at_the_difference_is_that_of_all_coalitions() {
    let mut dice = Dice(7);
    for round in 0..3000 {
        let mut quick = Vec::new();
        let mut slow = Vec::new();
        for _ in 0..1 + dice.below(6) {
            let (value, provider) = (dice.below(3) as u32, dice.below(4) as u32);
            quick.push((value, ProviderId(provider)));
            slow.push((Vec::new(), value.to_string(), provider.to_string()));
        }
        for m in 0..4 {
            let found = exposed_rows(&quick, m) > 0;
            assert_eq!(found, exposes(&slow, m as usize), "round {round}, m = {m}");
        }
    }
}

/// Two sites, two groups.
fn eight() -> Vec<Row> {
    let mut rows = Vec::new();
    for (number, (age, disease)) in [
        ("21", "flu"),
        ("22", "gout"),
        ("23", "flu"),
        ("24", "gout"),
        ("41", "flu"),
        ("42", "gout"),
        ("43", "flu"),
        ("44", "gout"),
    ]
    .into_iter()
    .enumerate()
    {
        let site = ["A", "B"][usize::from(number % 4 >= 2)];
        rows.push(row([
            &format!("p{number}"),
            site,
            age,
            "101",
            disease,
            "east",
        ]));
    }
    rows
}

fn two_new() -> Vec<Row> {
    vec![
        row(["x", "A", "22", "101", "flu", "west"]),
        row(["y", "B", "22", "101", "gout", "west"]),
    ]
}

const PRIVACY: &str =
    "[privacy]\nk = 2\nm = 0\nl = { distinct = 2 }\n[method]\nname = \"mondrian\"\n";

#[test]
fn rows_that_no_label_covers() {
    let folder = tempfile::tempdir().unwrap();
    let strict = policy_in(folder.path(), &format!("{DATA}{COLUMNS}{PRIVACY}"));
    let earlier = folder.path().join("earlier");
    published(&strict, &eight(), &earlier).unwrap();
    let mut rows = two_new();
    rows.push(row(["z", "A", "99", "101", "flu", "west"]));
    let problem = applied(&strict, &earlier, &rows, None).unwrap_err();
    assert_eq!(problem.code(), ProblemCode::NotCovered);
    assert!(problem.text().contains("1 of 3 new rows") && problem.text().contains("age"));
    assert!(!problem.to_string().contains("99"));
    // one of eleven may be left out
    let lenient = format!("{DATA}{COLUMNS}{PRIVACY}max_suppressed = 0.1\n");
    let lenient = policy_in(folder.path(), &lenient);
    let out = folder.path().join("union");
    let answer = applied(&lenient, &earlier, &rows, Some(&out)).unwrap();
    assert_eq!((answer.placed_rows, answer.suppressed_rows), (2, 1));
    let release = Release::open(&out).unwrap();
    let private = release.private_manifest().unwrap();
    assert_eq!(private.suppressed_rows, 1);
    let sites: Vec<(u64, u64)> = private
        .providers
        .iter()
        .map(|provider| (provider.rows, provider.published_rows))
        .collect();
    assert_eq!(sites, [(6, 5), (5, 5)]);
    // what was left out stays counted: the next one is one too many
    let again = [
        row(["q", "A", "98", "101", "flu", "west"]),
        rows[0].clone(),
        rows[1].clone(),
    ];
    let problem = applied(&lenient, &out, &again, None).unwrap_err();
    assert_eq!(problem.code(), ProblemCode::NotCovered);
    let only_outside = [row(["q", "A", "98", "101", "flu", "west"])];
    assert!(applied(&lenient, &earlier, &only_outside, None).is_err());
}

#[test]
fn kinds_labels_and_rows_stay_what_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let policy = policy_in(folder.path(), &format!("{DATA}{COLUMNS}{PRIVACY}"));
    let (earlier, out) = (folder.path().join("earlier"), folder.path().join("union"));
    published(&policy, &eight(), &earlier).unwrap();
    applied(&policy, &earlier, &two_new(), Some(&out)).unwrap();
    let (before, after) = (
        Release::open(&earlier).unwrap(),
        Release::open(&out).unwrap(),
    );
    let (before, after) = (before.manifest().unwrap(), after.manifest().unwrap());
    assert_eq!(before.columns, after.columns);
    assert_eq!(before.promises, after.promises);
    assert_eq!((before.m, before.groups), (after.m, after.groups));
    let lines = |folder: &Path| -> BTreeSet<String> {
        let text = std::fs::read_to_string(folder.join("public/data.csv")).unwrap();
        text.lines().map(str::to_owned).collect()
    };
    assert!(lines(&earlier).is_subset(&lines(&out)));
    // and once more
    let third = folder.path().join("third");
    applied(&policy, &out, &two_new(), Some(&third)).unwrap();
    let checked = verify::release(&third, &Run::default()).unwrap();
    assert!(checked.problem().is_none());
}

#[test]
fn a_reader_of_both_releases_is_thought_of() {
    let folder = tempfile::tempdir().unwrap();
    let policy = policy_in(folder.path(), &format!("{DATA}{COLUMNS}{PRIVACY}"));
    let earlier = folder.path().join("earlier");
    published(&policy, &eight(), &earlier).unwrap();
    let alone = [row(["x", "A", "22", "101", "flu", "west"])];
    let problem = applied(&policy, &earlier, &alone, None).unwrap_err();
    assert_eq!(problem.code(), ProblemCode::Exposed);
    assert!(problem.text().contains("disease") && !problem.to_string().contains("flu"));
    let new_rows = table(&alone);
    let request = ApplyRequest {
        release: &earlier,
        policy: &policy,
        new_rows: &new_rows,
        never_handed_out: true,
        only_look: true,
    };
    let applied = apply(&request, &Run::default()).map_err(|failed| *failed.problem);
    let applied = applied.unwrap();
    assert!(applied.summary().answer(&[]).difference.is_none());
    assert!(applied.summary().to_text().contains("never handed out"));
}

/// The code with which two new rows are refused, where a release was made by one policy and another
/// one is named.
fn refused(made_by: &str, named: &str, rows: &[Row]) -> ProblemCode {
    let folder = tempfile::tempdir().unwrap();
    let earlier = folder.path().join("earlier");
    let made_by = policy_in(folder.path(), made_by);
    published(&made_by, &eight(), &earlier).unwrap();
    let named = policy_in(folder.path(), named);
    let out = folder.path().join("union");
    let problem = applied(&named, &earlier, rows, Some(&out)).unwrap_err();
    assert!(!out.exists() && !problem.hint().is_empty());
    problem.code()
}

#[test]
fn what_cannot_be_promised_is_refused() {
    let plain = format!("{DATA}{COLUMNS}{PRIVACY}");
    let unsaid = plain.replace("person = \"row\"\n", "");
    let people = plain.replace("person = \"row\"", "person = \"name\"");
    let fragmented = format!(
        "{}[release]\nfragmented = true\n",
        plain.replace(
            "ward = { role = \"insensitive\", kind = \"category\" }",
            "ward = { role = \"identifier\" }"
        )
    );
    let stricter = plain.replace("k = 2", "k = 3");
    let by_default = plain.replace("m = 0\n", "");
    let other_role = plain.replace(
        "ward = { role = \"insensitive\", kind = \"category\" }",
        "ward = { role = \"identifier\" }",
    );
    let other_hierarchy = plain.replace("{ mask = 3 }", "{ prefix = [2, 1] }");
    let other_missing = plain.replace("[data]\n", "[data]\nmissing = [\"NA\"]\n");
    let beside = format!("{plain}[composition]\nagainst = [\"earlier\"]\n");
    let one_site = plain.replace("provider_column = \"site\"\n", "undeclared = \"drop\"\n");
    for (made_by, named, expected) in [
        (&plain, &unsaid, ProblemCode::MayBeInBoth),
        (&plain, &people, ProblemCode::PersonRefused),
        (&people, &plain, ProblemCode::PersonRefused),
        (&fragmented, &fragmented, ProblemCode::CannotApply),
        (&plain, &stricter, ProblemCode::CannotApply),
        (&plain, &by_default, ProblemCode::CannotApply),
        (&plain, &other_role, ProblemCode::CannotApply),
        (&plain, &other_hierarchy, ProblemCode::CannotApply),
        (&plain, &other_missing, ProblemCode::CannotApply),
        (&plain, &beside, ProblemCode::CannotApply),
        (&plain, &one_site, ProblemCode::ProviderUnnamed),
        (&one_site, &plain, ProblemCode::CannotApply),
    ] {
        assert_eq!(refused(made_by, named, &two_new()), expected, "{named}");
    }
    let wrong_kind = [row(["x", "A", "old", "101", "flu", "west"])];
    assert_eq!(
        refused(&plain, &plain, &wrong_kind),
        ProblemCode::CannotApply
    );
    assert_eq!(refused(&plain, &plain, &[]), ProblemCode::NoRows);
}

#[test]
#[allow(clippy::disallowed_methods, reason = "a file that need not last")]
fn only_what_was_handed_out_is_not_enough_and_damage_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let policy = policy_in(folder.path(), &format!("{DATA}{COLUMNS}{PRIVACY}"));
    let earlier = folder.path().join("earlier");
    published(&policy, &eight(), &earlier).unwrap();
    let public = earlier.join("public");
    let problem = applied(&policy, &public, &two_new(), None).unwrap_err();
    assert_eq!(problem.code(), ProblemCode::NoPrivatePart);
    let data = public.join("data.csv");
    let text = std::fs::read_to_string(&data).unwrap();
    std::fs::write(&data, text.replace("gout", "flu")).unwrap();
    let problem = applied(&policy, &earlier, &two_new(), None).unwrap_err();
    assert_eq!(problem.code(), ProblemCode::ReleaseDamaged);
}

/// A third site with one row: the two others together see it alone.
#[test]
fn a_new_provider_can_break_a_promise() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("{DATA}{COLUMNS}{PRIVACY}").replace("m = 0", "m = 2");
    let policy = policy_in(folder.path(), &text);
    let earlier = folder.path().join("earlier");
    published(&policy, &eight(), &earlier).unwrap();
    let new = [row(["x", "C", "22", "101", "flu", "west"])];
    let problem = applied(&policy, &earlier, &new, None).unwrap_err();
    assert_eq!(problem.code(), ProblemCode::UnionBreaks);
    assert!(problem.text().contains("provider"), "{problem}");
}

#[test]
fn a_history_knows_who_is_in_the_release() {
    let folder = tempfile::tempdir().unwrap();
    let history = folder.path().join("history");
    crate::history::init(&history).unwrap();
    let text = format!("{DATA}{COLUMNS}{PRIVACY}").replace("person = \"row\"\n", "");
    let text = format!("{text}[composition]\nhistory = \"history\"\nperson = \"name\"\n");
    let policy = policy_in(folder.path(), &text);
    let first = folder.path().join("first");
    published(&policy, &eight(), &first).unwrap();
    let problem = |rows: &[Row], release: &Path| {
        let out = folder.path().join("refused");
        let problem = applied(&policy, release, rows, Some(&out)).unwrap_err();
        assert!(!out.exists());
        problem.code()
    };
    let alone = [row(["x", "A", "22", "101", "flu", "west"])];
    assert_eq!(problem(&alone, &first), ProblemCode::Exposed);
    let again = [
        row(["P0 ", "A", "22", "101", "flu", "west"]),
        row(["y", "B", "23", "101", "gout", "west"]),
    ];
    assert_eq!(problem(&again, &first), ProblemCode::IdentifierUnusable);
    let twice = [two_new(), two_new()].concat();
    assert_eq!(problem(&twice, &first), ProblemCode::IdentifierUnusable);
    let second = folder.path().join("second");
    let answer = applied(&policy, &first, &two_new(), Some(&second)).unwrap();
    let versions = answer.composition.unwrap().history.unwrap();
    assert_eq!(
        (versions.earlier, versions.version.as_deref()),
        (1, Some("v2"))
    );
    assert!(answer.difference.is_none());
    // from the first release nobody may go on any more
    let more = [
        row(["u", "A", "42", "101", "flu", "west"]),
        row(["w", "B", "42", "101", "gout", "west"]),
    ];
    assert_eq!(problem(&more, &first), ProblemCode::HistoryUnusable);
    let third = folder.path().join("third");
    applied(&policy, &second, &more, Some(&third)).unwrap();
    let listed = crate::history::list(&history).unwrap();
    let since: Vec<u64> = listed
        .versions
        .iter()
        .filter_map(|version| version.since.as_ref().map(|since| since.inserted))
        .collect();
    assert_eq!(since, [2, 2]);
}
