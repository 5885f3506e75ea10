//! A PostgreSQL server of its own for each test, on a Unix socket and on loopback.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU16, Ordering};

/// Passwords that must never come out of anything.
pub const ADMIN: &str = "zqxcanary-admin";
pub const READER: &str = "zqxcanary-reader";
pub const WRITER: &str = "zqxcanary-writer";

static NEXT_PORT: AtomicU16 = AtomicU16::new(0);

pub struct Server {
    folder: tempfile::TempDir,
    bin: PathBuf,
    port: u16,
    as_postgres: bool,
}

/// Where the server's programs are, where they are.
fn programs() -> Option<PathBuf> {
    let mut found = None;
    if let Ok(versions) = std::fs::read_dir("/usr/lib/postgresql") {
        for version in versions.flatten() {
            let bin = version.path().join("bin");
            if bin.join("initdb").exists() {
                found = found.max(Some(bin));
            }
        }
    }
    found
}

impl Server {
    /// Starts one, or says that the test is skipped.
    pub fn start(test: &str) -> Option<Server> {
        let Some(bin) = programs() else {
            eprintln!("skipped: {test}, because PostgreSQL (initdb, pg_ctl) is not installed");
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let user = Command::new("id").arg("-u").output().unwrap();
        // the server does not run as root
        let as_postgres = user.stdout == b"0\n";
        if as_postgres {
            let done = Command::new("chown")
                .arg("postgres")
                .arg(folder.path())
                .status();
            assert!(done.unwrap().success());
        }
        let port = 20_000
            + (std::process::id() % 20_000) as u16
            + NEXT_PORT.fetch_add(1, Ordering::Relaxed);
        let server = Server {
            folder,
            bin,
            port,
            as_postgres,
        };
        let passwords = server.folder.path().join("pw");
        std::fs::write(&passwords, format!("{ADMIN}\n")).unwrap();
        server.as_owner(&format!(
            "{}/initdb -D {}/data -U admin -A scram-sha-256 --pwfile={} -E UTF8 --locale=C.UTF-8 -N",
            server.bin.display(),
            server.folder.path().display(),
            passwords.display()
        ));
        server.go_on();
        server.sql(&format!(
            "CREATE ROLE reader LOGIN PASSWORD '{READER}'; \
             CREATE ROLE writer LOGIN PASSWORD '{WRITER}'; \
             CREATE ROLE analysts; CREATE ROLE others;"
        ));
        server.sql("CREATE DATABASE clinic");
        server.sql_in("clinic", "GRANT CREATE ON DATABASE clinic TO writer");
        let services = format!(
            "[clinic]\nhost={0}\nport={1}\nuser=reader\ndbname=clinic\n\
             [loopback]\nhost=127.0.0.1\nport={1}\nuser=reader\ndbname=clinic\n\
             [target]\nhost={0}\nport={1}\nuser=writer\ndbname=clinic\n\
             [wrong]\nhost={0}\nport={1}\nuser=others\ndbname=clinic\n\
             [nowhere]\nhost={0}\nport=1\nuser=reader\n",
            server.folder.path().display(),
            server.port
        );
        std::fs::write(server.services(), services).unwrap();
        let pass = format!("*:*:*:reader:{READER}\n*:*:*:writer:{WRITER}\n*:*:*:others:wrong\n");
        std::fs::write(server.passes(), pass).unwrap();
        let done = Command::new("chmod")
            .arg("600")
            .arg(server.passes())
            .status();
        assert!(done.unwrap().success());
        Some(server)
    }

    fn as_owner(&self, command: &str) -> Output {
        let mut shell = if self.as_postgres {
            let mut su = Command::new("su");
            su.args(["postgres", "-s", "/bin/sh", "-c", command]);
            su
        } else {
            let mut sh = Command::new("sh");
            sh.args(["-c", command]);
            sh
        };
        // a server that inherits a pipe keeps it open
        let log = std::fs::File::create(self.folder.path().join("out")).unwrap();
        shell
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log);
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{command}");
        output
    }

    /// Starts the server again.
    pub fn go_on(&self) {
        let folder = self.folder.path().display();
        self.as_owner(&format!(
            "{}/pg_ctl -D {folder}/data -w -t 60 -l {folder}/data/log \
             -o '-p {} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off' start",
            self.bin.display(),
            self.port
        ));
    }

    /// Kills the server as `kill -9` would, with all that it is doing.
    pub fn kill(&self) {
        let folder = self.folder.path().display();
        self.as_owner(&format!(
            "{}/pg_ctl -D {folder}/data -m immediate stop",
            self.bin.display()
        ));
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Serves TLS with this certificate from now on.
    pub fn keep_certificate(&self, certificate: &Path, key: &Path) {
        let data = self.folder.path().join("data");
        for (from, name) in [(certificate, "server.crt"), (key, "server.key")] {
            let to = data.join(name);
            std::fs::copy(from, &to).unwrap();
            let mode = Command::new("chmod").arg("600").arg(&to).status();
            assert!(mode.unwrap().success());
            if self.as_postgres {
                let owner = Command::new("chown").arg("postgres").arg(&to).status();
                assert!(owner.unwrap().success());
            }
        }
        self.sql("ALTER SYSTEM SET ssl = on");
        self.sql("SELECT pg_reload_conf()");
    }

    pub fn services(&self) -> PathBuf {
        self.folder.path().join("services.conf")
    }

    pub fn passes(&self) -> PathBuf {
        self.folder.path().join("passes")
    }

    pub fn sql(&self, statements: &str) -> String {
        self.sql_in("postgres", statements)
    }

    /// What `psql` says to statements of the superuser.
    #[track_caller]
    pub fn sql_in(&self, database: &str, statements: &str) -> String {
        let output = self
            .psql(database)
            .args(["-c", statements])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    pub fn psql(&self, database: &str) -> Command {
        let mut psql = Command::new("psql");
        psql.args([
            "-X",
            "-q",
            "-A",
            "-t",
            "-v",
            "ON_ERROR_STOP=1",
            "-U",
            "admin",
            "-d",
            database,
        ])
        .arg("-h")
        .arg(self.folder.path())
        .args(["-p", &self.port.to_string()])
        .env("PGPASSWORD", ADMIN)
        .env("PGTZ", "UTC");
        psql
    }

    /// The server's own words.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("data/log")).unwrap_or_default()
    }

    /// Runs the program where this server is known.
    pub fn command(&self, folder: &Path) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mingle"));
        command
            .current_dir(folder)
            .env("NO_COLOR", "1")
            .env("PGSERVICEFILE", self.services())
            .env("PGPASSFILE", self.passes())
            .env_remove("PGHOST")
            .env_remove("PGPASSWORD");
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let folder = self.folder.path().display();
        let stop = format!(
            "{}/pg_ctl -D {folder}/data -m immediate stop",
            self.bin.display()
        );
        let mut shell = if self.as_postgres {
            let mut su = Command::new("su");
            su.args(["postgres", "-s", "/bin/sh", "-c", &stop]);
            su
        } else {
            let mut sh = Command::new("sh");
            sh.args(["-c", &stop]);
            sh
        };
        _ = shell.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}
