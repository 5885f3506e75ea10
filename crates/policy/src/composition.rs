//! `[composition]`: which releases are out already, others' and earlier versions of our own, and
//! what they may leave together with ours.

use super::columns::DeclaredColumn;
use super::folders::Folders;
use super::method::{ChosenMethod, share};
use super::source::PlaceInPolicy;
use super::tree::{Fields, Node, Value};
use mingle_anonymize::{GroupRepresentative, Ranges};
use mingle_model::Role;
use mingle_privacy::Ratio;
use mingle_privacy::composition::CompositionLimits;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use std::path::PathBuf;

/// What a release is to be laid beside.
#[derive(Clone, Debug)]
pub struct Composition {
    /// The other releases.
    pub against: Vec<Other>,
    /// The earlier versions of the same table.
    pub history: Option<OwnHistory>,
    /// What is tolerated.
    pub limits: CompositionLimits,
    /// The largest share of our rows that may fit no group of another release.
    pub max_alone: Ratio,
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
    pub place: PlaceInPolicy,
}

/// The history of a table, and who is who in it.
#[derive(Clone, Debug)]
pub struct OwnHistory {
    /// As written.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// The identifier that tells people apart.
    pub person: String,
    /// Where it is named.
    pub place: PlaceInPolicy,
}

const KEYS: &[&str] = &[
    "against",
    "history",
    "person",
    "max_perfect_breach",
    "min_posterior",
    "max_alone",
    "mitigate",
    "except_already_exposed",
];

impl Composition {
    /// Reads the section; paths are found in `folders`.
    pub fn read(
        section: &Node,
        folders: &Folders,
        columns: &[DeclaredColumn],
        method: &ChosenMethod,
    ) -> Result<Composition, Problem> {
        let fields = section.fields(KEYS)?;
        if columns.iter().all(|c| c.spec.role != Role::Sensitive) {
            let text = "[composition] is about sensitive columns, and none is declared";
            return Err(section.problem(
                ProblemCode::NoSensitive,
                text,
                "give a column role = \"sensitive\"",
            ));
        }
        let history = own_history(&fields, folders, columns)?;
        let against: Vec<Other> = match fields.get("against") {
            Some(list) => list
                .list()?
                .iter()
                .map(|node| other(node, folders))
                .collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        if against.is_empty() && history.is_none() {
            let text = "[composition] names no other release";
            let hint =
                "name one, against = [\"other-release/\"], or a history, or remove the section";
            return Err(section.problem(ProblemCode::MissingKey, text, hint));
        }
        let share = fields.get("max_perfect_breach").map(share).transpose()?;
        let min_posterior = fields
            .get("min_posterior")
            .map(|node| node.whole(1))
            .transpose()?;
        // without any limit nothing would be asked
        let strict = share.is_none() && min_posterior.is_none();
        let limits = CompositionLimits {
            max_perfect_breach: share.or_else(|| strict.then(|| Ratio::from(0))),
            min_posterior,
            except_already_exposed: flag(fields.get("except_already_exposed"))?,
        };
        let half = || Ratio::new(1, 2).expect("two is not zero");
        let max_alone = fields
            .get("max_alone")
            .map(self::share)
            .transpose()?
            .unwrap_or_else(half);
        let mitigate = flag(fields.get("mitigate"))?;
        if let Some(node) = fields.get("mitigate").filter(|_| mitigate) {
            check_labels(node, method)?;
        }
        Ok(Composition {
            against,
            history,
            limits,
            max_alone,
            mitigate,
        })
    }
}

/// `history` and `person` go together, and the person is an identifier.
fn own_history(
    fields: &Fields<'_>,
    folders: &Folders,
    columns: &[DeclaredColumn],
) -> Result<Option<OwnHistory>, Problem> {
    let Some(node) = fields.get("history") else {
        return match fields.get("person") {
            None => Ok(None),
            Some(person) => {
                let text = "`composition.person` says who is who in a history, and none is named";
                Err(person.problem(
                    ProblemCode::UselessKey,
                    text,
                    "add history = \"history/\", or take `person` out",
                ))
            }
        };
    };
    let person = fields.require(
        "person",
        "person = \"COLUMN\", the identifier that tells people apart",
    )?;
    let column = person.text()?;
    let identifiers = || {
        columns
            .iter()
            .filter(|c| c.spec.role == Role::Identifier)
            .map(|c| c.spec.name.as_str())
    };
    if !identifiers().any(|name| name == column) {
        let text =
            format!("`composition.person`: {column:?} is not a column with role = \"identifier\"");
        let hint = match identifiers().collect::<Vec<_>>().as_slice() {
            [] => "declare the column that names people with role = \"identifier\"".to_owned(),
            names => format!("identifiers: {}", names.join(", ")),
        };
        return Err(person.problem(ProblemCode::UnknownWord, text, hint));
    }
    let name = node.text()?.to_owned();
    let (path, person) = (folders.find(&name), column.to_owned());
    Ok(Some(OwnHistory {
        name,
        path,
        person,
        place: node.place.clone(),
    }))
}

fn flag(node: Option<&Node>) -> Result<bool, Problem> {
    node.map_or(Ok(false), Node::boolean)
}

/// A path, or a path with the policy to read it by.
fn other(node: &Node, folders: &Folders) -> Result<Other, Problem> {
    let (path, policy) = match &node.value {
        Value::Table(_) => {
            let fields = node.fields(&["path", "policy"])?;
            let path = fields.require("path", "path = \"other-release/\"")?;
            (path, fields.get("policy"))
        }
        _ => (node, None),
    };
    let name = path.text()?.to_owned();
    let policy = policy
        .map(|node| node.text().map(|text| folders.find(text)))
        .transpose()?;
    Ok(Other {
        path: folders.find(&name),
        name,
        policy,
        place: path.place.clone(),
    })
}

/// Groups that are united get tight labels.
fn check_labels(node: &Node, method: &ChosenMethod) -> Result<(), Problem> {
    let (text, hint) = match (method.ranges, method.output) {
        (Ranges::Tight, GroupRepresentative::Range) => return Ok(()),
        (Ranges::Cell, _) => (
            "mitigate = true does not go with ranges = \"cell\": groups that are united have no cell",
            "use ranges = \"tight\"",
        ),
        (_, GroupRepresentative::Centroid) => (
            "mitigate = true does not go with output = \"centroid\": groups that are changed are published by ranges",
            "use output = \"range\"",
        ),
    };
    Err(node.problem(ProblemCode::Contradiction, text, hint))
}
