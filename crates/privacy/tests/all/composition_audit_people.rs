//! The audit of a table in which people have several rows, against a naive reference person by
//! person: ages as single quasi-identifier, groups as ranges of them.

use mingle_model::{
    Cell, Codes, Column, ColumnSpec, Cube, Kind, Missing, Partition, Providers, Published, Role,
    Table,
};
use mingle_privacy::composition::{CompositionLimits, Location, Overlay, People, Reader, audit};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use std::sync::Arc;

const AGES: u32 = 12;
const VALUES: [&str; 4] = ["flu", "gout", "cold", "ill"];

/// Age and value of each of somebody's rows.
type Visits = Vec<(u32, usize)>;

/// From an age to an age, and which values are there.
type Range = ((u32, u32), BTreeSet<usize>);

fn table(rows: &[(String, usize)], kind: Kind, whose: Option<Vec<u32>>) -> Table {
    let missing = Missing::default();
    let age = ColumnSpec {
        kind: Some(kind),
        ..ColumnSpec::new("age", Role::QuasiIdentifier)
    };
    let value = ColumnSpec {
        kind: Some(Kind::Category),
        ..ColumnSpec::new("disease", Role::Sensitive)
    };
    let ages = rows.iter().map(|row| row.0.as_str());
    let values = rows.iter().map(|row| VALUES[row.1]);
    let (Ok(ages), Ok(values)) = (
        Column::from_texts(age, ages, &missing),
        Column::from_texts(value, values, &missing),
    ) else {
        panic!("columns of texts");
    };
    Table {
        columns: vec![ages, values],
        providers: Providers::new(vec!["P".to_owned()]),
        provider_of: rows.iter().map(|_| 0).collect::<Codes>(),
        person_of: whose.map(|whose| whose.into_iter().collect::<Codes>()),
    }
}

fn random_release(random: &mut ChaCha8Rng) -> (Published, Vec<Range>) {
    let mut ranges: Vec<Range> = Vec::new();
    let mut rows = Vec::new();
    for _ in 0..random.random_range(2..5) {
        let low = random.random_range(0..AGES - 1);
        let high = random.random_range(low + 1..AGES);
        if ranges.iter().any(|range| range.0 == (low, high)) {
            continue;
        }
        let mut values = BTreeSet::from([0]);
        for _ in 0..random.random_range(0..3) {
            values.insert(random.random_range(0..VALUES.len()));
        }
        for &value in &values {
            rows.push((format!("[{low}-{high}]"), value));
        }
        ranges.push(((low, high), values));
    }
    let published = Published::from_table(&table(&rows, Kind::Category, None));
    (published, ranges)
}

/// People, each in a group, or left out.
struct Own {
    people: Vec<(Visits, Option<u32>)>,
    cube: Arc<Cube>,
    published: Published,
    ranges: Vec<Range>,
}

fn random_own(random: &mut ChaCha8Rng) -> Own {
    let (mut visits_of, mut rows, mut whose) = (Vec::new(), Vec::new(), Vec::new());
    for person in 0..random.random_range(3..9) {
        let mut visits: Visits = Vec::new();
        let count = if person == 0 {
            2
        } else {
            random.random_range(1..4)
        };
        for _ in 0..count {
            let visit = (
                random.random_range(0..AGES),
                random.random_range(0..VALUES.len()),
            );
            visits.push(visit);
            rows.push((visit.0.to_string(), visit.1));
            whose.push(person);
        }
        visits.sort_unstable();
        visits_of.push(visits);
    }
    let cube = Arc::new(Cube::new(table(&rows, Kind::Integer, Some(whose))));
    let own = cube.people().expect("somebody has several rows");
    let groups = random.random_range(1..4u32);
    let age = &cube.quasi_identifiers()[0];
    let number = |tuple: u32| -> u32 {
        let text = age.domain.text(age.codes.get(tuple as usize));
        text.parse().expect("an age")
    };
    let mut group_of = vec![Partition::SUPPRESSED; cube.records().len()];
    let mut spans = vec![None::<(u32, u32)>; groups as usize];
    let mut codes = vec![None::<(u32, u32)>; groups as usize];
    for kind in 0..own.kinds().len() {
        if random.random_bool(0.1) {
            continue;
        }
        let group = random.random_range(0..groups);
        for &record in own.records_of(kind) {
            group_of[record as usize] = group;
        }
        for &tuple in own.tuples_of(own.profile_of(kind)) {
            let widen = |span: &mut Option<(u32, u32)>, value: u32| {
                let (low, high) = span.unwrap_or((value, value));
                *span = Some((low.min(value), high.max(value)));
            };
            widen(&mut spans[group as usize], number(tuple));
            widen(&mut codes[group as usize], age.codes.get(tuple as usize));
        }
    }
    let cells = codes
        .iter()
        .map(|span| span.map_or(Cell::All, |(lo, hi)| Cell::Span { lo, hi }))
        .collect();
    // everybody with the same rows is of one kind, so rows say where somebody is
    let mut people = Vec::new();
    for visits in visits_of {
        let same = |&kind: &usize| {
            let mut rows = Vec::new();
            for &record in own.records_of(kind) {
                let record = record as usize;
                let tuple = (0..cube.tuples()).find(|&t| cube.records_of(t).contains(&record));
                let column = &cube.sensitive()[0];
                let code = column.codes.get(cube.records()[record].sensitive as usize);
                let value = VALUES.iter().position(|v| *v == column.domain.text(code));
                let each = cube.records()[record].count / own.kinds().get(kind).people;
                let row = (number(tuple.unwrap() as u32), value.unwrap());
                rows.extend(std::iter::repeat_n(row, each as usize));
            }
            rows.sort_unstable();
            rows == visits
        };
        let kind = (0..own.kinds().len())
            .find(same)
            .expect("everybody is of some kind");
        let group = group_of[own.records_of(kind)[0] as usize];
        people.push((visits, (group != Partition::SUPPRESSED).then_some(group)));
    }
    let partition = Partition { cells, group_of };
    let published = Published::from_partition(&cube, &partition, &Missing::default()).unwrap();
    let mut ranges: Vec<Range> = Vec::new();
    for (group, span) in spans.iter().enumerate() {
        let mut values = BTreeSet::new();
        for (visits, own) in &people {
            if *own == Some(group as u32) {
                values.extend(visits.iter().map(|visit| visit.1));
            }
        }
        ranges.push((span.unwrap_or((0, AGES)), values));
    }
    Own {
        people,
        cube,
        published,
        ranges,
    }
}

/// Which groups a reader takes: all, or the narrowest of those that cover most of her ages.
fn taken<'r>(
    ranges: &'r [Range],
    visits: &Visits,
    (all, holds): (bool, Option<usize>),
    known: &BTreeSet<u32>,
) -> Vec<&'r Range> {
    let ages: BTreeSet<u32> = visits.iter().map(|visit| visit.0).collect();
    let covered = |range: &Range| ages.range(range.0.0..=range.0.1).count();
    let width = |range: &Range| known.range(range.0.0..=range.0.1).count();
    let mut fitting: Vec<&Range> = ranges.iter().filter(|range| covered(range) > 0).collect();
    fitting.retain(|range| holds.is_none_or(|value| range.1.contains(&value)));
    if !all {
        let most = fitting.iter().map(|range| covered(range)).max();
        fitting.retain(|range| Some(covered(range)) == most);
        let least = fitting.iter().map(|range| width(range)).min();
        fitting.retain(|range| Some(width(range)) == least);
    }
    fitting
}

fn left(taken: &[Vec<&Range>]) -> (usize, BTreeSet<usize>) {
    let mut spoken: Vec<BTreeSet<usize>> = Vec::new();
    for groups in taken.iter().filter(|groups| !groups.is_empty()) {
        spoken.push(
            groups
                .iter()
                .flat_map(|group| group.1.iter().copied())
                .collect(),
        );
    }
    let all = 0..VALUES.len();
    let common = all.filter(|value| spoken.iter().all(|set| set.contains(value)));
    (
        spoken.len(),
        if spoken.is_empty() {
            BTreeSet::new()
        } else {
            common.collect()
        },
    )
}

/// Targets, alone, apart and perfect of the three readers.
fn naive(own: &Own, others: &[Vec<Range>]) -> [[u64; 4]; 3] {
    // groups that look alike are one
    let mut mine: Vec<Range> = Vec::new();
    for (range, values) in own.ranges.iter().filter(|range| !range.1.is_empty()) {
        match mine.iter_mut().find(|other| other.0 == *range) {
            Some(other) => other.1.extend(values),
            None => mine.push((*range, values.clone())),
        }
    }
    let known: BTreeSet<u32> = own
        .people
        .iter()
        .flat_map(|p| p.0.iter().map(|visit| visit.0))
        .collect();
    let mut counts = [[0; 4]; 3];
    for (visits, group) in &own.people {
        let Some(group) = group else { continue };
        let values: BTreeSet<usize> = visits.iter().map(|visit| visit.1).collect();
        let read = |all: bool| {
            let mut found = Vec::new();
            for ranges in others {
                found.push(taken(ranges, visits, (all, None), &known));
            }
            found.push(taken(&mine, visits, (all, None), &known));
            left(&found)
        };
        // whoever is told knows our group and one of her values: the one that leaves least
        let mut told: Option<(usize, BTreeSet<usize>)> = None;
        for &value in &values {
            let mut found = Vec::new();
            for ranges in others {
                found.push(taken(ranges, visits, (false, Some(value)), &known));
            }
            let label = own.ranges[*group as usize].0;
            found.push(mine.iter().filter(|range| range.0 == label).collect());
            let now = left(&found);
            let badness = |l: &(usize, BTreeSet<usize>)| (l.0 < 2 || l.1.is_empty(), l.1.len());
            if told
                .as_ref()
                .is_none_or(|before| badness(&now) < badness(before))
            {
                told = Some(now);
            }
        }
        for (count, (releases, left)) in
            counts
                .iter_mut()
                .zip([read(true), read(false), told.unwrap()])
        {
            count[0] += 1;
            match (releases, left.len()) {
                (0 | 1, _) => count[1] += 1,
                (_, 0) => count[2] += 1,
                (_, 1) => count[3] += 1,
                _ => {}
            }
        }
    }
    counts
}

#[test]
fn people_are_audited_by_the_definition() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut perfect = 0;
    for round in 0..400 {
        let own = random_own(&mut random);
        if own.published.groups() == 0 {
            continue;
        }
        let missing = Missing::default();
        let people = People {
            cube: &own.cube,
            missing: &missing,
            hierarchies: Vec::new(),
        };
        let mut overlay = Overlay::new(people, "disease");
        let mut others = Vec::new();
        for _ in 0..random.random_range(1..3) {
            let (published, ranges) = random_release(&mut random);
            overlay.add(&Reader::new("other"), &published).unwrap();
            others.push(ranges);
        }
        let limits = CompositionLimits::default();
        let Ok(found) = audit(&mut overlay, &own.published, Location::Containment, &limits) else {
            // no value in common: coded otherwise, as far as anybody can tell
            continue;
        };
        let readers = [&found.union, &found.most_specific, &found.told];
        let figures = readers.map(|e| [e.targets, e.alone, e.apart, e.perfect]);
        assert_eq!(
            figures,
            naive(&own, &others),
            "round {round}: {:?} {others:?}",
            own.people
        );
        perfect += found.told.perfect;
        assert_eq!(found.holds, figures.iter().all(|figure| figure[3] == 0));
    }
    assert!(perfect > 100, "{perfect}");
}
