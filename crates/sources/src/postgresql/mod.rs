//! PostgreSQL: tables in, by [`mingle_io::Scan`]; releases out, in one transaction.
//!
//! No driver is needed. All reading of a piece of work goes through one connection to each service
//! and one transaction of it, so that several tables, and several looks at one, are of the same
//! moment. Passwords come from where `psql` takes them, and are in no message.

mod connection;
mod failure;
mod name;
mod rows;
mod settings;
pub(crate) mod sink;
mod stored_table;
mod table;
mod tls;

use connection::{ReadingConnection, Stopped};
pub(crate) use table::PostgresTable;

use settings::ConnectionSettings;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

/// A connection and its snapshot, which several tables share.
type Session = ReadingConnection;

/// The name of a schema, if a text is one.
pub(crate) fn schema_name(text: &str) -> Option<String> {
    name::TableName::read(text).ok()?.single()
}

/// One session for each service.
#[derive(Default)]
pub(crate) struct Sessions {
    cancel: Arc<AtomicBool>,
    open: Mutex<HashMap<Option<String>, Arc<Session>>>,
}

impl Sessions {
    pub(crate) fn new(cancel: Arc<AtomicBool>) -> Sessions {
        Sessions {
            cancel,
            open: Mutex::default(),
        }
    }

    /// Raised by somebody who does not want to wait any more.
    pub(crate) fn cancel(&self) -> &AtomicBool {
        &self.cancel
    }

    /// The session of a service. One that broke off stays: another snapshot would be another table.
    fn session(&self, service: Option<&str>) -> Result<Arc<Session>, Stopped> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let key = service.map(str::to_owned);
        if let Some(session) = open.get(&key) {
            return Ok(session.clone());
        }
        let settings = ConnectionSettings::find(service)?;
        let session = Arc::new(Session::open(settings, self.cancel.clone())?);
        open.insert(key, session.clone());
        Ok(session)
    }
}
