//! Why a site cannot run, and why a connection ended. Names, paths and counts, never a cell.

use crate::period::Invalid;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a site cannot run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The file system refused.
    #[error("{}: {}", path.display(), plain(source))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A key or certificate that cannot be read.
    #[error("{}: {}", path.display(), plain(source))]
    KeyUnreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A fingerprint that is not one.
    #[error("a fingerprint is `sha256:` and 64 hexadecimal digits")]
    BadFingerprint,
    /// The fingerprint to trust is the site's own.
    #[error("the partner's fingerprint is this site's own")]
    OwnFingerprint,
    /// An invitation that cannot be used.
    #[error("the invitation: {what}")]
    BadInvitation {
        /// Why.
        what: &'static str,
    },
    /// An invitation that names other keys than this site's.
    #[error("the invitation does not name this site's key")]
    NotInvited,
    /// An earlier run opened exact totals of other rows, or with other providers.
    #[error("an earlier run with other rows or other providers has opened exact totals, as {} says", path.display())]
    RepeatedTotals {
        /// Where runs are noted.
        path: PathBuf,
    },
    /// A key or certificate could not be made.
    #[error("no key and certificate could be made")]
    NoKey,
    /// A file that holds no Ed25519 key.
    #[error("{} holds no Ed25519 key in PEM", path.display())]
    NotAKey {
        /// The file.
        path: PathBuf,
    },
    /// A file that holds no Ed25519 certificate.
    #[error("{} holds no Ed25519 certificate in PEM", path.display())]
    NotACertificate {
        /// The file.
        path: PathBuf,
    },
    /// A key that others than its owner may read.
    #[error("{} may be read by others than its owner", path.display())]
    KeyIsOpen {
        /// The file.
        path: PathBuf,
    },
    /// A certificate of another key.
    #[error("{} is not the certificate of the key {}", certificate.display(), key.display())]
    OtherKey {
        /// The key.
        key: PathBuf,
        /// The certificate.
        certificate: PathBuf,
    },
    /// The own certificate is not valid, so no partner would accept it.
    #[error("this site's certificate {0}")]
    OwnCertificate(Invalid),
    /// TLS could not be set up.
    #[error("TLS cannot be set up: {0}")]
    Tls(rustls::Error),
    /// Another run uses the same output folder.
    #[error("another run publishes to {} right now", path.display())]
    Busy {
        /// The output folder.
        path: PathBuf,
    },
    /// A journal that was not written by this program, or by a later version of it.
    #[error("{} is damaged, or of another version", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
    },
    /// Published, and nobody knows whether the partner has.
    #[error("{} speaks of a release that the partner has not confirmed", path.display())]
    Unconfirmed {
        /// The journal.
        path: PathBuf,
    },
    /// Ready with one partner, and now another is pinned.
    #[error("{} speaks of a release that waits for another partner", path.display())]
    OtherPartner {
        /// The journal.
        path: PathBuf,
    },
    /// The journal says that something is staged, and it is not.
    #[error("{} speaks of a release that is not there any more", path.display())]
    Lost {
        /// The journal.
        path: PathBuf,
    },
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {}", plain(source))]
    Listen {
        /// As in the settings.
        address: String,
        /// What the system said.
        source: io::Error,
    },
    /// A thread or the network could not be started.
    #[error("the system gave no thread or no network: {0}")]
    System(io::Error),
    /// Staging or writing the release failed.
    #[error(transparent)]
    Release(Box<mingle_release::Error>),
    /// The ledger does not pay, or noise could not be drawn.
    #[error(transparent)]
    Noise(#[from] mingle_dp::Error),
    /// The protocol refused the input or the terms before anything was sent.
    #[error(transparent)]
    Protocol(#[from] mingle_protocol::Error),
    /// A signature that the partner did not make.
    #[error("a signature is not the partner's")]
    NotThePartners,
    /// The tables do not hold what is promised.
    #[error("the finished tables do not hold what is promised")]
    NotVerified,
    /// Something that cannot be.
    #[error("a defect of this program")]
    Defect,
}

/// Boxed: it is the largest of all, and every result of a site would carry its size.
impl From<mingle_release::Error> for Error {
    fn from(error: mingle_release::Error) -> Error {
        Error::Release(Box::new(error))
    }
}

impl Error {
    pub(crate) fn key(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::KeyUnreadable { path, source }
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }
}

impl From<mingle_disk::Error> for Error {
    fn from(error: mingle_disk::Error) -> Error {
        Error::Io {
            path: error.path().to_owned(),
            source: error.into_source(),
        }
    }
}

/// Why a connection was not made, or ended.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LinkError {
    /// Nobody answers, or the network failed.
    #[error("no connection: {}", plain(.0))]
    Network(io::Error),
    /// The other side hung up.
    #[error("the other side hung up")]
    Closed,
    /// Not a byte for too long.
    #[error("the other side was silent for {0} s")]
    Silent(u64),
    /// A certificate other than the pinned one.
    #[error("the certificate is not the pinned one")]
    WrongCertificate,
    /// The pinned certificate, out of its time.
    #[error("the pinned certificate {0}")]
    Invalid(Invalid),
    /// No certificate at all.
    #[error("the other side showed no certificate")]
    NoCertificate,
    /// The partner refused this site's certificate.
    #[error("the other side refused this site's certificate")]
    Refused,
    /// The partner says that this site's certificate has expired.
    #[error("the other side says that this site's certificate has expired")]
    RefusedExpired,
    /// No TLS 1.3 of this protocol.
    #[error("the other side does not speak this protocol over TLS 1.3")]
    NotTls,
    /// A record that breaks the rules.
    #[error("the other side sent a malformed record")]
    BadRecord,
}

impl LinkError {
    /// Whether trying again cannot help: somebody has to change a file first.
    pub fn is_final(&self) -> bool {
        use LinkError as E;
        matches!(
            self,
            E::WrongCertificate | E::Invalid(_) | E::Refused | E::RefusedExpired
        )
    }
}

impl From<io::Error> for LinkError {
    fn from(error: io::Error) -> LinkError {
        let tls = error
            .get_ref()
            .and_then(|inner| inner.downcast_ref::<rustls::Error>());
        match tls {
            Some(error) => handshake(error),
            None if error.kind() == io::ErrorKind::UnexpectedEof => LinkError::Closed,
            None => LinkError::Network(error),
        }
    }
}

/// What the system says, without its error number.
fn plain(error: &io::Error) -> String {
    error
        .to_string()
        .split(" (os error")
        .next()
        .unwrap_or_default()
        .to_lowercase()
}

fn handshake(error: &rustls::Error) -> LinkError {
    use rustls::AlertDescription as Alert;
    use rustls::CertificateError as C;
    use rustls::Error as E;
    match error {
        E::InvalidCertificate(C::ApplicationVerificationFailure) => LinkError::WrongCertificate,
        E::InvalidCertificate(C::Expired | C::ExpiredContext { .. }) => {
            LinkError::Invalid(Invalid::Expired)
        }
        E::InvalidCertificate(C::NotValidYet | C::NotValidYetContext { .. }) => {
            LinkError::Invalid(Invalid::NotYet)
        }
        E::InvalidCertificate(_) => LinkError::Invalid(Invalid::Malformed),
        E::NoCertificatesPresented => LinkError::NoCertificate,
        E::AlertReceived(Alert::CertificateExpired) => LinkError::RefusedExpired,
        E::AlertReceived(
            Alert::AccessDenied
            | Alert::BadCertificate
            | Alert::CertificateUnknown
            | Alert::UnknownCA
            | Alert::CertificateRequired
            | Alert::DecryptError
            | Alert::UnsupportedCertificate,
        ) => LinkError::Refused,
        _ => LinkError::NotTls,
    }
}
