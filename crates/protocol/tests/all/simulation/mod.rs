//! Two sites, a network and two disks that fail as a seed says, and what must be true all the same.
//!
//! A *schedule* is a seed, a case (the data and the synchronizer) and a list of operations. An
//! operation is a fault at a message: "when site 0 sends its message 14, drop it". Messages are
//! counted per sender over the whole simulation, greetings included. Everything that is not an
//! operation (who moves first, how long a frame travels, how the bytes are cut) is drawn from the
//! seed, so that a schedule is a complete account: the same schedule gives the same bytes.
//!
//! # Faults
//!
//! - Of a single frame: it is dropped, delayed, duplicated, overtaken, cut short, damaged; an
//!   earlier frame of the same sender, of this or an earlier session, comes before it; a frame of
//!   the receiver itself comes back.
//! - Of a connection: it breaks and both see it, or one sees it later; it swallows everything in
//!   silence.
//! - Of a process: it dies before or after a message leaves it, or in the middle of a vault's work
//!   (before anything is written, half way, after everything is written and before the vault
//!   returns), and starts again from its disk with nothing else left; somebody tells it to give up.
//! - Of a disk: it is full when an output is to be prepared, published or discarded.
//!
//! An encrypted transport excludes silent loss, damage, reordering and replay. They are here
//! because the machines must not depend on that.
//!
//! # Not faults
//!
//! - A disk never loses or changes what it has acknowledged.
//! - Nobody lies: both programs are the real one. What a hostile site can do is tested elsewhere.
//! - Damage is never such that a frame's check still fits it, and nobody forges a frame. That takes
//!   an attacker, and attackers are kept out by the transport.
//! - The operating system's generator never repeats itself: a restarted process draws other nonces
//!   and keys.
//!
//! # How an owner behaves
//!
//! The owner of a party reconnects when the connection is gone and the party has not finished;
//! hangs up where the party says so, or after a few steps in which nothing arrives; and gives up
//! when nothing has come of it for long. A run ends when both processes have. Then they are started
//! again, as people do, first with what is left of the schedule and in the end over a network
//! without faults. A site in doubt may still be running then.
//!
//! # Properties
//!
//! Watched at every step, on the disks rather than in the parties' words:
//!
//! 1. Never two outputs: all that ever becomes public, at both sites and in all sessions, is one
//!    output of one session.
//! 2. Nothing is public before the other site's journal says *ready* for the same session and
//!    digest.
//! 3. A session that a site has aborted is never published, and a published one never aborted.
//! 4. What is public equals the centralized reference.
//! 5. A site whose status is in doubt or aborted has nothing public; in doubt has *ready* in its
//!    journal, aborted has nothing.
//! 6. Bytes held in memory stay below a bound.
//!
//! At the end of a run:
//!
//! 7. Never a hang: while both processes run, they come to an end within a bounded number of steps
//!    after the last fault.
//! 8. Each is published, aborted or in doubt; in doubt only after a fault.
//! 9. Where nothing happened but what happens to honest programs over an encrypted transport (a
//!    connection breaks or stalls, a process crashes, a disk is full for a moment after *ready*),
//!    both have published, if the data allow a release.
//!
//! After the last, faultless run:
//!
//! 10. No site is in doubt. Where the data allow a release, both have published it; where not,
//!     neither has.
//!
//! Cost: about a millisecond of group arithmetic per session; a step without a message costs next
//! to nothing.

mod case;
mod dice;
mod disk;
mod fault;
mod network;
mod planted;
mod property;
mod run;
mod schedule;
mod shrink;
mod site;
mod trouble;
mod world;

pub use case::{CASES, Case};
pub use dice::Dice;
pub use fault::{Call, Fault, Moment};
pub use planted::Bug;
pub use property::Violation;
pub use run::simulate;
pub use schedule::{Operation, Schedule};
pub use shrink::find;
