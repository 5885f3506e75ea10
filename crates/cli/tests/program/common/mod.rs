//! A folder with files, and the program run in it.

use assert_cmd::Command;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;

/// A token that stands in cells and must never come out of a message.
pub const CANARY: &str = "zqxcanary";

/// A temporary folder in which the program runs.
pub struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Bench {
        Bench {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn with(files: &[(&str, &str)]) -> Bench {
        let bench = Bench::new();
        files
            .iter()
            .for_each(|(name, text)| bench.write(name, text));
        bench
    }

    /// A copy of `examples/hospitals`.
    pub fn hospitals() -> Bench {
        let bench = Bench::new();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/hospitals");
        for file in std::fs::read_dir(example).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), bench.path(&file.file_name().to_string_lossy())).unwrap();
        }
        bench
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn run(&self, args: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mingle"));
        command
            .current_dir(self.folder.path())
            .env("NO_COLOR", "1")
            .args(args);
        Run::new(command.output().unwrap())
    }

    /// Everything below the folder: relative path and bytes, folders with no bytes.
    pub fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(self.folder.path(), self.folder.path(), &mut found);
        found
    }
}

pub fn collect(base: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path
            .strip_prefix(base)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            found.insert(format!("{name}/"), Vec::new());
            collect(base, &path, found);
        } else {
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
}

/// What a run said.
pub struct Run {
    pub exit: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Run {
    pub fn new(output: Output) -> Run {
        Run {
            exit: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    #[track_caller]
    pub fn exits(self, code: i32) -> Run {
        assert_eq!(
            self.exit,
            Some(code),
            "stdout:\n{}\nstderr:\n{}",
            self.out,
            self.err
        );
        self
    }

    /// Whether each part is in the messages, wherever their lines are broken.
    #[track_caller]
    pub fn says(self, parts: &[&str]) -> Run {
        let unbroken = unbroken(&self.err);
        for part in parts {
            assert!(
                self.err.contains(part) || unbroken.contains(part),
                "{part:?} is not in:\n{}",
                self.err
            );
        }
        self
    }

    /// Like `says`, for an error: with a code, a hint, and no cell.
    #[track_caller]
    pub fn refuses(self, exit: i32, code: &str, parts: &[&str]) -> Run {
        let run = self
            .exits(exit)
            .says(&[&format!("error[{code}]: "), "\nhint: "])
            .says(parts);
        assert_eq!(run.err.matches("error[").count(), 1, "{}", run.err);
        run.shows_no_cell()
    }

    #[track_caller]
    pub fn shows_no_cell(self) -> Run {
        for text in [&self.out, &self.err] {
            assert!(
                !text.to_lowercase().contains(CANARY),
                "a cell came out:\n{text}"
            );
        }
        self
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap()
    }
}

/// A text in one line, every space a single one.
pub fn unbroken(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a reader of a page sees: no style, no tags.
pub fn visible_text(html: &str) -> String {
    let (before, rest) = html.split_once("<style>").unwrap_or((html, ""));
    let after = rest.split_once("</style>").map_or("", |(_, after)| after);
    let pieces = [before, after].join(" ");
    pieces
        .split('<')
        .map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Whether files without permission can be read all the same.
pub fn is_root() -> bool {
    let probe = tempfile::tempdir().unwrap();
    let file = probe.path().join("probe");
    std::fs::write(&file, "x").unwrap();
    forbid(&file);
    std::fs::read(&file).is_ok()
}

pub fn forbid(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o000)).unwrap();
}
