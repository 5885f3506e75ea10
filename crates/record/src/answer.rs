//! Every `--json` answer: one type per document, in the order in which its keys are written.

mod dp;
mod dp_budget;
mod dp_compose;
mod notice;

pub use dp::{
    DpAnswer, DpColumn, DpLedgerUse, DpMade, DpMadeHistogram, DpMadeMarginals, DpMadeSynthetic,
    DpSchema,
};
pub use dp_budget::{
    DpBudgetAnswer, DpBudgetEntry, DpBudgetPossible, DpBudgetRule, DpBudgetSchema,
};
pub use dp_compose::{
    DpComposeAnswer, DpComposeByRule, DpComposePosterior, DpComposeRelease, DpComposeSchema,
};
pub use notice::{ReportFiles, WarningNotice};
