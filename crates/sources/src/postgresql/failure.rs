//! What a server's errors are called here: its own words may quote cells and are never repeated.

use mingle_io::DatabaseFlaw;
use tokio_postgres::Error;
use tokio_postgres::error::ErrorPosition;

/// An error while something was asked of the server.
pub(super) fn refused(what: &'static str, error: &Error) -> DatabaseFlaw {
    let Some(said) = error.as_db_error() else {
        return DatabaseFlaw::Gone;
    };
    let state = said.code().code();
    // the server shuts down, or somebody ended the session
    if matches!(state, "57P01" | "57P02" | "57P03" | "57P05" | "25P03") || state.starts_with("08") {
        return DatabaseFlaw::Gone;
    }
    let position = match said.position() {
        Some(ErrorPosition::Original(position)) => Some(*position),
        _ => None,
    };
    DatabaseFlaw::Refused {
        what,
        state: state.to_owned(),
        meaning: meaning(state),
        position,
    }
}

/// An error while the connection was made.
pub(super) fn not_connected(place: &str, error: &Error) -> DatabaseFlaw {
    let Some(said) = error.as_db_error() else {
        let mut source = std::error::Error::source(error);
        while let Some(inner) = source {
            if inner.is::<rustls::Error>()
                || inner
                    .downcast_ref::<std::io::Error>()
                    .and_then(std::io::Error::get_ref)
                    .is_some_and(|inner| inner.is::<rustls::Error>())
            {
                return DatabaseFlaw::Tls("the server's certificate or version was not accepted");
            }
            source = inner.source();
        }
        let text = error.to_string();
        if text.contains("TLS") {
            return DatabaseFlaw::Tls("the server does not offer it");
        }
        if text.contains("password missing") || text.contains("authentication") {
            return DatabaseFlaw::Login {
                state: "28P01".to_owned(),
                meaning: "a password is asked for, and there is none",
            };
        }
        return DatabaseFlaw::Unreachable(place.to_owned());
    };
    let state = said.code().code();
    if state.starts_with("28") || state.starts_with("3D") || state == "42501" {
        return DatabaseFlaw::Login {
            state: state.to_owned(),
            meaning: meaning(state),
        };
    }
    if state == "57P03" {
        return DatabaseFlaw::Unreachable(format!("{place}: it is starting or shutting down"));
    }
    DatabaseFlaw::Refused {
        what: "the connection",
        state: state.to_owned(),
        meaning: meaning(state),
        position: None,
    }
}

/// What a state means, in our words.
fn meaning(state: &str) -> &'static str {
    match state {
        "25006" => "it would write, and reading is all that is allowed",
        "28P01" => "the password is wrong",
        "28000" => "this user may not log in from here, or does not exist",
        "3D000" => "there is no such database",
        "3F000" => "there is no such schema",
        "42501" => "permission denied",
        "42601" => "a syntax error",
        "42703" => "a column that is not there",
        "42P01" => "a table that is not there",
        "42883" => "a function or operator that is not there",
        "42702" => "a column's name is ambiguous",
        "42701" => "two columns have the same name",
        "53300" => "too many connections",
        "53100" => "the disk is full",
        "55P03" => "somebody else holds a lock",
        "57014" => "it was cancelled, or took longer than the server allows",
        "2BP01" => "something depends on it",
        "40001" => "somebody else changed the same rows",
        _ => match state.get(..2).unwrap_or_default() {
            "0A" => "not supported",
            "21" | "22" => "a value that cannot be worked with",
            "23" => "a constraint of the table",
            "42" => "a syntax error or a missing right",
            "53" => "the server lacks room or memory",
            "54" => "a limit of the server",
            "58" | "XX" => "an error inside of the server",
            _ => "see PostgreSQL's list of error codes",
        },
    }
}
