//! What commands answer with `--json`, one file per command: field order is key order, and reading
//! refuses keys that are not known and schemas of other documents.

mod apply;
mod attack_background_join;
mod attack_insider;
mod attack_intersection;
mod attack_minimality;
mod dp;
mod dp_budget;
mod dp_compose;
mod error;
mod explain;
mod hierarchy;
mod history;
mod init;
mod lab;
mod measure;
mod notice;
mod publish;
mod report;
mod serve;
mod show;
mod site;
mod synth;
mod verify;

pub use crate::manifest::StatedSemantics;
pub use crate::warning::WarningNotice;
pub use apply::{ApplyAnswer, ApplyDifference};
pub use attack_background_join::{
    BackgroundJoinAnswer, BackgroundJoinByRows, BackgroundJoinInference, BackgroundJoinPlay,
    BackgroundJoinView, CandidatesAre, ReconstructedPair, ReconstructionEstimate,
    ReconstructionInference, ReleaseForm,
};
pub use attack_insider::{
    CoalitionExposure, ExposureBeside, GivenAwayEnd, InsiderAnswer, InsiderInference, LabelEnd,
    LabelEnds, LabelsTold, LearntKind, NamedCoalition, SharedByCoalition, SharedBySize,
    SharedPeopleAnswer, WorstCoalitions,
};
pub use attack_intersection::{
    BaseRates, ConfidenceLevel, IntersectedAttribute, IntersectedRelease, IntersectionAnswer,
    IntersectionChoice, IntersectionInference, IntersectionLimits, IntersectionReader,
    LikeliestLevel, LikeliestValue, PeopleByValues, PersonLocation, ReaderInRelease, ReaderTruth,
};
pub use attack_minimality::{
    MinimalityAnswer, MinimalityInference, MinimalityLevel, MinimalityMeans, MinimalityPlay,
    MinimalityRule, MinimalityTarget, NamedPeople, SizesAloneNotPlayed, UnitTally,
};
pub use dp::{
    DpAnswer, DpColumn, DpLedgerUse, DpMade, DpMadeHistogram, DpMadeMarginals, DpMadeSynthetic,
};
pub use dp_budget::{DpBudgetAnswer, DpBudgetEntry, DpBudgetPossible, DpBudgetRule};
pub use dp_compose::{DpComposeAnswer, DpComposeByRule, DpComposePosterior, DpComposeRelease};
pub use error::ErrorAnswer;
pub use explain::{ExplainAnswer, ExplainedCode};
pub use hierarchy::{
    CheckedHierarchy, HierarchyCheckAnswer, HierarchyFinding, HierarchyLevel,
    HierarchyProposeAnswer, HierarchyVerdict, HierarchyWeakness,
};
pub use history::{
    ChangesSince, HistoryAddAnswer, HistoryAddOutcome, HistoryCheckAnswer, HistoryForgetAnswer,
    HistoryInitAnswer, HistoryListAnswer, HistoryVersion,
};
pub use init::{
    InitAnswer, InitChange, InitColumn, InitCost, InitDryRun, InitFormat, InitPeople,
    InitSinglingOut, InitSinglingStep,
};
pub use lab::{LabAnswer, LabExperiment, LabList, LabResults, LabValue};
pub use measure::{
    MeasureAnswer, MeasuredCentroids, MeasuredNoise, MeasuredNoiseTag, MeasuredRanges,
};
pub use notice::ReportFiles;
pub use publish::{PublishAnswer, PublishedPeopleRecord};
pub use report::ReportAnswer;
pub use serve::ServeAnswer;
pub use show::{
    RiskMeasure, RiskReader, ShowAnswer, ShownAudit, ShownBalance, ShownBudget, ShownChoice,
    ShownCoalition, ShownColumn, ShownColumnLoss, ShownComposition, ShownExposure,
    ShownExposureOfSize, ShownExtent, ShownFinding, ShownGroupSizes, ShownGroups, ShownHistory,
    ShownLabel, ShownLossName, ShownNoise, ShownNoiseTable, ShownPeople, ShownPopulation,
    ShownPrivate, ShownPromise, ShownPublic, ShownQueryError, ShownQuestion, ShownReader,
    ShownReaderRisk, ShownRisk, ShownRiskLimit, ShownRowsAbove, ShownShape, ShownShareBin,
    ShownSizeBin, ShownStatement, ShownUtility, ShownVerdict,
};
pub use site::{
    SiteAnswer, SiteBoardAnswer, SiteDemoAnswer, SiteDemoPlay, SiteDemoSite, SiteFingerprintAnswer,
    SiteInitAnswer, SiteInviteAnswer, SiteInvited, SiteInvitedProvider, SiteJoinAnswer,
    SiteTrustAnswer, SiteVerifyAnswer, SiteVerifyDiversity, SiteVerifySignature,
};
pub use synth::SynthAnswer;
pub use verify::{
    DpKind, DpLedger, DpReader, DpVerified, DpVerifiedGuarantee, GroupsVerified, PeopleVerified,
    VerifyAnswer, VerifyWitness,
};

#[cfg(test)]
mod tests;
