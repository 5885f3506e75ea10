//! What a release loses against its table, measured alike for groups and for noise.
//!
//! Query error and total variation as `mingle measure` takes them: 2,500 counts over the
//! quasi-identifiers, and all tables of one and two columns in the codebook's cells. Groups answer
//! by uniform spread within a label, made-up records and histograms by their lines, tables of some
//! columns by the tables that have the columns asked for.

use super::grouped::GroupedRelease;
use super::noisy::attributes;
use crate::error::Error;
use crate::{Extent, Setting};
use mingle_assess::utility::marginals::{
    Binning, CountTables, Counted, MarginalLines, Spread, distances,
};
use mingle_assess::utility::query_error::{self, Stands};
use mingle_assess::utility::{Comparison, QueryError, UtilityOptions};
use mingle_dp::histogram::Histogram;
use mingle_dp::marginals::Marginal;
use mingle_dp::synthetic::Synthetic;
use mingle_dp::universe::{CellId, Place};
use mingle_dp::{Content, DeclaredAttribute, Output};
use mingle_model::{Code, Codes, Column, Cube, Missing, Reading, Role, Table};

/// Errors and distances.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SchemeLoss {
    /// Mean relative error of the queries.
    pub query_error: f64,
    /// The median.
    pub median_query_error: f64,
    /// Mean total variation of the tables of one column.
    pub one_way: f64,
    /// Mean total variation of the tables of two columns.
    pub two_way: f64,
}

/// Of a release in groups, which was made from the table.
pub fn of_groups(
    release: &GroupedRelease,
    table: &Table,
    setting: &Setting,
) -> Result<SchemeLoss, Error> {
    let truth = Truth::new(table, setting);
    let missing = Missing::default();
    let comparison = Comparison::new(&release.original, &missing, release.published())?;
    let lines = truth.lines_of_groups(&comparison);
    Ok(truth.loss(&lines, query_error::error(&comparison, truth.options)))
}

/// Of a release with noise.
pub fn of_noise(output: &Output, table: &Table, setting: &Setting) -> SchemeLoss {
    let truth = Truth::new(table, setting);
    match &output.content {
        Content::Marginals(tables) => truth.of_tables(tables),
        Content::Histogram(histogram) => truth.of_histogram(histogram),
        Content::Synthetic(made) => truth.of_records(made),
    }
}

/// The table, and what it is counted in.
struct Truth<'a> {
    columns: Vec<&'a Column>,
    attributes: Vec<DeclaredAttribute>,
    binnings: Vec<Binning>,
    cube: Cube,
    options: UtilityOptions,
}

impl<'a> Truth<'a> {
    fn new(table: &'a Table, setting: &Setting) -> Truth<'a> {
        let attributes = attributes(table);
        let columns: Vec<&Column> = table.columns.iter().collect();
        let binnings = columns
            .iter()
            .zip(&attributes)
            .map(|(column, attribute)| binning(column, attribute))
            .collect();
        let queries = if setting.extent == Extent::Smoke {
            50
        } else {
            UtilityOptions::default().queries
        };
        let options = UtilityOptions {
            seed: setting.seed,
            queries,
        };
        Truth {
            columns,
            attributes,
            binnings,
            cube: Cube::new(table.clone()),
            options,
        }
    }

    fn loss(&self, release: &dyn Counted, error: QueryError) -> SchemeLoss {
        let names: Vec<String> = self.attributes.iter().map(|a| a.name.clone()).collect();
        let distances = distances(
            &names,
            &MarginalLines::original(&self.columns, &self.binnings),
            release,
        );
        SchemeLoss {
            query_error: error.mean,
            median_query_error: error.median,
            one_way: distances.one_way.mean,
            two_way: distances.two_way.mean,
        }
    }

    /// The places of the quasi-identifiers, in the order of the cube.
    fn quasi_identifiers(&self) -> impl Iterator<Item = usize> {
        (0..self.attributes.len()).filter(|&at| self.attributes[at].role == Role::QuasiIdentifier)
    }

    /// What each declared cell of a column stands for.
    fn stands(&self, column: usize) -> Vec<Stands> {
        self.binnings[column]
            .values_of()
            .into_iter()
            .map(Stands::For)
            .collect()
    }

    /// A line for each group and value.
    fn lines_of_groups(&self, comparison: &Comparison) -> MarginalLines {
        let published = comparison.published();
        let groups = 0..published.groups();
        let entries: Vec<(usize, u32, u64)> = groups
            .flat_map(|g| {
                published
                    .entries(g)
                    .iter()
                    .map(move |e| (g, e.sensitive, e.count))
            })
            .collect();
        let mut spreads: Vec<Spread> = Vec::with_capacity(self.attributes.len());
        for (column, binning) in comparison.columns().iter().zip(&self.binnings) {
            let label =
                |&(group, _, _): &(usize, u32, u64)| published.labels(group)[column.place()];
            let shares = column
                .readings()
                .iter()
                .map(|reading| spread(reading, binning))
                .collect();
            spreads.push(Spread {
                labels: entries.iter().map(label).collect(),
                shares,
                cells: binning.cells(),
            });
        }
        let (sensitive, binning) = (
            &published.sensitive()[0],
            &self.binnings[self.attributes.len() - 1],
        );
        let cell =
            |&(_, value, _): &(usize, u32, u64)| binning.cell(sensitive.codes.get(value as usize));
        let cells = binning.cells();
        let shares = (0..cells as u32).map(|cell| vec![(cell, 1.0)]).collect();
        spreads.push(Spread {
            labels: entries.iter().map(cell).collect(),
            shares,
            cells,
        });
        MarginalLines::new(
            entries.iter().map(|&(_, _, count)| count).collect(),
            spreads,
        )
    }

    fn of_records(&self, made: &Synthetic) -> SchemeLoss {
        let counts = vec![1; made.rows()];
        let lines = self.lines(made.columns.iter().map(Vec::as_slice), counts.clone());
        let asked = self.quasi_identifiers().map(|at| match &made.numbers[at] {
            Some(numbers) => self.numbers(at, numbers),
            None => (
                made.columns[at].iter().map(|&cell| cell.into()).collect(),
                self.stands(at),
            ),
        });
        let asked = query_error::QueryLines::new(asked, counts);
        self.loss(
            &lines,
            query_error::error_of_lines(&self.cube, &asked, self.options),
        )
    }

    fn of_histogram(&self, histogram: &Histogram) -> SchemeLoss {
        let column = |at: usize| {
            histogram
                .cells
                .iter()
                .map(|(cell, _)| cell[at])
                .collect::<Vec<CellId>>()
        };
        let columns: Vec<Vec<CellId>> = (0..self.attributes.len()).map(column).collect();
        let counts: Vec<u64> = histogram.cells.iter().map(|&(_, count)| count).collect();
        let lines = self.lines(columns.iter().map(Vec::as_slice), counts.clone());
        let asked = self.quasi_identifiers().map(|at| {
            (
                columns[at].iter().map(|&c| c.into()).collect(),
                self.stands(at),
            )
        });
        let asked = query_error::QueryLines::new(asked, counts);
        self.loss(
            &lines,
            query_error::error_of_lines(&self.cube, &asked, self.options),
        )
    }

    fn of_tables(&self, tables: &[Marginal]) -> SchemeLoss {
        let cells = self.attributes.iter().map(DeclaredAttribute::len).collect();
        let tables = tables
            .iter()
            .map(|table| (table.attributes.clone(), table.counts.clone()))
            .collect();
        let tables =
            CountTables::new(cells, tables).expect("the release has a count for every cell");
        let stands = |at: usize| {
            let mut stands = self.stands(at);
            // tables have no cell for what is outside
            stands.truncate(self.attributes[at].len());
            (at, stands)
        };
        let asked = query_error::Marginals::new(&tables, self.quasi_identifiers().map(stands));
        self.loss(
            &tables,
            query_error::error_of_marginals(&self.cube, &asked, self.options),
        )
    }

    fn lines<'c>(
        &self,
        columns: impl Iterator<Item = &'c [CellId]>,
        counts: Vec<u64>,
    ) -> MarginalLines {
        let codes = |cells: &[CellId]| cells.iter().map(|&cell| u32::from(cell)).collect::<Codes>();
        MarginalLines::of_cells(
            counts,
            columns
                .zip(&self.binnings)
                .map(|(cells, b)| (codes(cells), b.cells())),
        )
    }

    /// Published numbers as labels, each for the value that it is or for its place between values.
    fn numbers(&self, at: usize, numbers: &[i64]) -> (Vec<Code>, Vec<Stands>) {
        let domain = &self.columns[at].domain;
        let values: Vec<i128> = (0..domain.len() as Code)
            .filter_map(|code| domain.number(code))
            .collect();
        let (least, most) = (
            numbers.iter().min().copied().unwrap_or(0),
            numbers.iter().max().copied().unwrap_or(0),
        );
        let stands = |number: i64| match values.binary_search(&number.into()) {
            Ok(code) => Stands::For(vec![code as Code]),
            Err(next) => Stands::Before(next as Code),
        };
        (
            numbers
                .iter()
                .map(|number| (number - least) as Code)
                .collect(),
            (least..=most).map(stands).collect(),
        )
    }
}

/// The declared cells of a column's values.
fn binning(column: &Column, attribute: &DeclaredAttribute) -> Binning {
    let place = |code: Code| match attribute.place(column.domain.text(code), false) {
        Place::Cell(cell) | Place::Clamped(cell) | Place::Other(cell) => Some(u32::from(cell)),
        Place::Nowhere => None,
    };
    Binning::declared((0..column.domain.len() as Code).map(place), attribute.len())
}

/// Uniform over the values that a label covers.
fn spread(reading: &Reading, binning: &Binning) -> Vec<(u32, f64)> {
    let mut shares = std::collections::BTreeMap::<u32, f64>::new();
    let all = reading.count() as f64;
    let covered = reading.ranges.iter().flat_map(|&(lo, hi)| lo..=hi);
    covered.for_each(|code| *shares.entry(binning.cell(code)).or_default() += 1.0 / all);
    shares.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Grouped, Noisy, NoisyReleaseKind};
    use super::super::{grouped, noisy};
    use super::*;
    use crate::data::PeopleRows;
    use mingle_dp::{PerPerson, Records};
    use mingle_privacy::{Insiders, M};
    use mingle_synth::Distribution;

    const SETTING: Setting = Setting {
        data: None,
        extent: Extent::Smoke,
        seed: 0,
        progress: None,
        cancel: None,
    };

    fn table() -> Table {
        let data = PeopleRows::load(None, 900, 2)
            .unwrap()
            .without_hierarchies();
        data.dealt(900, 1, Distribution::Uniform, 0, 0).unwrap()
    }

    fn noise(kind: NoisyReleaseKind) -> Output {
        noisy::publish(
            &table(),
            &Noisy {
                kind,
                epsilon: "1",
                pure: false,
            },
            None,
        )
        .unwrap()
    }

    fn is_nothing(loss: SchemeLoss) -> bool {
        [
            loss.query_error,
            loss.median_query_error,
            loss.one_way,
            loss.two_way,
        ]
        .iter()
        .all(|&l| l.abs() < 1e-9)
    }

    #[test]
    fn groups_of_one_lose_nothing_and_one_group_a_lot() {
        let table = table();
        let loss = |k| {
            let how = Grouped {
                method: "mondrian",
                k,
                t: None,
                insiders: Insiders::victim(M(0)),
            };
            of_groups(
                &grouped::publish(&table, &how, None).unwrap().unwrap(),
                &table,
                &SETTING,
            )
            .unwrap()
        };
        assert!(is_nothing(loss(1)), "{:?}", loss(1));
        let [five, all] = [loss(5), loss(900)];
        assert!(
            five.two_way > 0.001 && all.two_way > 2.0 * five.two_way,
            "{five:?} {all:?}"
        );
        assert!(all.query_error > five.query_error && all.one_way > five.one_way);
    }

    /// The table itself, as if it had been drawn.
    #[test]
    fn made_up_records_that_are_the_table_lose_nothing() {
        let table = table();
        let mut output = noise(NoisyReleaseKind::Synthetic);
        let (records, _) = Records::encode(&output.attributes, &table, PerPerson::ONE).unwrap();
        let columns: Vec<Vec<CellId>> = (0..8).map(|at| records.column(at).to_vec()).collect();
        let ages = &table.columns[0];
        let number = |code| i64::try_from(ages.domain.number(code).unwrap()).unwrap();
        let mut numbers = vec![None; 8];
        numbers[0] = Some(ages.codes.iter().map(number).collect());
        let mut made = Synthetic {
            columns,
            numbers,
            measured: Vec::new(),
        };
        output.content = Content::Synthetic(made.clone());
        assert!(is_nothing(of_noise(&output, &table, &SETTING)));
        // everybody a year older: the cells stay nearly the same, the answers do not
        made.numbers[0]
            .iter_mut()
            .flatten()
            .for_each(|age| *age += 1);
        output.content = Content::Synthetic(made.clone());
        let older = of_noise(&output, &table, &SETTING);
        assert!(older.query_error > 0.0 && older.one_way == 0.0);
        // nobody in a cell where anybody is: half of the columns' mass is elsewhere
        made.columns[6] = made.columns[6]
            .iter()
            .map(|&cell| 1 - cell.min(1))
            .collect();
        output.content = Content::Synthetic(made);
        assert!(of_noise(&output, &table, &SETTING).one_way > 0.02);
    }

    #[test]
    fn exact_tables_lose_nothing_but_what_they_do_not_hold() {
        let table = table();
        let mut output = noise(NoisyReleaseKind::Pairs);
        let (records, _) = Records::encode(&output.attributes, &table, PerPerson::ONE).unwrap();
        let Content::Marginals(tables) = &mut output.content else {
            panic!("tables were asked for")
        };
        for table in tables.iter_mut() {
            let counts = mingle_dp::count::count(&records, std::slice::from_ref(&table.attributes))
                .remove(0);
            table.counts = counts.into_iter().map(|count| count as f64).collect();
        }
        let exact = of_noise(&output, &table, &SETTING);
        assert!(exact.one_way < 1e-9 && exact.two_way < 1e-9, "{exact:?}");
        let Content::Marginals(tables) = &mut output.content else {
            panic!("tables were asked for")
        };
        tables.retain(|table| table.attributes.len() == 1 || !table.attributes.contains(&0));
        let without = of_noise(&output, &table, &SETTING);
        assert!(
            without.two_way > exact.two_way && without.one_way <= 1.0,
            "{without:?}"
        );
    }

    #[test]
    fn the_full_histogram_is_the_table() {
        let table = table();
        let mut output = noise(NoisyReleaseKind::Histogram);
        let (records, _) = Records::encode(&output.attributes, &table, PerPerson::ONE).unwrap();
        let mut cells: Vec<Vec<CellId>> = (0..records.len())
            .map(|row| (0..8).map(|at| records.column(at)[row]).collect())
            .collect();
        cells.sort();
        let Content::Histogram(histogram) = &mut output.content else {
            panic!("a histogram was asked for")
        };
        histogram.cells = cells
            .chunk_by(|a, b| a == b)
            .map(|same| (same[0].clone(), same.len() as u64))
            .collect();
        let exact = of_noise(&output, &table, &SETTING);
        assert!(
            exact.one_way < 1e-9 && exact.two_way < 1e-9 && exact.query_error < 0.5,
            "{exact:?}"
        );
        let Content::Histogram(histogram) = &mut output.content else {
            panic!("a histogram was asked for")
        };
        histogram.cells.clear();
        let nothing = of_noise(&output, &table, &SETTING);
        assert_eq!((nothing.one_way, nothing.two_way), (1.0, 1.0));
    }
}
