//! The distinct values of a column in their order: what a code means.

use crate::band::{Band, BandOf};
use crate::codes::Code;
use crate::column::{Position, RawValue};
use crate::counted;
use crate::date;
use crate::grid::{DeclaredGrid, Grid};
use crate::hierarchy::{
    self, Hierarchy, HierarchyError, HierarchyRows, HierarchySource, PathRule, RowIndex, RowPlace,
    Rung,
};
use crate::number::Number;
use crate::schema::{ColumnSpec, Kind, Missing};
use crate::spelling::Spelling;
use std::cmp::Ordering;
use std::collections::HashMap;
use thiserror::Error;

/// Why a column cannot be encoded. Positions, never values.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum DomainError {
    /// A value that the declared kind cannot read.
    #[error("{position}: not {}", article(*.expected))]
    WrongKind {
        /// Where the first such value stands.
        position: Position,
        /// The declared kind.
        expected: Kind,
    },
    /// A category that `order` does not list.
    #[error(
        "{position}: a value that `order` does not list ({} in all)", counted(.missing, "distinct value")
    )]
    NotInOrder {
        /// Where the first such value stands.
        position: Position,
        /// How many distinct values are not listed.
        missing: usize,
    },
    /// A value of a column of bands that is none.
    #[error("{position}: not a band such as 70-79, [70-80), <18 or 65+")]
    NotABand {
        /// Where the first such value stands.
        position: Position,
    },
    /// Two bands with a number in common, so that neither comes first.
    #[error("{position}: a band that overlaps with another of the column")]
    BandsOverlap {
        /// Where one of them stands.
        position: Position,
    },
    /// `order` for numbers or dates, which have an order of their own.
    #[error("`order` is for categories; this column holds numbers or dates")]
    OrderOfNumbers,
    /// A grid that is finer than the column, coarser than its decimal places, or for another kind.
    #[error("`grid` does not fit the column: {0}")]
    Grid(&'static str),
    /// A hierarchy that cannot be used.
    #[error("hierarchy: {0}")]
    Hierarchy(#[from] HierarchyError),
}

fn article(kind: Kind) -> &'static str {
    match kind {
        Kind::Integer => "an integer",
        Kind::Decimal => "a decimal number",
        Kind::Date => "a date (expected year-month-day, such as 2001-03-02)",
        Kind::Category => "a category",
    }
}

/// A column's values in code order: numeric order, depth-first order of the hierarchy, the policy's
/// `order`, or the order of the texts. A missing value is a value of its own; without a place in a
/// hierarchy file it comes first.
#[derive(Clone, PartialEq, Eq)]
pub struct Domain {
    kind: Kind,
    texts: Vec<Box<str>>,
    /// Mantissas at `scale`, or days; empty for categories, 0 for the missing value.
    numbers: Vec<i128>,
    scale: u8,
    missing: Option<Code>,
    hierarchy: Option<Hierarchy>,
    /// Where all values are bands: the band of each code, none for the missing value.
    bands: Option<Vec<Option<Band>>>,
    /// How many values are in the hierarchy's branch for those that it does not know.
    unlisted: usize,
    /// The policy gave an `order`, or the values are bands: differences of ranks mean something.
    ordered: bool,
    /// Where the policy says that ranges begin and end.
    declared_grid: Option<Grid>,
}

/// A distinct value on its way to a code.
struct Value {
    text: Box<str>,
    number: i128,
    band: Option<Band>,
    position: Position,
}

impl Domain {
    /// Orders the distinct values of a column. Returns the domain and the code of each raw value.
    pub(crate) fn build(
        spec: &ColumnSpec,
        raw: &[RawValue],
        missing: &Missing,
    ) -> Result<(Domain, Vec<Code>), DomainError> {
        if spec.spelling != Spelling::Exact {
            let (spec, raw) = spelled(spec, raw);
            return Domain::build(&spec, &raw, missing);
        }
        let present: Vec<&RawValue> = raw.iter().filter(|v| !missing.contains(&v.text)).collect();
        let kind = spec.declared_kind().unwrap_or_else(|| infer_kind(&present));
        let (mut values, scale) = canonical(kind, &present)?;
        let are_bands = read_bands(spec, kind, &mut values)?;
        sort(spec, kind, &mut values)?;
        if are_bands {
            values.sort_by(by_band);
        }
        values.dedup_by(|later, first| later.text == first.text);

        let absent = raw.iter().find(|v| missing.contains(&v.text));
        let absent = absent.map(|v| Value {
            text: missing.canonical().into(),
            number: 0,
            band: None,
            position: v.position.clone(),
        });
        let has_missing = absent.is_some();
        values.splice(0..0, absent);

        let mut domain = Domain {
            kind,
            texts: Vec::new(),
            numbers: Vec::new(),
            scale,
            missing: has_missing.then_some(0),
            hierarchy: None,
            bands: None,
            unlisted: 0,
            ordered: kind.is_numeric() || spec.order.is_some() || are_bands,
            declared_grid: declared_grid(spec, kind, scale)?,
        };
        domain.attach_hierarchy(spec, &mut values, missing)?;
        if kind.is_numeric() {
            domain.numbers = values.iter().map(|v| v.number).collect();
        }
        if are_bands {
            domain.bands = Some(values.iter().map(|v| v.band).collect());
        }
        domain.texts = values.into_iter().map(|v| v.text).collect();
        let map = domain.codes_of(raw, missing);
        Ok((domain, map))
    }

    fn attach_hierarchy(
        &mut self,
        spec: &ColumnSpec,
        values: &mut Vec<Value>,
        missing: &Missing,
    ) -> Result<(), DomainError> {
        let Some(source) = &spec.hierarchy else {
            return Ok(());
        };
        if values.is_empty() {
            return Ok(());
        }
        let absent = self.missing.is_some().then_some(0);
        let climbing = Climbing {
            kind: self.kind,
            scale: self.scale,
            values,
            absent,
            missing,
        };
        let Paths {
            above: paths,
            place,
            unlisted,
        } = climbing.paths(source)?;
        self.unlisted = unlisted;
        // without a better order, categories follow their hierarchy file
        let mut rank: Vec<usize> = (0..values.len()).collect();
        if let (Some(place), false) = (place, self.ordered) {
            rank.sort_by_key(|&v| place[v]);
        }
        let ranked: Vec<Vec<String>> = rank.iter().map(|&v| paths[v].clone()).collect();
        let (tree, order) = Hierarchy::build(&ranked);
        let order: Vec<usize> = order.into_iter().map(|r| rank[r]).collect();
        self.missing = absent
            .and_then(|_| order.iter().position(|&v| v == 0))
            .map(|c| c as Code);
        let mut taken: Vec<Option<Value>> = std::mem::take(values).into_iter().map(Some).collect();
        *values = order
            .iter()
            .map(|&v| taken[v].take().expect("an order names each value once"))
            .collect();
        if !matches!(source, HierarchySource::Mask(_)) {
            check_spelling(&tree, values)?;
        }
        self.hierarchy = Some(tree);
        Ok(())
    }

    fn codes_of(&self, raw: &[RawValue], missing: &Missing) -> Vec<Code> {
        if self.kind.is_numeric() {
            let by_number: HashMap<i128, Code> = (0..self.len() as Code)
                .filter(|&c| Some(c) != self.missing)
                .map(|c| (self.numbers[c as usize], c))
                .collect();
            let code = |v: &RawValue| {
                let number = number(self.kind, &v.text, self.scale)
                    .expect("every present value was read before");
                by_number[&number]
            };
            let missing_code = self.missing.unwrap_or(0);
            return raw
                .iter()
                .map(|v| {
                    if missing.contains(&v.text) {
                        missing_code
                    } else {
                        code(v)
                    }
                })
                .collect();
        }
        let by_text: HashMap<&str, Code> =
            self.texts.iter().zip(0..).map(|(t, c)| (&**t, c)).collect();
        let key = |v: &RawValue| {
            if missing.contains(&v.text) {
                missing.canonical().to_owned()
            } else {
                v.text.to_string()
            }
        };
        raw.iter().map(|v| by_text[key(v).as_str()]).collect()
    }

    /// What kind of values these are.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// How many distinct values occur, the missing value included.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// A value and its ancestors up to the root; `None` without a hierarchy.
    pub fn path(&self, code: Code) -> Option<Vec<String>> {
        let tree = self.hierarchy.as_ref()?;
        let ancestor = |level| {
            tree.label(level, tree.ancestor(code, level))
                .map(str::to_owned)
        };
        Some(
            [self.text(code).to_owned()]
                .into_iter()
                .chain((1..=tree.height()).filter_map(ancestor))
                .collect(),
        )
    }

    /// Whether the column has no values at all.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// A value's canonical text.
    pub fn text(&self, code: Code) -> &str {
        &self.texts[code as usize]
    }

    /// The code that stands for a missing value.
    pub fn missing(&self) -> Option<Code> {
        self.missing
    }

    /// The column's hierarchy.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy.as_ref()
    }

    /// Which values have a place in the rows of a file, by code; a missing value always has one.
    pub fn placed_in(&self, rows: &HierarchyRows) -> Result<Vec<bool>, HierarchyError> {
        let codes = 0..self.len() as Code;
        let index = RowIndex::new(rows, self.kind, codes.clone().map(|code| self.text(code)))?;
        let mut placed = Vec::with_capacity(self.len());
        for code in codes {
            let number = self.number(code);
            let number = number.and_then(|n| Number::normalized(n, self.scale.into()));
            let has_row = index.place(self.text(code), number).is_some();
            placed.push(has_row || self.missing == Some(code));
        }
        Ok(placed)
    }

    /// How many distinct values the hierarchy does not know, and has in a branch of their own.
    pub fn unlisted(&self) -> usize {
        self.unlisted
    }

    /// The band that a value is, in a column of bands.
    pub(crate) fn band(&self, code: Code) -> Option<&Band> {
        self.bands.as_ref()?.get(code as usize)?.as_ref()
    }

    /// Whether the values are bands.
    pub fn has_bands(&self) -> bool {
        self.bands.is_some()
    }

    /// A category without a hierarchy: its values generalize to sets.
    pub fn is_flat(&self) -> bool {
        self.hierarchy.is_none() && !self.kind.is_numeric()
    }

    /// Whether the values have an order of their own: numbers, dates, bands, or categories
    /// with `order`.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// Numbers at [`scale`](Domain::scale) or days, by code; `None` for categories and for the
    /// missing value.
    #[inline]
    pub fn number(&self, code: Code) -> Option<i128> {
        (self.missing != Some(code))
            .then(|| self.numbers.get(code as usize).copied())
            .flatten()
    }

    /// Decimal places of [`number`](Domain::number).
    pub fn scale(&self) -> u8 {
        self.scale
    }

    /// The smallest and largest number.
    ///
    /// Asked for by every label of a column: codes in numeric order are not looked through.
    pub fn extent(&self) -> Option<(i128, i128)> {
        if self.numbers.is_empty() {
            return None;
        }
        let mut numbers = (0..self.len() as Code).filter_map(|code| self.number(code));
        if self.hierarchy.is_none() {
            // in numeric order
            let lowest = numbers.next()?;
            let highest = numbers.next_back().unwrap_or(lowest);
            return Some((lowest, highest));
        }
        let mut extent = numbers.next().map(|first| (first, first))?;
        for number in numbers {
            extent = (extent.0.min(number), extent.1.max(number));
        }
        Some(extent)
    }

    /// Where the policy says that ranges begin and end.
    pub fn declared_grid(&self) -> Option<Grid> {
        self.declared_grid
    }

    /// The same column in a part of a table that is published whole: ranges begin and end where all of
    /// its values say, not those of the part. A grid that the policy declares stays.
    pub fn with_grid_of_all_values(mut self) -> Domain {
        if self.declared_grid.is_none() {
            self.declared_grid = self.grid();
        }
        self
    }

    /// Reads a number of this column's kind at its scale.
    pub(crate) fn read_number(&self, text: &str) -> Option<i128> {
        number(self.kind, text, self.scale)
    }
}

/// The column with all texts in their canonical form, and nothing left to be spelled.
fn spelled(spec: &ColumnSpec, raw: &[RawValue]) -> (ColumnSpec, Vec<RawValue>) {
    let spelling = spec.spelling;
    let canonical = |text: &str| spelling.canonical(text).into_owned();
    let mut values = Vec::with_capacity(raw.len());
    for value in raw {
        values.push(RawValue {
            text: canonical(&value.text).into(),
            position: value.position.clone(),
        });
    }
    let order = spec.order.as_ref();
    let order = order.map(|order| order.iter().map(|text| canonical(text)).collect());
    let spec = ColumnSpec {
        spelling: Spelling::Exact,
        order,
        ..spec.clone()
    };
    (spec, values)
}

/// The grid that a column's entry declares.
fn declared_grid(spec: &ColumnSpec, kind: Kind, scale: u8) -> Result<Option<Grid>, DomainError> {
    let Some(declared) = &spec.grid else {
        return Ok(None);
    };
    let problem = match (declared, kind) {
        (_, Kind::Category) => "it holds categories",
        (DeclaredGrid::Periods(_), Kind::Integer | Kind::Decimal) => "it holds numbers",
        _ if spec.hierarchy.is_some() => "it has a hierarchy, whose labels are fixed already",
        _ => match declared.at_scale(scale) {
            Some(grid) => return Ok(Some(grid)),
            None => "its values have more decimal places than the grid, or fewer",
        },
    };
    Err(DomainError::Grid(problem))
}

/// The first kind that fits all of some values, none of which is missing.
pub fn infer_kind(values: &[&RawValue]) -> Kind {
    let all = |test: &dyn Fn(&str) -> bool| values.iter().all(|v| test(&v.text));
    if values.is_empty() {
        Kind::Category
    } else if all(&|t| Number::parse_integer(t).is_some() && number(Kind::Integer, t, 0).is_some())
    {
        Kind::Integer
    } else if all(&looks_decimal) && common_scale(values).is_some() {
        Kind::Decimal
    } else if all(&|t| date::parse(t).is_some()) {
        Kind::Date
    } else {
        Kind::Category
    }
}

/// The kind of a single text, by the rules of [`infer_kind`].
pub fn kind_of_text(text: &str) -> Kind {
    let is_integer = Number::parse_integer(text).is_some();
    let fits = |scale| number(Kind::Decimal, text, scale).is_some();
    if is_integer && fits(0) {
        Kind::Integer
    } else if looks_decimal(text) && Number::parse(text).is_some_and(|number| fits(number.scale)) {
        Kind::Decimal
    } else if date::parse(text).is_some() {
        Kind::Date
    } else {
        Kind::Category
    }
}

/// Stricter than what a declared decimal may look like: `007.5` and `1E5` are more likely codes
/// than numbers.
fn looks_decimal(text: &str) -> bool {
    let mantissa = match text.find(['e', 'E']) {
        Some(at) if text[at + 1..].starts_with(['-', '+']) => &text[..at],
        Some(_) => return false,
        None => text,
    };
    let whole = mantissa.split('.').next().unwrap_or_default();
    Number::parse_integer(whole).is_some_and(|_| Number::parse(text).is_some())
        || (whole == "-0" && Number::parse(text).is_some())
}

fn common_scale(values: &[&RawValue]) -> Option<u8> {
    let numbers: Option<Vec<Number>> = values.iter().map(|v| Number::parse(&v.text)).collect();
    let numbers = numbers?;
    let scale = numbers.iter().map(|n| n.scale).max()?;
    let fits = |n: &Number| {
        n.at_scale(scale)
            .is_some_and(|mantissa| mantissa.unsigned_abs() < LARGEST)
    };
    numbers.iter().all(fits).then_some(scale)
}

/// Numbers beyond this are read as no numbers, so that sums and differences of two always fit.
const LARGEST: u128 = 1 << 100;

fn number(kind: Kind, text: &str, scale: u8) -> Option<i128> {
    match kind {
        Kind::Integer | Kind::Decimal => Number::parse(text)?
            .at_scale(scale)
            .filter(|mantissa| mantissa.unsigned_abs() < LARGEST),
        Kind::Date => date::parse(text).map(i128::from),
        Kind::Category => None,
    }
}

/// Reads every value as the kind demands and gives it its canonical text.
fn canonical(kind: Kind, present: &[&RawValue]) -> Result<(Vec<Value>, u8), DomainError> {
    let wrong = |v: &RawValue| DomainError::WrongKind {
        position: v.position.clone(),
        expected: kind,
    };
    let mut scale = 0;
    if kind == Kind::Decimal {
        for v in present {
            scale = scale.max(Number::parse(&v.text).ok_or_else(|| wrong(v))?.scale);
        }
    }
    let value = |v: &&RawValue| {
        let (text, number) = match kind {
            Kind::Category => (v.text.clone(), 0),
            _ => {
                let n = number(kind, &v.text, scale).ok_or_else(|| wrong(v))?;
                let text = if kind == Kind::Date {
                    date::text(n as i32)
                } else {
                    Number::text(n, scale)
                };
                (text.into(), n)
            }
        };
        Ok::<_, DomainError>(Value {
            text,
            number,
            band: None,
            position: v.position.clone(),
        })
    };
    Ok((present.iter().map(value).collect::<Result<_, _>>()?, scale))
}

fn sort(spec: &ColumnSpec, kind: Kind, values: &mut [Value]) -> Result<(), DomainError> {
    match &spec.order {
        Some(_) if kind.is_numeric() => return Err(DomainError::OrderOfNumbers),
        Some(order) => {
            let place: HashMap<&str, usize> = order
                .iter()
                .zip(0..)
                .map(|(t, i)| (t.as_str(), i))
                .collect();
            let unlisted: Vec<&Value> = values
                .iter()
                .filter(|v| !place.contains_key(&*v.text))
                .collect();
            if let Some(first) = unlisted.first() {
                let position = first.position.clone();
                return Err(DomainError::NotInOrder {
                    position,
                    missing: unlisted.len(),
                });
            }
            values.sort_by_key(|v| place[&*v.text]);
        }
        None if kind.is_numeric() => values.sort_by_key(|v| v.number),
        None => values.sort_by(|a, b| a.text.cmp(&b.text)),
    }
    Ok(())
}

/// Reads the values as bands, where they are to be ordered as such. Recognized only if it is said
/// nowhere what they are, all of them are bands, and some of them are not just numbers.
fn read_bands(spec: &ColumnSpec, kind: Kind, values: &mut [Value]) -> Result<bool, DomainError> {
    let recognize = spec.kind.is_none() && spec.order.is_none();
    if kind != Kind::Category || !(spec.bands || recognize) {
        return Ok(false);
    }
    let mut bands = Vec::with_capacity(values.len());
    for value in values.iter() {
        match Band::parse(&value.text, BandOf::Numbers) {
            Some(band) => bands.push(band),
            None if spec.bands => {
                let position = value.position.clone();
                return Err(DomainError::NotABand { position });
            }
            None => return Ok(false),
        }
    }
    if !spec.bands && bands.iter().all(Band::is_point) {
        return Ok(false);
    }
    let mut order: Vec<usize> = (0..bands.len()).collect();
    order.sort_by(|&a, &b| bands[a].by_low_end(&bands[b]));
    for pair in order.windows(2) {
        let (first, next) = (pair[0], pair[1]);
        let is_same = values[first].text == values[next].text;
        if bands[first].is_before(&bands[next]) || is_same {
            continue;
        }
        if spec.bands {
            let position = values[first.max(next)].position.clone();
            return Err(DomainError::BandsOverlap { position });
        }
        return Ok(false);
    }
    for (value, band) in values.iter_mut().zip(bands) {
        value.band = Some(band);
    }
    Ok(true)
}

fn by_band(a: &Value, b: &Value) -> Ordering {
    match (&a.band, &b.band) {
        (Some(a), Some(b)) => a.by_low_end(b),
        _ => Ordering::Equal,
    }
}

/// A label that is also spelled like a value must stand for that value alone: a reader could not
/// tell which is meant.
fn check_spelling(tree: &Hierarchy, values: &[Value]) -> Result<(), HierarchyError> {
    let meanings = tree.meanings();
    for (code, value) in (0 as Code..).zip(values) {
        let meaning = meanings.get(&*value.text);
        if meaning.is_some_and(|&found| found != (code, code)) {
            let position = value.position.clone();
            return Err(HierarchyError::LabelIsValue { position });
        }
    }
    Ok(())
}

/// The labels above each value.
struct Paths {
    above: Vec<Vec<String>>,
    /// For files, the row of each value.
    place: Option<Vec<usize>>,
    /// How many values have the place of those that the hierarchy does not know.
    unlisted: usize,
}

/// The values of a column on their way up a hierarchy.
struct Climbing<'a> {
    kind: Kind,
    scale: u8,
    values: &'a [Value],
    /// Which of them stands for a missing value.
    absent: Option<usize>,
    missing: &'a Missing,
}

impl Climbing<'_> {
    fn paths(&self, source: &HierarchySource) -> Result<Paths, HierarchyError> {
        match source {
            HierarchySource::Rows(rows) => self.by_rows(rows),
            _ => self.by_rule(source),
        }
    }

    fn by_rule(&self, source: &HierarchySource) -> Result<Paths, HierarchyError> {
        let mut longest = 0;
        for value in self.values {
            longest = longest.max(value.text.chars().count());
        }
        let rule = PathRule::new(source, (self.kind, self.scale), longest)?
            .expect("rows are looked up, all else is a rule");
        let mut above: Vec<Vec<String>> = Vec::with_capacity(self.values.len());
        let mut unlisted = 0;
        let mut not_born = Vec::new();
        for (index, value) in self.values.iter().enumerate() {
            if Some(index) == self.absent {
                above.push(Vec::new());
                continue;
            }
            above.push(match rule.rung(&value.text, value.number) {
                Rung::Above(path) => path,
                Rung::Unlisted(path) => {
                    unlisted += 1;
                    path
                }
                Rung::NotBorn => {
                    not_born.push(value);
                    Vec::new()
                }
            });
        }
        if let Some(first) = not_born.first() {
            return Err(HierarchyError::BornLater {
                later: not_born.len(),
                position: first.position.clone(),
            });
        }
        let height = above.iter().map(Vec::len).max().unwrap_or(0).max(1);
        if let Some(absent) = self.absent {
            above[absent] = branch_of_missing(self.missing, height);
        }
        Ok(Paths {
            above,
            place: None,
            unlisted,
        })
    }

    fn by_rows(&self, source: &HierarchyRows) -> Result<Paths, HierarchyError> {
        let texts = self.values.iter().map(|value| &*value.text);
        let index = RowIndex::new(source, self.kind, texts)?;
        let mut paths = Paths {
            above: Vec::with_capacity(self.values.len()),
            place: Some(Vec::with_capacity(self.values.len())),
            unlisted: 0,
        };
        let mut gaps = Vec::new();
        for (value_index, value) in self.values.iter().enumerate() {
            let is_absent = Some(value_index) == self.absent;
            let found = if is_absent {
                self.row_of_missing(&index)
            } else {
                self.row_of(&index, value)
            };
            if let Some(RowPlace::Default(_)) = found {
                paths.unlisted += 1;
            }
            if found.is_none() && !is_absent {
                gaps.push(value);
            }
            paths.above.push(match found {
                Some(found) => index.above(found.row()).to_vec(),
                None => self.beside_the_rows(source),
            });
            if let Some(place) = &mut paths.place {
                place.push(found.map_or(0, RowPlace::row));
            }
        }
        match gaps.first() {
            Some(first) => Err(HierarchyError::Gap {
                file: source.file.clone(),
                missing: gaps.len(),
                position: first.position.clone(),
            }),
            None => Ok(paths),
        }
    }

    fn row_of(&self, index: &RowIndex<'_>, value: &Value) -> Option<RowPlace> {
        // numbers are compared as numbers: the file may say 5.0 where the table says 5
        let number = if self.kind.is_numeric() {
            Number::normalized(value.number, self.scale.into())
        } else {
            None
        };
        index.place(&value.text, number)
    }

    fn row_of_missing(&self, index: &RowIndex<'_>) -> Option<RowPlace> {
        let mut texts = self.missing.texts().iter();
        texts
            .find_map(|text| index.exactly(text))
            .map(RowPlace::Row)
    }

    fn beside_the_rows(&self, source: &HierarchyRows) -> Vec<String> {
        let first_row = &source.rows[0].1;
        let height = first_row.len() - 1;
        let mut path = branch_of_missing(self.missing, height);
        path[height - 1].clone_from(&first_row[height]);
        path
    }
}

/// A missing value is no month, no interval and no region: it meets the others only at the root.
fn branch_of_missing(missing: &Missing, height: usize) -> Vec<String> {
    let mut path = vec![missing.canonical().to_owned(); height];
    path[height - 1] = hierarchy::ROOT.to_owned();
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Column;
    use crate::hierarchy::HierarchyRows;
    use crate::schema::Role;

    fn column(spec: ColumnSpec, texts: &[&str]) -> Result<Column, DomainError> {
        Column::from_texts(spec, texts.iter().copied(), &Missing::default())
    }

    fn plain() -> ColumnSpec {
        ColumnSpec::new("c", Role::QuasiIdentifier)
    }

    fn kind_of(texts: &[&str]) -> Kind {
        column(plain(), texts).ok().unwrap().domain.kind()
    }

    #[test]
    fn kinds_are_inferred_from_the_values() {
        assert_eq!(kind_of(&["5", "-3", "?"]), Kind::Integer);
        assert_eq!(kind_of(&["5", "0.5", ""]), Kind::Decimal);
        assert_eq!(kind_of(&["5", "1e-05"]), Kind::Decimal);
        assert_eq!(kind_of(&["2001-03-02", "1999-12-31"]), Kind::Date);
        assert_eq!(kind_of(&["013", "130"]), Kind::Category);
        assert_eq!(kind_of(&["1E5", "2"]), Kind::Category);
        assert_eq!(kind_of(&["?", ""]), Kind::Category);
        assert_eq!(kind_of(&["1e30", "0.0000000001"]), Kind::Category);
        assert_eq!(
            kind_of(&["170000000000000000000000000000000000000", "-1"]),
            Kind::Category
        );
    }

    #[test]
    fn equal_values_in_other_words_are_one() {
        let c = column(plain(), &["1.50", "1.5", "-2", "?", ""])
            .ok()
            .unwrap();
        assert_eq!(c.domain.len(), 3);
        assert!(c.codes.iter().eq([2, 2, 1, 0, 0]));
        assert_eq!(
            (0..3).map(|i| c.domain.text(i)).collect::<Vec<_>>(),
            ["", "-2", "1.5"]
        );
    }

    #[test]
    fn a_declared_kind_is_checked() {
        let spec = ColumnSpec {
            kind: Some(Kind::Integer),
            ..plain()
        };
        let Err(DomainError::WrongKind { position, .. }) = column(spec, &["1", "x"]) else {
            panic!()
        };
        assert_eq!(position.line, 2);
        let spec = ColumnSpec {
            kind: Some(Kind::Category),
            ..plain()
        };
        assert!(
            column(spec, &["10", "9"])
                .ok()
                .unwrap()
                .codes
                .iter()
                .eq([0, 1])
        );
    }

    #[test]
    fn categories_follow_the_order_of_the_policy() {
        let spec = ColumnSpec {
            order: Some(["low", "mid", "high"].map(String::from).into()),
            ..plain()
        };
        let c = column(spec.clone(), &["high", "low"]).ok().unwrap();
        assert!(c.codes.iter().eq([1, 0]) && c.domain.is_ordered());
        assert!(matches!(
            column(spec, &["low", "odd"]),
            Err(DomainError::NotInOrder { missing: 1, .. })
        ));
    }

    fn with_rows(text: &str) -> ColumnSpec {
        let rows = text
            .lines()
            .zip(1..)
            .map(|(l, i)| (i, l.split(';').map(str::to_owned).collect()))
            .collect();
        let rows = HierarchyRows {
            file: "h.csv".into(),
            rows,
        };
        ColumnSpec {
            hierarchy: Some(HierarchySource::Rows(rows)),
            ..plain()
        }
    }

    #[test]
    fn codes_follow_the_hierarchy_and_missing_stands_apart() {
        let c = column(
            with_rows("z;g;all\na;h;all\nb;g;all"),
            &["a", "b", "z", "?"],
        )
        .ok()
        .unwrap();
        let texts: Vec<_> = (0..4).map(|i| c.domain.text(i)).collect();
        assert_eq!(texts, ["", "z", "b", "a"]);
        let tree = c.domain.hierarchy().unwrap();
        assert_eq!(tree.lowest_common_ancestor(1, 2), (1, 1));
        assert_eq!(tree.lowest_common_ancestor(0, 1).0, 2);
        assert_eq!(c.domain.missing(), Some(0));
    }

    #[test]
    fn missing_may_have_a_place_in_the_file() {
        let c = column(with_rows("a;g;*\n?;g;*\nb;h;*"), &["b", "a", "?"])
            .ok()
            .unwrap();
        assert_eq!(c.domain.missing(), Some(1));
        assert_eq!(
            c.domain.hierarchy().unwrap().lowest_common_ancestor(0, 1),
            (1, 0)
        );
    }

    #[test]
    fn a_gap_says_where() {
        let Err(DomainError::Hierarchy(HierarchyError::Gap {
            missing, position, ..
        })) = column(with_rows("a;*\nb;*"), &["a", "x", "y", "x"])
        else {
            panic!()
        };
        assert_eq!((missing, position.line), (2, 2));
    }

    #[test]
    fn numbers_match_hierarchy_rows_by_value() {
        let c = column(
            with_rows("1.0;low;*\n2;low;*\n30;high;*"),
            &["30", "2", "1"],
        )
        .ok()
        .unwrap();
        assert!(c.codes.iter().eq([2, 1, 0]));
    }

    #[test]
    fn hierarchies_by_rule() {
        let spec = ColumnSpec {
            hierarchy: Some(HierarchySource::Intervals(vec![Number {
                mantissa: 5,
                scale: 0,
            }])),
            ..plain()
        };
        let c = column(spec.clone(), &["3", "4", "7", "?"]).ok().unwrap();
        let tree = c.domain.hierarchy().unwrap();
        assert_eq!(tree.label(1, tree.ancestor(1, 1)), Some("[0-4]"));
        assert!(column(spec, &["a"]).is_err());
        let spec = ColumnSpec {
            hierarchy: Some(HierarchySource::Dates(date::Level::ALL.into())),
            ..plain()
        };
        let c = column(spec, &["2001-03-02", "2001-03-09", "2009-01-01"])
            .ok()
            .unwrap();
        assert_eq!(
            c.domain.hierarchy().unwrap().lowest_common_ancestor(0, 1).0,
            1
        );
        assert_eq!(c.domain.hierarchy().unwrap().label(4, 0), Some("2000s"));
    }
}
