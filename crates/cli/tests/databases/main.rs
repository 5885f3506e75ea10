//! The program beside a real PostgreSQL server: the same bytes as from files, and what goes wrong.
//!
//! Each test starts a server of its own and is skipped, visibly, where none is installed.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test fails by panicking and writes scratch files"
)]

mod faults;
mod reading;
mod server;
mod writing;

use server::Server;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Output;

/// What stands in every password of the tests.
pub(crate) const CANARY: &str = "zqxcanary";

/// A run of the program, whose messages never have a password.
pub(crate) struct Said {
    pub(crate) exit: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    #[track_caller]
    pub(crate) fn of(output: &Output) -> Said {
        let said = Said {
            exit: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        };
        assert!(!said.out.contains(CANARY), "{}", said.out);
        assert!(!said.err.contains(CANARY), "{}", said.err);
        said
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Said {
        assert_eq!(self.exit, Some(code), "{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn says(self, parts: &[&str]) -> Said {
        // lines are broken anywhere
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = words(&self.err);
        for part in parts {
            assert!(said.contains(part), "{part} is not in: {said}");
        }
        self
    }
}

#[track_caller]
pub(crate) fn run(server: &Server, folder: &Path, args: &[&str]) -> Said {
    Said::of(&server.command(folder).args(args).output().unwrap())
}

/// The files of a folder.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        found.insert(name, std::fs::read(path).unwrap());
    }
    found
}

/// Numbers that look random and are the same each time (SplitMix64).
pub(crate) struct Draw(pub u64);

impl Draw {
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (bits ^ (bits >> 31)) % end
    }
}

/// Sixty people with an age, a town and a disease.
pub(crate) const PEOPLE: &str = "CREATE TABLE people AS SELECT 20 + (i * 7) % 40 AS age, \
     'town ' || i % 5 AS town, (ARRAY['flu', 'cold', 'gout'])[1 + i % 3] AS disease \
     FROM generate_series(1, 60) i; GRANT SELECT ON people TO reader;";

/// A policy for them.
pub(crate) fn policy(data: &str, k: u32) -> String {
    format!(
        "[data]\n{data}\n[columns.age]\nrole = \"quasi-identifier\"\n[columns.town]\n\
         role = \"quasi-identifier\"\n[columns.disease]\nrole = \"sensitive\"\n\
         [privacy]\nk = {k}\nl = {{ distinct = 2 }}\n[release]\nreaders = [\"analysts\"]\n"
    )
}

/// Where the table of people is.
pub(crate) const CLINIC: &str =
    "source = { kind = \"postgresql\", service = \"clinic\" }\ntable = \"public.people\"";
