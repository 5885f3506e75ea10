//! TLS to a server whose certificate is checked: chain, name and dates, version 1.3.

use super::settings::TrustedCertificates;
use mingle_io::DatabaseFlaw;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::version::TLS13;
use rustls::{ClientConfig, RootCertStore};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;

/// Connects with TLS, or not at all.
#[derive(Clone)]
pub(super) struct CheckedTls {
    connector: TlsConnector,
    server: ServerName<'static>,
}

impl CheckedTls {
    pub(super) fn new(trusted: &TrustedCertificates) -> Result<CheckedTls, DatabaseFlaw> {
        let shown = || trusted.file.display().to_string();
        let mut roots = RootCertStore::empty();
        let certificates = CertificateDer::pem_file_iter(&trusted.file)
            .map_err(|_| DatabaseFlaw::SettingsFile(shown()))?;
        for certificate in certificates {
            let certificate = certificate.map_err(|_| DatabaseFlaw::RootCertificate(shown()))?;
            // a system's list may hold certificates of a kind that is not understood
            _ = roots.add(certificate);
        }
        if roots.is_empty() {
            return Err(DatabaseFlaw::RootCertificate(shown()));
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])
            .map_err(|_| DatabaseFlaw::Tls("version 1.3 is not available"))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let server = ServerName::try_from(trusted.server.clone())
            .map_err(|_| DatabaseFlaw::Tls("the host has no name that a certificate could have"))?;
        Ok(CheckedTls {
            connector: Arc::new(config).into(),
            server,
        })
    }
}

impl<S> MakeTlsConnect<S> for CheckedTls
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = EncryptedStream<S>;
    type TlsConnect = CheckedTls;
    type Error = io::Error;

    fn make_tls_connect(&mut self, _domain: &str) -> Result<CheckedTls, io::Error> {
        Ok(self.clone())
    }
}

impl<S> TlsConnect<S> for CheckedTls
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    type Stream = EncryptedStream<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<EncryptedStream<S>>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let stream = self.connector.connect(self.server, stream).await?;
            Ok(EncryptedStream(stream))
        })
    }
}

/// What goes over the line.
pub(super) struct EncryptedStream<S>(tokio_rustls::client::TlsStream<S>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for EncryptedStream<S> {
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for EncryptedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for EncryptedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
