//! `domain = …` of a column: which values it can have, said before anybody looks at the data.
//!
//! A domain is public. Words are listed or are the labels of a hierarchy file's level; numbers and
//! days lie in bins of a grid between two bounds. The kind follows from the declaration and never
//! from the data: words are categories, quoted days are dates, numbers written without a point are
//! integers unless `kind` says decimal. Only `[dp]` looks at a column through its domain; with
//! `[privacy]` it is kept, so that one file serves both.

use super::source::PlaceInPolicy;
use super::tree::{Fields, Node, Value};
use mingle_dp::universe::DomainProblem;
use mingle_dp::{Bins, DeclaredValues};
use mingle_model::{Kind, Missing, Number, date};
use mingle_record::Problem;
use mingle_record::ProblemCode;

/// A public domain as declared.
#[derive(Clone, Debug)]
pub struct DeclaredDomain {
    /// Where it stands.
    pub place: PlaceInPolicy,
    /// The declared values.
    pub form: Form,
    /// What stands for every value that is not declared.
    pub other: Option<String>,
    /// Whether missing values are part of it.
    pub missing: bool,
    /// Whether somebody vouches for its being public; a proposal that was read off the data is not
    /// confirmed.
    pub confirmed: bool,
}

/// How values are declared.
#[derive(Clone, Debug)]
pub enum Form {
    /// Listed words.
    Words(DeclaredValues),
    /// Numbers or days in bins.
    Bins(Kind, Bins),
    /// The labels at a level of the column's hierarchy file; 0 are its leaves.
    Level(usize),
}

const KEYS: &[&str] = &[
    "values",
    "from",
    "to",
    "width",
    "bins",
    "edges",
    "private_bins",
    "level",
    "step",
    "other",
    "missing",
    "confirmed",
];
/// Of these exactly one says what the values are.
const FORMS: &[&str] = &["values", "width", "bins", "edges", "private_bins", "level"];
const EXAMPLE: &str = "write [\"a\", \"b\"], \"hierarchy\", { values = [\"a\", \"b\"], other = \"Other\" }, \
                       { from = 0, to = 120, width = 10 } or { edges = [0, 18, 65, 120] }";
/// Numbers beyond would not survive arithmetic on them.
const LARGEST: i128 = 1 << 60;

impl DeclaredDomain {
    /// Reads a declaration; `kind` is what the column's entry says.
    pub fn read(node: &Node, kind: Option<Kind>) -> Result<DeclaredDomain, Problem> {
        let of = |form: Form| DeclaredDomain {
            place: node.place.clone(),
            form,
            other: None,
            missing: false,
            confirmed: true,
        };
        let domain = match &node.value {
            Value::Text(_) => of(Form::Level(node.choice(&[("hierarchy", 0)])?)),
            Value::List(_) => of(words(node)?),
            Value::Table(_) => {
                let fields = node.fields(KEYS)?;
                DeclaredDomain {
                    other: fields.get("other").map(word).transpose()?,
                    missing: fields.get("missing").map_or(Ok(false), Node::boolean)?,
                    confirmed: fields.get("confirmed").map_or(Ok(true), Node::boolean)?,
                    ..of(form(&fields, kind)?)
                }
            }
            _ => return Err(unusable(node, "must say which values there are")),
        };
        domain.check_kind(node, kind)?;
        domain.check_other(node)?;
        Ok(domain)
    }

    /// The kind of the column's values.
    pub fn kind(&self) -> Kind {
        match self.form {
            Form::Bins(kind, _) => kind,
            Form::Words(_) | Form::Level(_) => Kind::Category,
        }
    }

    fn check_kind(&self, node: &Node, declared: Option<Kind>) -> Result<(), Problem> {
        match declared.filter(|&kind| kind != self.kind()) {
            None => Ok(()),
            Some(kind) => {
                let (kind, found) = (kind.name(), self.kind().name());
                let text = format!(
                    "kind = \"{kind}\", but `{}` is a domain of kind {found}",
                    node.path
                );
                Err(node.problem(
                    ProblemCode::Contradiction,
                    text,
                    "take `kind` out, or change the domain",
                ))
            }
        }
    }

    /// Whoever reads the release must be able to tell `other` from a value.
    fn check_other(&self, node: &Node) -> Result<(), Problem> {
        let Some(other) = &self.other else {
            return Ok(());
        };
        let is_value = match &self.form {
            Form::Words(DeclaredValues::Categories { labels, .. }) => labels.contains(other),
            // in tables of counts a bin is called [10-19]
            Form::Bins(kind, bins) => is_inside(*kind, bins, other) || other.starts_with('['),
            _ => false,
        };
        if is_value {
            Err(unusable(node, "has an `other` that is one of its values"))
        } else {
            Ok(())
        }
    }

    /// A text that means "no value" never reaches a declared word of the same spelling; and where
    /// missing values are published, a reader must be able to tell theirs from a number.
    pub fn check_missing(
        &self,
        column: &str,
        values: &DeclaredValues,
        missing: &Missing,
    ) -> Result<(), Problem> {
        let hint =
            "take it out of the domain and set missing = true in it, or change `missing` in [data]";
        let problem =
            |text: String| Err(self.place.problem(ProblemCode::DomainUnusable, text, hint));
        let at = match values {
            DeclaredValues::Categories { labels, .. } => {
                labels.iter().position(|label| missing.contains(label))
            }
            DeclaredValues::Bins(_) => None,
        };
        if let Some(at) = at {
            let place = at + 1;
            return problem(format!(
                "column `{column}`: the value at place {place} stands for a missing one in [data]"
            ));
        }
        let inside = |text: &String| matches!(values, DeclaredValues::Bins(bins) if is_inside(self.kind(), bins, text));
        if self.missing && missing.texts().iter().any(inside) {
            return problem(format!(
                "column `{column}`: a text that stands for a missing value in [data] lies inside of the bounds"
            ));
        }
        if self
            .other
            .as_ref()
            .is_some_and(|other| missing.contains(other))
        {
            problem(format!(
                "column `{column}`: `other` stands for a missing value in [data]"
            ))
        } else {
            Ok(())
        }
    }

    /// A problem with the declaration of a column.
    pub fn problem(&self, column: &str, problem: &DomainProblem) -> Problem {
        let text = format!("the domain of column `{column}`: {problem}");
        self.place.problem(
            ProblemCode::DomainUnusable,
            text,
            "see `mingle explain MG0122`",
        )
    }
}

/// Whether a text is a number or a day within the bounds.
fn is_inside(kind: Kind, bins: &Bins, text: &str) -> bool {
    let value = Grid {
        kind,
        scale: bins.scale,
        step: bins.step,
    }
    .read(text);
    value.is_some_and(|value| {
        bins.starts.first().is_some_and(|&lowest| lowest <= value) && value <= bins.last
    })
}

/// The values of a table.
fn form(fields: &Fields<'_>, kind: Option<Kind>) -> Result<Form, Problem> {
    let node = fields.node;
    let given: Vec<&str> = FORMS
        .iter()
        .copied()
        .filter(|key| fields.get(key).is_some())
        .collect();
    let form = match given[..] {
        [] if fields.get("from").is_some() => {
            return Err(unusable(node, "needs `width`, `bins` or `private_bins`"));
        }
        [] => return Err(unusable(node, "must say which values there are")),
        [form] => form,
        [first, second, ..] => {
            return Err(unusable(
                node,
                &format!("has both `{first}` and `{second}`"),
            ));
        }
    };
    let useless: &[&str] = match form {
        "values" | "level" => &["from", "to", "step"],
        "edges" => &["from", "to"],
        _ => &[],
    };
    if let Some(entry) = useless.iter().find_map(|key| fields.entry(key)) {
        let text = format!("`{}` does not go with `{form}`", entry.node.path);
        return Err(entry
            .place
            .problem(ProblemCode::UselessKey, text, "take it out"));
    }
    let value = fields.require(form, EXAMPLE)?;
    match form {
        "values" => words(value),
        "level" => Ok(Form::Level(
            usize::try_from(value.whole(0)?).unwrap_or(usize::MAX),
        )),
        "edges" => edges(fields, value, kind),
        _ => between(fields, form, value, kind),
    }
}

fn words(node: &Node) -> Result<Form, Problem> {
    let words = node.list()?.iter().map(word).collect::<Result<_, _>>()?;
    DeclaredValues::categories(words)
        .map(Form::Words)
        .map_err(|problem| broken(node, &problem))
}

fn word(node: &Node) -> Result<String, Problem> {
    node.text().map(str::to_owned)
}

fn edges(fields: &Fields<'_>, node: &Node, kind: Option<Kind>) -> Result<Form, Problem> {
    let list: Vec<&Node> = node.list()?.iter().collect();
    let grid = Grid::of(&list, None, fields.get("step"), kind)?;
    let mut starts: Vec<i128> = list
        .iter()
        .map(|edge| grid.value(edge))
        .collect::<Result<_, _>>()?;
    let (Some(last), Some(&first)) = (starts.pop(), starts.first()) else {
        return Err(unusable(
            node,
            "needs two edges at least, the lowest and the highest value",
        ));
    };
    starts
        .iter()
        .chain([&last])
        .try_for_each(|edge| grid.check(node, edge - first))?;
    let bins =
        Bins::new(grid.scale, grid.step, starts, last).map_err(|problem| broken(node, &problem))?;
    Ok(Form::Bins(grid.kind, bins))
}

/// Bins of a width, a number of bins, or a number of bins that a noisy look at the data finds.
fn between(
    fields: &Fields<'_>,
    form: &str,
    value: &Node,
    kind: Option<Kind>,
) -> Result<Form, Problem> {
    let from = fields.require("from", "from, the lowest value")?;
    let to = fields.require("to", "to, the highest value")?;
    let width = (form == "width").then_some(value);
    let grid = Grid::of(&[from, to], width, fields.get("step"), kind)?;
    let (low, high) = (grid.value(from)?, grid.value(to)?);
    if low >= high {
        return Err(unusable(from, &format!("must be below `{}`", to.path)));
    }
    grid.check(to, high - low)?;
    let count = || {
        value
            .whole(1)
            .map(|count| usize::try_from(count).unwrap_or(usize::MAX))
    };
    let Grid { scale, step, .. } = grid;
    let bins = match form {
        "width" => {
            let width = grid.distance(value)?;
            above_zero(value, width)?;
            grid.check(value, width)?;
            Bins::of_width(scale, step, low, high, width)
        }
        "bins" => Bins::of_count(scale, step, low, high, count()?),
        _ => Bins::to_be_found(scale, step, low, high, count()?),
    };
    bins.map(|bins| Form::Bins(grid.kind, bins))
        .map_err(|problem| broken(value, &problem))
}

/// Where numbers or days can lie.
#[derive(Clone, Copy)]
struct Grid {
    kind: Kind,
    /// Decimal places.
    scale: u8,
    step: i128,
}

impl Grid {
    /// As fine as the numbers are written, or as `step` says.
    fn of(
        bounds: &[&Node],
        width: Option<&Node>,
        step: Option<&Node>,
        kind: Option<Kind>,
    ) -> Result<Grid, Problem> {
        let days = bounds
            .iter()
            .any(|bound| matches!(bound.value, Value::Text(_) | Value::Time));
        let distances = || width.into_iter().chain(step);
        let scale = if days {
            0
        } else {
            bounds
                .iter()
                .copied()
                .chain(distances())
                .map(places)
                .try_fold(0, |all, one| one.map(|n| n.max(all)))?
        };
        let kind = match (days, scale) {
            (true, _) => Kind::Date,
            (false, 0) if kind != Some(Kind::Decimal) => Kind::Integer,
            _ => Kind::Decimal,
        };
        let mut grid = Grid {
            kind,
            scale,
            step: 1,
        };
        if let Some(node) = step {
            grid.step = grid.distance(node)?;
            above_zero(node, grid.step)?;
        }
        Ok(grid)
    }

    fn read(self, text: &str) -> Option<i128> {
        match self.kind {
            Kind::Date => date::parse(text).map(i128::from),
            _ => Number::parse(text)?.at_scale(self.scale),
        }
    }

    /// A bound or an edge.
    fn value(self, node: &Node) -> Result<i128, Problem> {
        match (self.kind, &node.value) {
            (Kind::Date, Value::Text(day)) => self.read(day).ok_or_else(|| {
                let text = format!("`{}` is no day", node.path);
                node.problem(
                    ProblemCode::WrongValue,
                    text,
                    "write days in quotes, such as \"2001-03-02\"",
                )
            }),
            (Kind::Date, _) => Err(node.wrong("a day in quotes, such as \"2001-03-02\"")),
            _ => self.number(node),
        }
    }

    /// A width or a step; that of days is a number of days.
    fn distance(self, node: &Node) -> Result<i128, Problem> {
        match self.kind {
            Kind::Date => node.whole(1).map(i128::from),
            _ => self.number(node),
        }
    }

    fn number(self, node: &Node) -> Result<i128, Problem> {
        let number = node
            .number()?
            .at_scale(self.scale)
            .filter(|value| value.abs() <= LARGEST);
        number.ok_or_else(|| {
            let text = format!(
                "`{}` is too large for the decimal places of this domain",
                node.path
            );
            node.problem(
                ProblemCode::OutOfRange,
                text,
                "write smaller numbers, or fewer decimal places",
            )
        })
    }

    /// Distances are whole numbers of steps, or bins would end between two values.
    fn check(self, node: &Node, distance: i128) -> Result<(), Problem> {
        if distance % self.step == 0 {
            Ok(())
        } else {
            Err(unusable(node, "must be a whole number of steps away"))
        }
    }
}

fn above_zero(node: &Node, distance: i128) -> Result<(), Problem> {
    if distance > 0 {
        Ok(())
    } else {
        Err(unusable(node, "must be above zero"))
    }
}

/// The decimal places that a number is written with.
fn places(node: &Node) -> Result<u8, Problem> {
    let scale = node.number()?.scale;
    let written = match &node.value {
        Value::Float(text) if !text.contains(['e', 'E']) => {
            text.split_once('.').map_or(0, |(_, behind)| behind.len())
        }
        _ => 0,
    };
    Ok(scale.max(u8::try_from(written).unwrap_or(0).min(Number::MAX_SCALE)))
}

fn unusable(node: &Node, what: &str) -> Problem {
    node.problem(
        ProblemCode::DomainUnusable,
        format!("`{}` {what}", node.path),
        EXAMPLE,
    )
}

fn broken(node: &Node, problem: &DomainProblem) -> Problem {
    unusable(node, &format!("cannot be used: {problem}"))
}
