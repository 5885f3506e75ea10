//! Results as files: written for the user alone, completely or not at all.

use crate::failure;
use mingle_disk::{IfTaken, PendingFile, folder_of};
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use mingle_policy::Policy;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Refuses, before any work, to overwrite unasked, or to overwrite what is read: files, whatever is
/// in folders, and the tables that a policy names.
pub fn check(
    files: &[&Path],
    read: &[&Path],
    policy: Option<&Path>,
    force: bool,
) -> Result<(), Problem> {
    let resolved = |path: &Path| path.canonicalize().unwrap_or_else(|_| not_there_yet(path));
    // a policy that cannot be read is complained about later
    let policy = policy
        .filter(|_| !files.is_empty())
        .and_then(|path| Some((path, Policy::load(path, &[]).ok()?)));
    let tables = policy
        .iter()
        .flat_map(|(path, policy)| policy.data.inputs().chain([*path]));
    let read: Vec<PathBuf> = read.iter().copied().chain(tables).map(resolved).collect();
    for (at, file) in files.iter().enumerate() {
        let shown = file.display();
        if !force && file.symlink_metadata().is_ok() {
            let hint = "choose another name, or overwrite it with --force";
            return Err(Problem::new(
                ProblemCode::OutputExists,
                format!("{shown} exists"),
                hint,
            ));
        }
        // a pipe or a device would be replaced by a file, not written to
        if file.metadata().is_ok_and(|found| !found.is_file()) {
            let text = format!("{shown} is no file that could be replaced");
            return Err(Problem::new(
                ProblemCode::OutputUnwritable,
                text,
                "choose another name for the result",
            ));
        }
        let is_read = || read.iter().any(|other| resolved(file).starts_with(other));
        if files[..at]
            .iter()
            .any(|other| resolved(other) == resolved(file))
            || is_read()
        {
            let text = format!("{shown} is given for two things");
            return Err(Problem::new(
                ProblemCode::OutputExists,
                text,
                "choose another name for the result",
            ));
        }
    }
    Ok(())
}

/// The full path of a file that does not exist.
fn not_there_yet(path: &Path) -> PathBuf {
    let folder = folder_of(path);
    folder
        .canonicalize()
        .unwrap_or_else(|_| folder.to_owned())
        .join(path.file_name().unwrap_or_default())
}

/// Writes a file at once.
pub fn write(out: &Path, bytes: &[u8], force: bool) -> Result<(), Problem> {
    let failed = |e: std::io::Error| failure::write(&out.display().to_string(), &e);
    let mut file = PendingFile::beside(out).map_err(|e| failed(e.into_source()))?;
    file.write_all(bytes).map_err(failed)?;
    file.commit_result(IfTaken::replace_if(force))
        .map_err(|e| failed(e.into_source()))
}

/// A table of texts as CSV.
pub fn csv(names: Vec<String>, rows: Vec<Vec<String>>) -> Result<Vec<u8>, Problem> {
    let count = rows.len() as u32;
    let mut texts: Vec<Vec<String>> = names
        .iter()
        .map(|_| Vec::with_capacity(rows.len()))
        .collect();
    rows.into_iter().for_each(|row| {
        texts
            .iter_mut()
            .zip(row)
            .for_each(|(column, cell)| column.push(cell))
    });
    let column = |(name, texts)| OutColumn {
        name,
        kind: OutKind::Text,
        texts,
        missing: None,
    };
    let columns: Vec<OutColumn> = names.into_iter().zip(texts).map(column).collect();
    let width = columns.len();
    let mut writer =
        RowWriter::new(Format::Csv, Vec::new(), columns).map_err(|e| failure::io(&e))?;
    (0..count)
        .try_for_each(|row| writer.row(&vec![row; width], 1))
        .map_err(|e| failure::io(&e))?;
    writer.finish().map_err(|e| failure::io(&e))
}
