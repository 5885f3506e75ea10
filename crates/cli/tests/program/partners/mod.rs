//! Two sites in folders of their own, each run as a process.

use crate::common::{Bench, Run};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

pub const SITES: [&str; 2] = ["hospital", "insurer"];

/// A hospital that listens and an insurer that calls, each trusting the other.
pub struct Partners {
    pub bench: Bench,
    pub address: String,
}

impl Partners {
    /// The tables of `examples/partners`.
    pub fn example() -> Partners {
        let bench = Bench::new();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/partners");
        for site in SITES {
            for file in std::fs::read_dir(example.join(site)).unwrap() {
                let path = file.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                bench.write(&format!("{site}/{name}"), std::fs::read(&path).unwrap());
            }
        }
        Partners::of(bench)
    }

    /// Made-up people: as many at each site, all but one in eight at both.
    pub fn many(people: usize, padded_size: usize, synchronizer: &str, leak: &str) -> Partners {
        let bench = Bench::new();
        for (site, offset, quasi, sensitive) in [
            ("hospital", 0, "zip", "disease"),
            ("insurer", people / 8, "age", "cure"),
        ] {
            let row = |i: usize| {
                format!(
                    "p{},{},{}\n",
                    i + offset,
                    10000 + (i + offset) * 7919 % 400,
                    "abcdef".as_bytes()[(i + offset) % 6] as char
                )
            };
            let rows: String = (0..people).map(row).collect();
            bench.write(
                &format!("{site}/data.csv"),
                format!("id,{quasi},{sensitive}\n{rows}"),
            );
            bench.write(
                &format!("{site}/policy.toml"),
                format!(
                    "[data]\npath = \"data.csv\"\n[columns.id]\nrole = \"identifier\"\n[columns.{quasi}]\nrole = \"quasi-identifier\"\n\
                     kind = \"category\"\nhierarchy = {{ mask = 5 }}\n[columns.{sensitive}]\nrole = \"sensitive\"\n[privacy]\nk = 3\n\
                     [protocol]\nsynchronizer = \"{synchronizer}\"\naccept_leak = \"{leak}\"\npadded_size = {padded_size}\n"
                ),
            );
        }
        Partners::of(bench)
    }

    fn of(bench: Bench) -> Partners {
        let address = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .to_string();
        for site in SITES {
            bench.run(&["site", "init", site, "--name", site]).exits(0);
        }
        let partners = Partners { bench, address };
        partners.settle();
        partners
    }

    /// Fills in both settings and pins both certificates.
    pub fn settle(&self) {
        let [first, second] = SITES.map(|site| self.fingerprint(site));
        self.write_settings("hospital", 0, "listen", &second, 60);
        self.write_settings("insurer", 1, "connect", &first, 60);
    }

    #[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
    pub fn write_settings(
        &self,
        site: &str,
        seat: u8,
        way: &str,
        fingerprint: &str,
        deadline: u32,
    ) {
        let text = format!(
            "[site]\nname = \"{site}\"\nseat = {seat}\npolicy = \"policy.toml\"\nkey = \"site.key\"\ncertificate = \"site.crt\"\n\
             out = \"release\"\n[peer]\nname = \"the partner\"\nfingerprint = \"{fingerprint}\"\n{way} = \"{}\"\n\
             [limits]\nsilence = 10\ndeadline = {deadline}\n",
            self.address
        );
        self.bench.write(&format!("{site}/site.toml"), text);
    }

    pub fn fingerprint(&self, site: &str) -> String {
        self.bench
            .run(&["site", "fingerprint", &format!("{site}/site.toml")])
            .exits(0)
            .out
            .trim()
            .to_owned()
    }

    pub fn replace(&self, file: &str, from: &str, to: &str) {
        let text = self.bench.read(file);
        assert!(text.contains(from), "{from} is not in {file}");
        self.bench.write(file, text.replace(from, to));
    }

    pub fn start(&self, site: &str, more: &[&str]) -> Running {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mingle"));
        command
            .current_dir(self.bench.path(""))
            .env("NO_COLOR", "1");
        command
            .args(["-v", "site", "run", &format!("{site}/site.toml")])
            .args(more);
        Running::new(command)
    }

    /// Runs both to their ends: the hospital's, then the insurer's.
    pub fn run(&self, more: &[&str]) -> [Run; 2] {
        SITES.map(|site| self.start(site, more)).map(Running::end)
    }

    pub fn release(&self, site: &str) -> PathBuf {
        self.bench.path(&format!("{site}/release"))
    }

    /// Both published, the same bytes.
    #[track_caller]
    pub fn assert_same(&self) {
        let [first, second] = SITES.map(|site| {
            let mut found = std::collections::BTreeMap::new();
            crate::common::collect(
                &self.release(site).join("public"),
                &self.release(site).join("public"),
                &mut found,
            );
            found
        });
        assert!(
            first.contains_key("qi.csv") && first.contains_key("signatures.json"),
            "{:?}",
            first.keys()
        );
        assert!(first == second, "the two releases differ");
    }

    /// Neither published, and nothing is left over but what was there.
    #[track_caller]
    pub fn assert_nothing(&self) {
        for site in SITES {
            let names: Vec<String> = std::fs::read_dir(self.bench.path(site))
                .unwrap()
                .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
                .filter(|name| name.starts_with('.') || name.starts_with("release"))
                .collect();
            assert!(names.is_empty(), "{site}: {names:?}");
        }
    }
}

/// A wire between the two sites on which what the hospital says arrives late, can be held back, and
/// which can be cut.
pub struct Wire {
    pub address: String,
    held: Arc<AtomicBool>,
    ends: Arc<Mutex<Vec<TcpStream>>>,
}

impl Wire {
    /// Takes the insurer's calls and passes them on.
    pub fn to(hospital: &str, delay: Duration) -> Wire {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let wire = Wire {
            address: listener.local_addr().unwrap().to_string(),
            held: Arc::default(),
            ends: Arc::default(),
        };
        let (hospital, held, ends) = (hospital.to_owned(), wire.held.clone(), wire.ends.clone());
        std::thread::spawn(move || {
            for caller in listener.incoming().map_while(Result::ok) {
                let Ok(called) = TcpStream::connect(&hospital) else {
                    continue;
                };
                let (back, forth, hold) = (
                    caller.try_clone().unwrap(),
                    called.try_clone().unwrap(),
                    held.clone(),
                );
                ends.lock()
                    .unwrap()
                    .extend([caller.try_clone().unwrap(), called.try_clone().unwrap()]);
                std::thread::spawn(move || pass(caller, forth, || ()));
                std::thread::spawn(move || {
                    pass(called, back, || {
                        std::thread::sleep(delay);
                        while hold.load(Ordering::Relaxed) {
                            std::thread::sleep(Duration::from_millis(1));
                        }
                    });
                });
            }
        });
        wire
    }

    /// From now on nothing from the hospital arrives.
    pub fn hold(&self) {
        self.held.store(true, Ordering::Relaxed);
    }

    /// Breaks the connection there is; the next call gets through.
    pub fn cut(&self) {
        for end in self.ends.lock().unwrap().drain(..) {
            let _ = end.shutdown(std::net::Shutdown::Both);
        }
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, wait: impl Fn()) {
    let mut bytes = [0; 65536];
    while let Ok(n @ 1..) = from.read(&mut bytes) {
        wait();
        if to.write_all(&bytes[..n]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(std::net::Shutdown::Both);
}

/// A site that runs.
pub struct Running {
    child: Child,
    err: Arc<Mutex<String>>,
    reader: Option<std::thread::JoinHandle<()>>,
}

impl Running {
    pub fn new(mut command: Command) -> Running {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let err: Arc<Mutex<String>> = Arc::default();
        let (stderr, sink) = (child.stderr.take().unwrap(), err.clone());
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let mut text = sink.lock().unwrap();
                text.push_str(&line);
                text.push('\n');
            }
        });
        Running {
            child,
            err,
            reader: Some(reader),
        }
    }

    /// Waits until the site has said this, or has ended. Returns whether it said it.
    pub fn wait_for(&self, part: &str) -> bool {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(60) {
            if self.err.lock().unwrap().contains(part) {
                return true;
            }
            if self
                .reader
                .as_ref()
                .is_none_or(|reader| reader.is_finished())
            {
                return self.err.lock().unwrap().contains(part);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("{part:?} was never said:\n{}", self.err.lock().unwrap());
    }

    /// SIGKILL.
    pub fn kill(mut self) {
        let _ = self.child.kill();
        self.child.wait().unwrap();
    }

    /// SIGINT, as Ctrl-C sends it.
    pub fn interrupt(&self) {
        let status = Command::new("kill")
            .args(["-INT", &self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(status.success());
    }

    pub fn is_over(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    pub fn end(mut self) -> Run {
        let mut out = String::new();
        self.child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut out)
            .unwrap();
        let exit = self.child.wait().unwrap().code();
        self.reader.take().unwrap().join().unwrap();
        let err = self.err.lock().unwrap().clone();
        Run { exit, out, err }
    }
}
