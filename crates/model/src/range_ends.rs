//! Ends of published ranges, and how many providers attain them.
//!
//! The label `[22-29]` says that somebody in the group is exactly 22 and somebody exactly 29. Who
//! has such a row is known only where the original table is, so it is counted when labels are
//! rendered, from the published texts and for groups as they are published: rows that look alike
//! are one group. What follows from it for insiders is for `mingle-privacy` to say.
//!
//! Where people have several rows it is people who attain an end: one person's rows at two providers
//! attain it once, and whoever has a row of hers knows her.
//!
//! Only columns of numbers or dates without a hierarchy are published in ranges. A label that is a
//! single value, or `*`, has no ends. Cost O(records) for each such column, and sorting those
//! records that attain an end.

use crate::codes::Code;
use crate::cube::Cube;
use crate::grid::Grid;
use crate::label::LabelReader;
use crate::partition::Partition;
use crate::people::PeopleOfCube;
use crate::provider::ProviderId;
use crate::schema::Missing;

/// The ranges of a column that is published in ranges.
pub struct ColumnRanges {
    column: usize,
    grid: Grid,
    /// Per label its ends, where it is a range.
    ends: Vec<Option<(i128, i128)>>,
    /// Per group how many of its providers have a row with exactly the lower end, and how many with
    /// the upper one.
    attained_by: Vec<[u32; 2]>,
    /// Per group and end, where people have several rows, who knows the people that attain it.
    attaining: Option<Vec<[KnownTo; 2]>>,
}

/// Distinct sets of providers: each knows some person, ascending.
pub type KnownTo = Vec<Vec<ProviderId>>;

impl ColumnRanges {
    /// The column's place among the quasi-identifiers.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Where ends are moved to that few attain.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The smallest and the largest number of a label, where it is a range.
    pub fn ends(&self, label: u32) -> Option<(i128, i128)> {
        self.ends[label as usize]
    }

    /// How many of a group's providers have a row with exactly the lower end of its label, and how
    /// many one with the upper end; nobody where the label is no range.
    pub fn attained_by(&self, group: usize) -> [u32; 2] {
        self.attained_by[group]
    }

    /// Of the people of a group who have a row with exactly the lower end of its label, and of those
    /// with the upper end, who knows them; `None` where each row is one person.
    pub fn attaining_people(&self, group: usize) -> Option<&[KnownTo; 2]> {
        self.attaining.as_ref().map(|attaining| &attaining[group])
    }
}

/// A column's labels, and each record's group and label there.
pub(crate) struct Labelled<'a> {
    /// The column's place.
    pub column: usize,
    /// The distinct texts.
    pub labels: &'a [String],
    /// Per group its label.
    pub label_of: &'a [u32],
    /// Per record its group, or [`Partition::SUPPRESSED`].
    pub group_of: &'a [u32],
}

/// Which of a quasi-identifier's values some published record has, by code; `group_of` says per record
/// of the cube its group, or [`Partition::SUPPRESSED`].
pub fn published_values(cube: &Cube, column: usize, group_of: &[u32]) -> Vec<bool> {
    let quasi_identifier = &cube.quasi_identifiers()[column];
    let mut published = vec![false; quasi_identifier.domain.len()];
    for tuple in 0..cube.tuples() {
        let groups = &group_of[cube.records_of(tuple)];
        if groups.iter().any(|&group| group != Partition::SUPPRESSED) {
            published[quasi_identifier.codes.get(tuple) as usize] = true;
        }
    }
    published
}

/// Counts who attains the ends of a column's labels; `None` where it is not published in ranges.
pub(crate) fn column_ranges(
    cube: &Cube,
    labelled: &Labelled<'_>,
    missing: &Missing,
) -> Option<ColumnRanges> {
    let quasi_identifier = &cube.quasi_identifiers()[labelled.column];
    let domain = &quasi_identifier.domain;
    let published = published_values(cube, labelled.column, labelled.group_of);
    let grid = domain.grid_among(|code| published[code as usize])?;
    let reader = LabelReader::new(domain, missing);
    let mut ends = Vec::with_capacity(labelled.labels.len());
    for label in labelled.labels {
        // `*` reads as from the smallest to the largest value there is, but does not say so
        let bounds = reader.read(label).and_then(|reading| reading.bounds);
        ends.push(bounds.filter(|(low, high)| low < high && label.starts_with('[')));
    }
    let mut attaining: Vec<(u32, bool, ProviderId)> = Vec::new();
    let mut kinds: Vec<(u32, bool, u32)> = Vec::new();
    for tuple in 0..cube.tuples() {
        let code: Code = quasi_identifier.codes.get(tuple);
        let Some(number) = domain.number(code) else {
            continue;
        };
        for record in cube.records_of(tuple) {
            let group = labelled.group_of[record];
            if group == Partition::SUPPRESSED {
                continue;
            }
            let label = labelled.label_of[group as usize];
            let Some((low, high)) = ends[label as usize] else {
                continue;
            };
            if number == low || number == high {
                let provider = cube.records()[record].provider;
                attaining.push((group, number == high, provider));
                if let Some(people) = cube.people() {
                    kinds.push((group, number == high, people.kind_of(record) as u32));
                }
            }
        }
    }
    attaining.sort_unstable();
    attaining.dedup();
    let mut attained_by = vec![[0; 2]; labelled.label_of.len()];
    for (group, upper, _) in attaining {
        attained_by[group as usize][usize::from(upper)] += 1;
    }
    let groups = labelled.label_of.len();
    Some(ColumnRanges {
        column: labelled.column,
        grid,
        ends,
        attained_by,
        attaining: cube.people().map(|people| known_to(people, &kinds, groups)),
    })
}

/// Who knows the people that attain each end.
fn known_to(
    people: &PeopleOfCube,
    attaining: &[(u32, bool, u32)],
    groups: usize,
) -> Vec<[KnownTo; 2]> {
    let mut known = vec![[KnownTo::new(), KnownTo::new()]; groups];
    for &(group, upper, kind) in attaining {
        let providers = people.kinds().get(kind as usize).providers;
        known[group as usize][usize::from(upper)].push(providers.to_vec());
    }
    for sets in known.iter_mut().flatten() {
        sets.sort_unstable();
        sets.dedup();
    }
    known
}
