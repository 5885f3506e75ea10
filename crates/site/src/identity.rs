//! Who a site is: an Ed25519 key and a certificate that it signed itself.
//!
//! There is no authority. A partner pins the certificate by its [`Fingerprint`], so all that the
//! certificate says is the key, the site's name and how long it is valid. The same key signs
//! releases. The key is stored as PKCS #8 in PEM, readable by its owner only; a key that others may
//! read is refused.

use crate::error::Error;
use crate::fingerprint::Fingerprint;
use crate::period;
use rcgen::{
    CertificateParams, DistinguishedName, DnType, KeyPair as NewKey, KeyUsagePurpose, PKCS_ED25519,
};
use ring::signature::{Ed25519KeyPair, KeyPair};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// A key and its certificate. `Debug` prints nothing of the key.
pub struct Identity {
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
    signer: Ed25519KeyPair,
}

impl Identity {
    /// Makes a key and a certificate and writes them to two files that must not exist yet. The
    /// certificate is valid from a day before `from`, since clocks differ, and for `valid` after
    /// it.
    pub fn create(
        name: &str,
        from: SystemTime,
        valid: Duration,
        key: &Path,
        certificate: &Path,
    ) -> Result<Identity, Error> {
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        let new_key = NewKey::generate_for(&PKCS_ED25519).map_err(|_| Error::NoKey)?;
        let mut params = CertificateParams::default();
        params.distinguished_name = DistinguishedName::new();
        params.distinguished_name.push(DnType::CommonName, name);
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.not_before = from.checked_sub(DAY).unwrap_or(from).into();
        params.not_after = from.checked_add(valid).ok_or(Error::NoKey)?.into();
        let signed = params.self_signed(&new_key).map_err(|_| Error::NoKey)?;
        mingle_disk::create(key, new_key.serialize_pem().as_bytes())?;
        mingle_disk::create(certificate, signed.pem().as_bytes())?;
        Identity::load(key, certificate)
    }

    /// Reads a key and its certificate, which must belong together.
    pub fn load(key: &Path, certificate: &Path) -> Result<Identity, Error> {
        let unusable = |path: &Path| Error::NotAKey {
            path: path.to_owned(),
        };
        if mingle_disk::is_open_to_others(key).map_err(Error::key(key))? {
            return Err(Error::KeyIsOpen {
                path: key.to_owned(),
            });
        }
        let pem = fs::read(key).map_err(Error::key(key))?;
        let private = PrivateKeyDer::from_pem_slice(&pem).map_err(|_| unusable(key))?;
        let signer = Ed25519KeyPair::from_pkcs8_maybe_unchecked(private.secret_der())
            .map_err(|_| unusable(key))?;
        let certificate_der = read_certificate(certificate)?;
        if public_key(&certificate_der) != <[u8; 32]>::try_from(signer.public_key().as_ref()).ok() {
            return Err(Error::OtherKey {
                key: key.to_owned(),
                certificate: certificate.to_owned(),
            });
        }
        Ok(Identity {
            certificate: certificate_der,
            key: private,
            signer,
        })
    }

    /// What the partner pins.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.certificate)
    }

    /// Whether the certificate is valid now; a partner would refuse it otherwise.
    pub fn check_valid(&self, now: SystemTime) -> Result<(), Error> {
        period::check(&self.certificate, now).map_err(Error::OwnCertificate)
    }

    /// An Ed25519 signature.
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.signer
            .sign(message)
            .as_ref()
            .try_into()
            .expect("an Ed25519 signature has 64 bytes")
    }

    /// The public key.
    pub fn public_key(&self) -> [u8; 32] {
        self.signer
            .public_key()
            .as_ref()
            .try_into()
            .expect("an Ed25519 public key has 32 bytes")
    }

    /// The certificate in DER.
    pub fn certificate(&self) -> &CertificateDer<'static> {
        &self.certificate
    }

    pub(crate) fn key(&self) -> PrivateKeyDer<'static> {
        self.key.clone_key()
    }
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Identity")
    }
}

/// Reads the first certificate of a PEM file.
pub fn read_certificate(path: &Path) -> Result<CertificateDer<'static>, Error> {
    let pem = fs::read(path).map_err(Error::key(path))?;
    let certificate = CertificateDer::from_pem_slice(&pem).ok();
    certificate
        .filter(|der| public_key(der).is_some())
        .ok_or_else(|| Error::NotACertificate {
            path: path.to_owned(),
        })
}

/// The Ed25519 key of a certificate in DER, if that is the kind of key it has.
pub(crate) fn public_key(certificate: &CertificateDer<'_>) -> Option<[u8; 32]> {
    // RFC 8410: SEQUENCE { SEQUENCE { 1.3.101.112 }, BIT STRING of 32 bytes }
    const HEAD: [u8; 12] = [
        0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00,
    ];
    let parsed = webpki::EndEntityCert::try_from(certificate).ok()?;
    parsed
        .subject_public_key_info()
        .strip_prefix(&HEAD)?
        .try_into()
        .ok()
}
