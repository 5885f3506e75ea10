//! `mingle site trust` and `mingle site fingerprint`: whom this site trusts, and what it reads to
//! the partner.

use super::problem;
use super::settings::Settings;
use crate::args::{SiteFingerprint, SiteTrust};
use crate::message::{Exit, Problem, Screen, print, print_json};
use mingle::failure;
use mingle_record::answer::{SiteFingerprintAnswer, SiteTrustAnswer};
use mingle_record::schema::{SiteFingerprintSchema, SiteTrustSchema};
use mingle_site::{Error, Fingerprint, read_certificate};
use std::path::Path;
use toml_edit::{DocumentMut, Item, value};

/// Prints the fingerprint of the site's own certificate.
pub fn fingerprint(args: &SiteFingerprint) -> Result<Exit, Problem> {
    let settings = Settings::load(&args.settings)?;
    let fingerprint = own(&settings)?.to_string();
    if args.json {
        print_json(&SiteFingerprintAnswer {
            schema: SiteFingerprintSchema,
            fingerprint,
        })?;
    } else {
        print(&format!("{fingerprint}\n"))?;
    }
    Ok(Exit::Fine)
}

/// Pins the partner's.
pub fn run(args: &SiteTrust, screen: Screen) -> Result<Exit, Problem> {
    let settings = Settings::load(&args.settings)?;
    let pinned = match (&args.certificate, &args.fingerprint) {
        (Some(file), _) => Fingerprint::of(&read_certificate(file).map_err(|e| problem(&e))?),
        (None, Some(text)) => text.parse().map_err(|e| problem(&e))?,
        (None, None) => return Err(failure::defect("neither a fingerprint nor a certificate")),
    };
    if pinned == own(&settings)? {
        return Err(problem(&Error::OwnFingerprint));
    }
    write(&args.settings, pinned)?;
    let before = settings.fingerprint.filter(|old| *old != pinned);
    let instead = before
        .as_ref()
        .map_or(String::new(), |old| format!("\ninstead of {old}"));
    screen.note(&format!(
        "{} is now trusted by {}{instead}",
        pinned,
        args.settings.display()
    ));
    if args.certificate.is_some() {
        screen.note("compare this fingerprint with your partner by telephone before you run");
    }
    if args.json {
        print_json(&SiteTrustAnswer {
            schema: SiteTrustSchema,
            settings: args.settings.display().to_string(),
            fingerprint: pinned.to_string(),
            instead_of: before.map(|old| old.to_string()),
        })?;
    }
    Ok(Exit::Fine)
}

fn own(settings: &Settings) -> Result<Fingerprint, Problem> {
    read_certificate(&settings.certificate)
        .map(|der| Fingerprint::of(&der))
        .map_err(|e| problem(&e))
}

/// Changes one value of the settings; comments and everything else stay as they are.
fn write(path: &Path, pinned: Fingerprint) -> Result<(), Problem> {
    let text = mingle_io::read_small_file(path)
        .map_err(|e| failure::write(&path.display().to_string(), &e))?;
    let changed = with_fingerprint(&text, pinned)
        .ok_or_else(|| failure::defect("settings that were read are not TOML"))?;
    mingle_disk::replace(path, changed.as_bytes()).map_err(|e| problem(&e.into()))
}

fn with_fingerprint(text: &str, pinned: Fingerprint) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let peer = document.get_mut("peer")?.as_table_like_mut()?;
    let mut new = value(pinned.to_string());
    if let (Some(old), Some(new)) = (
        peer.get("fingerprint").and_then(Item::as_value),
        new.as_value_mut(),
    ) {
        *new.decor_mut() = old.decor().clone();
    }
    peer.insert("fingerprint", new);
    Some(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_fingerprint_changes() {
        let pinned = Fingerprint::of(b"a certificate");
        let before = "# top\n[site]\nname = 'x' # y\n\n[peer]\nfingerprint = \"\"   # pinned\n# more\nconnect = \"a:1\"\n";
        let after = with_fingerprint(before, pinned).unwrap();
        assert_eq!(after, before.replace("\"\"", &format!("\"{pinned}\"")));
        assert_eq!(with_fingerprint(&after, pinned).unwrap(), after);
        let without = before.replace("fingerprint = \"\"   # pinned\n", "");
        let added = with_fingerprint(&without, pinned).unwrap();
        assert!(
            added.contains(&format!("fingerprint = \"{pinned}\"\n"))
                && added.contains("# more\nconnect"),
            "{added}"
        );
        assert!(with_fingerprint("[site]\n", pinned).is_none());
    }
}
