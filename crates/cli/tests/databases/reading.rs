//! Tables of a database are read as their exports are.

use crate::server::Server;
use crate::{CLINIC, Draw, PEOPLE, files, policy, run};
use std::path::Path;

/// A column: its type in SQL, how it is exported, and a value as a constant.
struct ColumnKind {
    sql: &'static str,
    export: &'static str,
    value: fn(&mut Draw) -> String,
}

const KINDS: [ColumnKind; 12] = [
    ColumnKind {
        sql: "integer",
        export: "#",
        value: |draw| (draw.below(40) as i64 - 10).to_string(),
    },
    ColumnKind {
        sql: "numeric(38,10)",
        export: "#",
        value: |draw| {
            let digits = draw.below(5);
            format!(
                "12345678901234567890123456{digits}.000000000{}",
                draw.below(3)
            )
        },
    },
    ColumnKind {
        sql: "numeric",
        export: "#",
        value: |draw| ["1.0", "1.00", "2", "-0.50"][draw.below(4) as usize].to_owned(),
    },
    ColumnKind {
        sql: "double precision",
        export: "#",
        value: |draw| ["0.1", "2.5", "1e3", "-7"][draw.below(4) as usize].to_owned(),
    },
    ColumnKind {
        sql: "boolean",
        export: "#",
        value: |draw| (draw.below(2) == 0).to_string(),
    },
    ColumnKind {
        sql: "date",
        export: "#",
        value: |draw| {
            format!(
                "'20{:02}-0{}-1{}'",
                draw.below(20),
                1 + draw.below(9),
                draw.below(9)
            )
        },
    },
    ColumnKind {
        sql: "timestamp with time zone",
        export: "#",
        value: |draw| {
            format!(
                "'2020-01-0{} 10:00:00+0{}'",
                1 + draw.below(4),
                draw.below(3)
            )
        },
    },
    ColumnKind {
        sql: "text",
        export: "#",
        value: |draw| {
            const TEXTS: [&str; 8] = [
                "E'tab\\there'",
                "E'line\\nbreak'",
                "E'back\\\\slash'",
                "'a,b'",
                "'say \"hi\"'",
                "'ünï'",
                "'007'",
                "''",
            ];
            TEXTS[draw.below(8) as usize].to_owned()
        },
    },
    ColumnKind {
        sql: "char(5)",
        export: "#::text",
        value: |draw| ["'a'", "'b '", "'abcde'"][draw.below(3) as usize].to_owned(),
    },
    ColumnKind {
        sql: "uuid",
        export: "#",
        value: |draw| format!("'0000000{}-0000-0000-0000-000000000000'", draw.below(4)),
    },
    ColumnKind {
        sql: "mood",
        export: "#",
        value: |draw| ["'well'", "'Not well'"][draw.below(2) as usize].to_owned(),
    },
    ColumnKind {
        sql: "age_in_years",
        export: "#",
        value: |draw| draw.below(30).to_string(),
    },
];

const NAMES: [&str; 6] = ["age", "Zip Code", "say \"hi\"", "größe", "select", "a.b"];

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The sections of a policy for these columns. Cubes are counted by the server unless a column is
/// carried along.
fn columns(names: &[&str], draw: &mut Draw) -> String {
    let mut text = String::new();
    for (place, name) in names.iter().enumerate() {
        let role = match place {
            0 => "sensitive",
            1 if draw.below(3) == 0 => "insensitive",
            2 if draw.below(4) == 0 => "identifier",
            _ => "quasi-identifier",
        };
        text += &format!("[columns.{name:?}]\nrole = {role:?}\n");
    }
    text + "[privacy]\nk = 2\n"
}

#[test]
fn the_same_public_bytes_from_a_table_and_from_its_export() {
    let Some(server) = Server::start("the same public bytes") else {
        return;
    };
    let types = "CREATE TYPE mood AS ENUM ('well', 'Not well'); \
                 CREATE DOMAIN age_in_years AS integer CHECK (VALUE >= 0);";
    server.sql_in("clinic", types);
    let folder = tempfile::tempdir().unwrap();
    let mut published = 0;
    for case in 0..200u64 {
        let mut draw = Draw(case);
        let names = &NAMES[..3 + draw.below(4) as usize];
        let mut kinds = Vec::new();
        for _ in names {
            kinds.push(&KINDS[draw.below(KINDS.len() as u64) as usize]);
        }
        let mut declared = Vec::new();
        let mut exported = Vec::new();
        for (name, kind) in names.iter().zip(&kinds) {
            declared.push(format!("{} {}", quoted(name), kind.sql));
            let cell = kind.export.replace('#', &quoted(name));
            exported.push(format!("{cell} AS {}", quoted(name)));
        }
        let mut rows = Vec::new();
        for _ in 0..4 + draw.below(30) {
            let mut cells = Vec::new();
            for kind in &kinds {
                let is_null = draw.below(8) == 0;
                cells.push(if is_null {
                    "NULL".to_owned()
                } else {
                    (kind.value)(&mut draw)
                });
            }
            rows.push(format!("({})", cells.join(", ")));
        }
        let csv = folder.path().join(format!("t{case}.csv"));
        let script = format!(
            "CREATE TABLE \"T {case}\" ({});\nINSERT INTO \"T {case}\" VALUES {};\n\
             GRANT SELECT ON \"T {case}\" TO reader;\n\
             \\copy (SELECT {} FROM \"T {case}\") TO '{}' CSV HEADER\n",
            declared.join(", "),
            rows.join(", "),
            exported.join(", "),
            csv.display()
        );
        let sql = folder.path().join("t.sql");
        std::fs::write(&sql, script).unwrap();
        let made = server.psql("clinic").arg("-f").arg(&sql).output().unwrap();
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        let columns = columns(names, &mut draw);
        let write = |name: &str, data: &str| {
            let text = format!("[data]\n{data}\nperson = \"row\"\n{columns}");
            std::fs::write(folder.path().join(name), text).unwrap();
        };
        write(
            "file.toml",
            &format!("header = true\npath = \"t{case}.csv\""),
        );
        let service = ["clinic", "loopback"][draw.below(2) as usize];
        let source = format!("source = {{ kind = \"postgresql\", service = \"{service}\" }}");
        write("table.toml", &format!("{source}\ntable = '\"T {case}\"'"));
        let out = |name: &str| format!("{name}{case}");
        let file = run(
            &server,
            folder.path(),
            &["publish", "file.toml", "--out", &out("f")],
        );
        let table = run(
            &server,
            folder.path(),
            &["publish", "table.toml", "--out", &out("d")],
        );
        assert_eq!(
            file.exit, table.exit,
            "case {case}\n{}\n{}",
            file.err, table.err
        );
        if file.exit == Some(0) {
            let public = |name: &str| files(&folder.path().join(out(name)).join("public"));
            assert!(public("f") == public("d"), "case {case}");
            published += 1;
        }
    }
    println!("{published} of 200 tables were published");
    assert!(published > 120, "{published}");
}

/// The figures of a publication.
fn json(said: &crate::Said) -> serde_json::Value {
    serde_json::from_str(&said.out).unwrap()
}

#[test]
fn a_file_a_table_and_a_query_in_one_release() {
    let Some(server) = Server::start("a file, a table and a query") else {
        return;
    };
    server.sql_in("clinic", PEOPLE);
    server.sql_in("clinic", "CREATE TABLE hidden (i integer)");
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let export = here.join("people.csv");
    let copy = format!("\\copy people TO '{}' CSV HEADER", export.display());
    assert!(
        server
            .psql("clinic")
            .args(["-c", &copy])
            .status()
            .unwrap()
            .success()
    );
    let data = "source = { kind = \"postgresql\", service = \"clinic\" }\nproviders = [\n\
         { name = \"A\", path = \"people.csv\" },\n\
         { name = \"B\", table = \"people\" },\n\
         { name = \"C\", query = \"SELECT age, town AS place, disease FROM people WHERE age > 30 -- all\", columns = { place = \"town\" } },\n]";
    std::fs::write(here.join("p.toml"), policy(data, 3)).unwrap();
    let said = run(
        &server,
        here,
        &["publish", "p.toml", "--out", "r", "--json"],
    )
    .exits(0);
    assert!(json(&said)["rows"].as_u64().unwrap() > 120, "{}", said.out);
    run(&server, here, &["verify", "r"]).exits(0);
    let manifest = std::fs::read_to_string(here.join("r/private/manifest.json")).unwrap();
    assert!(manifest.contains("postgresql:clinic/people"));
    assert!(manifest.contains("postgresql:clinic (a query)"));
    // the same rows have the same digest, in any order and grouped by the server or not
    let digest = |manifest: &str| {
        let manifest: serde_json::Value = serde_json::from_str(manifest).unwrap();
        manifest["inputs"][1]["sha256"].as_str().unwrap().to_owned()
    };
    server.sql_in(
        "clinic",
        "CREATE TABLE other AS SELECT * FROM people ORDER BY disease, age; \
        DROP TABLE people; ALTER TABLE other RENAME TO people; GRANT SELECT ON people TO reader;",
    );
    run(&server, here, &["publish", "p.toml", "--out", "again"]).exits(0);
    let again = std::fs::read_to_string(here.join("again/private/manifest.json")).unwrap();
    assert_eq!(digest(&manifest), digest(&again));
    server.sql_in(
        "clinic",
        "UPDATE people SET age = 59 WHERE ctid = (SELECT min(ctid) FROM people)",
    );
    run(&server, here, &["publish", "p.toml", "--out", "changed"]).exits(0);
    let changed = std::fs::read_to_string(here.join("changed/private/manifest.json")).unwrap();
    assert_ne!(digest(&manifest), digest(&changed));
}

#[test]
fn several_reads_are_of_one_moment() {
    let Some(server) = Server::start("one snapshot") else {
        return;
    };
    server.sql_in("clinic", PEOPLE);
    server.sql_in(
        "clinic",
        "CREATE TABLE more AS SELECT * FROM people; GRANT SELECT ON more TO reader",
    );
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let data = "source = { kind = \"postgresql\", service = \"clinic\" }\nproviders = [\n\
         { name = \"A\", query = \"SELECT p.* FROM people p, (SELECT pg_sleep(3)) s\" },\n\
         { name = \"B\", table = \"more\" },\n]";
    std::fs::write(here.join("p.toml"), policy(data, 3)).unwrap();
    let running = server
        .command(here)
        .args(["publish", "p.toml", "--dry-run", "--json"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_sleep(&server);
    server.sql_in("clinic", "INSERT INTO more SELECT * FROM more");
    let said = crate::Said::of(&running.wait_with_output().unwrap()).exits(0);
    assert_eq!(json(&said)["rows"], 120);
    let said = run(&server, here, &["publish", "p.toml", "--dry-run", "--json"]).exits(0);
    assert_eq!(json(&said)["rows"], 180);
}

/// Until the program's query sleeps at the server.
pub fn wait_for_sleep(server: &Server) {
    let asleep = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    for _ in 0..200 {
        if server.sql(asleep) == "1" {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("nothing sleeps");
}

#[test]
fn every_door_takes_a_table() {
    let Some(server) = Server::start("every door") else {
        return;
    };
    server.sql_in("clinic", PEOPLE);
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let place = "postgresql:clinic/people";
    run(&server, here, &["init", place, "--out", "i.toml"]).exits(0);
    let proposed = std::fs::read_to_string(here.join("i.toml")).unwrap();
    assert!(proposed.contains("service = \"clinic\""), "{proposed}");
    run(&server, here, &["publish", "i.toml", "--dry-run"]);
    std::fs::write(here.join("p.toml"), policy(CLINIC, 3)).unwrap();
    run(&server, here, &["publish", "p.toml", "--out", "r"]).exits(0);
    run(&server, here, &["measure", "r", "--policy", "p.toml"]).exits(0);
    run(
        &server,
        here,
        &["attack", "minimality", "r", "--policy", "p.toml"],
    );
    load(&server, &here.join("r/public/data.csv"), "anonymized");
    let table = [
        "verify",
        "--table",
        "postgresql:clinic/anonymized",
        "--policy",
        "p.toml",
        "--json",
    ];
    let said = run(&server, here, &table).exits(0);
    assert_eq!(json(&said)["verdict"], "holds");
    let measured = [
        "measure",
        "--table",
        "postgresql:clinic/anonymized",
        "--policy",
        "p.toml",
    ];
    run(&server, here, &measured).exits(0);
    // the gate: a table that does not keep the promise
    let raw = ["verify", "--table", place, "--policy", "p.toml", "--json"];
    let said = run(&server, here, &raw).exits(1);
    assert_eq!(json(&said)["verdict"], "fails");
    server.sql_in(
        "clinic",
        "CREATE VIEW seen AS SELECT * FROM anonymized; GRANT SELECT ON seen TO reader",
    );
    let view = [
        "verify",
        "--table",
        "postgresql:clinic/seen",
        "--policy",
        "p.toml",
    ];
    run(&server, here, &view).exits(0);
    let insider = ["attack", "insider", "--table", place, "--policy", "p.toml"];
    run(&server, here, &insider).exits(1);
}

/// A CSV file as a table of texts.
fn load(server: &Server, file: &Path, table: &str) {
    let script = format!(
        "CREATE TABLE {table} (age text, town text, disease text); \
         GRANT SELECT ON {table} TO reader;"
    );
    server.sql_in("clinic", &script);
    let copy = format!("\\copy {table} FROM '{}' CSV HEADER", file.display());
    assert!(
        server
            .psql("clinic")
            .args(["-c", &copy])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn a_table_of_1600_columns() {
    let Some(server) = Server::start("1,600 columns") else {
        return;
    };
    let mut declared = String::from("CREATE TABLE wide (age integer, disease text");
    for column in 2..1600 {
        declared += &format!(", c{column} smallint DEFAULT {}", column % 7);
    }
    server.sql_in(
        "clinic",
        &format!(
            "{declared}); INSERT INTO wide SELECT i % 9, 'd' || i % 3 \
        FROM generate_series(1, 60) i; GRANT SELECT ON wide TO reader"
        ),
    );
    let folder = tempfile::tempdir().unwrap();
    let text = "[data]\nsource = { kind = \"postgresql\", service = \"clinic\" }\ntable = \"wide\"\n\
        undeclared = \"drop\"\n[columns.age]\nrole = \"quasi-identifier\"\n[columns.c1599]\n\
        role = \"quasi-identifier\"\n[columns.disease]\nrole = \"sensitive\"\n[privacy]\nk = 3\n";
    std::fs::write(folder.path().join("p.toml"), text).unwrap();
    run(&server, folder.path(), &["publish", "p.toml", "--out", "r"]).exits(0);
    run(
        &server,
        folder.path(),
        &["init", "postgresql:clinic/wide", "--out", "i.toml"],
    )
    .exits(0);
}
