//! What each fuzz target does with bytes that nobody vouches for.
//!
//! The same functions are called by the fuzzer (`fuzz/fuzz_targets`) and, with every file of
//! `fuzz/corpus`, by a test of the program: a crash that was found once stays found. A target
//! fails by panicking; an error value is what damaged bytes are meant to give.

#[path = "files.rs"]
mod files;
#[path = "tables.rs"]
mod tables;
#[path = "texts.rs"]
mod texts;
#[path = "wires.rs"]
mod wires;

/// A parser of untrusted bytes, under the name of its corpus.
pub struct FuzzTarget {
    /// The name of its folder in `fuzz/corpus`.
    pub name: &'static str,
    /// Reads the bytes and whatever follows from them.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: &[FuzzTarget] = &[
    FuzzTarget {
        name: "csv",
        run: tables::csv,
    },
    FuzzTarget {
        name: "gzip",
        run: tables::gzip,
    },
    FuzzTarget {
        name: "json_lines",
        run: tables::json_lines,
    },
    FuzzTarget {
        name: "workbook",
        run: tables::workbook,
    },
    FuzzTarget {
        name: "parquet",
        run: tables::parquet,
    },
    FuzzTarget {
        name: "policy",
        run: texts::policy,
    },
    FuzzTarget {
        name: "hierarchy",
        run: texts::hierarchy,
    },
    FuzzTarget {
        name: "labels",
        run: texts::labels,
    },
    FuzzTarget {
        name: "http_bodies",
        run: texts::http_bodies,
    },
    FuzzTarget {
        name: "site_toml",
        run: texts::site_toml,
    },
    FuzzTarget {
        name: "manifest",
        run: files::manifest,
    },
    FuzzTarget {
        name: "private_manifest",
        run: files::private_manifest,
    },
    FuzzTarget {
        name: "audit",
        run: files::audit,
    },
    FuzzTarget {
        name: "noisy_manifest",
        run: files::noisy_manifest,
    },
    FuzzTarget {
        name: "history",
        run: files::history,
    },
    FuzzTarget {
        name: "ledger",
        run: files::ledger,
    },
    FuzzTarget {
        name: "journal",
        run: files::journal,
    },
    FuzzTarget {
        name: "frames",
        run: wires::frames,
    },
    FuzzTarget {
        name: "envelopes",
        run: wires::envelopes,
    },
    FuzzTarget {
        name: "board",
        run: wires::board,
    },
];

/// Runs the target of this name.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.expect("a target of this name").run)(bytes);
}
