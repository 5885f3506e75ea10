//! Why a database did not give or take a table.
//!
//! What a server says may quote cells, and what a login says may quote a password, so neither is
//! repeated: messages hold the five characters of the SQL standard's state, our own words for it,
//! and names that the user gave.

use thiserror::Error;

/// What went wrong with a database. Shown behind the name of the table.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the messages say what each variant and field is"
)]
pub enum DatabaseFlaw {
    #[error(": this program was built without the `postgresql` feature")]
    NotBuilt,
    #[error(": {0:?} is no name of a table or schema in SQL")]
    Name(String),
    #[error(": a place is written postgresql:SERVICE/SCHEMA.TABLE or postgresql:SERVICE/SCHEMA")]
    Place,

    #[error(": there is no service {service:?} in {files}")]
    NoService { service: String, files: String },
    #[error(": {file}, line {line}: expected [service] or key = value")]
    ServiceLine { file: String, line: usize },
    #[error(": the connection setting `{0}` is not understood, or not supported here")]
    Setting(String),
    #[error(": {0} may be read by others than its owner")]
    OpenToOthers(String),
    #[error(": cannot read {0}")]
    SettingsFile(String),
    #[error(": nothing says which user to log in as")]
    NoUser,
    #[error(": sslmode = {0} may send rows unencrypted to another machine")]
    WeakTls(String),
    #[error(": nothing says which certificates are trusted")]
    NoRootCertificate,
    #[error(": {0} has no certificate in PEM")]
    RootCertificate(String),

    #[error(": no server answers at {0}")]
    Unreachable(String),
    #[error(": no connection with TLS: {0}")]
    Tls(&'static str),
    #[error(": the server refuses the login (SQL state {state}: {meaning})")]
    Login {
        state: String,
        meaning: &'static str,
    },
    #[error(": the connection to the server is gone")]
    Gone,
    #[error(": an earlier reading from this database broke off, and its snapshot is lost")]
    SnapshotLost,
    #[error(": the connection was lost while the release was being committed")]
    CommitUnknown,
    #[error(": the server refuses {what} (SQL state {state}: {meaning}{})", at(*.position))]
    Refused {
        what: &'static str,
        state: String,
        meaning: &'static str,
        position: Option<u32>,
    },
    #[error(": the query returns no table")]
    NotRows,
    #[error(", column {column:?}: its type is {type_name}")]
    ColumnType { column: String, type_name: String },
    #[error(": the server sent what is no row of the query")]
    NotARow,

    #[error(": the schema {schema:?} has {object:?}, which is no part of a release")]
    NotOurs { schema: String, object: String },
    #[error(": a release is there already")]
    Exists,
    #[error(": no release is there")]
    NoRelease,
    #[error(": {role:?} may read {object:?}, which is private")]
    PrivateGranted { role: String, object: String },
    #[error(": {0:?} has other columns than the new table, and something depends on it")]
    Depended(String),
    #[error(": the table {0:?} does not hold the rows that the release published")]
    OtherRows(String),
}

impl DatabaseFlaw {
    /// Whether it is about reaching the server, and not about what was asked of it.
    pub fn is_connection(&self) -> bool {
        use DatabaseFlaw as F;
        matches!(
            self,
            F::Unreachable(_)
                | F::Tls(_)
                | F::Login { .. }
                | F::Gone
                | F::SnapshotLost
                | F::CommitUnknown
        )
    }

    /// Whether it is about what says where the server is and who asks.
    pub fn is_settings(&self) -> bool {
        use DatabaseFlaw as F;
        matches!(
            self,
            F::NoService { .. }
                | F::ServiceLine { .. }
                | F::Setting(_)
                | F::OpenToOthers(_)
                | F::SettingsFile(_)
                | F::NoUser
                | F::WeakTls(_)
                | F::NoRootCertificate
                | F::RootCertificate(_)
        )
    }

    /// The column that it is about.
    pub fn column(&self) -> Option<&String> {
        match self {
            DatabaseFlaw::ColumnType { column, .. } => Some(column),
            _ => None,
        }
    }
}

fn at(position: Option<u32>) -> String {
    match position {
        Some(position) => format!(", at character {position} of the query"),
        None => String::new(),
    }
}
