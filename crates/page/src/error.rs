//! Why a request is refused, and what to do about it.
//!
//! Texts never quote a request: neither its body nor a name, a key or an address in it.

use crate::protocol::ProblemView;
use crate::workbench::Refusal;
use axum::http::StatusCode;
use mingle_record::ProblemCode;
use std::io;

/// Why a request is refused.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request names another host, or none: a page elsewhere may have had its name point here.
    #[error("this address is not served here: open http://127.0.0.1:{port}/")]
    Host {
        /// Where we listen.
        port: u16,
    },
    /// A page of another origin asks.
    #[error("requests from other pages are refused")]
    Origin,
    /// No key, or none that counts.
    #[error("this page needs the link that the terminal printed")]
    Key,
    /// The link was used, or is not of this server.
    #[error("this link has been used, or belongs to another run of the program")]
    Link,
    /// Nothing is there.
    #[error("there is nothing at this address")]
    Address,
    /// Nothing is done that way.
    #[error("this address does not take such requests")]
    Method,
    /// The address of a report was visited, or its minute is over.
    #[error("this report's address has been visited, or its minute is over")]
    Ticket,
    /// The body is no JSON, or not what was asked for.
    #[error("the request is not what is expected, at line {line}, column {column}")]
    Malformed {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
    },
    /// A body of JSON is too large.
    #[error("the request is larger than {limit} bytes")]
    Large {
        /// The most that is taken.
        limit: u64,
    },
    /// A file is too large.
    #[error("the file is larger than {}, the most that this page takes", size(*limit))]
    Upload {
        /// The most that is taken.
        limit: u64,
    },
    /// The body stopped coming.
    #[error("the request stopped halfway")]
    Stalled,
    /// The body broke off.
    #[error("the connection broke off before the request was complete")]
    Broken,
    /// An address is not percent-encoded UTF-8.
    #[error("the file's name is not percent-encoded UTF-8")]
    Encoding,
    /// An empty part of a name, `.`, `..`, or one that begins or ends with a space or a dot.
    #[error("part {part} of the file's name is empty, or begins or ends with a dot or a space")]
    NamePart {
        /// Counted from 1.
        part: usize,
    },
    /// A character that some system takes for a separator, or that cannot be seen.
    #[error("part {part} of the file's name has a character that names may not have")]
    NameCharacter {
        /// Counted from 1.
        part: usize,
    },
    /// A name that some systems keep for a device.
    #[error("part {part} of the file's name is the name of a device on some systems")]
    NameDevice {
        /// Counted from 1.
        part: usize,
    },
    /// A part that is too long.
    #[error("part {part} of the file's name is longer than {limit} bytes")]
    NameLong {
        /// Counted from 1.
        part: usize,
        /// The most that is taken.
        limit: usize,
    },
    /// Too many folders.
    #[error("the file's name has more than {limit} parts")]
    NameDeep {
        /// The most that is taken.
        limit: usize,
    },
    /// A folder where a name was expected.
    #[error("a plain name is expected here, without folders")]
    NameFolder,
    /// What is to be explained is no code.
    #[error("no such code")]
    UnknownCode,
    /// No room is left.
    #[error("the disk is full: the file was not kept")]
    Full,
    /// A file cannot be where a folder is, nor the other way round.
    #[error("a file and a folder cannot have the same name")]
    Taken,
    /// The file could not be written.
    #[error("the file could not be written ({0})")]
    Store(io::ErrorKind),
    /// The server is about to end.
    #[error("the program is stopping")]
    Stopping,
    /// A panic of the workbench. What it said may hold a cell, so it is never shown.
    #[error("something happened that should be impossible")]
    Defect,
    /// The workbench's own words.
    #[error("{}", .0.problem.text)]
    Refused(Box<Refusal>),
}

impl Error {
    /// How HTTP says it.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Host { .. } => StatusCode::MISDIRECTED_REQUEST,
            Self::Origin => StatusCode::FORBIDDEN,
            Self::Key | Self::Link => StatusCode::UNAUTHORIZED,
            Self::Address => StatusCode::NOT_FOUND,
            Self::Method => StatusCode::METHOD_NOT_ALLOWED,
            Self::Ticket => StatusCode::GONE,
            Self::Large { .. } | Self::Upload { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Stalled => StatusCode::REQUEST_TIMEOUT,
            Self::Full => StatusCode::INSUFFICIENT_STORAGE,
            Self::Taken => StatusCode::CONFLICT,
            Self::Store(_) | Self::Defect => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Stopping => StatusCode::SERVICE_UNAVAILABLE,
            Self::UnknownCode | Self::Refused(_) => StatusCode::UNPROCESSABLE_ENTITY,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    /// What to do; may be empty.
    fn hint(&self) -> &'static str {
        match self {
            Self::Host { .. } | Self::Origin | Self::Key => {
                "open the link that `mingle serve` printed"
            }
            Self::Link => {
                "press Enter in the terminal where `mingle serve` runs: it prints a new one"
            }
            Self::Ticket => {
                "ask the page for the report again; it is also a file in the release's folder"
            }
            Self::Large { .. } => "give large hierarchies and tables as files",
            Self::Upload { .. } => {
                "leave the table on disk, name its path in a policy and start `mingle serve POLICY`: that has no limit"
            }
            Self::NamePart { .. }
            | Self::NameCharacter { .. }
            | Self::NameDevice { .. }
            | Self::NameLong { .. }
            | Self::NameDeep { .. }
            | Self::NameFolder => "rename the file and drop it again",
            Self::UnknownCode => "`mingle explain` lists all codes, such as MG0103",
            Self::Full => "make room and drop the file again",
            Self::Stopping => "start `mingle serve` again",
            Self::Defect => "nothing was published; please report this, without data",
            _ => "",
        }
    }

    /// For the page. Without a code of their own, refusals of the server go by their HTTP status.
    pub(crate) fn problem(&self) -> ProblemView {
        if let Self::Refused(refusal) = self {
            return refusal.problem.clone();
        }
        let code = match self {
            Self::Defect => ProblemCode::Defect.to_string(),
            Self::UnknownCode => ProblemCode::UnknownCode.to_string(),
            _ => format!("HTTP {}", self.status().as_u16()),
        };
        let (text, hint) = (self.to_string(), self.hint().to_owned());
        ProblemView {
            code,
            text,
            hint,
            excerpt: None,
            line: None,
            column: None,
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self {
            problem: error.problem(),
        }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge => Self::Full,
            io::ErrorKind::IsADirectory
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::AlreadyExists
            | io::ErrorKind::DirectoryNotEmpty => Self::Taken,
            kind => Self::Store(kind),
        }
    }
}

/// Bytes in the largest unit that divides them.
fn size(bytes: u64) -> String {
    [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        .iter()
        .find(|(_, unit)| bytes >= *unit && bytes.is_multiple_of(*unit))
        .map_or_else(
            || format!("{bytes} bytes"),
            |(name, unit)| format!("{} {name}", bytes / unit),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_read_well() {
        assert_eq!(size(1 << 30), "1 GiB");
        assert_eq!(size(5 << 29), "2560 MiB");
        assert_eq!(size(1000), "1000 bytes");
        assert_eq!(size(0), "0 bytes");
    }

    #[test]
    fn a_full_disk_is_told_from_other_failures() {
        let status = |kind: io::ErrorKind| Error::from(io::Error::from(kind)).status().as_u16();
        assert_eq!(status(io::ErrorKind::StorageFull), 507);
        assert_eq!(status(io::ErrorKind::QuotaExceeded), 507);
        assert_eq!(status(io::ErrorKind::IsADirectory), 409);
        assert_eq!(status(io::ErrorKind::PermissionDenied), 500);
    }

    #[test]
    fn the_workbench_keeps_its_words() {
        let problem = ProblemView {
            code: "MG0103".into(),
            text: "unknown key".into(),
            hint: String::new(),
            excerpt: Some("k = 3".into()),
            line: Some(4),
            column: Some(1),
        };
        let error = Error::from(Refusal {
            problem: problem.clone(),
        });
        assert_eq!(error.problem(), problem);
        assert_eq!(error.status().as_u16(), 422);
    }
}
