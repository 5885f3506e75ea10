//! The greeting: who is there, what they want, and how far they had come.
//!
//! The first frame of every connection, in both directions, before anything that depends on data.
//! From the two greetings both sites draw the same conclusion ([`meet`]): go on with the session
//! that both still have, settle one that was finished when the connection broke, or start a new
//! one.

use crate::error::{Error, Violation};
use crate::frame::Kind;
use crate::session_id::SessionId;
use crate::terms::{Seat, StatedTerms, VERSION, from_text, printable};
use crate::vault::{OutputRecord, Standing};
use mingle_model::GID;
use mingle_privacy::Rule;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// What a site brings: its name and its columns, not its data.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// The site's name.
    pub site: String,
    /// Its quasi-identifiers and sensitive columns.
    pub columns: Vec<OfferedColumn>,
    /// How many steps its hierarchies can have in all.
    pub steps: u32,
}

/// A column as the other site gets to know it: what the policy says, nothing that was found out
/// from its values.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfferedColumn {
    /// Its name.
    pub name: String,
    /// `quasi-identifier` or `sensitive`.
    pub role: String,
    /// In words: how its values generalize.
    pub hierarchy: Option<String>,
    /// What is promised about it.
    pub promises: Vec<String>,
}

impl Offer {
    /// The sensitive columns with what is promised about each; `None` where a promise is not
    /// understood.
    pub(crate) fn sensitive(&self) -> Option<Vec<(&str, Vec<Rule>)>> {
        let sensitive = self.columns.iter().filter(|c| c.role == "sensitive");
        let rules = |c: &OfferedColumn| {
            c.promises
                .iter()
                .map(|text| from_text(text))
                .collect::<Option<Vec<_>>>()
        };
        sensitive
            .map(|c| Some((c.name.as_str(), rules(c)?)))
            .collect()
    }

    /// What no site may offer, this one or the other.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let mut names = HashSet::from([GID]);
        let quasi_identifiers = self
            .columns
            .iter()
            .filter(|c| c.role == "quasi-identifier")
            .count();
        let faults = [
            (
                !is_name(&self.site),
                "a site without a name, or with one that is too long or has control characters",
            ),
            (self.columns.len() > MOST_COLUMNS, "too many columns"),
            (
                !self.columns.iter().all(OfferedColumn::is_sound),
                "a column's name, role or hierarchy",
            ),
            (
                !self.columns.iter().all(|c| names.insert(&c.name)),
                "two columns of one name, or one named `gid`",
            ),
            (
                self.sensitive().is_none(),
                "a promise that is not understood",
            ),
            (
                self.columns
                    .iter()
                    .any(|c| c.promises.len() > MOST_PROMISES),
                "too many promises about a column",
            ),
            (
                self.steps as usize > quasi_identifiers * MOST_LEVELS,
                "more steps than hierarchies can have",
            ),
        ];
        faults
            .into_iter()
            .find_map(|(found, what)| found.then_some(what))
    }
}

/// More columns than anybody publishes.
const MOST_COLUMNS: usize = 1000;

/// Each costs memory for every value of its column.
const MOST_PROMISES: usize = 16;

/// A hierarchy's levels, of which generalization uses no more. With [`MOST_COLUMNS`] it bounds how
/// long a session that the other site never agrees in can last.
pub(crate) const MOST_LEVELS: usize = 255;

/// In characters.
const LONGEST_NAME: usize = 200;
const LONGEST_DESCRIPTION: usize = 4000;

/// Names are shown to people and become parts of file names.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().count() <= LONGEST_NAME && !text.contains(char::is_control)
}

impl OfferedColumn {
    fn is_sound(&self) -> bool {
        let described =
            |text: &String| text.len() <= LONGEST_DESCRIPTION && !text.contains(char::is_control);
        is_name(&self.name)
            && matches!(self.role.as_str(), "quasi-identifier" | "sensitive")
            && self.hierarchy.as_ref().is_none_or(described)
    }
}

/// A greeting as it travels.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hello {
    pub(crate) version: u16,
    /// The program's version, which the release shows.
    pub(crate) program: String,
    pub(crate) seat: Seat,
    pub(crate) terms: StatedTerms,
    pub(crate) offer: Offer,
    #[serde(with = "hex")]
    pub(crate) nonce: [u8; 32],
    pub(crate) standing: StatedStanding,
    /// The session that this site still has in memory, and how many of its frames have arrived
    /// here.
    pub(crate) live: Option<Live>,
}

/// A session in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Live {
    #[serde(with = "hex")]
    pub(crate) session: [u8; 32],
    pub(crate) received: u64,
}

/// What a site's journal says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum StatedStanding {
    Nothing,
    Ready(StatedRecord),
    Published(StatedRecord),
}

/// A record as it travels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StatedRecord {
    #[serde(with = "hex")]
    pub(crate) session: [u8; 32],
    #[serde(with = "hex")]
    pub(crate) digest: [u8; 32],
    #[serde(with = "hex")]
    pub(crate) signature: [u8; 64],
}

impl From<&OutputRecord> for StatedRecord {
    fn from(record: &OutputRecord) -> StatedRecord {
        StatedRecord {
            session: record.session,
            digest: record.digest,
            signature: record.signature,
        }
    }
}

impl From<&Standing> for StatedStanding {
    fn from(standing: &Standing) -> StatedStanding {
        match standing {
            Standing::Nothing => StatedStanding::Nothing,
            Standing::Ready(record) => StatedStanding::Ready(record.into()),
            Standing::Published(record) => StatedStanding::Published(record.into()),
        }
    }
}

impl StatedStanding {
    pub(crate) fn record(&self) -> Option<&StatedRecord> {
        match self {
            StatedStanding::Nothing => None,
            StatedStanding::Ready(record) | StatedStanding::Published(record) => Some(record),
        }
    }
}

impl Hello {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("greetings have string keys only")
    }

    /// Reads a greeting. The version is looked at first: of another one, nothing else need be
    /// understood.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Hello, Error> {
        #[derive(Deserialize)]
        struct Version {
            version: u16,
        }
        let malformed = |_| Violation::Malformed {
            kind: Kind::Hello.name(),
        };
        let Version { version } = serde_json::from_slice(bytes).map_err(malformed)?;
        if version != VERSION {
            return Err(Error::Version {
                here: VERSION,
                there: version,
            });
        }
        let hello: Hello = serde_json::from_slice(bytes).map_err(malformed)?;
        match hello.offer.fault() {
            None => Ok(hello),
            Some(_) => Err(Violation::Malformed {
                kind: Kind::Hello.name(),
            }
            .into()),
        }
    }

    /// Whether both want the same. Nothing that depends on data has been sent when this is asked.
    pub(crate) fn compare(&self, theirs: &Hello) -> Result<(), Error> {
        if self.seat == theirs.seat {
            return Err(Error::Same {
                what: format!("seat {}", self.seat.number()),
            });
        }
        self.terms.compare(&theirs.terms)?;
        if self.program != theirs.program {
            let (here, there) = (self.program.clone(), printable(&theirs.program));
            return Err(Error::TermsDiffer {
                what: "the program's version".into(),
                here,
                there,
            });
        }
        if self.offer.site == theirs.offer.site {
            return Err(Error::Same {
                what: format!("name {}", self.offer.site),
            });
        }
        self.terms.kept_by(&theirs.offer)?;
        let names: HashSet<&str> = self.offer.columns.iter().map(|c| c.name.as_str()).collect();
        match theirs
            .offer
            .columns
            .iter()
            .find(|c| names.contains(c.name.as_str()))
        {
            Some(column) => Err(Error::Same {
                what: format!("column {}", printable(&column.name)),
            }),
            None => Ok(()),
        }
    }

    /// The name of a new session between two greetings.
    pub(crate) fn session(&self, theirs: &Hello, keys: [[u8; 32]; 2]) -> SessionId {
        let [first, second] = crate::session_id::by_seat(self.seat, self, theirs);
        let bound = serde_json::to_vec(&(&first.terms, &first.offer, &second.offer))
            .expect("string keys only");
        SessionId::new(
            VERSION,
            &bound,
            [(keys[0], first.nonce), (keys[1], second.nonce)],
        )
    }
}

/// What two greetings come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meeting {
    /// Both have finished the same output; this site has yet to publish it.
    Publish,
    /// This site has published, and the other has or will.
    Published,
    /// The other has finished another output of the same session.
    Differ,
    /// This site is ready with a session that the other does not know any more: it is void.
    Void,
    /// Both have the same session in memory.
    Resume,
    /// Nothing to go on with.
    Fresh,
    /// One has published a session that the other does not know.
    AlreadyPublished,
}

/// Draws the conclusion. Both sites come to matching ones, since both see the same two greetings.
pub(crate) fn meet(mine: &Hello, theirs: &Hello) -> Meeting {
    let same = |a: &StatedRecord, b: &StatedRecord| a.session == b.session;
    let live = |hello: &Hello| hello.live.map(|live| live.session);
    let resumable = live(mine).is_some() && live(mine) == live(theirs);
    match (&mine.standing, &theirs.standing) {
        (
            StatedStanding::Ready(me),
            StatedStanding::Ready(other) | StatedStanding::Published(other),
        ) if same(me, other) => {
            if me.digest == other.digest {
                Meeting::Publish
            } else {
                Meeting::Differ
            }
        }
        (
            StatedStanding::Published(me),
            StatedStanding::Ready(other) | StatedStanding::Published(other),
        ) if same(me, other) && me.digest == other.digest => Meeting::Published,
        (StatedStanding::Published(_), _) | (_, StatedStanding::Published(_)) => {
            Meeting::AlreadyPublished
        }
        _ if resumable => Meeting::Resume,
        (StatedStanding::Ready(_), _) => Meeting::Void,
        _ => Meeting::Fresh,
    }
}

mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer, const N: usize>(
        bytes: &[u8; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&bytes.iter().map(|b| format!("{b:02x}")).collect::<String>())
    }

    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[u8; N], D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits: Option<Vec<u8>> = text
            .bytes()
            .map(|b| (b as char).to_digit(16).map(|d| d as u8))
            .collect();
        let digits = digits
            .filter(|d| d.len() == 2 * N)
            .ok_or_else(|| D::Error::custom("not hexadecimal"))?;
        let mut bytes = [0; N];
        bytes
            .iter_mut()
            .zip(digits.chunks(2))
            .for_each(|(byte, pair)| *byte = pair[0] << 4 | pair[1]);
        Ok(bytes)
    }
}
