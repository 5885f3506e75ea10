//! How a command ends: the exit codes that scripts rely on.

/// How the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything is fine.
    Fine = 0,
    /// A finding: a constraint fails, or no release can satisfy the policy.
    Finding = 1,
    /// Wrong usage, policy or input.
    Usage = 2,
    /// The partner or the network: nothing was published, or it is in doubt.
    Peer = 3,
    /// A limit was reached, or a verdict is undecided.
    Limit = 4,
    /// A defect of this program.
    Defect = 70,
    /// Stopped by the user.
    Interrupted = 130,
}
