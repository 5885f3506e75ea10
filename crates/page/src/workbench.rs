//! Whoever answers the page.
//!
//! Methods block and are called on threads that may; several run at once. Long ones report through
//! a [`Sink`] and give up when it says so.

use crate::protocol::{
    AttackEvent, AttackRequest, CoalitionAnswer, CoalitionRequest, FileList, FrontierEvent,
    FrontierRequest, HierarchyAnswer, HierarchyRequest, PlanEvent, PlanRequest, PolicyAnswer,
    PolicyRequest, PreviewAnswer, PreviewRequest, ProblemView, ProfileAnswer, ProfileRequest,
    ProposeRequest, PublishEvent, PublishRequest, ReportKind, ReportRequest, SaveAnswer,
    SaveRequest, Start,
};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Why something was not done: the fault of the request, not of the server.
#[derive(Clone, PartialEq, Debug)]
pub struct Refusal {
    /// What is wrong and what to do.
    pub problem: ProblemView,
}

/// The page is gone, or has asked for something newer: give up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Where the events of a long answer go.
pub trait Sink<T>: Sync {
    /// Passes an event on. An error means that nobody listens any more.
    fn send(&self, event: T) -> Result<(), Stopped>;

    /// Raised when nobody listens any more.
    fn cancelled(&self) -> &Arc<AtomicBool>;
}

/// What answers the page.
pub trait Workbench: Send + Sync + 'static {
    /// What the page shows first.
    fn start(&self) -> Result<Start, Refusal>;

    /// A new file's place: a plain name is checked and turned into a path that the server writes
    /// to. The file appears under its name only once [`file_arrived`](Workbench::file_arrived) was
    /// called.
    fn file_place(&self, name: &str) -> Result<PathBuf, Refusal>;

    /// The file is complete.
    fn file_arrived(&self, name: &str) -> Result<FileList, Refusal>;

    /// The files that were dropped.
    fn files(&self) -> FileList;

    /// Forgets a file that was dropped.
    fn forget(&self, name: &str) -> Result<FileList, Refusal>;

    /// Applies edits to a policy's text and says what it means, or where it is wrong.
    fn policy(&self, request: &PolicyRequest) -> Result<PolicyAnswer, Refusal>;

    /// A policy for files that were dropped.
    fn propose(&self, request: &ProposeRequest) -> Result<PolicyAnswer, Refusal>;

    /// The example that ships with the program, as if it had been dropped.
    fn example(&self) -> Result<PolicyAnswer, Refusal>;

    /// What each column looks like.
    fn profile(&self, request: &ProfileRequest) -> Result<ProfileAnswer, Refusal>;

    /// What a hierarchy would do to a column.
    fn hierarchy(&self, request: &HierarchyRequest) -> Result<HierarchyAnswer, Refusal>;

    /// Finds a release for a policy.
    fn plan(&self, request: &PlanRequest, sink: &dyn Sink<PlanEvent>) -> Result<(), Stopped>;

    /// Rows of a candidate, before and after.
    fn preview(&self, request: &PreviewRequest) -> Result<PreviewAnswer, Refusal>;

    /// What some providers together learn from a candidate.
    fn coalition(&self, request: &CoalitionRequest) -> Result<CoalitionAnswer, Refusal>;

    /// Risk and loss over a range of parameters.
    fn frontier(
        &self,
        request: &FrontierRequest,
        sink: &dyn Sink<FrontierEvent>,
    ) -> Result<(), Stopped>;

    /// A candidate beside releases that were dropped.
    fn attack(&self, request: &AttackRequest, sink: &dyn Sink<AttackEvent>) -> Result<(), Stopped>;

    /// Writes a release.
    fn publish(
        &self,
        request: &PublishRequest,
        sink: &dyn Sink<PublishEvent>,
    ) -> Result<(), Stopped>;

    /// Writes the policy.
    fn save(&self, request: &SaveRequest) -> Result<SaveAnswer, Refusal>;

    /// A report of a release that this page has published, as HTML.
    fn report(&self, request: &ReportRequest, kind: ReportKind) -> Result<String, Refusal>;
}
