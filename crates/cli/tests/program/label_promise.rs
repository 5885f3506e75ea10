//! What labels, files and values of others may do to a release: public labels, whoever is left out, names,
//! order, spelling, and inputs that are no tables.

use crate::common::Bench;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::BTreeMap;
use std::io::Write;

const POLICY: &str = "
[data]
path = \"t.csv\"
provider_column = \"site\"
[columns.age]
role = \"quasi-identifier\"
grid = 5
[columns.job]
role = \"quasi-identifier\"
[columns.ill]
role = \"sensitive\"
[privacy]
m = 1
k = 3
";

/// Numbers that look random and are the same on every machine.
struct Draws(u64);

impl Draws {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % most
    }
}

const ILLNESSES: [&str; 6] = ["flu", "cold", "asthma", "gout", "ulcer", "angina"];

/// Age, job, illness and site of so many people.
fn people(rows: usize, seed: u64) -> Vec<[String; 4]> {
    let mut draws = Draws(seed);
    let mut people = Vec::new();
    for _ in 0..rows {
        let age = 20 + draws.below(50);
        let job = ["cook", "clerk", "judge"][draws.below(3) as usize];
        let ill = ILLNESSES[draws.below(6) as usize];
        let site = ["P1", "P2", "P3", "P4"][draws.below(4) as usize];
        people.push([age.to_string(), job.into(), ill.into(), site.into()]);
    }
    people
}

fn table(people: &[[String; 4]]) -> String {
    let mut text = "age,job,ill,site\n".to_owned();
    for row in people {
        text += &row.join(",");
        text.push('\n');
    }
    text
}

#[test]
fn public_labels_are_published_verified_and_tell_nothing() {
    let bench = Bench::with(&[("p.toml", POLICY), ("t.csv", &table(&people(400, 1)))]);
    let public = ["--set", "method.labels=public"];
    bench
        .run(&[&["publish", "p.toml", "--out", "public"], &public[..]].concat())
        .exits(0);
    bench.run(&["publish", "p.toml", "--out", "tight"]).exits(0);
    let told = |release: &str| {
        let run = bench.run(&["attack", "insider", release, "--policy", "p.toml", "--json"]);
        let told = run.exits(0).json()["label_ends"]["told"].clone();
        let figure = |name: &str| told[name].as_u64().unwrap();
        assert!(figure("groups_of_several") > 10, "{told}");
        (figure("groups"), figure("elements"), figure("ends"))
    };
    assert_eq!(told("public"), (0, 0, 0));
    let (groups, elements, ends) = told("tight");
    assert!(groups > 0 && elements + ends >= groups);

    bench.run(&["verify", "public"]).exits(0);
    let data = bench.read("public/public/data.csv");
    for line in data.lines().skip(1) {
        let label = line.split(',').next().unwrap();
        let ends = label
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'));
        let (low, high) = ends.and_then(|ends| ends.split_once('-')).expect(label);
        let (low, high): (u64, u64) = (low.parse().unwrap(), high.parse().unwrap());
        assert!(low % 5 == 0 && high % 5 == 4, "{label}");
        assert!(!line.contains('{'), "{line}");
    }
    // who hands out only `public/` can be checked as well
    let manifest = bench.read("tight/public/manifest.json");
    let changed = manifest.replace("\"method\": {", "\"method\": { \"labels\": \"public\",");
    if changed != manifest {
        bench.write("tight/public/manifest.json", changed);
        let run = bench.run(&["verify", "tight/public"]);
        assert_ne!(run.exit, Some(0), "{}", run.out);
    }
}

#[test]
fn public_labels_need_a_vocabulary() {
    let policy = POLICY.replace("grid = 5\n", "");
    let bench = Bench::with(&[("p.toml", &policy), ("t.csv", &table(&people(60, 2)))]);
    let args = [
        "publish",
        "p.toml",
        "--out",
        "r",
        "--set",
        "method.labels=public",
    ];
    bench.run(&args).refuses(2, "MG0104", &["age", "grid"]);
    for (set, said) in [
        ("columns.age.grid=0", "above 0"),
        ("columns.age.grid=week", "month"),
        ("columns.job.kind=category", "grid"),
    ] {
        let bench = Bench::with(&[("p.toml", POLICY), ("t.csv", &table(&people(60, 2)))]);
        let mut args = vec!["publish", "p.toml", "--out", "r", "--set", set];
        if set.starts_with("columns.job") {
            args.extend(["--set", "columns.job.grid=5"]);
        }
        let run = bench.run(&args).exits(2);
        assert!(run.err.contains(said), "{}", run.err);
    }
}

/// One income of 98,765,432 among 400 used to turn all labels into `[0-4999999]`.
#[test]
fn an_extreme_value_shows_in_nobody_elses_label() {
    let policy = POLICY.replace("grid = 5\n", "");
    let mut rows = people(400, 3);
    for (place, row) in rows.iter_mut().enumerate() {
        row[0] = (10_000 + 211 * place).to_string();
    }
    rows[17][0] = "98765432".to_owned();
    let bench = Bench::with(&[("p.toml", &policy), ("t.csv", &table(&rows))]);
    for suppressed in ["0", "0.01"] {
        let set = format!("method.max_suppressed={suppressed}");
        let args = ["publish", "p.toml", "--out", "r", "--force", "--set", &set];
        bench.run(&args).exits(0);
        let data = bench.read("r/public/data.csv");
        let (mut narrow, mut rows) = (0, 0);
        for line in data.lines().skip(1) {
            let label = line.split(',').next().unwrap().trim_matches(['[', ']']);
            let (low, high) = label.split_once('-').unwrap_or((label, label));
            let width = high.parse::<u64>().unwrap() - low.parse::<u64>().unwrap();
            narrow += u64::from(width < 100_000);
            rows += 1;
        }
        assert!(
            narrow * 10 > rows * 9,
            "{narrow} of {rows} with max_suppressed = {suppressed}"
        );
    }
}

#[test]
fn order_names_and_what_rows_carry_along_change_nothing() {
    let policy = "
[data]
path = \"t.csv\"
provider_column = \"site\"
[columns.age]
role = \"quasi-identifier\"
[columns.job]
role = \"quasi-identifier\"
[columns.ill]
role = \"sensitive\"
[columns.note]
role = \"insensitive\"
[privacy]
m = 1
k = 2
max_frequency = 0.7
";
    let mut draws = Draws(5);
    let mut compared = 0;
    for seed in 0..12 {
        // few ages, so that many rows agree
        let mut rows = people(60, 100 + seed);
        for row in &mut rows {
            row[0] = (20 + row[0].parse::<u64>().unwrap() % 5).to_string();
        }
        let bench = Bench::with(&[("p.toml", policy)]);
        let published = |rows: &[[String; 4]], notes: &[u64]| {
            let mut text = "age,job,ill,site,note\n".to_owned();
            for (row, note) in rows.iter().zip(notes) {
                text += &format!("{},n{note}\n", row.join(","));
            }
            bench.write("t.csv", text);
            let run = bench.run(&["publish", "p.toml", "--out", "r", "--force"]);
            (run.exit == Some(0)).then(|| bench.read("r/public/data.csv"))
        };
        let notes: Vec<u64> = rows.iter().map(|_| draws.below(3)).collect();
        let Some(first) = published(&rows, &notes) else {
            continue;
        };
        let mut order: Vec<usize> = (0..rows.len()).collect();
        for place in (1..order.len()).rev() {
            order.swap(place, draws.below(place as u64 + 1) as usize);
        }
        let shuffled: Vec<_> = order.iter().map(|&place| rows[place].clone()).collect();
        let their_notes: Vec<u64> = order.iter().map(|&place| notes[place]).collect();
        assert_eq!(
            Some(&first),
            published(&shuffled, &their_notes).as_ref(),
            "order, {seed}"
        );
        let mut renamed = rows.clone();
        for row in &mut renamed {
            row[3] = match row[3].as_str() {
                "P1" => "Z".to_owned(),
                "P3" => "A".to_owned(),
                other => format!("M{other}"),
            };
        }
        assert_eq!(
            Some(&first),
            published(&renamed, &notes).as_ref(),
            "names, {seed}"
        );
        let other_notes: Vec<u64> = rows.iter().map(|_| draws.below(3)).collect();
        let without_notes = |text: &str| {
            let mut lines = BTreeMap::new();
            for line in text.lines() {
                let (rest, _) = line.rsplit_once(',').unwrap();
                *lines.entry(rest.to_owned()).or_insert(0) += 1;
            }
            lines
        };
        let other = published(&rows, &other_notes).unwrap();
        assert_eq!(
            without_notes(&first),
            without_notes(&other),
            "notes, {seed}"
        );
        compared += 1;
    }
    assert!(compared > 6, "{compared} releases");
}

#[test]
fn spellings_of_one_disease_are_one_value() {
    let policy = POLICY
        .replace("k = 3", "k = 3\nl = { distinct = 2 }")
        .replace("m = 1", "m = 0");
    let spelled = |spellings: &[&str]| {
        let mut text = "age,job,ill,site\n".to_owned();
        for place in 0..12 {
            text += &format!(
                "30,cook,{},P{}\n",
                spellings[place % spellings.len()],
                place % 2
            );
        }
        Bench::with(&[("p.toml", &policy), ("t.csv", &text)])
    };
    let publish = ["publish", "p.toml", "--out", "r"];
    let hidden = spelled(&["HIV", "HIV ", "H\u{200b}IV", "\u{a0}HIV"]);
    hidden.run(&publish).exits(1);
    let exact = ["--set", "columns.ill.spelling=exact"];
    hidden.run(&[&publish[..], &exact].concat()).exits(0);
    let cased = spelled(&["HIV", "hiv"]);
    cased
        .run(&publish)
        .exits(0)
        .says(&["warning[MG0524]", "\"ill\"", "1 of 2"]);
    let folded = ["--force", "--set", "columns.ill.spelling=folded"];
    cased.run(&[&publish[..], &folded].concat()).exits(1);
    let cyrillic = spelled(&["HIV", "НIV"]);
    cyrillic.run(&publish).exits(0).says(&["warning[MG0524]"]);
    spelled(&["HIV", "flu"]).run(&publish).exits(0);
}

#[test]
fn packed_tables_and_rows_are_bounded() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(b"age,job,ill,site\n").unwrap();
    for _ in 0..2_000 {
        packed
            .write_all(&b"30,cook,flu,P1\n31,cook,gout,P2\n".repeat(100))
            .unwrap();
    }
    let bench = Bench::with(&[("p.toml", POLICY)]);
    bench.write("t.csv.gz", packed.finish().unwrap());
    let publish = [
        "publish",
        "p.toml",
        "--out",
        "r",
        "--set",
        "data.path=t.csv.gz",
    ];
    for (limits, said) in [
        (
            "data.limits={ unpacked_bytes = 1000000 }",
            "more than 1000000 bytes when unpacked",
        ),
        ("data.limits={ rows = 1000 }", "1000"),
        (
            "data.limits={ memory_bytes = 100000 }",
            "takes more than 100000 bytes",
        ),
    ] {
        let run = bench.run(&[&publish[..], &["--set", limits]].concat());
        run.refuses(4, "MG0290", &[said]);
    }
    bench.run(&publish).exits(0);
}

#[test]
#[cfg(unix)]
fn a_policy_is_a_regular_file() {
    let bench = Bench::new();
    let made = std::process::Command::new("mkfifo")
        .arg(bench.path("pipe"))
        .status();
    for path in ["/dev/zero", "pipe"] {
        if path == "pipe" && !made.as_ref().is_ok_and(|status| status.success()) {
            continue;
        }
        let run = bench.run(&["publish", path, "--out", "r"]).exits(2);
        assert!(run.err.contains("not a regular file"), "{}", run.err);
    }
}

#[test]
#[cfg(unix)]
fn a_link_in_a_release_is_a_finding() {
    let bench = Bench::with(&[("p.toml", POLICY), ("t.csv", &table(&people(60, 4)))]);
    bench.run(&["publish", "p.toml", "--out", "r"]).exits(0);
    let (data, elsewhere) = (bench.path("r/public/data.csv"), bench.path("elsewhere.csv"));
    std::fs::rename(&data, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &data).unwrap();
    bench
        .run(&["verify", "r"])
        .refuses(1, "MG0304", &["data.csv is a link"]);
}

#[test]
fn without_its_audit_no_insider_can_be_played() {
    let bench = Bench::with(&[("p.toml", POLICY), ("t.csv", &table(&people(60, 4)))]);
    bench.run(&["publish", "p.toml", "--out", "r"]).exits(0);
    std::fs::remove_file(bench.path("r/private/audit.parquet")).unwrap();
    bench.run(&["attack", "insider", "r"]).refuses(
        1,
        "MG0304",
        &["private/audit.parquet is missing"],
    );
}

/// A figure that nobody has rounded could stand there: the checksum is right, and the key unknown.
#[test]
fn an_unknown_figure_in_a_public_manifest_is_a_finding() {
    let bench = Bench::with(&[("p.toml", POLICY), ("t.csv", &table(&people(60, 4)))]);
    let with_figures = "release.publish_utility=true";
    bench
        .run(&["publish", "p.toml", "--out", "r", "--set", with_figures])
        .exits(0);
    bench.run(&["verify", "r/public"]).exits(4);
    let path = bench.path("r/public/manifest.json");
    let sound = std::fs::read_to_string(&path).unwrap();
    let changed = sound.replacen(
        "\"utility\": {",
        "\"utility\": {\n    \"income\": 12345,",
        1,
    );
    assert_ne!(sound, changed);
    std::fs::write(&path, sealed(&changed)).unwrap();
    bench
        .run(&["verify", "r/public"])
        .refuses(1, "MG0304", &["manifest.json: not a manifest"]);
    // the seal is right: the sound text is accepted under it
    std::fs::write(&path, sealed(&sound)).unwrap();
    bench.run(&["verify", "r/public"]).exits(4);
}

/// A manifest's text with the checksum that goes with it.
fn sealed(text: &str) -> String {
    use sha2::{Digest, Sha256};
    let at = text.rfind("\"checksum\": \"").unwrap() + "\"checksum\": \"".len();
    let (before, after) = (&text[..at], &text[at + 64..]);
    let sum = Sha256::digest(format!("{before}{}{after}", "0".repeat(64)));
    let digits: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{before}{digits}{after}")
}
