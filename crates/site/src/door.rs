//! How a connection to the partner comes about: by calling until it answers, or by letting it in.
//!
//! The side that calls tries again after 0.1 s, then twice as long each time, up to 5 s. The side
//! that is called takes everybody's handshake at the same time, so that a stranger who says nothing
//! keeps nobody out, and turns away whoever is not the partner. A partner that calls again takes
//! the place of its earlier connection, which may have died without a sign.

#[cfg(test)]
mod tests;

use crate::address::Address;
use crate::error::{Error, LinkError};
use crate::tls::{Secured, Tls};
use crate::watcher::{Event, Watcher};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// Handshakes under way at once; further callers wait in the system's queue.
const HANDSHAKES: usize = 32;

/// Where connections come from.
pub(crate) struct Door {
    way: Way,
    tls: Tls,
    /// For a handshake.
    patience: Duration,
    watcher: Arc<dyn Watcher>,
    /// How many were turned away.
    pub(crate) strangers: u32,
}

enum Way {
    Call(String),
    Open {
        listener: TcpListener,
        handshakes: JoinSet<(SocketAddr, Result<Secured, LinkError>)>,
    },
}

impl Door {
    /// Binds the socket, if this side is called. Needs a runtime.
    pub(crate) async fn new(
        address: Address,
        tls: Tls,
        patience: Duration,
        watcher: Arc<dyn Watcher>,
    ) -> Result<Door, Error> {
        let open = |listener| Way::Open {
            listener,
            handshakes: JoinSet::new(),
        };
        let way = match address {
            Address::Connect(address) => Way::Call(address),
            Address::Listen(address) => {
                let bound = TcpListener::bind(&address).await;
                open(bound.map_err(|source| Error::Listen { address, source })?)
            }
            Address::Bound(listener) => {
                let adopted = listener
                    .set_nonblocking(true)
                    .and_then(|()| TcpListener::from_std(listener));
                open(adopted.map_err(Error::System)?)
            }
        };
        match &way {
            Way::Call(address) => watcher.event(Event::Calling(address)),
            Way::Open { listener, .. } => watcher.event(Event::Listening(
                listener.local_addr().map_err(Error::System)?,
            )),
        }
        Ok(Door {
            way,
            tls,
            patience,
            watcher,
            strangers: 0,
        })
    }

    /// Whether this side calls.
    pub(crate) fn calls(&self) -> bool {
        matches!(self.way, Way::Call(_))
    }

    /// The next connection; an error only where trying again cannot help.
    pub(crate) async fn next(&mut self) -> Result<Secured, LinkError> {
        match self.way {
            Way::Call(_) => self.call().await,
            Way::Open { .. } => Ok(self.let_in().await),
        }
    }

    /// A new connection while there is one already: never, for the side that calls.
    pub(crate) async fn another(&mut self) -> Secured {
        match self.way {
            Way::Call(_) => std::future::pending().await,
            Way::Open { .. } => self.let_in().await,
        }
    }

    async fn call(&mut self) -> Result<Secured, LinkError> {
        const LONGEST: Duration = Duration::from_secs(5);
        let Way::Call(address) = &self.way else {
            return Err(LinkError::Closed);
        };
        let mut pause = Duration::from_millis(100);
        loop {
            let tried = async {
                self.tls
                    .connect(ready(TcpStream::connect(address).await?)?)
                    .await
            };
            let tried = timeout(self.patience, tried).await;
            match tried.unwrap_or(Err(LinkError::Silent(self.patience.as_secs()))) {
                Err(error) if !error.is_final() => {
                    self.watcher.event(Event::NoAnswer(&error, pause))
                }
                decided => return decided,
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST);
        }
    }

    async fn let_in(&mut self) -> Secured {
        loop {
            let Way::Open {
                listener,
                handshakes,
            } = &mut self.way
            else {
                return std::future::pending().await;
            };
            tokio::select! {
                accepted = listener.accept(), if handshakes.len() < HANDSHAKES => match accepted {
                    Ok((stream, from)) => {
                        let (tls, patience) = (self.tls.clone(), self.patience);
                        handshakes.spawn(async move { (from, greet(&tls, stream, patience).await) });
                    }
                    // too many open files, or a caller who left at once: neither is a reason to end
                    Err(_) => sleep(Duration::from_millis(100)).await,
                },
                Some(done) = handshakes.join_next() => match done {
                    Ok((_, Ok(secured))) => return secured,
                    Ok((from, Err(error))) => {
                        self.strangers = self.strangers.saturating_add(1);
                        self.watcher.event(Event::Stranger(from, &error));
                    }
                    Err(_) => {}
                },
            }
        }
    }
}

async fn greet(tls: &Tls, stream: TcpStream, patience: Duration) -> Result<Secured, LinkError> {
    match timeout(patience, tls.accept(ready(stream)?)).await {
        Err(_) => Err(LinkError::Silent(patience.as_secs())),
        Ok(Ok(secured)) => Ok(secured),
        Ok(Err((error, stream))) => {
            turn_away(stream).await;
            Err(error)
        }
    }
}

/// Reads what the caller still says before hanging up: a socket closed with bytes unread is reset,
/// and the reset may overtake the alert that says why.
async fn turn_away(mut stream: TcpStream) {
    let drain = async {
        let mut bytes = [0; 4096];
        let mut left = 64;
        while left > 0 && matches!(stream.read(&mut bytes).await, Ok(n) if n > 0) {
            left -= 1;
        }
    };
    let _ = timeout(Duration::from_secs(1), drain).await;
    let _ = stream.shutdown().await;
}

fn ready(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    Ok(stream)
}
