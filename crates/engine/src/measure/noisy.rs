//! A differentially private release against the original: total variation and query error.
//!
//! Both sides are counted in the cells of the release's own domains, which are in its public
//! manifest. Queries are the same as for groups; made-up numbers are inside or not, a cell counts
//! with the share of the original's values in it that are inside.

use super::cells::binning;
use crate::failure;
use crate::whole::{GET_AGAIN, refuse_damaged};
use mingle_assess::utility::marginals::{
    Binning, CountTables, Distances, MarginalLines, distances,
};
use mingle_assess::utility::query_error::{self, Marginals, QueryLines, Stands};
use mingle_assess::utility::{QueryError, UtilityOptions};
use mingle_dp::{DeclaredAttribute, DeclaredValues};
use mingle_model::{Code, Codes, Column, Cube, Domain, Number, QuasiIdentifier, Table, date};
use mingle_policy::Policy;
use mingle_record::answer::{MeasuredNoise, MeasuredNoiseTag};
use mingle_record::manifest::NoisyKind;
use mingle_record::schema::MeasureSchema;
use mingle_record::{Problem, ProblemCode};
use mingle_release::NoisyRelease;
use mingle_release::noisy::NoisyMeaning;
use mingle_release::noisy::{CellCounts, cell_of};

/// Measures a release whose files are as they were written.
pub fn measure(
    policy: &Policy,
    original: &Table,
    cube: &Cube,
    release: &NoisyRelease,
) -> Result<MeasuredNoise, Problem> {
    let failed = |e| failure::release(&e);
    let manifest = release.manifest().map_err(failed)?;
    refuse_damaged(None, &release.check().problems, GET_AGAIN)?;
    let attributes = manifest.attributes();
    let tables = release.tables().map_err(failed)?;
    let compared = ComparedCells {
        original,
        cube,
        attributes: &attributes,
    };
    let options = UtilityOptions {
        seed: policy.method.seed,
        ..UtilityOptions::default()
    };
    let kind = manifest.kind;
    let (marginals, query_error, published_rows) = match (kind, &tables[..]) {
        (NoisyKind::Marginals, all) => compared.marginals(all, options)?,
        (NoisyKind::Synthetic, [table]) => {
            let records = release.records().map_err(failed)?;
            compared.lines(table, Some(&records), options)?
        }
        (NoisyKind::Histogram, [table]) => compared.lines(table, None, options)?,
        _ => {
            return Err(failure::defect(
                "a manifest with other tables than its kind has",
            ));
        }
    };
    Ok(MeasuredNoise {
        schema: MeasureSchema,
        kind: MeasuredNoiseTag::Dp,
        release: kind,
        rows: cube.rows(),
        published_rows,
        query_error,
        marginals,
    })
}

/// Both sides, in the cells of the release's own domains.
struct ComparedCells<'a> {
    original: &'a Table,
    cube: &'a Cube,
    attributes: &'a [DeclaredAttribute],
}

/// Compared columns: their names, the original's values, and the cells of those.
type Sides<'a> = (Vec<String>, Vec<&'a Column>, Vec<Binning>);

/// Distances, query error, and how many rows the release says there are.
type Taken = Result<(Distances, QueryError, f64), Problem>;

impl ComparedCells<'_> {
    fn lines(
        &self,
        table: &CellCounts,
        records: Option<&[Column]>,
        options: UtilityOptions,
    ) -> Taken {
        let counts: Vec<u64> = table.counts.iter().map(|&count| count as u64).collect();
        let total = counts.iter().sum::<u64>() as f64;
        // columns that both have, with their places in the table
        let places: Vec<usize> = (0..table.attributes.len())
            .filter(|&p| self.column(table.attributes[p]).is_ok())
            .collect();
        let shown: Vec<usize> = places.iter().map(|&p| table.attributes[p]).collect();
        let (names, columns, binnings) = self.sides(&shown)?;
        let codes = |&p: &usize| -> Codes {
            table.cells[p]
                .iter()
                .map(|&cell| Code::from(cell))
                .collect()
        };
        let cells = places
            .iter()
            .map(codes)
            .zip(binnings.iter().map(Binning::cells));
        let release = MarginalLines::of_cells(counts.clone(), cells);
        let distances = distances(
            &names,
            &MarginalLines::original(&columns, &binnings),
            &release,
        );
        let lines = table.counts.len();
        let column = |qi: &QuasiIdentifier| match table
            .attributes
            .iter()
            .position(|&a| self.attributes[a].name == qi.name)
        {
            Some(place) => self.asked(qi, table, place, records),
            // a column that the release does not have says nothing
            None => (
                vec![0; lines],
                vec![Stands::For((0..qi.domain.len() as Code).collect())],
            ),
        };
        let asked = QueryLines::new(self.cube.quasi_identifiers().iter().map(column), counts);
        Ok((
            distances,
            query_error::error_of_lines(self.cube, &asked, options),
            total,
        ))
    }

    fn marginals(&self, tables: &[CellCounts], options: UtilityOptions) -> Taken {
        let shown: Vec<usize> = (0..self.attributes.len())
            .filter(|&a| self.column(a).is_ok())
            .collect();
        let (names, columns, binnings) = self.sides(&shown)?;
        let place = |a: &usize| shown.iter().position(|other| other == a);
        // a table with a column that the original does not have cannot be compared
        let known = tables.iter().filter_map(|t| {
            Some((
                t.attributes.iter().map(place).collect::<Option<Vec<_>>>()?,
                t,
            ))
        });
        let known = known
            .map(|(places, table)| (places, table.counts.clone()))
            .collect();
        let cells = shown.iter().map(|&a| self.attributes[a].len()).collect();
        let tables = CountTables::new(cells, known)
            .ok_or_else(|| failure::defect("tables of another size"))?;
        let distances = distances(
            &names,
            &MarginalLines::original(&columns, &binnings),
            &tables,
        );
        let quasi = self.cube.quasi_identifiers();
        let column = |qi: &QuasiIdentifier| {
            let at = names
                .iter()
                .position(|name| *name == qi.name)
                .ok_or_else(|| lacking(&qi.name))?;
            Ok((at, stands(self.attributes, shown[at], qi)))
        };
        let columns: Vec<(usize, Vec<Stands>)> =
            quasi.iter().map(column).collect::<Result<_, Problem>>()?;
        let error =
            query_error::error_of_marginals(self.cube, &Marginals::new(&tables, columns), options);
        Ok((distances, error, tables.total()))
    }

    fn column(&self, attribute: usize) -> Result<&Column, Problem> {
        let name = &self.attributes[attribute].name;
        self.original
            .columns
            .iter()
            .find(|c| c.spec.name == *name)
            .ok_or_else(|| lacking(name))
    }

    /// The columns of the original that are compared, in cells.
    fn sides(&self, shown: &[usize]) -> Result<Sides<'_>, Problem> {
        let names = shown
            .iter()
            .map(|&a| self.attributes[a].name.clone())
            .collect();
        let columns: Vec<&Column> = shown
            .iter()
            .map(|&a| self.column(a))
            .collect::<Result<_, _>>()?;
        let binnings = columns
            .iter()
            .zip(shown)
            .map(|(c, &a)| binning(c, &self.attributes[a]))
            .collect();
        Ok((names, columns, binnings))
    }

    /// A quasi-identifier of the release: made-up numbers by themselves, everything else by cells.
    fn asked(
        &self,
        qi: &QuasiIdentifier,
        table: &CellCounts,
        place: usize,
        records: Option<&[Column]>,
    ) -> (Vec<Code>, Vec<Stands>) {
        let attribute = table.attributes[place];
        let by_cell = stands(self.attributes, attribute, qi);
        let numbers = matches!(self.attributes[attribute].domain, DeclaredValues::Bins(_))
            && qi.domain.kind().is_numeric();
        match records
            .and_then(|records| records.get(place))
            .filter(|_| numbers)
        {
            None => (
                table.cells[place]
                    .iter()
                    .map(|&cell| Code::from(cell))
                    .collect(),
                by_cell,
            ),
            Some(column) => {
                let of = |code: Code| {
                    let text = column.domain.text(code);
                    number(&qi.domain, text).unwrap_or_else(|| {
                        let cell = cell_of(&self.attributes[attribute], text);
                        cell.map_or(Stands::For(Vec::new()), |cell| {
                            by_cell[usize::from(cell)].clone()
                        })
                    })
                };
                (
                    column.codes.iter().collect(),
                    (0..column.domain.len() as Code).map(of).collect(),
                )
            }
        }
    }
}

/// What each cell of an attribute stands for among a quasi-identifier's values.
fn stands(attributes: &[DeclaredAttribute], attribute: usize, qi: &QuasiIdentifier) -> Vec<Stands> {
    let attribute = &attributes[attribute];
    let mut cells = vec![Vec::new(); attribute.len()];
    for code in 0..qi.domain.len() as Code {
        use mingle_dp::universe::Place::{Cell, Clamped, Nowhere, Other};
        match attribute.place(qi.domain.text(code), qi.domain.missing() == Some(code)) {
            Cell(cell) | Clamped(cell) | Other(cell) => cells[usize::from(cell)].push(code),
            Nowhere => {}
        }
    }
    cells.into_iter().map(Stands::For).collect()
}

/// Where a number or day lies among the original's, whose codes ascend with them behind a missing
/// value.
fn number(domain: &Domain, text: &str) -> Option<Stands> {
    let number = match domain.kind() {
        mingle_model::Kind::Date => date::parse(text).map(i128::from)?,
        _ => {
            let number = Number::parse(text)?;
            match number.at_scale(domain.scale()) {
                Some(number) => number,
                // more places than the original has: just behind the number below
                None => return cut(domain, number).map(Stands::Before),
            }
        }
    };
    let at = first_from(domain, number);
    if (at as usize) < domain.len() && domain.number(at) == Some(number) {
        Some(Stands::For(vec![at]))
    } else {
        Some(Stands::Before(at))
    }
}

fn cut(domain: &Domain, number: Number) -> Option<Code> {
    let below = 10i128.checked_pow(u32::from(number.scale.checked_sub(domain.scale())?))?;
    Some(first_from(
        domain,
        number.mantissa.div_euclid(below).checked_add(1)?,
    ))
}

/// The first code whose number is not below.
fn first_from(domain: &Domain, number: i128) -> Code {
    let (mut lo, mut hi) = (Code::from(domain.missing().is_some()), domain.len() as Code);
    while lo < hi {
        let middle = lo + (hi - lo) / 2;
        if domain.number(middle).is_some_and(|n| n < number) {
            lo = middle + 1
        } else {
            hi = middle
        }
    }
    lo
}

fn lacking(column: &str) -> Problem {
    let text = format!("column {column} is of only one of release and original");
    Problem::new(
        ProblemCode::NotComparable,
        text,
        "give the policy and the tables that the release was made from",
    )
}
