//! The anonymizer of one site: Datafly over its own columns of the common people.
//!
//! Levels start at 0 and rise, one column at a time, until every class satisfies the site's
//! promises; the distribution that t-closeness compares with is that of all common people, always.
//! Whatever is asked later only coarsens: classes are united, never divided, which keeps k, l and
//! t.

use crate::error::Error;
use mingle_anonymize::FullDomain;
use mingle_model::{
    Code, Codes, Column, ColumnSpec, Entry, Missing, ProviderId, Role, SensitiveColumn, Table,
};
use mingle_privacy::{Promise, Requirement, Tally};
use std::collections::HashMap;

/// What a synchronizer needs of a site.
pub trait Local: Send {
    /// How many people the sites have in common.
    fn people(&self) -> usize;

    /// The classes of these people at the current levels: per person a number.
    fn classes(&self, people: &[u32]) -> Vec<u32>;

    /// One more step of generalization, chosen by looking at these people; nothing happens at the
    /// root.
    fn step(&mut self, people: &[u32]);

    /// Counts these people.
    fn tally(&self, people: &[u32]) -> Tally;

    /// Whether a set of people satisfies this site's promises.
    fn holds(&self, tally: &Tally) -> bool;
}

/// A site's own columns of the common people, at the current levels.
pub struct Anonymizer<'a> {
    table: &'a Table,
    /// The levels of every round so far, the current one last; rounds at the root only once.
    rounds: Vec<FullDomain<'a>>,
    combination_of: Vec<u32>,
    requirement: Requirement,
}

impl<'a> Anonymizer<'a> {
    /// Generalizes until every class satisfies the promises, which are about the table's own
    /// sensitive columns.
    pub fn new(table: &'a Table, promises: &[Promise]) -> Result<Anonymizer<'a>, Error> {
        let (sensitive, combination_of, counts) = combinations(table);
        let requirement = Requirement::bind(promises, &sensitive, &counts)?;
        let columns = table
            .with_role(Role::QuasiIdentifier)
            .map(|c| (&c.domain, &c.codes))
            .collect();
        let mut site = Anonymizer {
            table,
            rounds: vec![FullDomain::new(columns)],
            combination_of,
            requirement,
        };
        let everybody: Vec<u32> = (0..table.rows() as u32).collect();
        while !site.every_class_holds(&everybody) {
            let levels = site
                .rounds
                .last_mut()
                .expect("there is always a current round");
            levels.step(&everybody).ok_or(Error::Unsatisfiable)?;
        }
        Ok(site)
    }

    fn every_class_holds(&self, people: &[u32]) -> bool {
        let members = crate::classes::Classes::new(self.classes(people)).members();
        members.iter().all(|class| self.holds(&self.tally(class)))
    }

    fn current(&self) -> &FullDomain<'a> {
        self.rounds.last().expect("there is always a current round")
    }

    /// How often everybody could still be generalized.
    pub fn steps_left(&self) -> usize {
        let levels = self.current();
        levels
            .heights()
            .iter()
            .zip(levels.levels())
            .map(|(height, level)| height - level)
            .sum()
    }

    /// A group's label in every quasi-identifier, at the levels of a round: the lowest common
    /// ancestor of its people's generalized values.
    pub fn labels(&self, people: &[u32], round: u32) -> Vec<String> {
        let levels = self.rounds.get(round as usize).unwrap_or(self.current());
        let columns = self.table.with_role(Role::QuasiIdentifier).enumerate();
        columns
            .map(|(c, column)| {
                column
                    .domain
                    .label(&levels.cover(c, people.iter().copied()))
            })
            .collect()
    }
}

impl Local for Anonymizer<'_> {
    fn people(&self) -> usize {
        self.table.rows()
    }

    fn classes(&self, people: &[u32]) -> Vec<u32> {
        self.current().classes(people)
    }

    fn step(&mut self, people: &[u32]) {
        if self.current().is_root() {
            // later rounds are this one: a site that never agrees must not make us keep a copy for
            // each
            return;
        }
        let mut next = self.current().clone();
        next.step(people);
        self.rounds.push(next);
    }

    fn tally(&self, people: &[u32]) -> Tally {
        let mut counts: Vec<u32> = people
            .iter()
            .map(|&p| self.combination_of[p as usize])
            .collect();
        counts.sort_unstable();
        let entry = |run: &[u32]| Entry {
            sensitive: run[0],
            provider: ProviderId(0),
            count: run.len() as u64,
        };
        self.requirement
            .tally(counts.chunk_by(|a, b| a == b).map(entry))
    }

    fn holds(&self, tally: &Tally) -> bool {
        self.requirement.holds(tally)
    }
}

/// The sensitive columns by combination of their values, each row's combination, and how often each
/// occurs.
fn combinations(table: &Table) -> (Vec<SensitiveColumn>, Vec<u32>, Vec<u64>) {
    let columns: Vec<&Column> = table.with_role(Role::Sensitive).collect();
    let mut number: HashMap<Vec<Code>, u32> = HashMap::new();
    let mut counts: Vec<u64> = Vec::new();
    let mut codes: Vec<Codes> = columns
        .iter()
        .map(|c| Codes::with_capacity(c.domain.len(), 0))
        .collect();
    let mut combination_of = Vec::with_capacity(table.rows());
    for row in 0..table.rows() {
        let values: Vec<Code> = columns.iter().map(|c| c.codes.get(row)).collect();
        let next = counts.len() as u32;
        let combination = *number.entry(values).or_insert_with_key(|values| {
            counts.push(0);
            codes
                .iter_mut()
                .zip(values)
                .for_each(|(column, &code)| column.push(code));
            next
        });
        counts[combination as usize] += 1;
        combination_of.push(combination);
    }
    let sensitive = |(c, codes): (&&Column, Codes)| SensitiveColumn {
        name: c.spec.name.clone(),
        domain: c.domain.clone(),
        codes,
    };
    (
        columns.iter().zip(codes).map(sensitive).collect(),
        combination_of,
        counts,
    )
}

/// The given rows of a table, in that order, as a table of their own: values that only others have
/// are gone from it.
pub fn restrict(table: &Table, rows: &[u32], missing: &Missing) -> Result<Table, Error> {
    let wanted = |c: &&Column| matches!(c.spec.role, Role::QuasiIdentifier | Role::Sensitive);
    let column = |c: &Column| {
        // the kind was inferred from all rows and must not change with who is in common
        let spec = ColumnSpec {
            kind: Some(c.domain.kind()),
            bands: c.domain.has_bands(),
            ..c.spec.clone()
        };
        let texts = rows
            .iter()
            .map(|&row| c.domain.text(c.codes.get(row as usize)));
        Column::from_texts(spec, texts, missing).map_err(Error::from)
    };
    let columns = table
        .columns
        .iter()
        .filter(wanted)
        .map(column)
        .collect::<Result<_, _>>()?;
    let provider_of = std::iter::repeat_n(0, rows.len()).collect();
    let providers = mingle_model::Providers::new(vec![String::new()]);
    Ok(Table {
        columns,
        provider_of,
        providers,
        person_of: None,
    })
}
