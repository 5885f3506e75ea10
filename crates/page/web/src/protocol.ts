// Written by `cargo test -p mingle-page`; edit crates/page/src/protocol or crates/record instead.

export type ProblemView = { 
/**
 * The stable code, such as `MG0103`.
 */
code: string, 
/**
 * What is wrong.
 */
text: string, 
/**
 * What to do; may be empty.
 */
hint: string, 
/**
 * The lines of the policy that it is about.
 */
excerpt: string | null, 
/**
 * The line of the policy, counted from 1.
 */
line: number | null, 
/**
 * The column of that line, in characters, counted from 1.
 */
column: number | null, };

export type SessionRequest = { 
/**
 * From the link.
 */
token: string, };

export type Session = { 
/**
 * Valid until the server stops.
 */
key: string, };

export type Start = { 
/**
 * The program's version.
 */
version: string, 
/**
 * The policy that the server was started with, if any.
 */
policy: PolicyAnswer | null, 
/**
 * The name of its file.
 */
policy_file: string | null, 
/**
 * The folder that releases and policies are written to.
 */
folder: string, 
/**
 * The methods, the default first.
 */
methods: Array<string>, 
/**
 * The most quasi-identifiers with which a release is looked for before anybody confirms roles.
 */
most_unconfirmed: number, 
/**
 * The largest file that may be dropped, in bytes.
 */
largest_upload: number, 
/**
 * The files that were dropped so far.
 */
files: Array<DroppedFile>, };

export type FileList = { 
/**
 * In order of names.
 */
files: Array<DroppedFile>, };

export type DroppedFile = { 
/**
 * How a policy refers to it.
 */
name: string, 
/**
 * Its size.
 */
bytes: number, };

export type PolicyRequest = { 
/**
 * TOML.
 */
text: string, 
/**
 * Applied in this order; comments and order of the text are kept.
 */
edits: Array<Edit>, };

export type Edit = { 
/**
 * From the top: `["privacy", "k"]`, `["columns", "zip", "hierarchy"]`. Tables on the way are
 * made.
 */
path: Array<string>, 
/**
 * A TOML value as JSON (objects become inline tables); null removes the key.
 */
value: unknown, };

export type ProposeRequest = { 
/**
 * Their names; a table each. Several tables are several providers.
 */
files: Array<string>, 
/**
 * The column that names the provider, for one table.
 */
provider_column: string | null, };

export type PolicyAnswer = { 
/**
 * TOML.
 */
text: string, 
/**
 * What it says, if it can be read.
 */
view: PolicyView | null, 
/**
 * Where it is wrong.
 */
problem: ProblemView | null, };

export type PolicyView = { 
/**
 * The tables.
 */
providers: Array<ProviderView>, 
/**
 * The column that names the provider.
 */
provider_column: string | null, 
/**
 * The columns, in the policy's order.
 */
columns: Array<ColumnView>, 
/**
 * What is promised; null if the policy is for releases with noise.
 */
limits: LimitsView | null, 
/**
 * The anonymizer.
 */
method: string, 
/**
 * `csv` or `parquet`.
 */
format: string, 
/**
 * Whether sensitive columns are published in tables of their own.
 */
fragmented: boolean, 
/**
 * Whether nothing is published as long as anything is warned of.
 */
strict: boolean, 
/**
 * The largest share of rows that may be left out.
 */
max_suppressed: number, };

export type ProviderView = { 
/**
 * The provider; null for one table of all.
 */
name: string | null, 
/**
 * The file, as the policy names it.
 */
file: string, 
/**
 * Whether it is there.
 */
found: boolean, };

export type ColumnView = { 
/**
 * Its name.
 */
name: string, 
/**
 * `identifier`, `quasi-identifier`, `sensitive`, `insensitive` or `drop`.
 */
role: string, 
/**
 * Whether the proposal left it out until somebody decides, and nobody has.
 */
decide: boolean, 
/**
 * As declared; null where it is inferred.
 */
kind: string | null, 
/**
 * How its values generalize.
 */
hierarchy: HierarchyView | null, 
/**
 * The declared order of a category.
 */
order: Array<string> | null, };

export type HierarchyView = { "kind": "file", 
/**
 * As the policy names it.
 */
name: string, } | { "kind": "mask", 
/**
 * How many.
 */
digits: number, } | { "kind": "intervals", 
/**
 * As texts, exact.
 */
widths: Array<string>, } | { "kind": "dates" } | { "kind": "prefix", 
/**
 * How many on each level, from many to few.
 */
lengths: Array<number>, } | { "kind": "bands", 
/**
 * The bounds on each level, as texts: numbers or days.
 */
levels: Array<Array<string>>, } | { "kind": "age", 
/**
 * The day on which people are that old.
 */
at: string, 
/**
 * The bounds on each level, as texts.
 */
levels: Array<Array<string>>, } | { "kind": "template", 
/**
 * `icd-10`, `icd-9` or `atc`.
 */
name: string, };

export type LimitsView = { 
/**
 * The largest coalition; null where the default counts.
 */
m: number | null, 
/**
 * Group size; null where none is promised.
 */
k: number | null, 
/**
 * `victim` or `strict`.
 */
semantics: string, 
/**
 * For each sensitive column.
 */
sensitive: Array<SensitiveView>, };

export type SensitiveView = { 
/**
 * Its name.
 */
column: string, 
/**
 * At least so many distinct values.
 */
l_distinct: number | null, 
/**
 * Entropy l-diversity.
 */
l_entropy: number | null, 
/**
 * Recursive (c, l)-diversity.
 */
l_recursive: [number, number] | null, 
/**
 * t-closeness.
 */
t: number | null, 
/**
 * Its distance: `equal`, `ordered` or `hierarchical`.
 */
t_distance: string | null, 
/**
 * The largest share of one value.
 */
max_frequency: number | null, 
/**
 * Which of `l`, `t` and `max_frequency` the policy says about this column alone.
 */
own: Array<string>, };

export type ProfileRequest = { 
/**
 * The policy.
 */
text: string, };

export type ProfileAnswer = { 
/**
 * Rows in all.
 */
rows: number, 
/**
 * Rows of each provider.
 */
providers: Array<LabelledCount>, 
/**
 * The columns of the tables, declared or not.
 */
columns: Array<ColumnProfile>, 
/**
 * Some rows of the tables, or all of few: what columns say together is counted on them.
 */
sample_rows: number, 
/**
 * How many of those are alone with their values in all quasi-identifiers of the policy.
 */
alone_together: number, 
/**
 * What is wrong with the tables.
 */
problem: ProblemView | null, };

export type ColumnProfile = { 
/**
 * Its name.
 */
name: string, 
/**
 * `integer`, `decimal`, `date` or `category`.
 */
kind: string, 
/**
 * Distinct values.
 */
distinct: number, 
/**
 * Rows without a value.
 */
missing: number, 
/**
 * Its distribution: the most frequent categories, or at most 24 intervals of equal width.
 */
bars: Array<LabelledCount>, 
/**
 * Rows that no bar counts: rarer categories.
 */
rest: number, 
/**
 * Whether the bars are intervals of numbers or days in order, or categories by frequency.
 */
ordered: boolean, 
/**
 * Whether nearly every row has a value of its own.
 */
unique: boolean, 
/**
 * Rows that are alone with their value.
 */
alone: number, 
/**
 * Rows that share their value with fewer than five, themselves counted.
 */
rare: number, 
/**
 * What it was recognised as, such as `postcode` or `diagnosis`.
 */
recognised: string, 
/**
 * The role that is proposed for it.
 */
proposed_role: string, 
/**
 * The kind that goes with it where it is published.
 */
proposed_kind: string, 
/**
 * Whether it is left out only until somebody decides.
 */
decide: boolean, 
/**
 * Why.
 */
reason: string, };

export type LabelledCount = { 
/**
 * What is counted.
 */
label: string, 
/**
 * How many rows.
 */
count: number, };

export type HierarchyRequest = { 
/**
 * The policy.
 */
text: string, 
/**
 * The column.
 */
column: string, 
/**
 * The hierarchy.
 */
draft: HierarchyDraft, 
/**
 * How many values to answer: 2,000 unless it is said, 20,000 at most. Grouping by hand needs
 * all of them once.
 */
limit: number | null, };

export type HierarchyDraft = { "kind": "current" } | { "kind": "mask", 
/**
 * The length of the codes.
 */
digits: number, } | { "kind": "intervals", 
/**
 * As texts.
 */
widths: Array<string>, } | { "kind": "dates" } | { "kind": "prefix", 
/**
 * How many on each level, from many to few.
 */
lengths: Array<number>, } | { "kind": "bands", 
/**
 * The bounds on each level, as texts: numbers or days.
 */
levels: Array<Array<string>>, } | { "kind": "age", 
/**
 * The day on which people are that old.
 */
at: string, 
/**
 * The bounds on each level, as texts; none for years alone.
 */
levels: Array<Array<string>>, } | { "kind": "template", 
/**
 * `icd-10`, `icd-9` or `atc`.
 */
name: string, } | { "kind": "groups", 
/**
 * The text as pasted.
 */
text: string, } | { "kind": "order", 
/**
 * From the smallest to the largest.
 */
values: Array<string>, 
/**
 * How many values a group has, each a multiple of the one before.
 */
sizes: Array<number>, } | { "kind": "table", 
/**
 * A row for each leaf; all of one length.
 */
rows: Array<Array<string>>, };

export type HierarchyAnswer = { 
/**
 * The column's kind.
 */
column_kind: string, 
/**
 * How many distinct labels each level has; level 0 are the values themselves.
 */
distinct: Array<number>, 
/**
 * The column's values with their labels, in order; at most `limit`.
 */
rows: Array<HierarchyRow>, 
/**
 * How many values there are.
 */
values: number, 
/**
 * How many values of the tables have no place in the hierarchy.
 */
gaps: number, 
/**
 * Why it is no hierarchy.
 */
problem: ProblemView | null, 
/**
 * What `mingle hierarchy check` says about it.
 */
findings: Array<HierarchyFinding>, 
/**
 * The hierarchy as a file, where it is one.
 */
file: string | null, };

export type HierarchyRow = { 
/**
 * The value, then its label on each level; the value alone where it has no place.
 */
labels: Array<string>, 
/**
 * Rows that have it.
 */
count: number, 
/**
 * Whether it has no place in the hierarchy.
 */
gap: boolean, };

export type HierarchyFinding = { 
/**
 * What kind of weakness.
 */
kind: HierarchyWeakness, 
/**
 * In words, without values.
 */
text: string, 
/**
 * How many values it is about.
 */
values: number | null, 
/**
 * Where the first of them stands.
 */
place: string | null, };

export type HierarchyWeakness = "unusable" | "not-covered" | "unlisted" | "misaligned" | "idle-level" | "unbalanced";

export type ExplainRequest = { 
/**
 * Such as `MG0103`.
 */
code: string, };

export type ExplainedCode = { 
/**
 * The code.
 */
code: string, 
/**
 * What it is, in a few words.
 */
title: string, 
/**
 * What it means and what to do.
 */
text: string, 
/**
 * How the program ends after it; 0 for a warning.
 */
exit: number, };

export type PlanRequest = { 
/**
 * Who asks: a new request of the same tab stops the one before.
 */
tab: string, 
/**
 * The policy.
 */
text: string, 
/**
 * Whether a quick look may come first.
 */
quick: boolean, 
/**
 * Whether somebody has confirmed the roles: more than [`Start`](super::Start) allows
 * unconfirmed are not searched before.
 */
confirmed: boolean, };

export type PlanEvent = { "event": "progress", 
/**
 * `reading`, `counting`, `anonymizing`, `measuring`.
 */
step: string, 
/**
 * Which method is at work.
 */
method: string, 
/**
 * How much of it is done, between 0 and 1, where that is known.
 */
done: number | null, 
/**
 * Milliseconds since the request.
 */
elapsed: number, } | { "event": "answer", 
/**
 * The candidate.
 */
candidate: Candidate, } | { "event": "problem", 
/**
 * Why.
 */
problem: ProblemView, };

export type Stage = "quick" | "final";

export type Candidate = { 
/**
 * For questions about it; the same policy and tables give the same.
 */
id: string, 
/**
 * How final it is.
 */
stage: Stage, 
/**
 * The method that made it.
 */
method: string, 
/**
 * Milliseconds that making it took.
 */
milliseconds: number, 
/**
 * The coalition size that it withstands.
 */
m: number, 
/**
 * The promised group size; 1 where none is.
 */
k: number, 
/**
 * Against whom it protects, in words.
 */
against: string, 
/**
 * The promises.
 */
promises: Array<StatedPromise>, 
/**
 * Rows of the tables.
 */
rows: number, 
/**
 * Rows left out.
 */
suppressed: number, 
/**
 * People of all groups: as many as published rows where each row is one person. Whoever is in
 * several groups counts in each.
 */
people: number, 
/**
 * Groups.
 */
groups: number, 
/**
 * People of the smallest group.
 */
smallest: number, 
/**
 * Groups by size.
 */
sizes: Array<ShownSizeBin>, 
/**
 * The share of detail that is lost, between 0 and 1: NCP, or the information loss of
 * centroids.
 */
loss: number, 
/**
 * What `loss` is.
 */
loss_name: ShownLossName, 
/**
 * By column.
 */
columns: Array<ColumnCost>, 
/**
 * Sum of squared group sizes.
 */
discernibility: number, 
/**
 * Error of COUNT queries.
 */
query_error: QueryError, 
/**
 * What an outsider risks to find.
 */
risk: ShownRisk, 
/**
 * By sensitive column.
 */
balance: Array<ShownBalance>, 
/**
 * By size of the coalition, from 0 to all but one.
 */
exposure: Array<ShownExposureOfSize>, 
/**
 * The worst coalitions, by size from 1.
 */
worst: Array<ShownCoalition>, 
/**
 * The providers and their rows.
 */
providers: Array<LabelledCount>, 
/**
 * What the steward should know.
 */
warnings: Array<ProblemView>, };

export type ColumnCost = { 
/**
 * Its name.
 */
column: string, 
/**
 * Between 0 and 1.
 */
loss: number, 
/**
 * How many different labels are published.
 */
labels: number, };

export type StatedPromise = { 
/**
 * The promise itself: its parameters are keys beside its name.
 */
promise: { name: string, column?: string, joint?: boolean, [parameter: string]: unknown }, 
/**
 * The same in words.
 */
words: string, 
/**
 * Whether some table would break it. Groups of at least one row, say, are what every table
 * has, and must not pass for protection.
 */
says_something: boolean, };

export type ShownLossName = "NCP" | "information loss";

export type ShownSizeBin = { 
/**
 * The smallest number that is counted here.
 */
from: number, 
/**
 * The largest.
 */
to: number, 
/**
 * How many groups.
 */
groups: number, 
/**
 * How many rows they have.
 */
rows: number, };

export type ShownShareBin = { 
/**
 * Where it starts.
 */
from: number, 
/**
 * Where it ends.
 */
to: number, 
/**
 * How many groups.
 */
groups: number, 
/**
 * How many rows they have.
 */
rows: number, };

export type QueryError = { 
/**
 * Their mean.
 */
mean: number, 
/**
 * Their median.
 */
median: number, 
/**
 * How many queries were asked.
 */
queries: number, 
/**
 * Where the generator started.
 */
seed: number, };

export type ShownRisk = { 
/**
 * Groups.
 */
groups: number, 
/**
 * Rows.
 */
rows: number, 
/**
 * Knows that the person is in the table.
 */
prosecutor: ShownReaderRisk, 
/**
 * Does not know who is in the table.
 */
journalist: ShownReaderRisk, 
/**
 * The share of all rows that a reader who links everybody gets right, as expected.
 */
marketer: number, 
/**
 * Where the population's counts come from.
 */
population: ShownPopulation, };

export type ShownReaderRisk = { 
/**
 * Of the row that is easiest to name.
 */
highest: number, 
/**
 * Over rows.
 */
average: number, 
/**
 * How many rows are above a threshold, by ascending threshold.
 */
above: Array<ShownRowsAbove>, };

export type ShownRowsAbove = { 
/**
 * The threshold as one in this many.
 */
one_in: number, 
/**
 * The threshold as a number.
 */
threshold: number, 
/**
 * Rows above it.
 */
rows: number, 
/**
 * Their share of all rows.
 */
share: number, };

export type ShownPopulation = "release" | "table";

export type ShownBalance = { 
/**
 * The column.
 */
column: string, 
/**
 * The fewest different values of a group.
 */
fewest_distinct: number, 
/**
 * The smallest e^entropy of a group.
 */
smallest_entropy_l: number, 
/**
 * The largest share of one value in a group.
 */
largest_share: number, 
/**
 * The largest distance of a group from the whole table.
 */
largest_distance: number, 
/**
 * Which distance: the promised one; without a promise `ordered` for numbers and dates, else
 * `equal`.
 */
distance: string, 
/**
 * The promised largest distance.
 */
promised_distance: number | null, 
/**
 * Groups by number of different values.
 */
distinct: Array<ShownSizeBin>, 
/**
 * Groups by e^entropy.
 */
entropy: Array<ShownShareBin>, 
/**
 * Groups by share of the commonest value.
 */
shares: Array<ShownShareBin>, 
/**
 * Groups by distance.
 */
distances: Array<ShownShareBin>, };

export type ShownExposureOfSize = { 
/**
 * Their members.
 */
size: number, 
/**
 * Groups that fall: a promise can be broken.
 */
groups: number, 
/**
 * Groups of which that is not known, because a search was cut short.
 */
undecided: number, 
/**
 * People in groups that fall.
 */
people: number, 
/**
 * People whose row is known for certain.
 */
identity: number, 
/**
 * People whose sensitive value is known for certain, by column.
 */
attribute: Array<number>, 
/**
 * People of whom either is known.
 */
exposed: number, };

export type ShownCoalition = { 
/**
 * The names of its members.
 */
members: Array<string>, 
/**
 * Groups it breaks.
 */
groups: number, 
/**
 * People of others it exposes.
 */
exposed: number, 
/**
 * Whether no coalition of its size is worse than the first of them.
 */
exact: boolean, };

export type ColumnRole = "identifier" | "quasi-identifier" | "sensitive" | "insensitive" | "drop";

export type PreviewRequest = { 
/**
 * The candidate.
 */
candidate: string, 
/**
 * The first row of the original, counted from 0.
 */
offset: number, 
/**
 * How many; at most 200.
 */
count: number, };

export type PreviewAnswer = { 
/**
 * The columns, identifiers left out.
 */
columns: Array<PreviewColumn>, 
/**
 * The rows, in the order of the tables.
 */
rows: Array<PreviewRow>, 
/**
 * How many there are.
 */
total: number, };

export type PreviewColumn = { 
/**
 * Its name.
 */
name: string, 
/**
 * Its role.
 */
role: ColumnRole, };

export type PreviewRow = { 
/**
 * Its provider.
 */
provider: string, 
/**
 * Its cells as read.
 */
original: Array<string>, 
/**
 * Its cells as published; null if it is left out.
 */
published: Array<string> | null, 
/**
 * Rows of its group.
 */
group_size: number, };

export type CoalitionRequest = { 
/**
 * The candidate.
 */
candidate: string, 
/**
 * The members.
 */
providers: Array<string>, };

export type CoalitionAnswer = { 
/**
 * Published rows that are the coalition's own.
 */
own: number, 
/**
 * Groups they have rows in.
 */
touched: number, 
/**
 * Groups in which a promise fails once their rows are taken out.
 */
fallen: number, 
/**
 * Whether that is all: with promises such as t, leaving some rows in may break more groups.
 */
exact: boolean, 
/**
 * People of others in those groups.
 */
people: number, 
/**
 * People of others whose row they know for sure.
 */
identity: number, 
/**
 * People of others of whom they know the row or a sensitive value for sure.
 */
exposed: number, 
/**
 * Rows of others in all.
 */
others: number, 
/**
 * The groups they learn most about, at most 50: certainty first, then the fewest rows left.
 */
examples: Array<CoalitionGroup>, };

export type CoalitionGroup = { 
/**
 * Published labels, in the order of the quasi-identifiers.
 */
labels: Array<string>, 
/**
 * Rows of the group.
 */
rows: number, 
/**
 * Rows left.
 */
left: number, 
/**
 * Whether a promise fails.
 */
fallen: boolean, 
/**
 * Which promise fails, in words.
 */
broken: string | null, 
/**
 * What is left of each sensitive column, the most frequent value first; at most 5 each.
 */
remaining: Array<Array<RemainingValue>>, };

export type RemainingValue = { 
/**
 * The value.
 */
value: string, 
/**
 * How many rows have it.
 */
count: number, };

export type Vary = "k" | "m" | "l" | "t";

export type FrontierRequest = { 
/**
 * Who asks.
 */
tab: string, 
/**
 * The policy that is varied.
 */
text: string, 
/**
 * What is varied.
 */
vary: Vary, 
/**
 * Its values.
 */
values: Array<number>, 
/**
 * The methods.
 */
methods: Array<string>, 
/**
 * Whether somebody has confirmed the roles, as for [`PlanRequest`](super::PlanRequest).
 */
confirmed: boolean, };

export type FrontierEvent = { "event": "point", 
/**
 * The point.
 */
point: FrontierPoint, 
/**
 * How many points are done.
 */
done: number, 
/**
 * How many there are.
 */
of: number, } | { "event": "missing", 
/**
 * The value.
 */
value: number, 
/**
 * The method.
 */
method: string, 
/**
 * Why.
 */
problem: ProblemView, 
/**
 * How many points are done.
 */
done: number, 
/**
 * How many there are.
 */
of: number, } | { "event": "problem", 
/**
 * Why.
 */
problem: ProblemView, };

export type FrontierPoint = { 
/**
 * The value that was varied.
 */
value: number, 
/**
 * The method.
 */
method: string, 
/**
 * The share of detail that is lost.
 */
loss: number, 
/**
 * What `loss` is.
 */
loss_name: ShownLossName, 
/**
 * The mean query error.
 */
query_error: number, 
/**
 * The highest prosecutor risk of an outsider.
 */
highest_risk: number, 
/**
 * The mean prosecutor risk of an outsider.
 */
average_risk: number, 
/**
 * The share of people in groups that one insider breaks.
 */
insider_share: number, 
/**
 * The share of people of whom one insider knows row or value for sure.
 */
insider_exposed: number, 
/**
 * The policy's text at this point.
 */
text: string, };

export type AttackRequest = { 
/**
 * Who asks.
 */
tab: string, 
/**
 * The policy of the candidate.
 */
text: string, 
/**
 * Folders of releases, or tables, among the files that were dropped.
 */
releases: Array<string>, 
/**
 * Whether somebody has confirmed the roles, as for [`PlanRequest`](super::PlanRequest).
 */
confirmed: boolean, };

export type AttackEvent = { "event": "progress", 
/**
 * In a word.
 */
step: string, } | { "event": "answer", 
/**
 * The findings.
 */
findings: Array<AttackFinding>, 
/**
 * Whether the candidate is as good beside the others as alone; never where something may
 * have been misread.
 */
holds: boolean, 
/**
 * What to add to the policy so that publishing takes the others into account.
 */
policy_text: string, } | { "event": "problem", 
/**
 * Why.
 */
problem: ProblemView, };

export type AttackFinding = { 
/**
 * The column.
 */
column: string, 
/**
 * The releases that have it.
 */
releases: Array<string>, 
/**
 * People of our table.
 */
people: number, 
/**
 * People left with one value by our candidate alone.
 */
alone: number, 
/**
 * People left with one value by all together.
 */
breached: number, 
/**
 * Of these, people left with one value by the others without our candidate.
 */
already: number, 
/**
 * People who fit no group of the others.
 */
elsewhere: number, 
/**
 * Whether these are so many that the others' labels were more likely misread: nothing can be
 * told then.
 */
misread: boolean, 
/**
 * In words.
 */
summary: string, };

export type PublishRequest = { 
/**
 * Who asks.
 */
tab: string, 
/**
 * The policy.
 */
text: string, 
/**
 * A plain name within the folder that releases are written to.
 */
name: string, 
/**
 * Whether a release of that name is replaced.
 */
force: boolean, };

export type PublishEvent = { "event": "progress", 
/**
 * In a word.
 */
step: string, 
/**
 * Milliseconds since the request.
 */
elapsed: number, } | { "event": "published", 
/**
 * The folder.
 */
folder: string, 
/**
 * Its name, for [`ReportRequest`].
 */
name: string, 
/**
 * What the terminal would say.
 */
summary: string, 
/**
 * The command that does the same; null where the file does not hold this policy, and must
 * be saved first.
 */
command: string | null, 
/**
 * What the steward should know.
 */
warnings: Array<ProblemView>, } | { "event": "problem", 
/**
 * Why.
 */
problem: ProblemView, };

export type SaveRequest = { 
/**
 * The policy.
 */
text: string, 
/**
 * A plain name ending in `.toml`.
 */
name: string, 
/**
 * What this tab read from that file, or wrote to it, last; null if it did neither.
 */
base: string | null, 
/**
 * Whether a file that holds something else is replaced.
 */
force: boolean, };

export type SaveAnswer = { 
/**
 * Where.
 */
path: string, 
/**
 * The hierarchies and tables that were dropped and that the policy refers to, and where they
 * were copied.
 */
copied: Array<string>, 
/**
 * The command that publishes it.
 */
command: string, };

export type ReportRequest = { 
/**
 * Its name.
 */
name: string, };

export type ReportLinks = { 
/**
 * The one to hand out.
 */
public: string, 
/**
 * The one to keep.
 */
private: string, };
