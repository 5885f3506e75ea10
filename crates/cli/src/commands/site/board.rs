//! `mingle site board`: the relay between providers, until somebody stops it.

use super::problem;
use crate::args::SiteBoard;
use crate::interrupt;
use crate::message::{Exit, Problem, Screen, print_json};
use mingle_model::counted;
use mingle_protocol::horizontal::BoardLimits;
use mingle_record::answer::SiteBoardAnswer;
use mingle_record::schema::SiteBoardSchema;
use mingle_site::{Address, BoardEvent, BoardSite, BoardWatcher, Identity, run_board};
use std::sync::Arc;
use std::time::Duration;

pub fn run(args: &SiteBoard, screen: Screen) -> Result<Exit, Problem> {
    let [key, certificate] = ["site.key", "site.crt"].map(|file| args.folder.join(file));
    let identity = Identity::load(&key, &certificate).map_err(|e| problem(&e))?;
    let fingerprint = identity.fingerprint().to_string();
    screen.note(&format!("this board's fingerprint: {fingerprint}"));
    let told = Told {
        screen,
        fingerprint: args.json.then_some(fingerprint),
    };
    let cancel = interrupt::listen();
    let limits = BoardLimits {
        runs: args.runs as usize,
        ..BoardLimits::default()
    };
    let site = BoardSite {
        identity,
        address: Address::Listen(args.listen.clone()),
        silence: Duration::from_secs(args.silence),
        limits,
    };
    run_board(site, Arc::new(told), cancel.flag()).map_err(|e| problem(&e))?;
    interrupt::check()?;
    Ok(Exit::Fine)
}

/// Tells what a board may know: connections, and how many seats are taken.
struct Told {
    screen: Screen,
    /// Where a program asked for one document: what it says of this board.
    fingerprint: Option<String>,
}

impl BoardWatcher for Told {
    fn event(&self, event: BoardEvent) {
        match event {
            BoardEvent::Listening(address) => {
                if let Some(fingerprint) = &self.fingerprint {
                    let answer = SiteBoardAnswer {
                        schema: SiteBoardSchema,
                        address: address.to_string(),
                        fingerprint: fingerprint.clone(),
                    };
                    // whoever stops reading does not stop the board
                    let _ = print_json(&answer);
                }
                self.screen
                    .note(&format!("the board waits for providers on {address}"));
            }
            BoardEvent::Stranger(address, why) => {
                self.screen.note(&format!("turned away {address}: {why}"));
            }
            BoardEvent::Connected(now) => {
                self.screen.detail(&counted(now as u64, "connection"));
            }
            BoardEvent::Ended(why, now) => {
                let left = counted(now as u64, "connection");
                self.screen
                    .note(&format!("a connection ended: {why}; {left} left"));
            }
            BoardEvent::Seats(seats) => {
                let taken: Vec<String> = seats.iter().map(usize::to_string).collect();
                self.screen.note(&format!(
                    "{} open; seats taken: {}",
                    counted(seats.len() as u64, "run"),
                    if taken.is_empty() {
                        "none".to_owned()
                    } else {
                        taken.join(", ")
                    }
                ));
            }
            BoardEvent::Relayed { received, sent } => {
                self.screen
                    .detail(&format!("{received} bytes came, {sent} went on"));
            }
        }
    }
}
