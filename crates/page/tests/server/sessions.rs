//! Tokens and keys.

use crate::common::Running;
use crate::common::client::{Answer, Client, head, raw};
use std::time::{Duration, Instant};

fn exchange(server: &Running, token: &str) -> Answer {
    Client::new(server.address).post("/api/session", None, &format!(r#"{{"token":"{token}"}}"#))
}

#[test]
fn a_link_opens_the_page_once() {
    let server = Running::usual();
    let link = server.handle.link();
    let (page, token) = link.split_once('#').unwrap();
    assert_eq!(page, format!("http://127.0.0.1:{}/", server.address.port()));
    let first = exchange(&server, token);
    assert_eq!(first.status, 200);
    let key = first.json()["key"].as_str().unwrap().to_owned();
    assert_eq!(
        Client::new(server.address)
            .get("/api/start", Some(&key))
            .status,
        200
    );

    let second = exchange(&server, token);
    assert_eq!(second.status, 401);
    assert!(
        second.json()["text"]
            .as_str()
            .unwrap()
            .contains("has been used")
    );
    assert!(
        second.json()["hint"]
            .as_str()
            .unwrap()
            .contains("press Enter")
    );
    assert_eq!(
        Client::new(server.address)
            .get("/api/start", Some(&key))
            .status,
        200,
        "the session goes on"
    );
    assert_eq!(
        exchange(&server, &server.token()).status,
        200,
        "a new link works"
    );
}

#[test]
fn nothing_is_told_without_a_key() {
    let server = Running::usual();
    let token = server.token();
    let mut client = Client::new(server.address);
    for (method, path) in [
        ("GET", "/api/start"),
        ("GET", "/api/files"),
        ("PUT", "/api/files/a.csv"),
        ("DELETE", "/api/files/a.csv"),
        ("POST", "/api/policy"),
        ("POST", "/api/propose"),
        ("POST", "/api/example"),
        ("POST", "/api/profile"),
        ("POST", "/api/hierarchy"),
        ("POST", "/api/plan"),
        ("POST", "/api/preview"),
        ("POST", "/api/coalition"),
        ("POST", "/api/frontier"),
        ("POST", "/api/attack"),
        ("POST", "/api/publish"),
        ("POST", "/api/save"),
        ("POST", "/api/report"),
    ] {
        for key in [None, Some(""), Some("0"), Some(token.as_str())] {
            let answer = client.request(method, path, key, b"x");
            assert_eq!(answer.status, 401, "{method} {path}");
            assert!(
                answer.json()["hint"]
                    .as_str()
                    .unwrap()
                    .contains("mingle serve")
            );
        }
    }
    assert!(server.demo.folder().read_dir().unwrap().next().is_none());
}

#[test]
fn a_key_is_taken_in_one_way_only() {
    let server = Running::usual();
    let key = server.key();
    let bare = head("GET", "/api/start", server.address, None);
    for header in [
        format!("Authorization: {key}"),
        format!("Authorization: bearer {key}"),
        format!("Authorization: Basic {key}"),
        format!("Authorization: Bearer  {key}"),
        format!("Authorization: Bearer {key}x"),
        format!("Authorization: Bearer {}", &key[1..]),
        format!("Authorization: Bearer {}", key.to_uppercase()),
        format!("Authorization: Bearer {key}\r\nAuthorization: Bearer {key}"),
        format!("Cookie: key={key}"),
        "Authorization: Bearer \u{e9}".to_owned(),
    ] {
        let answer = raw(server.address, format!("{bare}{header}\r\n\r\n").as_bytes()).unwrap();
        assert_eq!(answer.status, 401, "{}", header.replace(&key, "KEY"));
    }
    let query = format!(
        "{}\r\n",
        head(
            "GET",
            &format!("/api/start?key={key}"),
            server.address,
            None
        )
    );
    assert_eq!(raw(server.address, query.as_bytes()).unwrap().status, 401);
}

#[test]
fn wrong_tokens_slow_down() {
    let server = Running::usual();
    let token = server.token();
    for _ in 0..20 {
        let start = Instant::now();
        assert_eq!(exchange(&server, &"0".repeat(64)).status, 401);
        assert!(start.elapsed() < Duration::from_millis(900));
    }
    let start = Instant::now();
    assert_eq!(exchange(&server, "").status, 401);
    assert!(start.elapsed() >= Duration::from_secs(1));
    let start = Instant::now();
    assert_eq!(
        exchange(&server, &token).status,
        200,
        "whoever has the link still gets in"
    );
    assert!(start.elapsed() >= Duration::from_secs(1));
}

#[test]
fn malformed_tokens() {
    let server = Running::usual();
    let mut client = Client::new(server.address);
    for body in [
        "",
        "{}",
        "null",
        "[]",
        r#"{"token":1}"#,
        r#"{"token":null}"#,
        "{\"token\":\"\u{0}\"}",
    ] {
        let answer = client.post("/api/session", None, body);
        assert_eq!(answer.status, 400, "{body:?}");
    }
    assert_eq!(
        client.post("/api/session", None, &"x".repeat(2000)).status,
        413
    );
}
