//! What the running site asks of a protocol's party, whether it is one of two or one of n: bytes in,
//! bytes out, and where it stands.

use mingle_protocol::horizontal::ProviderParty;
use mingle_protocol::{Error as ProtocolError, Party, Reason, Status};

/// One party of a protocol, without sockets, clock or disk.
pub(crate) trait Machine: Send {
    /// A connection is up: what to send first.
    fn connect(&mut self) -> Vec<u8>;
    /// Bytes arrived: what to send.
    fn receive(&mut self, bytes: &[u8]) -> Vec<u8>;
    /// The connection is gone.
    fn disconnect(&mut self);
    /// Nobody waits any longer: a last word.
    fn give_up(&mut self, reason: Reason) -> Vec<u8>;
    /// Hang up.
    fn is_broken(&self) -> bool;
    /// Where it stands.
    fn status(&self) -> Status;
    /// Nothing is left to say.
    fn is_finished(&self) -> bool;
    /// What stands in the way of the last step.
    fn trouble(&self) -> Option<ProtocolError>;
}

impl Machine for Party {
    fn connect(&mut self) -> Vec<u8> {
        Party::connect(self)
    }
    fn receive(&mut self, bytes: &[u8]) -> Vec<u8> {
        Party::receive(self, bytes)
    }
    fn disconnect(&mut self) {
        Party::disconnect(self);
    }
    fn give_up(&mut self, reason: Reason) -> Vec<u8> {
        Party::give_up(self, reason)
    }
    fn is_broken(&self) -> bool {
        Party::is_broken(self)
    }
    fn status(&self) -> Status {
        Party::status(self)
    }
    fn is_finished(&self) -> bool {
        self.finished()
    }
    fn trouble(&self) -> Option<ProtocolError> {
        Party::trouble(self).cloned()
    }
}

impl Machine for ProviderParty {
    fn connect(&mut self) -> Vec<u8> {
        ProviderParty::connect(self)
    }
    fn receive(&mut self, bytes: &[u8]) -> Vec<u8> {
        ProviderParty::receive(self, bytes)
    }
    fn disconnect(&mut self) {
        ProviderParty::disconnect(self);
    }
    fn give_up(&mut self, reason: Reason) -> Vec<u8> {
        ProviderParty::give_up(self, reason)
    }
    fn is_broken(&self) -> bool {
        ProviderParty::is_broken(self)
    }
    fn status(&self) -> Status {
        ProviderParty::status(self)
    }
    fn is_finished(&self) -> bool {
        ProviderParty::is_finished(self)
    }
    fn trouble(&self) -> Option<ProtocolError> {
        ProviderParty::trouble(self).cloned()
    }
}
