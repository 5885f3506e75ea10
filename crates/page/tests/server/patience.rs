//! Clients that are slow, many, or both.

use crate::common::Running;
use crate::common::client::{Client, head, open, raw, read_answer, start};
use crate::common::demo::Demo;
use crate::common::soon;
use mingle_page::ServerOptions;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn hasty() -> Running {
    let soon = Duration::from_millis(300);
    Running::new(ServerOptions {
        head_timeout: soon,
        stall_timeout: soon,
        connections: 8,
        ..ServerOptions::default()
    })
}

/// How long the server takes to close a connection; what it said.
fn closed(mut stream: TcpStream) -> (Duration, String) {
    let (begin, mut said) = (Instant::now(), Vec::new());
    stream
        .set_read_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    let _ = stream.read_to_end(&mut said);
    assert!(
        begin.elapsed() < Duration::from_secs(4),
        "the connection stays open"
    );
    (begin.elapsed(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn a_head_that_does_not_come_is_not_waited_for() {
    let server = hasty();
    for start in ["", "G", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX:"] {
        let mut stream = TcpStream::connect(server.address).unwrap();
        stream.write_all(start.as_bytes()).unwrap();
        assert!(closed(stream).0 >= Duration::from_millis(200));
    }
}

#[test]
fn a_head_that_trickles_is_not_waited_for() {
    let server = hasty();
    let mut stream = TcpStream::connect(server.address).unwrap();
    let begin = Instant::now();
    while stream.write_all(b"G").is_ok() && begin.elapsed() < Duration::from_secs(4) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(begin.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_body_that_stops_is_not_waited_for() {
    let server = hasty();
    let key = server.key();
    for (method, path) in [
        ("POST", "/api/policy"),
        ("PUT", "/api/files/a.csv"),
        ("POST", "/api/plan"),
    ] {
        let mut stream = TcpStream::connect(server.address).unwrap();
        let request = format!(
            "{}Content-Length: 100\r\n\r\n{{",
            head(method, path, server.address, Some(&key))
        );
        stream.write_all(request.as_bytes()).unwrap();
        let (took, said) = closed(stream);
        assert!(took >= Duration::from_millis(200));
        assert!(
            said.contains(" 408 ") && said.contains("stopped halfway"),
            "{said}"
        );
    }
    assert!(server.demo.folder().read_dir().unwrap().next().is_none());
}

#[test]
fn a_token_that_trickles_is_not_waited_for() {
    let server = hasty();
    let mut stream = TcpStream::connect(server.address).unwrap();
    let request = format!(
        "{}Content-Length: 1000\r\n\r\n",
        head("POST", "/api/session", server.address, None)
    );
    stream.write_all(request.as_bytes()).unwrap();
    let begin = Instant::now();
    while stream.write_all(b" ").is_ok() && begin.elapsed() < Duration::from_secs(4) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(begin.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_reader_who_never_reads_is_not_waited_for() {
    let server = hasty();
    let key = server.key();
    let _unread = start(
        server.address,
        "/api/plan",
        &key,
        r#"{"tab":"t","text":"flood 64","quick":false}"#,
    );
    let took = soon("the work is told", Duration::from_secs(5), || {
        Demo::count(&server.demo.cancelled) == 1
    });
    assert!(took >= Duration::from_millis(200), "{took:?}");
}

#[test]
fn a_slow_answer_is_not_a_slow_reader() {
    let server = hasty();
    let (key, mut client) = (server.key(), Client::new(server.address));
    assert_eq!(
        client
            .post(
                "/api/policy",
                Some(&key),
                r#"{"text":"sleep 900","edits":[]}"#
            )
            .status,
        200
    );
    let slow = client.post(
        "/api/plan",
        Some(&key),
        r#"{"tab":"t","text":"sleep 900","quick":false}"#,
    );
    assert!(slow.text().contains("awake"));
}

#[test]
fn idle_connections_make_room_in_time() {
    let server = hasty();
    let _idle: Vec<TcpStream> = (0..30)
        .map(|_| TcpStream::connect(server.address).unwrap())
        .collect();
    let begin = Instant::now();
    assert_eq!(
        raw(
            server.address,
            format!("{}\r\n", head("GET", "/", server.address, None)).as_bytes()
        )
        .unwrap()
        .status,
        200
    );
    assert!(begin.elapsed() < Duration::from_secs(4));
}

#[test]
fn one_connection_too_many_waits() {
    let server = Running::new(ServerOptions {
        connections: 2,
        ..ServerOptions::default()
    });
    let key = server.key();
    let body = |tab| format!(r#"{{"tab":"{tab}","text":"sleep 60000","quick":false}}"#);
    let _one = start(server.address, "/api/plan", &key, &body(1));
    let two = start(server.address, "/api/plan", &key, &body(2));
    let mut three = open(server.address);
    three
        .get_mut()
        .write_all(format!("{}\r\n", head("GET", "/", server.address, None)).as_bytes())
        .unwrap();
    three
        .get_mut()
        .set_read_timeout(Some(Duration::from_millis(300)))
        .unwrap();
    assert!(read_answer(&mut three).is_none());
    three
        .get_mut()
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    drop(two);
    assert_eq!(read_answer(&mut three).unwrap().status, 200);
}

#[test]
fn a_thousand_quick_connections() {
    let server = Running::usual();
    let key = server.key();
    std::thread::scope(|scope| {
        for worker in 0..8 {
            let (server, key) = (&server, &key);
            scope.spawn(move || {
                for i in 0..125 {
                    let mut connection = open(server.address);
                    match (worker + i) % 4 {
                        0 => drop(connection),
                        1 => drop(connection.get_mut().write_all(b"GET / HT")),
                        2 => assert_eq!(Client::new(server.address).get("/", None).status, 200),
                        _ => assert_eq!(
                            Client::new(server.address)
                                .get("/api/start", Some(key))
                                .status,
                            200
                        ),
                    }
                }
            });
        }
    });
    assert_eq!(
        Client::new(server.address)
            .get("/api/start", Some(&key))
            .status,
        200
    );
}

#[test]
fn a_connection_is_kept() {
    let server = Running::usual();
    let mut connection = open(server.address);
    for _ in 0..3 {
        let request = format!("{}\r\n", head("GET", "/page.css", server.address, None));
        connection.get_mut().write_all(request.as_bytes()).unwrap();
        assert_eq!(read_answer(&mut connection).unwrap().status, 200);
    }
}
