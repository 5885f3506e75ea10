//! `mingle site init`: a key, a certificate and settings to fill in.

use super::problem;
use crate::args::SiteInit;
use crate::message::{Exit, Problem, Screen, print, print_json, wrap};
use mingle::failure;
use mingle_record::ProblemCode;
use mingle_record::answer::SiteInitAnswer;
use mingle_record::schema::SiteInitSchema;
use mingle_site::Identity;
use std::path::Path;
use std::time::{Duration, SystemTime};

const FILES: [&str; 3] = ["site.key", "site.crt", "site.toml"];

pub fn run(args: &SiteInit, screen: Screen) -> Result<Exit, Problem> {
    let folder = &args.folder;
    check_name(&args.name)?;
    if let Some(there) = FILES
        .iter()
        .map(|file| folder.join(file))
        .find(|path| path.symlink_metadata().is_ok())
    {
        let text = format!("{} exists", there.display());
        return Err(Problem::new(
            ProblemCode::OutputExists,
            text,
            "choose another folder: a key is never overwritten",
        ));
    }
    let [key, certificate, settings] = FILES.map(|file| folder.join(file));
    make_folder(folder)?;
    let valid = Duration::from_secs(u64::from(args.days) * 24 * 60 * 60);
    let identity = Identity::create(&args.name, SystemTime::now(), valid, &key, &certificate)
        .map_err(|e| problem(&e))?;
    mingle_disk::create(&settings, template(&args.name).as_bytes())
        .map_err(|e| problem(&e.into()))?;
    if args.json {
        print_json(&SiteInitAnswer {
            schema: SiteInitSchema,
            fingerprint: identity.fingerprint().to_string(),
            key: key.display().to_string(),
            certificate: certificate.display().to_string(),
            settings: settings.display().to_string(),
            days: args.days,
        })?;
    } else {
        print(&format!("{}\n", identity.fingerprint()))?;
    }
    screen.note(&next_steps(folder, args.days));
    Ok(Exit::Fine)
}

fn check_name(name: &str) -> Result<(), Problem> {
    if !name.trim().is_empty() && name.chars().count() <= 100 && !name.chars().any(char::is_control)
    {
        Ok(())
    } else {
        let text = "a site's name has 1 to 100 characters";
        Err(Problem::new(
            ProblemCode::Usage,
            text,
            "write --name hospital",
        ))
    }
}

fn make_folder(folder: &Path) -> Result<(), Problem> {
    if folder.is_dir() {
        return Ok(());
    }
    mingle_disk::create_private_folder(folder)
        .map_err(|e| failure::write(&folder.display().to_string(), &e))
}

fn next_steps(folder: &Path, days: u32) -> String {
    let settings = folder.join("site.toml");
    let text = format!(
        "wrote {}, site.crt and site.toml; the certificate is valid for {days} days\n\
         next:\n\
         \x20 1. read the fingerprint above to your partner, over the telephone\n\
         \x20 2. pin the one your partner reads to you:\n\
         \x20      mingle site trust {} sha256:…\n\
         \x20 3. fill in site.toml, and a policy with a [protocol] section\n\
         \x20 4. both of you: mingle site run {}\n\
         keep site.key secret: anybody who has it can act as you",
        folder.join("site.key").display(),
        settings.display(),
        settings.display(),
    );
    wrap(&text).trim_end().to_owned()
}

fn template(name: &str) -> String {
    let name = toml_edit::Value::from(name);
    format!(
        "\
# Paths are relative to this file.
[site]
name = {}            # the release shows it
seat = 0                     # one of the two sites is 0, the other 1
policy = \"policy.toml\"
key = \"site.key\"             # keep it to yourself
certificate = \"site.crt\"
out = \"release\"

[peer]
name = \"partner\"
fingerprint = \"\"             # filled in by `mingle site trust`
connect = \"partner.example:7447\"
# listen = \"0.0.0.0:7447\"    # exactly one of the two: one site calls, the other is called

[limits]
silence = 30                 # seconds of silence before it connects again
deadline = 3600              # seconds for the whole run
",
        name.to_string().trim()
    )
}
