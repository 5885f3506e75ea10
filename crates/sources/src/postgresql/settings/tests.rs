use super::*;
use std::collections::HashMap;

/// A folder as somebody's home, and variables.
fn find(
    home: &Path,
    service: Option<&str>,
    variables: &[(&str, &str)],
) -> Result<ConnectionSettings, DatabaseFlaw> {
    let mut all: HashMap<&str, String> = HashMap::new();
    all.insert("HOME", home.display().to_string());
    all.insert("USER", "somebody".to_owned());
    all.insert("PGSYSCONFDIR", home.join("none").display().to_string());
    for (name, value) in variables {
        all.insert(name, (*value).to_owned());
    }
    let surroundings = Surroundings {
        variable: &|name| all.get(name).cloned(),
    };
    ConnectionSettings::find_in(service, &surroundings)
}

#[allow(clippy::disallowed_methods, reason = "a file that need not last")]
fn write(file: &Path, text: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(file, text).unwrap();
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(mode)).unwrap();
}

fn flaw(found: Result<ConnectionSettings, DatabaseFlaw>) -> DatabaseFlaw {
    match found {
        Ok(_) => panic!("settings were found"),
        Err(flaw) => flaw,
    }
}

#[test]
fn a_service_counts_more_than_the_environment() {
    let home = tempfile::tempdir().unwrap();
    let text = "# ours\n[other]\nport=1\n[clinic]\nhost = /run/x\nport=5444\nuser=reader\n\n[more]\nnonsense\n";
    write(&home.path().join(".pg_service.conf"), text, 0o644);
    let found = find(
        home.path(),
        Some("clinic"),
        &[("PGPORT", "7"), ("PGDATABASE", "d")],
    )
    .unwrap();
    assert_eq!(found.config.get_ports(), [5444]);
    assert_eq!(found.config.get_user(), Some("reader"));
    assert_eq!(found.config.get_dbname(), Some("d"));
    assert!(found.tls.is_none());
    assert!(matches!(
        flaw(find(home.path(), Some("clinics"), &[])),
        DatabaseFlaw::NoService { .. }
    ));
    assert_eq!(
        flaw(find(home.path(), Some("more"), &[])),
        DatabaseFlaw::ServiceLine {
            file: home.path().join(".pg_service.conf").display().to_string(),
            line: 10
        }
    );
}

#[test]
fn what_is_not_understood_is_refused() {
    let home = tempfile::tempdir().unwrap();
    write(
        &home.path().join(".pg_service.conf"),
        "[a]\nsslcert=x\n[b]\napplication_name=x\nhost=localhost\n",
        0o644,
    );
    assert_eq!(
        flaw(find(home.path(), Some("a"), &[])),
        DatabaseFlaw::Setting("sslcert".to_owned())
    );
    assert!(find(home.path(), Some("b"), &[]).is_ok());
}

#[test]
fn passwords_come_from_files_that_nobody_else_reads() {
    let home = tempfile::tempdir().unwrap();
    let passes = home.path().join(".pgpass");
    let text = "# host:port:database:user:password\nelsewhere:*:*:*:wrong\nlocalhost:5432:d\\:b:somebody:p\\:w\\\\\n*:*:*:*:last\n";
    write(&passes, text, 0o600);
    let variables = [("PGHOST", "localhost"), ("PGDATABASE", "d:b")];
    let found = find(home.path(), None, &variables).unwrap();
    assert_eq!(found.config.get_password(), Some(&b"p:w\\"[..]));
    let found = find(home.path(), None, &[("PGHOST", "/tmp")]).unwrap();
    assert_eq!(found.config.get_password(), Some(&b"last"[..]));
    write(&passes, text, 0o644);
    assert!(matches!(
        flaw(find(home.path(), None, &variables)),
        DatabaseFlaw::OpenToOthers(_)
    ));
    let services = home.path().join(".pg_service.conf");
    write(&services, "[s]\npassword=canary\n", 0o640);
    assert!(matches!(
        flaw(find(home.path(), Some("s"), &[])),
        DatabaseFlaw::OpenToOthers(_)
    ));
}

#[test]
fn rows_go_to_another_machine_checked_or_not_at_all() {
    let home = tempfile::tempdir().unwrap();
    let with =
        |host: &str, mode: &str| find(home.path(), None, &[("PGHOST", host), ("PGSSLMODE", mode)]);
    for here in ["localhost", "127.0.0.1", "::1", "/tmp"] {
        for mode in ["", "prefer", "disable"] {
            assert!(with(here, mode).unwrap().tls.is_none(), "{here} {mode}");
        }
    }
    for weak in ["prefer", "allow"] {
        assert_eq!(
            flaw(with("db.example", weak)),
            DatabaseFlaw::WeakTls(weak.to_owned())
        );
    }
    for mode in ["", "require", "verify-full"] {
        assert_eq!(
            flaw(with("db.example", mode)),
            DatabaseFlaw::NoRootCertificate
        );
    }
    assert!(with("db.example", "disable").unwrap().tls.is_none());
    assert_eq!(
        flaw(with("db.example", "maybe")),
        DatabaseFlaw::Setting("sslmode".to_owned())
    );
    let root = home.path().join("root.crt");
    write(&root, "", 0o644);
    let variables = [
        ("PGHOST", "db.example"),
        ("PGSSLROOTCERT", root.to_str().unwrap()),
    ];
    assert!(find(home.path(), None, &variables).unwrap().tls.is_some());
    // an address elsewhere under a name of this machine
    let variables = [("PGHOST", "localhost"), ("PGHOSTADDR", "192.0.2.1")];
    assert_eq!(
        flaw(find(home.path(), None, &variables)),
        DatabaseFlaw::NoRootCertificate
    );
}
