//! The house's walls: which crate may use which.
//!
//! A checker that shares code with the maker proves nothing, so `privacy` and `assess` must never
//! see `anonymize`, not even through another crate. `cargo metadata` says what there is; a room is
//! named by its folder, because packages are named for their users. Development dependencies are
//! left out: tests may look at both sides.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// Per room the rooms it may use. A room that is not built yet may have its line already.
const ALLOWED: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("record", &[]),
    ("disk", &[]),
    ("chart", &[]),
    ("privacy", &["model"]),
    ("anonymize", &["model", "privacy"]),
    ("io", &["model", "disk"]),
    ("sources", &["model", "io"]),
    ("dp", &["model", "disk"]),
    (
        "release",
        &["model", "privacy", "io", "dp", "record", "disk"],
    ),
    ("assess", &["model", "privacy", "record"]),
    (
        "protocol",
        &["model", "privacy", "anonymize", "dp", "record"],
    ),
    (
        "site",
        &[
            "model", "privacy", "protocol", "release", "dp", "io", "record", "disk",
        ],
    ),
    (
        "report",
        &[
            "model", "privacy", "dp", "record", "assess", "release", "chart",
        ],
    ),
    (
        "policy",
        &[
            "model",
            "privacy",
            "anonymize",
            "dp",
            "io",
            "protocol",
            "record",
        ],
    ),
    ("engine", BELOW_ENGINE),
    ("page", &["record"]),
    ("workbench", UP_TO_PAGE),
    ("synth", UP_TO_ENGINE),
    ("lab", UP_TO_SYNTH),
    ("bench", UP_TO_LAB),
    ("cli", EVERYTHING),
    ("python", UP_TO_SYNTH),
];

/// The rooms from the bottom up, the order in which the lists below end.
const EVERYTHING: &[&str] = &[
    "model",
    "record",
    "disk",
    "chart",
    "privacy",
    "anonymize",
    "io",
    "sources",
    "dp",
    "release",
    "assess",
    "protocol",
    "site",
    "report",
    "policy",
    "engine",
    "synth",
    "lab",
    "page",
    "workbench",
];
const BELOW_ENGINE: &[&str] = EVERYTHING.split_at(15).0;
const UP_TO_ENGINE: &[&str] = EVERYTHING.split_at(16).0;
const UP_TO_SYNTH: &[&str] = EVERYTHING.split_at(17).0;
const UP_TO_LAB: &[&str] = EVERYTHING.split_at(18).0;
/// What stands behind the page may use the engine, what is below it, and the page.
const UP_TO_PAGE: &[&str] = &[
    "model",
    "record",
    "disk",
    "chart",
    "privacy",
    "anonymize",
    "io",
    "sources",
    "dp",
    "release",
    "assess",
    "protocol",
    "site",
    "report",
    "policy",
    "engine",
    "page",
];

/// Rooms that check, and the room that makes.
const CHECKERS: [&str; 2] = ["privacy", "assess"];
const MAKER: &str = "anonymize";

/// What some rooms may use from outside the house: whoever reads the trusted base reads this, too, and
/// what is written down has no logic.
const FOREIGN: &[(&str, &[&str])] = &[
    ("model", &["thiserror"]),
    // ts-rs is optional: only the test that writes the page's types turns it on
    ("record", &["serde", "ts-rs"]),
    ("privacy", &["num-bigint", "thiserror"]),
];

/// Per room the rooms and the foreign packages it uses.
#[derive(Default)]
struct House {
    rooms: BTreeMap<String, BTreeSet<String>>,
    foreign: BTreeMap<String, BTreeSet<String>>,
}

impl House {
    /// What `cargo metadata` says of the workspace, and of the Python package, which is one of its own;
    /// optional and platform's dependencies included.
    fn as_built() -> House {
        let cli = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut house = House::default();
        house.read_workspace(cli);
        house.read_workspace(&cli.join("../python"));
        house
    }

    fn read_workspace(&mut self, folder: &Path) {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args([
                "metadata",
                "--no-deps",
                "--offline",
                "--format-version",
                "1",
            ])
            .current_dir(folder)
            .output()
            .expect("cargo runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "cargo metadata: {said}");
        let metadata: Value = serde_json::from_slice(&output.stdout).expect("a JSON document");

        for package in metadata["packages"].as_array().expect("packages") {
            let manifest = package["manifest_path"].as_str().expect("a path");
            let room = folder_name(
                Path::new(manifest)
                    .parent()
                    .expect("a manifest has a folder"),
            );
            let mut rooms = BTreeSet::new();
            let mut foreign = BTreeSet::new();
            for dependency in package["dependencies"].as_array().expect("dependencies") {
                if dependency["kind"] == "dev" {
                    continue;
                }
                if let Some(path) = dependency["path"].as_str() {
                    rooms.insert(folder_name(Path::new(path)));
                } else {
                    let name = dependency["name"].as_str().expect("a name");
                    foreign.insert(name.to_owned());
                }
            }
            self.rooms.insert(room.clone(), rooms);
            self.foreign.insert(room, foreign);
        }
    }

    /// Everything that `room` is compiled with, by way of whatever it uses.
    fn seen_from(&self, room: &str) -> BTreeSet<&str> {
        let mut seen = BTreeSet::new();
        let mut to_visit = vec![room];
        while let Some(next) = to_visit.pop() {
            for used in self.rooms.get(next).into_iter().flatten() {
                if seen.insert(used.as_str()) {
                    to_visit.push(used);
                }
            }
        }
        seen
    }

    /// One dependency more, for tests of the test.
    fn plant(&mut self, room: &str, used: &str) {
        let uses = self.rooms.entry(room.to_owned()).or_default();
        uses.insert(used.to_owned());
    }

    fn violations(&self) -> Vec<String> {
        let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
        let mut found = Vec::new();
        for (room, uses) in &self.rooms {
            let Some(may_use) = allowed.get(room.as_str()) else {
                found.push(format!("{room} is not in the table of rooms"));
                continue;
            };
            for used in uses {
                if !may_use.contains(&used.as_str()) {
                    found.push(format!("{room} uses {used}"));
                }
            }
        }
        for checker in CHECKERS {
            if self.seen_from(checker).contains(MAKER) {
                found.push(format!("{checker} sees {MAKER}"));
            }
        }
        for (room, may_use) in FOREIGN {
            for package in self.foreign.get(*room).into_iter().flatten() {
                if !may_use.contains(&package.as_str()) {
                    found.push(format!("{room} uses {package} from outside"));
                }
            }
        }
        found
    }
}

fn folder_name(folder: &Path) -> String {
    folder
        .file_name()
        .expect("a room has a name")
        .to_string_lossy()
        .into_owned()
}

#[test]
fn rooms_use_only_what_they_may() {
    let house = House::as_built();
    // every folder under crates/ is a room, so one that is missing here was not read
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("crates/cli is in crates/");
    for entry in std::fs::read_dir(crates).expect("crates/ can be listed") {
        let folder = entry.expect("an entry").path();
        if folder.join("Cargo.toml").is_file() {
            let room = folder_name(&folder);
            assert!(house.rooms.contains_key(&room), "{room} was not read");
        }
    }
    assert!(
        house.rooms["release"].contains("privacy"),
        "dependencies were not read"
    );
    assert_eq!(house.violations(), [] as [String; 0]);
}

#[test]
fn the_table_itself_keeps_checker_and_maker_apart() {
    let mut house = House::default();
    for (room, may_use) in ALLOWED {
        let uses = may_use.iter().map(|used| (*used).to_owned()).collect();
        house.rooms.insert((*room).to_owned(), uses);
    }
    assert_eq!(house.violations(), [] as [String; 0]);
    for room in house.rooms.keys() {
        assert!(
            !house.seen_from(room).contains(room.as_str()),
            "{room} may use itself"
        );
    }
}

#[test]
fn a_checker_that_sees_the_maker_is_noticed() {
    let mut house = House::as_built();
    house.plant("attic", "model");
    house.plant("assess", "attic");
    house.plant("attic", "anonymize");
    house
        .foreign
        .entry("model".to_owned())
        .or_default()
        .insert("rand".to_owned());
    assert_eq!(
        house.violations(),
        [
            "assess uses attic",
            "attic is not in the table of rooms",
            "assess sees anonymize",
            "model uses rand from outside",
        ]
    );
}
