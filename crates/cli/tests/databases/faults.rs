//! What goes wrong with databases: refused with what to do, and never with a password or a cell.

use crate::reading::wait_for_sleep;
use crate::server::Server;
use crate::{CANARY, CLINIC, PEOPLE, Said, policy, run};
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn what_a_server_refuses_is_said_without_its_words() {
    let Some(server) = Server::start("refusals") else {
        return;
    };
    server.sql_in("clinic", PEOPLE);
    server.sql_in(
        "clinic",
        "CREATE TABLE odd AS SELECT age, town, disease, ARRAY[1] AS list, \
        '{}'::json AS doc, '\\x00'::bytea AS raw, '1 day'::interval AS span FROM people; \
        CREATE VIEW forbidden AS SELECT * FROM people; \
        CREATE TABLE empty AS SELECT * FROM people LIMIT 0; \
        GRANT SELECT ON odd, empty TO reader; GRANT SELECT, INSERT ON people TO reader",
    );
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let refused = |data: &str, exit: i32, parts: &[&str]| {
        std::fs::write(here.join("p.toml"), policy(data, 3)).unwrap();
        run(&server, here, &["publish", "p.toml", "--out", "r"])
            .exits(exit)
            .says(parts);
        assert!(!here.join("r").exists());
    };
    let clinic = "source = { kind = \"postgresql\", service = \"clinic\" }\n";
    let of = |rest: &str| format!("{clinic}{rest}");
    refused(
        &of("table = \"forbidden\""),
        2,
        &["MG0244", "42501", "permission denied"],
    );
    refused(&of("table = \"gone\""), 2, &["MG0244", "42P01"]);
    refused(
        &of("query = \"SELEC 1\""),
        2,
        &["MG0244", "42601", "at character 1 "],
    );
    refused(
        &of("query = \"SELECT 1; DROP TABLE people\""),
        2,
        &["MG0244"],
    );
    refused(
        &of("query = \"SELECT age FROM people) TO PROGRAM 'touch /tmp/x' --\""),
        2,
        &["MG0244"],
    );
    refused(
        &of("query = \"SELECT age, town, disease FROM people WHERE age = $1\""),
        2,
        &["MG0244"],
    );
    refused(&of("query = \"DROP TABLE people\""), 2, &["MG0244"]);
    let writes = "INSERT INTO people VALUES (1, 'x', 'y') RETURNING age, town, disease";
    refused(&of(&format!("query = \"{writes}\"")), 2, &["MG0244"]);
    refused(
        &of("query = \"SELECT nextval('s') AS age, town, disease FROM people\""),
        2,
        &["MG0244"],
    );
    // a cell in the server's message
    refused(
        &of("query = \"SELECT (town)::integer AS age, town, disease FROM people\""),
        2,
        &["MG0244", "22P02", "a value"],
    );
    refused(&of("table = \"empty\""), 2, &["MG0203"]);
    refused(&of("table = \"a b\""), 2, &["MG0246"]);
    refused(&of("table = \"people\"\ndelimiter = \";\""), 2, &["MG0108"]);
    refused(&of("table = \"people\"\npath = \"x\""), 2, &["MG0109"]);
    refused(clinic, 2, &["MG0104"]);
    refused("table = \"people\"", 2, &["MG0104", "source"]);
    for (service, exit, part) in [
        ("none", 2, "MG0242"),
        ("wrong", 3, "28"),
        ("nowhere", 3, "MG0243"),
    ] {
        let data = format!(
            "source = {{ kind = \"postgresql\", service = \"{service}\" }}\ntable = \"people\""
        );
        refused(&data, exit, &[part]);
    }
    // only where the column is wanted
    for (column, kind) in [
        ("list", "array"),
        ("doc", "json"),
        ("raw", "bytea"),
        ("span", "interval"),
    ] {
        let text = policy(&of("table = \"odd\"\nundeclared = \"drop\""), 3)
            + &format!("[columns.{column}]\nrole = \"insensitive\"\n");
        std::fs::write(here.join("p.toml"), text).unwrap();
        let said = run(&server, here, &["publish", "p.toml", "--out", "r"]).exits(2);
        said.says(&["MG0245", column, kind]);
    }
    let text = policy(&of("table = \"odd\"\nundeclared = \"drop\""), 3);
    std::fs::write(here.join("p.toml"), text).unwrap();
    run(&server, here, &["publish", "p.toml", "--out", "r"]).exits(0);
    assert_eq!(server.sql_in("clinic", "SELECT count(*) FROM people"), "60");
}

#[test]
fn passwords_stand_nowhere() {
    let Some(server) = Server::start("passwords") else {
        return;
    };
    server.sql_in("clinic", PEOPLE);
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for data in [
        "source = \"postgresql://reader:zqxcanary@localhost/clinic\"\ntable = \"people\"",
        "source = { kind = \"postgresql\", service = \"clinic\", password = \"zqxcanary\" }\ntable = \"people\"",
        "source = { kind = \"postgresql\", password = \"zqxcanary\", nonsense = 1 }\ntable = \"people\"",
        "source = { kind = \"postgresql\", service = \"host=x password=zqxcanary\" }\ntable = \"people\"",
        "source = { kind = \"postgresql\", service = \"clinic\" }\nquery = \"SELECT * FROM dblink('password=zqxcanary', '')\"",
        "password = \"zqxcanary\"\npath = \"x.csv\"",
        "source = { kind = \"postgresql\", password = \"zqxcanary\"\ntable = \"people\"",
    ] {
        std::fs::write(here.join("p.toml"), policy(data, 3)).unwrap();
        run(&server, here, &["publish", "p.toml", "--out", "r"]).exits(2);
    }
    std::fs::write(here.join("p.toml"), policy(CLINIC, 3)).unwrap();
    let set = "data.source.password=zqxcanary";
    run(
        &server,
        here,
        &["publish", "p.toml", "--out", "r", "--set", set],
    )
    .exits(2);
    for place in [
        "postgresql://reader:zqxcanary@localhost/clinic",
        "postgres://reader:zqxcanary@localhost/clinic",
        "postgresql:reader:zqxcanary@localhost/people",
    ] {
        run(&server, here, &["init", place])
            .exits(2)
            .says(&["MG0246"]);
        run(&server, here, &["publish", "p.toml", "--out", place]).exits(2);
        run(
            &server,
            here,
            &["verify", "--table", place, "--policy", "p.toml"],
        )
        .exits(2);
        run(&server, here, &["verify", place]).exits(2);
    }
    // a good run writes none either, and nobody sees one among the processes
    let slow = "source = { kind = \"postgresql\", service = \"clinic\" }\n\
                query = \"SELECT p.* FROM people p, (SELECT pg_sleep(2)) s\"";
    std::fs::write(here.join("p.toml"), policy(slow, 3)).unwrap();
    let running = server
        .command(here)
        .args(["publish", "p.toml", "--out", "r", "--json", "--verbose"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_sleep(&server);
    let listed = std::process::Command::new("ps")
        .args(["-eo", "args"])
        .output();
    if let Ok(listed) = listed {
        assert!(!String::from_utf8_lossy(&listed.stdout).contains("zqxcanary-reader"));
    }
    Said::of(&running.wait_with_output().unwrap()).exits(0);
    for side in ["public", "private"] {
        for (name, bytes) in crate::files(&here.join("r").join(side)) {
            assert!(!String::from_utf8_lossy(&bytes).contains(CANARY), "{name}");
        }
    }
    assert!(!server.log().contains("zqxcanary-reader"));
}

#[test]
fn a_server_that_goes_away_leaves_nothing() {
    let Some(server) = Server::start("a server that goes away") else {
        return;
    };
    server.sql_in("clinic", PEOPLE);
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let slow = "source = { kind = \"postgresql\", service = \"clinic\" }\n\
                query = \"SELECT p.* FROM people p, (SELECT pg_sleep(60)) s\"";
    std::fs::write(here.join("p.toml"), policy(slow, 3)).unwrap();
    let start = || {
        let running = server
            .command(here)
            .args(["publish", "p.toml", "--out", "r"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_sleep(&server);
        running
    };
    // the session is ended
    let running = start();
    server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'");
    Said::of(&running.wait_with_output().unwrap())
        .exits(3)
        .says(&["MG0243"]);
    // somebody has enough: the server stops as well
    let running = start();
    let asked = Instant::now();
    let done = std::process::Command::new("kill")
        .args(["-INT", &running.id().to_string()])
        .status();
    assert!(done.unwrap().success());
    Said::of(&running.wait_with_output().unwrap()).exits(130);
    assert!(asked.elapsed() < Duration::from_secs(10));
    nobody_left(&server);
    // the client is killed
    let mut running = start();
    running.kill().unwrap();
    running.wait().unwrap();
    assert!(!here.join("r").exists());
    server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'reader'");
    // the server is killed
    let running = start();
    server.kill();
    Said::of(&running.wait_with_output().unwrap())
        .exits(3)
        .says(&["MG0243"]);
    run(&server, here, &["publish", "p.toml", "--out", "r"])
        .exits(3)
        .says(&["MG0243"]);
    assert!(!here.join("r").exists());
}

/// Until the server has no session of the reader any more.
fn nobody_left(server: &Server) {
    let sessions = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'reader'";
    for _ in 0..100 {
        if server.sql(sessions) == "0" {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("a session is left");
}

/// A certificate for `localhost` and the authority that signed it, in the server's folder.
fn certify(server: &Server, folder: &std::path::Path) -> bool {
    let script = "set -e\n\
        openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=ours\n\
        openssl req -x509 -newkey rsa:2048 -nodes -keyout no.key -out other.crt -days 2 -subj /CN=others\n\
        openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost\n\
        printf 'subjectAltName=DNS:localhost' > extensions\n\
        openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 \
        -extfile extensions -out server.crt\n";
    let made = std::process::Command::new("sh")
        .args(["-c", script])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !made.is_ok_and(|made| made.success()) {
        eprintln!("skipped: TLS, because openssl is not installed");
        return false;
    }
    server.keep_certificate(&folder.join("server.crt"), &folder.join("server.key"));
    true
}

#[test]
fn rows_are_encrypted_for_whom_they_should() {
    let Some(server) = Server::start("TLS") else {
        return;
    };
    server.sql_in("clinic", PEOPLE);
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    if !certify(&server, here) {
        return;
    }
    let encrypted = "source = { kind = \"postgresql\" }\nquery = \"SELECT p.* FROM people p \
         JOIN pg_stat_ssl s ON s.pid = pg_backend_pid() AND s.ssl\"";
    std::fs::write(here.join("p.toml"), policy(encrypted, 3)).unwrap();
    let publish = |host: &str, mode: &str, root: &str| {
        let mut command = server.command(here);
        command.args(["publish", "p.toml", "--dry-run", "--json"]);
        command
            .env("PGHOST", host)
            .env("PGPORT", server.port().to_string());
        command.env("PGUSER", "reader").env("PGDATABASE", "clinic");
        command
            .env("PGSSLMODE", mode)
            .env("PGSSLROOTCERT", here.join(root));
        Said::of(&command.output().unwrap())
    };
    let said = publish("localhost", "verify-full", "ca.crt").exits(0);
    assert!(
        said.out.contains("\"rows\":60") || said.out.contains("\"rows\": 60"),
        "{}",
        said.out
    );
    publish("localhost", "require", "ca.crt").exits(0);
    // signed by somebody else, or for another name
    publish("localhost", "verify-full", "other.crt")
        .exits(3)
        .says(&["MG0243", "TLS"]);
    publish("localhost", "require", "other.crt")
        .exits(3)
        .says(&["MG0243", "TLS"]);
    publish("127.0.0.1", "verify-full", "ca.crt")
        .exits(3)
        .says(&["MG0243", "TLS"]);
    publish("localhost", "verify-full", "none.crt")
        .exits(2)
        .says(&["MG0242"]);
    // on loopback nothing is encrypted unless that is asked for, so that nobody has these rows
    publish("localhost", "disable", "ca.crt")
        .exits(2)
        .says(&["MG0203"]);
}
