//! What travels inside TLS: records of a type, a length and bytes.
//!
//! ```text
//! type u8 (0 ping, 1 data)   length u32, big endian, at most 65,536   bytes
//! ```
//!
//! The protocol's own frames are a stream of bytes that is cut anywhere; records exist only so that
//! a site that computes for minutes can say in between that it is alive. A ping has no bytes. A
//! record that breaks these rules ends the connection before anything is allocated for it.

use crate::error::LinkError;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The most bytes that one record carries.
pub(crate) const LARGEST: usize = 64 * 1024;

const PING: u8 = 0;
const DATA: u8 = 1;

/// Reads the next record; `None` is a ping. An end between two records is [`LinkError::Closed`].
pub(crate) async fn read(
    from: &mut (impl AsyncRead + Unpin),
) -> Result<Option<Vec<u8>>, LinkError> {
    let kind = from.read_u8().await?;
    let length = from.read_u32().await? as usize;
    match kind {
        PING if length == 0 => Ok(None),
        DATA if (1..=LARGEST).contains(&length) => {
            let mut bytes = vec![0; length];
            from.read_exact(&mut bytes).await?;
            Ok(Some(bytes))
        }
        _ => Err(LinkError::BadRecord),
    }
}

/// Sends bytes in as many records as they need.
pub(crate) async fn write_data(
    to: &mut (impl AsyncWrite + Unpin),
    bytes: &[u8],
) -> Result<(), LinkError> {
    for part in bytes.chunks(LARGEST) {
        let length = (part.len() as u32).to_be_bytes();
        // one write, so that TLS does not wrap the five bytes in front by themselves
        to.write_all(&[&[DATA], &length[..], part].concat()).await?;
    }
    Ok(to.flush().await?)
}

/// Says that this side is alive.
pub(crate) async fn write_ping(to: &mut (impl AsyncWrite + Unpin)) -> Result<(), LinkError> {
    to.write_all(&[PING, 0, 0, 0, 0]).await?;
    Ok(to.flush().await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread()
            .build()
            .expect("a runtime")
            .block_on(work)
    }

    #[test]
    fn bytes_arrive_in_order_whatever_their_number() {
        for length in [1, LARGEST - 1, LARGEST, LARGEST + 1, 3 * LARGEST] {
            let sent: Vec<u8> = (0..length).map(|i| i as u8).collect();
            let received = wait(async {
                let mut wire = Vec::new();
                write_ping(&mut wire).await.expect("memory");
                write_data(&mut wire, &sent).await.expect("memory");
                let mut wire = &wire[..];
                assert_eq!(read(&mut wire).await.expect("a ping"), None);
                let mut received = Vec::new();
                while !wire.is_empty() {
                    received.extend(read(&mut wire).await.expect("data").expect("no ping"));
                }
                received
            });
            assert_eq!(received, sent, "{length}");
        }
    }

    #[test]
    fn a_broken_record_ends_the_connection() {
        let long = (LARGEST as u32 + 1).to_be_bytes();
        let cases: [(&str, Vec<u8>); 5] = [
            ("an unknown type", vec![2, 0, 0, 0, 1, 7]),
            ("a ping with bytes", vec![0, 0, 0, 0, 1, 7]),
            ("data without bytes", vec![1, 0, 0, 0, 0]),
            ("too long", [&[1], &long[..]].concat()),
            ("far too long", vec![1, 255, 255, 255, 255]),
        ];
        for (what, bytes) in cases {
            let result = wait(read(&mut &bytes[..]));
            assert!(matches!(result, Err(LinkError::BadRecord)), "{what}");
        }
        for cut in [vec![], vec![1], vec![1, 0, 0], vec![1, 0, 0, 0, 9, 1, 2]] {
            assert!(
                matches!(wait(read(&mut &cut[..])), Err(LinkError::Closed)),
                "{cut:?}"
            );
        }
    }
}
