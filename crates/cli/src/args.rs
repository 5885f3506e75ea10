//! The command line: one definition for parsing, help, man pages and completions.

use crate::document;
use crate::message::{Exit, Problem};
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
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
#[command(name = "mingle", version, max_term_width = 80, arg_required_else_help = true, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 fine; 1 a finding (a constraint fails, no release can satisfy the
policy, or with --strict a warning); 2 wrong usage, policy or input; 3 the
partner or the network; 4 a limit or an undecided verdict.";

/// Flags of every command.
#[derive(Args, Debug, Clone, Copy)]
pub struct Common {
    /// Print warnings and errors only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Print more about what is done
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Look at tables and propose a policy
    Init(Init),
    /// Anonymize, verify and write a release
    Publish(Publish),
    /// Put new rows into the groups of a release
    Apply(Apply),
    /// Check a release, or any anonymized table
    Verify(Verify),
    /// Show what a release says about itself
    Show(Show),
    /// Write the reports of a release anew
    Report(Report),
    /// Sign a release, or make a key for signatures
    Sign(Sign),
    /// Measure what a release has lost against its original
    Measure(Measure),
    /// Play the adversary: who could learn what
    Attack(AttackCommand),
    /// Propose and check how values become less precise
    Hierarchy(HierarchyCommand),
    /// Keep and check the versions of a table that is published again and again
    History(HistoryCommand),
    /// Publish with noise: releases that bound what anyone can learn
    Dp(DpCommand),
    /// Publish with a partner who holds other columns
    Site(SiteCommand),
    /// Open the local page: tables, sliders, risks and releases in a browser
    Serve(Serve),
    /// Make up realistic data
    Synth(Synth),
    /// Repeat a paper's experiment
    Lab(Lab),
    /// Explain an error code
    Explain(Explain),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the manual page
    Man(Man),
}

#[derive(Args, Debug)]
pub struct Init {
    /// Tables to look at; several tables are one provider each
    #[arg(required = true, value_name = "DATA")]
    pub data: Vec<PathBuf>,
    /// Where to write the policy, instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "out")]
    pub force: bool,
    /// The first line of every table names its columns, though it may look
    /// like a record
    #[arg(long, conflicts_with = "names")]
    pub header: bool,
    /// The tables have no header: these are the names of their columns
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    pub names: Vec<String>,
    /// Propose a policy for releases with noise: a domain for every column,
    /// from the data, each to be vouched for
    #[arg(long)]
    pub domains: bool,
    /// Print a JSON document with the policy, its reasons and a dry run
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Publish {
    /// The policy
    pub policy: PathBuf,
    /// The folder to write the release to
    #[arg(long, value_name = "DIR", required_unless_present = "dry_run")]
    pub out: Option<PathBuf>,
    /// Do everything but write
    #[arg(long)]
    pub dry_run: bool,
    /// Replace an existing release
    #[arg(long, requires = "out")]
    pub force: bool,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
    /// How many threads to use; the result is the same for any number [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Publish nothing if there is a warning
    #[arg(long)]
    pub strict: bool,
}

#[derive(Args, Debug)]
pub struct Apply {
    /// The folder of the release, with its private part
    pub release: PathBuf,
    /// Tables with the new rows; NAME=TABLE says whose rows they are
    #[arg(required = true, value_name = "TABLE")]
    pub tables: Vec<String>,
    /// The policy that the release was made by
    #[arg(long, value_name = "POLICY")]
    pub policy: PathBuf,
    /// The folder to write the new release to
    #[arg(long, value_name = "DIR", required_unless_present = "dry_run")]
    pub out: Option<PathBuf>,
    /// Do everything but write
    #[arg(long)]
    pub dry_run: bool,
    /// Replace an existing release
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Nobody has the earlier release, so nobody can subtract it from the new
    /// one
    #[arg(long)]
    pub never_handed_out: bool,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
    /// How many threads to use; the result is the same for any number [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Publish nothing if there is a warning
    #[arg(long)]
    pub strict: bool,
}

/// Flags that change the policy.
#[derive(Args, Debug)]
pub struct Overrides {
    /// Override a key of the policy, such as privacy.k=10 (repeatable)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
}

#[derive(Args, Debug)]
pub struct Verify {
    #[command(flatten)]
    pub subject: ReleaseOrTable,
    /// The policy to check a table against
    #[arg(long, value_name = "POLICY", requires = "table")]
    pub policy: Option<PathBuf>,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
    /// Take every warning for a finding
    #[arg(long)]
    pub strict: bool,
    /// Whose signature the release must have: the public key, in a file or as
    /// 64 digits (repeatable)
    #[arg(long, value_name = "KEY", conflicts_with = "table")]
    pub signed_by: Vec<String>,
}

#[derive(Args, Debug)]
pub struct Show {
    /// The folder of a release, or its public part
    pub release: PathBuf,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Report {
    /// The folder of a release, or its public part
    pub release: PathBuf,
    /// Write one report to this file, and leave the release as it is
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The fuller report, which stays with the steward
    #[arg(long, requires = "out")]
    pub private: bool,
    /// Write it as PDF, printed by a browser of this machine
    #[arg(long, requires = "out")]
    pub pdf: bool,
    /// Overwrite an existing file
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Print a JSON document
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
    /// Print a JSON document
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
    /// Print a JSON document
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
    /// Providers who take out their own records and look at what is left
    Insider(AttackInsider),
    /// A reader who lays several releases about the same people side by side
    Intersection(AttackIntersection),
    /// A site that recognizes its own sensitive values in a joined table
    BackgroundJoin(AttackBackgroundJoin),
    /// A reader who knows the method, and what it would not have done unasked
    Minimality(AttackMinimality),
}

#[derive(Args, Debug)]
pub struct AttackInsider {
    #[command(flatten)]
    pub subject: ReleaseOrTable,
    /// The policy of a table; with a release, the policy that names the
    /// original tables, to look at what the ends of ranges give away
    #[arg(long, value_name = "POLICY")]
    pub policy: Option<PathBuf>,
    #[command(flatten)]
    pub overrides: Overrides,
    /// The largest coalition to play [default: all providers but one, at most
    /// 10 or m]
    #[arg(long, value_name = "N")]
    pub up_to: Option<u64>,
    /// Show the sensitive value in the worked inference
    #[arg(long)]
    pub show_values: bool,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
    /// Write the exposure by size of the coalition as CSV
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write the smallest coalition of every group as CSV
    #[arg(long, value_name = "FILE")]
    pub groups: Option<PathBuf>,
    /// Draw the exposure by size of the coalition
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
}

#[derive(Args, Debug)]
pub struct AttackIntersection {
    /// Releases: folders, or anonymized tables of any tool; a table with a
    /// policy of its own is TABLE=POLICY
    #[arg(required = true, value_name = "RELEASE")]
    pub releases: Vec<String>,
    /// The policy that says what the columns of tables and people are
    #[arg(long, value_name = "POLICY")]
    pub policy: PathBuf,
    #[command(flatten)]
    pub overrides: Overrides,
    /// The people whom the reader knows [default: the policy's tables]
    #[arg(long, value_name = "FILE")]
    pub population: Option<PathBuf>,
    /// A sensitive column to intersect (repeatable) [default: all that every
    /// release has]
    #[arg(long, value_name = "COLUMN")]
    pub sensitive: Vec<String>,
    /// A quasi-identifier that the reader does not know (repeatable)
    #[arg(long, value_name = "COLUMN")]
    pub without: Vec<String>,
    /// Which of several groups that fit a person the reader takes [default: all
    /// readers are played, the worst decides]
    #[arg(long, value_name = "CHOICE")]
    pub choice: Option<ChoiceName>,
    /// Multiply the groups' frequencies and take the likeliest value
    #[arg(long)]
    pub probabilistic: bool,
    /// The largest share of people of whom a single value may be left
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    pub max_perfect_breach: Ratio,
    /// The fewest values that must be left of everybody
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub min_posterior: Option<u64>,
    /// Show sensitive values that are left
    #[arg(long)]
    pub show_values: bool,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
    /// Write what the worst reader learns about each person as CSV
    #[arg(long, value_name = "FILE")]
    pub per_person: Option<PathBuf>,
    /// Draw at which confidence how many people's values are known
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
    /// A sensitive column that the site knows (repeatable) [default: each in
    /// turn]
    #[arg(long, value_name = "COLUMN")]
    pub knows: Vec<String>,
    /// A quasi-identifier that the site knows (repeatable) [default: all]
    #[arg(long, value_name = "COLUMN")]
    pub quasi_identifier: Vec<String>,
    /// Show sensitive values in the worked inference
    #[arg(long)]
    pub show_values: bool,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
    /// Write what every reader learns as CSV
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Draw how many people's values are how likely
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
    /// How sure the reader must be of a value to have inferred it
    #[arg(long, value_name = "P", default_value_t = 0.9)]
    pub confidence: f64,
    /// Show the sensitive value in the worked inference
    #[arg(long)]
    pub show_values: bool,
    /// Print a JSON document
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
    /// The folder of a release
    #[arg(required_unless_present = "table", conflicts_with = "table")]
    pub release: Option<PathBuf>,
    /// An anonymized table, made by any tool
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
    /// Propose a hierarchy for a column, by the form of its values
    Propose(HierarchyPropose),
    /// Say what hierarchies do to their columns, and what is weak about them
    Check(HierarchyCheck),
}

#[derive(Args, Debug)]
pub struct HierarchyPropose {
    /// The table to look at
    pub table: PathBuf,
    /// The column
    #[arg(long, value_name = "NAME")]
    pub column: String,
    /// Read the table as this policy says
    #[arg(long, value_name = "POLICY")]
    pub policy: Option<PathBuf>,
    /// Write the hierarchy as a file too. It holds the column's values: keep it
    /// as you keep the table
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct HierarchyCheck {
    /// The policy whose hierarchies to check
    #[arg(required_unless_present = "file", conflicts_with = "file")]
    pub policy: Option<PathBuf>,
    /// A hierarchy file to check instead
    #[arg(long, value_name = "FILE", requires = "table", requires = "column")]
    pub file: Option<PathBuf>,
    /// The table that the file is for
    #[arg(long, value_name = "TABLE", requires = "file")]
    pub table: Option<PathBuf>,
    /// The column to check [default: all that have a hierarchy]
    #[arg(long, value_name = "NAME")]
    pub column: Option<String>,
    /// Print a JSON document
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
    /// Make an empty history
    Init(HistoryInit),
    /// Show the versions and what changed between them
    List(HistoryList),
    /// Play a reader who compares all versions
    Check(HistoryCheck),
    /// Add a release that was published without the history
    Add(HistoryAdd),
    /// Take a version out
    Forget(HistoryForget),
}

#[derive(Args, Debug)]
pub struct HistoryInit {
    /// The folder to make; it is private
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct HistoryList {
    /// The history
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct HistoryCheck {
    /// The history
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The largest share of people of whom a single value may be left
    /// [default: 0 where no limit is given]
    #[arg(long, value_name = "SHARE")]
    pub max_perfect_breach: Option<String>,
    /// The fewest values that must be left of everybody
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub min_posterior: Option<u64>,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct HistoryAdd {
    /// The history
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The folder of the release
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
    /// What to call the version [default: v and a number]
    #[arg(long, value_name = "NAME")]
    pub label: Option<String>,
    /// Print a JSON document
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
    /// Instead of a version: the release that a run announced and did not record. Says that it was
    /// never handed out
    #[arg(long, conflicts_with_all = ["version", "yes"])]
    pub pending: bool,
    /// Yes, later versions shall be looked at without it
    #[arg(long)]
    pub yes: bool,
    /// Print a JSON document
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
    /// Release made-up records that follow noisy counts
    Synthetic(DpRelease),
    /// Release noisy tables of counts over one to three columns
    Marginals(DpRelease),
    /// Release the noisy full table of counts
    Histogram(DpRelease),
    /// Show or make a ledger: the budget of one protected data set
    Budget(DpBudget),
    /// Say what several releases about the same people amount to
    Compose(DpCompose),
}

#[derive(Args, Debug)]
pub struct DpRelease {
    /// The policy, with a `dp` section
    pub policy: PathBuf,
    /// The folder to write the release to
    #[arg(long, value_name = "DIR", required_unless_present = "dry_run")]
    pub out: Option<PathBuf>,
    /// Show what would be done; nothing is spent, drawn or written
    #[arg(long)]
    pub dry_run: bool,
    /// Replace an existing release
    #[arg(long, requires = "out")]
    pub force: bool,
    /// What this release may tell about a person, instead of the policy's
    #[arg(
        long,
        value_name = "E",
        conflicts_with = "rho",
        allow_hyphen_values = true
    )]
    pub epsilon: Option<String>,
    /// The probability about which nothing is promised; 0 for pure ε
    #[arg(
        long,
        value_name = "D",
        conflicts_with = "rho",
        allow_hyphen_values = true
    )]
    pub delta: Option<String>,
    /// Instead of ε and δ: zero-concentrated differential privacy
    #[arg(long, value_name = "R", allow_hyphen_values = true)]
    pub rho: Option<String>,
    /// The ledger to spend from, instead of the policy's
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
    /// How many threads to use [default: all processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Release nothing if the policy or the ledger gives a warning
    #[arg(long)]
    pub strict: bool,
}

#[derive(Args, Debug)]
pub struct DpBudget {
    /// The ledger
    #[arg(value_name = "FILE")]
    pub ledger: PathBuf,
    /// Make a new ledger; an existing one is never overwritten
    #[arg(long)]
    pub create: bool,
    /// The largest ε of all releases together
    #[arg(long, value_name = "E", requires = "create", conflicts_with = "rho", value_parser = amount, allow_hyphen_values = true)]
    pub epsilon: Option<Amount>,
    /// The largest δ of all releases together [default: 0, noise is Laplace]
    #[arg(long, value_name = "D", requires = "epsilon", conflicts_with = "rho", value_parser = amount, allow_hyphen_values = true)]
    pub delta: Option<Amount>,
    /// Instead of ε and δ: the largest ρ of all releases together
    #[arg(long, value_name = "R", requires = "create", value_parser = amount, allow_hyphen_values = true)]
    pub rho: Option<Amount>,
    /// How releases are added up [default: concentrated with δ, else basic]
    #[arg(long, value_name = "RULE", requires = "delta", conflicts_with = "rho")]
    pub accounting: Option<AccountingName>,
    /// What the data set is called
    #[arg(long, value_name = "TEXT", requires = "create")]
    pub name: Option<String>,
    /// Print a JSON document
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
    /// Differentially private releases, and ledgers, about the same people
    #[arg(required = true, value_name = "RELEASE|LEDGER")]
    pub parts: Vec<PathBuf>,
    /// The δ at which to state ε [default: the sum of the releases' own, or
    /// 1e-9]
    #[arg(long, value_name = "D", value_parser = amount, allow_hyphen_values = true)]
    pub delta: Option<Amount>,
    /// Print a JSON document
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
    /// Make a key, a certificate and a site.toml to fill in
    Init(SiteInit),
    /// Print this site's fingerprint, to be read to the partner
    Fingerprint(SiteFingerprint),
    /// Pin the partner's certificate
    Trust(SiteTrust),
    /// Invite providers with rows of the same table: print one text for all of them
    Invite(SiteInvite),
    /// Accept an invitation of several providers
    Join(SiteJoin),
    /// Relay between providers: the board sees no contents and decides nothing
    Board(SiteBoard),
    /// Publish together: every site runs this
    Run(SiteRun),
    /// Play all sites with the papers' patients
    Demo(SiteDemo),
}

#[derive(Args, Debug)]
#[command(
    override_usage = "mingle site invite --board HOST:PORT \\\n           --board-certificate FILE NAME=CERTIFICATE..."
)]
pub struct SiteInvite {
    /// The providers in the order of their seats: a name and the certificate that came from it
    #[arg(value_name = "NAME=CERTIFICATE", required = true)]
    pub providers: Vec<String>,
    /// Where providers reach the board
    #[arg(long, value_name = "HOST:PORT")]
    pub board: String,
    /// The board's certificate
    #[arg(long, value_name = "FILE")]
    pub board_certificate: PathBuf,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteJoin {
    /// The site's settings
    #[arg(value_name = "SITE_TOML")]
    pub settings: PathBuf,
    /// The text of the invitation
    #[arg(value_name = "INVITATION")]
    pub invitation: String,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteBoard {
    /// The folder with the board's site.key and site.crt, which `mingle site init` makes
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Where to be called
    #[arg(long, value_name = "HOST:PORT", default_value = "0.0.0.0:7447")]
    pub listen: String,
    /// Seconds without a byte before a connection is given up
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(10..=3600))]
    pub silence: u64,
    /// Runs at the same time
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub runs: u32,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteInit {
    /// The folder to write to
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The site's name, which the release will show
    #[arg(long)]
    pub name: String,
    /// How many days the certificate is valid
    #[arg(long, value_name = "N", default_value_t = 730, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub days: u32,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteFingerprint {
    /// The site's settings
    #[arg(value_name = "SITE_TOML")]
    pub settings: PathBuf,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteTrust {
    /// The site's settings
    #[arg(value_name = "SITE_TOML")]
    pub settings: PathBuf,
    /// What the partner reads out: sha256: and 64 digits
    #[arg(
        required_unless_present = "certificate",
        conflicts_with = "certificate"
    )]
    pub fingerprint: Option<String>,
    /// The partner's certificate, if it came on a way that you trust
    #[arg(long, value_name = "FILE")]
    pub certificate: Option<PathBuf>,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteRun {
    /// The site's settings
    #[arg(value_name = "SITE_TOML")]
    pub settings: PathBuf,
    /// The folder to write the release to, instead of `out` in the settings
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace an existing release, and start anew
    #[arg(long)]
    pub force: bool,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct SiteDemo {
    /// How the two partitions become one [default: all, one after the other]
    #[arg(long, value_name = "NAME", conflicts_with = "horizontal")]
    pub synchronizer: Option<SynchronizerName>,
    /// Play four hospitals with rows of one table, and a board
    #[arg(long, conflicts_with = "json")]
    pub horizontal: bool,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

/// How two partitions become one.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum SynchronizerName {
    /// Publish the intersections once each has k people
    Dpp2ga,
    /// Generalize until both are equal
    Identity,
    /// Freeze equal classes, generalize the others
    Fork,
    /// Publish the finest common coarsening
    Merge,
    /// Start at the intersections, unite those that fail
    Repair,
}

/// The page is for one user on this machine: it listens on 127.0.0.1 only, and
/// its link works once. Nothing is sent anywhere else.
#[derive(Args, Debug)]
pub struct Serve {
    /// The policy to start with; without one, tables are dropped on the page
    #[arg(value_name = "POLICY")]
    pub policy: Option<PathBuf>,
    /// Where releases and policies are written; beside the policy by default,
    /// or else where the program was started
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// The port; any that is free by default
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// The largest file that may be dropped on the page, such as 500M or 4G
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = size)]
    pub max_upload: Size,
    /// Print a JSON document
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
    /// What to make up
    pub kind: SynthKind,
    /// How many rows
    #[arg(long, value_name = "N")]
    pub rows: u64,
    /// How many providers; with one there is no provider column
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub providers: u32,
    /// How rows are spread over the providers
    #[arg(long, default_value = "uniform")]
    pub distribution: SynthDistribution,
    /// How many visits a patient of `hospital` has on average; sex and date of birth stay, and one
    /// patient in five may go to two providers [default: one row a patient]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub visits: Option<u32>,
    /// Where the random numbers start
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// The file to write; its ending, .csv or .parquet, says the format
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Overwrite an existing file
    #[arg(long)]
    pub force: bool,
    /// Print a JSON document
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
    /// People of Los Angeles, with occupation, industry and income at a paper's domain sizes and
    /// entropies
    IpumsLike,
}

/// How rows are spread over providers.
#[derive(ValueEnum, Debug, Clone, Copy)]
pub enum SynthDistribution {
    /// All providers alike
    Uniform,
    /// Few large providers, many small ones
    Exponential,
}

#[derive(Args, Debug)]
pub struct Lab {
    /// The experiment; without one, all are listed
    pub name: Option<String>,
    /// A folder with adult/adult_all_clean.csv [default: rows are made up]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// The folder for results.csv and the figures [default: lab/NAME]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Measure less, within a minute
    #[arg(long)]
    pub quick: bool,
    /// Measure hardly anything: for tests
    #[arg(long, hide = true, conflicts_with = "quick")]
    pub smoke: bool,
    /// Where the random numbers start
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Print a JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Args, Debug)]
pub struct Explain {
    /// A code such as MG0103; without one, all codes are listed
    pub code: Option<String>,
    /// Print a JSON document
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
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Parses the command line; help goes to standard output, mistakes to standard error, and with
/// `--json` to standard output as well.
pub fn parse() -> Result<Cli, Exit> {
    let parsed = Cli::command().try_get_matches().and_then(|matches| {
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
    let hint = if coded.starts_with("error") {
        format!("hint: {USAGE_HINT}\n")
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

const USAGE_HINT: &str = "see `mingle help`, or `mingle COMMAND --help`";

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
    Problem::new(ProblemCode::Usage, words.join(" "), USAGE_HINT)
}
