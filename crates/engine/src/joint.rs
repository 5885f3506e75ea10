//! Publishing with a partner who holds other columns about the same people: from a policy to what
//! this site brings to a session, and from the release to what is said about it.
//!
//! A joint release knows fewer things than a release of one's own: one table, one identifier to
//! recognize people by, quasi-identifiers and sensitive columns, promises against outsiders. What
//! the policy says beyond that is refused: it would be a promise that nobody keeps. How the session
//! runs is `protocol`'s to say, and how sites talk is `site`'s.

use crate::failure;
use crate::report;
use crate::run::Run;
use crate::tables::{Original, read_people};
use mingle_io::Format;
use mingle_model::Role;
use mingle_policy::{Policy, Protocol, SynchronizedSites};
use mingle_privacy::{Attribute, M, Ratio, Semantics};
use mingle_protocol::{Error, Seat, Setup, Terms};
use mingle_record::answer::SiteAnswer;
use mingle_record::schema::SiteSchema;
use mingle_record::{Problem, ProblemCode, WarningNotice};
use mingle_release::manifest::{ProtocolEntry, PublicManifest};
use mingle_release::noisy::NoisyManifest;
use mingle_release::{InputFile, NoisyRelease, Release, ReportPlaces};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Who this site is in a session.
#[derive(Clone, Debug)]
pub struct JointSeat {
    /// Which of the two sites it is.
    pub seat: Seat,
    /// The site's name, which the release shows.
    pub site: String,
}

/// Reads the table. Returns also which files were read.
pub fn setup(
    policy: &Policy,
    seat: JointSeat,
    run: &Run,
) -> Result<(Setup, Vec<InputFile>), Problem> {
    let protocol = check(policy)?;
    let identifier = identifier(policy)?;
    let (Original { table, files, .. }, identifiers) = read_people(policy, identifier, run)?;
    let terms = Terms {
        synchronizer: protocol.synchronizer,
        accept_leak: protocol.accept_leak,
        padded_size: protocol.padded_size,
        promises: policy.privacy()?.general.clone(),
    };
    let table = Arc::unwrap_or_clone(table);
    let rows = table.rows();
    if rows > protocol.padded_size as usize {
        let text = format!(
            "the table has {rows} rows, more than padded_size = {}",
            protocol.padded_size
        );
        let hint = "agree with the partner on a size that is at least the number of rows of the larger table";
        return Err(protocol
            .padded_size_at
            .problem(ProblemCode::PaddedSize, text, hint));
    }
    let setup = Setup {
        seat: seat.seat,
        site: seat.site,
        terms,
        identifiers,
        table,
        promises: policy.privacy()?.promises.clone(),
        missing: policy.data.missing.clone(),
        keys: [[0; 32]; 2],
    };
    Ok((setup, files))
}

/// The one column that people are recognized by.
fn identifier(policy: &Policy) -> Result<&str, Problem> {
    let names: Vec<&str> = policy
        .with_role(Role::Identifier)
        .map(|c| c.spec.name.as_str())
        .collect();
    match names[..] {
        [name] => Ok(name),
        _ => {
            let text = format!(
                "{}: {} columns have the role identifier",
                policy.path.display(),
                names.len()
            );
            let hint = "exactly one must: the column by which both sites recognize a person";
            Err(Problem::new(ProblemCode::Contradiction, text, hint))
        }
    }
}

/// Refuses what a joint release does not know.
fn check(policy: &Policy) -> Result<&SynchronizedSites, Problem> {
    let place = policy.path.display();
    let Some(protocol) = &policy.protocol else {
        let text = format!("{place}: there is no [protocol] section");
        let hint = "add synchronizer, accept_leak and padded_size, as agreed with the partner";
        return Err(Problem::new(ProblemCode::MissingKey, text, hint));
    };
    let Protocol::Columns(protocol) = protocol else {
        let text = format!("{place}: [protocol] is for n providers with rows of one table");
        let hint = "accept their invitation with `mingle site join`; with a single partner, name a synchronizer";
        return Err(Problem::new(ProblemCode::Contradiction, text, hint));
    };
    let privacy = policy.privacy()?;
    let joint = privacy
        .promises
        .iter()
        .any(|promise| promise.attribute == Some(Attribute::Joint));
    let k = privacy
        .general
        .iter()
        .any(|rule| rule.as_k_anonymity().is_some());
    let refused = [
        (
            !k,
            "[privacy] names no k",
            "add k, as agreed with the partner",
        ),
        (
            privacy.m.is_some_and(|m| m > M(0)),
            "m is more than 0",
            "a joint release is protected against outsiders: m = 0",
        ),
        (
            privacy.semantics != Semantics::Victim,
            "semantics is strict",
            "remove it: it is about m",
        ),
        (
            joint,
            "[privacy] joint = true",
            "sensitive columns are published in tables of their own; take `joint` out",
        ),
        (
            policy.data.provider_column.is_some(),
            "[data] names a provider column",
            "a site is one provider",
        ),
        (
            policy.data.listed_providers() > 1,
            "[data] lists several providers",
            "a site is one provider with one table",
        ),
        (
            policy.composition.is_some(),
            "there is a [composition] section",
            "remove it; run `mingle attack intersection` on the joint release before handing it out",
        ),
        (
            policy.method.max_suppressed > Ratio::from(0),
            "max_suppressed is above 0",
            "nobody is left out; set it to 0",
        ),
        (
            policy.release.format != Format::Csv,
            "[release] format is not csv",
            "both sites write CSV; take `format` out",
        ),
        (
            policy.with_role(Role::Insensitive).next().is_some(),
            "a column is insensitive",
            "it would join the tables row by row again; take it out of the table, or give it another role",
        ),
    ];
    match refused.into_iter().find(|(wrong, ..)| *wrong) {
        None => Ok(protocol),
        Some((_, what, hint)) => Err(Problem::new(
            ProblemCode::Contradiction,
            format!("{place}: {what}, which a joint release cannot have"),
            hint,
        )),
    }
}

/// Why there is no joint release, as a message.
pub fn problem(error: &Error) -> Problem {
    use Error as E;
    let (code, hint) = match error {
        E::EmptyIdentifier { .. } => (
            ProblemCode::IdentifierUnusable,
            "add the identifier, or remove the row",
        ),
        E::DuplicateIdentifier { .. } => (
            ProblemCode::IdentifierUnusable,
            "merge the rows of a person first",
        ),
        E::PaddedSize { .. } => (
            ProblemCode::PaddedSize,
            "agree with the partner on a larger padded_size",
        ),
        E::PaddedSizeTooLarge { .. } => (
            ProblemCode::PaddedSize,
            "agree with the partner on a smaller padded_size",
        ),
        E::OtherPeople | E::TooManySessions { .. } => (
            ProblemCode::ProtocolViolation,
            "talk to the partner before you try again: every session is another question",
        ),
        E::LeakNotAccepted { .. } => (
            ProblemCode::LeakNotAccepted,
            "accept it, or choose a synchronizer that reveals less",
        ),
        E::NotKept { .. } => (
            ProblemCode::Contradiction,
            "promise k only, or choose another synchronizer",
        ),
        E::NoK => (
            ProblemCode::MissingKey,
            "add k to [privacy], as agreed with the partner",
        ),
        E::Promise(_) => (ProblemCode::Misfit, "change [privacy] in the policy"),
        E::Column(_) => (ProblemCode::Hierarchy, "check the columns of both sites"),
        E::TooFewCommon { .. } => (
            ProblemCode::NoRelease,
            "lower k on both sites, or check that the identifiers are alike",
        ),
        E::Unsatisfiable => (ProblemCode::NoRelease, "weaken a constraint on both sites"),
        E::TermsDiffer { .. } | E::Same { .. } => (
            ProblemCode::TermsDiffer,
            "agree with the partner, and run again on both sides",
        ),
        E::Version { .. } => (
            ProblemCode::ProtocolVersion,
            "update the older of the two programs",
        ),
        E::Violation(_) => (
            ProblemCode::ProtocolViolation,
            "talk to the partner before you try again",
        ),
        E::OutputsDiffer | E::NotVerified { .. } => (
            ProblemCode::OutputsDiffer,
            "nothing was written; please report this, without data",
        ),
        E::AlreadyPublished => (
            ProblemCode::AlreadyPublished,
            "to publish again, both sites use --force or another --out",
        ),
        E::Storage(_) => (
            ProblemCode::NotStored,
            "nothing was published on either side; free some space, or check who may write there",
        ),
        E::PeerAborted(_) => return from_partner(error),
        E::GaveUp(mingle_protocol::Reason::Stopped) => return failure::interrupted(),
        _ => (
            ProblemCode::Defect,
            "nothing was published; please report this, without data",
        ),
    };
    Problem::new(code, error.to_string(), hint)
}

/// The partner told the kind of its trouble; where both must see the same, so does the code.
fn from_partner(error: &Error) -> Problem {
    use mingle_protocol::Reason as R;
    let (code, hint) = match error.reason() {
        R::TermsDiffer => (
            ProblemCode::TermsDiffer,
            "the partner's program says what differs",
        ),
        R::Version => (
            ProblemCode::ProtocolVersion,
            "update the older of the two programs",
        ),
        R::TooFewCommon | R::Unsatisfiable => {
            (ProblemCode::NoRelease, "the partner's program says why")
        }
        R::OutputsDiffer | R::NotVerified => (
            ProblemCode::OutputsDiffer,
            "please report this, without data",
        ),
        R::AlreadyPublished => (
            ProblemCode::AlreadyPublished,
            "to publish again, both sites use --force or another --out",
        ),
        _ => (
            ProblemCode::PartnerAborted,
            "nothing was published on either side; the partner's program says why",
        ),
    };
    Problem::new(code, error.to_string(), hint)
}

/// A joint release, read back from its folder.
pub struct JointRelease {
    /// Where it is.
    pub out: PathBuf,
    /// Whether it was published before this session.
    pub already_published: bool,
    /// How long the session took.
    pub elapsed: Duration,
    /// How many bytes were moved, both ways.
    pub moved: u64,
    /// What it says about itself.
    pub manifest: PublicManifest,
    /// How the sites came to it.
    pub protocol: ProtocolEntry,
}

impl JointRelease {
    /// Reads what is there now.
    pub fn open(
        out: &Path,
        already_published: bool,
        elapsed: Duration,
        moved: u64,
    ) -> Result<JointRelease, Problem> {
        let release = Release::open(out).map_err(|e| failure::release(&e))?;
        let manifest = release.manifest().map_err(|e| failure::release(&e))?;
        let Some(protocol) = manifest.protocol.clone() else {
            return Err(failure::defect("a joint release of one site"));
        };
        Ok(JointRelease {
            out: out.to_owned(),
            already_published,
            elapsed,
            moved,
            manifest: manifest.clone(),
            protocol,
        })
    }

    /// A release of an older version that was published already may have none.
    pub fn has_report(&self) -> bool {
        ReportPlaces::of(&self.out).public().is_file()
    }

    /// The document `mingle.site/1`.
    pub fn answer(&self, warnings: &[Problem]) -> SiteAnswer {
        let mut sites = Vec::new();
        for site in &self.protocol.sites {
            sites.push(site.name.clone());
        }
        SiteAnswer {
            schema: SiteSchema,
            release: self.out.display().to_string(),
            reports: self.has_report().then(|| report::files(&self.out)),
            already_published: self.already_published,
            rows: self.manifest.rows,
            groups: self.manifest.groups,
            synchronizer: self.protocol.synchronizer.clone(),
            leak_level: self.protocol.leak_level.clone(),
            rounds: self.protocol.rounds,
            session: self.protocol.session.clone(),
            sites,
            constraints: self.manifest.promises.clone(),
            bytes: self.moved,
            seconds: (self.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
            warnings: warnings.iter().map(WarningNotice::from).collect(),
        }
    }
}

/// A release with noise that n providers made together, read back from its folder.
pub struct JointNoise {
    /// Where it is.
    pub out: PathBuf,
    /// Whether it was published before this session.
    pub already_published: bool,
    /// How long the session took.
    pub elapsed: Duration,
    /// How many bytes were moved, both ways.
    pub moved: u64,
    /// What it says about itself.
    pub manifest: NoisyManifest,
    /// Who made it.
    pub protocol: ProtocolEntry,
    /// This provider's ledger.
    pub ledger: String,
    /// Its entry there.
    pub entry: Option<u64>,
}

impl JointNoise {
    /// Reads what is there now.
    pub fn open(
        out: &Path,
        already_published: bool,
        elapsed: Duration,
        moved: u64,
    ) -> Result<JointNoise, Problem> {
        let release = NoisyRelease::open(out).map_err(|e| failure::release(&e))?;
        let manifest = release.manifest().map_err(|e| failure::release(&e))?;
        let Some(protocol) = manifest.protocol.clone() else {
            return Err(failure::defect("a joint release of one site"));
        };
        let private = release.private_manifest();
        Ok(JointNoise {
            out: out.to_owned(),
            already_published,
            elapsed,
            moved,
            manifest: manifest.clone(),
            protocol,
            ledger: private.map_or(String::new(), |private| private.ledger.clone()),
            entry: private.map(|private| private.entry),
        })
    }

    /// Reports can fail, and what was paid for is published without.
    pub fn has_report(&self) -> bool {
        ReportPlaces::of(&self.out).public().is_file()
    }

    /// The document `mingle.site/1`: rows are those of all tables, and there are no groups.
    pub fn answer(&self, warnings: &[Problem]) -> SiteAnswer {
        let mut sites = Vec::new();
        for site in &self.protocol.sites {
            sites.push(site.name.clone());
        }
        SiteAnswer {
            schema: SiteSchema,
            release: self.out.display().to_string(),
            reports: self.has_report().then(|| report::files(&self.out)),
            already_published: self.already_published,
            rows: self.manifest.tables.iter().map(|table| table.rows).sum(),
            groups: 0,
            synchronizer: self.protocol.synchronizer.clone(),
            leak_level: self.protocol.leak_level.clone(),
            rounds: self.protocol.rounds,
            session: self.protocol.session.clone(),
            sites,
            constraints: Vec::new(),
            bytes: self.moved,
            seconds: (self.elapsed.as_secs_f64() * 1000.0).round() / 1000.0,
            warnings: warnings.iter().map(WarningNotice::from).collect(),
        }
    }
}
