//! The file that a joint verification leaves: what was asked and found, signed by all.
//!
//! One JSON document, `mingle.site-verify/1`. What is signed is the SHA-256 of the document without
//! its signatures, in the compact form, behind the prefix of releases of providers. It lies beside
//! its place, unsigned and flushed, until all have signed.

use super::invitation::Invitation;
use super::work::VerifiedTable;
use crate::error::Error;
use crate::hex;
use mingle_disk::hidden_beside;
use mingle_privacy::Attribute;
use mingle_protocol::horizontal::JointVerification;
use mingle_record::answer::{SiteVerifyAnswer, SiteVerifyDiversity, SiteVerifySignature};
use mingle_record::manifest::SiteEntry;
use mingle_record::schema::SiteVerifySchema;
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What is signed.
pub(super) fn digest(document: &SiteVerifyAnswer) -> [u8; 32] {
    let unsigned = SiteVerifyAnswer {
        signatures: Vec::new(),
        ..document.clone()
    };
    let bytes = serde_json::to_vec(&unsigned).expect("text, numbers and nothing else");
    Sha256::digest(bytes).into()
}

/// The document as all have it, without signatures.
pub(super) fn document(
    verdict: &JointVerification,
    about: &VerifiedTable,
    invitation: &Invitation,
) -> SiteVerifyAnswer {
    let mut diversity = Vec::new();
    let promised = about.terms.promises.iter().filter_map(|promise| {
        let l = promise.rule.as_distinct_diversity()?;
        Some((l, promise.attribute))
    });
    for ((l, attribute), not_shown) in promised.zip(&verdict.l_not_shown) {
        let column = match attribute {
            Some(Attribute::Column(at)) => about.schema.sensitive().get(at),
            _ => None,
        };
        diversity.push(SiteVerifyDiversity {
            column: column.map(|column| column.spec.name.clone()),
            l: l.0,
            not_shown: *not_shown,
        });
    }
    let mut sites = Vec::new();
    for provider in invitation.providers() {
        sites.push(SiteEntry {
            name: provider.name.clone(),
            key: hex::encode(&provider.key),
            fingerprint: provider.fingerprint.to_string(),
        });
    }
    SiteVerifyAnswer {
        schema: SiteVerifySchema,
        proved: verdict.is_proved(),
        m: about.terms.m.0,
        k: about.terms.k().map_or(0, |k| k.0),
        groups: verdict.groups,
        k_not_shown: verdict.k_not_shown,
        diversity,
        table: hex::encode(&about.digest),
        level: about.terms.level.name().to_owned(),
        caps: about.terms.caps.describe(),
        session: hex::encode(&verdict.session),
        statements: about.statements.clone(),
        sites,
        signatures: Vec::new(),
    }
}

/// Where the document waits.
fn waiting_place(out: &Path) -> PathBuf {
    hidden_beside(out, "mingle-verdict")
}

fn write(path: &Path, document: &SiteVerifyAnswer) -> Result<(), Error> {
    let mut bytes = serde_json::to_vec_pretty(document).map_err(|_| Error::Defect)?;
    bytes.push(b'\n');
    Ok(mingle_disk::replace(path, &bytes)?)
}

fn read(path: &Path) -> Result<Option<SiteVerifyAnswer>, Error> {
    match fs::read(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Error::io(path)(e)),
        // something else is there, or half of it: not what we look for
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
    }
}

/// Makes it safe; returns its digest.
pub(super) fn stage(out: &Path, document: &SiteVerifyAnswer) -> Result<[u8; 32], Error> {
    write(&waiting_place(out), document)?;
    Ok(digest(document))
}

/// Whether it waits.
pub(super) fn is_staged(out: &Path, expected: &[u8; 32]) -> Result<bool, Error> {
    let found = read(&waiting_place(out))?;
    Ok(found.is_some_and(|document| digest(&document) == *expected))
}

/// Whether it is there, with signatures.
pub(super) fn is_in_place(out: &Path, expected: &[u8; 32]) -> Result<bool, Error> {
    let found = read(out)?;
    Ok(found.is_some_and(|found| !found.signatures.is_empty() && digest(&found) == *expected))
}

/// Adds the signatures and puts it in its place.
pub(super) fn commit(out: &Path, invitation: &Invitation, all: &[[u8; 64]]) -> Result<(), Error> {
    let waiting = waiting_place(out);
    let mut document = read(&waiting)?.ok_or(Error::Defect)?;
    for (provider, signature) in invitation.providers().iter().zip(all) {
        document.signatures.push(SiteVerifySignature {
            site: provider.name.clone(),
            signature: hex::encode(signature),
        });
    }
    write(out, &document)?;
    Ok(mingle_disk::remove(&waiting)?)
}

/// Gives it up.
pub(super) fn discard(out: &Path) -> Result<(), Error> {
    Ok(mingle_disk::remove(&waiting_place(out))?)
}
