//! Two sites end to end: two processes, TLS on loopback, Adult's columns dealt to a hospital and an
//! insurer.

use crate::program::{mingle, write};
use serde_json::Value;
use std::fmt::Write as _;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Quasi-identifiers and sensitive column of each site.
const SITES: [(&str, &[&str], &str); 2] = [
    (
        "hospital",
        &["workclass", "education", "marital_status", "relationship"],
        "occupation",
    ),
    ("insurer", &["race", "sex", "native_country"], "income"),
];

/// Prints the table.
pub fn run(data: &Path, scratch: &Path) {
    let table =
        std::fs::read_to_string(data.join("adult/adult_train_clean.csv")).expect("Adult is there");
    let rows = table.lines().count() - 1;
    println!(
        "## Two sites, Adult, {rows} identifiers at each, k = 5, t = 0.7 (hierarchical): two processes, TLS\n"
    );
    println!(
        "| synchronizer | leak level | seconds | MB moved | rounds | groups |\n|---|---|---|---|---|---|"
    );
    for (site, columns, sensitive) in SITES {
        deal(&table, &scratch.join(site), columns, sensitive);
    }
    for synchronizer in ["identity", "fork", "merge", "repair"] {
        let start = Instant::now();
        let document = together(data, scratch, synchronizer, rows);
        let megabytes = document["bytes"].as_f64().expect("bytes") / 1e6;
        println!(
            "| {synchronizer} | {} | {:.1} | {megabytes:.1} | {} | {} |",
            document["leak_level"].as_str().expect("a level"),
            start.elapsed().as_secs_f64(),
            document["rounds"],
            document["groups"]
        );
    }
}

/// One site's columns of the table, with a made-up identifier per person.
fn deal(table: &str, folder: &Path, columns: &[&str], sensitive: &str) {
    std::fs::create_dir_all(folder).expect("a folder");
    let mut lines = table.lines();
    let header: Vec<&str> = lines.next().expect("a header").split(',').collect();
    let wanted: Vec<&str> = columns.iter().copied().chain([sensitive]).collect();
    let places: Vec<usize> = wanted
        .iter()
        .map(|w| {
            header
                .iter()
                .position(|h| h == w)
                .expect("a column of Adult")
        })
        .collect();
    let mut text = format!("id,{}\n", wanted.join(","));
    for (person, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let cells: Vec<&str> = places.iter().map(|&p| cells[p]).collect();
        writeln!(text, "person {person},{}", cells.join(",")).expect("a string grows");
    }
    write(&folder.join("table.csv"), &text);
}

fn policy(
    data: &Path,
    columns: &[&str],
    sensitive: &str,
    synchronizer: &str,
    padded: usize,
) -> String {
    let hierarchy = |column: &str| data.join(format!("hierarchies/adult_fung_tds/{column}.csv"));
    let mut text = "[data]\npath = \"table.csv\"\n[columns.id]\nrole = \"identifier\"\n".to_owned();
    let roles = columns
        .iter()
        .map(|c| (*c, "quasi-identifier"))
        .chain([(sensitive, "sensitive")]);
    for (column, role) in roles {
        let file = hierarchy(column);
        writeln!(
            text,
            "[columns.{column}]\nrole = \"{role}\"\nhierarchy = \"{}\"",
            file.display()
        )
        .expect("a string grows");
    }
    text + &format!(
        "[privacy]\nk = 5\nt = {{ max = 0.7, distance = \"hierarchical\" }}\n[protocol]\nsynchronizer = \"{synchronizer}\"\n\
         accept_leak = \"L2\"\npadded_size = {padded}\n"
    )
}

/// Lets both run; returns what one of them says.
fn together(data: &Path, scratch: &Path, synchronizer: &str, padded: usize) -> Value {
    let port = TcpListener::bind("127.0.0.1:0")
        .and_then(|l| l.local_addr())
        .expect("a free port")
        .port();
    for (seat, (site, columns, sensitive)) in SITES.iter().enumerate() {
        let folder = scratch.join(site);
        write(
            &folder.join("policy.toml"),
            &policy(data, columns, sensitive, synchronizer, padded),
        );
        if !folder.join("keys").exists() {
            done(
                Command::new(mingle())
                    .args(["site", "init", "-q", "--name", site])
                    .arg(folder.join("keys")),
            );
        }
        let (peer, _, _) = SITES[1 - seat];
        let wire = if seat == 0 { "listen" } else { "connect" };
        let text = format!(
            "[site]\nname = \"{site}\"\nseat = {seat}\npolicy = \"policy.toml\"\nkey = \"keys/site.key\"\n\
             certificate = \"keys/site.crt\"\nout = \"release\"\n[peer]\nname = \"{peer}\"\n{wire} = \"127.0.0.1:{port}\"\n"
        );
        write(&folder.join("site.toml"), &text);
    }
    for (seat, (site, ..)) in SITES.iter().enumerate() {
        let certificate = scratch.join(SITES[1 - seat].0).join("keys/site.crt");
        let mut trust = Command::new(mingle());
        done(
            trust
                .args(["site", "trust", "-q"])
                .arg(scratch.join(site).join("site.toml"))
                .arg("--certificate")
                .arg(certificate),
        );
    }
    let mut running = SITES.map(|(site, ..)| start(&scratch.join(site)));
    let outputs = running.each_mut().map(|child| {
        let mut output = String::new();
        std::io::Read::read_to_string(child.stdout.as_mut().expect("a pipe"), &mut output)
            .expect("text");
        assert!(child.wait().expect("a child").success(), "a site failed");
        output
    });
    serde_json::from_str(&outputs[0]).expect("--json prints a document")
}

fn start(folder: &Path) -> Child {
    let mut command = Command::new(mingle());
    command
        .args(["site", "run", "--json", "--force", "-q"])
        .arg(folder.join("site.toml"))
        .stdout(Stdio::piped());
    command.spawn().expect("the program starts")
}

fn done(command: &mut Command) {
    let status = command.stdout(Stdio::null()).status();
    assert!(
        status.expect("the program starts").success(),
        "{command:?} failed"
    );
}
