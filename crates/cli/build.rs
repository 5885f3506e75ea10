//! What `mingle --version` says: the version, and the commit where it can be known.
//!
//! * `MINGLE_COMMIT` in the environment, as `scripts/release` and packagers set it;
//! * a release build in a clone: the clone's commit, and whether files were changed since;
//! * a source archive: the commit that `git archive` wrote into `commit.txt`;
//! * a development build says that it is one. It never looks at git, so that a commit does not compile anything again.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Two folders up from this package.
const TOP: &str = "../..";

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=commit.txt");
    println!("cargo:rerun-if-env-changed=MINGLE_COMMIT");
    let version = std::env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    println!("cargo:rustc-env=MINGLE_VERSION={version} ({})", origin());
}

fn origin() -> String {
    if let Some(commit) = given() {
        return commit;
    }
    let profile = std::env::var("PROFILE").unwrap_or_default();
    if profile != "release" {
        return "development build".to_owned();
    }
    if let Some(commit) = of_clone() {
        return commit;
    }
    if let Some(commit) = of_archive() {
        return commit;
    }
    "commit unknown".to_owned()
}

/// The commit that `MINGLE_COMMIT` names, where it names one.
fn given() -> Option<String> {
    let commit = std::env::var("MINGLE_COMMIT").ok()?;
    if commit.is_empty() {
        return None;
    }
    assert!(
        is_commit(&commit),
        "MINGLE_COMMIT must be a commit, 7 to 64 hexadecimal digits"
    );
    Some(commit)
}

/// The commit of the clone around this package, if it is the package's own.
fn of_clone() -> Option<String> {
    let top = Path::new(TOP).canonicalize().ok()?;
    let root = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?);
    // a copy of the sources may lie in somebody else's clone
    if root.canonicalize().ok()? != top {
        return None;
    }
    watch_sources();
    let commit = git(&["rev-parse", "--short=10", "HEAD"])?;
    let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
    if !is_commit(&commit) {
        return None;
    }
    if changed.is_empty() {
        return Some(commit);
    }
    Some(format!("{commit}, changed"))
}

/// Asks to be run again after a commit, and after a change of what is compiled anyway.
fn watch_sources() {
    println!("cargo:rerun-if-changed={TOP}/Cargo.lock");
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name]);
        if let Some(path) = path.filter(|path| Path::new(path).exists()) {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    let Ok(crates) = std::fs::read_dir("..") else {
        return;
    };
    for entry in crates.flatten() {
        let source = entry.path().join("src");
        if source.is_dir() {
            println!("cargo:rerun-if-changed={}", source.display());
        }
    }
}

/// What `git archive` put in the place of the mark in `commit.txt`.
fn of_archive() -> Option<String> {
    let text = std::fs::read_to_string("commit.txt").ok()?;
    let commit = text.trim();
    is_commit(commit).then(|| commit.to_owned())
}

/// Hexadecimal digits, so that nothing else gets into the version.
fn is_commit(text: &str) -> bool {
    let digits = text.len() >= 7 && text.len() <= 64;
    digits && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// What git answers, without the end of the line.
fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    if !output.status.success() {
        return None;
    }
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim_end().to_owned())
}
