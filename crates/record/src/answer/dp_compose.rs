//! `mingle dp compose --json`: what several releases about the same people amount to.

use crate::noise::{CompositionRule, EpsilonAtDelta, ExactAmount, NoiseGuarantee, RhoBesideDelta};
use crate::schema::DpComposeSchema;
use crate::{SemanticsStatement, WarningNotice};
use serde::{Deserialize, Serialize};

/// The document `mingle.dp-compose/1`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpComposeAnswer {
    /// Which document this is.
    pub schema: DpComposeSchema,
    /// What was added up.
    pub releases: Vec<DpComposeRelease>,
    /// The δ at which ε is stated.
    pub delta: ExactAmount,
    /// ε of everything together; `None` where there is no bound.
    #[serde(deserialize_with = "crate::required")]
    pub epsilon: Option<ExactAmount>,
    /// The rule that gives it.
    #[serde(deserialize_with = "crate::required")]
    pub rule: Option<CompositionRule>,
    /// The ε that each rule gives at that δ.
    pub by_rule: DpComposeByRule,
    /// Σε and Σδ.
    #[serde(deserialize_with = "crate::required")]
    pub basic: Option<EpsilonAtDelta>,
    /// Σρ and Σδ₀.
    #[serde(deserialize_with = "crate::required")]
    pub concentrated: Option<RhoBesideDelta>,
    /// What the bound means, as a paper states it.
    #[serde(deserialize_with = "crate::required")]
    pub semantics: Option<SemanticsStatement>,
    /// What the bound means as odds.
    #[serde(deserialize_with = "crate::required")]
    pub posterior: Option<DpComposePosterior>,
    /// Whom the bound covers, in a sentence.
    pub covers: String,
    /// What deserves attention; answers of 0.1.0 do not have it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<WarningNotice>,
}

/// One release that is added up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpComposeRelease {
    /// Where it was found.
    pub name: String,
    /// The kind of release; `groups` for one without noise.
    pub kind: String,
    /// What it promises; `None` where it is not differentially private.
    #[serde(deserialize_with = "crate::required")]
    pub guarantee: Option<NoiseGuarantee>,
    /// The ρ that it amounts to.
    #[serde(deserialize_with = "crate::required")]
    pub rho: Option<ExactAmount>,
    /// The most records of one person.
    pub records_per_person: u64,
    /// Whether an identifier keeps that bound.
    pub identified: bool,
}

/// ε by the rule that gives it; a rule that gives none at this δ is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpComposeByRule {
    /// ε and δ added up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub basic: Option<ExactAmount>,
    /// ρ added up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub concentrated: Option<ExactAmount>,
    /// Some this way, some that way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mixed: Option<ExactAmount>,
}

/// What becomes of a suspicion, at most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpComposePosterior {
    /// The suspicion before.
    pub prior: f64,
    /// That somebody is in the data.
    pub presence: f64,
    /// That somebody in the data has one value and not another.
    pub value: f64,
}
