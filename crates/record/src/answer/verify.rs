//! What `mingle verify` answers: `mingle.verify/1`.

use crate::manifest::PeopleEntry;
use crate::schema::VerifySchema;
use crate::{ConstraintVerdict, GroupLabels, Judgement};
use crate::{NeighbouringStatement, SemanticsStatement, WarningNotice, WarningsRecorded, required};
use serde::{Deserialize, Serialize};

/// What was found about a release or a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum VerifyAnswer {
    /// It has groups.
    Groups(GroupsVerified),
    /// It is differentially private.
    Dp(DpVerified),
}

/// What was found about groups.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupsVerified {
    /// Which document this is.
    pub schema: VerifySchema,
    /// For the stated m.
    pub verdict: Judgement,
    /// How many groups there are; `None` where they could not be read.
    #[serde(deserialize_with = "required")]
    pub groups: Option<u64>,
    /// How many records they have.
    #[serde(deserialize_with = "required")]
    pub records: Option<u64>,
    /// Whose records they are, where that is said; otherwise each record is one person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<PeopleVerified>,
    /// How many providers there are, where that is known.
    #[serde(deserialize_with = "required")]
    pub providers: Option<u64>,
    /// How many insiders it should withstand.
    pub m: u64,
    /// The smallest coalition that breaks a promise; `None` where none was found.
    #[serde(deserialize_with = "required")]
    pub attack_number: Option<u64>,
    /// Whether a smaller one may have been missed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub attack_number_undecided: bool,
    /// Whether sensitive columns are in tables of their own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fragmented: bool,
    /// In the policy's order; those that cannot be decided here come last.
    pub constraints: Vec<ConstraintVerdict>,
    /// The failure that the verdict is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<VerifyWitness>,
    /// What else is wrong, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// What deserves attention: what can be found in what is here, and what was recorded when it
    /// was made; answers of 0.1.0 do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<WarningNotice>>,
    /// How much of what the steward was warned of is at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings_recorded: Option<WarningsRecorded>,
}

/// Where a promise breaks, and for whom.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerifyWitness {
    /// The constraint's name.
    pub constraint: String,
    /// The group, with its gid where there is one.
    pub group: GroupLabels,
    /// Who takes out their own records; nobody for the outsider.
    pub coalition: Vec<String>,
    /// How many records are left then.
    pub records_left: u64,
    /// How many people are left then, where people may have several records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people_left: Option<u64>,
}

/// Whose records the groups have. Figures are `None` where nothing at hand says whose each is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeopleVerified {
    /// What counts as a person.
    pub stated: PeopleEntry,
    /// The people of all groups, added up.
    #[serde(deserialize_with = "required")]
    pub people: Option<u64>,
    /// The fewest people of a group.
    #[serde(deserialize_with = "required")]
    pub smallest_group: Option<u64>,
    /// Where somebody who is at two providers counts twice: so many different people are in every
    /// group at least.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guaranteed_smallest_group: Option<u64>,
}

/// What was found about a differentially private release. It has no groups and nothing that is
/// stated for m insiders: these keys are null.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpVerified {
    /// Which document this is.
    pub schema: VerifySchema,
    /// Whether it is what was published and paid for.
    pub verdict: Judgement,
    /// Tells the two forms of the document apart.
    pub kind: DpKind,
    /// Always null.
    pub groups: (),
    /// Always null.
    pub records: (),
    /// Always null.
    pub providers: (),
    /// Always null.
    pub m: (),
    /// Always null.
    pub attack_number: (),
    /// Always empty.
    pub constraints: [ConstraintVerdict; 0],
    /// `synthetic`, `histogram` or `marginals`; left out where the manifest cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub release: Option<String>,
    /// What is promised; left out where the manifest cannot be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guarantee: Option<DpVerifiedGuarantee>,
    /// What the ledger says; `None` where the private part is not here.
    #[serde(deserialize_with = "required")]
    pub ledger: Option<DpLedger>,
    /// What is wrong, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// What deserves attention: what can be found in what is here, and what was recorded when it
    /// was made; answers of 0.1.0 do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<WarningNotice>>,
    /// How much of what the steward was warned of is at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings_recorded: Option<WarningsRecorded>,
}

/// The only kind that has no groups.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DpKind {
    /// Differentially private.
    Dp,
}

/// Whether a release was paid for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DpLedger {
    /// The ledger has the entry.
    Paid,
    /// The ledger is not where the private part says.
    OutOfReach,
    /// The ledger has another entry, or none.
    Differs,
}

/// What is promised, as the manifest says it, and against whom.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DpVerifiedGuarantee {
    /// ε
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<String>,
    /// δ
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<String>,
    /// ρ
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rho: Option<String>,
    /// For whom.
    pub neighbouring: NeighbouringStatement,
    /// What it means.
    pub semantics: SemanticsStatement,
    /// Against whom.
    pub against: Vec<DpReader>,
    /// Always false: the promise is a property of the program, not of the tables.
    pub proven_by_verify: bool,
}

/// A reader against whom differential privacy protects.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DpReader {
    /// Anybody, whatever else is known.
    Outsider,
    /// Any coalition of providers.
    AllProvidersButOne,
    /// Of a release that providers made together: any coalition up to the size that they agreed on.
    AgreedCoalitions,
    /// Readers of other releases: promises add up.
    OtherReleases,
}
