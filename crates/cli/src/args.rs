//! The command line: one definition for parsing, help, man pages and completions.

use crate::commands::publish::on_cluster::cluster_address;
use crate::document;
use crate::examples;
use crate::message::{Exit, Problem};
use clap::{ArgMatches, Args, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use mingle_dp::Amount;
use mingle_privacy::Ratio;
use mingle_record::ProblemCode;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Publish one anonymized table together
///
/// mingle turns the tables of one or several providers and a policy into a
/// verified release: a table in which nobody can be singled out beyond what the
/// policy allows, with proof of what it protects against and what it costs.
#[derive(Parser, Debug)]
#[command(name = "mingle", version = VERSION, max_term_width = 80, arg_required_else_help = true, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

/// The version, and the commit if the build knew it; see build.rs.
const VERSION: &str = env!("MINGLE_VERSION");

const EXIT_CODES: &str = "\
Start with:
  mingle init patients.csv --out policy.toml
  mingle publish policy.toml --out release
  mingle verify release
  mingle help publish

Exit codes: 0 fine; 1 a finding (a constraint fails, no release can satisfy the
policy, or with --strict a warning); 2 wrong usage, policy or input; 3 the
partner or the network; 4 a limit or an undecided verdict.";

/// Flags of every command stand below the command's own.
const LAST: usize = 900;

/// Flags of every command.
#[derive(Args, Debug, Clone, Copy)]
pub struct Common {
    /// Print warnings and errors only
    #[arg(
        short,
        long,
        global = true,
        conflicts_with = "verbose",
        display_order = LAST
    )]
    pub quiet: bool,
    /// Print more about what is done
    #[arg(short, long, global = true, display_order = LAST)]
    pub verbose: bool,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Look at tables and propose a policy
    Init(Init),
    /// Anonymize, verify and write a release
    Publish(Publish),
    /// Add new rows to the groups of a published release
    Apply(Apply),
    /// Verify a release, or an anonymized table from any tool
    Verify(Verify),
    /// Show what a release says about itself
    Show(Show),
    /// Regenerate the reports of a release, or print one as PDF
    Report(Report),
    /// Sign a release, or make a key for signatures
    Sign(Sign),
    /// Measure how much detail a release has lost
    Measure(Measure),
    /// Simulate an attack: who could learn what about whom
    Attack(AttackCommand),
    /// Propose and check hierarchies: how values are generalized
    Hierarchy(HierarchyCommand),
    /// Track the versions of a table that is published repeatedly
    History(HistoryCommand),
    /// Publish with differential privacy: synthetic records or noisy counts
    Dp(DpCommand),
    /// Publish with partners, without anybody who sees all rows
    Site(SiteCommand),
    /// Open the local page in a browser: tables, sliders, risks, releases
    Serve(Serve),
    /// Generate synthetic tables to try things on
    Synth(Synth),
    /// Reproduce a paper's experiment
    Lab(Lab),
    /// Explain an error code
    Explain(Explain),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the manual page, or write those of all commands
    Man(Man),
}

#[derive(Args, Debug)]
pub struct Init {
    /// The tables; with several, each is one provider
    #[arg(required = true, value_name = "DATA")]
    pub data: Vec<PathBuf>,
    /// The policy to write [default: print it]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "out")]
    pub force: bool,
    /// The first line of every table is a header, even if it looks like a
    /// record
    #[arg(long, conflicts_with = "names")]
    pub header: bool,
    /// The tables have no header; name their columns
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub names: Vec<String>,
    /// Propose a policy for differential privacy, with a domain for every
    /// column; you must confirm that each domain is public knowledge
    #[arg(long)]
    pub domains: bool,
    /// Print the policy, its reasons and a dry run as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Publish {
    /// The policy file
    pub policy: PathBuf,
    /// The folder to write the release to
    #[arg(long, value_name = "DIR", required_unless_present = "dry_run")]
    pub out: Option<PathBuf>,
    /// Plan and measure, but write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Replace an existing release
    #[arg(long, requires = "out")]
    pub force: bool,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// How many threads to use; the result does not depend on it
    /// [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Treat every warning as a reason not to publish
    #[arg(long)]
    pub strict: bool,
    /// The policy's tables, in Parquet, are read by a cluster: sc://HOST:PORT
    /// or spark://HOST:PORT; needs the Python package
    #[arg(long, value_name = "CLUSTER", value_parser = cluster_address, conflicts_with_all = ["dry_run", "force", "json"])]
    pub on: Option<String>,
    /// Where the private part goes, instead of DIR/private
    #[arg(long, value_name = "DIR", requires = "on")]
    pub private: Option<PathBuf>,
    /// A folder that this machine and the cluster's executors see, for what
    /// executors hand over
    #[arg(long, value_name = "DIR", requires = "on")]
    pub staging: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub struct Apply {
    /// The release folder, with its private part
    pub release: PathBuf,
    /// Tables with the new rows; write NAME=TABLE to name the provider
    #[arg(required = true, value_name = "TABLE")]
    pub tables: Vec<String>,
    /// The policy of the release
    #[arg(long, value_name = "POLICY")]
    pub policy: PathBuf,
    /// The folder to write the new release to
    #[arg(long, value_name = "DIR", required_unless_present = "dry_run")]
    pub out: Option<PathBuf>,
    /// Plan and measure, but write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Replace an existing release
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Nobody received the earlier release, so nobody can compare the two
    #[arg(long)]
    pub never_handed_out: bool,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// How many threads to use; the result does not depend on it
    /// [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Treat every warning as a reason not to publish
    #[arg(long)]
    pub strict: bool,
}

/// Flags that change the policy.
#[derive(Args, Debug)]
pub struct Overrides {
    /// Override a policy key, such as privacy.k=10 (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Args, Debug)]
pub struct Verify {
    #[command(flatten)]
    pub subject: ReleaseOrTable,
    /// The policy that says what the table must satisfy
    #[arg(long, value_name = "POLICY", requires = "table")]
    pub policy: Option<PathBuf>,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Treat every warning as a failure
    #[arg(long)]
    pub strict: bool,
    /// Whose signature the release must have: the public key, in a file or as
    /// 64 digits (repeatable)
    #[arg(long, value_name = "KEY", conflicts_with = "table")]
    pub signed_by: Vec<String>,
}

#[derive(Args, Debug)]
pub struct Show {
    /// The release folder, or its public part
    pub release: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Report {
    /// The release folder, or its public part
    pub release: PathBuf,
    /// Write one report to this file instead of into the release
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write the private report, which has more and is not handed out
    #[arg(long, requires = "out")]
    pub private: bool,
    /// Write PDF, printed by a browser on this machine
    #[arg(long, requires = "out")]
    pub pdf: bool,
    /// Overwrite an existing file
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Sign {
    /// The folder of a release, or its public part
    #[arg(required_unless_present = "new_key", requires = "key")]
    pub release: Option<PathBuf>,
    /// The private key to sign with
    #[arg(long, value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// Make a key instead: FILE, which you keep, and FILE.pub
    #[arg(long, value_name = "FILE", conflicts_with_all = ["release", "key", "name", "drop_stale"])]
    pub new_key: Option<PathBuf>,
    /// Who you are, for readers; it stands in the release
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Remove signatures that do not fit the release
    #[arg(long)]
    pub drop_stale: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Measure {
    #[command(flatten)]
    pub subject: ReleaseOrTable,
    /// The policy that names the original tables
    #[arg(long, value_name = "POLICY")]
    pub policy: PathBuf,
    /// How many people the population has that the tables are a sample of
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub population: Option<u64>,
    /// The sensitive column that a model is to foretell, trained on the
    /// original and on the release
    #[arg(long, value_name = "COLUMN")]
    pub target: Option<String>,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct AttackCommand {
    /// Who attacks
    #[command(subcommand)]
    pub adversary: Adversary,
}

/// Who attacks.
#[derive(Subcommand, Debug)]
pub enum Adversary {
    /// Providers who remove their own records and study what is left
    Insider(AttackInsider),
    /// A reader who compares several releases about the same people
    Intersection(AttackIntersection),
    /// A reader who knows one sensitive column and looks for another
    BackgroundJoin(AttackBackgroundJoin),
    /// A reader who knows the method and reasons about its choices
    Minimality(AttackMinimality),
}

#[derive(Args, Debug)]
pub struct AttackInsider {
    #[command(flatten)]
    pub subject: ReleaseOrTable,
    /// The policy of the table; with a release, the policy that names the
    /// original tables: the attack then also reads the ends of ranges
    #[arg(long, value_name = "POLICY")]
    pub policy: Option<PathBuf>,
    #[command(flatten)]
    pub overrides: Overrides,
    /// The largest coalition to try [default: all providers but one, up to
    /// 10 or m]
    #[arg(long, value_name = "N")]
    pub up_to: Option<u64>,
    /// Show the sensitive value in the worked example
    #[arg(long)]
    pub show_values: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Write the exposure by coalition size as CSV
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write the smallest successful coalition of every group as CSV
    #[arg(long, value_name = "FILE")]
    pub groups: Option<PathBuf>,
    /// Draw the exposure by coalition size as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
pub struct AttackIntersection {
    /// Release folders, or anonymized tables from any tool; write
    /// TABLE=POLICY for a table with a policy of its own
    #[arg(required = true, value_name = "RELEASE")]
    pub releases: Vec<String>,
    /// The policy that describes the columns of the tables and the people
    #[arg(long, value_name = "POLICY")]
    pub policy: PathBuf,
    #[command(flatten)]
    pub overrides: Overrides,
    /// A table of the people the reader knows [default: the policy's tables]
    #[arg(long, value_name = "FILE")]
    pub population: Option<PathBuf>,
    /// A sensitive column to intersect (repeatable) [default: all columns that
    /// every release has]
    #[arg(long, value_name = "COLUMN")]
    pub sensitive: Vec<String>,
    /// A quasi-identifier that the reader does not know (repeatable)
    #[arg(long, value_name = "COLUMN")]
    pub without: Vec<String>,
    /// Which group the reader picks where several fit a person [default: try
    /// all, the worst decides]
    #[arg(long, value_name = "CHOICE")]
    pub choice: Option<ChoiceName>,
    /// Multiply the groups' frequencies and guess the most likely value
    #[arg(long)]
    pub probabilistic: bool,
    /// The largest share of people for whom only one value may remain
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    pub max_perfect_breach: Ratio,
    /// The fewest values that must remain for everybody
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub min_posterior: Option<u64>,
    /// Show the sensitive values that remain
    #[arg(long)]
    pub show_values: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Write what the worst reader learns about each person as CSV
    #[arg(long, value_name = "FILE")]
    pub per_person: Option<PathBuf>,
    /// Draw how many people's values are known at which confidence, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
}

/// Which of several groups that fit a person are taken.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum ChoiceName {
    /// All of them
    Union,
    /// The narrowest
    MostSpecific,
    /// The narrowest that holds the person's own value
    True,
}

/// A share between 0 and 1, exactly as written.
fn share(text: &str) -> Result<Ratio, String> {
    let share = Ratio::parse(text).filter(|&share| share <= Ratio::from(1));
    share.ok_or_else(|| "a share is a number between 0 and 1, such as 0.05".to_owned())
}

#[derive(Args, Debug)]
pub struct AttackBackgroundJoin {
    #[command(flatten)]
    pub subject: ReleaseOrTable,
    /// The policy that names the original, joined tables
    #[arg(long, value_name = "POLICY")]
    pub policy: PathBuf,
    #[command(flatten)]
    pub overrides: Overrides,
    /// A sensitive column that the reader knows (repeatable) [default: each in
    /// turn]
    #[arg(long, value_name = "COLUMN")]
    pub knows: Vec<String>,
    /// A quasi-identifier that the reader knows (repeatable) [default: all]
    #[arg(long, value_name = "COLUMN")]
    pub quasi_identifier: Vec<String>,
    /// Show sensitive values in the worked example
    #[arg(long)]
    pub show_values: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Write what every reader learns as CSV
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw how sure the reader is about how many people, as SVG
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
pub struct AttackMinimality {
    #[command(flatten)]
    pub subject: ReleaseOrTable,
    /// The policy that names the original tables
    #[arg(long, value_name = "POLICY")]
    pub policy: PathBuf,
    #[command(flatten)]
    pub overrides: Overrides,
    /// How sure of a value a reader must be for it to count as inferred
    #[arg(long, value_name = "P", default_value_t = 0.9)]
    pub confidence: f64,
    /// Show the sensitive value in the worked example
    #[arg(long)]
    pub show_values: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// Write what every reader infers at each confidence as CSV
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    pub force: bool,
}

/// What is looked at: a release, or a table that any tool has made.
#[derive(Args, Debug)]
pub struct ReleaseOrTable {
    /// The release folder
    #[arg(required_unless_present = "table", conflicts_with = "table")]
    pub release: Option<PathBuf>,
    /// An anonymized table from any tool, instead of a release
    #[arg(long, value_name = "FILE", requires = "policy")]
    pub table: Option<PathBuf>,
}

impl ReleaseOrTable {
    /// What is read, and must not be overwritten.
    pub fn read(&self) -> Vec<&Path> {
        let mut read: Vec<&Path> = Vec::new();
        read.extend(self.table.as_deref());
        read.extend(self.release.as_deref());
        read
    }
}

#[derive(Args, Debug)]
pub struct HierarchyCommand {
    /// What to do
    #[command(subcommand)]
    pub step: HierarchyStep,
}

/// What is done with hierarchies.
#[derive(Subcommand, Debug)]
pub enum HierarchyStep {
    /// Propose a hierarchy for a column from the form of its values
    Propose(HierarchyPropose),
    /// Check what hierarchies do to their columns, and what is weak
    Check(HierarchyCheck),
}

#[derive(Args, Debug)]
pub struct HierarchyPropose {
    /// The table
    pub table: PathBuf,
    /// The column
    #[arg(long, value_name = "NAME")]
    pub column: String,
    /// Read the table as this policy says
    #[arg(long, value_name = "POLICY")]
    pub policy: Option<PathBuf>,
    /// Also write the hierarchy as a file. It contains the column's values:
    /// protect it like the table
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct HierarchyCheck {
    /// The policy with the hierarchies
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    pub policy: Option<PathBuf>,
    /// A hierarchy file to check instead
    #[arg(long, value_name = "FILE", requires = "table", requires = "column")]
    pub file: Option<PathBuf>,
    /// The table that the file is for
    #[arg(long, value_name = "TABLE", requires = "file")]
    pub table: Option<PathBuf>,
    /// The column to check [default: all with a hierarchy]
    #[arg(long, value_name = "NAME")]
    pub column: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct HistoryCommand {
    /// What to do
    #[command(subcommand)]
    pub step: HistoryStep,
}

/// What is done with a history.
#[derive(Subcommand, Debug)]
pub enum HistoryStep {
    /// Create an empty history
    Init(HistoryInit),
    /// Show the versions and what changed between them
    List(HistoryList),
    /// Simulate a reader who compares all versions
    Check(HistoryCheck),
    /// Add a release that was published without the history
    Add(HistoryAdd),
    /// Remove a version
    Forget(HistoryForget),
}

#[derive(Args, Debug)]
pub struct HistoryInit {
    /// The folder to create; keep it private
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct HistoryList {
    /// The history
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct HistoryCheck {
    /// The history
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The largest share of people for whom only one value may remain
    /// [default: 0 if no limit is given]
    #[arg(long, value_name = "SHARE")]
    pub max_perfect_breach: Option<String>,
    /// The fewest values that must remain for everybody
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub min_posterior: Option<u64>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct HistoryAdd {
    /// The history
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The release folder
    pub release: PathBuf,
    /// The policy that names the original tables
    #[arg(long, value_name = "POLICY")]
    pub policy: PathBuf,
    #[command(flatten)]
    pub overrides: Overrides,
    /// The identifier that tells people apart [default: `person` in
    /// `[composition]`]
    #[arg(long, value_name = "COLUMN")]
    pub person: Option<String>,
    /// A name for the version [default: v and a number]
    #[arg(long, value_name = "NAME")]
    pub label: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct HistoryForget {
    /// The history
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The version's label
    #[arg(required_unless_present = "pending")]
    pub version: Option<String>,
    /// Instead of a version, remove a release that was announced but never
    /// recorded; you confirm that it was never handed out
    #[arg(long, conflicts_with_all = ["version", "yes"])]
    pub pending: bool,
    /// Confirm that later versions are checked without this one
    #[arg(long)]
    pub yes: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct DpCommand {
    /// What to do
    #[command(subcommand)]
    pub step: DpStep,
}

/// What is done with noise, and with its budget.
#[derive(Subcommand, Debug)]
pub enum DpStep {
    /// Release synthetic records that follow noisy counts
    Synthetic(DpRelease),
    /// Release noisy tables of counts over one to three columns
    Marginals(DpRelease),
    /// Release the full table of counts with noise
    Histogram(DpRelease),
    /// Show or create a ledger: the privacy budget of one data set
    Budget(DpBudget),
    /// Add up the privacy loss of several releases about the same people
    Compose(DpCompose),
}

#[derive(Args, Debug)]
pub struct DpRelease {
    /// The policy file, with a `[dp]` section
    pub policy: PathBuf,
    /// The folder to write the release to
    #[arg(long, value_name = "DIR", required_unless_present = "dry_run")]
    pub out: Option<PathBuf>,
    /// Show what would be done: spend, draw and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Replace an existing release
    #[arg(long, requires = "out")]
    pub force: bool,
    /// The privacy loss of this release, instead of the policy's
    #[arg(
        long,
        value_name = "E",
        conflicts_with = "rho",
        allow_hyphen_values = true
    )]
    pub epsilon: Option<String>,
    /// The probability for which nothing is promised; 0 for pure ε
    #[arg(
        long,
        value_name = "D",
        conflicts_with = "rho",
        allow_hyphen_values = true
    )]
    pub delta: Option<String>,
    /// Zero-concentrated differential privacy, instead of ε and δ
    #[arg(long, value_name = "R", allow_hyphen_values = true)]
    pub rho: Option<String>,
    /// The ledger to spend from, instead of the policy's
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
    /// How many threads to use [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Treat every warning as a reason not to release
    #[arg(long)]
    pub strict: bool,
}

#[derive(Args, Debug)]
pub struct DpBudget {
    /// The ledger
    #[arg(value_name = "FILE")]
    pub ledger: PathBuf,
    /// Create a new ledger; an existing one is never overwritten
    #[arg(long)]
    pub create: bool,
    /// The limit on ε for all releases together
    #[arg(long, value_name = "E", requires = "create", conflicts_with = "rho", value_parser = amount, allow_hyphen_values = true)]
    pub epsilon: Option<Amount>,
    /// The limit on δ for all releases together [default: 0, Laplace noise]
    #[arg(long, value_name = "D", requires = "epsilon", conflicts_with = "rho", value_parser = amount, allow_hyphen_values = true)]
    pub delta: Option<Amount>,
    /// The limit on ρ for all releases together, instead of ε and δ
    #[arg(long, value_name = "R", requires = "create", value_parser = amount, allow_hyphen_values = true)]
    pub rho: Option<Amount>,
    /// How releases add up [default: concentrated with δ, else basic]
    #[arg(long, value_name = "RULE", requires = "delta", conflicts_with = "rho")]
    pub accounting: Option<AccountingName>,
    /// The name of the data set
    #[arg(long, value_name = "TEXT", requires = "create")]
    pub name: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// How the releases of a ledger are added up.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum AccountingName {
    /// ε and δ are added up
    Basic,
    /// ρ is added up, which allows more releases
    Concentrated,
}

#[derive(Args, Debug)]
pub struct DpCompose {
    /// Differentially private releases and ledgers about the same people
    #[arg(required = true, value_name = "RELEASE|LEDGER")]
    pub parts: Vec<PathBuf>,
    /// The δ at which to state ε [default: the sum of the releases' own, or
    /// 1e-9]
    #[arg(long, value_name = "D", value_parser = amount, allow_hyphen_values = true)]
    pub delta: Option<Amount>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// A privacy parameter, exactly as written.
fn amount(text: &str) -> Result<Amount, String> {
    Amount::parse(text).ok_or_else(|| {
        "must be a number such as 0.5 or 1e-9, from 0 to 100000000, with at most 30 decimal places".to_owned()
    })
}

#[derive(Args, Debug)]
pub struct SiteCommand {
    /// What to do
    #[command(subcommand)]
    pub step: SiteStep,
}

/// What a site does, in this order.
#[derive(Subcommand, Debug)]
pub enum SiteStep {
    /// Create a key, a certificate and a site.toml to fill in
    Init(SiteInit),
    /// Print this site's fingerprint, to read to the partner
    Fingerprint(SiteFingerprint),
    /// Pin the partner's certificate
    Trust(SiteTrust),
    /// Print an invitation for three or more providers of one table
    Invite(SiteInvite),
    /// Accept an invitation of several providers
    Join(SiteJoin),
    /// Run the board that relays messages, which it cannot read
    Board(SiteBoard),
    /// Publish together; every site runs this
    Run(SiteRun),
    /// Verify an existing table together with its other providers; every one runs this
    Verify(SiteVerify),
    /// Run all sites on this machine, with the patients of the papers
    Demo(SiteDemo),
}

#[derive(Args, Debug)]
#[command(
    override_usage = "mingle site invite --board HOST:PORT \\\n           --board-certificate FILE NAME=CERTIFICATE..."
)]
pub struct SiteInvite {
    /// A name and a certificate for each provider, in the order of their seats
    #[arg(value_name = "NAME=CERTIFICATE", required = true)]
    pub providers: Vec<String>,
    /// The address at which providers reach the board
    #[arg(long, value_name = "HOST:PORT")]
    pub board: String,
    /// The board's certificate
    #[arg(long, value_name = "FILE")]
    pub board_certificate: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteJoin {
    /// The settings of this site
    #[arg(value_name = "SITE_TOML")]
    pub settings: PathBuf,
    /// The invitation, one line of text
    #[arg(value_name = "INVITATION")]
    pub invitation: String,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteBoard {
    /// The folder with the board's site.key and site.crt, from `mingle site init`
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The address to listen on
    #[arg(long, value_name = "HOST:PORT", default_value = "0.0.0.0:7447")]
    pub listen: String,
    /// Close a connection after this many seconds of silence
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(10..=3600))]
    pub silence: u64,
    /// The most runs at the same time
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub runs: u32,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteInit {
    /// The folder to create
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The name of this site; the release shows it
    #[arg(long)]
    pub name: String,
    /// How many days the certificate is valid
    #[arg(long, value_name = "N", default_value_t = 730, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub days: u32,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteFingerprint {
    /// The settings of this site
    #[arg(value_name = "SITE_TOML")]
    pub settings: PathBuf,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteTrust {
    /// The settings of this site
    #[arg(value_name = "SITE_TOML")]
    pub settings: PathBuf,
    /// The fingerprint that the partner reads out: sha256: and 64 digits
    #[arg(
        required_unless_present = "certificate",
        conflicts_with = "certificate"
    )]
    pub fingerprint: Option<String>,
    /// The partner's certificate, if it reached you by a way you trust
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteRun {
    /// The settings of this site
    #[arg(value_name = "SITE_TOML")]
    pub settings: PathBuf,
    /// The folder to write the release to, instead of `out` in the settings
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace an existing release and start over
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// Any tool may have made the table. Nobody shows who contributed what.
#[derive(Args, Debug)]
pub struct SiteVerify {
    /// The site's settings
    #[arg(value_name = "SITE_TOML")]
    pub settings: PathBuf,
    /// The published table
    #[arg(long, value_name = "FILE")]
    pub table: PathBuf,
    /// Which of its rows are this provider's, with the labels as published
    #[arg(long, value_name = "FILE")]
    pub own: PathBuf,
    /// The file to write what was found to, signed by all [default: verification.json]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace an existing file, and start again
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteDemo {
    /// How to combine the two partitions [default: each in turn]
    #[arg(long, value_name = "NAME", conflicts_with = "horizontal")]
    pub synchronizer: Option<SynchronizerName>,
    /// Run four hospitals with rows of one table, and a board
    #[arg(long, conflicts_with = "json")]
    pub horizontal: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// How two partitions become one.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum SynchronizerName {
    /// Publish the intersections, once each has k people
    Dpp2ga,
    /// Generalize until both are equal
    Identity,
    /// Keep equal classes, generalize the others
    Fork,
    /// Publish the finest common coarsening
    Merge,
    /// Start from the intersections, merge those that fail
    Repair,
}

/// The page is for one user on this machine: it listens on 127.0.0.1 only, and
/// its link works once. No data leaves the machine.
#[derive(Args, Debug)]
pub struct Serve {
    /// The policy to open; without one, drop tables on the page
    #[arg(value_name = "POLICY")]
    pub policy: Option<PathBuf>,
    /// The folder for releases and policies [default: the policy's folder, or
    /// the current one]
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// The port; 0 takes any that is free
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// The largest file that may be dropped on the page, such as 500M or 4G
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = size)]
    pub max_upload: Size,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub u64);

/// Reads `500M`.
fn size(text: &str) -> Result<Size, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let factor = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return Err("write a number with K, M or G behind it".to_owned()),
    };
    let bytes = digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(factor));
    bytes
        .filter(|&bytes| bytes > 0)
        .map(Size)
        .ok_or_else(|| "write a number above 0, such as 500M".to_owned())
}

#[derive(Args, Debug)]
pub struct Synth {
    /// What the table is about
    pub kind: SynthKind,
    /// The number of rows
    #[arg(long, value_name = "N")]
    pub rows: u64,
    /// The number of providers; with one there is no provider column
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub providers: u32,
    /// How the rows are spread over the providers
    #[arg(long, default_value = "uniform")]
    pub distribution: SynthDistribution,
    /// The average number of visits per patient of `hospital`; one patient in
    /// five may go to two providers [default: one row per patient]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub visits: Option<u32>,
    /// The random seed
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// The file to write, ending in .csv or .parquet
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    pub force: bool,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

/// Which table is made up.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum SynthKind {
    /// People, with occupation as the sensitive column
    Census,
    /// Patients, with dates of birth, ZIP codes and diagnoses
    Hospital,
    /// People of Los Angeles, with occupation, industry and income
    IpumsLike,
}

/// How rows are spread over providers.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum SynthDistribution {
    /// All providers are equally large
    Uniform,
    /// Few large providers, many small ones
    Exponential,
}

#[derive(Args, Debug)]
pub struct Lab {
    /// The experiment; leave it out to list all
    pub name: Option<String>,
    /// A folder with adult/adult_all_clean.csv [default: synthetic rows]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The folder for results.csv and the figures [default: lab/NAME]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Measure less, in under a minute
    #[arg(long)]
    pub quick: bool,
    /// Measure hardly anything: for tests
    #[arg(long, hide = true, conflicts_with = "quick")]
    pub smoke: bool,
    /// The random seed
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Explain {
    /// A code such as MG0103; leave it out to list all
    pub code: Option<String>,
    /// Print the result as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

#[derive(Args, Debug)]
pub struct Man {
    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Parses the command line; help goes to standard output, mistakes to standard error, and with
/// `--json` to standard output as well.
pub fn parse() -> Result<Cli, Exit> {
    let parsed = examples::command().try_get_matches().and_then(|matches| {
        if asks_for_json(&matches) {
            document::ask_for_json();
        }
        Cli::from_arg_matches(&matches)
    });
    parsed.map_err(|error| not_parsed(&error))
}

/// Whether the command that was given has `--json`, and it was given.
fn asks_for_json(matches: &ArgMatches) -> bool {
    let mut command = matches;
    while let Some((_, below)) = command.subcommand() {
        command = below;
    }
    matches!(command.try_get_one::<bool>("json"), Ok(Some(true)))
}

fn not_parsed(error: &clap::Error) -> Exit {
    let text = error.render().to_string();
    if !error.use_stderr() {
        let _ = std::io::stdout().lock().write_all(text.as_bytes());
        return Exit::Fine;
    }
    let coded = text.replacen("error:", &format!("error[{}]:", ProblemCode::Usage), 1);
    // the hint below says so, with the command's name
    let coded = coded.replace("\nFor more information, try '--help'.\n", "");
    let coded = coded.replace("invalid digit found in string", "not a whole number");
    let hint = if coded.starts_with("error") {
        format!("hint: {}\n", usage_hint(&text))
    } else {
        String::new()
    };
    let _ = std::io::stderr()
        .lock()
        .write_all(format!("{coded}{hint}").as_bytes());
    // what cannot be parsed does not say what was asked for: a look at the words has to do
    let mut words = std::env::args_os().skip(1).take_while(|word| word != "--");
    if words.any(|word| word == "--json") {
        document::ask_for_json();
        document::print_error(&usage(&text));
    }
    Exit::Usage
}

/// Where the command's arguments and examples are, from the usage line below a mistake.
fn usage_hint(text: &str) -> String {
    let usage = text
        .lines()
        .find_map(|line| line.strip_prefix("Usage: mingle"));
    let mut command = String::from("mingle");
    for word in usage.unwrap_or_default().split_whitespace() {
        if !word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
            || word.starts_with('-')
        {
            break;
        }
        command.push(' ');
        command.push_str(word);
    }
    if command == "mingle" {
        command.push_str(" COMMAND");
    }
    format!("`{command} --help` lists its arguments, with examples")
}

/// What clap says, up to the first empty line: below are the usage and the help.
fn usage(text: &str) -> Problem {
    let said = match text.strip_prefix("error: ") {
        Some(said) => said.split("\n\n").next().unwrap_or_default(),
        None => "a command is missing",
    };
    let mut words = Vec::new();
    for line in said.lines() {
        words.push(line.trim());
    }
    Problem::new(ProblemCode::Usage, words.join(" "), usage_hint(text))
}
