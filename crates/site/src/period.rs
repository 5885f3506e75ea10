//! Whether a certificate is valid today.
//!
//! A pinned certificate needs no issuer, but it still expires: a key that was to be used for two
//! years is not trusted forever because somebody forgot about it. The period is read by the same
//! code that checks certificates elsewhere, with the certificate as its own issuer.

use rustls::pki_types::{CertificateDer, UnixTime};
use std::time::{Duration, SystemTime};
use thiserror::Error;
use webpki::{EndEntityCert, KeyUsage, anchor_from_trusted_cert, ring};

/// Why a certificate is not valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Invalid {
    /// Its time is over.
    #[error("has expired")]
    Expired,
    /// Its time has not begun.
    #[error("is not valid yet")]
    NotYet,
    /// It is not an Ed25519 certificate that signed itself.
    #[error("is not a self-signed Ed25519 certificate")]
    Malformed,
}

/// Checks the validity period, and the signature by its own key.
pub(crate) fn check(certificate: &CertificateDer<'_>, now: SystemTime) -> Result<(), Invalid> {
    let since = now
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or(Duration::ZERO);
    check_at(certificate, UnixTime::since_unix_epoch(since))
}

/// The same at a time that rustls gives.
pub(crate) fn check_at(certificate: &CertificateDer<'_>, now: UnixTime) -> Result<(), Invalid> {
    let parsed = EndEntityCert::try_from(certificate).map_err(|_| Invalid::Malformed)?;
    let itself = [anchor_from_trusted_cert(certificate).map_err(|_| Invalid::Malformed)?];
    let usage = KeyUsage::client_auth();
    let checked = parsed.verify_for_usage(&[ring::ED25519], &itself, &[], now, usage, None, None);
    checked.map(drop).map_err(|error| match error {
        webpki::Error::CertExpired { .. } => Invalid::Expired,
        webpki::Error::CertNotValidYet { .. } => Invalid::NotYet,
        _ => Invalid::Malformed,
    })
}
