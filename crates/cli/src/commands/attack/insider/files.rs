//! Results as files: exposure as CSV and as a figure, and every group's smallest coalition.
//!
//! They name providers and belong to whoever may know them: written for the user alone, completely or not at all.

use super::{Played, document::share};
use crate::args::AttackInsider;
use crate::explain::Code;
use crate::failure;
use crate::message::{Problem, Screen};
use mingle_assess::attack::insider::{Exposure, Group};
use mingle_chart::{Axis, Chart, Series};
use mingle_io::{Format, OutColumn, OutKind, RowWriter};
use mingle_model::Published;
use std::io::Write;
use std::path::Path;

/// Which files to write.
pub struct Outputs<'a> {
    csv: Option<&'a Path>,
    groups: Option<&'a Path>,
    svg: Option<&'a Path>,
    force: bool,
}

impl<'a> Outputs<'a> {
    /// Refuses, before any work, to overwrite unasked, or to overwrite what is read.
    pub fn new(args: &'a AttackInsider) -> Result<Outputs<'a>, Problem> {
        let (csv, groups, svg) = (args.csv.as_deref(), args.groups.as_deref(), args.svg.as_deref());
        let files: Vec<&Path> = [csv, groups, svg].into_iter().flatten().collect();
        let resolved = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let read: Vec<&Path> = [&args.subject.table, &args.policy].into_iter().flatten().map(AsRef::as_ref).collect();
        for (at, file) in files.iter().enumerate() {
            let shown = file.display();
            if !args.force && file.symlink_metadata().is_ok() {
                let hint = "choose another name, or overwrite it with --force";
                return Err(Problem::new(Code::OutputExists, format!("{shown} exists"), hint));
            }
            if files[..at].iter().chain(&read).any(|other| resolved(other) == resolved(file)) {
                let text = format!("{shown} is given for two things");
                return Err(Problem::new(Code::OutputExists, text, "choose another name for the result"));
            }
        }
        Ok(Outputs { csv, groups, svg, force: args.force })
    }

    /// Writes what was asked for.
    pub fn write(&self, played: &Played<'_>, screen: Screen) -> Result<(), Problem> {
        let write = |file: Option<&Path>, bytes: &dyn Fn() -> Result<Vec<u8>, Problem>| {
            let Some(file) = file else { return Ok(()) };
            self.file(file, &bytes()?)?;
            screen.note(&format!("written to {}", file.display()));
            Ok(())
        };
        write(self.csv, &|| exposure(played))?;
        write(self.groups, &|| groups(played))?;
        write(self.svg, &|| Ok(chart(played).to_svg().into_bytes()))
    }

    fn file(&self, out: &Path, bytes: &[u8]) -> Result<(), Problem> {
        let failed = |e: std::io::Error| failure::write(&out.display().to_string(), &e);
        let folder = out.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        file.write_all(bytes).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
        let kept = if self.force { file.persist(out) } else { file.persist_noclobber(out) };
        kept.map(drop).map_err(|e| failed(e.error))
    }
}

fn exposure(played: &Played<'_>) -> Result<Vec<u8>, Problem> {
    let published = &played.target.published;
    let attributes = published.sensitive().iter().map(|column| format!("attribute.{}", column.name));
    let first = ["size", "groups", "share", "undecided", "records", "identity"].map(str::to_owned);
    let names = first.into_iter().chain(attributes).chain(["exposed".to_owned()]).collect();
    let row = |e: &Exposure| -> Vec<String> {
        let first = [e.size.to_string(), e.groups.to_string(), share(e.groups, published.groups()).to_string()];
        let rest = [e.undecided, e.records, e.identity].into_iter().chain(e.attribute.iter().copied());
        first.into_iter().chain(rest.chain([e.exposed]).map(|n| n.to_string())).collect()
    };
    csv(names, played.insider.exposure.iter().map(row).collect())
}

fn groups(played: &Played<'_>) -> Result<Vec<u8>, Problem> {
    let published = &played.target.published;
    let own = [
        "records",
        "providers",
        "falls_at",
        "constraint",
        "coalition",
        "undecided_from",
        "identity_at",
        "attribute_at",
    ];
    let labels = published.columns().iter().map(|column| column.name.clone());
    let names = labels.chain(own.iter().map(|name| free(name, published))).collect();
    let row = |(at, group): (usize, &Group)| -> Vec<String> {
        let size = |size: Option<u64>| size.map_or(String::new(), |size| size.to_string());
        let breached = group.fall.breached.as_ref();
        let members = |b: &mingle_assess::attack::insider::Breached| -> String {
            let names: Vec<&str> = b.coalition.iter().map(|&id| published.providers().name(id)).collect();
            names.join("|")
        };
        let labels = published.describe(at).map(|(_, label)| label.to_owned());
        let own = [
            group.records.to_string(),
            group.providers.to_string(),
            size(group.fall.size()),
            breached.map_or(String::new(), |b| played.target.promises[b.constraint].name().to_owned()),
            breached.map_or(String::new(), members),
            size(group.fall.open_from),
            size(group.disclosure.identity_size()),
            size(group.disclosure.attribute_size()),
        ];
        labels.chain(own).collect()
    };
    csv(names, played.insider.groups.iter().enumerate().map(row).collect())
}

/// A name that no quasi-identifier has.
fn free(name: &str, published: &Published) -> String {
    let mut name = name.to_owned();
    while published.columns().iter().any(|column| column.name == name) {
        name.insert_str(0, "mingle.");
    }
    name
}

fn csv(names: Vec<String>, rows: Vec<Vec<String>>) -> Result<Vec<u8>, Problem> {
    let count = rows.len() as u32;
    let mut texts: Vec<Vec<String>> = names.iter().map(|_| Vec::with_capacity(rows.len())).collect();
    rows.into_iter().for_each(|row| texts.iter_mut().zip(row).for_each(|(column, cell)| column.push(cell)));
    let column = |(name, texts)| OutColumn { name, kind: OutKind::Text, texts, missing: None };
    let columns: Vec<OutColumn> = names.into_iter().zip(texts).map(column).collect();
    let width = columns.len();
    let mut writer = RowWriter::new(Format::Csv, Vec::new(), columns).map_err(|e| failure::io(&e))?;
    (0..count).try_for_each(|row| writer.row(&vec![row; width], 1)).map_err(|e| failure::io(&e))?;
    writer.finish().map_err(|e| failure::io(&e))
}

/// Records against the size of the coalition.
fn chart(played: &Played<'_>) -> Chart {
    let exposure = &played.insider.exposure;
    let series = |name: &str, of: &dyn Fn(&Exposure) -> u64| {
        Series::new(name, exposure.iter().map(|e| (e.size as f64, of(e) as f64)))
    };
    let mut all = vec![
        series("in groups for which a promise breaks", &|e| e.records),
        series("exposed to identity disclosure", &|e| e.identity),
    ];
    for (at, column) in played.target.published.sensitive().iter().enumerate() {
        all.push(series(&format!("{} known for certain", column.name), &|e| e.attribute[at]));
    }
    let largest = exposure.len().saturating_sub(1).max(1) as f64;
    Chart {
        title: format!(
            "What insiders learn: {} records, m = {}",
            played.target.published.rows(),
            played.target.insiders.m
        ),
        x: Axis::linear("providers in the coalition").range(0.0, largest),
        y: Axis::linear("records"),
        series: all,
    }
}
