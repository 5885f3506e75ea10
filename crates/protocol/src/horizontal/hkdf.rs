//! HKDF (RFC 5869) with SHA-512: streams of bytes that nobody without the secret can tell from
//! random ones.
//!
//! A stream is cut into blocks of 64 bytes, each an expansion of its own whose label ends with the
//! block's number: HKDF gives at most 255 blocks for one label, and vectors are longer.

use sha2::{Digest, Sha512};
use zeroize::Zeroize;

const BLOCK: usize = 128;

/// A pseudorandom key, wiped when dropped.
pub(crate) struct DerivedKey([u8; 64]);

impl Drop for DerivedKey {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl DerivedKey {
    /// HKDF-Extract.
    pub(crate) fn extract(salt: &[u8], secret: &[u8]) -> DerivedKey {
        DerivedKey(hmac(salt, &[secret]))
    }

    /// Block `number` of the stream with this label.
    pub(crate) fn block(&self, label: &[u8], number: u64) -> [u8; 64] {
        hmac(&self.0, &[label, &number.to_be_bytes(), &[1]])
    }
}

fn hmac(key: &[u8], message: &[&[u8]]) -> [u8; 64] {
    let mut padded = [0u8; BLOCK];
    if key.len() > BLOCK {
        padded[..64].copy_from_slice(&Sha512::digest(key));
    } else {
        padded[..key.len()].copy_from_slice(key);
    }
    let mut inner = Sha512::new_with_prefix(padded.map(|byte| byte ^ 0x36));
    for part in message {
        inner.update(part);
    }
    let outer = Sha512::new_with_prefix(padded.map(|byte| byte ^ 0x5c));
    padded.zeroize();
    outer.chain_update(inner.finalize()).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|b| format!("{b:02x}")).collect()
    }

    #[test]
    fn hmac_follows_rfc_4231() {
        assert_eq!(
            hex(&hmac(&[0x0b; 20], &[b"Hi There"])),
            "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde\
             daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
        );
        assert_eq!(
            hex(&hmac(b"Jefe", &[b"what do ya want ", b"for nothing?"])),
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554\
             9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        );
        assert_eq!(
            hex(&hmac(
                &[0xaa; 131],
                &[b"Test Using Larger Than Block-Size Key - Hash Key First"]
            )),
            "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352\
             6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
        );
    }

    #[test]
    fn labels_and_numbers_are_kept_apart() {
        let key = DerivedKey::extract(b"salt", b"secret");
        let blocks = [
            key.block(b"a", 0),
            key.block(b"a", 1),
            key.block(b"b", 0),
            DerivedKey::extract(b"other", b"secret").block(b"a", 0),
        ];
        for (at, block) in blocks.iter().enumerate() {
            assert!(!blocks[..at].contains(block));
        }
    }
}
