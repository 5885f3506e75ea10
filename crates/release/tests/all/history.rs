//! The history of a table: what is written down, what is found damaged, and who is in which group.

use crate::common::*;
use mingle_io::Format;
use mingle_model::{Missing, Partition, Role, Table};
use mingle_privacy::composition::People;
use mingle_privacy::composition::versions::{Changes, replay};
use mingle_release::history::*;
use mingle_release::{Bundle, Error, Release, Target};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

const NOW: &str = "2026-01-02T03:04:05Z";

/// A person's number beside the hospitals' rows.
struct Home {
    _folder: TempDir,
    root: PathBuf,
}

impl Home {
    fn new() -> Home {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        History::create(&root.join("history")).unwrap();
        Home {
            _folder: folder,
            root,
        }
    }

    fn history(&self) -> PathBuf {
        self.root.join("history")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.history().join(name)
    }

    fn open(&self) -> Result<History, Error> {
        History::open(&self.history())
    }

    fn writer(&self) -> HistoryWriter {
        HistoryWriter::open(&self.history()).unwrap()
    }

    /// Publishes some of the hospitals' rows and returns their people.
    fn publish(&self, name: &str, rows: &[usize]) -> (PathBuf, PeopleTable) {
        self.publish_table(name, hospitals_of(rows), rows)
    }

    fn publish_table(&self, name: &str, table: Table, rows: &[usize]) -> (PathBuf, PeopleTable) {
        let made = Made::new(table);
        let verified = made.verified(&made.partition(by_age), &[k(1)]);
        let folder = self.root.join(name);
        made.publish(&verified, &facts(Format::Csv), &folder)
            .unwrap();
        let people = self.people(rows);
        let groups = groups_of_rows(verified.published(), &people).unwrap();
        let people = people_of("here", verified.published(), &groups, &people).unwrap();
        (folder, people)
    }

    fn people(&self, rows: &[usize]) -> Vec<u128> {
        let history = self.open().unwrap();
        rows.iter()
            .map(|row| history.key().person(&format!("patient {row}")))
            .collect()
    }

    fn append(&self, name: &str, rows: &[usize]) -> VersionEntry {
        let (folder, people) = self.publish(name, rows);
        self.writer().append(&people, &folder, None, NOW).unwrap()
    }
}

fn hospitals_of(rows: &[usize]) -> Table {
    table(
        &hospital_specs(),
        &rows
            .iter()
            .map(|&row| HOSPITALS[row].to_vec())
            .collect::<Vec<_>>(),
    )
}

fn problem<T>(result: Result<T, Error>) -> HistoryProblem {
    match result.err() {
        Some(Error::History { problem, .. }) => problem,
        other => panic!("{other:?}"),
    }
}

const ALL: [usize; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

#[test]
fn versions_survive_and_are_private() {
    let home = Home::new();
    let first = home.append("one", &ALL);
    let second = home.append("two", &ALL[1..]);
    let history = home.open().unwrap();
    assert_eq!(history.versions(), [first.clone(), second.clone()]);
    assert_eq!(
        (
            first.label.as_str(),
            second.label.as_str(),
            first.added.as_str()
        ),
        ("v1", "v2", NOW)
    );
    assert_eq!((first.rows, second.rows, first.groups), (10, 9, 3));
    assert_eq!(first.release.as_deref(), Some("../one"));
    history.check_releases().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&home.history()), 0o700);
    for entry in fs::read_dir(home.history()).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
    }
    for entry in fs::read_dir(home.history()).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!text.contains("patient"), "an identifier was written down");
    }
    assert!(!home.file("pending.json").exists());
}

#[test]
fn the_order_of_rows_leaves_no_trace() {
    let home = Home::new();
    let (_, forward) = home.publish("one", &ALL);
    let backward: Vec<usize> = ALL.into_iter().rev().collect();
    let (_, backward) = home.publish("two", &backward);
    assert!(forward.members() == backward.members());
}

#[test]
fn everybody_is_in_the_group_that_covers_them() {
    let home = Home::new();
    let (_, people) = home.publish("one", &ALL);
    for (row, person) in ALL.into_iter().zip(home.people(&ALL)) {
        let member = people
            .members()
            .iter()
            .find(|m| m.person == person)
            .unwrap();
        let label = &people.groups()[member.group as usize][0];
        let (lo, hi) = label.trim_matches(['[', ']']).split_once('-').unwrap();
        let age: u32 = HOSPITALS[row][0].parse().unwrap();
        assert!((lo.parse().unwrap()..=hi.parse().unwrap()).contains(&age));
        let value = &people.columns()[0].values[member.values[0] as usize];
        assert_eq!(value.as_deref(), Some(HOSPITALS[row][2]));
    }
}

/// Rows that were dealt to groups one by one, beside a column that is carried along.
#[test]
fn rows_with_insensitive_columns_keep_their_groups() {
    let rows: Vec<Vec<&str>> = [
        ["1", "a", "x", "P"],
        ["1", "a", "y", "P"],
        ["2", "b", "x", "P"],
    ]
    .map(|r| r.to_vec())
    .to_vec();
    let specs = [
        spec("q", Role::QuasiIdentifier),
        spec("s", Role::Sensitive),
        spec("i", Role::Insensitive),
    ];
    let mut made = Made::new(table(&specs, &rows));
    made.cube = Arc::new(Arc::unwrap_or_clone(made.cube).into_rows());
    let partition = made.spans(vec![0, 1, 1]);
    let published = made.published(&partition).unwrap();
    let groups = groups_of_rows(&published, &[7, 8, 9]).unwrap();
    let records = made.cube.record_of_row().unwrap();
    for (row, &record) in records.iter().enumerate() {
        assert_eq!(groups[row], published.group_of()[record as usize]);
    }
    assert!(groups_of_rows(&published, &[7, 8]).is_err());
}

#[test]
fn alike_rows_in_different_groups_are_dealt_by_person() {
    let rows: Vec<Vec<&str>> = [["1", "a", "P"], ["1", "a", "P"], ["2", "b", "P"]]
        .map(|r| r.to_vec())
        .to_vec();
    let mut made = Made::new(table(
        &[spec("q", Role::QuasiIdentifier), spec("s", Role::Sensitive)],
        &rows,
    ));
    made.cube = Arc::new(Arc::unwrap_or_clone(made.cube).into_rows());
    let published = made.published(&made.spans(vec![0, 1, 1])).unwrap();
    let groups = |people: &[u128]| groups_of_rows(&published, people).unwrap();
    let (one, other) = (groups(&[7, 8, 9]), groups(&[8, 7, 9]));
    assert_eq!((one[0], one[1]), (other[1], other[0]));
    assert_ne!(one[0], one[1]);
}

#[test]
fn suppressed_rows_are_not_in_the_version() {
    let made = Made::new(hospitals());
    let published = made
        .published(&made.partition(|age| {
            if age == "39" {
                Partition::SUPPRESSED
            } else {
                0
            }
        }))
        .unwrap();
    let people: Vec<u128> = (0..10).collect();
    let groups = groups_of_rows(&published, &people).unwrap();
    let people = people_of("here", &published, &groups, &people).unwrap();
    assert_eq!(people.members().len(), 9);
    assert!(people.members().iter().all(|m| m.person != 7));
}

#[test]
fn rows_of_a_person_are_in_one_group() {
    let made = Made::new(hospitals());
    let published = made.published(&made.partition(by_age)).unwrap();
    let mut people: Vec<u128> = (0..10).collect();
    let groups = groups_of_rows(&published, &people).unwrap();
    for (first, second) in [(0, 9), (8, 9)] {
        people[second] = first as u128;
        let found = people_of("here", &published, &groups, &people);
        assert_eq!(found.is_some(), groups[first] == groups[second]);
    }
    assert!(groups[0] != groups[9] && groups[8] == groups[9]);
}

#[test]
fn versions_are_replayed_by_value() {
    let home = Home::new();
    home.append("one", &ALL[..9]);
    home.append("two", &ALL);
    let history = home.open().unwrap();
    let people: Vec<PeopleTable> = history
        .versions()
        .iter()
        .map(|v| history.people(v).unwrap())
        .collect();
    let people: Vec<&PeopleTable> = people.iter().collect();
    assert_eq!(attributes(people.iter().copied()), ["disease"]);
    let versions = timeline(&people, "disease");
    let changes = Changes::between(&versions[0].1, &versions[1].1);
    assert_eq!(
        changes,
        Changes {
            stayed: 9,
            grown: 0,
            changed: 0,
            inserted: 1,
            deleted: 0
        }
    );
    let found = replay(&[&versions[0].1, &versions[1].1], &Default::default());
    assert_eq!((found.difference.perfect, found.holds), (1, false));
    assert!(timeline(&people, "salary").is_empty());
}

/// Another number of decimal places, another code: the same value.
#[test]
fn numbers_are_the_same_however_they_are_written() {
    let home = Home::new();
    let specs = [
        spec("age", Role::QuasiIdentifier),
        spec("dose", Role::Sensitive),
    ];
    let of =
        |rows: &[[&str; 3]]| table(&specs, &rows.iter().map(|r| r.to_vec()).collect::<Vec<_>>());
    let first = of(&[["20", "1.5", "P"], ["21", "", "P"], ["22", "2", "P"]]);
    let second = of(&[
        ["20", "1.50", "P"],
        ["21", "?", "P"],
        ["22", "2.00", "P"],
        ["23", "0.25", "P"],
    ]);
    let (_, first) = home.publish_table("one", first, &[0, 1, 2]);
    let (_, second) = home.publish_table("two", second, &[0, 1, 2, 3]);
    let versions = timeline(&[&first, &second], "dose");
    let changes = Changes::between(&versions[0].1, &versions[1].1);
    assert_eq!(
        changes,
        Changes {
            stayed: 3,
            grown: 0,
            changed: 0,
            inserted: 1,
            deleted: 0
        }
    );
}

#[test]
fn one_writer_at_a_time() {
    let home = Home::new();
    let writer = home.writer();
    assert_eq!(
        problem(HistoryWriter::open(&home.history()).map(drop)),
        HistoryProblem::Busy
    );
    assert!(home.open().is_ok(), "readers need no lock");
    drop(writer);
    home.writer();
}

#[test]
fn a_version_is_there_once() {
    let home = Home::new();
    let (folder, people) = home.publish("one", &ALL);
    let mut writer = home.writer();
    writer.append(&people, &folder, Some("first"), NOW).unwrap();
    let again = problem(writer.append(&people, &folder, None, NOW).map(drop));
    assert_eq!(
        again,
        HistoryProblem::AlreadyThere {
            label: "first".into()
        }
    );
    let (other, people) = home.publish("two", &ALL[1..]);
    for label in ["first", "", "a\nb"] {
        let refused = problem(writer.append(&people, &other, Some(label), NOW).map(drop));
        assert_eq!(
            refused,
            HistoryProblem::Label {
                label: label.into()
            }
        );
    }
}

#[test]
fn people_of_another_release_are_refused() {
    let home = Home::new();
    let (folder, people) = home.publish("one", &ALL);
    let (_, fewer) = home.publish("two", &ALL[1..]);
    let (_, fewer_groups) = home.publish("three", &[0, 2, 5, 6]);
    let mut writer = home.writer();
    let mut refused =
        |people: &PeopleTable| problem(writer.append(people, &folder, None, NOW).map(drop));
    assert!(matches!(
        refused(&fewer),
        HistoryProblem::OtherPeople { .. } | HistoryProblem::OtherGroups { .. }
    ));
    assert_eq!(
        refused(&fewer_groups),
        HistoryProblem::OtherGroups {
            release: 3,
            people: 1
        }
    );
    let mut moved = people.members().to_vec();
    let other = moved
        .iter()
        .position(|m| m.group != moved[0].group && m.values != moved[0].values)
        .unwrap();
    (moved[0].group, moved[other].group) = (moved[other].group, moved[0].group);
    let moved = PeopleTable::new(
        String::new(),
        people.groups().to_vec(),
        people.columns().to_vec(),
        moved,
    )
    .unwrap();
    assert!(matches!(
        refused(&moved),
        HistoryProblem::OtherPeople { .. }
    ));
    let named = vec![PeopleColumn {
        name: "salary".into(),
        ..people.columns()[0].clone()
    }];
    let named = PeopleTable::new(
        String::new(),
        people.groups().to_vec(),
        named,
        people.members().to_vec(),
    )
    .unwrap();
    assert_eq!(
        refused(&named),
        HistoryProblem::OtherColumns {
            column: "salary".into()
        }
    );
    assert!(home.open().unwrap().versions().is_empty());
}

#[test]
fn a_release_that_is_gone_or_changed_is_found() {
    let home = Home::new();
    home.append("one", &ALL);
    let (one, aside) = (home.root.join("one"), home.root.join("aside"));
    fs::rename(&one, &aside).unwrap();
    let gone = problem(home.open().unwrap().check_releases());
    assert!(
        matches!(&gone, HistoryProblem::ReleaseMissing { label, .. } if label == "v1"),
        "{gone}"
    );
    // found again elsewhere
    assert_eq!(
        home.writer()
            .found_again(&aside)
            .unwrap()
            .unwrap()
            .release
            .as_deref(),
        Some("../aside")
    );
    home.open().unwrap().check_releases().unwrap();
    let manifest = aside.join("public/manifest.json");
    let text = fs::read_to_string(&manifest)
        .unwrap()
        .replace("\"rows\": 10", "\"rows\": 11");
    fs::write(&manifest, text).unwrap();
    assert!(matches!(
        problem(home.open().unwrap().check_releases()),
        HistoryProblem::ReleaseChanged { .. }
    ));
    assert!(home.writer().found_again(&aside).unwrap().is_none());
}

#[test]
fn a_release_that_took_another_ones_place_is_known() {
    let home = Home::new();
    home.append("one", &ALL);
    fs::remove_dir_all(home.root.join("one")).unwrap();
    home.append("one", &ALL[1..]);
    let history = home.open().unwrap();
    history.check_releases().unwrap();
    let releases: Vec<_> = history
        .versions()
        .iter()
        .map(|v| v.release.as_deref())
        .collect();
    assert_eq!(releases, [None, Some("../one")]);
}

#[test]
fn forgetting_takes_the_people_out_and_no_number_comes_back() {
    let home = Home::new();
    home.append("one", &ALL);
    home.append("two", &ALL[1..]);
    let forgotten = home.writer().forget("v2").unwrap();
    assert!(!home.file(&forgotten.people.name).exists());
    let unknown = problem(home.writer().forget("v2").map(drop));
    assert_eq!(
        unknown,
        HistoryProblem::NoSuchVersion { label: "v2".into() }
    );
    assert_eq!(home.append("three", &ALL[2..]).label, "v3");
    assert_eq!(home.open().unwrap().versions().len(), 2);
}

#[test]
fn what_is_no_history_is_refused() {
    let home = Home::new();
    assert!(matches!(
        History::create(&home.history()),
        Err(Error::Exists { .. })
    ));
    assert_eq!(
        problem(History::open(&home.root)),
        HistoryProblem::NotAHistory
    );
    assert_eq!(
        problem(HistoryWriter::open(&home.root).map(drop)),
        HistoryProblem::NotAHistory
    );
    assert!(!home.root.join("lock").exists());
    fs::set_permissions(home.history(), fs::Permissions::from_mode(0o750)).unwrap();
    assert_eq!(problem(home.open()), HistoryProblem::OpenToOthers);
}

#[test]
fn damage_is_found_wherever_it_is() {
    let home = Home::new();
    let version = home.append("one", &ALL);
    let people = home.file(&version.people.name);
    let (history, key) = (home.file("history.json"), home.file("key"));
    let read = || {
        home.open()
            .and_then(|history| history.people(&history.versions()[0]))
    };
    read().ok().unwrap();
    for (path, name) in [(&history, "history"), (&people, "people"), (&key, "key")] {
        let sound = fs::read(path).unwrap();
        for at in (0..sound.len()).step_by(if sound.len() > 200 { 13 } else { 1 }) {
            let mut damaged = sound.clone();
            damaged[at] ^= 1;
            fs::write(path, &damaged).unwrap();
            assert!(
                read().is_err() || name == "key" && at + 1 == sound.len(),
                "{name}, byte {at}"
            );
        }
        fs::write(path, &sound[..sound.len() / 2]).unwrap();
        assert!(read().is_err(), "{name} cut in half");
        fs::write(path, &sound).unwrap();
    }
    read().ok().unwrap();
    fs::remove_file(&key).unwrap();
    assert_eq!(problem(read()), HistoryProblem::Key);
}

/// A sound file of other people has the right checksum and the wrong hash.
#[test]
fn people_of_another_version_do_not_pass() {
    let home = Home::new();
    let (first, second) = (home.append("one", &ALL), home.append("two", &ALL[1..]));
    fs::copy(
        home.file(&second.people.name),
        home.file(&first.people.name),
    )
    .unwrap();
    let history = home.open().unwrap();
    assert!(matches!(
        problem(history.people(&first)),
        HistoryProblem::PeopleDamaged { .. }
    ));
    fs::remove_file(home.file(&first.people.name)).unwrap();
    assert!(matches!(
        problem(history.people(&first)),
        HistoryProblem::PeopleMissing { .. }
    ));
}

/// At every point at which a program can die, the version is there or it can be added from what was
/// announced.
#[test]
fn a_crash_loses_nothing() {
    let home = Home::new();
    let (folder, people) = home.publish("one", &ALL);
    home.writer().announce(&people).unwrap();
    // died before the people were written, or after
    for leftover in [false, true] {
        if leftover {
            fs::write(home.file("people-1.json"), b"half").unwrap();
        }
        let history = home.open().unwrap();
        assert!(history.versions().is_empty());
        assert!(history.pending().unwrap().unwrap() == people);
    }
    let mut writer = home.writer();
    let pending = writer.pending().unwrap().unwrap();
    writer.append(&pending, &folder, None, NOW).unwrap();
    // died before what was announced was removed
    writer.announce(&people).unwrap();
    drop(writer);
    let history = home.open().unwrap();
    assert!(history.people(&history.versions()[0]).ok().unwrap() == people);
    assert_eq!(
        problem(home.writer().append(&people, &folder, None, NOW).map(drop)),
        HistoryProblem::AlreadyThere { label: "v1".into() }
    );
    assert!(matches!(
        home.open().unwrap().unsettled().unwrap(),
        Pending::Recorded
    ));
    home.writer().withdraw().unwrap();
    assert!(home.open().unwrap().pending().unwrap().is_none());
    assert_eq!(
        problem(home.writer().withdraw()),
        HistoryProblem::NothingPending
    );
}

/// Published with the announcement where it belongs: after everything is on disk, and before it is
/// in its place.
fn announced(home: &Home, name: &str, between: impl FnOnce(&Path)) -> Result<PeopleTable, Error> {
    let made = Made::new(hospitals());
    let verified = made.verified(&made.partition(by_age), &[k(1)]);
    let (folder, numbers) = (home.root.join(name), home.people(&ALL));
    let groups = groups_of_rows(verified.published(), &numbers).unwrap();
    let people = people_of(
        folder.to_str().unwrap(),
        verified.published(),
        &groups,
        &numbers,
    )
    .unwrap();
    let (mut between, mut written) = (Some(between), None);
    let mut announce = |sha256: &str| {
        assert!(!folder.exists());
        let people = people.clone().with_manifest(sha256);
        home.writer().announce(&people)?;
        between.take().unwrap()(&folder);
        written = Some(people);
        Ok(())
    };
    let bundle = Bundle::grouped(&verified, &facts(Format::Csv))?;
    bundle.write_announced(Target::folder(&folder), &mut announce)?;
    Ok(written.unwrap())
}

#[test]
fn an_announced_release_is_known_by_its_manifest() {
    let home = Home::new();
    let people = announced(&home, "one", |_| {}).ok().unwrap();
    assert!(
        matches!(home.open().unwrap().unsettled().unwrap(), Pending::Written(found) if found == people)
    );
    // the same groups and values under another manifest: another method may have made it
    let other = people.clone().with_manifest("0123");
    let one = home.root.join("one");
    assert!(!is_of(&other, &Release::open(&one).unwrap()));
    assert_eq!(
        problem(home.writer().append(&other, &one, None, NOW).map(drop)),
        HistoryProblem::OtherManifest
    );
    let moved = home.root.join("moved");
    fs::rename(&one, &moved).unwrap();
    let lost = |occupied: bool| {
        let found = home.open().unwrap().unsettled().unwrap();
        matches!(found, Pending::Lost { release, occupied: is } if release == one && is == occupied)
    };
    assert!(lost(false));
    home.publish("one", &ALL[1..]);
    assert!(lost(true), "another release");
    fs::remove_dir_all(&one).unwrap();
    fs::write(&one, "a file").unwrap();
    assert!(lost(true), "no release");
    home.writer().append(&people, &moved, None, NOW).unwrap();
    assert!(matches!(
        home.open().unwrap().unsettled().unwrap(),
        Pending::Nothing
    ));
}

/// An error while the release is put in its place does not say whether it is there.
#[test]
fn a_failed_write_leaves_the_announcement() {
    let home = Home::new();
    let failed = announced(&home, "one", |folder| fs::create_dir(folder).unwrap());
    assert!(matches!(failed, Err(Error::Exists { .. })));
    assert!(matches!(
        home.open().unwrap().unsettled().unwrap(),
        Pending::Lost { occupied: true, .. }
    ));
    // nothing else takes its place, and no other version drops it
    let (folder, people) = home.publish("two", &ALL[1..]);
    assert!(
        matches!(problem(home.writer().announce(&people)), HistoryProblem::Unsettled { release } if release.ends_with("one"))
    );
    home.writer().append(&people, &folder, None, NOW).unwrap();
    assert!(home.open().unwrap().pending().unwrap().is_some());
    let refused = announced(&home, "three", |_| unreachable!());
    assert!(matches!(problem(refused), HistoryProblem::Unsettled { .. }));
    assert!(
        !home.root.join("three").exists(),
        "what cannot be announced is not published"
    );
}

#[test]
fn people_are_told_apart_by_one_column() {
    let home = Home::new();
    let (folder, people) = home.publish("one", &ALL);
    let other = || HistoryProblem::OtherPerson {
        known: "id".into(),
        asked: "mrn".into(),
    };
    let mut writer = home.writer();
    // nothing is there yet, so nothing is bound; and nothing is written down
    writer.identify_by("mrn").unwrap();
    assert!(
        !fs::read_to_string(home.file("history.json"))
            .unwrap()
            .contains("mrn")
    );
    writer.identify_by("id").unwrap();
    writer.announce(&people).unwrap();
    assert_eq!(problem(writer.identify_by("mrn")), other());
    drop(writer);
    assert_eq!(
        problem(home.open().unwrap().check_person("mrn")),
        other(),
        "an announcement binds"
    );
    home.writer().append(&people, &folder, None, NOW).unwrap();
    assert_eq!(problem(home.writer().identify_by("mrn")), other());
    home.open().unwrap().check_person("id").unwrap();
    home.writer().forget("v1").unwrap();
    home.writer().identify_by("mrn").unwrap();
}

/// A history from before the column was written down takes the first that is named.
#[test]
fn a_history_without_a_column_gets_one() {
    let home = Home::new();
    home.append("one", &ALL);
    assert!(
        !fs::read_to_string(home.file("history.json"))
            .unwrap()
            .contains("person")
    );
    let (folder, people) = home.publish("two", &ALL[1..]);
    let mut writer = home.writer();
    writer.identify_by("id").unwrap();
    writer.append(&people, &folder, None, NOW).unwrap();
    assert!(home.open().unwrap().check_person("mrn").is_err());
}

/// People 0, 1, 2, … with these values.
fn valued(home: &Home, first: usize, values: &[&str]) -> PeopleTable {
    let specs = [
        spec("age", Role::QuasiIdentifier),
        spec("code", Role::Sensitive),
    ];
    let table = table(
        &specs,
        &values
            .iter()
            .map(|value| vec!["20", value, "P"])
            .collect::<Vec<_>>(),
    );
    let rows: Vec<usize> = (first..first + values.len()).collect();
    people_of_table(&table, &home.people(&rows)).unwrap()
}

#[test]
fn numbers_are_numbers_in_a_column_of_texts() {
    let home = Home::new();
    let changed = |before: &[&str], after: &[&str]| {
        let (before, after) = (valued(&home, 0, before), valued(&home, 0, after));
        let versions = timeline(&[&before, &after], "code");
        Changes::between(&versions[0].1, &versions[1].1).changed
    };
    // a single text makes the whole column one of texts
    assert_eq!(
        changed(&["250.00", "401.10", "3"], &["250.00", "401.10", "V45"]),
        1
    );
    assert_eq!(
        changed(&["250.00", "401.10", "x"], &["250", "401.1", "x"]),
        0
    );
    assert_eq!(changed(&["007", "x"], &["7", "8"]), 1);
    assert_eq!(changed(&["1e3", "-0.5"], &["1000", "-.50"]), 0);
    // where a version tells two writings apart, they are codes
    assert_eq!(changed(&["250", "250.00", "x"], &["250", "250.00", "x"]), 0);
    assert_eq!(changed(&["250", "250.00", "x"], &["250.00", "250", "x"]), 2);
    assert_eq!(changed(&["250.00", "250", "x"], &["250", "250", "7"]), 2);
}

#[test]
fn a_version_of_others_or_of_other_values_is_refused() {
    let home = Home::new();
    let compared = |first: usize, before: &[&str], after: &[&str]| {
        continuity(&[valued(&home, 0, before)], &valued(&home, first, after))
    };
    let other_values = || {
        Err(HistoryProblem::NoValueStayed {
            column: "code".into(),
        })
    };
    assert_eq!(
        compared(9, &["flu", "cold"], &["flu", "cold"]),
        Err(HistoryProblem::NobodyStayed)
    );
    assert_eq!(compared(1, &["flu", "cold"], &["cold", "flu"]), Ok(vec![]));
    assert_eq!(
        compared(0, &["flu", "cold"], &["FLU", "COLD"]),
        other_values()
    );
    // what is missing says nothing about how values are written
    assert_eq!(
        compared(0, &["flu", "cold", ""], &["FLU", "COLD", ""]),
        other_values()
    );
    assert_eq!(
        compared(0, &["", "", ""], &["FLU", "COLD", ""]).map(|found| found.len()),
        Ok(1)
    );
    assert_eq!(
        compared(0, &["250.00", "401.10"], &["250", "401.1x"]).map(|found| found[0].changed),
        Ok(1)
    );
    assert_eq!(
        compared(0, &["250.00", "401.10", "x"], &["250", "401.1", "x"]),
        Ok(vec![])
    );
    assert_eq!(continuity(&[], &valued(&home, 0, &["flu"])), Ok(vec![]));
    let renamed = valued(&home, 0, &["flu"]);
    let column = vec![PeopleColumn {
        name: "other".into(),
        ..renamed.columns()[0].clone()
    }];
    let renamed = PeopleTable::new(
        String::new(),
        vec![vec![]],
        column,
        renamed.members().to_vec(),
    )
    .unwrap();
    assert_eq!(
        continuity(&[valued(&home, 0, &["flu"])], &renamed),
        Err(HistoryProblem::NoColumnStayed)
    );
    // a version without the column in between hides nothing
    let bare = PeopleTable::new(String::new(), vec![vec![]], vec![], {
        let mut members = renamed.members().to_vec();
        members.iter_mut().for_each(|m| m.values.clear());
        members
    });
    let earlier = [valued(&home, 0, &["flu", "cold"]), bare.unwrap()];
    assert_eq!(
        continuity(&earlier, &valued(&home, 0, &["FLU", "COLD"])),
        other_values()
    );
}

#[test]
fn more_than_a_tenth_is_many() {
    let home = Home::new();
    let before = valued(&home, 0, &["a"; 20]);
    let with = |changed: usize| {
        let values: Vec<&str> = (0..25)
            .map(|n| if n < changed { "b" } else { "a" })
            .collect();
        continuity(std::slice::from_ref(&before), &valued(&home, 0, &values))
    };
    assert_eq!(with(2), Ok(vec![]));
    assert_eq!(
        with(3),
        Ok(vec![Recoded {
            column: "code".into(),
            changed: 3,
            both: 20
        }])
    );
}

#[test]
fn people_are_found_by_labels_where_these_do_not_overlap() {
    let home = Home::new();
    let (folder, people) = home.publish("one", &ALL);
    let made = Made::new(hospitals());
    let missing = Missing::default();
    let by_labels = |made: &Made, people: &[u128]| {
        let original = People {
            cube: &made.cube,
            missing: &missing,
            hierarchies: Vec::new(),
        };
        place_by_labels(&Release::open(&folder).unwrap(), &folder, original, people)
    };
    let found = by_labels(&made, &home.people(&ALL)).ok().unwrap();
    assert!(found.members() == people.members() && found.groups() == people.groups());
    check_people(&found, &Release::open(&folder).unwrap()).unwrap();
    let fewer = Made::new(hospitals_of(&ALL[1..]));
    let found = by_labels(&fewer, &home.people(&ALL[1..])).ok().unwrap();
    assert!(check_people(&found, &Release::open(&folder).unwrap()).is_err());
    assert!(by_labels(&made, &home.people(&ALL[1..])).is_err());
}

#[test]
fn overlapping_labels_are_not_guessed() {
    let home = Home::new();
    let made = Made::new(hospitals());
    // both groups span nearly everything
    let verified = made.verified(
        &made.partition(|age| age.parse::<u32>().unwrap() % 2),
        &[k(1)],
    );
    let folder = home.root.join("one");
    made.publish(&verified, &facts(Format::Csv), &folder)
        .unwrap();
    let missing = Missing::default();
    let original = People {
        cube: &made.cube,
        missing: &missing,
        hierarchies: Vec::new(),
    };
    let release = Release::open(&folder).unwrap();
    let found = place_by_labels(&release, &folder, original, &home.people(&ALL));
    assert!(matches!(problem(found), HistoryProblem::Ambiguous { rows } if rows > 0));
}
