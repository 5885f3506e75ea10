//! Who is let in, and what every answer carries.

use crate::common::Running;
use crate::common::client::{Answer, Client, head, raw, raw_closed};

const WANTED: [(&str, &str); 8] = [
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("content-type", ""),
];

fn is_dressed(what: &str, answer: &Answer) {
    for (name, value) in WANTED {
        let found = answer
            .header(name)
            .unwrap_or_else(|| panic!("{what}: no {name}"));
        assert!(
            value.is_empty() || found == value,
            "{what}: {name}: {found}"
        );
    }
    let policy = answer
        .header("content-security-policy")
        .unwrap_or_else(|| panic!("{what}: no policy"));
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ] {
        assert!(
            policy.split("; ").any(|p| p == part),
            "{what}: {part} is missing"
        );
    }
    assert!(!policy.contains("unsafe"), "{what}");
    assert!(
        answer
            .header("permissions-policy")
            .is_some_and(|p| p.contains("camera=()")),
        "{what}"
    );
    for (name, _) in &answer.headers {
        assert!(
            name != "server" && name != "set-cookie" && !name.starts_with("access-control"),
            "{what}: {name}"
        );
    }
}

#[test]
fn every_answer_is_dressed() {
    let server = Running::usual();
    let (key, mut client) = (server.key(), Client::new(server.address));
    let wrong_host = raw(
        server.address,
        b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    )
    .unwrap();
    let bad_origin = format!(
        "{}Origin: null\r\n\r\n",
        head("GET", "/api/start", server.address, None)
    );
    for (what, status, answer) in [
        ("shell", 200, client.get("/", None)),
        ("script", 200, client.get("/page.js", None)),
        ("style", 200, client.get("/page.css", None)),
        ("no key", 401, client.get("/api/start", None)),
        ("start", 200, client.get("/api/start", Some(&key))),
        ("unknown", 404, client.get("/no/such/thing", None)),
        ("unknown api", 404, client.get("/api/no", Some(&key))),
        (
            "method",
            405,
            client.request("PATCH", "/api/start", Some(&key), b""),
        ),
        ("method of the shell", 405, client.post("/", None, "")),
        (
            "options",
            405,
            client.request("OPTIONS", "/api/start", None, b""),
        ),
        (
            "options elsewhere",
            405,
            client.request("OPTIONS", "/no/such/thing", None, b""),
        ),
        (
            "malformed",
            400,
            client.post("/api/policy", Some(&key), "{"),
        ),
        (
            "refused",
            422,
            client.post("/api/policy", Some(&key), r#"{"text":"refuse","edits":[]}"#),
        ),
        (
            "panic",
            500,
            client.post("/api/policy", Some(&key), r#"{"text":"panic","edits":[]}"#),
        ),
        ("bad name", 400, client.put("/api/files/..", &key, b"x")),
        ("ticket", 410, client.get("/report/0", None)),
        (
            "stream",
            200,
            client.post(
                "/api/plan",
                Some(&key),
                r#"{"tab":"t","text":"","quick":false}"#,
            ),
        ),
        ("host", 421, wrong_host),
        (
            "origin",
            403,
            raw(server.address, bad_origin.as_bytes()).unwrap(),
        ),
    ] {
        assert_eq!(answer.status, status, "{what}: {}", answer.text());
        is_dressed(what, &answer);
    }
}

#[test]
fn refusals_suit_their_reader() {
    let server = Running::usual();
    let mut client = Client::new(server.address);
    let program = client.get("/api/no", None);
    assert_eq!(program.header("content-type"), Some("application/json"));
    assert_eq!(program.json()["code"], "HTTP 404");
    let person = client.get("/no", None);
    assert_eq!(
        person.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert!(person.text().contains("nothing at this address"));
    assert_eq!(
        client.get("/", None).header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(
        client.get("/page.js", None).header("content-type"),
        Some("text/javascript; charset=utf-8")
    );
    assert_eq!(
        client.get("/page.css", None).header("content-type"),
        Some("text/css; charset=utf-8")
    );
}

#[test]
fn other_hosts_are_refused_everywhere() {
    let server = Running::usual();
    let (key, port) = (server.key(), server.address.port());
    let hosts = [
        "".to_owned(),
        "Host: evil.example\r\n".to_owned(),
        format!("Host: evil.example:{port}\r\n"),
        "Host: 127.0.0.1\r\n".to_owned(),
        format!("Host: 127.0.0.1:{}\r\n", port ^ 1),
        format!("Host: [::1]:{port}\r\n"),
        format!("Host: LOCALHOST:{port}\r\n"),
        format!("Host: localhost.:{port}\r\n"),
        format!("Host: x@localhost:{port}\r\n"),
        format!("Host: localhost:{port}@evil.example\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nHost: 127.0.0.1:{port}\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nHost: evil.example\r\n"),
        format!("Host: 127.0.0.1:{port}, evil.example\r\n"),
    ];
    for host in &hosts {
        for path in [
            "/",
            "/page.js",
            "/api/start",
            "/api/session",
            "/report/0",
            "/no",
        ] {
            for version in ["1.0", "1.1"] {
                let request = format!(
                    "GET {path} HTTP/{version}\r\n{host}Authorization: Bearer {key}\r\n\r\n"
                );
                let answer = raw(server.address, request.as_bytes()).unwrap();
                assert!(
                    [400, 421].contains(&answer.status),
                    "{host} {path}: {}",
                    answer.status
                );
            }
        }
    }
    let absolute = format!("GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    assert_eq!(
        raw(server.address, absolute.as_bytes()).unwrap().status,
        421
    );
    let local = format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n");
    assert_eq!(raw(server.address, local.as_bytes()).unwrap().status, 200);
}

#[test]
fn other_origins_are_refused_everywhere() {
    let server = Running::usual();
    let (key, port) = (server.key(), server.address.port());
    let token = server.token();
    let body = format!(r#"{{"token":"{token}"}}"#);
    let origins = [
        "null".to_owned(),
        "http://evil.example".to_owned(),
        format!("https://127.0.0.1:{port}"),
        format!("http://localhost:{port}"),
        format!("http://127.0.0.1:{}", port ^ 1),
        format!("http://127.0.0.1:{port}.evil.example"),
        format!("http://127.0.0.1:{port}/"),
        "http://127.0.0.1".to_owned(),
    ];
    let send = |path: &str, more: &str| {
        let request = format!(
            "{}{more}Content-Length: {}\r\n\r\n{body}",
            head("POST", path, server.address, Some(&key)),
            body.len()
        );
        raw(server.address, request.as_bytes()).unwrap().status
    };
    for origin in &origins {
        for path in ["/api/session", "/api/policy", "/"] {
            assert_eq!(
                send(path, &format!("Origin: {origin}\r\n")),
                403,
                "{origin}"
            );
        }
    }
    for site in ["cross-site", "same-site", "none"] {
        assert_eq!(
            send("/api/session", &format!("Sec-Fetch-Site: {site}\r\n")),
            403,
            "{site}"
        );
    }
    // all these tries came from elsewhere: the token is as good as new
    let ours = format!("Origin: http://127.0.0.1:{port}\r\nSec-Fetch-Site: same-origin\r\n");
    assert_eq!(send("/api/session", &ours), 200);
}

#[test]
fn typing_the_address_opens_the_shell() {
    let server = Running::usual();
    for (path, site, status) in [
        ("/", "none", 200),
        ("/page.js", "none", 200),
        ("/", "cross-site", 403),
        ("/page.js", "same-site", 403),
    ] {
        let request = format!(
            "{}Sec-Fetch-Site: {site}\r\n\r\n",
            head("GET", path, server.address, None)
        );
        assert_eq!(
            raw(server.address, request.as_bytes()).unwrap().status,
            status,
            "{path} {site}"
        );
    }
}

#[test]
fn malformed_requests_do_no_harm() {
    let server = Running::usual();
    let host = server.host();
    let many = format!(
        "GET / HTTP/1.1\r\nHost: {host}\r\n{}\r\n",
        "X: y\r\n".repeat(500)
    );
    let long = format!(
        "GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n",
        "x".repeat(1 << 20)
    );
    let lengths = format!(
        "POST /api/session HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx"
    );
    let both = format!(
        "POST /api/session HTTP/1.1\r\nHost: {host}\r\nContent-Length: 4\r\nTransfer-Encoding: gzip\r\n\r\nxxxx"
    );
    let negative =
        format!("POST /api/session HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n");
    let chunk = format!(
        "POST /api/session HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
    );
    for request in [
        "\r\n\r\n",
        "x",
        "GET\r\n\r\n",
        "GET / HTTP/9.9\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\u{16}\u{3}\u{1}\0\u{1}",
        "GET / HTTP/1.1\r\nHost\r\n\r\n",
        "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
        &many,
        &long,
        &lengths,
        &both,
        &negative,
        &chunk,
    ] {
        let status =
            raw_closed(server.address, request.as_bytes()).map_or(0, |answer| answer.status);
        assert!(
            status == 0 || (400..500).contains(&status),
            "{:?}: {status}",
            &request[..request.len().min(40)]
        );
    }
    assert_eq!(Client::new(server.address).get("/", None).status, 200);
}

#[test]
fn only_loopback_is_bound() {
    let server = Running::usual();
    assert_eq!(server.address.ip(), std::net::Ipv4Addr::LOCALHOST);
    // 127.0.0.2 is loopback too, and would answer if all addresses were bound
    let other = std::net::SocketAddr::from(([127, 0, 0, 2], server.address.port()));
    assert!(std::net::TcpStream::connect(other).is_err());
}
