//! Bodies of JSON.

use crate::common::Running;
use crate::common::client::{Client, head, open, raw, read_answer};
use crate::common::demo::CANARY;
use std::io::Write;

#[test]
fn malformed_bodies_are_told_by_position_and_never_quoted() {
    let server = Running::usual();
    let (key, mut client) = (server.key(), Client::new(server.address));
    let deep = format!(
        r#"{{"text":"","edits":[{{"path":[],"value":{}{}}}]}}"#,
        "[".repeat(1000),
        "]".repeat(1000)
    );
    for (body, position) in [
        ("", Some("line 1")),
        ("{", Some("line 1, column 1")),
        ("{\n\"text\": zqxcanary}", Some("line 2, column 9")),
        (r#"{"text":1,"edits":"zqxcanary"}"#, None),
        (r#"{"text":"","edits":"zqxcanary"}"#, None),
        (r#""zqxcanary""#, None),
        (r#"{"zqxcanary":1}"#, None),
        (r#"{"text":"","edits":[]} zqxcanary"#, None),
        (r#"{"text":"","edits":[],"text":"zqxcanary"}"#, None),
        ("\u{feff}{}", None),
        ("{\"text\":\"\u{1}\",\"edits\":[]}", None),
        (deep.as_str(), None),
    ] {
        let answer = client.post("/api/policy", Some(&key), body);
        assert_eq!(answer.status, 400, "{}", &body[..body.len().min(40)]);
        let text = answer.text();
        assert!(!text.contains(CANARY), "{text}");
        assert!(
            position.is_none_or(|position| text.contains(position)),
            "{text}"
        );
    }
    let broken = client.request(
        "POST",
        "/api/policy",
        Some(&key),
        b"{\"text\":\"\xff\",\"edits\":[]}",
    );
    assert_eq!(broken.status, 400);
    let other = client.post(
        "/api/policy",
        Some(&key),
        r#"{"text":"fine","edits":[],"later":true}"#,
    );
    assert_eq!(other.status, 200, "a field of a later version is ignored");
}

#[test]
fn a_large_body_is_refused_at_once() {
    let server = Running::usual();
    let key = server.key();
    let claimed = format!(
        "{}Content-Length: 5000000000\r\n\r\n",
        head("POST", "/api/policy", server.address, Some(&key))
    );
    let answer = raw(server.address, claimed.as_bytes()).unwrap();
    assert_eq!(answer.status, 413);
    assert!(answer.text().contains("4194304 bytes"));
}

#[test]
fn a_body_that_grows_too_large_is_refused() {
    let server = Running::usual();
    let key = server.key();
    let mut connection = open(server.address);
    let start = format!(
        "{}Transfer-Encoding: chunked\r\n\r\n",
        head("POST", "/api/policy", server.address, Some(&key))
    );
    connection.get_mut().write_all(start.as_bytes()).unwrap();
    let chunk = format!("10000\r\n{}\r\n", " ".repeat(0x10000));
    // 65 chunks are one more than 4 MiB
    for _ in 0..65 {
        if connection.get_mut().write_all(chunk.as_bytes()).is_err() {
            break;
        }
    }
    assert_eq!(read_answer(&mut connection).unwrap().status, 413);
}

#[test]
fn the_largest_body_is_taken() {
    let server = Running::usual();
    let (key, mut client) = (server.key(), Client::new(server.address));
    let text = "x".repeat((4 << 20) - r#"{"text":"","edits":[]}"#.len());
    let answer = client.post(
        "/api/policy",
        Some(&key),
        &format!(r#"{{"text":"{text}","edits":[]}}"#),
    );
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json()["text"].as_str().unwrap().len(), text.len());
    assert_eq!(
        client
            .post(
                "/api/policy",
                Some(&key),
                &format!(r#"{{"text":"{text}x","edits":[]}}"#)
            )
            .status,
        413
    );
}

#[test]
fn a_panic_is_an_answer() {
    let server = Running::usual();
    let (key, mut client) = (server.key(), Client::new(server.address));
    for _ in 0..20 {
        let answer = client.post("/api/policy", Some(&key), r#"{"text":"panic","edits":[]}"#);
        assert_eq!(answer.status, 500);
        assert_eq!(answer.json()["code"], "MG0603");
        assert!(!answer.text().contains(CANARY));
    }
    assert_eq!(
        client
            .post("/api/policy", Some(&key), r#"{"text":"fine","edits":[]}"#)
            .status,
        200
    );
}

#[test]
fn names_of_policies_and_releases_have_no_folders() {
    let server = Running::usual();
    let (key, mut client) = (server.key(), Client::new(server.address));
    let mut save = |name: &str| {
        client
            .post(
                "/api/save",
                Some(&key),
                &format!(r#"{{"text":"","name":"{name}","force":false}}"#),
            )
            .status
    };
    assert_eq!(save("policy.toml"), 200);
    for name in [
        "",
        "..",
        "../policy.toml",
        "/etc/policy.toml",
        "a/b.toml",
        "a\\\\b.toml",
        ".policy.toml",
        "nul.toml",
    ] {
        assert_eq!(save(name), 422, "{name}");
    }
    let publish = r#"{"tab":"t","text":"","name":"../out","force":false}"#;
    let answer = client.post("/api/publish", Some(&key), publish);
    assert!(
        answer.text().contains("without folders"),
        "{}",
        answer.text()
    );
    assert_eq!(
        server.demo.began.load(std::sync::atomic::Ordering::SeqCst),
        0
    );
}

#[test]
fn a_code_is_explained_to_whoever_has_a_key() {
    let server = Running::usual();
    let (key, mut client) = (server.key(), Client::new(server.address));
    let mut ask = |key: Option<&str>, code: &str| {
        let answer = client.post("/api/explain", key, &format!(r#"{{"code":"{code}"}}"#));
        (answer.status, answer.text())
    };
    let (status, text) = ask(Some(&key), "MG0103");
    let explained: mingle_record::answer::ExplainedCode = serde_json::from_str(&text).unwrap();
    assert_eq!(status, 200);
    assert_eq!(explained, mingle_record::ProblemCode::UnknownKey.into());
    for wrong in ["MG9999", "", CANARY] {
        let (status, text) = ask(Some(&key), wrong);
        assert_eq!(status, 422, "{wrong}");
        assert!(
            text.contains("no such code") && !text.contains(CANARY),
            "{text}"
        );
    }
    assert_eq!(ask(None, "MG0103").0, 401);
}
