//! Files that were dropped on the page, in a folder of their own that goes when the server stops.

use super::lock;
use mingle::failure;
use mingle_page::protocol::{DroppedFile, FileList};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use std::fs;
use std::io::Write;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Mutex;
use tempfile::TempDir;

/// How the name of the folder begins; letters and digits follow.
const FOLDER: &str = "mingle-page-";

/// The folder that the example is dropped into: it never takes the place of another file.
const EXAMPLE_FOLDER: &str = "example";

/// The example that ships with the program.
const EXAMPLE: [(&str, &str); 4] = [
    ("p1.csv", include_str!("../../../examples/hospitals/p1.csv")),
    ("p2.csv", include_str!("../../../examples/hospitals/p2.csv")),
    ("p3.csv", include_str!("../../../examples/hospitals/p3.csv")),
    ("p4.csv", include_str!("../../../examples/hospitals/p4.csv")),
];
const EXAMPLE_POLICY: &str = include_str!("../../../examples/hospitals/policy.toml");

/// The dropped files.
pub struct Dropped {
    folder: TempDir,
    /// Held while folders are made or taken away.
    changing: Mutex<()>,
}

impl Dropped {
    /// An empty folder, for this user alone.
    pub fn new() -> Result<Dropped, Problem> {
        let folder = mingle_disk::private_temporary_folder(FOLDER);
        let folder = folder.map_err(|e| failure::write("a folder for dropped files", &e))?;
        Ok(Dropped {
            folder,
            changing: Mutex::default(),
        })
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Takes all of them away.
    pub fn clear(&self) {
        let _changing = lock(&self.changing);
        // what cannot be removed now is tried again when the folder is dropped
        let _ = fs::remove_dir_all(self.folder.path());
    }

    /// Where a file of that name belongs; whoever writes it makes the folders on the way.
    pub fn place(&self, name: &str) -> Result<PathBuf, Problem> {
        let path = self.inside(name)?;
        if path.is_dir() {
            Err(Problem::new(
                ProblemCode::BadName,
                format!("{name} is a folder here"),
                "rename the file",
            ))
        } else {
            Ok(path)
        }
    }

    /// All of them, by name.
    pub fn list(&self) -> FileList {
        let mut files = Vec::new();
        collect(self.folder.path(), self.folder.path(), &mut files);
        files.sort_by(|a, b| a.name.cmp(&b.name));
        FileList { files }
    }

    /// Takes a file away, or a folder with all that is in it.
    pub fn forget(&self, name: &str) -> Result<(), Problem> {
        let path = self.inside(name)?;
        let _changing = lock(&self.changing);
        let gone = if path.is_dir() {
            fs::remove_dir_all(&path)
        } else {
            fs::remove_file(&path)
        };
        match gone {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(failure::write(name, &e)),
            _ => Ok(()),
        }
    }

    /// Drops the example and gives its policy.
    pub fn example(&self) -> Result<String, Problem> {
        let folder = self.folder.path().join(EXAMPLE_FOLDER);
        let _changing = lock(&self.changing);
        fs::create_dir_all(&folder).map_err(|e| failure::write(EXAMPLE_FOLDER, &e))?;
        for (name, text) in EXAMPLE {
            let written = fs::File::create(folder.join(name))
                .and_then(|mut file| file.write_all(text.as_bytes()));
            written.map_err(|e| failure::write(name, &e))?;
        }
        Ok(EXAMPLE_POLICY.replace("path = \"", &format!("path = \"{EXAMPLE_FOLDER}/")))
    }

    /// The server has looked at names already; a folder that is not ours is too bad a place to rely
    /// on that.
    fn inside(&self, name: &str) -> Result<PathBuf, Problem> {
        let plain = !name.is_empty()
            && Path::new(name)
                .components()
                .all(|part| matches!(part, Component::Normal(_)));
        if plain {
            Ok(self.folder.path().join(name))
        } else {
            Err(Problem::new(
                ProblemCode::BadName,
                "this is no name of a file",
                "rename the file and drop it again",
            ))
        }
    }
}

/// A message that calls dropped files as they were called. Where they are kept is nobody's
/// business, and rooms that read them know nothing but a path.
pub fn by_dropped_names(message: &str) -> String {
    let begins = std::env::temp_dir().join(FOLDER).display().to_string();
    let mut shown = String::with_capacity(message.len());
    let mut rest = message;
    while let Some((before, behind)) = rest.split_once(&begins) {
        shown += before;
        let name = behind.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        rest = name.strip_prefix(MAIN_SEPARATOR).unwrap_or(name);
    }
    shown + rest
}

/// What is on its way has a name that starts with a dot.
fn collect(root: &Path, folder: &Path, files: &mut Vec<DroppedFile>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let (path, Ok(kind)) = (entry.path(), entry.file_type()) else {
            continue;
        };
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        match (kind.is_dir(), path.strip_prefix(root)) {
            (true, _) => collect(root, &path, files),
            (false, Ok(name)) => files.push(DroppedFile {
                name: name.to_string_lossy().into_owned(),
                bytes: entry.metadata().map_or(0.0, |m| m.len() as f64),
            }),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_never_lead_out() {
        let dropped = Dropped::new().ok().unwrap();
        for name in [
            "",
            "..",
            "../x",
            "/etc/passwd",
            "a/../../b",
            ".",
            "a/..",
            "//",
        ] {
            assert!(dropped.place(name).is_err(), "{name}");
            assert!(dropped.forget(name).is_err(), "{name}");
        }
    }

    #[test]
    fn messages_say_names_and_no_folder() {
        let dropped = Dropped::new().ok().unwrap();
        let table = dropped.place("a/t.csv").ok().unwrap();
        let (table, folder) = (table.display(), dropped.folder().display());
        let said = by_dropped_names(&format!("{table}:3, then {table}; and `{folder}`"));
        assert_eq!(said, "a/t.csv:3, then a/t.csv; and ``");
        for other in ["", "/else/where/t.csv", "mingle-page-x/t.csv"] {
            assert_eq!(by_dropped_names(other), other);
        }
    }

    #[test]
    fn nobody_else_reads_what_was_dropped() {
        let dropped = Dropped::new().ok().unwrap();
        assert!(!mingle_disk::is_open_to_others(dropped.folder()).unwrap());
    }

    #[test]
    fn files_come_and_go() {
        let dropped = Dropped::new().ok().unwrap();
        assert!(dropped.example().unwrap().contains("[privacy]"));
        let release = dropped.place("releases/one/data.csv").ok().unwrap();
        fs::create_dir_all(release.parent().unwrap()).unwrap();
        fs::File::create(release).unwrap();
        let names = || {
            dropped
                .list()
                .files
                .into_iter()
                .map(|f| f.name)
                .collect::<Vec<_>>()
        };
        let example = |n: u8| format!("example/p{n}.csv");
        assert_eq!(
            names(),
            [
                example(1),
                example(2),
                example(3),
                example(4),
                "releases/one/data.csv".to_owned()
            ]
        );
        assert!(dropped.place("releases").is_err());
        dropped.forget("releases/one").ok().unwrap();
        dropped.forget("example/p1.csv").ok().unwrap();
        dropped.forget("never-there.csv").ok().unwrap();
        assert_eq!(names(), [example(2), example(3), example(4)]);
        dropped.clear();
        assert!(!dropped.folder().exists(), "whoever else still holds it");
    }
}
