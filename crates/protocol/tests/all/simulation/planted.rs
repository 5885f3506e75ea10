//! Bugs that are planted to see whether the simulator finds them.

/// A wrong vault or a wrong owner; the protocol itself stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bug {
    /// None.
    None,
    /// The vault makes an output public as soon as it is prepared.
    PublishesAtPrepare,
    /// The vault does not find its *ready* again when it is opened.
    ForgetsReady,
    /// The vault says *ready* before it is written, so that a message goes out that a crash can
    /// make a lie.
    JournalsLater,
    /// The vault acknowledges a discard and keeps the output.
    KeepsDiscarded,
    /// The owner takes in doubt for aborted, and discards.
    DiscardsInDoubt,
    /// The owner takes in doubt for published: it will have worked at the other site.
    PublishesInDoubt,
    /// The owner never hangs up on silence.
    WaitsForEver,
}

impl Bug {
    /// All bugs.
    pub const ALL: [Bug; 7] = [
        Bug::PublishesAtPrepare,
        Bug::ForgetsReady,
        Bug::JournalsLater,
        Bug::KeepsDiscarded,
        Bug::DiscardsInDoubt,
        Bug::PublishesInDoubt,
        Bug::WaitsForEver,
    ];
}
