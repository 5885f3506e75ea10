//! Long work: its lines, who waits for whom, and who is told to give up.

use crate::common::client::{Client, chunk, start};
use crate::common::demo::{CANARY, Demo};
use crate::common::{Running, soon};
use mingle_page::ServerOptions;
use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(5);

fn plan(server: &Running, key: &str, tab: &str, text: &str) -> BufReader<TcpStream> {
    start(
        server.address,
        "/api/plan",
        key,
        &format!(r#"{{"tab":"{tab}","text":"{text}","quick":false}}"#),
    )
}

/// What is left of an answer: its documents, and how many blank lines came between them.
fn rest(connection: &mut BufReader<TcpStream>) -> (Vec<serde_json::Value>, usize) {
    let mut bytes = Vec::new();
    while let Some(data) = chunk(connection) {
        bytes.extend(data);
    }
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    let (blank, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.is_empty());
    (
        lines
            .iter()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
        blank.len(),
    )
}

#[test]
fn every_event_is_a_line() {
    let server = Running::usual();
    let key = server.key();
    let (lines, _) = rest(&mut plan(&server, &key, "t", "count 1000"));
    assert_eq!(lines.len(), 1000);
    for (i, line) in lines.iter().enumerate() {
        assert_eq!(line["event"], "problem");
        assert_eq!(line["problem"]["text"], i.to_string());
    }
}

#[test]
fn all_four_kinds_answer() {
    let server = Running::usual();
    let (key, mut client) = (server.key(), Client::new(server.address));
    for (path, body) in [
        ("/api/plan", r#"{"tab":"t","text":"","quick":true}"#),
        (
            "/api/frontier",
            r#"{"tab":"t","text":"","vary":"k","values":[2],"methods":[]}"#,
        ),
        ("/api/attack", r#"{"tab":"t","text":"","releases":[]}"#),
        (
            "/api/publish",
            r#"{"tab":"t","text":"","name":"out","force":false}"#,
        ),
    ] {
        let answer = client.post(path, Some(&key), body);
        assert_eq!(answer.header("content-type"), Some("application/x-ndjson"));
        assert!(answer.text().contains("done"), "{path}: {}", answer.text());
    }
}

#[test]
fn a_line_comes_at_once_and_blank_lines_while_nothing_happens() {
    let server = Running::usual();
    let key = server.key();
    let (mut connection, begin) = (plan(&server, &key, "t", "sleep 700"), Instant::now());
    assert_eq!(chunk(&mut connection).unwrap(), b"\n");
    assert!(
        begin.elapsed() < Duration::from_millis(600),
        "{:?}",
        begin.elapsed()
    );
    let (lines, blank) = rest(&mut connection);
    assert_eq!(lines.len(), 1);
    assert!((1..=4).contains(&blank), "{blank}");
}

#[test]
fn a_reader_who_vanishes_stops_the_work() {
    let server = Running::usual();
    let key = server.key();
    let vanish = |round| {
        let connection = plan(&server, &key, "t", "sleep 60000");
        soon("the job began", SOON, || {
            Demo::count(&server.demo.began) == round
        });
        drop(connection);
        soon("the job is told", SOON, || {
            Demo::count(&server.demo.cancelled) == round
        })
    };
    // a busy machine may be late once
    let quickest = (1..=3).map(vanish).min().unwrap();
    assert!(quickest < Duration::from_millis(200), "{quickest:?}");
}

#[test]
fn a_reader_who_sent_more_and_vanishes_stops_the_work() {
    let server = Running::usual();
    let key = server.key();
    let mut connection = plan(&server, &key, "t", "sleep 60000");
    connection
        .get_mut()
        .write_all(b"GET / HTTP/1.1\r\n")
        .unwrap();
    soon("the job began", SOON, || {
        Demo::count(&server.demo.began) == 1
    });
    drop(connection);
    let took = soon("the job is told", SOON, || {
        Demo::count(&server.demo.cancelled) == 1
    });
    assert!(took < Duration::from_secs(2), "{took:?}");
}

#[test]
fn a_newer_job_of_the_tab_stops_the_older() {
    let server = Running::usual();
    let key = server.key();
    let mut older = plan(&server, &key, "t", "sleep 60000");
    soon("the older began", SOON, || {
        Demo::count(&server.demo.began) == 1
    });
    let mut newer = plan(&server, &key, "t", "sleep 50");
    soon("the older is told", SOON, || {
        Demo::count(&server.demo.cancelled) == 1
    });
    assert!(
        rest(&mut older).0.is_empty(),
        "the older ends without an answer"
    );
    assert_eq!(rest(&mut newer).0.len(), 1);
}

#[test]
fn other_tabs_kinds_and_sessions_do_not_disturb() {
    let server = Running::usual();
    let (key, other) = (server.key(), server.key());
    let mut first = plan(&server, &key, "one", "sleep 400");
    let mut second = plan(&server, &key, "two", "sleep 400");
    let mut third = plan(&server, &other, "one", "sleep 400");
    let attack = r#"{"tab":"one","text":"sleep 400","releases":[]}"#;
    let mut fourth = start(server.address, "/api/attack", &key, attack);
    for connection in [&mut first, &mut second, &mut third, &mut fourth] {
        assert_eq!(rest(connection).0[0]["problem"]["text"], "awake");
    }
    assert_eq!(Demo::count(&server.demo.cancelled), 0);
}

#[test]
fn few_run_at_a_time_and_the_others_wait_in_order() {
    let server = Running::new(ServerOptions {
        jobs: 2,
        ..ServerOptions::default()
    });
    let key = server.key();
    let mut waiting: Vec<_> = (0..6)
        .map(|i| plan(&server, &key, &i.to_string(), "sleep 100"))
        .collect();
    for connection in &mut waiting {
        assert_eq!(rest(connection).0.len(), 1);
    }
    assert_eq!(server.demo.most.load(Ordering::SeqCst), 2);
    assert_eq!(Demo::count(&server.demo.began), 6);
}

#[test]
fn who_leaves_the_queue_never_begins() {
    let server = Running::new(ServerOptions {
        jobs: 1,
        ..ServerOptions::default()
    });
    let key = server.key();
    let first = plan(&server, &key, "one", "stubborn 800");
    soon("the first began", SOON, || {
        Demo::count(&server.demo.began) == 1
    });
    let second = plan(&server, &key, "two", "sleep 60000");
    drop((first, second));
    // the first does not listen: its seat is taken until it is done
    soon("the first ended", SOON, || {
        Demo::count(&server.demo.ended) == 1
    });
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(Demo::count(&server.demo.began), 1);
    assert_eq!(
        rest(&mut plan(&server, &key, "three", "")).0.len(),
        1,
        "the seat is free"
    );
}

#[test]
fn a_slider_that_moves_fifty_times_gets_the_last_answer() {
    let server = Running::usual();
    let key = server.key();
    let mut last = None;
    for _ in 0..50 {
        last = Some(plan(&server, &key, "t", "sleep 200"));
    }
    assert_eq!(rest(last.as_mut().unwrap()).0.len(), 1);
    soon("all ended", SOON, || {
        Demo::count(&server.demo.began) == Demo::count(&server.demo.ended)
    });
    assert!(server.demo.most.load(Ordering::SeqCst) <= 4);
}

#[test]
fn a_panic_is_the_last_line() {
    let server = Running::usual();
    let key = server.key();
    for _ in 0..10 {
        let (lines, _) = rest(&mut plan(&server, &key, "t", "panic"));
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0]["event"], "problem");
        assert_eq!(lines[0]["problem"]["code"], "MG0603");
        assert!(!lines[0].to_string().contains(CANARY));
    }
    assert_eq!(
        rest(&mut plan(&server, &key, "t", "")).0.len(),
        1,
        "the server lives on, and its seats are free"
    );
}

#[test]
fn a_reader_who_does_not_read_holds_the_work_up() {
    let server = Running::usual();
    let key = server.key();
    let connection = plan(&server, &key, "t", "flood 64");
    soon("the work is held up", SOON, || {
        let sent = Demo::count(&server.demo.sent);
        std::thread::sleep(Duration::from_millis(100));
        sent > 0 && sent == Demo::count(&server.demo.sent)
    });
    assert!(Demo::count(&server.demo.sent) < 1000);
    drop(connection);
    let took = soon("the work is told", SOON, || {
        Demo::count(&server.demo.cancelled) == 1
    });
    assert!(took < Duration::from_secs(2), "{took:?}");
}

#[test]
fn held_up_work_gives_way_to_newer_work() {
    let server = Running::new(ServerOptions {
        jobs: 1,
        ..ServerOptions::default()
    });
    let key = server.key();
    let _held = plan(&server, &key, "t", "flood 64");
    soon("it began", SOON, || Demo::count(&server.demo.sent) > 64);
    assert_eq!(rest(&mut plan(&server, &key, "t", "")).0.len(), 1);
    assert_eq!(Demo::count(&server.demo.cancelled), 1);
}

#[test]
fn stopping_ends_the_work_and_the_answer() {
    let mut server = Running::usual();
    let key = server.key();
    let mut reading = plan(&server, &key, "one", "sleep 60000");
    let _not_reading = plan(&server, &key, "two", "flood 64");
    let _idle = TcpStream::connect(server.address).unwrap();
    soon("both began", SOON, || Demo::count(&server.demo.began) == 2);
    let took = server.end();
    assert!(took < Duration::from_secs(2), "{took:?}");
    assert_eq!(Demo::count(&server.demo.cancelled), 2);
    assert!(rest(&mut reading).0.is_empty());
    assert!(
        TcpStream::connect(server.address).is_err(),
        "nobody listens"
    );
}

#[test]
fn an_answer_that_is_stopped_ends_as_answers_end() {
    let mut server = Running::usual();
    let key = server.key();
    let mut reading = plan(&server, &key, "t", "sleep 60000");
    soon("it began", SOON, || Demo::count(&server.demo.began) == 1);
    server.end();
    let mut rest = Vec::new();
    reading.read_to_end(&mut rest).unwrap();
    assert!(
        rest.ends_with(b"0\r\n\r\n"),
        "the connection was cut instead"
    );
}

#[test]
fn stopping_does_not_wait_for_work_that_does_not_listen() {
    let mut server = Running::usual();
    let key = server.key();
    let _stubborn = plan(&server, &key, "t", "stubborn 4000");
    soon("it began", SOON, || Demo::count(&server.demo.began) == 1);
    let took = server.end();
    assert!(took < Duration::from_secs(2), "{took:?}");
}
