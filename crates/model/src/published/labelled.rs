//! Publications from rows whose labels are there already, and which are kept.

use super::gathering::{gather, regroup};
use super::{Origin, Published, PublishedColumn, Rendered};
use crate::codes::{Code, Codes};
use crate::cube::Cube;
use crate::domain::Domain;
use std::sync::Arc;

impl Published {
    /// Takes a table whose quasi-identifier cells are labels already, as rows that were published
    /// before and rows that were put beside them: equal text is one group. Unlike
    /// [`from_table`](Published::from_table) it keeps the rows, so that a release can be made of it.
    ///
    /// Nothing is read back and nobody knows the values behind the labels: whether a label covers
    /// what was put under it is for the caller to see to, and ends of ranges are not looked at. The
    /// quasi-identifiers must be plain categories, and each row one person.
    ///
    /// `None` where people have several rows.
    pub fn from_labels(cube: &Arc<Cube>) -> Option<Published> {
        if cube.people().is_some() {
            return None;
        }
        let q = cube.quasi_identifiers().len();
        let mut columns = Vec::with_capacity(q);
        let mut codes = Vec::with_capacity(q);
        for qi in cube.quasi_identifiers() {
            let (column, rank) = in_text_order(&qi.name, &qi.domain);
            let mut ranks = Codes::with_capacity(rank.len(), cube.tuples());
            ranks.extend_mapped(&qi.codes, &rank);
            columns.push(column);
            codes.push(ranks);
        }
        let (group_of_tuple, labels) = regroup(cube.tuples(), &columns, &codes);
        let mut group_of = Vec::with_capacity(cube.records().len());
        for (tuple, &group) in group_of_tuple.iter().enumerate() {
            group_of.extend(cube.records_of(tuple).map(|_| group));
        }
        let records = cube.records().iter().zip(&group_of);
        let gathered = gather(q, labels, records.map(|(r, &group)| (group, r.entry())));
        for group in &mut group_of {
            *group = gathered.number[*group as usize];
        }
        Some(Published {
            columns,
            labels: gathered.labels,
            starts: gathered.starts,
            entries: gathered.entries,
            sensitive: cube.sensitive().to_vec(),
            providers: cube.providers().clone(),
            suppressed: 0,
            people: None,
            origin: Origin::Rendered(Rendered {
                cube: cube.clone(),
                group_of,
                ranges: Vec::new(),
                in_vocabulary: Vec::new(),
            }),
        })
    }
}

/// The texts of a domain as labels in text order, and the place of each code's text among them.
fn in_text_order(name: &str, domain: &Domain) -> (PublishedColumn, Vec<Code>) {
    let mut labels: Vec<String> = Vec::with_capacity(domain.len());
    for code in 0..domain.len() as Code {
        labels.push(domain.text(code).to_owned());
    }
    labels.sort_unstable();
    labels.dedup();
    let mut place = Vec::with_capacity(domain.len());
    for code in 0..domain.len() as Code {
        let text = domain.text(code);
        place.push(labels.partition_point(|label| label.as_str() < text) as Code);
    }
    let name = name.to_owned();
    (PublishedColumn { name, labels }, place)
}
