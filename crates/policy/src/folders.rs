//! Where the files that a policy names are: beside it, or among those that were dropped on the
//! page.

use std::path::{Component, Path, PathBuf};

/// Where names of files lead.
#[derive(Clone, Debug)]
pub struct Folders {
    own: PathBuf,
    dropped: Option<PathBuf>,
}

impl Folders {
    /// Names are relative to the policy.
    pub fn of(policy: &Path) -> Folders {
        Folders {
            own: policy.parent().unwrap_or(Path::new("")).to_owned(),
            dropped: None,
        }
    }

    /// The same, with a folder that is looked into first.
    pub fn with_dropped(policy: &Path, dropped: &Path) -> Folders {
        Folders {
            dropped: Some(dropped.to_owned()),
            ..Folders::of(policy)
        }
    }

    /// The table of that name; `-` is standard input, wherever the policy is.
    pub fn find_table(&self, name: &str) -> PathBuf {
        if name == "-" {
            PathBuf::from(name)
        } else {
            self.find(name)
        }
    }

    /// The file of that name.
    pub fn find(&self, name: &str) -> PathBuf {
        let inside = Path::new(name)
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        let dropped = self
            .dropped
            .as_ref()
            .filter(|_| inside)
            .map(|folder| folder.join(name));
        dropped
            .filter(|path| path.symlink_metadata().is_ok())
            .unwrap_or_else(|| self.own.join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dropped_files_come_first_and_never_lead_out() {
        let folder = tempfile::tempdir().unwrap();
        let dropped = folder.path().join("dropped");
        std::fs::create_dir(&dropped).unwrap();
        std::fs::File::create(dropped.join("a.csv")).unwrap();
        std::fs::File::create(folder.path().join("b.csv")).unwrap();
        let folders = Folders::with_dropped(Path::new("own/policy.toml"), &dropped);
        assert_eq!(folders.find("a.csv"), dropped.join("a.csv"));
        assert_eq!(folders.find("./a.csv"), dropped.join("a.csv"));
        for name in ["c.csv", "../b.csv", "x/../../b.csv"] {
            assert_eq!(folders.find(name), Path::new("own").join(name));
        }
        assert_eq!(
            Folders::of(Path::new("own/policy.toml")).find("a.csv"),
            Path::new("own/a.csv")
        );
    }
}
