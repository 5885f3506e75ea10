//! Where the server is and who asks: the same files and variables that `psql` reads.
//!
//! A service is a section of `~/.pg_service.conf` (or `PGSERVICEFILE`, or `pg_service.conf` in
//! `PGSYSCONFDIR`); what it does not say comes from `PGHOST`, `PGPORT`, `PGDATABASE`, `PGUSER`,
//! `PGPASSWORD`, `PGPASSFILE`, `PGSSLMODE`, `PGSSLROOTCERT` and `PGCONNECT_TIMEOUT`, and a password
//! that neither says from `~/.pgpass`. No password ever stands in a policy or on a command line.
//!
//! In one thing we are stricter than `psql`: rows go to another machine through TLS whose
//! certificate was checked, or not at all, unless `sslmode = disable` says so.

use mingle_io::DatabaseFlaw;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

/// Everything that a connection needs. No `Debug`: a password is in it.
pub(super) struct ConnectionSettings {
    pub(super) config: Config,
    /// Trusted certificates, where the connection is encrypted.
    pub(super) tls: Option<TrustedCertificates>,
    /// Host and port, for a message.
    pub(super) place: String,
}

/// Where the trusted certificates are.
pub(super) struct TrustedCertificates {
    pub(super) file: PathBuf,
    pub(super) server: String,
}

/// Settings that are understood, with the variable of each.
const UNDERSTOOD: [(&str, &str); 11] = [
    ("host", "PGHOST"),
    ("hostaddr", "PGHOSTADDR"),
    ("port", "PGPORT"),
    ("dbname", "PGDATABASE"),
    ("user", "PGUSER"),
    ("password", "PGPASSWORD"),
    ("passfile", "PGPASSFILE"),
    ("sslmode", "PGSSLMODE"),
    ("sslrootcert", "PGSSLROOTCERT"),
    ("connect_timeout", "PGCONNECT_TIMEOUT"),
    ("options", "PGOPTIONS"),
];

/// Settings that change nothing that is promised here.
const HARMLESS: [&str; 9] = [
    "application_name",
    "fallback_application_name",
    "client_encoding",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_count",
    "tcp_user_timeout",
    "gssencmode",
];

/// What surrounds the program. Tests have their own.
pub(super) struct Surroundings<'a> {
    pub(super) variable: &'a dyn Fn(&str) -> Option<String>,
}

impl Surroundings<'_> {
    fn variable(&self, name: &str) -> Option<String> {
        (self.variable)(name).filter(|value| !value.is_empty())
    }

    fn home(&self) -> Option<PathBuf> {
        self.variable("HOME").map(PathBuf::from)
    }
}

impl ConnectionSettings {
    /// Of a service, or of the environment alone.
    pub(super) fn find(service: Option<&str>) -> Result<ConnectionSettings, DatabaseFlaw> {
        let surroundings = Surroundings {
            variable: &|name| std::env::var(name).ok(),
        };
        ConnectionSettings::find_in(service, &surroundings)
    }

    pub(super) fn find_in(
        service: Option<&str>,
        surroundings: &Surroundings<'_>,
    ) -> Result<ConnectionSettings, DatabaseFlaw> {
        let mut said = match service {
            Some(service) => service_settings(service, surroundings)?,
            None => match surroundings.variable("PGSERVICE") {
                Some(service) => service_settings(&service, surroundings)?,
                None => BTreeMap::new(),
            },
        };
        for (key, variable) in UNDERSTOOD {
            if !said.contains_key(key)
                && let Some(value) = surroundings.variable(variable)
            {
                said.insert(key.to_owned(), value);
            }
        }
        Said { said, surroundings }.settings()
    }
}

/// What was said, by whoever said it.
struct Said<'a> {
    said: BTreeMap<String, String>,
    surroundings: &'a Surroundings<'a>,
}

impl Said<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.said.get(key).map(String::as_str)
    }

    fn settings(&self) -> Result<ConnectionSettings, DatabaseFlaw> {
        let user = match self.get("user") {
            Some(user) => user.to_owned(),
            None => self
                .surroundings
                .variable("USER")
                .or_else(|| self.surroundings.variable("LOGNAME"))
                .ok_or(DatabaseFlaw::NoUser)?,
        };
        let port: u16 = match self.get("port") {
            Some(port) => port
                .parse()
                .map_err(|_| DatabaseFlaw::Setting("port".to_owned()))?,
            None => 5432,
        };
        let host = self.host(port);
        let dbname = self.get("dbname").unwrap_or(&user).to_owned();
        let mut config = Config::new();
        config.user(&user).dbname(&dbname).port(port).host(&host);
        config.application_name("mingle");
        if let Some(address) = self.get("hostaddr") {
            let address: IpAddr = address
                .parse()
                .map_err(|_| DatabaseFlaw::Setting("hostaddr".to_owned()))?;
            config.hostaddr(address);
        }
        if let Some(options) = self.get("options") {
            config.options(options);
        }
        let seconds = match self.get("connect_timeout") {
            Some(text) => text
                .trim()
                .parse()
                .map_err(|_| DatabaseFlaw::Setting("connect_timeout".to_owned()))?,
            None => 0u64,
        };
        // as `psql`, nobody waits for ever unless that is asked for in seconds
        config.connect_timeout(Duration::from_secs(if seconds == 0 { 30 } else { seconds }));
        let asked_for = Login {
            host: &host,
            port,
            dbname: &dbname,
            user: &user,
        };
        if let Some(password) = self.password(&asked_for)? {
            config.password(password);
        }
        let tls = self.tls(&host)?;
        config.ssl_mode(if tls.is_some() {
            SslMode::Require
        } else {
            SslMode::Disable
        });
        Ok(ConnectionSettings {
            config,
            tls,
            place: format!("{host}, port {port}"),
        })
    }

    /// A name or an address, or the folder of a Unix socket.
    fn host(&self, port: u16) -> String {
        if let Some(host) = self.get("host").or(self.get("hostaddr")) {
            return host.to_owned();
        }
        for folder in ["/var/run/postgresql", "/tmp"] {
            if Path::new(folder).join(format!(".s.PGSQL.{port}")).exists() {
                return folder.to_owned();
            }
        }
        "localhost".to_owned()
    }

    fn password(&self, login: &Login<'_>) -> Result<Option<String>, DatabaseFlaw> {
        if let Some(password) = self.get("password") {
            return Ok(Some(password.to_owned()));
        }
        let file = match self.get("passfile") {
            Some(file) => PathBuf::from(file),
            None => match self.surroundings.home() {
                Some(home) => home.join(".pgpass"),
                None => return Ok(None),
            },
        };
        if !file.is_file() {
            return Ok(None);
        }
        refuse_open_to_others(&file)?;
        let text = read(&file)?;
        Ok(text.lines().find_map(|line| login.password_in(line)))
    }

    fn tls(&self, host: &str) -> Result<Option<TrustedCertificates>, DatabaseFlaw> {
        if host.starts_with('/') {
            return Ok(None);
        }
        match self.get("sslmode") {
            Some("disable") => return Ok(None),
            None | Some("prefer" | "allow") if self.stays_here(host) => return Ok(None),
            Some(weak @ ("prefer" | "allow")) => {
                return Err(DatabaseFlaw::WeakTls(weak.to_owned()));
            }
            // whoever asks for less gets more: the name is checked as well
            None | Some("require" | "verify-ca" | "verify-full") => {}
            Some(_) => return Err(DatabaseFlaw::Setting("sslmode".to_owned())),
        }
        let file = match self.get("sslrootcert") {
            Some("system") => PathBuf::from("/etc/ssl/certs/ca-certificates.crt"),
            Some(file) => PathBuf::from(file),
            None => match self.surroundings.home() {
                Some(home) => home.join(".postgresql/root.crt"),
                None => return Err(DatabaseFlaw::NoRootCertificate),
            },
        };
        if !file.is_file() {
            return Err(DatabaseFlaw::NoRootCertificate);
        }
        Ok(Some(TrustedCertificates {
            file,
            server: host.to_owned(),
        }))
    }

    /// Whether rows never leave this machine.
    fn stays_here(&self, host: &str) -> bool {
        let is_loopback = |text: &str| {
            text.parse()
                .is_ok_and(|address: IpAddr| address.is_loopback())
        };
        match self.get("hostaddr") {
            Some(address) => is_loopback(address),
            None => host == "localhost" || is_loopback(host),
        }
    }
}

/// Whom a password is looked for.
struct Login<'a> {
    host: &'a str,
    port: u16,
    dbname: &'a str,
    user: &'a str,
}

impl Login<'_> {
    /// `host:port:database:user:password`; `*` is anything, `\` takes the next character as it is.
    fn password_in(&self, line: &str) -> Option<String> {
        if line.starts_with('#') {
            return None;
        }
        let mut fields = Vec::new();
        let mut field = String::new();
        let mut characters = line.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => field.extend(characters.next()),
                ':' if fields.len() < 4 => fields.push(std::mem::take(&mut field)),
                other => field.push(other),
            }
        }
        fields.push(field);
        let [host, port, dbname, user, password] = <[String; 5]>::try_from(fields).ok()?;
        let fits = |pattern: &str, ours: &str| pattern == "*" || pattern == ours;
        let ours = if self.host == "/var/run/postgresql" || self.host == "/tmp" {
            "localhost"
        } else {
            self.host
        };
        let all = (fits(&host, ours) || fits(&host, self.host))
            && fits(&port, &self.port.to_string())
            && fits(&dbname, self.dbname)
            && fits(&user, self.user);
        all.then_some(password)
    }
}

/// The section of a service in the first file that has it.
fn service_settings(
    service: &str,
    surroundings: &Surroundings<'_>,
) -> Result<BTreeMap<String, String>, DatabaseFlaw> {
    let mut files = Vec::new();
    match surroundings.variable("PGSERVICEFILE") {
        Some(file) => files.push(PathBuf::from(file)),
        None => files.extend(
            surroundings
                .home()
                .map(|home| home.join(".pg_service.conf")),
        ),
    }
    let system = surroundings.variable("PGSYSCONFDIR");
    let system = system.unwrap_or_else(|| "/etc/postgresql-common".to_owned());
    files.push(Path::new(&system).join("pg_service.conf"));
    for file in &files {
        if !file.is_file() {
            continue;
        }
        let text = read(file)?;
        let shown = file.display().to_string();
        if let Some(found) = section(&text, service, &shown)? {
            // a password in a file that everybody reads is everybody's
            if found.contains_key("password") {
                refuse_open_to_others(file)?;
            }
            return Ok(found);
        }
    }
    let shown: Vec<String> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    Err(DatabaseFlaw::NoService {
        service: service.to_owned(),
        files: shown.join(" or "),
    })
}

/// The settings of a section; `None` where there is no such section. Lines of other sections are
/// not looked at.
fn section(
    text: &str,
    service: &str,
    file: &str,
) -> Result<Option<BTreeMap<String, String>>, DatabaseFlaw> {
    let mut found: Option<BTreeMap<String, String>> = None;
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            inside = name == service && found.is_none();
            if inside {
                found = Some(BTreeMap::new());
            }
            continue;
        }
        let Some(settings) = found.as_mut().filter(|_| inside) else {
            continue;
        };
        let Some((key, value)) = line.split_once('=') else {
            return Err(DatabaseFlaw::ServiceLine {
                file: file.to_owned(),
                line: number + 1,
            });
        };
        let key = key.trim();
        if HARMLESS.contains(&key) {
            continue;
        }
        if !UNDERSTOOD.iter().any(|(understood, _)| *understood == key) {
            return Err(DatabaseFlaw::Setting(key.to_owned()));
        }
        settings.insert(key.to_owned(), value.trim().to_owned());
    }
    Ok(found)
}

fn read(file: &Path) -> Result<String, DatabaseFlaw> {
    let unreadable = || DatabaseFlaw::SettingsFile(file.display().to_string());
    let bytes = mingle_io::read_small_file(file).map_err(|_| unreadable())?;
    Ok(bytes)
}

#[cfg(unix)]
fn refuse_open_to_others(file: &Path) -> Result<(), DatabaseFlaw> {
    use std::os::unix::fs::PermissionsExt;
    let shown = file.display().to_string();
    let metadata = file
        .metadata()
        .map_err(|_| DatabaseFlaw::SettingsFile(shown.clone()))?;
    if metadata.permissions().mode() & 0o077 != 0 {
        return Err(DatabaseFlaw::OpenToOthers(shown));
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_open_to_others(_file: &Path) -> Result<(), DatabaseFlaw> {
    Ok(())
}

#[cfg(test)]
mod tests;
