//! What `mingle attack insider` answers: `mingle.attack-insider/1`.

use crate::manifest::{StatedKnowledge, StatedSemantics};
use crate::schema::AttackInsiderSchema;
use crate::{ByName, GroupLabels, Judgement, PromiseEntry, required};
use serde::{Deserialize, Serialize};

/// What coalitions of providers can do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InsiderAnswer {
    /// Which document this is.
    pub schema: AttackInsiderSchema,
    /// Whether the promises withstand up to m insiders.
    pub verdict: Judgement,
    /// How many insiders should be withstood.
    pub m: u64,
    /// What withstanding means.
    pub semantics: StatedSemantics,
    /// How many groups there are.
    pub groups: u64,
    /// How many records.
    pub records: u64,
    /// How many people, where they may have several records; figures of exposure then count people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<u64>,
    /// What insiders know of people who have several records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knows: Option<StatedKnowledge>,
    /// How many providers.
    pub providers: u64,
    /// Groups that come from one provider.
    pub single_provider_groups: u64,
    /// What is promised.
    pub constraints: Vec<PromiseEntry>,
    /// The smallest coalition that breaks a promise; `None` where none was found.
    #[serde(deserialize_with = "required")]
    pub attack_number: Option<u64>,
    /// Whether a smaller one, or one at all, may have been missed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub attack_number_undecided: bool,
    /// With strict semantics: groups with too few contributors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_of_providers: Option<u64>,
    /// By size of the coalition, from the outsider up.
    pub exposure: Vec<CoalitionExposure>,
    /// The same for insiders who know of people what the policy does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<ExposureBeside>,
    /// The coalitions that expose most, by size.
    pub worst: Vec<WorstCoalitions>,
    /// What coalitions learn about people they share with others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shared: Option<SharedPeopleAnswer>,
    /// One inference; `None` where nobody learns anything.
    #[serde(deserialize_with = "required")]
    pub inference: Option<InsiderInference>,
    /// What ends of ranges give away, where the original tables were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label_ends: Option<LabelEnds>,
}

/// What coalitions of one size can do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoalitionExposure {
    /// Members.
    pub size: u64,
    /// Groups for which a promise breaks.
    pub groups: u64,
    /// The same as a share of all groups.
    pub share: f64,
    /// Groups that could not be decided.
    pub undecided: u64,
    /// Records in groups for which a promise breaks.
    pub records: u64,
    /// People in them, where they may have several records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<u64>,
    /// Records known to be a certain person's.
    pub identity: u64,
    /// Records whose value is known for certain, by sensitive column.
    pub attribute: ByName<u64>,
    /// People exposed in either way.
    pub exposed: u64,
}

/// Exposure to insiders who know more, or less, of people than the policy says.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExposureBeside {
    /// What they know.
    pub knows: StatedKnowledge,
    /// The smallest coalition that breaks a promise; `None` where none was found.
    #[serde(deserialize_with = "required")]
    pub attack_number: Option<u64>,
    /// By size of the coalition, from the outsider up.
    pub exposure: Vec<CoalitionExposure>,
}

/// What coalitions learn about people they share with others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedPeopleAnswer {
    /// People with records of several providers.
    pub people: u64,
    /// Who learns most, by size.
    pub sizes: Vec<SharedBySize>,
}

/// The coalitions of one size that learn most about people they share.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedBySize {
    /// Members.
    pub size: u64,
    /// Whether all coalitions of this size were looked at.
    pub exact: bool,
    /// Those who learn most first.
    pub coalitions: Vec<SharedByCoalition>,
}

/// What a coalition learns about people it shares with others.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedByCoalition {
    /// Names of providers.
    pub members: Vec<String>,
    /// People it shares.
    pub people: u64,
    /// Records of theirs that others contributed.
    pub records: u64,
    /// People of whom it learns a value in any column if it recognises their records.
    pub learnt: u64,
    /// The same by sensitive column.
    pub attribute: ByName<u64>,
    /// People of whom it is certain of a new value if it recognises its own records only.
    pub certain: u64,
}

/// The coalitions of one size that expose most.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorstCoalitions {
    /// Members.
    pub size: u64,
    /// Whether everything that they and others could do was played.
    pub exact: bool,
    /// The worst first.
    pub coalitions: Vec<NamedCoalition>,
}

/// A coalition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedCoalition {
    /// Names of providers.
    pub members: Vec<String>,
    /// People exposed.
    pub exposed: u64,
    /// Groups for which a promise breaks.
    pub groups: u64,
}

/// One inference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InsiderInference {
    /// What is learnt.
    pub learnt: LearntKind,
    /// By whom; nobody for the outsider.
    pub coalition: Vec<String>,
    /// In which group.
    pub group: GroupLabels,
    /// How many records of it are theirs.
    pub own_records: u64,
    /// How many are left.
    pub records_left: u64,
    /// People whom they know, where people may have several records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people_known: Option<u64>,
    /// People who are left, where people may have several records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people_left: Option<u64>,
    /// The constraint that breaks, where that is what is learnt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<String>,
    /// The columns that are known, where values are learnt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// The values, only when asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<ByName<String>>,
    /// The same in words.
    pub text: String,
}

/// What is learnt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LearntKind {
    /// Whose a record is.
    Identity,
    /// A value of everybody who is left.
    Attribute,
    /// A promise breaks.
    Breach,
}

/// What ends of ranges give away.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelEnds {
    /// Ends that at most so many contributors explain are counted.
    pub explained_by_at_most: u64,
    /// Ends that were looked at.
    pub checked: u64,
    /// Ends that give somebody away.
    pub given_away: u64,
    /// Groups that have such an end.
    pub groups: u64,
    /// The same by column.
    pub columns: ByName<u64>,
    /// One of them.
    #[serde(deserialize_with = "required")]
    pub example: Option<GivenAwayEnd>,
    /// What labels tell of which more than a few may be the reason; not there in answers of 0.1.0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<LabelsTold>,
}

/// How many labels let a coalition of at most m know for certain that a victim, somebody outside it, has
/// a certain element of a set or attains a certain end of a range.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LabelsTold {
    /// Groups with at least two contributors.
    pub groups_of_several: u64,
    /// Those with such an element or end.
    pub groups: u64,
    /// Those with such an element.
    pub groups_by_elements: u64,
    /// Such elements.
    pub elements: u64,
    /// Groups with such an end.
    pub groups_by_ends: u64,
    /// Such ends.
    pub ends: u64,
    /// Elements and ends by column.
    pub columns: ByName<u64>,
}

/// An end of a range that gives somebody away.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenAwayEnd {
    /// In which group.
    pub group: GroupLabels,
    /// In which column.
    pub column: String,
    /// Which end.
    pub end: LabelEnd,
    /// Who has a record that explains it.
    pub explained_by: Vec<String>,
    /// The same in words.
    pub text: String,
}

/// An end of a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LabelEnd {
    /// The largest value.
    Upper,
    /// The smallest value.
    Lower,
}
