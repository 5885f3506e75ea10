//! Reports: one visit each.

use crate::common::Running;
use crate::common::client::{Client, head, open, raw};
use std::io::{BufRead, Write};

#[test]
fn a_report_is_shown_once_and_runs_nothing() {
    let server = Running::usual();
    let (key, mut client) = (server.key(), Client::new(server.address));
    let links = client.post("/api/report", Some(&key), r#"{"name":"first"}"#);
    assert_eq!(links.status, 200);
    let links = links.json();
    let (public, private) = (
        links["public"].as_str().unwrap(),
        links["private"].as_str().unwrap(),
    );
    assert_ne!(public, private);

    let shown = client.get(private, None);
    assert_eq!(shown.status, 200);
    assert!(shown.text().contains("first Private"));
    assert_eq!(
        shown.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let policy = shown.header("content-security-policy").unwrap();
    assert_eq!(
        policy,
        "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    );
    assert_eq!(
        shown
            .headers
            .iter()
            .filter(|(name, _)| name == "content-security-policy")
            .count(),
        1
    );
    assert_eq!(
        shown.header("cross-origin-opener-policy"),
        Some("unsafe-none"),
        "a sandboxed page with another is not shown"
    );
    assert_eq!(shown.header("cache-control"), Some("no-store"));
    assert_eq!(shown.header("referrer-policy"), Some("no-referrer"));

    let again = client.get(private, None);
    assert_eq!(again.status, 410);
    assert!(again.text().contains("has been visited"));
    assert!(client.get(public, None).text().contains("first Public"));
}

#[test]
fn a_look_at_the_head_uses_nothing_up() {
    let server = Running::usual();
    let (key, mut client) = (server.key(), Client::new(server.address));
    let links = client
        .post("/api/report", Some(&key), r#"{"name":"first"}"#)
        .json();
    let public = links["public"].as_str().unwrap();
    let mut connection = open(server.address);
    let head_only = format!("{}\r\n", head("HEAD", public, server.address, None));
    connection
        .get_mut()
        .write_all(head_only.as_bytes())
        .unwrap();
    let mut line = String::new();
    connection.read_line(&mut line).unwrap();
    assert!(line.contains(" 405 "), "{line}");
    for (site, status) in [
        ("cross-site", 403),
        ("same-site", 403),
        ("same-origin", 200),
    ] {
        let request = format!(
            "{}Sec-Fetch-Site: {site}\r\n\r\n",
            head("GET", public, server.address, None)
        );
        assert_eq!(
            raw(server.address, request.as_bytes()).unwrap().status,
            status,
            "{site}"
        );
    }
}

#[test]
fn no_ticket_no_report() {
    let server = Running::usual();
    let (key, mut client) = (server.key(), Client::new(server.address));
    assert_eq!(
        client
            .post("/api/report", Some(&key), r#"{"name":"gone"}"#)
            .status,
        422
    );
    for name in ["..", "../x", "a/b", "", "/etc", "a\\\\b"] {
        let answer = client.post(
            "/api/report",
            Some(&key),
            &format!(r#"{{"name":"{name}"}}"#),
        );
        assert_eq!(answer.status, 400, "{name}");
    }
    for ticket in ["", "0", &"0".repeat(64), "..", "%2e%2e", &key] {
        let status = client.get(&format!("/report/{ticket}"), None).status;
        assert!([404, 410].contains(&status), "{ticket}: {status}");
    }
}
