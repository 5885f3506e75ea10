//! Databases as a policy or a command line names them, whether or not this program can read them.
//!
//! A place is written `postgresql:SERVICE/SCHEMA.TABLE`, or `postgresql:SERVICE/SCHEMA` for a
//! release. A service is a name in a file of the user's (see [`Databases`]): where the server is
//! and who asks never stands in a policy. Without a service (`postgresql:/TABLE`) the environment
//! says it.

use mingle_io::{DatabaseFlaw, Error, Scan, TableFormat};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const SCHEME: &str = "postgresql:";

/// A table in a database, or the rows of a query there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabaseTable {
    /// Where the server is and who asks; `None` leaves it to the environment.
    pub service: Option<String>,
    /// Which rows.
    pub rows: DatabaseRows,
    /// Who contributed them, when they are one provider's.
    pub provider: Option<String>,
    /// What columns are called and which texts are missing; nothing else applies.
    pub format: TableFormat,
}

/// Rows in a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseRows {
    /// Of a table or view, as SQL names it.
    Table(String),
    /// Of a query.
    Query(String),
}

impl DatabaseTable {
    /// A table, or a query's rows, with one provider at most.
    pub fn new(service: Option<String>, rows: DatabaseRows) -> DatabaseTable {
        DatabaseTable {
            service,
            rows,
            provider: None,
            format: TableFormat::default(),
        }
    }

    /// What messages and manifests call it.
    pub fn display(&self) -> String {
        let service = self.service.as_deref().unwrap_or_default();
        match &self.rows {
            DatabaseRows::Table(table) => format!("{SCHEME}{service}/{table}"),
            DatabaseRows::Query(_) => format!("{SCHEME}{service} (a query)"),
        }
    }
}

/// A place in a database on a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatabasePlace {
    /// The service, if one is named.
    pub service: Option<String>,
    /// What follows it: a schema, or a table.
    pub name: String,
}

impl DatabasePlace {
    /// Whether a text is meant as a place in a database.
    pub fn is_one(text: &str) -> bool {
        text.starts_with(SCHEME) || text.starts_with("postgres:")
    }

    /// `postgresql:SERVICE/NAME`. An address with a user, a password or a host in it is refused and
    /// not repeated.
    pub fn read(text: &str) -> Result<DatabasePlace, Error> {
        let wrong = |shown: &str| Error::Database {
            file: shown.to_owned(),
            flaw: DatabaseFlaw::Place,
        };
        let rest = text
            .strip_prefix(SCHEME)
            .ok_or_else(|| wrong("postgres:…"))?;
        let (service, name) = rest.split_once('/').ok_or_else(|| wrong("postgresql:…"))?;
        let is_address = name.starts_with('/')
            || service.contains(['@', ':', '=', '?'])
            || (!name.starts_with('"') && name.contains(['@', ':', '?', '/']));
        if is_address || name.is_empty() {
            return Err(wrong("postgresql:…"));
        }
        Ok(DatabasePlace {
            service: (!service.is_empty()).then(|| service.to_owned()),
            name: name.to_owned(),
        })
    }

    /// The table of that name.
    pub fn table(self) -> DatabaseTable {
        DatabaseTable::new(self.service, DatabaseRows::Table(self.name))
    }

    /// As it is written.
    pub fn display(&self) -> String {
        let service = self.service.as_deref().unwrap_or_default();
        format!("{SCHEME}{service}/{}", self.name)
    }
}

/// The databases that a piece of work reads from: one connection to each, and one snapshot, however
/// often and for however many tables it is read. Clones share them; the last one closes them.
///
/// A service is a section of `~/.pg_service.conf`, and passwords come from there, from `~/.pgpass`
/// or from the environment, as for `psql`.
#[derive(Clone, Default)]
pub struct Databases {
    #[cfg(feature = "postgresql")]
    sessions: Arc<crate::postgresql::Sessions>,
    #[cfg(not(feature = "postgresql"))]
    cancel: Arc<AtomicBool>,
}

impl Databases {
    /// Nothing is connected yet. Whoever waits for a server gives up when the flag is set.
    pub fn new(cancel: Arc<AtomicBool>) -> Databases {
        #[cfg(feature = "postgresql")]
        return Databases {
            sessions: Arc::new(crate::postgresql::Sessions::new(cancel)),
        };
        #[cfg(not(feature = "postgresql"))]
        Databases { cancel }
    }

    /// Works with the flag of whoever waits.
    pub(crate) fn on_release<T>(&self, work: impl FnOnce(&AtomicBool) -> T) -> T {
        #[cfg(feature = "postgresql")]
        return work(self.sessions.cancel());
        #[cfg(not(feature = "postgresql"))]
        work(&self.cancel)
    }

    /// A table as something to scan; the server is asked when it is opened.
    pub fn table(&self, table: DatabaseTable) -> Box<dyn Scan> {
        #[cfg(feature = "postgresql")]
        return Box::new(crate::postgresql::PostgresTable::new(
            table,
            self.sessions.clone(),
        ));
        #[cfg(not(feature = "postgresql"))]
        Box::new(Unreadable {
            name: table.display(),
        })
    }
}

/// A table that this program was built without.
#[cfg(not(feature = "postgresql"))]
struct Unreadable {
    name: String,
}

#[cfg(not(feature = "postgresql"))]
impl Scan for Unreadable {
    fn name(&self) -> &str {
        &self.name
    }

    fn open<'s>(
        &'s self,
        _options: &'s mingle_io::ReadOptions<'s>,
    ) -> Result<Box<dyn mingle_io::Pass + 's>, Error> {
        Err(Error::Database {
            file: self.name.clone(),
            flaw: DatabaseFlaw::NotBuilt,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_never_hold_a_password() {
        let place = DatabasePlace::read("postgresql:clinic/public.patients").unwrap();
        assert_eq!(place.service.as_deref(), Some("clinic"));
        assert_eq!(place.name, "public.patients");
        let place = DatabasePlace::read("postgresql:/patients").unwrap();
        assert_eq!(place.service, None);
        for text in [
            "postgresql://user:canary@host/table",
            "postgres://user:canary@host/table",
            "postgresql:user:canary@host/table",
            "postgresql:clinic?password=canary/table",
            "postgresql:clinic/table?password=canary",
            "postgresql:clinic",
            "postgresql:clinic/",
        ] {
            let error = DatabasePlace::read(text).unwrap_err().to_string();
            assert!(!error.contains("canary"), "{error}");
        }
    }
}
