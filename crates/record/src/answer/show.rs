//! `mingle show --json`: the essentials of a release's report.
//!
//! What `public` holds follows from the public part of a release alone; `private` is there where
//! the folder has a private part.

use crate::about::AboutRelease;
use crate::distributions::Distributions;
use crate::manifest::{
    ColumnKind, ColumnRole, FileEntry, FileFormat, PeopleCounts, PeopleEntry, ProtocolEntry,
    ProviderRows, StatedSemantics, UndeclaredEntry,
};
use crate::schema::ShowSchema;
use crate::signature::ShownSignature;
use crate::{RecordedWarning, WarningNotice, WarningsRecorded};
use serde::{Deserialize, Serialize};

/// The document `mingle.show/1`: the essentials of a release's report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShowAnswer {
    /// Which document this is.
    pub schema: ShowSchema,
    /// The folder.
    pub release: String,
    /// What deserves attention; documents of 0.1.0 do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings: Option<Vec<WarningNotice>>,
    /// How much of what the steward was warned of is at hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warnings_recorded: Option<WarningsRecorded>,
    /// Who has signed what is handed out, where somebody has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<ShownSignature>,
    /// What everybody may see.
    pub public: ShownPublic,
    /// What only the steward may see, where the folder has it.
    #[serde(deserialize_with = "crate::required")]
    pub private: Option<ShownPrivate>,
}

/// Everything that a reader of `public/` can know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownPublic {
    /// The program and its version.
    pub tool: String,
    /// What kind of release it is.
    pub shape: ShownShape,
    /// How the tables are written.
    pub format: FileFormat,
    /// How it was made: the anonymizer, or the distribution of the noise.
    pub method: String,
    /// Published rows; of a noisy release the lines of all its tables.
    pub rows: u64,
    /// Whether the promises hold.
    pub verdict: ShownVerdict,
    /// How far the promises that hold go.
    pub extent: ShownExtent,
    /// What readers cannot do.
    pub protected: Vec<ShownStatement>,
    /// What the promises do not cover.
    pub unprotected: Vec<ShownStatement>,
    /// What is taken for granted.
    pub assumed: Vec<ShownStatement>,
    /// What is promised, in the policy's order.
    pub promises: Vec<ShownPromise>,
    /// The published columns, in the order of the file.
    pub columns: Vec<ShownColumn>,
    /// What can be seen of groups; a noisy release has none.
    #[serde(deserialize_with = "crate::required")]
    pub groups: Option<ShownGroups>,
    /// What is said about noise, where there is any.
    #[serde(deserialize_with = "crate::required")]
    pub noise: Option<ShownNoise>,
    /// How two sites came to the release, where they did.
    #[serde(deserialize_with = "crate::required")]
    pub joint: Option<ProtocolEntry>,
    /// Utility figures that the policy publishes, by name.
    pub utility: Vec<(String, f64)>,
    /// What the steward says about it, as far as that is handed out.
    #[serde(default, skip_serializing_if = "AboutRelease::is_empty")]
    pub about: AboutRelease,
    /// The risks that the policy accepts, with what was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub risk_limits: Vec<ShownRiskLimit>,
    /// The public part of the policy, as TOML.
    pub policy: String,
    /// What has to be added to it to repeat the release.
    pub repeat: String,
    /// The files next to the manifest, with their hashes.
    pub files: Vec<FileEntry>,
}

/// Something a reader should know, with what it is about in two or three words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownStatement {
    /// What it is about.
    pub about: String,
    /// The sentence or sentences.
    pub text: String,
}

/// Whether the promises hold, and who says so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownVerdict {
    /// How many colluding providers are withstood, as stated.
    #[serde(deserialize_with = "crate::required")]
    pub m: Option<u64>,
    /// `victim` or `strict`.
    #[serde(deserialize_with = "crate::required")]
    pub semantics: Option<StatedSemantics>,
    /// With strict semantics: how many contributors a group has beyond m.
    #[serde(deserialize_with = "crate::required")]
    pub site_diversity: Option<u64>,
    /// What was found for the outsider.
    pub outsider: ShownFinding,
    /// What was found for the stated m.
    pub insiders: ShownFinding,
    /// The same in a sentence or two.
    pub words: String,
}

/// One promise and whether it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownPromise {
    /// Its name and parameters, such as `k-anonymity, k = 3`.
    pub name: String,
    /// The sensitive column it is about; `None` for all of them or none.
    #[serde(deserialize_with = "crate::required")]
    pub column: Option<String>,
    /// What it means.
    pub words: String,
    /// What was found for the outsider.
    pub verdict: ShownFinding,
}

/// A published column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownColumn {
    /// Its name.
    pub name: String,
    /// What it means for privacy.
    pub role: ColumnRole,
    /// What its values are.
    pub kind: ColumnKind,
    /// How its values became what is published, in words.
    pub how: String,
    /// How many different labels or values are published; of a noisy release, how many cells its
    /// domain has.
    pub distinct: u64,
    /// The share of rows in which nothing is said: the label `*`. `None` where values are not
    /// generalized.
    #[serde(deserialize_with = "crate::required")]
    pub starred: Option<f64>,
    /// The labels or values of most rows, the commonest first; ties in the order of texts.
    pub common: Vec<ShownLabel>,
}

/// A published label and how many rows have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownLabel {
    /// As published; a missing value has a word of its own.
    pub label: String,
    /// How many rows.
    pub rows: u64,
}

/// What can be seen of groups.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownGroups {
    /// How large they are.
    pub sizes: ShownGroupSizes,
    /// How easily their rows are named; `None` where people may have several rows, and how many
    /// people a group has is not public.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<ShownRisk>,
    /// How their sensitive values are spread, by column.
    pub balance: Vec<ShownBalance>,
}

/// Sizes of groups; 0 without groups.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownGroupSizes {
    /// How many groups.
    pub groups: u64,
    /// How many rows they have.
    pub rows: u64,
    /// The size of the smallest.
    pub smallest: u64,
    /// The size of the largest.
    pub largest: u64,
    /// Rows over groups.
    pub mean: f64,
    /// The size that half of the groups do not exceed.
    pub median: u64,
    /// From the smallest to the largest size, without gaps.
    pub bins: Vec<ShownSizeBin>,
}

/// Groups whose figure is within a range of whole numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ShownSizeBin {
    /// The smallest number that is counted here.
    pub from: u64,
    /// The largest.
    pub to: u64,
    /// How many groups.
    pub groups: u64,
    /// How many rows they have.
    pub rows: u64,
}

/// Groups whose figure is within a range: from its start to before its end, the end included in
/// the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ShownShareBin {
    /// Where it starts.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// How many groups.
    pub groups: u64,
    /// How many rows they have.
    pub rows: u64,
}

/// How many people there are, where people may have several rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownPeople {
    /// What counts as a person.
    pub stated: PeopleEntry,
    /// How many they are.
    pub counts: PeopleCounts,
    /// How many each group has; what is called rows there are people. `None` where the audit is not
    /// here.
    #[serde(deserialize_with = "crate::required")]
    pub sizes: Option<ShownGroupSizes>,
    /// How easily they are named; what is called rows there are people.
    #[serde(deserialize_with = "crate::required")]
    pub risk: Option<ShownRisk>,
}

/// What three readers can hope for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ShownRisk {
    /// Groups.
    pub groups: u64,
    /// Rows.
    pub rows: u64,
    /// Knows that the person is in the table.
    pub prosecutor: ShownReaderRisk,
    /// Does not know who is in the table.
    pub journalist: ShownReaderRisk,
    /// The share of all rows that a reader who links everybody gets right, as expected.
    pub marketer: f64,
    /// Where the population's counts come from.
    pub population: ShownPopulation,
}

/// The risk of rows for one kind of reader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ShownReaderRisk {
    /// Of the row that is easiest to name.
    pub highest: f64,
    /// Over rows.
    pub average: f64,
    /// How many rows are above a threshold, by ascending threshold.
    pub above: Vec<ShownRowsAbove>,
}

/// Rows whose risk is above a threshold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ShownRowsAbove {
    /// The threshold as one in this many.
    pub one_in: u64,
    /// The threshold as a number.
    pub threshold: f64,
    /// Rows above it.
    pub rows: u64,
    /// Their share of all rows.
    pub share: f64,
}

/// A reader whose chances are bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RiskReader {
    /// Knows that the person is in the table.
    Prosecutor,
    /// Does not know who is in the table.
    Journalist,
    /// Links everybody.
    Marketer,
}

/// What is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RiskMeasure {
    /// Of whoever is named most easily.
    Highest,
    /// Over everybody.
    Average,
}

/// The largest risk that the policy accepts, and what was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownRiskLimit {
    /// Whose.
    pub reader: RiskReader,
    /// Of whom.
    pub measure: RiskMeasure,
    /// The largest that is accepted.
    pub limit: f64,
    /// What it is; `None` where nothing public says it.
    #[serde(deserialize_with = "crate::required")]
    pub found: Option<f64>,
    /// Whether it is within the limit, decided exactly.
    pub finding: ShownFinding,
}

/// The balance of one sensitive column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ShownBalance {
    /// The column.
    pub column: String,
    /// The fewest different values of a group.
    pub fewest_distinct: u64,
    /// The smallest e^entropy of a group.
    pub smallest_entropy_l: f64,
    /// The largest share of one value in a group.
    pub largest_share: f64,
    /// The largest distance of a group from the whole table.
    pub largest_distance: f64,
    /// Which distance: the promised one; without a promise `ordered` for numbers and dates, else
    /// `equal`.
    pub distance: String,
    /// The promised largest distance.
    #[serde(deserialize_with = "crate::required")]
    pub promised_distance: Option<f64>,
    /// Groups by number of different values.
    pub distinct: Vec<ShownSizeBin>,
    /// Groups by e^entropy.
    pub entropy: Vec<ShownShareBin>,
    /// Groups by share of the commonest value.
    pub shares: Vec<ShownShareBin>,
    /// Groups by distance.
    pub distances: Vec<ShownShareBin>,
}

/// What is promised about one person, and how noise was added.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownNoise {
    /// `ε 1, δ 1e-9`, `ε 1` or `ρ 0.02`.
    pub promise: String,
    /// ε as promised, or at δ where the promise is in ρ.
    pub epsilon: f64,
    /// δ, exactly as stated; `0` where nothing is left open.
    pub delta: String,
    /// e^ε, rounded up; `None` beyond all numbers.
    #[serde(deserialize_with = "crate::required")]
    pub factor: Option<f64>,
    /// What a suspicion of one half that somebody is in the data can become at most.
    pub presence: f64,
    /// The same of a suspicion that somebody in the data has one value and not another.
    pub value: f64,
    /// Which tables the promise compares, in words.
    pub neighbouring: String,
    /// Whether the program kept the bound of records per person itself.
    pub enforced: bool,
    /// The shape of the noise.
    pub noise: String,
    /// The tables.
    pub tables: Vec<ShownNoiseTable>,
    /// Of made-up records: the sets of columns whose counts were measured.
    pub measured: Vec<Vec<String>>,
}

/// A table of a noisy release.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownNoiseTable {
    /// The file.
    pub file: String,
    /// Its columns.
    pub columns: Vec<String>,
    /// Lines: made-up records, or cells.
    pub rows: u64,
    /// The standard deviation of one count's noise.
    #[serde(deserialize_with = "crate::required")]
    pub deviation: Option<f64>,
    /// The smallest count that is there, where small ones were left out.
    #[serde(deserialize_with = "crate::required")]
    pub threshold: Option<u64>,
}

/// Everything that only the steward can know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownPrivate {
    /// What else is needed to repeat the release.
    pub repeat: String,
    /// What readers cannot do, with what only the steward knows.
    pub protected: Vec<ShownStatement>,
    /// What the promises do not cover, with what only the steward knows.
    pub unprotected: Vec<ShownStatement>,
    /// Who contributed how many rows.
    pub providers: Vec<ProviderRows>,
    /// Of a joint release: the site that keeps this copy.
    #[serde(deserialize_with = "crate::required")]
    pub site: Option<String>,
    /// Rows that were left out; a noisy release has none of these.
    #[serde(deserialize_with = "crate::required")]
    pub suppressed_rows: Option<u64>,
    /// Where the policy says whose rows belong together: how many people there are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<ShownPeople>,
    /// What coalitions could do; `None` where no audit says who contributed what, and where people
    /// have several rows.
    #[serde(deserialize_with = "crate::required")]
    pub exposure: Option<ShownExposure>,
    /// What the release costs.
    #[serde(deserialize_with = "crate::required")]
    pub utility: Option<ShownUtility>,
    /// Original and release side by side; older releases do not record it.
    #[serde(deserialize_with = "crate::required")]
    pub distributions: Option<Distributions>,
    /// What it says together with others.
    #[serde(deserialize_with = "crate::required")]
    pub composition: Option<ShownComposition>,
    /// What was paid for noise.
    #[serde(deserialize_with = "crate::required")]
    pub budget: Option<ShownBudget>,
    /// What the steward was warned of.
    pub warnings: Vec<RecordedWarning>,
    /// The files that were read.
    pub inputs: Vec<FileEntry>,
    /// Where tie-breaks and sampling started.
    #[serde(deserialize_with = "crate::required")]
    pub seed: Option<u64>,
    /// The whole policy, as TOML.
    pub policy: String,
    /// All that the steward says about it.
    #[serde(default, skip_serializing_if = "AboutRelease::is_empty")]
    pub about: AboutRelease,
    /// What was chosen, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<ShownChoice>,
    /// What authorities ask, and where this answers it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checklist: Vec<ShownQuestion>,
}

/// A choice of the policy and the steward's reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownChoice {
    /// As `[about.why]` calls it.
    pub choice: String,
    /// What is chosen among, in words.
    pub about: String,
    /// What was chosen.
    pub chosen: String,
    /// Why; `None` where the policy does not say it.
    #[serde(deserialize_with = "crate::required")]
    pub why: Option<String>,
}

/// What an authority asks of an anonymized release, and what the report says to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownQuestion {
    /// The text that asks.
    pub source: String,
    /// Where in it.
    pub place: String,
    /// What it asks, in our words.
    pub question: String,
    /// The sections of the report that answer, by their ids.
    pub sections: Vec<String>,
    /// The answer of this release, in short; empty where the program has none.
    pub answer: String,
    /// What only people can answer.
    pub left_to_people: String,
}

/// What coalitions of every size could do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownExposure {
    /// Groups in all.
    pub groups: u64,
    /// People in all: each row is taken for one.
    pub people: u64,
    /// Providers.
    pub providers: u64,
    /// By size, from 0 to all providers but one.
    pub sizes: Vec<ShownExposureOfSize>,
    /// The worst coalitions, by size.
    pub worst: Vec<ShownCoalition>,
    /// The largest coalitions that are named: one more than is withstood and at least two, as far
    /// as that leaves out somebody.
    pub named_up_to: u64,
    /// What was found for the stated m.
    pub verdict: ShownFinding,
    /// The smallest coalition that breaks a promise somewhere.
    #[serde(deserialize_with = "crate::required")]
    pub smallest: Option<u64>,
    /// Whether a smaller one may exist, because a search was cut short.
    pub smallest_undecided: bool,
}

/// What coalitions of at most `size` providers could do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ShownExposureOfSize {
    /// Their members.
    pub size: u64,
    /// Groups that fall: a promise can be broken.
    pub groups: u64,
    /// Groups of which that is not known, because a search was cut short.
    pub undecided: u64,
    /// People in groups that fall.
    pub people: u64,
    /// People whose row is known for certain.
    pub identity: u64,
    /// People whose sensitive value is known for certain, by column.
    pub attribute: Vec<u64>,
    /// People of whom either is known.
    pub exposed: u64,
}

/// A coalition and what it achieves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ShownCoalition {
    /// The names of its members.
    pub members: Vec<String>,
    /// Groups it breaks.
    pub groups: u64,
    /// People of others it exposes.
    pub exposed: u64,
    /// Whether no coalition of its size is worse than the first of them.
    pub exact: bool,
}

/// What a release costs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownUtility {
    /// Rows of the original.
    #[serde(deserialize_with = "crate::required")]
    pub rows: Option<u64>,
    /// Rows that were left out.
    #[serde(deserialize_with = "crate::required")]
    pub suppressed_rows: Option<u64>,
    /// What the loss is.
    pub loss_name: ShownLossName,
    /// The share of detail that is lost, between 0 and 1.
    #[serde(deserialize_with = "crate::required")]
    pub loss: Option<f64>,
    /// The same with everybody counted once, where people may have several rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_of_people: Option<f64>,
    /// Non-uniform entropy.
    #[serde(deserialize_with = "crate::required")]
    pub non_uniform_entropy: Option<f64>,
    /// Discernibility.
    #[serde(deserialize_with = "crate::required")]
    pub discernibility: Option<f64>,
    /// Average group size over k.
    #[serde(deserialize_with = "crate::required")]
    pub average_group_size: Option<f64>,
    /// The loss by column.
    pub columns: Vec<ShownColumnLoss>,
    /// The error of random COUNT queries.
    #[serde(deserialize_with = "crate::required")]
    pub query_error: Option<ShownQueryError>,
}

/// The loss of one quasi-identifier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownColumnLoss {
    /// The column's name.
    pub column: String,
    /// Between 0 and 1.
    pub loss: f64,
    /// Its non-uniform entropy.
    #[serde(deserialize_with = "crate::required")]
    pub non_uniform_entropy: Option<f64>,
}

/// The errors of all queries in two figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownQueryError {
    /// Their mean.
    pub mean: f64,
    /// Their median.
    pub median: f64,
    /// How many queries were asked.
    pub queries: u64,
}

/// What a release says together with others.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownComposition {
    /// Whether groups were merged until the limits held.
    pub mitigated: bool,
    /// By sensitive column.
    pub audits: Vec<ShownAudit>,
    /// Own earlier versions, where a history is kept.
    #[serde(deserialize_with = "crate::required")]
    pub history: Option<ShownHistory>,
}

/// What readers of all releases find about one sensitive column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownAudit {
    /// The column.
    pub column: String,
    /// The other releases, by the names the policy gives them.
    pub against: Vec<String>,
    /// Whether the limits hold.
    pub holds: bool,
    /// By reader.
    pub readers: Vec<ShownReader>,
}

/// What one reader finds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownReader {
    /// Such as `union` or `most-specific`; of versions `intersection`, `difference` or `together`.
    pub reader: String,
    /// People looked for.
    pub targets: u64,
    /// Those of whom a single value is left.
    pub perfect: u64,
    /// Of these, those of whom the others leave a single value by themselves.
    pub perfect_already: u64,
    /// Those with fewer values left than in any of the releases.
    pub vulnerable: u64,
    /// The fewest values left of anybody.
    #[serde(deserialize_with = "crate::required")]
    pub least: Option<u64>,
}

/// Own earlier versions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownHistory {
    /// How many there are.
    pub earlier: u64,
    /// What this version is called.
    #[serde(deserialize_with = "crate::required")]
    pub version: Option<String>,
    /// By sensitive column.
    pub columns: Vec<ShownAudit>,
}

/// What was paid for a noisy release, and what happened to records on the way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShownBudget {
    /// What was paid: `ε 1, δ 1e-9`.
    pub paid: String,
    /// The name of the ledger's file, without its folder.
    pub ledger: String,
    /// The number of its entry.
    pub entry: u64,
    /// The hash that the ledger has for it.
    pub entry_hash: String,
    /// When it was made, as the release says.
    pub time: String,
    /// Rows of the tables.
    pub rows: u64,
    /// Rows left out because a value is not declared and nothing stands for it.
    pub left_out: u64,
    /// Rows left out because their person has more than the bound.
    pub beyond_bound: u64,
    /// Rows left out because their person is not known.
    pub of_unknown: u64,
    /// What was not declared, by column.
    pub columns: Vec<UndeclaredEntry>,
}

/// What kind of release it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShownShape {
    /// One table, in which rows with equal labels are a group.
    Groups,
    /// One table, in which every group shows its middle.
    Centroids,
    /// Quasi-identifiers in one table and each sensitive column in another.
    Fragments,
    /// Made-up records that follow noisy counts.
    Synthetic,
    /// Noisy tables of counts over few columns each.
    Marginals,
    /// The noisy full table of counts.
    Histogram,
}

/// How far promises go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShownExtent {
    /// Nothing about a person can be certain to a reader.
    Whole,
    /// Something is promised, but some row or value may be certain all the same.
    Part,
    /// Nothing is promised that not every table keeps.
    Nothing,
}

/// What the loss of a release is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum ShownLossName {
    /// The normalized certainty penalty, of labels.
    #[serde(rename = "NCP")]
    Ncp,
    /// The squared distance from the group's middle, of centroids.
    #[serde(rename = "information loss")]
    InformationLoss,
}

impl ShownLossName {
    /// The words in documents and texts.
    pub fn name(self) -> &'static str {
        match self {
            ShownLossName::Ncp => "NCP",
            ShownLossName::InformationLoss => "information loss",
        }
    }
}

/// What was found when the release was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShownFinding {
    /// It holds.
    Holds,
    /// It does not.
    Fails,
    /// A search was cut short.
    Undecided,
    /// No look at the tables can show it: it is the program's word.
    Stated,
}

/// What stands for the people among whom a reader looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ShownPopulation {
    /// The release itself: an upper bound.
    Release,
    /// Another table.
    Table,
}

impl ShownFinding {
    /// The word in documents and texts.
    pub fn name(self) -> &'static str {
        match self {
            ShownFinding::Holds => "holds",
            ShownFinding::Fails => "fails",
            ShownFinding::Undecided => "undecided",
            ShownFinding::Stated => "stated",
        }
    }

    /// Whether it can be relied on.
    pub fn is_fine(self) -> bool {
        matches!(self, ShownFinding::Holds | ShownFinding::Stated)
    }
}

impl ShownVerdict {
    /// Whether nothing that was looked at failed or stayed undecided.
    pub fn holds(&self) -> bool {
        self.outsider.is_fine() && self.insiders.is_fine()
    }

    /// Whether something that was looked at fails.
    pub fn fails(&self) -> bool {
        self.outsider == ShownFinding::Fails || self.insiders == ShownFinding::Fails
    }
}

impl ShownColumn {
    /// An example of what is published, the commonest.
    pub fn example(&self) -> Option<&str> {
        self.common.first().map(|common| common.label.as_str())
    }
}

impl ShownComposition {
    /// Whether the policy's limits hold everywhere.
    pub fn holds(&self) -> bool {
        let versions = self.history.iter().flat_map(|history| &history.columns);
        self.audits.iter().chain(versions).all(|audit| audit.holds)
    }

    /// Every release that was laid beside this one, once.
    pub fn against(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.audits.iter().flat_map(|audit| &audit.against) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }
}
