//! Dropped files: where they go, and where they never go.

use crate::common::client::{Answer, Client, head, open, raw, read_answer};
use crate::common::demo::Demo;
use crate::common::hostile::{Dice, address, escapes};
use crate::common::{Running, soon};
use mingle_page::ServerOptions;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(5);

/// Every path below a folder, with the bytes of files. What vanishes while we look is not there.
fn snapshot(folder: &Path) -> BTreeMap<String, Option<Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for path in next
            .read_dir()
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path())
        {
            let name = path
                .strip_prefix(folder)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            if path.is_dir() {
                found.insert(name, None);
                waiting.push(path);
            } else if let Ok(bytes) = std::fs::read(&path) {
                found.insert(name, Some(bytes));
            }
        }
    }
    found
}

fn is_empty(demo: &Demo) -> bool {
    snapshot(&demo.folder()).is_empty()
}

fn small(limit: u64) -> Running {
    Running::new(ServerOptions {
        largest_upload: limit,
        ..ServerOptions::default()
    })
}

fn chunked(server: &Running, path: &str, key: &str) -> std::io::BufReader<std::net::TcpStream> {
    let mut connection = open(server.address);
    let start = format!(
        "{}Transfer-Encoding: chunked\r\n\r\n",
        head("PUT", path, server.address, Some(key))
    );
    connection.get_mut().write_all(start.as_bytes()).unwrap();
    connection
}

#[test]
fn a_file_arrives_whole() {
    let server = Running::usual();
    let (key, mut client) = (server.key(), Client::new(server.address));
    let data: Vec<u8> = (0..3_000_000u32).map(|i| (i % 251) as u8).collect();
    assert_eq!(
        client
            .put(
                "/api/files/release/public/M%C3%BCller%20%231.csv",
                &key,
                &data
            )
            .status,
        200
    );
    assert_eq!(client.put("/api/files/empty.csv", &key, b"").status, 200);
    let found = snapshot(&server.demo.folder());
    assert_eq!(found["release/public/Müller #1.csv"].as_ref(), Some(&data));
    assert_eq!(found["empty.csv"].as_deref(), Some([].as_slice()));
    assert_eq!(found.len(), 4, "two files, two folders, nothing half-done");

    let listed = client.get("/api/files", Some(&key)).json();
    assert_eq!(listed["files"].as_array().unwrap().len(), 2);
    assert_eq!(
        client.put("/api/files/empty.csv", &key, b"more").status,
        200,
        "a file is replaced"
    );
    assert_eq!(
        snapshot(&server.demo.folder())["empty.csv"].as_deref(),
        Some(b"more".as_slice())
    );
    assert_eq!(
        client
            .request("DELETE", "/api/files/empty.csv", Some(&key), b"")
            .status,
        200
    );
    assert_eq!(
        client
            .request("DELETE", "/api/files/empty.csv", Some(&key), b"")
            .status,
        422
    );
}

#[cfg(unix)]
#[test]
fn files_are_for_their_owner() {
    use std::os::unix::fs::PermissionsExt;
    let server = Running::usual();
    let key = server.key();
    assert_eq!(
        Client::new(server.address)
            .put("/api/files/a/b.csv", &key, b"x")
            .status,
        200
    );
    let mode = |name: &str| {
        server
            .demo
            .folder()
            .join(name)
            .metadata()
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!((mode("a"), mode("a/b.csv")), (0o700, 0o600));
}

#[test]
fn ten_thousand_hostile_names_touch_nothing() {
    let server = Running::usual();
    let (key, mut client, mut dice) = (server.key(), Client::new(server.address), Dice::new(7));
    let outside = || {
        let mut all = snapshot(&server.demo.outer());
        all.retain(|name, _| !name.starts_with("files"));
        all
    };
    let before = outside();
    let mut kept = 0;
    for round in 0..10_000 {
        let address = address(&mut dice);
        let path = format!("/api/files/{address}");
        let method = if round % 10 == 9 { "DELETE" } else { "PUT" };
        let status = client.request(method, &path, Some(&key), b"x").status;
        assert!(
            [200, 400, 404, 409, 422].contains(&status),
            "{method} {address:?}: {status}"
        );
        kept += usize::from(status == 200);
    }
    assert_eq!(outside(), before);
    let arrived = server.demo.arrived.lock().unwrap().clone();
    assert!(kept > 100 && !arrived.is_empty(), "{kept} names are fine");
    assert!(arrived.iter().all(|name| !escapes(name)), "{arrived:?}");
    for (name, bytes) in snapshot(&server.demo.folder()) {
        assert!(bytes.is_none_or(|bytes| bytes == b"x"), "{name}");
        assert!(
            arrived
                .iter()
                .any(|a| *a == name || a.starts_with(&format!("{name}/"))),
            "{name} is nobody's"
        );
    }
}

#[test]
fn addresses_outside_the_table_are_nowhere() {
    let server = Running::usual();
    let mut client = Client::new(server.address);
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/page.js/../../../Cargo.toml",
        "/page.js/",
        "/./page.js",
        "//page.js",
        "/PAGE.JS",
        "/%70age.js",
        "/page.js%00",
        "/web/dist/page.js",
        "/index.html",
        "/etc/passwd",
        "/report/../page.js",
        "/%61pi/start",
        "/api/../page.js",
    ] {
        assert_eq!(client.get(path, None).status, 404, "{path}");
    }
}

#[test]
fn a_question_mark_belongs_to_a_name_or_is_refused() {
    let server = Running::usual();
    let (key, mut client) = (server.key(), Client::new(server.address));
    assert_eq!(client.put("/api/files/a?b.csv", &key, b"x").status, 400);
    assert!(is_empty(&server.demo));
}

#[test]
fn a_claim_of_five_gigabytes_is_refused_at_once() {
    let server = Running::usual();
    let key = server.key();
    let claim = format!(
        "{}Content-Length: 5000000000\r\n\r\n",
        head("PUT", "/api/files/a.csv", server.address, Some(&key))
    );
    let start = Instant::now();
    let answer = raw(server.address, claim.as_bytes()).unwrap();
    assert!(start.elapsed() < Duration::from_secs(2));
    too_large(&answer, "1 GiB");
    assert!(is_empty(&server.demo));
}

fn too_large(answer: &Answer, limit: &str) {
    assert_eq!(answer.status, 413);
    let problem = answer.json();
    assert!(
        problem["text"].as_str().unwrap().contains(limit),
        "{problem}"
    );
    assert!(
        problem["hint"]
            .as_str()
            .unwrap()
            .contains("mingle serve POLICY"),
        "{problem}"
    );
}

#[test]
fn a_file_that_grows_too_large_leaves_nothing() {
    let server = small(1 << 20);
    let key = server.key();
    let mut connection = chunked(&server, "/api/files/deep/a.csv", &key);
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    // 17 chunks are one more than 1 MiB
    for _ in 0..17 {
        connection.get_mut().write_all(chunk.as_bytes()).unwrap();
    }
    too_large(&read_answer(&mut connection).unwrap(), "1 MiB");
    soon("the folder is empty", SOON, || is_empty(&server.demo));
    let exact = vec![b'x'; 1 << 20];
    assert_eq!(
        Client::new(server.address)
            .put("/api/files/a.csv", &key, &exact)
            .status,
        200
    );
    assert_eq!(
        Client::new(server.address)
            .put("/api/files/b.csv", &key, &[exact, vec![b'x']].concat())
            .status,
        413
    );
}

#[test]
fn whoever_is_still_sending_reads_the_refusal() {
    let server = small(1 << 20);
    let key = server.key();
    let mut connection = open(server.address);
    let size = 32 << 20;
    let claim = format!(
        "{}Content-Length: {size}\r\n\r\n",
        head("PUT", "/api/files/a.csv", server.address, Some(&key))
    );
    connection.get_mut().write_all(claim.as_bytes()).unwrap();
    // a browser sends on for a while before it looks
    let block = vec![b'x'; 1 << 20];
    for _ in 0..32 {
        connection.get_mut().write_all(&block).unwrap();
    }
    too_large(&read_answer(&mut connection).unwrap(), "1 MiB");
}

#[test]
fn whoever_asks_first_is_told_first() {
    let server = small(1 << 20);
    let key = server.key();
    let ask = |length: u64| {
        let start = head("PUT", "/api/files/a.csv", server.address, Some(&key));
        let mut connection = open(server.address);
        write!(
            connection.get_mut(),
            "{start}Expect: 100-continue\r\nContent-Length: {length}\r\n\r\n"
        )
        .unwrap();
        read_answer(&mut connection).unwrap().status
    };
    assert_eq!(ask(5_000_000_000), 413);
    assert_eq!(ask(10), 100);
}

#[test]
fn a_broken_upload_leaves_nothing() {
    let server = Running::usual();
    let key = server.key();
    for ending in ["vanishes", "breaks the encoding"] {
        let mut connection = chunked(&server, "/api/files/deep/down/a.csv", &key);
        connection.get_mut().write_all(b"5\r\nhello\r\n").unwrap();
        soon("the file began", SOON, || !is_empty(&server.demo));
        let seen = snapshot(&server.demo.folder());
        assert!(
            !seen.contains_key("deep/down/a.csv"),
            "it appears whole or not at all"
        );
        if ending == "breaks the encoding" {
            connection.get_mut().write_all(b"zz\r\n").unwrap();
        }
        drop(connection);
        soon("the folder is empty", SOON, || is_empty(&server.demo));
    }
    assert!(server.demo.arrived.lock().unwrap().is_empty());
}

#[test]
fn a_replacement_that_breaks_leaves_the_old_file() {
    let server = Running::usual();
    let key = server.key();
    assert_eq!(
        Client::new(server.address)
            .put("/api/files/a.csv", &key, b"old")
            .status,
        200
    );
    let mut connection = chunked(&server, "/api/files/a.csv", &key);
    connection.get_mut().write_all(b"3\r\nnew\r\n").unwrap();
    soon("the file began", SOON, || {
        snapshot(&server.demo.folder()).len() == 2
    });
    drop(connection);
    soon("the new one is gone", SOON, || {
        snapshot(&server.demo.folder()).len() == 1
    });
    assert_eq!(
        snapshot(&server.demo.folder())["a.csv"].as_deref(),
        Some(b"old".as_slice())
    );
}

#[test]
fn a_file_is_no_folder() {
    let server = Running::usual();
    let (key, mut client) = (server.key(), Client::new(server.address));
    assert_eq!(client.put("/api/files/a/b.csv", &key, b"x").status, 200);
    let before = snapshot(&server.demo.folder());
    assert_eq!(client.put("/api/files/a", &key, b"x").status, 409);
    assert_eq!(client.put("/api/files/a/b.csv/c", &key, b"x").status, 409);
    assert_eq!(client.put("/api/files/unwanted", &key, b"x").status, 422);
    assert_eq!(snapshot(&server.demo.folder()), before);
}

#[test]
fn stopping_takes_back_what_is_not_complete() {
    let mut server = Running::usual();
    let key = server.key();
    let mut connection = chunked(&server, "/api/files/a/b.csv", &key);
    connection.get_mut().write_all(b"5\r\nhello\r\n").unwrap();
    soon("the file began", SOON, || !is_empty(&server.demo));
    assert!(server.end() < Duration::from_secs(2));
    assert!(is_empty(&server.demo));
}

#[test]
fn a_whole_folder_at_once() {
    let server = Running::usual();
    let key = server.key();
    std::thread::scope(|scope| {
        for i in 0..12 {
            let (server, key) = (&server, &key);
            scope.spawn(move || {
                let answer = Client::new(server.address).put(
                    &format!("/api/files/r/public/{i}.csv"),
                    key,
                    &vec![b'x'; i << 16],
                );
                assert_eq!(answer.status, 200);
                let mut broken =
                    chunked(server, &format!("/api/files/r/public/broken-{i}.csv"), key);
                broken.get_mut().write_all(b"1\r\nx\r\n").unwrap();
            });
        }
    });
    soon("only whole files are left", SOON, || {
        snapshot(&server.demo.folder()).len() == 14
    });
}
