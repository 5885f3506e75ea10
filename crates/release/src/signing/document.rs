//! `signed.json`: a list of signatures in one form only, so that no byte of it is free.

use super::{SignerKey, is_signer_name};
use crate::ed25519::{from_hex, hex};
use crate::manifest::checksum::is_hex;
use mingle_record::schema::SignedSchema;
use serde::{Deserialize, Serialize};

/// The file's name, in `public/` and in `private/`.
pub const SIGNED_FILE: &str = "signed.json";

/// One signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SignedEntry {
    /// What the signer calls itself.
    pub name: Option<String>,
    /// Its public key.
    pub key: SignerKey,
    /// The SHA-256 of the manifest, in hexadecimal.
    pub manifest: String,
    /// The SHA-256 of `report.json`, where there was one.
    pub report: Option<String>,
    /// Of the text that names all of this.
    pub signature: [u8; 64],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: SignedSchema,
    signatures: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    key: String,
    manifest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    report: Option<String>,
    signature: String,
}

/// The file's bytes.
pub fn encode(entries: &[SignedEntry]) -> Vec<u8> {
    let mut signatures = Vec::new();
    for entry in entries {
        signatures.push(Entry {
            name: entry.name.clone(),
            key: entry.key.to_string(),
            manifest: entry.manifest.clone(),
            report: entry.report.clone(),
            signature: hex(&entry.signature),
        });
    }
    let document = Document {
        schema: SignedSchema,
        signatures,
    };
    let mut bytes =
        serde_json::to_vec_pretty(&document).expect("the document has string keys only");
    bytes.push(b'\n');
    bytes
}

/// Reads exactly what [`encode`] writes, with ascending keys.
pub fn decode(bytes: &[u8]) -> Option<Vec<SignedEntry>> {
    let document: Document = serde_json::from_slice(bytes).ok()?;
    let mut entries: Vec<SignedEntry> = Vec::new();
    for found in document.signatures {
        let digests = [Some(&found.manifest), found.report.as_ref()];
        let are_digests = digests
            .iter()
            .flatten()
            .all(|digest| digest.len() == 64 && is_hex(digest));
        let is_named = found.name.as_deref().is_none_or(is_signer_name);
        if !are_digests || !is_named {
            return None;
        }
        let entry = SignedEntry {
            key: SignerKey(from_hex(&found.key)?),
            signature: from_hex(&found.signature)?,
            name: found.name,
            manifest: found.manifest,
            report: found.report,
        };
        if entries.last().is_some_and(|last| last.key >= entry.key) {
            return None;
        }
        entries.push(entry);
    }
    (!entries.is_empty() && encode(&entries) == bytes).then_some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form_only() {
        let entries = [1, 2].map(|number| SignedEntry {
            name: (number == 2).then(|| "Dr. Ada Müller".to_owned()),
            key: SignerKey([number; 32]),
            manifest: "ab".repeat(32),
            report: (number == 1).then(|| "cd".repeat(32)),
            signature: [200; 64],
        });
        let bytes = encode(&entries);
        assert_eq!(decode(&bytes).as_deref(), Some(&entries[..]));
        let mut swapped = entries.clone();
        swapped.swap(0, 1);
        assert!(decode(&encode(&swapped)).is_none());
        assert!(decode(&encode(&[])).is_none());
        let text = String::from_utf8(bytes).unwrap();
        for other in [
            text.replace("c8", "C8"),
            text.replace("  ", " "),
            text.clone() + " ",
            text.replace("/1", "/2"),
            text.replace("abab", "abxx"),
            text.replace("Dr. Ada", "Dr.\\nAda"),
        ] {
            assert!(
                other != text && decode(other.as_bytes()).is_none(),
                "{other}"
            );
        }
    }
}
