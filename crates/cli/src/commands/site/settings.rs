//! `site.toml`: who this site is, who its partner is, and where the release goes. Paths are
//! relative to the file.

use mingle_policy::{Fields, Node, PolicyText};
use mingle_protocol::Seat;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use mingle_record::foreign_text::system_words;
use mingle_site::{Address, Fingerprint, Invitation, WaitingTimes};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The settings of a site.
#[derive(Debug)]
pub struct Settings {
    /// The site's name, which the release shows.
    pub name: String,
    /// Which of the two sites it is.
    pub seat: Seat,
    /// Its policy.
    pub policy: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// Its certificate.
    pub certificate: PathBuf,
    /// Where the release goes.
    pub out: PathBuf,
    /// What this site calls its partner.
    pub peer_name: String,
    /// Whom it trusts, or nobody yet.
    pub fingerprint: Option<Fingerprint>,
    /// Who calls whom.
    pub address: Address,
    /// How long to wait.
    pub limits: WaitingTimes,
    /// Of providers with rows of one table: who, where, and in which run.
    pub invitation: Option<Invitation>,
}

const SECTIONS: &[&str] = &["site", "peer", "run", "limits"];
const RUN: &[&str] = &["invitation"];
const SITE: &[&str] = &["name", "seat", "policy", "key", "certificate", "out"];
const PEER: &[&str] = &["name", "fingerprint", "connect", "listen"];
const LIMITS: &[&str] = &["silence", "deadline"];

impl Settings {
    /// Reads the file.
    pub fn load(path: &Path) -> Result<Settings, Problem> {
        let text = mingle_io::read_small_file(path).map_err(|e| {
            let text = format!("{}: {}", path.display(), system_words(&e));
            Problem::new(
                ProblemCode::PolicyUnreadable,
                text,
                "`mingle site init DIR --name NAME` writes one to start from",
            )
        })?;
        let root = Node::parse(&PolicyText::file(path.display().to_string(), text))?;
        let sections = root.fields(SECTIONS)?;
        let site = sections
            .require("site", "a [site] section; `mingle site init` writes one")?
            .fields(SITE)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        if let Some(run) = sections.get("run") {
            if let Some(peer) = sections.get("peer") {
                let text = "both [peer] and [run] are given";
                let hint =
                    "a site publishes with one partner, or with the providers of an invitation";
                return Err(peer.problem(ProblemCode::Contradiction, text, hint));
            }
            let invitation = invitation(&run.fields(RUN)?)?;
            let limits = limits(sections.get("limits"))?;
            return Settings::of_provider(&site, folder, invitation, limits);
        }
        let peer = sections
            .require("peer", "a [peer] section; `mingle site init` writes one")?
            .fields(PEER)?;
        let file = |key, example| {
            site.require(key, example)?
                .text()
                .map(|name| folder.join(name))
        };
        Ok(Settings {
            name: name(site.require("name", "name = \"…\", which the release will show")?)?,
            seat: seat(site.require("seat", "seat = 0, or seat = 1 if the partner has 0")?)?,
            policy: file("policy", "policy = \"policy.toml\"")?,
            key: file("key", "key = \"site.key\"")?,
            certificate: file("certificate", "certificate = \"site.crt\"")?,
            out: file("out", "out = \"release\"")?,
            peer_name: name(peer.require("name", "name = \"…\", what you call the partner")?)?,
            fingerprint: fingerprint(&peer)?,
            address: address(&peer)?,
            limits: limits(sections.get("limits"))?,
            invitation: None,
        })
    }

    /// The board stands where a partner stands otherwise.
    fn of_provider(
        site: &Fields<'_>,
        folder: &Path,
        invitation: Invitation,
        limits: WaitingTimes,
    ) -> Result<Settings, Problem> {
        let file = |key, example| {
            site.require(key, example)?
                .text()
                .map(|name| folder.join(name))
        };
        Ok(Settings {
            name: name(site.require("name", "name = \"…\", which the release will show")?)?,
            seat: Seat::Zero,
            policy: file("policy", "policy = \"policy.toml\"")?,
            key: file("key", "key = \"site.key\"")?,
            certificate: file("certificate", "certificate = \"site.crt\"")?,
            out: file("out", "out = \"release\"")?,
            peer_name: "the board".to_owned(),
            fingerprint: Some(invitation.board_fingerprint()),
            address: Address::Connect(invitation.board().to_owned()),
            limits,
            invitation: Some(invitation),
        })
    }
}

fn name(node: &Node) -> Result<String, Problem> {
    let name = node.text()?;
    if !name.trim().is_empty() && name.chars().count() <= 100 && !name.chars().any(char::is_control)
    {
        Ok(name.to_owned())
    } else {
        let text = format!("`{}` must be a name of at most 100 characters", node.path);
        Err(node.problem(
            ProblemCode::WrongValue,
            text,
            "write a short name such as \"hospital\"",
        ))
    }
}

fn seat(node: &Node) -> Result<Seat, Problem> {
    match node.whole(0)? {
        0 => Ok(Seat::Zero),
        1 => Ok(Seat::One),
        _ => {
            let text = format!("`{}` must be 0 or 1", node.path);
            Err(node.problem(
                ProblemCode::OutOfRange,
                text,
                "one of the two sites is 0, the other 1",
            ))
        }
    }
}

fn invitation(run: &Fields<'_>) -> Result<Invitation, Problem> {
    let node = run.require(
        "invitation",
        "invitation = \"…\"; `mingle site join` writes it",
    )?;
    node.text()?.parse().map_err(|e: mingle_site::Error| {
        let text = format!("`{}`: {e}", node.path);
        node.problem(ProblemCode::Invitation, text, "ask for the text again")
    })
}

/// An empty one means that nobody is trusted yet.
fn fingerprint(peer: &Fields<'_>) -> Result<Option<Fingerprint>, Problem> {
    let Some(node) = peer.get("fingerprint") else {
        return Ok(None);
    };
    match node.text()? {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|e: mingle_site::Error| {
            node.problem(
                ProblemCode::Fingerprint,
                format!("`{}`: {e}", node.path),
                "pin it with `mingle site trust`",
            )
        }),
    }
}

fn address(peer: &Fields<'_>) -> Result<Address, Problem> {
    let hint = "one site has connect = \"host:port\", the other listen = \"0.0.0.0:port\"";
    let checked = |node: &Node| {
        let text = node.text()?;
        let port = text
            .rsplit_once(':')
            .filter(|(host, _)| !host.is_empty())
            .map(|(_, port)| port.parse::<u16>());
        match port {
            Some(Ok(_)) => Ok(text.to_owned()),
            _ => Err(node.problem(
                ProblemCode::WrongValue,
                format!("`{}` must be host:port", node.path),
                hint,
            )),
        }
    };
    match (peer.get("connect"), peer.get("listen")) {
        (Some(node), None) => checked(node).map(Address::Connect),
        (None, Some(node)) => checked(node).map(Address::Listen),
        (Some(node), Some(_)) => Err(node.problem(
            ProblemCode::Contradiction,
            "both `peer.connect` and `peer.listen` are given",
            hint,
        )),
        (None, None) => {
            let text = "`peer.connect` or `peer.listen` is missing";
            Err(peer.node.problem(ProblemCode::MissingKey, text, hint))
        }
    }
}

/// Nobody waits longer, and clocks can add it up.
const LONGEST: u64 = 30 * 24 * 3600;

fn limits(section: Option<&Node>) -> Result<WaitingTimes, Problem> {
    let mut limits = WaitingTimes::default();
    let Some(section) = section else {
        return Ok(limits);
    };
    let fields = section.fields(LIMITS)?;
    let seconds = |key: &str, least: u64| -> Result<Option<u64>, Problem> {
        let Some(node) = fields.get(key) else {
            return Ok(None);
        };
        match node.whole(least)? {
            seconds if seconds > LONGEST => {
                let text = format!("`limits.{key}` is longer than {LONGEST} seconds, thirty days");
                Err(node.problem(
                    ProblemCode::OutOfRange,
                    text,
                    "take a shorter time, in seconds",
                ))
            }
            seconds => Ok(Some(seconds)),
        }
    };
    // a site pings every five seconds
    if let Some(silence) = seconds("silence", 10)? {
        limits.silence = Duration::from_secs(silence);
    }
    if let Some(deadline) = seconds("deadline", 1)? {
        limits.deadline = Duration::from_secs(deadline);
    }
    Ok(limits)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOUND: &str = "[site]\nname = \"hospital\"\nseat = 0\npolicy = \"policy.toml\"\nkey = \"site.key\"\n\
                         certificate = \"site.crt\"\nout = \"release\"\n[peer]\nname = \"insurer\"\n\
                         listen = \"0.0.0.0:7447\"\n[limits]\nsilence = 15\n";

    fn load(text: &str) -> Result<Settings, Problem> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::io::Write::write_all(&mut file.as_file(), text.as_bytes()).unwrap();
        Settings::load(file.path())
    }

    #[test]
    fn sound_settings_are_understood() {
        let settings = load(SOUND).ok().unwrap();
        assert_eq!(
            (settings.name.as_str(), settings.seat),
            ("hospital", Seat::Zero)
        );
        assert!(settings.policy.ends_with("policy.toml") && settings.policy.is_absolute());
        assert!(settings.fingerprint.is_none() && matches!(settings.address, Address::Listen(_)));
        assert_eq!(
            (
                settings.limits.silence.as_secs(),
                settings.limits.deadline.as_secs()
            ),
            (15, 3600)
        );
    }

    #[test]
    #[cfg(unix)]
    fn what_has_no_end_is_not_read() {
        for endless in ["/dev/zero", "/dev/stdin"] {
            if Path::new(endless)
                .metadata()
                .is_ok_and(|found| !found.is_file())
            {
                assert!(Settings::load(Path::new(endless)).is_err(), "{endless}");
            }
        }
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (from, to, code, part) in [
            (
                "seat = 0",
                "seat = 2",
                ProblemCode::OutOfRange,
                ":3:8: `site.seat`",
            ),
            (
                "seat = 0",
                "saet = 0",
                ProblemCode::UnknownKey,
                "did you mean `seat`?",
            ),
            (
                "[limits]",
                "[limit]",
                ProblemCode::UnknownKey,
                "did you mean `limits`?",
            ),
            (
                "silence = 15",
                "silence = 9",
                ProblemCode::OutOfRange,
                "`limits.silence`",
            ),
            (
                "silence = 15",
                "silence = 9223372036854775807",
                ProblemCode::OutOfRange,
                "thirty days",
            ),
            (
                "silence = 15",
                "deadline = 2592001",
                ProblemCode::OutOfRange,
                "thirty days",
            ),
            (
                "silence = 15",
                "silence = 15.5",
                ProblemCode::OutOfRange,
                "`limits.silence`",
            ),
            (
                "listen = \"0.0.0.0:7447\"",
                "",
                ProblemCode::MissingKey,
                "`peer.connect` or `peer.listen`",
            ),
            (
                "listen = ",
                "connect = \"a:1\"\nlisten = ",
                ProblemCode::Contradiction,
                "both",
            ),
            ("0.0.0.0:7447", "7447", ProblemCode::WrongValue, "host:port"),
            (
                "0.0.0.0:7447",
                "0.0.0.0:74470",
                ProblemCode::WrongValue,
                "host:port",
            ),
            (
                "name = \"insurer\"",
                "name = \"\"",
                ProblemCode::WrongValue,
                "`peer.name`",
            ),
            (
                "name = \"insurer\"",
                "name = 5",
                ProblemCode::WrongValue,
                "`peer.name`",
            ),
            (
                "name = \"insurer\"",
                "name = \"i\"\nfingerprint = \"sha256:12\"",
                ProblemCode::Fingerprint,
                "`peer.fingerprint`",
            ),
            (
                "key = \"site.key\"\n",
                "",
                ProblemCode::MissingKey,
                "`site.key` is missing",
            ),
            ("[peer]", "[peer", ProblemCode::PolicySyntax, ""),
        ] {
            let problem = load(&SOUND.replace(from, to)).map(|_| ()).expect_err(to);
            assert_eq!(problem.code(), code, "{to}");
            assert!(format!("{problem:?}").contains(part), "{part}: {problem:?}");
        }
    }
}
