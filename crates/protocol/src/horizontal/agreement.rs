//! The first round: who states what, and whether it is the same everywhere.

use super::setup::{CheckedRun, RunTask};
use crate::error::{Error, Violation};
use crate::frame::Kind;
use crate::terms::printable;
use serde::{Deserialize, Serialize};

/// The version of the protocol between n providers.
pub const HORIZONTAL_VERSION: u16 = 2;

/// What a provider states before anything that depends on data is sent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Statement {
    version: u16,
    seat: usize,
    name: String,
    /// Each parameter with its value.
    terms: Vec<(String, String)>,
    columns: Vec<StatedColumn>,
    /// Hides the rows; they stay fixed, though nobody can enforce it.
    rows: [u8; 32],
    /// For the masks of this run alone.
    pub(crate) mask_key: [u8; 32],
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatedColumn {
    name: String,
    role: String,
    kind: String,
    size: usize,
    values: [u8; 32],
    hierarchy: [u8; 32],
}

impl Statement {
    pub(crate) fn new(run: &CheckedRun, mask_key: [u8; 32], nonce: &[u8; 32]) -> Statement {
        let setup = &run.setup;
        let mut columns = Vec::new();
        for column in setup.schema.columns() {
            columns.push(StatedColumn {
                name: column.spec.name.clone(),
                role: column.spec.role.name().to_owned(),
                kind: column.domain.kind().name().to_owned(),
                size: column.domain.len(),
                values: column.values_digest(),
                hierarchy: column.hierarchy_digest(),
            });
        }
        let mut terms = setup.terms.stated();
        terms.push(("the task".to_owned(), task(&setup.task)));
        // the manifest names the version: two of them would come to two releases, at the very end
        let version = env!("CARGO_PKG_VERSION").to_owned();
        terms.push(("the program's version".to_owned(), version));
        let rows = match &setup.task {
            RunTask::Noisy(task) => {
                terms.extend(task.stated());
                task.commitment(nonce)
            }
            _ => setup.rows.commitment(nonce),
        };
        Statement {
            version: HORIZONTAL_VERSION,
            seat: setup.seat,
            name: run.members.name(setup.seat),
            terms,
            columns,
            rows,
            mask_key,
        }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("string keys only")
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Statement, Violation> {
        serde_json::from_slice(bytes).map_err(|_| Violation::Malformed {
            kind: Kind::Hello.name(),
        })
    }

    /// The first difference to what the provider of a seat states.
    pub(crate) fn compare(&self, seat: usize, theirs: &Statement, name: &str) -> Result<(), Error> {
        let differs = |what: String, here: String, there: &str| Error::ProviderDiffers {
            provider: name.to_owned(),
            what,
            here,
            there: printable(there),
        };
        if self.version != theirs.version {
            return Err(Error::Version {
                here: self.version,
                there: theirs.version,
            });
        }
        if theirs.seat != seat || theirs.name != name {
            return Err(Error::Provider {
                provider: name.to_owned(),
                violation: Violation::WrongSeat,
            });
        }
        self.compare_columns(theirs, &differs)?;
        for (at, (what, here)) in self.terms.iter().enumerate() {
            let there = theirs.terms.get(at).filter(|(other, _)| other == what);
            match there {
                Some((_, there)) if there == here => {}
                Some((_, there)) => return Err(differs(what.clone(), here.clone(), there)),
                None => return Err(differs(what.clone(), here.clone(), "nothing")),
            }
        }
        if theirs.terms.len() != self.terms.len() {
            return Err(differs(
                "the number of parameters".to_owned(),
                String::new(),
                "",
            ));
        }
        Ok(())
    }

    fn compare_columns(
        &self,
        theirs: &Statement,
        differs: &dyn Fn(String, String, &str) -> Error,
    ) -> Result<(), Error> {
        let names = |s: &Statement| {
            let names: Vec<&str> = s.columns.iter().map(|c| c.name.as_str()).collect();
            names.join(", ")
        };
        if names(self) != names(theirs) {
            return Err(differs(
                "the columns".to_owned(),
                names(self),
                &names(theirs),
            ));
        }
        for (here, there) in self.columns.iter().zip(&theirs.columns) {
            let of = |what: &str| format!("{what} of column {}", printable(&here.name));
            let described = |c: &StatedColumn| format!("{} {}", c.kind, c.role);
            if described(here) != described(there) {
                return Err(differs(
                    of("the role or kind"),
                    described(here),
                    &described(there),
                ));
            }
            if here.size != there.size || here.values != there.values {
                let values = |c: &StatedColumn| format!("{} values, {}", c.size, digest(&c.values));
                return Err(differs(
                    of("the declared values"),
                    values(here),
                    &values(there),
                ));
            }
            if here.hierarchy != there.hierarchy {
                let (here, there) = (digest(&here.hierarchy), digest(&there.hierarchy));
                return Err(differs(of("the hierarchy"), here, &there));
            }
        }
        Ok(())
    }
}

/// What the run is for, with a digest of what is public about it.
fn task(task: &RunTask) -> String {
    match task {
        RunTask::Publish => "publish".to_owned(),
        RunTask::Verify(existing) => format!("verify, {}", digest(&existing.public_digest())),
        RunTask::Count(tables) => format!("count, {}", digest(&tables.public_digest())),
        RunTask::Noisy(task) => format!("{} with noise", task.request.name()),
    }
}

/// Enough of a digest to compare by eye.
fn digest(bytes: &[u8; 32]) -> String {
    let start: String = bytes[..8].iter().map(|b| format!("{b:02x}")).collect();
    format!("digest {start}…")
}
