//! ARX on the settings of ours whose columns all have hierarchies, through its Java interface.
//!
//! The archive is the user's. The program `bench/arx/LocalRecoding.java` is compiled once and then
//! run for each setting, so that compiling is not counted; starting Java is.

use crate::cases::MethodCase;
use crate::program::{CommandEnd, watch_within};
use std::path::{Path, PathBuf};
use std::process::Command;

/// ARX, ready to run.
pub struct Arx {
    class_path: String,
}

impl Arx {
    /// Compiles our program against an archive of ARX 3.9.
    pub fn new(archive: &Path, scratch: &Path) -> Arx {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("arx/LocalRecoding.java");
        let mut compiler = Command::new("javac");
        compiler
            .arg("-cp")
            .arg(archive)
            .arg("-d")
            .arg(scratch)
            .arg(source);
        let status = compiler
            .status()
            .unwrap_or_else(|e| panic!("javac is needed for ARX: {e}"));
        assert!(
            status.success(),
            "bench/arx/LocalRecoding.java does not fit this archive"
        );
        let class_path = format!("{}:{}", archive.display(), scratch.display());
        Arx { class_path }
    }

    /// Whether ARX can be asked for this setting: it needs a hierarchy for every column and knows no
    /// coalitions.
    pub fn knows(case: &MethodCase) -> bool {
        case.has_hierarchies() && case.promises.m == 0
    }

    /// Runs it, for at most so many seconds; the release is a CSV file.
    pub fn run(&self, case: &MethodCase, out: &Path, limit: f64) -> (CommandEnd, PathBuf) {
        let mut command = Command::new("java");
        command
            .arg("-cp")
            .arg(&self.class_path)
            .arg("LocalRecoding");
        command
            .arg("--table")
            .arg(&case.table)
            .arg("--out")
            .arg(out);
        command.args(["--k", &case.promises.k.to_string()]);
        command.args(["--distinct", &case.promises.distinct.to_string()]);
        if let Some(t) = case.promises.t {
            command.args(["--t", &t.to_string()]);
        }
        for column in &case.columns {
            let hierarchy = column.hierarchy.as_ref().expect("asked before");
            command
                .arg("--qi")
                .arg(format!("{}={}", column.name, hierarchy.display()));
        }
        for column in &case.sensitive {
            command.args(["--sensitive", column]);
        }
        (watch_within(&mut command, limit), out.to_owned())
    }
}
