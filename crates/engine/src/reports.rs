//! The reports of a release: made while it is published, made anew, and compared with what is
//! there.

use crate::failure;
use crate::whole::refuse_damaged;
use mingle_record::Code;
use mingle_record::Problem;
use mingle_release::{Finding, Opened, REPORT_FILE, ReportPlaces, Reports, open_any};
use mingle_report::Error;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Makes both reports of a release that is not in its place yet.
pub fn render(release: &Path) -> Result<Reports, String> {
    let (public, private) = mingle_report::both(release).map_err(|e| e.to_string())?;
    Ok(Reports { public, private })
}

/// Where a release is and what of it is handed out.
pub fn release_line(folder: &Path) -> String {
    format!(
        "{} (hand out {}, keep the rest)",
        folder.display(),
        folder.join("public").display()
    )
}

/// Where the reports of a release are, one line each.
pub fn report_line(folder: &Path) -> String {
    let [public, private] = ["public", "private"].map(|part| folder.join(part).join(REPORT_FILE));
    format!(
        "{} (to hand out)\n{} (to keep)",
        public.display(),
        private.display()
    )
}

/// The same for programs.
pub fn to_json(folder: &Path) -> Value {
    let [public, private] = ["public", "private"].map(|part| folder.join(part).join(REPORT_FILE));
    json!({ "public": public.display().to_string(), "private": private.display().to_string() })
}

/// Opens a release that is as it was written; of any other a report would say what nobody
/// published.
pub fn open_whole(folder: &Path) -> Result<Opened, Problem> {
    if !folder.is_dir() {
        let what = if folder.exists() {
            "is no folder"
        } else {
            "does not exist"
        };
        let text = format!("{} {what}", folder.display());
        return Err(Problem::new(
            Code::NotARelease,
            text,
            "name the folder that `mingle publish --out` has written",
        ));
    }
    let opened = open_any(folder).map_err(|e| failure::release(&e))?;
    let damage = match &opened {
        Opened::Grouped(release) => release.damage(),
        Opened::Noisy(release) => release.check().problems,
    };
    let hint = "`mingle verify` says more; publish again, or get the release again";
    refuse_damaged(Some(&folder.display().to_string()), &damage, hint)?;
    Ok(opened)
}

/// Why there is no report of a release that is in its place.
pub fn not_made(error: &Error) -> Problem {
    match error {
        Error::Release(error) => failure::release(error),
        Error::Promises(error) => failure::privacy(error),
        Error::NoPrivatePart => Problem::new(
            Code::NoPrivatePart,
            error.to_string(),
            "name the release folder, not its public part",
        ),
        other => {
            let hint = "the private part was written by another version: publish again";
            Problem::new(Code::ReleaseUnreadable, other.to_string(), hint)
        }
    }
}

/// What reports are compared with.
pub enum Compared {
    /// Those that are there were made again; here is how they differ.
    Found(Vec<Finding>),
    /// Another version of the program wrote the release, and may make other reports of it.
    OtherVersion,
}

/// Compares the reports that are there with what the program makes of the release.
pub fn compare(folder: &Path, tool: &str) -> Compared {
    if tool != concat!("mingle ", env!("CARGO_PKG_VERSION")) {
        return Compared::OtherVersion;
    }
    let places = ReportPlaces::of(folder);
    let (public, private) = (places.public(), places.private());
    // one reading for both; where there is no private part, or none to believe, the public report
    // is made by itself
    let (handed_out, kept) = match private.is_some().then(|| mingle_report::both(folder)) {
        Some(Ok((handed_out, kept))) => (Ok(handed_out), Some(Ok(kept))),
        Some(Err(error)) => (alone(&public, folder), Some(Err(error))),
        None => (alone(&public, folder), None),
    };
    let kept = private
        .zip(kept)
        .and_then(|(path, made)| difference(&path, "private/report.html", made));
    Compared::Found(
        difference(&public, "public/report.html", handed_out)
            .into_iter()
            .chain(kept)
            .collect(),
    )
}

fn alone(report: &Path, folder: &Path) -> Result<String, Error> {
    mingle_report::public(report.parent().unwrap_or(folder))
}

/// `None` where there is no report, or the one that there should be.
fn difference(path: &Path, file: &str, made: Result<String, Error>) -> Option<Finding> {
    path.symlink_metadata().ok()?;
    let unreadable = |reason: String| Finding::Unreadable {
        file: file.to_owned(),
        reason,
    };
    let made = match made {
        Ok(made) => made,
        Err(error) => return Some(unreadable(format!("{file} cannot be compared: {error}"))),
    };
    match holds(path, made.as_bytes()) {
        Ok(true) => None,
        Ok(false) => Some(Finding::OtherReport {
            file: file.to_owned(),
        }),
        Err(error) => Some(unreadable(format!(
            "cannot read {file}: {}",
            failure::reason(&error)
        ))),
    }
}

/// Whether a file holds these bytes; a larger one is not read to its end.
fn holds(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let mut found = Vec::new();
    File::open(path)?
        .take(bytes.len() as u64 + 1)
        .read_to_end(&mut found)?;
    Ok(found == bytes)
}

#[cfg(test)]
mod tests {
    use mingle_anonymize::METHODS;

    #[test]
    fn reports_say_what_methods_hide() {
        for entry in METHODS {
            let said = mingle_report::facts::has_decoys(entry.name);
            assert_eq!(said, entry.capabilities.decoys, "{}", entry.name);
        }
    }
}
