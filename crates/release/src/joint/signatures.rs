//! What two sites, or n providers, sign, and `public/signatures.json`, which holds it.
//!
//! All sign the digest of `public/manifest.json` (Ed25519, RFC 8032), behind a prefix that no
//! other use of their keys has. The manifest names the keys, and holds the hashes of all other
//! files, so a signature covers the whole of `public/`. Whether a key really is the partner's is
//! for the reader to know: the manifest only says so.

use crate::ed25519::{from_hex, has_signed, hex};
use crate::manifest::{ProtocolEntry, SiteEntry};
use mingle_record::schema::SignaturesSchema;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The file's name in `public/`.
pub(crate) const FILE: &str = "signatures.json";

const PREFIX: &[u8] = b"mingle release 1\0";
/// A thousand names, keys and signatures are below this.
const MAX_BYTES: u64 = 1 << 20;

/// What is signed: a prefix of its own, and the digest of `public/manifest.json`.
pub fn signed_bytes(digest: &[u8; 32]) -> Vec<u8> {
    [PREFIX, digest].concat()
}

const PROVIDERS_PREFIX: &[u8] = b"mingle joint release of providers\0";

/// What each of n providers signs: the same behind another prefix.
pub fn provider_signed_bytes(digest: &[u8; 32]) -> Vec<u8> {
    [PROVIDERS_PREFIX, digest].concat()
}

/// A site's signature of a release.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteSignature {
    /// The site's name, as the manifest has it.
    pub site: String,
    /// Its Ed25519 public key.
    pub key: [u8; 32],
    /// Of [`signed_bytes`].
    pub signature: [u8; 64],
}

/// What is wrong with a site's signature, or with the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SignatureProblem {
    /// There is none.
    Missing,
    /// It claims another key than the manifest names.
    Key,
    /// It is not one of this release by this key.
    Wrong,
}

/// Whether a key has signed the release of this digest. Strict: keys and signatures of which
/// several forms would pass are refused.
pub fn is_signed(key: &[u8; 32], digest: &[u8; 32], signature: &[u8; 64]) -> bool {
    has_signed(key, &signed_bytes(digest), signature)
}

/// What the sites of a protocol sign.
pub(super) fn message_of(protocol: &ProtocolEntry, digest: &[u8; 32]) -> Vec<u8> {
    match &protocol.providers {
        None => signed_bytes(digest),
        Some(_) => provider_signed_bytes(digest),
    }
}

/// Checks a site's signature against what the manifest says of the site.
pub(super) fn check_one(
    site: &SiteEntry,
    found: Option<&SiteSignature>,
    message: &[u8],
) -> Option<SignatureProblem> {
    let Some(found) = found else {
        return Some(SignatureProblem::Missing);
    };
    if hex(&found.key) != site.key {
        return Some(SignatureProblem::Key);
    }
    (!has_signed(&found.key, message, &found.signature)).then_some(SignatureProblem::Wrong)
}

/// Checks `signatures.json`: `None` when it is not such a file, else what is wrong per site.
pub(crate) fn check(
    folder: &Path,
    protocol: &ProtocolEntry,
    digest: &[u8; 32],
) -> io::Result<Option<Vec<(String, SignatureProblem)>>> {
    let mut bytes = Vec::new();
    File::open(folder.join(FILE))?
        .take(MAX_BYTES)
        .read_to_end(&mut bytes)?;
    let Some(signatures) = decode(&bytes) else {
        return Ok(None);
    };
    let unknown = |s: &SiteSignature| protocol.sites.iter().all(|site| site.name != s.site);
    let in_order = signatures.iter().map(|s| place(protocol, s)).is_sorted();
    if signatures.len() > protocol.sites.len() || !in_order || signatures.iter().any(unknown) {
        return Ok(None);
    }
    let message = message_of(protocol, digest);
    let problem = |site: &SiteEntry| {
        let found = signatures.iter().find(|s| s.site == site.name);
        check_one(site, found, &message).map(|problem| (site.name.clone(), problem))
    };
    Ok(Some(protocol.sites.iter().filter_map(problem).collect()))
}

fn place(protocol: &ProtocolEntry, signature: &SiteSignature) -> Option<usize> {
    protocol
        .sites
        .iter()
        .position(|site| site.name == signature.site)
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: SignaturesSchema,
    signatures: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    site: String,
    key: String,
    signature: String,
}

/// The file's bytes: one form only, so that both sites write the same.
pub(super) fn encode<'a>(signatures: impl IntoIterator<Item = &'a SiteSignature>) -> Vec<u8> {
    let entry = |s: &SiteSignature| Entry {
        site: s.site.clone(),
        key: hex(&s.key),
        signature: hex(&s.signature),
    };
    let document = Document {
        schema: SignaturesSchema,
        signatures: signatures.into_iter().map(entry).collect(),
    };
    let mut bytes =
        serde_json::to_vec_pretty(&document).expect("the document has string keys only");
    bytes.push(b'\n');
    bytes
}

/// Reads exactly what [`encode`] writes.
fn decode(bytes: &[u8]) -> Option<Vec<SiteSignature>> {
    let document: Document = serde_json::from_slice(bytes).ok()?;
    let signature = |e: &Entry| {
        Some(SiteSignature {
            site: e.site.clone(),
            key: from_hex(&e.key)?,
            signature: from_hex(&e.signature)?,
        })
    };
    let signatures: Vec<SiteSignature> = document
        .signatures
        .iter()
        .map(signature)
        .collect::<Option<_>>()?;
    (encode(&signatures) == bytes).then_some(signatures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form_only() {
        let signatures = ["a", "b"].map(|site| SiteSignature {
            site: site.into(),
            key: [7; 32],
            signature: [200; 64],
        });
        let bytes = encode(&signatures);
        assert_eq!(decode(&bytes).as_deref(), Some(&signatures[..]));
        let text = String::from_utf8(bytes).unwrap();
        for other in [
            text.replace("c8", "C8"),
            text.replace("  ", " "),
            text.clone() + " ",
            text.replace("/1", "/2"),
        ] {
            assert!(
                other != text && decode(other.as_bytes()).is_none(),
                "{other}"
            );
        }
        for other in [
            "",
            "{}",
            "[]",
            r#"{"schema":"mingle.signatures/1","signatures":[],"more":1}"#,
        ] {
            assert!(decode(other.as_bytes()).is_none());
        }
    }

    #[test]
    fn what_is_signed_has_a_prefix_of_its_own() {
        let bytes = signed_bytes(&[9; 32]);
        assert_eq!(
            (&bytes[..17], bytes.len()),
            (&b"mingle release 1\0"[..], 49)
        );
    }
}
