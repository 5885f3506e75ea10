//! `[dp]`: a release made with noise, what it promises about one person, and the ledger that pays
//! for it.
//!
//! The section stands in place of `[privacy]`. ε, δ and ρ are taken exactly as written. What only a
//! release needs (its kind, the promise, the ledger) may come from the command line instead, so its
//! absence is an error of the command and not of the file.

use super::columns::DeclaredColumn;
use super::folders::Folders;
use super::source::PlaceInPolicy;
use super::tree::{Fields, Node};
use mingle_dp::marginals::MarginalsChoice;
use mingle_dp::{Amount, Epsilon, Guarantee, Request, histogram, marginals, synthetic};
use mingle_model::Role;
use mingle_record::Problem;
use mingle_record::ProblemCode;
use std::path::{Path, PathBuf};

/// What is released with noise.
#[derive(Debug)]
pub struct Dp {
    /// Where the section stands.
    pub place: PlaceInPolicy,
    /// What is released, where the policy says it.
    kind: Option<ReleaseKind>,
    /// What is promised, where the policy says it.
    guarantee: Option<Guarantee>,
    /// The ledger as written, and where it is.
    ledger: Option<(String, PathBuf)>,
    /// The identifier that tells people apart.
    pub person: Option<String>,
    /// The most records of one person.
    pub records_per_person: u64,
    marginals: marginals::MarginalsOptions,
    histogram: histogram::HistogramOptions,
    synthetic: synthetic::SyntheticOptions,
    /// Where each key stands.
    places: Vec<(&'static str, PlaceInPolicy)>,
}

/// Which of the three releases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReleaseKind {
    /// Tables of counts.
    Marginals,
    /// The full table of counts.
    Histogram,
    /// Made-up records.
    Synthetic,
}

impl ReleaseKind {
    /// All of them.
    pub const ALL: [ReleaseKind; 3] = [
        ReleaseKind::Marginals,
        ReleaseKind::Histogram,
        ReleaseKind::Synthetic,
    ];

    /// The word in the policy and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ReleaseKind::Marginals => "marginals",
            ReleaseKind::Histogram => "histogram",
            ReleaseKind::Synthetic => "synthetic",
        }
    }

    /// The keys that no other release has.
    fn keys(self) -> &'static [&'static str] {
        match self {
            ReleaseKind::Marginals => &["marginals", "ways", "select"],
            ReleaseKind::Histogram => &["columns"],
            ReleaseKind::Synthetic => &["rows", "model_cells"],
        }
    }
}

const KEYS: &[&str] = &[
    "release",
    "epsilon",
    "delta",
    "rho",
    "ledger",
    "person",
    "records_per_person",
    "marginals",
    "ways",
    "select",
    "columns",
    "max_cells",
    "rows",
    "model_cells",
];

/// The most records of a person: beyond, noise would drown everything.
const MOST_RECORDS: u64 = 1_000_000;

impl Dp {
    /// Reads the section. A command that asks for another kind than the file does not care for the
    /// keys of the file's.
    pub fn read(
        section: &Node,
        folders: &Folders,
        columns: &[DeclaredColumn],
    ) -> Result<Dp, Problem> {
        let fields = section.fields(KEYS)?;
        let names = published(columns);
        let kind = fields
            .get("release")
            .map(|node| node.choice(&ReleaseKind::ALL.map(|k| (k.name(), k))))
            .transpose()?;
        check_keys(&fields, kind)?;
        let max_cells = fields
            .get("max_cells")
            .map(|node| node.whole(1))
            .transpose()?;
        let mut dp = Dp {
            place: section.place.clone(),
            kind,
            guarantee: guarantee(&fields)?,
            ledger: fields
                .get("ledger")
                .map(|node| ledger(node, folders))
                .transpose()?,
            person: fields
                .get("person")
                .map(|node| person(node, columns))
                .transpose()?,
            records_per_person: fields.get("records_per_person").map_or(Ok(1), records)?,
            marginals: marginals::MarginalsOptions::default(),
            histogram: histogram::HistogramOptions::default(),
            synthetic: synthetic::SyntheticOptions::default(),
            places: KEYS
                .iter()
                .filter_map(|&key| Some((key, fields.get(key)?.place.clone())))
                .collect(),
        };
        dp.marginals.choice = choice(&fields, &names)?.unwrap_or(dp.marginals.choice);
        dp.marginals.most_cells = max_cells.unwrap_or(dp.marginals.most_cells);
        dp.histogram.attributes = fields
            .get("columns")
            .map_or(Ok(Vec::new()), |node| set(node, &names, names.len()))?;
        dp.histogram.most_cells = max_cells.unwrap_or(dp.histogram.most_cells);
        dp.synthetic.rows = fields.get("rows").map(|node| node.whole(1)).transpose()?;
        dp.synthetic.model_cells = fields
            .get("model_cells")
            .map_or(Ok(dp.synthetic.model_cells), |n| n.whole(1))?;
        Ok(dp)
    }

    /// What is to be released.
    pub fn request(&self) -> Result<Request, Problem> {
        match self.kind {
            Some(ReleaseKind::Marginals) => Ok(Request::Marginals(self.marginals.clone())),
            Some(ReleaseKind::Histogram) => Ok(Request::Histogram(self.histogram.clone())),
            Some(ReleaseKind::Synthetic) => Ok(Request::Synthetic(self.synthetic.clone())),
            None => Err(self.lacks(
                "release",
                "add release = \"synthetic\", \"marginals\" or \"histogram\"",
            )),
        }
    }

    /// What is promised about one person.
    pub fn guarantee(&self) -> Result<Guarantee, Problem> {
        self.guarantee.ok_or_else(|| {
            self.lacks(
                "epsilon",
                "add epsilon = 1 (and delta = 1e-9 for Gaussian noise), or rho = 0.015",
            )
        })
    }

    /// The ledger as written, and where it is.
    pub fn ledger(&self) -> Result<(&str, &Path), Problem> {
        let ledger = self
            .ledger
            .as_ref()
            .map(|(name, path)| (name.as_str(), path.as_path()));
        ledger.ok_or_else(|| {
            let text = "[dp] names no ledger, which keeps account of what is spent on this data set";
            let hint = "create one with `mingle dp budget FILE --create --epsilon 1 --delta 1e-9`, and add \
                        ledger = \"FILE\"";
            self.place.problem(ProblemCode::NoLedger, text, hint)
        })
    }

    /// A problem at the first of these keys that is there, or else with the section.
    pub fn problem(
        &self,
        keys: &[&str],
        code: ProblemCode,
        text: impl AsRef<str>,
        hint: impl Into<String>,
    ) -> Problem {
        let place = keys
            .iter()
            .find_map(|key| self.places.iter().find(|(known, _)| known == key));
        place
            .map_or(&self.place, |(_, place)| place)
            .problem(code, text, hint)
    }

    fn lacks(&self, key: &str, hint: &str) -> Problem {
        self.place.problem(
            ProblemCode::MissingKey,
            format!("`dp.{key}` is missing"),
            hint,
        )
    }
}

/// The columns that a release has, in the order of its attributes.
fn published(columns: &[DeclaredColumn]) -> Vec<&str> {
    let kept = columns
        .iter()
        .filter(|column| column.spec.role.is_published());
    kept.map(|column| column.spec.name.as_str()).collect()
}

/// A key of another release than the one that is asked for has no effect.
fn check_keys(fields: &Fields<'_>, kind: Option<ReleaseKind>) -> Result<(), Problem> {
    let Some((kind, node)) = kind
        .zip(fields.get("release"))
        .filter(|(_, node)| !node.place.is_flag())
    else {
        return Ok(());
    };
    let of_others = ReleaseKind::ALL
        .into_iter()
        .filter(|&other| other != kind)
        .flat_map(ReleaseKind::keys);
    let useless = of_others
        .copied()
        .chain((kind == ReleaseKind::Synthetic).then_some("max_cells"));
    match useless.into_iter().find_map(|key| fields.entry(key)) {
        None => Ok(()),
        Some(entry) => {
            let text = format!(
                "`{}` has no effect on {} = \"{}\"",
                entry.node.path,
                node.path,
                kind.name()
            );
            Err(entry.place.problem(
                ProblemCode::UselessKey,
                text,
                "remove it, or change `release`",
            ))
        }
    }
}

fn guarantee(fields: &Fields<'_>) -> Result<Option<Guarantee>, Problem> {
    let [epsilon, delta, rho] = ["epsilon", "delta", "rho"].map(|key| fields.get(key));
    if let (Some(rho), Some(other)) = (rho, epsilon.or(delta)) {
        let text = format!("both `{}` and `{}` are given", rho.path, other.path);
        return Err(rho.problem(
            ProblemCode::Contradiction,
            text,
            "keep rho alone, or epsilon with or without delta",
        ));
    }
    if let Some(node) = rho {
        return Ok(Some(Guarantee::Concentrated {
            rho: positive(node)?,
        }));
    }
    let Some(epsilon) = epsilon else {
        return match delta {
            None => Ok(None),
            Some(delta) => Err(delta.problem(
                ProblemCode::MissingKey,
                "`dp.delta` needs `dp.epsilon`",
                "add epsilon = 1",
            )),
        };
    };
    let epsilon = Epsilon(positive(epsilon)?);
    match delta
        .map(below_one)
        .transpose()?
        .filter(|delta| !delta.is_zero())
    {
        None => Ok(Some(Guarantee::Pure { epsilon })),
        Some(delta) => Ok(Some(Guarantee::Approximate { epsilon, delta })),
    }
}

fn positive(node: &Node) -> Result<Amount, Problem> {
    Amount::parse(node.digits()?)
        .filter(|amount| !amount.is_zero())
        .ok_or_else(|| {
            let text = format!(
                "`{}` must be above 0 and at most {}, with at most 30 decimal places",
                node.path,
                Amount::MAX
            );
            // what epsilon_of says at a δ of a billionth
            let common = if node.path.ends_with("rho") {
                "0.015 is about epsilon = 1 at delta = 1e-9"
            } else {
                "1 is a common choice"
            };
            node.problem(
                ProblemCode::OutOfRange,
                text,
                format!("{common}; smaller protects better and costs precision"),
            )
        })
}

fn below_one(node: &Node) -> Result<Amount, Problem> {
    let one = Amount::parse("1").expect("one is an amount");
    Amount::parse(node.digits()?).filter(|&amount| amount < one).ok_or_else(|| {
        let text = format!("`{}` must be 0 or more and below 1, with at most 30 decimal places", node.path);
        node.problem(
            ProblemCode::OutOfRange,
            text,
            "delta is a probability about which nothing is promised: keep it far below 1 in the number of people",
        )
    })
}

fn ledger(node: &Node, folders: &Folders) -> Result<(String, PathBuf), Problem> {
    let name = node.text()?;
    // a flag is typed in the folder that the program was started in
    let path = if node.place.is_own_flag("--ledger") {
        PathBuf::from(name)
    } else {
        folders.find(name)
    };
    if name.is_empty() {
        Err(node.problem(
            ProblemCode::WrongValue,
            format!("`{}` is empty", node.path),
            "name a file",
        ))
    } else {
        Ok((name.to_owned(), path))
    }
}

fn person(node: &Node, columns: &[DeclaredColumn]) -> Result<String, Problem> {
    let name = node.text()?;
    let role = columns
        .iter()
        .find(|column| column.spec.name == name)
        .map(|column| column.spec.role);
    match role {
        Some(Role::Identifier) => Ok(name.to_owned()),
        Some(role) => {
            let text = format!(
                "`{}` is column `{name}`, whose role is {}",
                node.path,
                role.name()
            );
            Err(node.problem(
                ProblemCode::Contradiction,
                text,
                "name a column with role = \"identifier\"",
            ))
        }
        None => {
            let text = format!("`{}`: there is no column `{name}` in [columns]", node.path);
            Err(node.problem(
                ProblemCode::MissingKey,
                text,
                "declare it with role = \"identifier\"",
            ))
        }
    }
}

fn records(node: &Node) -> Result<u64, Problem> {
    let records = node.whole(1)?;
    if records <= MOST_RECORDS {
        Ok(records)
    } else {
        let text = format!("`{}` must be at most {MOST_RECORDS}", node.path);
        Err(node.problem(
            ProblemCode::OutOfRange,
            text,
            "noise grows with it: records beyond the bound are left out",
        ))
    }
}

/// Which tables of counts.
fn choice(fields: &Fields<'_>, names: &[&str]) -> Result<Option<MarginalsChoice>, Problem> {
    let given: Vec<&Node> = ReleaseKind::Marginals
        .keys()
        .iter()
        .filter_map(|key| fields.get(key))
        .collect();
    if let [first, second, ..] = given[..] {
        let text = format!("both `{}` and `{}` are given", first.path, second.path);
        return Err(second.problem(ProblemCode::Contradiction, text, "keep one of them"));
    }
    let ways = |node: &Node| match node.whole(1)? {
        ways @ 1..=3 => Ok(ways as usize),
        _ => {
            let text = format!("`{}` must be 1, 2 or 3", node.path);
            Err(node.problem(
                ProblemCode::OutOfRange,
                text,
                "larger tables drown in noise",
            ))
        }
    };
    if let Some(node) = fields.get("ways") {
        return ways(node).map(MarginalsChoice::All).map(Some);
    }
    if let Some(node) = fields.get("select") {
        return ways(node).map(MarginalsChoice::Selected).map(Some);
    }
    fields
        .get("marginals")
        .map(|node| named(node, names))
        .transpose()
}

fn named(node: &Node, names: &[&str]) -> Result<MarginalsChoice, Problem> {
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for item in node.list()? {
        let set = set(item, names, 3)?;
        if sets.contains(&set) {
            let text = format!("`{}` lists a table twice", node.path);
            return Err(item.problem(
                ProblemCode::ListedTwice,
                text,
                "list every table once, its columns in any order",
            ));
        }
        sets.push(set);
    }
    if sets.is_empty() {
        Err(node.problem(
            ProblemCode::WrongValue,
            format!("`{}` is empty", node.path),
            "list at least one table",
        ))
    } else {
        Ok(MarginalsChoice::Named(sets))
    }
}

/// Columns by their place, ascending.
fn set(node: &Node, names: &[&str], most: usize) -> Result<Vec<usize>, Problem> {
    let mut places = Vec::new();
    for item in node.list()? {
        let name = item.text()?;
        let place = names
            .iter()
            .position(|known| *known == name)
            .ok_or_else(|| {
                let text = format!("`{}`: there is no column `{name}` to release", item.path);
                item.problem(
                    ProblemCode::UnknownWord,
                    text,
                    format!("one of: {}", names.join(", ")),
                )
            })?;
        if places.contains(&place) {
            let text = format!("`{}` lists column `{name}` twice", item.path);
            return Err(item.problem(ProblemCode::ListedTwice, text, "list every column once"));
        }
        places.push(place);
    }
    places.sort_unstable();
    if (1..=most).contains(&places.len()) {
        Ok(places)
    } else {
        let text = format!(
            "`{}` needs one to {most} columns, and has {}",
            node.path,
            places.len()
        );
        Err(node.problem(
            ProblemCode::OutOfRange,
            text,
            "write a list of names of columns",
        ))
    }
}
