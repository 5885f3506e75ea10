//! Who calls whom.

use std::net::TcpListener;
use std::time::Duration;

/// One of the two sites calls, the other is called.
#[derive(Debug)]
pub enum Address {
    /// Call the partner at `host:port`.
    Connect(String),
    /// Be called at `host:port`.
    Listen(String),
    /// Be called at a socket that is bound already.
    Bound(TcpListener),
}

/// How long to wait.
#[derive(Clone, Copy, Debug)]
pub struct WaitingTimes {
    /// Without a byte before a connection is given up and made again.
    pub silence: Duration,
    /// For the whole run.
    pub deadline: Duration,
}

impl Default for WaitingTimes {
    fn default() -> WaitingTimes {
        WaitingTimes {
            silence: Duration::from_secs(30),
            deadline: Duration::from_secs(3600),
        }
    }
}
