//! What the page and the program say to each other, as JSON. The page's types are generated from
//! these (`cargo test -p mingle-page` writes `web/src/protocol.ts` and fails if it was out of
//! date). What the page shows of a release is said in the types of `record`.
//!
//! | request | body | answer |
//! |---|---|---|
//! | `POST /api/session` | [`SessionRequest`] | [`Session`]: the token of the link, once, against the key of the session |
//! | `GET /api/start` | | [`Start`] |
//! | `GET /api/files` | | [`FileList`] |
//! | `PUT /api/files/NAME` | the file | [`FileList`] |
//! | `DELETE /api/files/NAME` | | [`FileList`] |
//! | `POST /api/policy` | [`PolicyRequest`] | [`PolicyAnswer`] |
//! | `POST /api/propose` | [`ProposeRequest`] | [`PolicyAnswer`] |
//! | `POST /api/example` | | [`PolicyAnswer`] |
//! | `POST /api/profile` | [`ProfileRequest`] | [`ProfileAnswer`] |
//! | `POST /api/hierarchy` | [`HierarchyRequest`] | [`HierarchyAnswer`] |
//! | `POST /api/plan` | [`PlanRequest`] | lines of [`PlanEvent`] |
//! | `POST /api/explain` | [`ExplainRequest`] | [`ExplainedCode`](mingle_record::answer::ExplainedCode) |
//! | `POST /api/preview` | [`PreviewRequest`] | [`PreviewAnswer`] |
//! | `POST /api/coalition` | [`CoalitionRequest`] | [`CoalitionAnswer`] |
//! | `POST /api/frontier` | [`FrontierRequest`] | lines of [`FrontierEvent`] |
//! | `POST /api/attack` | [`AttackRequest`] | lines of [`AttackEvent`] |
//! | `POST /api/publish` | [`PublishRequest`] | lines of [`PublishEvent`] |
//! | `POST /api/save` | [`SaveRequest`] | [`SaveAnswer`] |
//! | `POST /api/report` | [`ReportRequest`] | [`ReportLinks`], each for one visit |
//!
//! Every request but the first carries `Authorization: Bearer KEY`. Lines are one JSON document
//! each, sent as they come (`application/x-ndjson`); closing the connection stops the work. What is
//! refused is answered with a [`ProblemView`] and status 4xx.

mod attack;
mod explain;
mod explore;
mod files;
mod frontier;
mod hierarchy;
mod plan;
mod policy;
mod profile;
mod publish;
mod session;
#[cfg(test)]
mod typescript;

pub use attack::{AttackEvent, AttackFinding, AttackRequest};
pub use explain::ExplainRequest;
pub use explore::{
    CoalitionAnswer, CoalitionGroup, CoalitionRequest, PreviewAnswer, PreviewColumn,
    PreviewRequest, PreviewRow, RemainingValue,
};
pub use files::{DroppedFile, FileList};
pub use frontier::{FrontierEvent, FrontierPoint, FrontierRequest, Vary};
pub use hierarchy::{HierarchyAnswer, HierarchyDraft, HierarchyRequest, HierarchyRow};
pub use plan::{Candidate, ColumnCost, PlanEvent, PlanRequest, Stage};
pub use policy::{
    ColumnView, Edit, HierarchyView, LimitsView, PolicyAnswer, PolicyRequest, PolicyView,
    ProposeRequest, ProviderView, SensitiveView,
};
pub use profile::{ColumnProfile, LabelledCount, ProfileAnswer, ProfileRequest};
pub use publish::{
    PublishEvent, PublishRequest, ReportKind, ReportLinks, ReportRequest, SaveAnswer, SaveRequest,
};
pub use session::{Session, SessionRequest, Start};

use serde::{Deserialize, Serialize};

/// What is wrong, where, and what to do; never a cell of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProblemView {
    /// The stable code, such as `MG0103`.
    pub code: String,
    /// What is wrong.
    pub text: String,
    /// What to do; may be empty.
    pub hint: String,
    /// The lines of the policy that it is about.
    pub excerpt: Option<String>,
    /// The line of the policy, counted from 1.
    pub line: Option<u32>,
    /// The column of that line, in characters, counted from 1.
    pub column: Option<u32>,
}
