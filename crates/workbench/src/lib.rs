//! What answers the local page: policies, tables and candidates, with the code that the other
//! commands run.
//!
//! A request brings the text of a policy; nothing about a tab is remembered. What is kept are the
//! files that were dropped, the tables that were read last and the candidates that were made last,
//! so that a slider is answered without reading anything twice.

mod attack;
mod candidate;
pub mod draft;
mod explore;
mod files;
mod frontier;
mod hierarchy;
mod kept;
mod plan;
mod profile;
mod publish;
mod roles;
mod seen;
mod view;

#[cfg(test)]
mod tests;

use candidate::Made;
use files::{Dropped, by_dropped_names};
use kept::Kept;
use mingle_page::protocol::{
    AttackEvent, AttackRequest, Candidate, CoalitionAnswer, CoalitionRequest, FileList,
    FrontierEvent, FrontierRequest, HierarchyAnswer, HierarchyRequest, PlanEvent, PlanRequest,
    PolicyAnswer, PolicyRequest, PreviewAnswer, PreviewRequest, ProblemView, ProfileAnswer,
    ProfileRequest, ProposeRequest, PublishEvent, PublishRequest, ReportKind, ReportRequest,
    SaveAnswer, SaveRequest, Start,
};
use mingle_page::{Refusal, Sink, Stopped, Workbench};
use mingle_policy::{Folders, Policy, PolicyEdit, edit};
use mingle_record::Problem;
use mingle_record::ProblemCode;
use plan::Loaded;
use seen::SeenTables;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

/// The state behind the page.
pub struct Bench {
    /// The policy that the page starts with; its folder is where names of files lead.
    policy_path: PathBuf,
    /// Whether that file was named, and could be read.
    started: bool,
    /// Where releases and policies are written.
    folder: PathBuf,
    largest_upload: u64,
    dropped: Dropped,
    seen: Kept<SeenTables>,
    loaded: Kept<Loaded>,
    made: Kept<Made>,
    /// Points of frontiers, without what questions about a candidate need.
    points: Kept<Candidate>,
    /// What this page has published, by name.
    published: Mutex<BTreeMap<String, PathBuf>>,
    /// The policies that this page has read or written, by name.
    saved: Mutex<BTreeMap<String, String>>,
}

impl Bench {
    /// With a policy to start from, or with nothing; releases go to `folder`.
    pub fn new(
        policy: Option<&Path>,
        folder: PathBuf,
        largest_upload: u64,
    ) -> Result<Bench, Problem> {
        let bench = Bench {
            policy_path: policy.map_or_else(|| folder.join("policy.toml"), Path::to_owned),
            started: policy.is_some(),
            folder,
            largest_upload,
            dropped: Dropped::new()?,
            seen: Kept::new(2),
            loaded: Kept::new(2),
            made: Kept::new(12),
            points: Kept::new(400),
            published: Mutex::default(),
            saved: Mutex::default(),
        };
        bench.policy_file()?;
        Ok(bench)
    }

    /// The policy that the page starts with, as its file is now.
    fn policy_file(&self) -> Result<Option<String>, Problem> {
        if !self.started {
            return Ok(None);
        }
        let path = &self.policy_path;
        let text =
            mingle_io::read_small_file(path).map_err(|e| mingle_policy::unreadable(path, &e))?;
        lock(&self.saved).insert(self.policy_name(), text.clone());
        Ok(Some(text))
    }

    /// The policy's name, without its folder.
    fn policy_name(&self) -> String {
        let name = self.policy_path.file_name();
        name.map_or_else(
            || "policy.toml".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        )
    }

    /// Where the files that a policy names are.
    fn folders(&self) -> Folders {
        Folders::with_dropped(&self.policy_path, self.dropped.folder())
    }

    /// Takes away what was dropped. For the end: threads that are still at work may hold on to the
    /// rest.
    pub fn clear(&self) {
        self.dropped.clear();
    }

    /// A text as a policy, with what flags change.
    fn read(&self, text: &str, flags: &[String]) -> Result<Policy, Problem> {
        // the file's name alone: a path of this machine says nothing to the reader of the page
        Policy::parse_at(
            Path::new(&self.policy_name()),
            text.to_owned(),
            flags,
            &self.folders(),
        )
    }

    /// A candidate that is still at hand.
    fn candidate(&self, id: &str) -> Result<Arc<Made>, Problem> {
        self.made.get(id).ok_or_else(|| {
            Problem::new(
                ProblemCode::CandidateGone,
                "this candidate is gone",
                "move a slider to make it again",
            )
        })
    }
}

/// A path that stays the same wherever it is looked at from.
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize()
        .or_else(|_| std::path::absolute(path))
        .unwrap_or_else(|_| path.to_owned())
}

/// A lock that outlives a panic: what it guards is replaced as a whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// A problem as the page shows it.
fn problem_view(problem: &Problem) -> ProblemView {
    let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    ProblemView {
        code: problem.code().to_string(),
        text: by_dropped_names(problem.text()),
        hint: by_dropped_names(problem.hint()),
        excerpt: problem.excerpt().map(str::to_owned),
        line: problem.position().map(|(line, _)| place(line)),
        column: problem.position().map(|(_, column)| place(column)),
    }
}

fn refusal(problem: Problem) -> Refusal {
    Refusal {
        problem: problem_view(&problem),
    }
}

/// Why a long answer ends early.
enum End {
    /// Nobody listens.
    Stopped,
    /// Something is wrong.
    Problem(Problem),
}

impl From<Stopped> for End {
    fn from(_: Stopped) -> End {
        End::Stopped
    }
}

impl From<Problem> for End {
    fn from(problem: Problem) -> End {
        // who has stopped listening is not told that the work was interrupted
        if problem.code() == ProblemCode::Interrupted {
            End::Stopped
        } else {
            End::Problem(problem)
        }
    }
}

/// Tells the page why a long answer ended early.
fn finish<T>(
    ended: Result<(), End>,
    sink: &dyn Sink<T>,
    event: impl FnOnce(ProblemView) -> T,
) -> Result<(), Stopped> {
    match ended {
        Ok(()) => Ok(()),
        Err(End::Stopped) => Err(Stopped),
        Err(End::Problem(problem)) => sink.send(event(problem_view(&problem))),
    }
}

impl Workbench for Bench {
    fn start(&self) -> Result<Start, Refusal> {
        let policy = self
            .policy_file()
            .map_err(refusal)?
            .map(|text| view::answer(self, text));
        Ok(Start {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            policy_file: self.started.then(|| self.policy_name()),
            policy,
            folder: absolute(&self.folder).display().to_string(),
            methods: mingle_anonymize::method_names()
                .map(str::to_owned)
                .collect(),
            most_unconfirmed: roles::MOST_UNCONFIRMED as f64,
            largest_upload: self.largest_upload as f64,
            files: self.dropped.list().files,
        })
    }

    fn file_place(&self, name: &str) -> Result<PathBuf, Refusal> {
        // with a policy of its own, the page must not put other rows in the place of the steward's
        if self.started
            && Folders::of(&self.policy_path)
                .find(name)
                .symlink_metadata()
                .is_ok()
        {
            let text = format!("{name} is beside the policy already");
            let hint = "rename the file and drop it again, or start without a policy";
            return Err(refusal(Problem::new(ProblemCode::FileChanged, text, hint)));
        }
        self.dropped.place(name).map_err(refusal)
    }

    fn file_arrived(&self, _name: &str) -> Result<FileList, Refusal> {
        Ok(self.dropped.list())
    }

    fn files(&self) -> FileList {
        self.dropped.list()
    }

    fn forget(&self, name: &str) -> Result<FileList, Refusal> {
        self.dropped.forget(name).map_err(refusal)?;
        Ok(self.dropped.list())
    }

    fn policy(&self, request: &PolicyRequest) -> Result<PolicyAnswer, Refusal> {
        let mut edits = Vec::new();
        for asked in &request.edits {
            edits.push(PolicyEdit {
                path: asked.path.clone(),
                value: asked.value.clone(),
            });
        }
        let edits = roles::with_consequences(edits);
        let text = edit::apply(&request.text, &edits);
        Ok(match text {
            Ok(text) => view::answer(self, roles::decided(text, &edits)),
            Err(problem) => PolicyAnswer {
                problem: Some(problem_view(&problem)),
                ..view::answer(self, request.text.clone())
            },
        })
    }

    fn propose(&self, request: &ProposeRequest) -> Result<PolicyAnswer, Refusal> {
        profile::propose(self, request).map_err(refusal)
    }

    fn example(&self) -> Result<PolicyAnswer, Refusal> {
        self.dropped
            .example()
            .map_err(refusal)
            .map(|text| view::answer(self, text))
    }

    fn profile(&self, request: &ProfileRequest) -> Result<ProfileAnswer, Refusal> {
        Ok(profile::answer(self, &request.text))
    }

    fn hierarchy(&self, request: &HierarchyRequest) -> Result<HierarchyAnswer, Refusal> {
        hierarchy::answer(self, request).map_err(refusal)
    }

    fn plan(&self, request: &PlanRequest, sink: &dyn Sink<PlanEvent>) -> Result<(), Stopped> {
        finish(plan::answer(self, request, sink), sink, |problem| {
            PlanEvent::Problem { problem }
        })
    }

    fn preview(&self, request: &PreviewRequest) -> Result<PreviewAnswer, Refusal> {
        let made = self.candidate(&request.candidate).map_err(refusal)?;
        Ok(explore::preview(&made, request))
    }

    fn coalition(&self, request: &CoalitionRequest) -> Result<CoalitionAnswer, Refusal> {
        let made = self.candidate(&request.candidate).map_err(refusal)?;
        explore::coalition(&made, &request.providers).map_err(refusal)
    }

    fn frontier(
        &self,
        request: &FrontierRequest,
        sink: &dyn Sink<FrontierEvent>,
    ) -> Result<(), Stopped> {
        finish(frontier::answer(self, request, sink), sink, |problem| {
            FrontierEvent::Problem { problem }
        })
    }

    fn attack(&self, request: &AttackRequest, sink: &dyn Sink<AttackEvent>) -> Result<(), Stopped> {
        finish(attack::answer(self, request, sink), sink, |problem| {
            AttackEvent::Problem { problem }
        })
    }

    fn publish(
        &self,
        request: &PublishRequest,
        sink: &dyn Sink<PublishEvent>,
    ) -> Result<(), Stopped> {
        finish(publish::answer(self, request, sink), sink, |problem| {
            PublishEvent::Problem { problem }
        })
    }

    fn save(&self, request: &SaveRequest) -> Result<SaveAnswer, Refusal> {
        publish::save(self, request).map_err(refusal)
    }

    fn report(&self, request: &ReportRequest, kind: ReportKind) -> Result<String, Refusal> {
        publish::report(self, &request.name, kind).map_err(refusal)
    }
}
