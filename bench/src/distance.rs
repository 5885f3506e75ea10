//! How far a table is from another: half the sum of absolute differences of shares, over tables of
//! one and two columns.

use mingle_dp::count::count;
use mingle_dp::{DeclaredAttribute, PerPerson, Records};
use mingle_io::{FormulaGuard, ReadOptions, Source, Undeclared, read_table};
use mingle_lab::codebook::Declared;
use mingle_model::{ColumnSpec, Kind, Role, Table};
use std::path::Path;

/// The data, counted once.
pub struct Truth {
    attributes: Vec<DeclaredAttribute>,
    sets: Vec<Vec<usize>>,
    shares: Vec<Vec<f64>>,
    rows: usize,
}

/// Mean distances.
#[derive(Clone, Copy)]
pub struct TableDistance {
    /// Over the tables of one column.
    pub one_way: f64,
    /// Over the tables of two.
    pub two_way: f64,
}

impl Truth {
    /// Counts a file's columns in declared cells.
    pub fn read(path: &Path, columns: &[Declared]) -> Truth {
        let attributes: Vec<DeclaredAttribute> = columns
            .iter()
            .map(|d| d.attribute(Role::QuasiIdentifier))
            .collect();
        let all = 0..attributes.len();
        let mut sets: Vec<Vec<usize>> = all.clone().map(|a| vec![a]).collect();
        sets.extend(
            all.clone()
                .flat_map(|a| (a + 1..all.end).map(move |b| vec![a, b])),
        );
        let mut truth = Truth {
            attributes,
            sets,
            shares: Vec::new(),
            rows: 0,
        };
        (truth.shares, truth.rows) = truth.counted(path);
        truth
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How far another file is.
    pub fn distance(&self, path: &Path) -> TableDistance {
        let (other, _) = self.counted(path);
        let half = |(p, q): (&Vec<f64>, &Vec<f64>)| {
            p.iter().zip(q).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0
        };
        let all: Vec<f64> = self.shares.iter().zip(&other).map(half).collect();
        let mean = |some: &[f64]| some.iter().sum::<f64>() / some.len() as f64;
        let (one, two) = all.split_at(self.attributes.len());
        TableDistance {
            one_way: mean(one),
            two_way: mean(two),
        }
    }

    fn counted(&self, path: &Path) -> (Vec<Vec<f64>>, usize) {
        let table = read(path, &self.attributes);
        let (records, encoded) =
            Records::encode(&self.attributes, &table, PerPerson::ONE).expect("declared columns");
        assert_eq!(
            encoded.left_out,
            0,
            "{}: every value is declared",
            path.display()
        );
        let share = |table: Vec<u64>| {
            table
                .into_iter()
                .map(|n| n as f64 / records.len() as f64)
                .collect()
        };
        (
            count(&records, &self.sets).into_iter().map(share).collect(),
            records.len(),
        )
    }
}

/// Reads declared columns as texts.
pub fn read(path: &Path, attributes: &[DeclaredAttribute]) -> Table {
    let spec = |a: &DeclaredAttribute| ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new(&a.name, a.role)
    };
    let specs: Vec<ColumnSpec> = attributes.iter().map(spec).collect();
    let source = Source::new(path, path.display().to_string());
    let options = ReadOptions {
        unguard: FormulaGuard::Parts,
        ..ReadOptions::default()
    };
    let read = read_table(&[source], None, &specs, Undeclared::Drop, &options);
    read.unwrap_or_else(|e| panic!("{}: {e}", path.display()))
        .table
}
