//! A release that was announced and that the history does not have: what is known of it, and what
//! can be done.

use crate::failure;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_release::history::{History, HistoryWriter, Pending};
use std::path::Path;

/// The commands that settle it name these.
#[derive(Clone, Copy)]
pub struct PendingPaths<'a> {
    /// The history's folder.
    pub history: &'a Path,
    /// The policy that the version is published with.
    pub policy: Option<&'a Path>,
}

impl PendingPaths<'_> {
    /// The release is complete.
    pub fn not_recorded(self, release: &Path, why: &str) -> Problem {
        let text = format!(
            "the release in {} was written, but the history does not have it: {why}",
            release.display()
        );
        Problem::new(
            ProblemCode::NotRecorded,
            text,
            self.add(&release.display().to_string()),
        )
    }

    /// Nobody knows what became of the release.
    pub fn lost(self, release: &Path, occupied: bool) -> Problem {
        let found = if occupied {
            "something else, or something that cannot be read, is"
        } else {
            "nothing is"
        };
        let place = release.display();
        let text =
            format!("a run that did not end was to write a release to {place}, and {found} there");
        let (add, history) = (self.add("RELEASE"), self.history.display());
        let hint = format!(
            "if the release is elsewhere: {add}\n\
             if it was never handed out: mingle history forget {history} --pending"
        );
        Problem::new(ProblemCode::NotRecorded, text, hint)
    }

    fn add(self, release: &str) -> String {
        let policy = self
            .policy
            .map_or("POLICY".to_owned(), |path| path.display().to_string());
        format!(
            "mingle history add {} {release} --policy {policy}",
            self.history.display()
        )
    }
}

/// What the versions say together cannot be said while one of them may be missing.
pub fn refuse(history: &History) -> Result<(), Problem> {
    let places = PendingPaths {
        history: history.folder(),
        policy: None,
    };
    match history.unsettled().map_err(|e| failure::release(&e))? {
        Pending::Nothing | Pending::Recorded => Ok(()),
        Pending::Written(people) => {
            Err(places.not_recorded(Path::new(people.release()), "a run ended between the two"))
        }
        Pending::Lost { release, occupied } => Err(places.lost(&release, occupied)),
    }
}

/// Drops what was announced, because somebody says that it was never handed out.
/// Returns where it was to be written, where that is known.
pub fn forget(writer: &mut HistoryWriter) -> Result<Option<String>, Problem> {
    // what cannot be read can be dropped all the same
    let pending = writer.pending().ok().flatten();
    writer.withdraw().map_err(|e| failure::release(&e))?;
    Ok(pending.map(|people| people.release().to_owned()))
}
