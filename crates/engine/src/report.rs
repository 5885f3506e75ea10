//! The reports of a release: made while it is published, made anew, and compared with what is
//! there.

use crate::failure;
use crate::run::Run;
use crate::whole::refuse_damaged;
use mingle_record::answer::{ReportFiles, ShowAnswer, ShownVerdict};
use mingle_record::schema::ShowSchema;
use mingle_record::{Problem, ProblemCode, WarningNotice, WarningsRecorded};
use mingle_release::Error as ReleaseError;
use mingle_release::{Finding, Opened, REPORT_FILE, ReportPlaces, Reports, open_any};
use mingle_report::Error;
use mingle_report::facts::{PublicFacts, StewardFacts};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

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
pub fn files(folder: &Path) -> ReportFiles {
    let [public, private] = ["public", "private"].map(|part| folder.join(part).join(REPORT_FILE));
    ReportFiles {
        public: public.display().to_string(),
        private: private.display().to_string(),
    }
}

/// Opens a release that is as it was written; of any other a report would say what nobody
/// published.
pub fn open_whole(folder: &Path) -> Result<Opened, Problem> {
    if !folder.is_dir() {
        let what = if folder.exists() {
            "is not a folder"
        } else {
            "does not exist"
        };
        let text = format!("{} {what}", folder.display());
        return Err(Problem::new(
            ProblemCode::NotARelease,
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
            ProblemCode::NoPrivatePart,
            error.to_string(),
            "name the release folder, not its public part",
        ),
    }
}

/// Which of the two reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportPart {
    /// The one that is handed out.
    Public,
    /// The one that stays with the steward.
    Private,
}

/// One report, made anew.
pub struct MadeReport {
    /// The page.
    pub html: String,
    /// What it says about the promises.
    pub verdict: ShownVerdict,
}

/// The reports of a release, made anew and put in their places.
pub struct ReplacedReports {
    /// The files.
    pub files: Vec<PathBuf>,
    /// What they say about the promises.
    pub verdict: ShownVerdict,
}

/// Makes one report of a release anew.
pub fn make(release: &Path, part: ReportPart, run: &Run) -> Result<MadeReport, Problem> {
    look(release, run)?;
    let made = match part {
        ReportPart::Private => {
            let facts = StewardFacts::open(release).map_err(|e| not_made(&e))?;
            MadeReport {
                html: facts.to_html(),
                verdict: facts.public.verdict,
            }
        }
        ReportPart::Public => handed_out(&ReportPlaces::of(release))?,
    };
    run.check()?;
    Ok(made)
}

/// Makes both reports anew, or that of `public/` where nothing else is there. What is there stays
/// until all new ones are complete, so that neither a wish to stop nor a full disk takes it away.
pub fn replace(release: &Path, run: &Run) -> Result<ReplacedReports, Problem> {
    look(release, run)?;
    let places = ReportPlaces::of(release);
    let (pages, verdict) = match places.private() {
        Some(private_place) => {
            let (public, private) = StewardFacts::open_both(release).map_err(|e| not_made(&e))?;
            let pages = vec![
                (places.public(), public.to_html()),
                (private_place, private.to_html()),
            ];
            (pages, private.public.verdict)
        }
        None => {
            let made = handed_out(&places)?;
            (vec![(places.public(), made.html)], made.verdict)
        }
    };
    run.check()?;
    let mut files = Vec::new();
    for (path, html) in pages {
        places.replace(&path, &html).map_err(|e| unwritable(&e))?;
        files.push(path);
    }
    Ok(ReplacedReports { files, verdict })
}

/// A report is made of what was published, and of nothing else.
fn look(release: &Path, run: &Run) -> Result<(), Problem> {
    run.step("reading");
    drop(open_whole(release)?);
    run.check()?;
    run.step("making the report");
    Ok(())
}

fn handed_out(places: &ReportPlaces) -> Result<MadeReport, Problem> {
    let path = places.public();
    let folder = path.parent().unwrap_or(Path::new("."));
    let facts = PublicFacts::open(folder).map_err(|e| not_made(&e))?;
    Ok(MadeReport {
        html: facts.to_html(),
        verdict: facts.verdict,
    })
}

/// What should be known about a report that says that a promise is broken or undecided.
pub fn broken_promise(verdict: &ShownVerdict) -> Option<Problem> {
    if verdict.holds() {
        return None;
    }
    let text = format!(
        "the report says that a promise is broken or undecided: {}",
        verdict.words
    );
    let hint = "`mingle verify` names the group; do not hand it out";
    Some(Problem::new(ProblemCode::ConstraintFails, text, hint))
}

/// The release may be on a medium that takes nothing.
fn unwritable(error: &ReleaseError) -> Problem {
    let ReleaseError::Io { path, source } = error else {
        return failure::release(error);
    };
    let text = format!(
        "cannot write {}: {}",
        path.display(),
        failure::reason(source)
    );
    if error.is_disk_full() {
        let hint = "free some space and run the command again; the old report is still there";
        Problem::new(ProblemCode::DiskFull, text, hint)
    } else {
        let hint = "write the report elsewhere with --out FILE";
        Problem::new(ProblemCode::OutputUnwritable, text, hint)
    }
}

/// What is known of a release, by who may know it.
pub enum ShownFacts {
    /// What everybody may see.
    Public(Box<PublicFacts>),
    /// What the steward may see.
    Private(Box<StewardFacts>),
}

/// Reads the essentials of a release's report: as much as the folder has.
pub fn show(folder: &Path, run: &Run) -> Result<ShownFacts, Problem> {
    run.step("reading");
    let has_private = match open_whole(folder)? {
        Opened::Grouped(release) => release.private_manifest().is_some(),
        Opened::Noisy(release) => release.private_manifest().is_some(),
    };
    let shown = if has_private {
        let facts = StewardFacts::open(folder).map_err(|e| not_made(&e))?;
        ShownFacts::Private(Box::new(facts))
    } else {
        let public = ReportPlaces::of(folder).public();
        let facts = PublicFacts::open(public.parent().unwrap_or(folder));
        ShownFacts::Public(Box::new(facts.map_err(|e| not_made(&e))?))
    };
    run.check()?;
    Ok(shown)
}

impl ShownFacts {
    /// What everybody may see.
    pub fn public(&self) -> &PublicFacts {
        match self {
            ShownFacts::Public(facts) => facts,
            ShownFacts::Private(facts) => &facts.public,
        }
    }

    /// What only the steward may see, where the folder has it.
    pub fn private(&self) -> Option<&StewardFacts> {
        match self {
            ShownFacts::Public(_) => None,
            ShownFacts::Private(facts) => Some(facts),
        }
    }

    /// What deserves attention, and how much of what the steward was warned of is at hand.
    pub fn warnings(&self) -> (Vec<WarningNotice>, WarningsRecorded) {
        match self {
            ShownFacts::Public(facts) => {
                let recorded = WarningsRecorded::of(None, facts.records_warnings);
                (facts.warnings.clone(), recorded)
            }
            ShownFacts::Private(facts) => (facts.all_warnings(), WarningsRecorded::All),
        }
    }

    /// The document `mingle.show/1`.
    pub fn answer(&self, folder: &Path) -> ShowAnswer {
        let (warnings, warnings_recorded) = self.warnings();
        ShowAnswer {
            schema: ShowSchema,
            release: folder.display().to_string(),
            warnings: Some(warnings),
            warnings_recorded: Some(warnings_recorded),
            public: self.public().shown(),
            private: self.private().map(StewardFacts::shown),
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
