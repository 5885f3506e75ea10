//! Finding a hierarchy file for a column: `COLUMN.csv` beside the tables, or in a folder
//! `hierarchies` there.

use mingle_model::{Column, ColumnSpec, HierarchySource, Missing, RawColumn, Role};
use std::path::{Path, PathBuf};

/// A file that is called like the column.
pub enum FoundHierarchy {
    /// It covers the column.
    Fits(PathBuf),
    /// It does not; why, in words without values.
    Misfit(PathBuf, String),
}

/// Looks for a hierarchy and tries it on the column.
pub fn find(
    column: &str,
    raw: &RawColumn,
    missing: &Missing,
    data: &[PathBuf],
) -> Option<FoundHierarchy> {
    // a column's name comes from the file: it must not lead anywhere else
    if column.contains(['/', '\\', '\0']) || column.starts_with('.') {
        return None;
    }
    let folder = data.first()?.parent().unwrap_or(Path::new(""));
    let candidates =
        [folder.join("hierarchies"), folder.to_owned()].map(|f| f.join(format!("{column}.csv")));
    let file = candidates
        .into_iter()
        .find(|file| file.is_file() && !data.contains(file))?;
    match fits(column, &file, raw, missing) {
        Ok(()) => Some(FoundHierarchy::Fits(file)),
        Err(reason) => Some(FoundHierarchy::Misfit(file, reason)),
    }
}

fn fits(column: &str, file: &Path, raw: &RawColumn, missing: &Missing) -> Result<(), String> {
    // whoever says what is wrong names the file in full, or as far as it may be seen
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let rows = mingle_io::read_hierarchy(file, &name).map_err(|e| e.to_string())?;
    let hierarchy = Some(HierarchySource::Rows(rows));
    let spec = ColumnSpec {
        hierarchy,
        ..ColumnSpec::new(column, Role::QuasiIdentifier)
    };
    Column::encode(spec, raw.clone(), missing)
        .map(drop)
        .map_err(|e| e.to_string())
}
