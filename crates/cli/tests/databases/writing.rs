//! Releases in a database: the old one or the new one, public and private apart.

use crate::server::Server;
use crate::{CLINIC, Draw, PEOPLE, policy, run};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

const PLACE: &str = "postgresql:target/released";

/// A folder with policies of two groups sizes, and a first release of k = 3 in the database.
fn first_release(server: &Server) -> tempfile::TempDir {
    server.sql_in("clinic", PEOPLE);
    let folder = tempfile::tempdir().unwrap();
    for k in [3, 6] {
        let name = format!("k{k}.toml");
        std::fs::write(folder.path().join(name), policy(CLINIC, k)).unwrap();
    }
    run(
        server,
        folder.path(),
        &["publish", "k3.toml", "--out", PLACE],
    )
    .exits(0);
    folder
}

/// The k of the release in the database, which is whole.
#[track_caller]
fn k_there(server: &Server, folder: &Path) -> u64 {
    let said = run(server, folder, &["verify", PLACE, "--json"]).exits(0);
    let answer: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(answer["verdict"], "holds");
    answer["constraints"][0]["k"].as_u64().unwrap()
}

fn replace(server: &Server, folder: &Path) -> Child {
    server
        .command(folder)
        .args(["publish", "k6.toml", "--out", PLACE, "--force"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn a_release_in_two_schemas() {
    let Some(server) = Server::start("a release in two schemas") else {
        return;
    };
    let folder = first_release(&server);
    let here = folder.path();
    assert_eq!(k_there(&server, here), 3);
    // the same table as in a folder
    run(&server, here, &["publish", "k3.toml", "--out", "r"]).exits(0);
    let export = server
        .psql("clinic")
        .args(["-c", "\\copy released.data TO STDOUT CSV"])
        .output();
    let mut rows: Vec<String> = String::from_utf8(export.unwrap().stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    rows.sort();
    let file = std::fs::read_to_string(here.join("r/public/data.csv")).unwrap();
    let mut published: Vec<String> = file.lines().skip(1).map(str::to_owned).collect();
    published.sort();
    assert_eq!(rows, published);
    // analysts may read what is public, nobody what is private
    let may = |role: &str, table: &str| {
        let schema = table.split('.').next().unwrap();
        server.sql_in(
            "clinic",
            &format!(
                "SELECT has_schema_privilege('{role}', '{schema}', 'USAGE') \
                 AND has_table_privilege('{role}', '{table}', 'SELECT')"
            ),
        )
    };
    assert_eq!(may("analysts", "released.data"), "t");
    assert_eq!(may("others", "released.data"), "f");
    for role in ["analysts", "others", "reader"] {
        assert_eq!(may(role, "released_private.audit"), "f");
        assert_eq!(may(role, "released_private.mingle_release"), "f");
    }
    // an existing release is replaced only on request, and grants are set anew
    run(&server, here, &["publish", "k6.toml", "--out", PLACE])
        .exits(2)
        .says(&["--force"]);
    server.sql_in("clinic", "CREATE VIEW looks AS SELECT * FROM released.data; \
        GRANT ALL ON released_private.audit TO others; GRANT USAGE ON SCHEMA released_private TO PUBLIC; \
        GRANT SELECT (age) ON released.data TO others; \
        ALTER DEFAULT PRIVILEGES FOR ROLE writer GRANT SELECT ON TABLES TO others");
    run(
        &server,
        here,
        &["publish", "k6.toml", "--out", PLACE, "--force"],
    )
    .exits(0);
    assert_eq!(k_there(&server, here), 6);
    assert_eq!(may("others", "released_private.audit"), "f");
    let columns = "SELECT has_column_privilege('others', 'released.data', 'age', 'SELECT')";
    assert_eq!(server.sql_in("clinic", columns), "f");
    // who may read the public part alone verifies the outsider's promise
    server.sql_in("clinic", "GRANT analysts TO reader");
    run(&server, here, &["verify", "postgresql:clinic/released"]);
    // a row that was changed is found, and so is a table that nobody published
    server.sql_in(
        "clinic",
        "UPDATE released.data SET age = '1' WHERE ctid = (SELECT min(ctid) FROM released.data)",
    );
    run(&server, here, &["verify", PLACE])
        .exits(1)
        .says(&["MG0304"]);
    run(
        &server,
        here,
        &["publish", "k6.toml", "--out", PLACE, "--force"],
    )
    .exits(0);
    server.sql_in(
        "clinic",
        "DELETE FROM released.mingle_release WHERE file = 'manifest.json'",
    );
    assert_ne!(run(&server, here, &["verify", PLACE]).exit, Some(0));
}

#[test]
fn what_is_in_the_way_is_left_alone() {
    let Some(server) = Server::start("what is in the way") else {
        return;
    };
    let folder = first_release(&server);
    let here = folder.path();
    server.sql_in("clinic", "CREATE SCHEMA full_house; CREATE TABLE full_house.own (i integer); \
        ALTER SCHEMA full_house OWNER TO writer; CREATE SCHEMA full_house_private AUTHORIZATION writer");
    let into = "postgresql:target/full_house";
    let said = run(
        &server,
        here,
        &["publish", "k3.toml", "--out", into, "--force"],
    );
    said.exits(2).says(&["MG0247", "own"]);
    // no right to make schemas
    let said = run(
        &server,
        here,
        &["publish", "k3.toml", "--out", "postgresql:clinic/mine"],
    );
    said.exits(2).says(&["MG0244", "42501"]);
    run(&server, here, &["verify", "postgresql:target/none"])
        .exits(2)
        .says(&["MG0247"]);
    run(
        &server,
        here,
        &["publish", "k3.toml", "--out", "postgresql:target/a.b"],
    )
    .exits(2)
    .says(&["MG0246"]);
    // a view on other columns
    server.sql_in(
        "clinic",
        "CREATE VIEW looks AS SELECT age FROM released.data",
    );
    let other = policy(CLINIC, 3).replace(
        "role = \"quasi-identifier\"\n[columns.disease]",
        "role = \"drop\"\n[columns.disease]",
    );
    std::fs::write(here.join("other.toml"), other).unwrap();
    let args = ["publish", "other.toml", "--out", PLACE, "--force"];
    let said = run(&server, here, &args);
    if said.exit == Some(2) {
        assert_eq!(k_there(&server, here), 3);
    } else {
        panic!("{} {}", said.out, said.err);
    }
    // a role that is not there
    let text = policy(CLINIC, 3).replace("analysts", "nobody here");
    std::fs::write(here.join("role.toml"), text).unwrap();
    let said = run(
        &server,
        here,
        &["publish", "role.toml", "--out", PLACE, "--force"],
    );
    said.exits(2).says(&["MG0244"]);
    assert_eq!(k_there(&server, here), 3);
}

#[test]
fn readers_see_the_old_release_or_the_new_one() {
    let Some(server) = Server::start("readers see old or new") else {
        return;
    };
    let folder = first_release(&server);
    let here = folder.path();
    // a reader who began before reads the old one to the end
    let script = "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(DISTINCT age) FROM released.data; \
                  SELECT pg_sleep(4); SELECT count(DISTINCT age) FROM released.data; COMMIT;";
    let mut reader = server.psql("clinic");
    let reader = reader
        .arg("-f")
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut reader = reader.spawn().unwrap();
    std::io::Write::write_all(&mut reader.stdin.take().unwrap(), script.as_bytes()).unwrap();
    crate::reading::wait_for_sleep(&server);
    run(
        &server,
        here,
        &["publish", "k6.toml", "--out", PLACE, "--force"],
    )
    .exits(0);
    let seen = reader.wait_with_output().unwrap();
    let seen = String::from_utf8(seen.stdout).unwrap();
    let counts: Vec<&str> = seen.split_whitespace().collect();
    assert_eq!(counts.first(), counts.last(), "{seen}");
    assert_eq!(k_there(&server, here), 6);
}

#[test]
fn killed_while_writing_there_is_the_old_release_or_the_new_one() {
    let Some(server) = Server::start("killed while writing") else {
        return;
    };
    let folder = first_release(&server);
    let here = folder.path();
    // the client, held in the middle of its transaction by somebody's lock
    let mut holder = server.psql("clinic");
    let holder = holder.args([
        "-c",
        "BEGIN; LOCK TABLE released_private.audit; SELECT pg_sleep(5)",
    ]);
    let mut holder = holder.stdout(Stdio::null()).spawn().unwrap();
    crate::reading::wait_for_sleep(&server);
    let mut writer = replace(&server, here);
    let waits = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'writer' AND wait_event_type = 'Lock'";
    for _ in 0..100 {
        if server.sql(waits) != "0" {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    writer.kill().unwrap();
    writer.wait().unwrap();
    holder.wait().unwrap();
    assert_eq!(k_there(&server, here), 3);
    // the client and the server, at any moment
    let mut draw = Draw(7);
    let mut seen = Vec::new();
    for round in 0..8 {
        run(
            &server,
            here,
            &["publish", "k3.toml", "--out", PLACE, "--force"],
        )
        .exits(0);
        let mut writer = replace(&server, here);
        std::thread::sleep(Duration::from_millis(20 + draw.below(1500)));
        if round % 2 == 0 {
            _ = writer.kill();
        } else {
            server.kill();
            server.go_on();
        }
        writer.wait().unwrap();
        // a session whose client is gone is rolled back when the server notices
        std::thread::sleep(Duration::from_millis(200));
        seen.push(k_there(&server, here));
    }
    println!("after a kill the release has k = {seen:?}");
    assert!(seen.iter().all(|k| [3, 6].contains(k)), "{seen:?}");
    let left = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'writer'";
    assert_eq!(server.sql(left), "0");
}
