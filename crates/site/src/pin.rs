//! Trust in one certificate and no other, on both sides of a connection; a board, which decides
//! nothing and whose callers sign what they say, lets anybody call.
//!
//! A peer is the partner when the certificate it shows has the pinned [`Fingerprint`], is valid
//! today, and its key signed this handshake. No authority, host name or chain plays a part. TLS 1.3
//! and Ed25519 only.

use crate::fingerprint::Fingerprint;
use crate::period::{self, Invalid};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error, PeerIncompatible,
    SignatureScheme,
};

/// The verifier of both sides.
#[derive(Debug)]
pub(crate) struct Pin {
    /// `None`: anybody who has the key of the certificate that it shows.
    fingerprint: Option<Fingerprint>,
    algorithms: WebPkiSupportedAlgorithms,
}

impl Pin {
    pub(crate) fn new(fingerprint: Option<Fingerprint>) -> Pin {
        let algorithms = rustls::crypto::ring::default_provider().signature_verification_algorithms;
        Pin {
            fingerprint,
            algorithms,
        }
    }

    fn accept(&self, certificate: &CertificateDer<'_>, now: UnixTime) -> Result<(), Error> {
        let Some(pinned) = self.fingerprint else {
            // the time of a caller whom nobody knows says nothing, and clocks differ
            return Ok(());
        };
        if Fingerprint::of(certificate) != pinned {
            return Err(CertificateError::ApplicationVerificationFailure.into());
        }
        period::check_at(certificate, now).map_err(|invalid| match invalid {
            Invalid::Expired => CertificateError::Expired.into(),
            Invalid::NotYet => CertificateError::NotValidYet.into(),
            Invalid::Malformed => CertificateError::BadEncoding.into(),
        })
    }

    fn signed(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }
}

/// What a connection over TLS 1.2 would ask; there is none.
fn too_old() -> Result<HandshakeSignatureValid, Error> {
    Err(PeerIncompatible::Tls13RequiredForQuic.into())
}

impl ServerCertVerifier for Pin {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _chain: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.accept(certificate, now)
            .map(|()| ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        too_old()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }
}

impl ClientCertVerifier for Pin {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _chain: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.accept(certificate, now)
            .map(|()| ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        too_old()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed(message, certificate, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ED25519]
    }
}
