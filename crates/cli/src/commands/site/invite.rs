//! `mingle site invite` and `mingle site join`: one text that says who publishes together.

use super::problem;
use super::settings::Settings;
use crate::args::{SiteInvite, SiteJoin};
use crate::message::{Exit, Problem, Screen, print, print_json, wrap};
use mingle::failure;
use mingle_record::ProblemCode;
use mingle_record::answer::{SiteInviteAnswer, SiteInvited, SiteInvitedProvider, SiteJoinAnswer};
use mingle_record::schema::{SiteInviteSchema, SiteJoinSchema};
use mingle_site::{Error, Fingerprint, Identity, Invitation, InvitedProvider, read_certificate};
use std::fmt::Write as _;
use std::path::Path;
use toml_edit::{DocumentMut, Item, Table, value};

/// Prints the invitation.
pub fn invite(args: &SiteInvite, screen: Screen) -> Result<Exit, Problem> {
    let mut providers = Vec::new();
    for named in &args.providers {
        let Some((name, file)) = named.split_once('=') else {
            let text = "a provider is NAME=CERTIFICATE";
            return Err(Problem::new(
                ProblemCode::Usage,
                text,
                "write P1=p1.crt, with the site.crt that P1 sent",
            ));
        };
        let file = Path::new(file);
        let certificate = read_certificate(file).map_err(|e| problem(&e))?;
        let provider = InvitedProvider::of(name, &certificate).ok_or_else(|| {
            problem(&Error::NotACertificate {
                path: file.to_owned(),
            })
        })?;
        providers.push(provider);
    }
    let board = read_certificate(&args.board_certificate).map_err(|e| problem(&e))?;
    let invitation = Invitation::new(&args.board, Fingerprint::of(&board), providers)
        .map_err(|e| problem(&e))?;
    if args.json {
        print_json(&SiteInviteAnswer {
            schema: SiteInviteSchema,
            invitation: invitation.to_string(),
            invited: invited(&invitation),
        })?;
    } else {
        print(&format!("{invitation}\n"))?;
    }
    screen.note(&described(&invitation));
    screen.note("send this text to all providers; each accepts it with `mingle site join`. It serves one run");
    Ok(Exit::Fine)
}

/// Writes the invitation into the settings.
pub fn join(args: &SiteJoin, screen: Screen) -> Result<Exit, Problem> {
    let settings = Settings::load(&args.settings)?;
    if settings.invitation.is_none() && settings.fingerprint.is_some() {
        let text = format!(
            "{} is for a partner, whose certificate is pinned",
            args.settings.display()
        );
        let hint = "make settings of their own for several providers with `mingle site init`";
        return Err(Problem::new(ProblemCode::Contradiction, text, hint));
    }
    let invitation: Invitation = args.invitation.parse().map_err(|e| problem(&e))?;
    let identity = Identity::load(&settings.key, &settings.certificate).map_err(|e| problem(&e))?;
    let seat = invitation
        .seat_of(&identity.public_key())
        .ok_or_else(|| problem(&Error::NotInvited))?;
    let name = &invitation.providers()[seat].name;
    if *name != settings.name {
        let text = format!(
            "the invitation calls this site otherwise than {} does",
            args.settings.display()
        );
        let hint =
            "agree on the name that the release shows, in `site.name` or in a new invitation";
        return Err(Problem::new(ProblemCode::Invitation, text, hint));
    }
    let text = std::fs::read_to_string(&args.settings)
        .map_err(|e| failure::write(&args.settings.display().to_string(), &e))?;
    let changed = with_invitation(&text, &invitation.to_string())
        .ok_or_else(|| failure::defect("settings that were read are not TOML"))?;
    mingle_disk::replace(&args.settings, changed.as_bytes()).map_err(|e| problem(&e.into()))?;
    screen.note(&described(&invitation));
    screen.note("compare the check words with the other providers before you run, by telephone");
    if args.json {
        print_json(&SiteJoinAnswer {
            schema: SiteJoinSchema,
            settings: args.settings.display().to_string(),
            invited: invited(&invitation),
        })?;
    }
    Ok(Exit::Fine)
}

/// The same as [`described`], for programs.
fn invited(invitation: &Invitation) -> SiteInvited {
    let providers = invitation.providers().iter();
    SiteInvited {
        board: invitation.board().to_string(),
        board_fingerprint: invitation.board_fingerprint().to_string(),
        providers: providers
            .map(|provider| SiteInvitedProvider {
                name: provider.name.clone(),
                fingerprint: provider.fingerprint.to_string(),
            })
            .collect(),
        check_words: invitation.check_words().to_string(),
    }
}

/// Who, where, and the words to compare.
fn described(invitation: &Invitation) -> String {
    let mut text = format!(
        "board: {}, {}\n",
        invitation.board(),
        invitation.board_fingerprint()
    );
    for provider in invitation.providers() {
        let _ = writeln!(
            text,
            "provider: {}, {}",
            provider.name, provider.fingerprint
        );
    }
    let _ = write!(text, "check words: {}", invitation.check_words());
    wrap(&text).trim_end().to_owned()
}

/// Changes one section of the settings; comments and everything else stay as they are.
fn with_invitation(text: &str, invitation: &str) -> Option<String> {
    // the line that `site init` writes about being called, which would stay without its section
    let mut kept = String::new();
    for line in text.lines() {
        if !line.trim_start().starts_with("# listen = ") {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    let mut document: DocumentMut = kept.parse().ok()?;
    document.remove("peer");
    if let Some(site) = document.get_mut("site").and_then(Item::as_table_like_mut) {
        site.remove("seat");
    }
    let run = document.entry("run").or_insert(Item::Table(Table::new()));
    run.as_table_like_mut()?
        .insert("invitation", value(invitation));
    Some(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_partner_goes_and_the_invitation_comes() {
        let before = "# top\n[site]\nname = 'x' # y\nseat = 0\n\n[peer]\nfingerprint = \"\"\n# listen = \"a:1\" # or\n\n[limits]\nsilence = 15\n";
        let after = with_invitation(before, "one").unwrap();
        assert!(
            after.contains("name = 'x' # y") && after.contains("silence = 15"),
            "{after}"
        );
        assert!(
            !after.contains("peer") && !after.contains("seat") && !after.contains("listen"),
            "{after}"
        );
        assert!(after.contains("[run]\ninvitation = \"one\""), "{after}");
        let again = with_invitation(&after, "two").unwrap();
        assert_eq!(again, after.replace("one", "two"));
    }
}
