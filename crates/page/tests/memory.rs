//! Memory stays bounded whatever is sent, and whoever does not read.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use common::client::{Client, head, open, read_answer, start};
use common::demo::Demo;
use common::{Running, soon};
use mingle_page::ServerOptions;
use std::io::Write;
use std::time::Duration;

/// The most memory this process has had, in MiB.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap();
    line.split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<u64>()
        .unwrap()
        / 1024
}

#[test]
fn floods_stay_out_of_memory() {
    let server = Running::new(ServerOptions {
        largest_upload: 300 << 20,
        jobs: 4,
        ..ServerOptions::default()
    });
    let (key, mut client) = (server.key(), Client::new(server.address));
    assert_eq!(client.get("/", None).status, 200);
    let before = most_memory();

    // four readers who do not read, of work that could fill the memory
    let unread: Vec<_> = (0..4)
        .map(|tab| {
            let body = format!(r#"{{"tab":"{tab}","text":"flood 64","quick":false}}"#);
            start(server.address, "/api/plan", &key, &body)
        })
        .collect();
    soon("all are held up", Duration::from_secs(10), || {
        let sent = Demo::count(&server.demo.sent);
        std::thread::sleep(Duration::from_millis(200));
        sent > 200 && sent == Demo::count(&server.demo.sent)
    });

    // a large file, piece by piece
    let mut connection = open(server.address);
    let size = 256usize << 20;
    let request = format!(
        "{}Content-Length: {size}\r\n\r\n",
        head("PUT", "/api/files/a.bin", server.address, Some(&key))
    );
    connection.get_mut().write_all(request.as_bytes()).unwrap();
    let block = vec![0u8; 1 << 20];
    for _ in 0..256 {
        connection.get_mut().write_all(&block).unwrap();
    }
    assert_eq!(read_answer(&mut connection).unwrap().status, 200);
    assert_eq!(
        server.demo.folder().join("a.bin").metadata().unwrap().len(),
        size as u64
    );

    // many requests that are refused
    for _ in 0..500 {
        assert_eq!(client.get("/api/start", Some("wrong")).status, 401);
        assert_eq!(client.post("/api/policy", Some(&key), "{").status, 400);
    }
    let grown = most_memory() - before;
    assert!(grown < 96, "memory grew by {grown} MiB");
    drop(unread);
}
