//! `mingle site`: publishing with a partner who holds other columns about the same people, or with
//! providers who hold rows of the same table.

mod board;
mod demo;
mod horizontal_demo;
mod init;
mod invite;
mod provider_run;
mod report;
mod run;
mod settings;
mod trust;
mod verify;
mod watch;

use crate::args::{SiteCommand, SiteStep};
use crate::message::{Exit, Problem, Screen};
use mingle::{failure, joint};
use mingle_record::ProblemCode;
use mingle_site::Error as SiteError;

pub fn run(args: &SiteCommand, screen: Screen) -> Result<Exit, Problem> {
    match &args.step {
        SiteStep::Init(args) => init::run(args, screen),
        SiteStep::Fingerprint(args) => trust::fingerprint(args),
        SiteStep::Trust(args) => trust::run(args, screen),
        SiteStep::Run(args) => run::run(args, screen),
        SiteStep::Invite(args) => invite::invite(args, screen),
        SiteStep::Join(args) => invite::join(args, screen),
        SiteStep::Board(args) => board::run(args, screen),
        SiteStep::Verify(args) => verify::run(args, screen),
        SiteStep::Demo(args) if args.horizontal => horizontal_demo::run(screen),
        SiteStep::Demo(args) => demo::run(args, screen),
    }
}

/// An error of a site, as a message.
fn problem(error: &SiteError) -> Problem {
    use SiteError as E;
    let (code, hint) = match error {
        E::Io { path, source } => return failure::write(&path.display().to_string(), source),
        E::BadFingerprint => (
            ProblemCode::Fingerprint,
            "the partner's `mingle site fingerprint` prints it",
        ),
        E::OwnFingerprint => (
            ProblemCode::Fingerprint,
            "use the fingerprint that the partner reads to you, not your own",
        ),
        E::KeyUnreadable { .. }
        | E::NotAKey { .. }
        | E::NotACertificate { .. }
        | E::OtherKey { .. } => (
            ProblemCode::SiteKey,
            "`mingle site init DIR --name NAME` makes a key and its certificate",
        ),
        E::KeyIsOpen { .. } => (
            ProblemCode::SiteKey,
            "run chmod 600 on the key; if others may have read it, make a new one",
        ),
        E::OwnCertificate(_) => (
            ProblemCode::SiteKey,
            "make a new one with `mingle site init` and have the partner pin its fingerprint",
        ),
        E::BadInvitation { .. } => (
            ProblemCode::Invitation,
            "`mingle site invite` prints invitations; ask for the text again",
        ),
        E::NotInvited => (
            ProblemCode::Invitation,
            "send your site.crt to the inviting provider, and ask for a new invitation",
        ),
        E::RepeatedTotals { .. } => (
            ProblemCode::RepeatedTotals,
            "run with the same rows and providers, or read `mingle explain MG0574`",
        ),
        E::Busy { .. } => (
            ProblemCode::SiteBusy,
            "wait for the other run, or choose another folder with --out",
        ),
        E::Journal { .. } => (
            ProblemCode::Journal,
            "see `mingle explain MG0434` before you remove it",
        ),
        E::Unconfirmed { .. } => (
            ProblemCode::Journal,
            "run once without --force, both of you, so that a partner in doubt can publish as well",
        ),
        E::OtherPartner { .. } => (
            ProblemCode::Journal,
            "pin that partner again and run, or choose another folder with --out",
        ),
        E::Lost { .. } => (
            ProblemCode::Journal,
            "ask the partner what it has; see `mingle explain MG0434`",
        ),
        E::Listen { .. } => (
            ProblemCode::OutputUnwritable,
            "choose another `listen` in [peer]: perhaps the port is taken",
        ),
        E::Release(error) => return failure::release(error),
        E::Noise(error) => return failure::dp(error),
        E::Protocol(error) => return joint::problem(error),
        _ => (ProblemCode::Defect, "please report this, without data"),
    };
    Problem::new(code, error.to_string(), hint)
}
