//! Which requests are listened to, and what every answer carries.
//!
//! Any page that the browser shows may send requests to loopback. Three checks keep other pages out
//! before a request is looked at. `Host` must be our own address, or a foreign name was made to
//! point here (DNS rebinding). `Origin`, where a browser sends it, must be ours, `null` is not.
//! `Sec-Fetch-Site`, where a browser sends it, must say that our page asks, or that nobody does (an
//! address that was typed or opened from outside the browser), which is right for the shell and
//! reports only. Every answer forbids what our page does not need: scripts and connections
//! elsewhere, frames, caches, sniffing, devices. No header ever opens anything to other origins.

use crate::Error;
use crate::answer;
use crate::site::Site;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use std::sync::Arc;

/// Our own names.
pub(crate) struct Hosts {
    port: u16,
    names: [String; 2],
}

impl Hosts {
    /// On a port of loopback. Browsers leave out port 80.
    pub(crate) fn new(port: u16) -> Self {
        let suffix = if port == 80 {
            String::new()
        } else {
            format!(":{port}")
        };
        Self {
            port,
            names: [format!("127.0.0.1{suffix}"), format!("localhost{suffix}")],
        }
    }

    /// Whether a request is for us and from us.
    pub(crate) fn check(&self, request: &Request) -> Result<(), Error> {
        let host = self.host(request).ok_or(Error::Host { port: self.port })?;
        check_origin(request.headers(), host)?;
        check_site(request)
    }

    fn host(&self, request: &Request) -> Option<&str> {
        let target = request.uri();
        if target.authority().is_some() || target.scheme().is_some() {
            return None;
        }
        let host = single(request.headers(), &header::HOST).ok()??;
        self.names
            .iter()
            .map(String::as_str)
            .find(|name| name.as_bytes() == host.as_bytes())
    }
}

fn check_origin(headers: &HeaderMap, host: &str) -> Result<(), Error> {
    match single(headers, &header::ORIGIN)? {
        Some(origin) if origin.as_bytes().strip_prefix(b"http://") != Some(host.as_bytes()) => {
            Err(Error::Origin)
        }
        _ => Ok(()),
    }
}

fn check_site(request: &Request) -> Result<(), Error> {
    const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
    let allowed = match single(request.headers(), &SITE)?.map(HeaderValue::as_bytes) {
        None | Some(b"same-origin") => true,
        Some(b"none") => !answer::is_api(request.uri().path()),
        Some(_) => false,
    };
    if allowed { Ok(()) } else { Err(Error::Origin) }
}

/// The one value of a header; several are refused, since whoever checks and whoever reads might
/// take different ones.
fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h HeaderValue>, Error> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (value, None) => Ok(value),
        _ => Err(Error::Origin),
    }
}

/// Lets through what is for us and from us.
pub(crate) async fn guard(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    if let Err(error) = site.hosts.check(&request) {
        return answer::refuse(path, &error);
    }
    // nothing here is for other origins, so nobody has to ask beforehand
    if request.method() == Method::OPTIONS {
        return answer::refuse(path, &Error::Method);
    }
    next.run(request).await
}

/// Lets through who has a key.
pub(crate) async fn keyed(
    State(site): State<Arc<Site>>,
    mut request: Request,
    next: Next,
) -> Response {
    let owner = bearer(request.headers()).and_then(|key| site.sessions.owner(key));
    let Some(owner) = owner else {
        return answer::refuse(request.uri().path(), &Error::Key);
    };
    request.extensions_mut().insert(owner);
    next.run(request).await
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    single(headers, &header::AUTHORIZATION)
        .ok()??
        .to_str()
        .ok()?
        .strip_prefix("Bearer ")
}

const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types 'none'";

/// A report runs nothing and loads nothing.
pub(crate) const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox; \
    frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// All off but writing to the clipboard, which copies a command line.
const PERMISSIONS: &str = "accelerometer=(), autoplay=(), browsing-topics=(), camera=(), \
    clipboard-read=(), clipboard-write=(self), display-capture=(), encrypted-media=(), fullscreen=(), gamepad=(), \
    geolocation=(), gyroscope=(), hid=(), idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), \
    payment=(), picture-in-picture=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), \
    window-management=(), xr-spatial-tracking=()";

/// Adds to an answer what every answer carries; what the answer says itself stays.
pub(crate) async fn dress(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-embedder-policy"),
            "require-corp",
        ),
        (HeaderName::from_static("permissions-policy"), PERMISSIONS),
    ] {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn request(path: &str, headers: &[(&str, &str)]) -> Request {
        let mut request = axum::http::Request::builder().uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(Body::empty()).unwrap()
    }

    fn status(path: &str, headers: &[(&str, &str)]) -> u16 {
        let hosts = Hosts::new(8080);
        hosts
            .check(&request(path, headers))
            .map_or_else(|error| error.status().as_u16(), |()| 200)
    }

    #[test]
    fn our_own_names() {
        assert_eq!(status("/", &[("host", "127.0.0.1:8080")]), 200);
        assert_eq!(
            status(
                "/api/start",
                &[
                    ("host", "localhost:8080"),
                    ("origin", "http://localhost:8080")
                ]
            ),
            200
        );
        assert_eq!(
            status(
                "/",
                &[("host", "localhost:8080"), ("sec-fetch-site", "none")]
            ),
            200
        );
        assert_eq!(
            status(
                "/api/start",
                &[
                    ("host", "localhost:8080"),
                    ("sec-fetch-site", "same-origin")
                ]
            ),
            200
        );
    }

    #[test]
    fn other_hosts() {
        for host in [
            "",
            "127.0.0.1",
            "localhost",
            "127.0.0.1:8081",
            "127.0.0.1:80800",
            "127.0.0.1:08080",
            "LOCALHOST:8080",
            "localhost.:8080",
            "127.0.0.1.:8080",
            "[::1]:8080",
            "0.0.0.0:8080",
            "127.1:8080",
            "127.0.0.2:8080",
            "2130706433:8080",
            "0x7f.0.0.1:8080",
            "me@127.0.0.1:8080",
            "127.0.0.1:8080@evil.example",
            "127.0.0.1:8080.evil.example",
            "evil.example:8080",
            "evil.example",
            "localhost:8080,evil.example",
            " localhost:8080",
            "localhost:8080/",
            "localhost:8080 ",
            "http://localhost:8080",
        ] {
            // leading and trailing blanks are no part of a value on the wire; here they are
            assert_eq!(status("/", &[("host", host)]), 421, "{host}");
        }
        assert_eq!(status("/", &[]), 421);
        assert_eq!(
            status(
                "/",
                &[("host", "localhost:8080"), ("host", "localhost:8080")]
            ),
            421
        );
        assert_eq!(
            status("/", &[("host", "localhost:8080"), ("host", "evil.example")]),
            421
        );
        assert_eq!(
            status("http://localhost:8080/", &[("host", "localhost:8080")]),
            421
        );
        assert_eq!(
            status("http://evil.example/", &[("host", "localhost:8080")]),
            421
        );
    }

    #[test]
    fn other_origins() {
        for origin in [
            "",
            "null",
            "http://127.0.0.1:8080",
            "https://localhost:8080",
            "http://localhost:8081",
            "http://localhost",
            "http://localhost:8080.evil.example",
            "http://localhost:8080/",
            "http://evil.example",
            "HTTP://localhost:8080",
            "http://LOCALHOST:8080",
            "localhost:8080",
            "file://",
            "http://localhost:8080 http://evil.example",
            "chrome-extension://localhost:8080",
            "http://x@localhost:8080",
            "ws://localhost:8080",
        ] {
            for path in ["/", "/api/session", "/page.js", "/report/1"] {
                assert_eq!(
                    status(path, &[("host", "localhost:8080"), ("origin", origin)]),
                    403,
                    "{origin} {path}"
                );
            }
        }
        let twice = [
            ("host", "localhost:8080"),
            ("origin", "http://localhost:8080"),
            ("origin", "null"),
        ];
        assert_eq!(status("/", &twice), 403);
    }

    #[test]
    fn other_sites() {
        for site in [
            "cross-site",
            "same-site",
            "",
            "None",
            "same-origin, none",
            "x",
        ] {
            assert_eq!(
                status("/", &[("host", "localhost:8080"), ("sec-fetch-site", site)]),
                403,
                "{site}"
            );
        }
        for path in ["/api/start", "/api/session", "/api"] {
            assert_eq!(
                status(
                    path,
                    &[("host", "localhost:8080"), ("sec-fetch-site", "none")]
                ),
                403,
                "{path}"
            );
        }
    }

    #[test]
    fn port_80_is_left_out() {
        let hosts = Hosts::new(80);
        assert!(
            hosts
                .check(&request(
                    "/",
                    &[("host", "localhost"), ("origin", "http://localhost")]
                ))
                .is_ok()
        );
        assert!(
            hosts
                .check(&request("/", &[("host", "localhost:80")]))
                .is_err()
        );
    }
}
