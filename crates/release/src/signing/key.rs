//! The keys of whoever signs a release: Ed25519, in the PEM files that other programs write as
//! well.
//!
//! A private key is PKCS #8 (RFC 8410), with its public key or without; a public key is a
//! SubjectPublicKeyInfo. `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` write both.
//! A public key is so short that it is its own fingerprint: 64 hexadecimal digits.

use super::pem;
use crate::ed25519::{from_hex, has_signed, hex};
use ed25519_dalek::{Signer, SigningKey};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;
use zeroize::Zeroizing;

/// Key files are some hundred bytes.
const MAX_BYTES: u64 = 1 << 16;

const PRIVATE: &str = "PRIVATE KEY";
const PUBLIC: &str = "PUBLIC KEY";

/// What stands before the 32 bytes of a private key without a public one.
const PRIVATE_ALONE: [u8; 16] = [
    0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];
/// The same of one with its public key, which follows behind [`ITS_PUBLIC`] …
const PRIVATE_AND_PUBLIC: [u8; 16] = [
    0x30, 0x51, 0x02, 0x01, 0x01, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];
const ITS_PUBLIC: [u8; 3] = [0x81, 0x21, 0x00];
/// … and of one as programs that follow an older draft write it.
const PRIVATE_AND_PUBLIC_OF_DRAFT: [u8; 16] = [
    0x30, 0x53, 0x02, 0x01, 0x01, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
];
const ITS_PUBLIC_OF_DRAFT: [u8; 5] = [0xa1, 0x23, 0x03, 0x21, 0x00];
/// What stands before the 32 bytes of a public key.
const PUBLIC_ALONE: [u8; 12] = [
    0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
];

/// Why a key cannot be used.
#[derive(Debug, Error)]
pub enum KeyError {
    /// The file system says no.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Others than its owner may read it.
    #[error("{} may be read by others", path.display())]
    Open {
        /// The file.
        path: PathBuf,
    },
    /// Not a private key of the right kind, or a damaged one.
    #[error("{} is no private Ed25519 key in PEM, or is damaged", path.display())]
    NotPrivate {
        /// The file.
        path: PathBuf,
    },
    /// Not a public key of the right kind, or a damaged one.
    #[error("{} is no public Ed25519 key in PEM, or is damaged", path.display())]
    NotPublic {
        /// The file.
        path: PathBuf,
    },
    /// The system has no randomness to make a key from.
    #[error("the system gives no randomness for a key")]
    NoRandomness,
}

/// The public key of somebody who signs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SignerKey(pub(super) [u8; 32]);

impl SignerKey {
    /// From 64 hexadecimal digits.
    pub fn from_digits(text: &str) -> Option<SignerKey> {
        Some(SignerKey(from_hex(text)?))
    }

    /// From a file with a public key.
    pub fn read(path: &Path) -> Result<SignerKey, KeyError> {
        let bytes = read_file(path)?;
        let key = pem::decode(PUBLIC, &bytes)
            .and_then(|der| der.strip_prefix(&PUBLIC_ALONE)?.try_into().ok());
        key.map(SignerKey).ok_or_else(|| KeyError::NotPublic {
            path: path.to_owned(),
        })
    }

    /// The file with the public key.
    pub fn to_pem(self) -> String {
        pem::encode(PUBLIC, &[&PUBLIC_ALONE[..], &self.0].concat()).to_string()
    }

    pub(super) fn has_signed(self, message: &[u8], signature: &[u8; 64]) -> bool {
        has_signed(&self.0, message, signature)
    }
}

/// 64 hexadecimal digits.
impl fmt::Display for SignerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

/// A private key. It is wiped when it is dropped, and has no `Debug`.
pub struct ReleaseKey(SigningKey);

impl ReleaseKey {
    /// A new one, from the system's randomness.
    pub fn generate() -> Result<ReleaseKey, KeyError> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(&mut seed[..]).map_err(|_| KeyError::NoRandomness)?;
        Ok(ReleaseKey(SigningKey::from_bytes(&seed)))
    }

    /// Reads a key; one that others may read is refused.
    pub fn read(path: &Path) -> Result<ReleaseKey, KeyError> {
        let io = |source| KeyError::Io {
            path: path.to_owned(),
            source,
        };
        if mingle_disk::is_open_to_others(path).map_err(io)? {
            return Err(KeyError::Open {
                path: path.to_owned(),
            });
        }
        let bytes = read_file(path)?;
        let key = pem::decode(PRIVATE, &bytes).and_then(|der| of_der(&der));
        key.ok_or_else(|| KeyError::NotPrivate {
            path: path.to_owned(),
        })
    }

    /// The file with the private key.
    pub fn to_pem(&self) -> Zeroizing<String> {
        let seed = Zeroizing::new(self.0.to_bytes());
        let der = Zeroizing::new([&PRIVATE_ALONE[..], &seed[..]].concat());
        pem::encode(PRIVATE, &der)
    }

    /// What others know of it.
    pub fn public(&self) -> SignerKey {
        SignerKey(self.0.verifying_key().to_bytes())
    }

    pub(super) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

/// One of the three forms; a public key that is not that of the private one is damage.
fn of_der(der: &[u8]) -> Option<ReleaseKey> {
    let (seed, public) = if let Some(rest) = der.strip_prefix(&PRIVATE_ALONE) {
        (rest, None)
    } else if let Some(rest) = der.strip_prefix(&PRIVATE_AND_PUBLIC) {
        let (seed, rest) = rest.split_at_checked(32)?;
        (seed, Some(rest.strip_prefix(&ITS_PUBLIC)?))
    } else {
        let rest = der.strip_prefix(&PRIVATE_AND_PUBLIC_OF_DRAFT)?;
        let (seed, rest) = rest.split_at_checked(32)?;
        (seed, Some(rest.strip_prefix(&ITS_PUBLIC_OF_DRAFT)?))
    };
    let seed: Zeroizing<[u8; 32]> = Zeroizing::new(seed.try_into().ok()?);
    let key = ReleaseKey(SigningKey::from_bytes(&seed));
    let fits = public.is_none_or(|public| public == key.public().0);
    fits.then_some(key)
}

/// A file of the size of a key; the rest of a larger one is not read.
fn read_file(path: &Path) -> Result<Zeroizing<Vec<u8>>, KeyError> {
    let mut bytes = Zeroizing::new(Vec::new());
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes))
        .map_err(|source| KeyError::Io {
            path: path.to_owned(),
            source,
        })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8410, section 10.3: the same key without and with its public key.
    const OF_THE_RFC: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n";
    const ITS_PUBLIC_KEY: &str = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n";

    fn written(text: &str) -> (tempfile::TempDir, PathBuf) {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("key.pem");
        mingle_disk::create(&path, text.as_bytes()).unwrap();
        (home, path)
    }

    #[test]
    fn the_key_of_the_rfc_is_read_and_written() {
        let (_home, path) = written(OF_THE_RFC);
        let key = ReleaseKey::read(&path).unwrap();
        assert_eq!(*key.to_pem(), OF_THE_RFC);
        assert_eq!(key.public().to_pem(), ITS_PUBLIC_KEY);
        let (_home, path) = written(ITS_PUBLIC_KEY);
        assert_eq!(SignerKey::read(&path).unwrap(), key.public());
        let digits = key.public().to_string();
        assert_eq!(SignerKey::from_digits(&digits), Some(key.public()));
        assert_eq!(SignerKey::from_digits(&digits[1..]), None);
    }

    #[test]
    fn a_key_with_another_public_key_is_damaged() {
        let key = ReleaseKey::generate().unwrap();
        let seed = key.0.to_bytes();
        let public = key.public().0;
        let forms: [(&[u8], &[u8]); 2] = [
            (&PRIVATE_AND_PUBLIC, &ITS_PUBLIC),
            (&PRIVATE_AND_PUBLIC_OF_DRAFT, &ITS_PUBLIC_OF_DRAFT),
        ];
        for (head, middle) in forms {
            let whole = [head, &seed[..], middle, &public[..]].concat();
            assert!(of_der(&whole).is_some_and(|read| read.public() == key.public()));
            assert!(of_der(&whole[..whole.len() - 1]).is_none());
            let mut other = whole.clone();
            other[20] ^= 1;
            assert!(of_der(&other).is_none());
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let truncated = OF_THE_RFC.replace("dVhC", "");
        let swapped = OF_THE_RFC.replace("PRIVATE", "PUBLIC");
        for text in ["", "key", ITS_PUBLIC_KEY, &truncated, &swapped] {
            let (_home, path) = written(text);
            assert!(matches!(
                ReleaseKey::read(&path),
                Err(KeyError::NotPrivate { .. })
            ));
        }
        for text in ["", OF_THE_RFC] {
            let (_home, path) = written(text);
            assert!(matches!(
                SignerKey::read(&path),
                Err(KeyError::NotPublic { .. })
            ));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_may_read_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let (_home, path) = written(OF_THE_RFC);
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(
            ReleaseKey::read(&path),
            Err(KeyError::Open { .. })
        ));
    }
}
