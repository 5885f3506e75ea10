//! What commands answer with `--json`, one file per command: field order is key order, and reading
//! refuses keys that are not known and schemas of other documents.

mod attack_background_join;
mod attack_insider;
mod attack_intersection;
mod attack_minimality;
mod verify;

pub use attack_background_join::{
    BackgroundJoinAnswer, BackgroundJoinInference, BackgroundJoinPlay, BackgroundJoinView,
    ReconstructedPair, ReconstructionEstimate, ReconstructionInference, ReleaseForm,
};
pub use attack_insider::{
    CoalitionExposure, GivenAwayEnd, InsiderAnswer, InsiderInference, LabelEnd, LabelEnds,
    LearntKind, NamedCoalition, StatedSemantics, WorstCoalitions,
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
pub use verify::{
    DpKind, DpLedger, DpReader, DpVerified, DpVerifiedGuarantee, GroupsVerified, VerifyAnswer,
    VerifyWitness,
};
