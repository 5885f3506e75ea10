//! One connection: what arrives goes to the party, what the party says goes out, and in between
//! each side says that it is alive.
//!
//! Silence is counted only while this side listens: a party that computes for minutes holds back
//! what arrives, and the partner's pings wait with it.

use crate::clock::{Clock, LINGER};
use crate::engine::{Answer, Engine};
use crate::error::LinkError;
use crate::record;
use crate::tls::Secured;
use mingle_protocol::Reason;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWriteExt, WriteHalf};
use tokio::net::TcpStream;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tokio_rustls::TlsStream;

/// How often a side says that it is alive.
const PING: Duration = Duration::from_secs(5);

/// Why a conversation ended.
pub(crate) enum Pause {
    Finished,
    Lost(LinkError),
    /// The party found the connection useless.
    Broken,
    /// The partner called again.
    Replaced(Box<Secured>),
    Stopped(Reason),
}

/// Hands everything that arrives to the party, until the connection fails or is silent for too
/// long.
pub(crate) async fn listen(
    mut reader: impl AsyncRead + Unpin,
    silence: Duration,
    take: impl AsyncFn(Vec<u8>),
) -> LinkError {
    loop {
        match timeout(silence, record::read(&mut reader)).await {
            Err(_) => return LinkError::Silent(silence.as_secs()),
            Ok(Err(error)) => return error,
            Ok(Ok(None)) => {}
            Ok(Ok(Some(bytes))) => take(bytes).await,
        }
    }
}

/// Sends what the party says, and a sign of life when it says nothing.
pub(crate) async fn speak(
    writer: &mut WriteHalf<TlsStream<TcpStream>>,
    engine: &mut Engine,
    clock: &Clock<'_>,
) -> Pause {
    let mut ping = interval(PING);
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let sent = tokio::select! {
            answer = engine.answers.recv() => {
                let Some(answer) = answer else { return Pause::Broken };
                engine.note(&answer);
                say(writer, &answer, clock).await
            }
            _ = ping.tick() => record::write_ping(writer).await.map(|()| None),
            // here, and not around the whole loop: no record is cut short
            reason = clock.stop() => return Pause::Stopped(reason),
        };
        match sent {
            Ok(None) => {}
            Ok(Some(pause)) => return pause,
            Err(error) => return Pause::Lost(error),
        }
    }
}

async fn say(
    writer: &mut WriteHalf<TlsStream<TcpStream>>,
    answer: &Answer,
    clock: &Clock<'_>,
) -> Result<Option<Pause>, LinkError> {
    record::write_data(writer, &answer.bytes).await?;
    if answer.standing.is_decided() {
        clock.decided();
    }
    Ok(match answer {
        Answer { standing, .. } if standing.finished => Some(Pause::Finished),
        Answer { broken: true, .. } => Some(Pause::Broken),
        _ => None,
    })
}

/// Tells the party to stop and the partner what it says to that. The party may be in the middle of
/// a long computation: until it hears, the partner is told that this side is alive.
pub(crate) async fn say_farewell(
    writer: &mut WriteHalf<TlsStream<TcpStream>>,
    engine: &mut Engine,
    reason: Reason,
) {
    let farewell = {
        let given_up = engine.give_up(reason);
        tokio::pin!(given_up);
        loop {
            tokio::select! {
                bytes = &mut given_up => break bytes,
                () = sleep(PING) => drop(timeout(PING, record::write_ping(writer)).await),
            }
        }
    };
    let _ = timeout(LINGER, record::write_data(writer, &farewell)).await;
}

/// Closes a connection so that the last bytes arrive: a socket closed with bytes unread is reset,
/// and the reset may overtake what was sent.
pub(crate) async fn hang_up(
    mut writer: WriteHalf<TlsStream<TcpStream>>,
    listen: impl Future<Output = LinkError>,
) {
    const PATIENCE: Duration = Duration::from_secs(2);
    let _ = timeout(PATIENCE, writer.shutdown()).await;
    let _ = timeout(PATIENCE, listen).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use tokio::time::Instant;

    const SILENCE: Duration = Duration::from_millis(200);

    fn wait<T>(work: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            timeout(Duration::from_secs(20), work)
                .await
                .expect("in time")
        })
    }

    #[test]
    fn a_silent_side_is_given_up_and_one_that_pings_is_not() {
        wait(async {
            let (mut here, there) = tokio::io::duplex(1024);
            let pings = async {
                for _ in 0..6 {
                    record::write_ping(&mut here).await.expect("sent");
                    sleep(SILENCE / 2).await;
                }
            };
            let started = Instant::now();
            let (error, ()) = tokio::join!(listen(there, SILENCE, async |_| ()), pings);
            assert!(matches!(error, LinkError::Silent(_)), "{error}");
            assert!(started.elapsed() > 3 * SILENCE);
        });
    }

    #[test]
    fn computing_is_not_silence() {
        let heard = RefCell::new(Vec::new());
        wait(async {
            let (mut here, there) = tokio::io::duplex(1024);
            record::write_data(&mut here, b"first").await.expect("sent");
            record::write_data(&mut here, b"second")
                .await
                .expect("sent");
            drop(here);
            // the party takes longer over the first than silence may last
            let take = async |bytes: Vec<u8>| {
                sleep(2 * SILENCE).await;
                heard.borrow_mut().push(bytes);
            };
            assert!(matches!(
                listen(there, SILENCE, take).await,
                LinkError::Closed
            ));
        });
        assert_eq!(heard.into_inner(), [&b"first"[..], b"second"]);
    }
}
