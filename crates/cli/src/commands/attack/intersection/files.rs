//! Results as files.

use super::{Played, figure, per_person};
use crate::args::AttackIntersection;
use crate::message::{Problem, Screen};
use mingle::results;
use std::path::Path;

/// Which files to write.
pub struct Outputs<'a> {
    per_person: Option<&'a Path>,
    svg: Option<&'a Path>,
    force: bool,
}

impl<'a> Outputs<'a> {
    /// Refuses, before any work, to overwrite unasked, or to overwrite what is read.
    pub fn new(args: &'a AttackIntersection) -> Result<Outputs<'a>, Problem> {
        let (per_person, svg) = (args.per_person.as_deref(), args.svg.as_deref());
        let files: Vec<&Path> = [per_person, svg].into_iter().flatten().collect();
        let read: Vec<&Path> = args
            .releases
            .iter()
            .map(Path::new)
            .chain(args.population.as_deref())
            .collect();
        results::check(&files, &read, Some(&args.policy), args.force)?;
        Ok(Outputs {
            per_person,
            svg,
            force: args.force,
        })
    }

    /// Writes what was asked for.
    pub fn write(&self, played: &Played<'_>, screen: Screen) -> Result<(), Problem> {
        if let Some(file) = self.per_person {
            results::write(file, &per_person::table(played)?, self.force)?;
            screen.note(&format!("written to {}", file.display()));
        }
        if let Some(file) = self.svg {
            results::write(file, figure::draw(played).to_svg().as_bytes(), self.force)?;
            screen.note(&format!("written to {}", file.display()));
        }
        Ok(())
    }
}
