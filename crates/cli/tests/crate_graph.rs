//! The house's walls: which crate may use which. A checker that shares code with the maker proves
//! nothing, so `privacy` and `assess` must never see `anonymize`, not even through another crate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Per room the rooms it may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("chart", &[]),
    ("privacy", &["model"]),
    ("anonymize", &["model", "privacy"]),
    ("io", &["model"]),
    ("synth", &["model", "io"]),
    ("dp", &["model"]),
    ("release", &["model", "privacy", "io", "dp"]),
    ("assess", &["model", "privacy", "release"]),
    (
        "report",
        &["model", "privacy", "release", "assess", "chart", "dp"],
    ),
    ("page", &[]),
    ("protocol", &["model", "privacy", "anonymize"]),
    ("site", &["model", "privacy", "protocol", "release", "io"]),
    (
        "lab",
        &[
            "model",
            "privacy",
            "anonymize",
            "io",
            "synth",
            "release",
            "assess",
            "chart",
            "protocol",
            "dp",
        ],
    ),
    (
        "cli",
        &[
            "model",
            "privacy",
            "anonymize",
            "io",
            "synth",
            "release",
            "assess",
            "chart",
            "lab",
            "protocol",
            "site",
            "dp",
            "report",
            "page",
        ],
    ),
];

type Graph = BTreeMap<String, BTreeSet<String>>;

/// What the manifests say, development dependencies left out: tests may look at both sides.
fn graph() -> Graph {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("crates/cli is in crates/");
    let rooms = std::fs::read_dir(crates)
        .expect("crates/ can be listed")
        .map(|entry| entry.expect("an entry").path());
    rooms
        .map(|room| {
            let manifest = std::fs::read_to_string(room.join("Cargo.toml"))
                .expect("every room has a manifest");
            let manifest: toml::Table = manifest.parse().expect("a manifest is TOML");
            let uses = ["dependencies", "build-dependencies"]
                .iter()
                .filter_map(|key| manifest.get(*key)?.as_table());
            let uses = uses
                .flat_map(|table| table.keys())
                .filter_map(|name| name.strip_prefix("mingle-"));
            let name = room
                .file_name()
                .expect("a room has a name")
                .to_string_lossy()
                .into_owned();
            (name, uses.map(str::to_owned).collect())
        })
        .collect()
}

fn violations(graph: &Graph) -> Vec<String> {
    let allowed: BTreeMap<&str, &[&str]> = ALLOWED.iter().copied().collect();
    let mut found = Vec::new();
    for (room, uses) in graph {
        match allowed.get(room.as_str()) {
            None => found.push(format!("{room} is not in the table of rooms")),
            Some(may) => {
                found.extend(
                    uses.iter()
                        .filter(|u| !may.contains(&u.as_str()))
                        .map(|u| format!("{room} uses {u}")),
                );
            }
        }
    }
    found
}

#[test]
fn rooms_use_only_what_they_may() {
    let graph = graph();
    assert!(
        graph["release"].contains("privacy"),
        "the manifests were not read"
    );
    assert_eq!(violations(&graph), [] as [String; 0]);
}

#[test]
fn a_checker_that_sees_the_maker_is_noticed() {
    let mut graph = graph();
    graph
        .get_mut("privacy")
        .expect("there is a checker")
        .insert("anonymize".into());
    graph.insert("attic".into(), BTreeSet::new());
    assert_eq!(
        violations(&graph),
        [
            "attic is not in the table of rooms",
            "privacy uses anonymize"
        ]
    );
}
