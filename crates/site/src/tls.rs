//! TLS as the two sites use it: version 1.3, both sides authenticated by pinned certificates,
//! nothing resumed.
//!
//! Resumption is off in both directions: a resumed connection would not show its certificate again,
//! and a run makes few connections. No server name is sent, so that an eavesdropper learns the
//! addresses and nothing else.

use crate::error::{Error, LinkError};
use crate::fingerprint::Fingerprint;
use crate::identity::Identity;
use crate::pin::Pin;
use rustls::client::Resumption;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::version::TLS13;
use rustls::{ClientConfig, CommonState, ServerConfig};
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::{TlsAcceptor, TlsConnector, TlsStream};

const APPLICATION: &[u8] = b"mingle-site/1";

/// Both ends of TLS for one site and its partner.
#[derive(Clone)]
pub(crate) struct Tls {
    connector: TlsConnector,
    acceptor: TlsAcceptor,
}

/// An authenticated connection and the certificate the partner showed.
pub(crate) struct Secured {
    pub(crate) stream: TlsStream<TcpStream>,
    pub(crate) certificate: CertificateDer<'static>,
}

impl Tls {
    /// `None` lets anybody call who has a key: for a board.
    pub(crate) fn new(identity: &Identity, peer: Option<Fingerprint>) -> Result<Tls, Error> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let pin = Arc::new(Pin::new(peer));
        let chain = || vec![identity.certificate().clone()];
        let mut client = ClientConfig::builder_with_provider(provider.clone())
            .with_protocol_versions(&[&TLS13])
            .map_err(Error::Tls)?
            .dangerous()
            .with_custom_certificate_verifier(pin.clone())
            .with_client_auth_cert(chain(), identity.key())
            .map_err(Error::Tls)?;
        client.resumption = Resumption::disabled();
        client.enable_sni = false;
        client.alpn_protocols = vec![APPLICATION.to_vec()];
        let mut server = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])
            .map_err(Error::Tls)?
            .with_client_cert_verifier(pin)
            .with_single_cert(chain(), identity.key())
            .map_err(Error::Tls)?;
        server.send_tls13_tickets = 0;
        server.alpn_protocols = vec![APPLICATION.to_vec()];
        Ok(Tls {
            connector: Arc::new(client).into(),
            acceptor: Arc::new(server).into(),
        })
    }

    /// The handshake of the side that called.
    pub(crate) async fn connect(&self, stream: TcpStream) -> Result<Secured, LinkError> {
        let name = ServerName::try_from("mingle.invalid").expect("a host name");
        let stream = self.connector.connect(name, stream).await?;
        let certificate = certificate(stream.get_ref().1).ok_or(LinkError::NoCertificate)?;
        Ok(Secured {
            stream: stream.into(),
            certificate,
        })
    }

    /// The handshake of the side that was called. On failure the socket comes back.
    pub(crate) async fn accept(
        &self,
        stream: TcpStream,
    ) -> Result<Secured, (LinkError, TcpStream)> {
        let stream = self
            .acceptor
            .accept(stream)
            .into_fallible()
            .await
            .map_err(|(e, stream)| (e.into(), stream))?;
        match certificate(stream.get_ref().1) {
            Some(certificate) => Ok(Secured {
                stream: stream.into(),
                certificate,
            }),
            None => Err((LinkError::NoCertificate, stream.into_inner().0)),
        }
    }
}

fn certificate(connection: &CommonState) -> Option<CertificateDer<'static>> {
    connection
        .peer_certificates()?
        .first()
        .map(|certificate| certificate.clone().into_owned())
}
