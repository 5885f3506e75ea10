//! An invitation: one text that says who publishes together, over which board, in which run.
//!
//! ```text
//! mingle-invitation-1-<digits>      hexadecimal
//! run          32   random, used once
//! fingerprint  32   of the board's certificate
//! length u16, board's address
//! providers u16, then for each: key 32, fingerprint 32, length u16, name
//! check        8    the start of the SHA-256 of all that
//! ```
//! It pins everybody's key, so that it must be the same text everywhere: providers read its
//! [check words](Invitation::check_words) to each other. The run's name is a secret of those invited:
//! who knows it can take a seat at the board, and disturb, but not sign.

use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::hex;
use crate::identity::public_key;
use mingle_protocol::horizontal::{MOST_PROVIDERS, RunMember};
use ring::rand::{SecureRandom, SystemRandom};
use rustls::pki_types::CertificateDer;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

const PREFIX: &str = "mingle-invitation-1-";

/// A provider that is invited.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvitedProvider {
    /// Its name, which the release shows.
    pub name: String,
    /// Its Ed25519 key.
    pub key: [u8; 32],
    /// The fingerprint of its certificate.
    pub fingerprint: Fingerprint,
}

impl InvitedProvider {
    /// From a certificate in DER; `None` where that has no Ed25519 key.
    pub fn of(name: &str, certificate: &CertificateDer<'_>) -> Option<InvitedProvider> {
        Some(InvitedProvider {
            name: name.to_owned(),
            key: public_key(certificate)?,
            fingerprint: Fingerprint::of(certificate),
        })
    }
}

/// Who publishes together, over which board, in which run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invitation {
    run: [u8; 32],
    board: String,
    board_fingerprint: Fingerprint,
    providers: Vec<InvitedProvider>,
}

impl Invitation {
    /// A new run of these providers, in the order of their seats.
    pub fn new(
        board: &str,
        board_fingerprint: Fingerprint,
        providers: Vec<InvitedProvider>,
    ) -> Result<Invitation, Error> {
        let mut run = [0; 32];
        SystemRandom::new()
            .fill(&mut run)
            .map_err(|_| Error::NoKey)?;
        let invitation = Invitation {
            run,
            board: board.to_owned(),
            board_fingerprint,
            providers,
        };
        invitation.check()?;
        Ok(invitation)
    }

    /// The run's name.
    pub fn run(&self) -> [u8; 32] {
        self.run
    }

    /// Where the board is.
    pub fn board(&self) -> &str {
        &self.board
    }

    /// By which fingerprint the board is known.
    pub fn board_fingerprint(&self) -> Fingerprint {
        self.board_fingerprint
    }

    /// The providers in the order of their seats.
    pub fn providers(&self) -> &[InvitedProvider] {
        &self.providers
    }

    /// The seat of a key, if it is invited.
    pub fn seat_of(&self, key: &[u8; 32]) -> Option<usize> {
        self.providers
            .iter()
            .position(|provider| provider.key == *key)
    }

    /// The providers as the protocol knows them.
    pub(crate) fn members(&self) -> Vec<RunMember> {
        let mut members = Vec::with_capacity(self.providers.len());
        for provider in &self.providers {
            members.push(RunMember {
                name: provider.name.clone(),
                key: provider.key,
            });
        }
        members
    }

    /// What providers read to each other: twenty hexadecimal digits of the text's digest, in fours.
    pub fn check_words(&self) -> String {
        let digest = hex::encode(&Sha256::digest(self.body())[..10]);
        let mut words = Vec::new();
        for at in (0..digest.len()).step_by(4) {
            words.push(&digest[at..at + 4]);
        }
        words.join("-")
    }

    fn check(&self) -> Result<(), Error> {
        let bad = |what: &'static str| Err(Error::BadInvitation { what });
        if self.providers.len() < 3 {
            return bad("it takes three providers: of two, the sum would be the other's");
        }
        if self.providers.len() > MOST_PROVIDERS {
            return bad("it names more than a thousand providers");
        }
        let port = self
            .board
            .rsplit_once(':')
            .map(|(_, port)| port.parse::<u16>());
        if !matches!(port, Some(Ok(_))) || !is_plain(&self.board) {
            return bad("the board's address must be host:port");
        }
        let (mut names, mut keys) = (BTreeSet::new(), BTreeSet::new());
        for provider in &self.providers {
            if !is_plain(&provider.name) || provider.name.chars().count() > 100 {
                return bad("a provider's name has 1 to 100 characters");
            }
            if !names.insert(&provider.name) || !keys.insert(provider.key) {
                return bad("the same name or key is there twice");
            }
        }
        Ok(())
    }

    fn body(&self) -> Vec<u8> {
        let mut body = self.run.to_vec();
        body.extend(self.board_fingerprint.bytes());
        push_text(&mut body, &self.board);
        body.extend((self.providers.len() as u16).to_be_bytes());
        for provider in &self.providers {
            body.extend(provider.key);
            body.extend(provider.fingerprint.bytes());
            push_text(&mut body, &provider.name);
        }
        body
    }
}

/// A hundred characters are at most four hundred bytes, so lengths have two.
fn push_text(body: &mut Vec<u8>, text: &str) {
    body.extend((text.len() as u16).to_be_bytes());
    body.extend(text.as_bytes());
}

fn is_plain(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= 1000 && !text.chars().any(char::is_control)
}

impl fmt::Display for Invitation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut body = self.body();
        let check = Sha256::digest(&body);
        body.extend(&check[..8]);
        write!(f, "{PREFIX}{}", hex::encode(&body))
    }
}

/// Takes bytes from the front.
struct Parts<'a>(&'a [u8]);

impl<'a> Parts<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn text(&mut self) -> Option<String> {
        let length = u16::from_be_bytes(self.array()?);
        String::from_utf8(self.take(usize::from(length))?.to_vec()).ok()
    }
}

fn parse(body: &[u8]) -> Option<Invitation> {
    let mut parts = Parts(body);
    let run = parts.array()?;
    let board_fingerprint = Fingerprint::from_bytes(parts.array()?);
    let board = parts.text()?;
    let count = u16::from_be_bytes(parts.array()?);
    let mut providers = Vec::new();
    for _ in 0..count {
        let key = parts.array()?;
        let fingerprint = Fingerprint::from_bytes(parts.array()?);
        let name = parts.text()?;
        providers.push(InvitedProvider {
            name,
            key,
            fingerprint,
        });
    }
    parts.0.is_empty().then_some(Invitation {
        run,
        board,
        board_fingerprint,
        providers,
    })
}

impl FromStr for Invitation {
    type Err = Error;

    fn from_str(text: &str) -> Result<Invitation, Error> {
        let bad = |what: &'static str| Error::BadInvitation { what };
        // mail programs break long lines
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let digits = text
            .strip_prefix(PREFIX)
            .ok_or_else(|| bad("it does not begin as invitations do"))?;
        let bytes = hex::decode_any(digits).ok_or_else(|| bad("it is cut short or mistyped"))?;
        let whole = bytes
            .split_last_chunk::<8>()
            .filter(|(body, check)| Sha256::digest(body)[..8] == check[..]);
        let (body, _) = whole.ok_or_else(|| bad("it is cut short or mistyped"))?;
        let invitation = parse(body).ok_or_else(|| bad("it cannot be read"))?;
        invitation.check()?;
        Ok(invitation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provider(number: u8) -> InvitedProvider {
        InvitedProvider {
            name: format!("hospital {number}"),
            key: [number; 32],
            fingerprint: Fingerprint::of(&[number]),
        }
    }

    fn sound() -> Invitation {
        let board = Fingerprint::of(b"board");
        Invitation::new("board.example:7447", board, (1..=5).map(provider).collect())
            .expect("sound")
    }

    #[test]
    fn there_and_back_also_in_broken_lines() {
        let invitation = sound();
        let text = invitation.to_string();
        assert_eq!(text.parse::<Invitation>().expect("sound"), invitation);
        let (front, back) = text.split_at(60);
        let broken = format!(" {front}\r\n{back}\n");
        assert_eq!(broken.parse::<Invitation>().expect("sound"), invitation);
        assert_eq!(invitation.seat_of(&[3; 32]), Some(2));
        assert_eq!(invitation.seat_of(&[9; 32]), None);
    }

    #[test]
    fn a_run_is_new_each_time_and_check_words_tell_texts_apart() {
        let (one, other) = (sound(), sound());
        assert_ne!(one.run(), other.run());
        assert_ne!(one.check_words(), other.check_words());
        assert_eq!(one.check_words().len(), 24);
    }

    #[test]
    fn what_is_cut_mistyped_or_unfit_is_refused() {
        let text = sound().to_string();
        let mut mistyped = text.clone();
        let last = mistyped.pop().expect("digits");
        mistyped.push(if last == '0' { '1' } else { '0' });
        for wrong in ["", "mingle", &text[..text.len() - 2], &text[1..], &mistyped] {
            assert!(wrong.parse::<Invitation>().is_err(), "{wrong}");
        }
        let board = Fingerprint::of(b"board");
        let two: Vec<InvitedProvider> = (1..=2).map(provider).collect();
        assert!(Invitation::new("a:1", board, two).is_err());
        let twice = vec![provider(1), provider(2), provider(1)];
        assert!(Invitation::new("a:1", board, twice).is_err());
        let three: Vec<InvitedProvider> = (1..=3).map(provider).collect();
        for address in ["", "a", "a:b", "a:70000", "a\n:1"] {
            assert!(
                Invitation::new(address, board, three.clone()).is_err(),
                "{address}"
            );
        }
    }
}
