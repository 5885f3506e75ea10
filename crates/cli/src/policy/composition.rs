//! `[composition]`: which releases are out already, and what their intersection with ours may leave.

use super::columns::DeclaredColumn;
use super::method::{Method, share};
use super::source::Place;
use super::tree::{Node, Value};
use crate::explain::Code;
use crate::message::Problem;
use mingle_anonymize::Ranges;
use mingle_model::Role;
use mingle_privacy::Ratio;
use mingle_privacy::composition::Limits;
use std::path::{Path, PathBuf};

/// What a release is to be laid beside.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The other releases.
    pub against: Vec<Other>,
    /// What is tolerated.
    pub limits: Limits,
    /// Whether groups are changed until the limits hold.
    pub mitigate: bool,
}

/// A release, or a generalized table of another tool.
#[derive(Clone, Debug)]
pub struct Other {
    /// As written.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// The policy that says how to read its labels, where that is not this one.
    pub policy: Option<PathBuf>,
    /// Where it is named.
    pub place: Place,
}

const KEYS: &[&str] = &["against", "max_perfect_breach", "min_posterior", "mitigate", "except_already_exposed"];

impl Composition {
    /// Reads the section; paths are relative to `folder`.
    pub fn read(
        section: &Node,
        folder: &Path,
        columns: &[DeclaredColumn],
        method: &Method,
    ) -> Result<Composition, Problem> {
        let fields = section.fields(KEYS)?;
        if columns.iter().all(|c| c.spec.role != Role::Sensitive) {
            let text = "[composition] is about sensitive columns, and none is declared";
            return Err(section.problem(Code::NoSensitive, text, "give a column role = \"sensitive\""));
        }
        let against = fields.require("against", "against = [\"other-release/\"], the releases that are out")?;
        let against: Vec<Other> = against.list()?.iter().map(|node| other(node, folder)).collect::<Result<_, _>>()?;
        if against.is_empty() {
            let text = "[composition] names no other release";
            return Err(section.problem(Code::MissingKey, text, "name one in `against`, or take the section out"));
        }
        let share = fields.get("max_perfect_breach").map(share).transpose()?;
        let min_posterior = fields.get("min_posterior").map(|node| node.whole(1)).transpose()?;
        // without any limit nothing would be asked
        let strict = share.is_none() && min_posterior.is_none();
        let limits = Limits {
            max_perfect_breach: share.or_else(|| strict.then(|| Ratio::from(0))),
            min_posterior,
            except_already_exposed: flag(fields.get("except_already_exposed"))?,
        };
        let mitigate = flag(fields.get("mitigate"))?;
        if let Some(node) = fields.get("mitigate").filter(|_| mitigate) {
            check_labels(node, method)?;
        }
        Ok(Composition { against, limits, mitigate })
    }
}

fn flag(node: Option<&Node>) -> Result<bool, Problem> {
    node.map_or(Ok(false), Node::boolean)
}

/// A path, or a path with the policy to read it by.
fn other(node: &Node, folder: &Path) -> Result<Other, Problem> {
    let (path, policy) = match &node.value {
        Value::Table(_) => {
            let fields = node.fields(&["path", "policy"])?;
            let path = fields.require("path", "path = \"other-release/\"")?;
            (path, fields.get("policy"))
        }
        _ => (node, None),
    };
    let name = path.text()?.to_owned();
    let policy = policy.map(|node| node.text().map(|text| folder.join(text))).transpose()?;
    Ok(Other { path: folder.join(&name), name, policy, place: path.place.clone() })
}

/// Groups that are united get labels of their own.
fn check_labels(node: &Node, method: &Method) -> Result<(), Problem> {
    match method.ranges {
        Ranges::Tight => Ok(()),
        Ranges::Cell => {
            let text = "mitigate = true does not go with ranges = \"cell\": groups that are united have no cell";
            Err(node.problem(Code::Contradiction, text, "use ranges = \"tight\""))
        }
    }
}
