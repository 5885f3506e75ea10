//! Bodies of requests: bounded in bytes, in depth and in patience.
//!
//! A body is read piece by piece and given up when it passes its limit, when no piece comes for a
//! while, or when it as a whole takes too long. JSON nests at most 128 deep (serde_json's limit).
//! Unknown fields are ignored, so that a page that is a version ahead still works. What is wrong is
//! said by line and column: serde's own words may quote the body.

use crate::Error;
use axum::body::{Body, Bytes};
use http_body_util::BodyExt;
use hyper::body::Body as _;
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::time::timeout;

/// The largest body of JSON: a policy, or a hierarchy as a table.
pub(crate) const LARGEST_JSON: u64 = 4 << 20;
const LONGEST_JSON: Duration = Duration::from_secs(120);
const LINGER: Duration = Duration::from_secs(1);
const LINGER_BYTES: usize = 64 << 20;

/// The next piece of a body; none at its end.
pub(crate) async fn piece(body: &mut Body, patience: Duration) -> Result<Option<Bytes>, Error> {
    loop {
        match timeout(patience, body.frame())
            .await
            .map_err(|_| Error::Stalled)?
        {
            None => return Ok(None),
            Some(Err(_)) => return Err(Error::Broken),
            // trailers are passed over
            Some(Ok(frame)) => match frame.into_data() {
                Ok(data) if !data.is_empty() => return Ok(Some(data)),
                _ => continue,
            },
        }
    }
}

/// A body as a document.
pub(crate) async fn json<T: DeserializeOwned>(
    mut body: Body,
    limit: u64,
    patience: Duration,
) -> Result<T, Error> {
    let bytes = match timeout(LONGEST_JSON, whole(&mut body, limit, patience))
        .await
        .map_err(|_| Error::Stalled)?
    {
        Err(error @ Error::Large { .. }) => {
            tokio::spawn(linger(body));
            return Err(error);
        }
        read => read?,
    };
    serde_json::from_slice(&bytes).map_err(|e| Error::Malformed {
        line: e.line().max(1),
        column: e.column().max(1),
    })
}

async fn whole(body: &mut Body, limit: u64, patience: Duration) -> Result<Vec<u8>, Error> {
    if body.size_hint().lower() > limit {
        return Err(Error::Large { limit });
    }
    let mut bytes = Vec::new();
    while let Some(data) = piece(body, patience).await? {
        if (bytes.len() + data.len()) as u64 > limit {
            return Err(Error::Large { limit });
        }
        bytes.extend_from_slice(&data);
    }
    Ok(bytes)
}

/// Takes the rest of a refused body and throws it away, for a moment: a browser that is cut off
/// while it sends never reads why.
pub(crate) async fn linger(mut body: Body) {
    let rest = async {
        let mut left = LINGER_BYTES;
        while let Ok(Some(data)) = piece(&mut body, LINGER).await {
            left = left.saturating_sub(data.len());
            if left == 0 {
                break;
            }
        }
    };
    let _ = timeout(LINGER, rest).await;
}
