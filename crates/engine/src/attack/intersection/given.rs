//! A release as it is given on the command line: a folder, a table, or a table with a policy of its
//! own.

use super::population::Population;
use crate::failure;
use crate::released::Released;
use mingle_model::ForeignReader;
use mingle_policy::Policy;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use std::path::{Path, PathBuf};

/// A release that was read.
pub struct Given {
    pub released: Released,
    path: PathBuf,
}

impl Given {
    /// `FOLDER`, `TABLE`, or `TABLE=POLICY`.
    pub fn open(text: &str, policy: &Policy) -> Result<Given, Problem> {
        let (path, own) = match text.rsplit_once('=') {
            Some((path, own)) if !Path::new(text).exists() => {
                (Path::new(path), Some(Path::new(own)))
            }
            _ => (Path::new(text), None),
        };
        let name = path.display().to_string();
        if let Err(error) = path.metadata() {
            let text = format!("cannot read {name}: {}", failure::reason(&error));
            let hint = "give folders of releases, or tables; a table with a policy of its own is TABLE=POLICY";
            return Err(Problem::new(ProblemCode::InputUnreadable, text, hint));
        }
        if let Some(own) = own.filter(|_| path.is_dir()) {
            let text = format!("{name} is a release and says by itself what its columns are");
            return Err(Problem::new(
                ProblemCode::Usage,
                text,
                format!("leave out ={}", own.display()),
            ));
        }
        let own = own.map(|own| Policy::load(own, &[])).transpose()?;
        let released = Released::open(&name, path, policy, own.as_ref())?;
        Ok(Given {
            released,
            path: path.to_owned(),
        })
    }

    pub fn name(&self) -> &str {
        &self.released.name
    }

    pub fn is_same_as(&self, other: &Given) -> bool {
        let place = |given: &Given| given.path.canonicalize().ok();
        place(self).is_some() && place(self) == place(other)
    }

    /// The columns none of whose labels covers anybody.
    pub fn covers_nobody(&self, population: &Population, without: &[String]) -> Vec<String> {
        let attribute = self
            .released
            .sensitive()
            .first()
            .map(|name| (*name).to_owned())
            .unwrap_or_default();
        self.released.with(&attribute, |published| {
            let known = published
                .columns()
                .iter()
                .filter(|column| !without.contains(&column.name));
            let empty = known.filter(|column| {
                population
                    .reader(&column.name, self.released.hierarchy(&column.name))
                    .is_some_and(|reader| {
                        let covers = |label: &String| covers_anybody(&reader, label);
                        !column.labels.is_empty() && !column.labels.iter().any(covers)
                    })
            });
            empty.map(|column| column.name.clone()).collect()
        })
    }
}

/// A centroid need not be anybody's value; what cannot be read is an error elsewhere.
fn covers_anybody(reader: &ForeignReader<'_>, label: &str) -> bool {
    reader.point(label).is_some()
        || reader
            .read(label)
            .is_none_or(|reading| !reading.ranges.is_empty())
}
