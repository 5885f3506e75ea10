//! Why a session ends without a release.
//!
//! A malformed or impossible message is a [`Violation`], a value and never a panic. Whatever ends a
//! session here is told to the other site as a [`Reason`], which names the kind of trouble and
//! nothing of the data.

use mingle_model::{DomainError, FragmentsError};
use thiserror::Error;

/// What the other site did that no honest site does.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// Bytes that encode no point.
    #[error("a point that cannot be decoded")]
    BadPoint,
    /// The identity, which stays the same under every key.
    #[error("the identity as a point")]
    IdentityPoint,
    /// The same point twice in a list.
    #[error("a point that is in the list twice")]
    DuplicatePoint,
    /// A point that we sent ourselves.
    #[error("a point that we sent ourselves")]
    OurOwnPoint,
    /// A list of another length than agreed.
    #[error("a list of {found} bytes where {expected} were agreed")]
    WrongCount {
        /// Agreed.
        expected: usize,
        /// Received.
        found: usize,
    },
    /// A class of fewer than k people.
    #[error("a class of {size} people where k = {k}")]
    SmallClass {
        /// Its size.
        size: u64,
        /// The agreed k.
        k: u64,
    },
    /// A message of another session.
    #[error("a message of an unknown session")]
    UnknownSession,
    /// A message out of its turn: lost, repeated or out of order.
    #[error("message {found} where message {expected} was due")]
    SequenceGap {
        /// Due.
        expected: u64,
        /// Received.
        found: u64,
    },
    /// A message longer than the agreed sizes allow.
    #[error("a message of {length} bytes where at most {most} can be")]
    Oversized {
        /// Its length.
        length: u64,
        /// The longest.
        most: u64,
    },
    /// A message whose bytes are not those that were sent.
    #[error("a message that was damaged on the way")]
    Damaged,
    /// A message of another kind than the protocol has at this point.
    #[error("a message of another kind where {expected} was due")]
    Unexpected {
        /// The kind that was due.
        expected: &'static str,
    },
    /// A message that cannot be read.
    #[error("a {kind} message that cannot be read")]
    Malformed {
        /// Its kind.
        kind: &'static str,
    },
    /// Something else was opened than committed to.
    #[error("a list that differs from the one that was committed to")]
    BrokenCommitment,
    /// The two sites saw different conversations.
    #[error("a transcript that differs from ours")]
    TranscriptDiffers,
    /// A key exchange whose result anybody could know.
    #[error("a key that gives a secret that anybody knows")]
    WeakKey,
    /// A proof of knowledge that fails.
    #[error("a proof that fails")]
    BadProof,
    /// A message in somebody else's name, or of a seat that there is not.
    #[error("a message of a wrong seat")]
    WrongSeat,
    /// A signature that its sender did not make.
    #[error("a signature that is not the sender's")]
    Forged,
    /// Two different messages where there is one.
    #[error("two different messages of the same number")]
    Equivocation,
    /// The same key, or the same ciphertext, as somebody else's.
    #[error("a copy of what another provider sent")]
    Copied,
    /// Totals that are below what one provider added to them.
    #[error("totals below our own counts")]
    TotalsBelowOwn,
    /// An answer that contradicts what both sites know.
    #[error("an answer that contradicts the rest: {what}")]
    Inconsistent {
        /// What does not fit.
        what: &'static str,
    },
}

/// The kind of trouble, as one site tells it to the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Reason {
    /// The other site broke the protocol.
    Violation,
    /// The sites' parameters differ.
    TermsDiffer,
    /// The sites speak different versions.
    Version,
    /// Fewer people in common than a group needs.
    TooFewCommon,
    /// No partition satisfies what is promised.
    Unsatisfiable,
    /// What would be published does not hold what is promised.
    NotVerified,
    /// The sites computed different releases.
    OutputsDiffer,
    /// There is a release already.
    AlreadyPublished,
    /// The release could not be stored.
    Storage,
    /// Nothing was heard for too long.
    Silence,
    /// Somebody asked to stop.
    Stopped,
    /// A defect of the program.
    Defect,
}

impl Reason {
    /// All reasons; a reason's place is its number on the wire.
    pub const ALL: [Reason; 12] = [
        Reason::Violation,
        Reason::TermsDiffer,
        Reason::Version,
        Reason::TooFewCommon,
        Reason::Unsatisfiable,
        Reason::NotVerified,
        Reason::OutputsDiffer,
        Reason::AlreadyPublished,
        Reason::Storage,
        Reason::Silence,
        Reason::Stopped,
        Reason::Defect,
    ];

    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Violation => "protocol-violation",
            Reason::TermsDiffer => "terms-differ",
            Reason::Version => "version-mismatch",
            Reason::TooFewCommon => "too-few-common",
            Reason::Unsatisfiable => "unsatisfiable",
            Reason::NotVerified => "not-verified",
            Reason::OutputsDiffer => "outputs-differ",
            Reason::AlreadyPublished => "already-published",
            Reason::Storage => "storage",
            Reason::Silence => "silence",
            Reason::Stopped => "stopped",
            Reason::Defect => "defect",
        }
    }

    pub(crate) fn to_byte(self) -> u8 {
        Reason::ALL
            .iter()
            .position(|&r| r == self)
            .map_or(u8::MAX, |place| place as u8)
    }

    pub(crate) fn from_byte(byte: u8) -> Option<Reason> {
        Reason::ALL.get(usize::from(byte)).copied()
    }
}

/// Why there is no release. Places and parameters, never values of the data.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The other site broke the protocol.
    #[error("the other site sent {0}")]
    Violation(#[from] Violation),
    /// A parameter differs.
    #[error("the sites differ in {what}: {here} here, {there} there")]
    TermsDiffer {
        /// The parameter.
        what: String,
        /// Its value here.
        here: String,
        /// Its value there.
        there: String,
    },
    /// Both claim what only one can have.
    #[error("both sites have {what}, which only one can have")]
    Same {
        /// A seat, a name or a column.
        what: String,
    },
    /// Another version of the protocol.
    #[error("protocol version {here} here, {there} there")]
    Version {
        /// Ours.
        here: u16,
        /// Theirs.
        there: u16,
    },
    /// The other site ended the session.
    #[error("the other site ended the session: {}", .0.name())]
    PeerAborted(Reason),
    /// This site ended the session.
    #[error("the session was given up: {}", .0.name())]
    GaveUp(Reason),
    /// Fewer people in common than a group needs.
    #[error("the sites have {common} people in common, fewer than the {least} that a group needs")]
    TooFewCommon {
        /// In common.
        common: u64,
        /// The smallest group.
        least: u64,
    },
    /// Not even everybody in one group satisfies the promises.
    #[error("not even all common people as one group satisfy the promises")]
    Unsatisfiable,
    /// The finished tables fail what is promised.
    #[error("what would be published fails {constraint}")]
    NotVerified {
        /// The constraint's name.
        constraint: String,
    },
    /// The sites computed different releases.
    #[error("the two sites computed different releases")]
    OutputsDiffer,
    /// A release is there already, and the other site knows nothing of it.
    #[error("one site has published already and the other knows nothing of that session")]
    AlreadyPublished,
    /// An identifier that cannot be used.
    #[error("row {row}: the identifier is missing")]
    EmptyIdentifier {
        /// Counted from 1, without the header.
        row: usize,
    },
    /// Two rows with the same identifier.
    #[error(
        "rows {first} and {second} have the same identifier (case and white space do not count)"
    )]
    DuplicateIdentifier {
        /// The first row, counted from 1.
        first: usize,
        /// The second.
        second: usize,
    },
    /// More rows than the lists are padded to.
    #[error("the table has {rows} rows, more than padded_size = {padded_size}")]
    PaddedSize {
        /// Rows of the table.
        rows: usize,
        /// As agreed.
        padded_size: u32,
    },
    /// Longer lists than the protocol takes.
    #[error("padded_size is larger than {most}")]
    PaddedSizeTooLarge {
        /// The longest.
        most: u32,
    },
    /// A second session of the same run brought other people in common.
    #[error("the other site brought other people than in an earlier session of this run")]
    OtherPeople,
    /// The other site starts anew again and again.
    #[error("the other site started {sessions} sessions in this run, and none came to an end")]
    TooManySessions {
        /// As many as are allowed.
        sessions: u32,
    },
    /// The synchronizer reveals more than is accepted.
    #[error("{synchronizer} reveals {leak}, and only {accepted} is accepted")]
    LeakNotAccepted {
        /// The synchronizer.
        synchronizer: &'static str,
        /// What it reveals.
        leak: &'static str,
        /// What the policy accepts.
        accepted: &'static str,
    },
    /// A synchronizer whose groups shrink cannot keep promises about sensitive values.
    #[error("{synchronizer} keeps k-anonymity only, and {constraint} is promised")]
    NotKept {
        /// The synchronizer.
        synchronizer: &'static str,
        /// The constraint.
        constraint: &'static str,
    },
    /// A promise that cannot be used with this table.
    #[error("{0}")]
    Promise(String),
    /// k is not among the promises.
    #[error("the sites must agree on a k")]
    NoK,
    /// A provider broke the protocol.
    #[error("provider {provider} sent {violation}")]
    Provider {
        /// Its name.
        provider: String,
        /// What it sent.
        violation: Violation,
    },
    /// The board broke the protocol; nobody else can have.
    #[error("the board sent {0}")]
    Board(Violation),
    /// A provider states something else than this one.
    #[error("provider {provider} differs in {what}: {here} here, {there} there")]
    ProviderDiffers {
        /// Its name.
        provider: String,
        /// The parameter or column.
        what: String,
        /// Its value here.
        here: String,
        /// Its value there.
        there: String,
    },
    /// A provider ended the run.
    #[error("provider {provider} ended the run: {}", .reason.name())]
    ProviderAborted {
        /// Its name.
        provider: String,
        /// Why.
        reason: Reason,
    },
    /// Nothing came for too long.
    #[error("nothing came from {}", .providers.join(", "))]
    Silent {
        /// Whose messages are due.
        providers: Vec<String>,
    },
    /// A restarted run would say something else than it said before.
    #[error(
        "the run cannot be resumed: message {sequence} would differ from the one that was sent; \
         start a new run with the same rows"
    )]
    NotReproducible {
        /// Its number.
        sequence: u64,
    },
    /// What the providers say they contributed is not the table.
    #[error("the providers' contributions do not add up to the table: {cells} cells differ")]
    DoesNotAddUp {
        /// Counts of a value in a group.
        cells: u64,
    },
    /// Fewer than three providers: what is not one's own would be the other's.
    #[error("{providers} providers are too few: it takes three, so that a sum is nobody's")]
    TooFewProviders {
        /// How many there are.
        providers: usize,
    },
    /// More providers than seats.
    #[error("more than {most} providers")]
    TooManyProviders {
        /// How many seats there are.
        most: usize,
    },
    /// A coalition that leaves fewer than two.
    #[error("m = {m} with {providers} providers: at least two must be outside of the coalition")]
    CoalitionTooLarge {
        /// The largest coalition.
        m: u64,
        /// All providers.
        providers: usize,
    },
    /// The output could not be stored.
    #[error("the release could not be stored: {0}")]
    Storage(String),
    /// A column that cannot be used.
    #[error("{0}")]
    Column(String),
    /// A defect of the program.
    #[error("a defect of the program: {0}")]
    Defect(&'static str),
}

impl Error {
    /// What the other site is told.
    pub fn reason(&self) -> Reason {
        match self {
            Error::Provider { .. }
            | Error::Board(_)
            | Error::Violation(_)
            | Error::OtherPeople
            | Error::TooManySessions { .. } => Reason::Violation,
            Error::TermsDiffer { .. } | Error::Same { .. } | Error::ProviderDiffers { .. } => {
                Reason::TermsDiffer
            }
            Error::ProviderAborted { reason, .. } => *reason,
            Error::Silent { .. } => Reason::Silence,
            Error::Version { .. } => Reason::Version,
            Error::PeerAborted(reason) | Error::GaveUp(reason) => *reason,
            Error::TooFewCommon { .. } => Reason::TooFewCommon,
            Error::Unsatisfiable => Reason::Unsatisfiable,
            Error::DoesNotAddUp { .. } => Reason::NotVerified,
            Error::NotVerified { .. } => Reason::NotVerified,
            Error::OutputsDiffer => Reason::OutputsDiffer,
            Error::AlreadyPublished => Reason::AlreadyPublished,
            Error::Storage(_) => Reason::Storage,
            _ => Reason::Defect,
        }
    }
}

impl From<FragmentsError> for Error {
    fn from(error: FragmentsError) -> Error {
        Error::Column(error.to_string())
    }
}

impl From<DomainError> for Error {
    fn from(error: DomainError) -> Error {
        Error::Column(error.to_string())
    }
}

impl From<mingle_privacy::Error> for Error {
    fn from(error: mingle_privacy::Error) -> Error {
        Error::Promise(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_survive_the_wire() {
        for reason in Reason::ALL {
            assert_eq!(Reason::from_byte(reason.to_byte()), Some(reason));
        }
        assert_eq!(Reason::from_byte(200), None);
    }
}
