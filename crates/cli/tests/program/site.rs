//! Two sites, two processes, real TLS on the loopback: what they publish, and what happens when
//! something goes wrong.

use crate::common::{Bench, CANARY};
use crate::partners::{Partners, SITES, Wire};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, SystemTime};

#[test]
fn both_sites_publish_the_same_bytes() {
    let partners = Partners::example();
    let [hospital, insurer] = partners.run(&["--json"]);
    let said = [
        "hospital publishes with the partner, as site 0",
        "leak level L2",
        "it reveals: both sites learn",
    ];
    let hospital = hospital
        .exits(0)
        .says(&said)
        .says(&["signed by both", "learnt: 38 people in common"]);
    let insurer = insurer.exits(0).says(&["calling the partner", "as site 1"]);
    let before =
        hospital.err.find("it reveals").unwrap() < hospital.err.find("sent hello").unwrap();
    assert!(
        before,
        "what is revealed is said before the first byte:\n{}",
        hospital.err
    );
    partners.assert_same();
    for run in [&hospital, &insurer] {
        let document = run.json();
        assert_eq!(document["schema"], "mingle.site/1");
        assert_eq!(
            (&document["rows"], &document["already_published"]),
            (&38.into(), &false.into())
        );
        assert_eq!(document["sites"], serde_json::json!(SITES));
    }
    for site in SITES {
        let release = format!("{site}/release");
        assert!(
            partners
                .bench
                .run(&["verify", &release])
                .exits(0)
                .out
                .starts_with("verdict: holds")
        );
        let names = std::fs::read_to_string(partners.release(site).join("public/qi.csv")).unwrap();
        assert!(!names.contains("Adler"), "an identifier came out");
        // no site knows whose rows are whose, so nobody can play insiders
        partners
            .bench
            .run(&["attack", "insider", &release])
            .exits(2)
            .says(&["error[MG0408]", "two sites made this release together"]);
    }
}

#[test]
fn a_published_release_stays_until_both_want_another() {
    let partners = Partners::example();
    partners
        .run(&[])
        .into_iter()
        .for_each(|run| drop(run.exits(0)));
    let first = std::fs::read(partners.release("hospital").join("public/manifest.json")).unwrap();
    for run in partners.run(&["--json"]) {
        assert_eq!(
            run.exits(0).says(&["published already"]).json()["already_published"],
            true
        );
    }
    // one alone cannot start anew
    let (hospital, insurer) = (
        partners.start("hospital", &["--force"]),
        partners.start("insurer", &[]),
    );
    hospital.end().refuses(3, "MG0429", &["published already"]);
    insurer
        .end()
        .exits(0)
        .says(&["warning[MG0429]", "published already"]);
    assert_eq!(
        std::fs::read(partners.release("hospital").join("public/manifest.json")).unwrap(),
        first
    );
    partners
        .run(&["--force"])
        .into_iter()
        .for_each(|run| drop(run.exits(0)));
    partners.assert_same();
    assert_ne!(
        std::fs::read(partners.release("hospital").join("public/manifest.json")).unwrap(),
        first
    );
}

#[test]
fn a_site_that_is_killed_and_started_again_publishes() {
    let moments = [
        "intersecting: ",
        "sent answers",
        "sent fragments",
        "sent ready",
        "received ready",
        "sent done",
    ];
    for (at, moment) in moments.into_iter().enumerate() {
        let partners = Partners::many(800, 1000, "merge", "L1");
        let victim = SITES[at % 2];
        let mut other = partners.start(SITES[(at + 1) % 2], &[]);
        let doomed = partners.start(victim, &[]);
        assert!(doomed.wait_for(moment), "{moment}");
        doomed.kill();
        if at < 3 {
            assert!(
                !partners.release(victim).exists(),
                "{moment}: the site was too fast"
            );
        }
        std::thread::sleep(Duration::from_millis(200));
        if other.is_over() {
            // the victim's last word was out before it was killed
            assert!(at >= 4, "{moment}: the other site did not wait");
        } else {
            partners
                .start(victim, &[])
                .end()
                .exits(0)
                .says(&["connected to"])
                .shows_no_cell();
        }
        other.end().exits(0);
        partners.assert_same();
    }
}

#[test]
fn a_site_whose_partner_s_last_word_was_lost_is_in_doubt_until_they_meet_again() {
    let partners = Partners::example();
    let wire = Wire::to(&partners.address, Duration::from_millis(100));
    let hospital = partners.start("hospital", &[]);
    assert!(hospital.wait_for("waiting for"));
    partners.replace("insurer/site.toml", &partners.address, &wire.address);
    let insurer = partners.start("insurer", &[]);
    assert!(insurer.wait_for("received fragments"));
    wire.hold();
    assert!(insurer.wait_for("sent ready") && hospital.wait_for("sent done"));
    insurer.interrupt();
    insurer
        .end()
        .refuses(3, "MG0427", &["in doubt", "run the same command again"]);
    assert!(!partners.release("insurer").exists());
    hospital.interrupt();
    hospital
        .end()
        .exits(0)
        .says(&["the partner may not know yet"]);
    assert!(partners.release("hospital").exists());
    // doubt is not thrown away, by nobody
    partners.replace("insurer/site.toml", &wire.address, &partners.address);
    let hospital = partners.start("hospital", &[]);
    partners
        .start("insurer", &["--force"])
        .end()
        .exits(0)
        .says(&["signed by both"]);
    hospital.end().exits(0).says(&["published already"]);
    partners.assert_same();
}

#[test]
fn a_broken_connection_is_made_again_and_the_work_goes_on() {
    let moments = [
        ("received points", 2500),
        ("received answers", 500),
        ("received checkpoint", 500),
        ("sent fragments", 500),
    ];
    for (moment, people) in moments {
        let partners = Partners::many(people * 4 / 5, people, "merge", "L1");
        let wire = Wire::to(&partners.address, Duration::from_millis(20));
        let hospital = partners.start("hospital", &[]);
        assert!(hospital.wait_for("waiting for"));
        partners.replace("insurer/site.toml", &partners.address, &wire.address);
        let insurer = partners.start("insurer", &[]);
        assert!(insurer.wait_for(moment));
        wire.cut();
        for run in [insurer.end(), hospital.end()] {
            let run = run.exits(0).says(&["connection lost"]);
            assert_eq!(
                run.err.matches("sent points, ").count(),
                1,
                "{moment}: it began anew\n{}",
                run.err
            );
        }
        partners.assert_same();
    }
}

#[test]
fn strangers_do_not_disturb() {
    let partners = Partners::example();
    let hospital = partners.start("hospital", &[]);
    assert!(hospital.wait_for("waiting for"));
    let silent = TcpStream::connect(&partners.address).unwrap();
    let mut garbage = TcpStream::connect(&partners.address).unwrap();
    garbage
        .write_all(b"GET / HTTP/1.1\r\nHost: hospital\r\n\r\n")
        .unwrap();
    let _ = garbage.read_to_end(&mut Vec::new());
    assert!(hospital.wait_for("does not speak this protocol"));
    partners.start("insurer", &[]).end().exits(0);
    hospital.end().exits(0).says(&["turned away 127.0.0.1:"]);
    partners.assert_same();
    drop(silent);
}

#[test]
fn different_wishes_end_before_any_data() {
    for (from, to, parts) in [
        (
            "k = 3",
            "k = 4",
            ["what is promised", "k-anonymity 3", "k-anonymity 4"],
        ),
        (
            "max = 0.6",
            "max = 0.5",
            ["what is promised", "t-closeness 3/5", "t-closeness 1/2"],
        ),
        (
            "padded_size = 64",
            "padded_size = 65",
            ["padded_size", "64", "65"],
        ),
        (
            "synchronizer = \"repair\"",
            "synchronizer = \"merge\"",
            ["synchronizer", "repair", "merge"],
        ),
    ] {
        let partners = Partners::example();
        partners.replace("insurer/policy.toml", from, to);
        let [hospital, insurer] = partners.run(&[]);
        // who notices first tells the other, who may have noticed too
        let named = [&hospital, &insurer]
            .into_iter()
            .any(|run| parts.iter().all(|part| run.err.contains(part)));
        assert!(named, "{from}:\n{}\n{}", hospital.err, insurer.err);
        for run in [hospital, insurer] {
            let run = run.refuses(3, "MG0423", &[]);
            assert!(!run.err.contains("sent points"), "{}", run.err);
        }
        partners.assert_nothing();
    }
}

#[test]
fn both_cannot_have_the_same_seat_or_column() {
    let partners = Partners::example();
    partners.replace("insurer/site.toml", "seat = 1", "seat = 0");
    partners
        .run(&[])
        .into_iter()
        .for_each(|run| drop(run.refuses(3, "MG0423", &[])));
    partners.assert_nothing();
    let partners = Partners::example();
    partners.replace("insurer/policy.toml", "[columns.job]", "[columns.zip]");
    partners.replace("insurer/members.csv", "name,age,job", "name,age,zip");
    partners
        .run(&[])
        .into_iter()
        .for_each(|run| drop(run.refuses(3, "MG0423", &[])));
    partners.assert_nothing();
}

#[test]
fn only_the_pinned_certificate_is_spoken_to() {
    let stranger = format!("sha256:{}", "ab".repeat(32));
    // the caller has pinned another
    let partners = Partners::example();
    partners.write_settings("insurer", 1, "connect", &stranger, 60);
    partners.write_settings("hospital", 0, "listen", &partners.fingerprint("insurer"), 2);
    let hospital = partners.start("hospital", &[]);
    partners.start("insurer", &[]).end().refuses(
        3,
        "MG0421",
        &["the certificate is not the pinned one"],
    );
    hospital
        .end()
        .refuses(3, "MG0420", &["was not reached", "turned away"]);
    partners.assert_nothing();
    // the one who is called has
    let partners = Partners::example();
    partners.write_settings("hospital", 0, "listen", &stranger, 2);
    let hospital = partners.start("hospital", &[]);
    partners
        .start("insurer", &[])
        .end()
        .refuses(3, "MG0422", &["refused this site's certificate"]);
    hospital
        .end()
        .refuses(3, "MG0420", &["turned away"])
        .says(&["the certificate is not the pinned one"]);
    partners.assert_nothing();
}

#[test]
fn keys_and_certificates_must_be_usable() {
    let partners = Partners::example();
    let [key, certificate] =
        ["hospital/site.key", "hospital/site.crt"].map(|file| partners.bench.path(file));
    let run = || partners.start("hospital", &[]).end();
    let mode = |mode| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&key, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(0o640);
    run().refuses(2, "MG0431", &["site.key may be read by others"]);
    mode(0o600);
    partners
        .bench
        .write("hospital/site.crt", partners.bench.read("insurer/site.crt"));
    run().refuses(2, "MG0431", &["is not the certificate of the key"]);
    partners.bench.write("hospital/site.crt", CANARY);
    run().refuses(2, "MG0431", &["holds no Ed25519 certificate"]);
    partners.bench.write("hospital/site.key", CANARY);
    run().refuses(2, "MG0431", &["holds no Ed25519 key"]);
    for file in [&key, &certificate] {
        std::fs::remove_file(file).unwrap();
    }
    run().refuses(2, "MG0431", &["site.key"]);
    let (day, long_ago) = (
        Duration::from_secs(24 * 3600),
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000),
    );
    mingle_site::Identity::create("hospital", long_ago, day, &key, &certificate).unwrap();
    run().refuses(2, "MG0431", &["this site's certificate has expired"]);
    partners.assert_nothing();
}

#[test]
fn a_partner_that_never_comes_is_not_waited_for_forever() {
    let partners = Partners::example();
    for (site, seat, way) in [("hospital", 0, "listen"), ("insurer", 1, "connect")] {
        partners.write_settings(site, seat, way, &format!("sha256:{}", "ab".repeat(32)), 1);
        partners.start(site, &[]).end().refuses(
            3,
            "MG0420",
            &["was not reached before the deadline"],
        );
    }
    partners.assert_nothing();
}

#[test]
fn a_release_that_cannot_be_stored_is_published_nowhere() {
    let partners = Partners::example();
    std::fs::create_dir(partners.bench.path("shelf")).unwrap();
    let hospital = partners.start("hospital", &["--out", "shelf/release"]);
    assert!(hospital.wait_for("waiting for"));
    // the shelf breaks before anything is put on it
    std::fs::remove_dir_all(partners.bench.path("shelf")).unwrap();
    partners
        .start("insurer", &[])
        .end()
        .refuses(3, "MG0426", &["storage"]);
    hospital
        .end()
        .refuses(3, "MG0430", &["could not be stored", "shelf"]);
    partners.assert_nothing();
    assert!(!partners.bench.path("shelf").exists());
}

#[test]
fn too_few_people_in_common_is_a_finding() {
    let partners = Partners::example();
    for site in SITES {
        partners.replace(&format!("{site}/policy.toml"), "k = 3", "k = 39");
    }
    partners.run(&[]).into_iter().for_each(|run| {
        drop(run.refuses(1, "MG0301", &["38 people in common, fewer than the 39"]))
    });
    partners.assert_nothing();
}

#[test]
fn ctrl_c_tells_the_partner() {
    let partners = Partners::many(4000, 6000, "merge", "L1");
    let (hospital, insurer) = (
        partners.start("hospital", &[]),
        partners.start("insurer", &[]),
    );
    assert!(hospital.wait_for("intersecting: "));
    hospital.interrupt();
    hospital
        .end()
        .refuses(130, "MG0602", &["nothing was written"]);
    insurer.end().refuses(3, "MG0426", &["stopped"]);
    partners.assert_nothing();
}

#[test]
fn a_second_run_on_the_same_folder_is_refused() {
    let partners = Partners::example();
    let hospital = partners.start("hospital", &[]);
    assert!(hospital.wait_for("waiting for"));
    partners
        .start("hospital", &[])
        .end()
        .refuses(2, "MG0433", &["release right now"]);
    partners.start("insurer", &[]).end().exits(0);
    hospital.end().exits(0);
}

#[test]
fn what_is_in_the_way_is_found_first() {
    let partners = Partners::example();
    partners.bench.write("hospital/release/thesis.tex", "");
    partners
        .start("hospital", &[])
        .end()
        .refuses(2, "MG0401", &["release exists"]);
    partners
        .start("hospital", &["--force"])
        .end()
        .refuses(2, "MG0404", &["is not a release"]);
    partners
        .start("hospital", &["--out", "no/such/place"])
        .end()
        .refuses(2, "MG0402", &["does not exist"]);
    partners
        .bench
        .write("hospital/.other.mingle-journal.json", "{}");
    partners
        .start("hospital", &["--out", "hospital/other"])
        .end()
        .refuses(2, "MG0434", &["damaged"]);
}

#[test]
fn a_site_s_own_table_and_policy_are_checked_first() {
    let cases: [(&str, &str, &str, &str, &[&str]); 12] = [
        (
            "patients.csv",
            "Olga Koch",
            "",
            "MG0213",
            &["row 1: the identifier is missing"],
        ),
        (
            "patients.csv",
            "Olga Koch",
            " fINN  BRANDT ",
            "MG0213",
            &["rows 1 and 2 have the same identifier"],
        ),
        (
            "policy.toml",
            "padded_size = 64",
            "padded_size = 42",
            "MG0118",
            &["43 rows", "padded_size = 42"],
        ),
        (
            "policy.toml",
            "padded_size = 64",
            "",
            "MG0104",
            &["`protocol.padded_size` is missing"],
        ),
        (
            "policy.toml",
            "synchronizer = \"repair\"",
            "",
            "MG0104",
            &["`protocol.synchronizer` is missing"],
        ),
        (
            "policy.toml",
            "\"repair\"",
            "\"repare\"",
            "MG0106",
            &["did you mean \"repair\"?"],
        ),
        (
            "policy.toml",
            "\"L2\"",
            "\"L1\"",
            "MG0119",
            &["repair reveals L2", "dpp2ga, identity, fork, merge"],
        ),
        (
            "policy.toml",
            "\"repair\"",
            "\"dpp2ga\"",
            "MG0109",
            &["dpp2ga keeps k-anonymity only"],
        ),
        (
            "policy.toml",
            "role = \"sensitive\"",
            "role = \"insensitive\"",
            "MG0109",
            &["insensitive"],
        ),
        (
            "policy.toml",
            "role = \"sensitive\"",
            "role = \"identifier\"",
            "MG0109",
            &["2 columns have the role identifier"],
        ),
        (
            "policy.toml",
            "k = 3",
            "k = 3\nm = 1",
            "MG0109",
            &["m is more than 0"],
        ),
        ("policy.toml", "k = 3\n", "", "MG0109", &["names no k"]),
    ];
    let partners = Partners::example();
    for (file, from, to, code, parts) in cases {
        let file = format!("hospital/{file}");
        let sound = partners.bench.read(&file);
        partners.replace(&file, from, to);
        let run = partners
            .start("hospital", &[])
            .end()
            .refuses(2, code, parts);
        assert!(
            !run.err.to_lowercase().contains("brandt"),
            "a cell came out:\n{}",
            run.err
        );
        assert!(!run.err.contains("waiting for"), "{}", run.err);
        partners.bench.write(&file, sound);
    }
    let policy = partners.bench.read("hospital/policy.toml");
    partners.bench.write(
        "hospital/policy.toml",
        policy.split("[protocol]").next().unwrap(),
    );
    partners
        .start("hospital", &[])
        .end()
        .refuses(2, "MG0104", &["there is no [protocol] section"]);
    partners.write_settings("hospital", 0, "listen", "", 60);
    partners
        .start("hospital", &[])
        .end()
        .refuses(2, "MG0432", &["not pinned yet"]);
    partners.assert_nothing();
}

#[test]
fn init_and_trust() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    let init = bench
        .run(&["site", "init", "a", "--name", "Klinik \"Süd\""])
        .exits(0);
    init.says(&["over the telephone", "mingle site trust a/site.toml"]);
    let own = bench
        .run(&["site", "fingerprint", "a/site.toml"])
        .exits(0)
        .out;
    assert!(
        own.starts_with("sha256:") && own.trim().len() == 71,
        "{own}"
    );
    for file in ["site.key", "site.crt", "site.toml"] {
        let mode = bench
            .path(&format!("a/{file}"))
            .metadata()
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
    let before = bench.contents();
    bench
        .run(&["site", "init", "a", "--name", "other"])
        .refuses(2, "MG0401", &["a/site.key exists"]);
    bench
        .run(&["site", "init", "b", "--name", " "])
        .refuses(2, "MG0601", &["1 to 100 characters"]);
    bench
        .run(&["site", "init", "b/c", "--name", "x"])
        .refuses(2, "MG0402", &["b/c"]);
    bench
        .run(&["site", "trust", "a/site.toml", own.trim()])
        .refuses(2, "MG0432", &["this site's own"]);
    bench
        .run(&["site", "trust", "a/site.toml", "sha256:12"])
        .refuses(2, "MG0432", &["64 hexadecimal digits"]);
    bench
        .run(&["site", "trust", "no.toml", "sha256:12"])
        .refuses(2, "MG0101", &["no.toml"]);
    bench
        .run(&[
            "site",
            "trust",
            "a/site.toml",
            "--certificate",
            "a/site.key",
        ])
        .refuses(2, "MG0431", &["holds no"]);
    assert_eq!(bench.contents(), before);
    bench
        .run(&["site", "init", "b", "--name", "b", "--days", "30"])
        .exits(0)
        .says(&["30 days"]);
    bench
        .run(&[
            "site",
            "trust",
            "a/site.toml",
            "--certificate",
            "b/site.crt",
        ])
        .exits(0)
        .says(&["by telephone"]);
    let pinned = bench
        .run(&["site", "fingerprint", "b/site.toml"])
        .exits(0)
        .out;
    let settings = bench.read("a/site.toml");
    assert!(
        settings.contains(pinned.trim()) && settings.contains("# keep it to yourself"),
        "{settings}"
    );
    assert!(
        settings.contains("Klinik \\\"Süd\\\"") || settings.contains("'Klinik \"Süd\"'"),
        "{settings}"
    );
}

#[test]
fn the_demonstration_shows_the_paper_s_groups() {
    let bench = Bench::new();
    let all = bench.run(&["site", "demo"]).exits(0).out;
    assert!(all.lines().all(|line| line.chars().count() <= 80), "{all}");
    let parts: Vec<&str> = all.split("\n== ").collect();
    for (at, name, rounds, groups, row) in [
        (1, "dpp2ga", 2, 3, "123**  [40-59]\n"),
        (2, "identity", 3, 1, "    *    *\n"),
        (3, "fork", 3, 2, "1234*  [20-29]\n"),
        (4, "merge", 1, 2, "    *      [40-59]\n"),
        (5, "repair", 1, 3, "1236*  [40-59]\n"),
    ] {
        let part = parts[at];
        assert!(part.starts_with(name) && part.contains(row), "{part}");
        assert!(
            part.contains(&format!("rounds: {rounds}; groups: {groups}")),
            "{part}"
        );
    }
    let one = bench
        .run(&["site", "demo", "--synchronizer", "merge"])
        .exits(0)
        .out;
    assert_eq!(one.matches("\n== ").count(), 1);
    bench
        .run(&["site", "demo", "--synchronizer", "best"])
        .exits(2);
}

#[test]
fn publish_ignores_the_section_and_says_so() {
    let partners = Partners::example();
    let run = partners
        .bench
        .run(&["publish", "hospital/policy.toml", "--out", "alone"]);
    run.exits(0).says(&["warning[MG0511]", "mingle site run"]);
}
