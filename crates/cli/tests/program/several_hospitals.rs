//! Five providers and a board, six processes, real TLS on the loopback: what they publish, with groups
//! and with noise, what they verify, and what happens when one of them is killed.

use crate::common::{Bench, Run};
use crate::partners::Running;
use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

const FIVE: [&str; 5] = ["north", "east", "south", "west", "harbour"];

/// Five folders with keys and an accepted invitation, and a board's.
struct Hospitals {
    bench: Bench,
    address: String,
}

impl Hospitals {
    /// The tables of `examples/several-hospitals`.
    fn example() -> Hospitals {
        let bench = Bench::new();
        let example =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/several-hospitals");
        for site in FIVE {
            for file in std::fs::read_dir(example.join(site)).unwrap() {
                let path = file.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                bench.write(&format!("{site}/{name}"), std::fs::read(&path).unwrap());
            }
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = port.local_addr().unwrap().to_string();
        for site in FIVE.into_iter().chain(["board"]) {
            bench.run(&["site", "init", site, "--name", site]).exits(0);
        }
        let hospitals = Hospitals { bench, address };
        hospitals.invite();
        hospitals
    }

    /// A new run, accepted by all.
    fn invite(&self) {
        let mut words = vec!["site".to_owned(), "invite".to_owned()];
        for site in FIVE {
            words.push(format!("{site}={site}/site.crt"));
        }
        words.extend(["--board".to_owned(), self.address.clone()]);
        words.extend([
            "--board-certificate".to_owned(),
            "board/site.crt".to_owned(),
        ]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let invitation = self.bench.run(&words).exits(0).out;
        for site in FIVE {
            let settings = format!("{site}/site.toml");
            let joined = self
                .bench
                .run(&["site", "join", &settings, invitation.trim()]);
            joined.exits(0).says(&["check words: "]);
        }
    }

    fn rewrite(&self, file: &str, from: &str, to: &str) {
        for site in FIVE {
            let name = format!("{site}/{file}");
            let text = self.bench.read(&name);
            assert!(text.contains(from), "{from} is not in {name}");
            self.bench.write(&name, text.replace(from, to));
        }
    }

    fn process(&self, words: &[&str]) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mingle"));
        command
            .current_dir(self.bench.path(""))
            .env("NO_COLOR", "1");
        command.args(words);
        Running::new(command)
    }

    fn board(&self) -> Running {
        let board = self.process(&["site", "board", "board", "--listen", &self.address]);
        assert!(board.wait_for("the board waits"));
        board
    }

    fn provider(&self, site: &str) -> Running {
        self.process(&["-v", "site", "run", &format!("{site}/site.toml")])
    }

    /// All five, to their ends.
    fn run(&self) -> Vec<Run> {
        let started: Vec<Running> = FIVE.iter().map(|site| self.provider(site)).collect();
        started.into_iter().map(Running::end).collect()
    }

    fn public(&self, site: &str) -> BTreeMap<String, Vec<u8>> {
        let folder = self.bench.path(&format!("{site}/release/public"));
        let mut found = BTreeMap::new();
        crate::common::collect(&folder, &folder, &mut found);
        found
    }

    /// All published, the same bytes.
    #[track_caller]
    fn assert_same(&self, file: &str) {
        let first = self.public("north");
        let has = |name: &str| first.contains_key(name);
        assert!(
            has(file) && has("signatures.json") && has("report.html"),
            "{:?}",
            first.keys()
        );
        for site in FIVE {
            assert!(self.public(site) == first, "{site} has another release");
        }
    }
}

#[test]
fn five_providers_and_a_board_publish_the_same_bytes() {
    let hospitals = Hospitals::example();
    let board = hospitals.board();
    for run in hospitals.run() {
        let said = [
            "publishes with 5 providers",
            "signed by all 5",
            "level bits",
        ];
        run.exits(0).says(&said).shows_no_cell();
    }
    hospitals.assert_same("qi.csv");
    let verified = hospitals.bench.run(&["verify", "east/release"]).exits(0);
    assert!(
        verified.out.starts_with("verdict: holds (m = 0)"),
        "{}",
        verified.out
    );
    let shown = hospitals.bench.run(&["show", "west/release"]).exits(0);
    assert!(shown.out.contains("harbour"), "{}", shown.out);
    // a signature that is not one is found
    let signatures = "south/release/public/signatures.json";
    let text = hospitals.bench.read(signatures);
    let key = text.split("\"signature\": \"").nth(1).unwrap()[..8].to_owned();
    hospitals
        .bench
        .write(signatures, text.replace(&key, "00000000"));
    hospitals.bench.run(&["verify", "south/release"]).exits(1);
    board.kill();
}

#[test]
fn a_provider_and_the_board_are_killed_and_started_again() {
    for moment in [
        "sent hello",
        "sent bag",
        "sent sums",
        "sent ready",
        "received ready",
    ] {
        let hospitals = Hospitals::example();
        let board = hospitals.board();
        let mut others: Vec<Running> = Vec::new();
        for site in &FIVE[1..] {
            others.push(hospitals.provider(site));
        }
        let doomed = hospitals.provider("north");
        let reached = doomed.wait_for(moment);
        doomed.kill();
        board.kill();
        assert!(reached, "{moment}");
        let board = hospitals.board();
        hospitals.provider("north").end().exits(0).shows_no_cell();
        for other in others {
            other.end().exits(0);
        }
        hospitals.assert_same("qi.csv");
        board.kill();
    }
}

const NOISE: &str = "[dp]\nrelease = \"marginals\"\nmarginals = [[\"age\"], [\"zip\", \"diagnosis\"]]\nepsilon = 2\ndelta = 1e-9\n\
                     ledger = \"patients.ledger\"\n[protocol]\nm = 2\n";

/// The policy of the example, with noise instead of groups.
fn with_noise(hospitals: &Hospitals) {
    for site in FIVE {
        let name = format!("{site}/policy.toml");
        let text = hospitals.bench.read(&name);
        let (columns, _) = text.split_once("[privacy]").unwrap();
        let zip = "hierarchy = \"zip.csv\"";
        assert!(columns.contains(zip));
        let columns = columns.replace(zip, "hierarchy = \"zip.csv\"\ndomain = { level = 1 }");
        let columns = columns.replace("width = 1 }", "width = 12 }");
        hospitals.bench.write(&name, format!("{columns}{NOISE}"));
        let ledger = format!("{site}/patients.ledger");
        let made = [
            "dp",
            "budget",
            &ledger,
            "--create",
            "--epsilon",
            "3",
            "--delta",
            "1e-8",
        ];
        hospitals.bench.run(&made).exits(0);
    }
}

#[test]
fn noise_is_paid_for_once_at_every_provider_whoever_is_killed() {
    for moment in ["sent hello", "sent sums", "sent ready"] {
        let hospitals = Hospitals::example();
        with_noise(&hospitals);
        let board = hospitals.board();
        let mut others: Vec<Running> = Vec::new();
        for site in &FIVE[1..] {
            others.push(hospitals.provider(site));
        }
        let doomed = hospitals.provider("north");
        let reached = doomed.wait_for(moment);
        doomed.kill();
        assert!(reached, "{moment}");
        let again = hospitals.provider("north").end().exits(0).shows_no_cell();
        again.says(&["holds against any 2 of the 5 providers", "signed by all 5"]);
        for other in others {
            other.end().exits(0).says(&["entry 1 of"]);
        }
        hospitals.assert_same("marginal_01.csv");
        for site in FIVE {
            let ledger = hospitals.bench.read(&format!("{site}/patients.ledger"));
            assert_eq!(ledger.lines().count(), 2, "{site}: one header, one entry");
            let verified = hospitals.bench.run(&["verify", &format!("{site}/release")]);
            let verified = verified.exits(0);
            assert!(
                verified.out.starts_with("verdict: holds"),
                "{}",
                verified.out
            );
            assert!(
                verified.out.contains("any 2 of the 5 providers"),
                "{}",
                verified.out
            );
        }
        board.kill();
    }
}

#[test]
fn a_ledger_that_does_not_pay_and_policies_that_differ_end_before_anything_is_spent() {
    let hospitals = Hospitals::example();
    with_noise(&hospitals);
    let south = hospitals.bench.read("south/policy.toml");
    hospitals
        .bench
        .write("south/policy.toml", south.replace("m = 2", "m = 1"));
    let board = hospitals.board();
    let ended = hospitals.run();
    for run in ended {
        run.exits(3).says(&["error[MG042"]).shows_no_cell();
    }
    for site in FIVE {
        let ledger = hospitals.bench.read(&format!("{site}/patients.ledger"));
        assert_eq!(ledger.lines().count(), 1, "{site} paid");
        assert!(!hospitals.bench.path(&format!("{site}/release")).exists());
    }
    hospitals.bench.write(
        "south/policy.toml",
        south.replace("epsilon = 2", "epsilon = 4"),
    );
    let alone = hospitals.provider("south").end();
    alone.exits(1).says(&["error["]);
    board.kill();
}

/// A table as some tool has anonymized it, and each provider's rows of it.
fn anonymized(hospitals: &Hospitals) -> String {
    let mut all = "age,zip,diagnosis\n".to_owned();
    for site in FIVE {
        let mut own = "age,zip,diagnosis\n".to_owned();
        for (at, line) in hospitals
            .bench
            .read(&format!("{site}/patients.csv"))
            .lines()
            .enumerate()
        {
            if at == 0 {
                continue;
            }
            let cells: Vec<&str> = line.split(',').collect();
            own += &format!("*,{}**,{}\n", &cells[1][..3], cells[2]);
        }
        all += own.split_once('\n').unwrap().1;
        hospitals.bench.write(&format!("{site}/own.csv"), own);
    }
    hospitals.bench.write("published.csv", &all);
    all
}

fn verify(hospitals: &Hospitals) -> Vec<Run> {
    let start = |site: &&str| {
        let (settings, own) = (format!("{site}/site.toml"), format!("{site}/own.csv"));
        let words = [
            "site",
            "verify",
            &settings,
            "--table",
            "published.csv",
            "--own",
            &own,
            "--json",
        ];
        hospitals.process(&words)
    };
    let started: Vec<Running> = FIVE.iter().map(start).collect();
    started.into_iter().map(Running::end).collect()
}

#[test]
fn a_table_that_exists_is_verified_without_showing_who_contributed_what() {
    let hospitals = Hospitals::example();
    let all = anonymized(&hospitals);
    let board = hospitals.board();
    let mut documents = Vec::new();
    for run in verify(&hospitals) {
        let run = run
            .exits(0)
            .says(&["proved, or not shown", "verdict"])
            .shows_no_cell();
        let document = run.json();
        assert_eq!(document["proved"], true);
        assert_eq!(document["signatures"].as_array().unwrap().len(), 5);
        documents.push(document);
    }
    assert!(documents.iter().all(|document| *document == documents[0]));
    for site in FIVE {
        let file = hospitals.bench.read(&format!("{site}/verification.json"));
        let file: serde_json::Value = serde_json::from_str(&file).unwrap();
        assert_eq!(file, documents[0]);
        std::fs::remove_file(hospitals.bench.path(&format!("{site}/verification.json"))).unwrap();
    }
    // a group that is one provider's alone is not shown
    let alone = all
        .lines()
        .skip(1)
        .take(1)
        .map(|line| line.replace('*', "#"));
    let alone: Vec<String> = alone.collect();
    let more = format!("{}\n", alone[0]).repeat(6);
    hospitals
        .bench
        .write("published.csv", format!("{all}{more}"));
    let own = hospitals.bench.read("north/own.csv");
    hospitals
        .bench
        .write("north/own.csv", format!("{own}{more}"));
    hospitals.invite();
    for run in verify(&hospitals) {
        let run = run.exits(4).says(&["not shown"]);
        assert_eq!(run.json()["proved"], false);
        assert_eq!(run.json()["k_not_shown"], 1);
    }
    for site in FIVE {
        std::fs::remove_file(hospitals.bench.path(&format!("{site}/verification.json"))).unwrap();
    }
    // somebody leaves a row out
    let own = hospitals.bench.read("east/own.csv");
    let fewer: Vec<&str> = own.lines().collect();
    hospitals
        .bench
        .write("east/own.csv", fewer[..fewer.len() - 1].join("\n"));
    hospitals.invite();
    let mut exits = Vec::new();
    for run in verify(&hospitals) {
        let run = run.shows_no_cell();
        exits.push(run.exit);
    }
    assert!(
        exits.contains(&Some(1)) && !exits.contains(&Some(0)),
        "{exits:?}"
    );
    assert!(!hospitals.bench.path("east/verification.json").exists());
    board.kill();
}

#[test]
fn another_board_and_another_key_are_refused() {
    let hospitals = Hospitals::example();
    hospitals
        .bench
        .run(&["site", "init", "other", "--name", "other"])
        .exits(0);
    let other = hospitals.process(&["site", "board", "other", "--listen", &hospitals.address]);
    assert!(other.wait_for("the board waits"));
    hospitals
        .provider("north")
        .end()
        .refuses(3, "MG0421", &["the board"]);
    other.kill();
    // a key that the invitation does not name
    for file in ["site.key", "site.crt"] {
        let bytes = std::fs::read(hospitals.bench.path(&format!("other/{file}"))).unwrap();
        std::fs::write(hospitals.bench.path(&format!("east/{file}")), bytes).unwrap();
    }
    hospitals
        .provider("east")
        .end()
        .refuses(2, "MG0571", &["does not name this site's key"]);
    // nobody is there
    hospitals.rewrite("site.toml", "deadline = 3600", "deadline = 1");
    hospitals
        .provider("south")
        .end()
        .refuses(3, "MG0420", &["was not reached"]);
}

#[test]
fn whoever_stops_ends_the_run_for_all_and_says_so_again() {
    let hospitals = Hospitals::example();
    let board = hospitals.board();
    let others: Vec<Running> = FIVE[1..]
        .iter()
        .map(|site| hospitals.provider(site))
        .collect();
    let north = hospitals.provider("north");
    assert!(north.wait_for("sent sums"));
    north.interrupt();
    north
        .end()
        .exits(130)
        .says(&["error[MG0602]", "a new invitation"]);
    for other in others {
        other
            .end()
            .refuses(3, "MG0426", &["provider north ended the run"]);
    }
    for site in ["north", "west"] {
        let again = hospitals.provider(site).end();
        again.refuses(3, "MG0575", &["has ended before", "a new invitation"]);
        assert!(!hospitals.bench.path(&format!("{site}/release")).exists());
    }
    hospitals.invite();
    for run in hospitals.run() {
        run.exits(0);
    }
    hospitals.assert_same("qi.csv");
    board.kill();
}
