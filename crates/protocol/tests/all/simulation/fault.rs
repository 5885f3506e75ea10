//! The faults, as values.

/// What goes wrong when a certain message is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The frame never arrives.
    Drop,
    /// It arrives this many steps late, and everything behind it too.
    Delay(u8),
    /// It arrives twice.
    Duplicate,
    /// What is sent within the next steps overtakes it.
    Reorder,
    /// This many of its last bytes are missing, at least one and never all.
    Truncate(u16),
    /// A bit of this byte (counted round and round) is another one.
    Corrupt(u16),
    /// A frame that the sender sent before this one, counted backwards, arrives first.
    Replay(u16),
    /// The first greeting that the sender ever sent arrives first.
    ReplayGreeting,
    /// A frame that the receiver itself has sent, counted backwards, arrives first.
    Reflect(u16),
    /// The connection breaks and the frame is lost. The sender sees it at once; the receiver too
    /// for 0, and otherwise this many steps after what is still under way has arrived.
    Disconnect(u8),
    /// From here on the connection swallows everything, both ways.
    Stall,
    /// The sender's process dies.
    Crash(Moment),
    /// The sender's process dies in the vault's next such work.
    CrashIn(Call, Moment),
    /// The vault's next such work fails.
    DiskFull(Call),
    /// The sender is told to give up after the frame has left.
    GiveUp,
}

/// Before or after something is done, or half way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    Before,
    Between,
    After,
}

/// What a vault does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Call {
    Prepare,
    Publish,
    Discard,
}

impl Fault {
    /// One or two of each kind: what the exhaustive searches go through.
    pub const EACH: [Fault; 31] = {
        use Call::{Discard, Prepare, Publish};
        use Moment::{After, Before, Between};
        [
            Fault::Drop,
            Fault::Delay(3),
            Fault::Delay(20),
            Fault::Duplicate,
            Fault::Reorder,
            Fault::Truncate(1),
            Fault::Truncate(40),
            Fault::Corrupt(0),
            Fault::Corrupt(4),
            Fault::Corrupt(33),
            Fault::Replay(0),
            Fault::Replay(1),
            Fault::ReplayGreeting,
            Fault::Reflect(0),
            Fault::Disconnect(0),
            Fault::Disconnect(1),
            Fault::Disconnect(15),
            Fault::Stall,
            Fault::Crash(Before),
            Fault::Crash(After),
            Fault::CrashIn(Prepare, Before),
            Fault::CrashIn(Prepare, Between),
            Fault::CrashIn(Prepare, After),
            Fault::CrashIn(Publish, Before),
            Fault::CrashIn(Publish, Between),
            Fault::CrashIn(Publish, After),
            Fault::CrashIn(Discard, After),
            Fault::DiskFull(Prepare),
            Fault::DiskFull(Publish),
            Fault::DiskFull(Discard),
            Fault::GiveUp,
        ]
    };

    /// Whether it can happen to two honest programs over an encrypted transport without anybody
    /// stopping them, and leaves room for the output: then they must get over it.
    pub fn is_ordinary(self) -> bool {
        match self {
            Fault::Delay(_)
            | Fault::Disconnect(_)
            | Fault::Stall
            | Fault::Crash(_)
            | Fault::CrashIn(..) => true,
            Fault::DiskFull(call) => call != Call::Prepare,
            _ => false,
        }
    }
}
