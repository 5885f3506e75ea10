//! n providers with rows of one table, who only connect out, and the board that relays between them.

mod board;
mod invitation;
mod run;
mod run_journal;
mod run_vault;
mod verdict;
mod work;

pub use board::{BoardEvent, BoardSite, BoardWatcher, run_board};
pub use invitation::{Invitation, InvitedProvider};
pub use run::{ProviderDeposit, ProviderSite, run_provider};
pub use work::{NoisyWork, ProviderWork, VerificationWork};
