//! A release as a reader sees it, in the codes of the people it is laid over.

use super::boxes::{BoxColumn, Boxes};
use super::centroids::{CentroidColumn, Centroids};
use super::error::Error;
use super::values::Values;
use mingle_model::{
    Code, Cube, ForeignReader, HierarchySource, Missing, Published, QuasiIdentifier, Reading,
};

/// How people are found in a release.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Location {
    /// In the groups whose labels cover them.
    #[default]
    Containment,
    /// In the group with the nearest centroid.
    Nearest,
}

/// The people, and how their columns are read.
pub struct People<'a> {
    /// Their quasi-identifiers, and whatever else is known about them.
    pub cube: &'a Cube,
    /// The texts that mean "no value here".
    pub missing: &'a Missing,
    /// Hierarchies by column, as declared: they say which labels exist although nobody here is
    /// below them.
    pub hierarchies: Vec<(&'a str, &'a HierarchySource)>,
}

/// How one release is to be read.
#[derive(Clone, Debug)]
pub struct Reader<'r> {
    /// What messages call the release.
    pub name: &'r str,
    /// How people are found in it.
    pub location: Location,
    /// Quasi-identifiers of the release that are not looked at.
    pub without: &'r [String],
    /// Hierarchies that the release was made with, by column, where they are known and not the
    /// people's own.
    pub hierarchies: &'r [(&'r str, &'r HierarchySource)],
}

impl<'r> Reader<'r> {
    /// A release of labels that cover their people.
    pub fn new(name: &'r str) -> Reader<'r> {
        Reader {
            name,
            location: Location::Containment,
            without: &[],
            hierarchies: &[],
        }
    }
}

/// Groups, where they are, and what they hold.
pub(super) struct Known<'a> {
    pub name: String,
    place: Place<'a>,
    /// Which of the people's columns are looked at.
    columns: Vec<usize>,
    /// Per group how many combinations of the people's values it covers: the smaller, the more
    /// specific.
    volume: Vec<f64>,
    starts: Vec<u32>,
    /// Per group its values, ascending, with how many rows have them.
    held: Vec<(u32, u64)>,
}

enum Place<'a> {
    Boxes(Boxes),
    Centroids(Centroids<'a>),
}

/// A column of the release that is among the people's.
pub(super) struct Shared<'a> {
    pub(super) qi: &'a QuasiIdentifier,
    /// What each label covers.
    pub(super) readings: Vec<Reading>,
    points: Vec<Option<f64>>,
    /// Each group's label.
    pub(super) labels: Vec<u32>,
}

impl<'a> Known<'a> {
    pub fn new(
        people: &People<'a>,
        reader: &Reader<'_>,
        published: &Published,
        attribute: &str,
        values: &mut Values,
    ) -> Result<Known<'a>, Error> {
        let (columns, shared) = shared(people, reader, published)?;
        let (starts, held) = held(reader, published, attribute, values)?;
        let groups = published.groups();
        let volume = |g: usize| {
            shared
                .iter()
                .map(|s| s.readings[s.labels[g] as usize].count() as f64)
                .product()
        };
        let volume = (0..groups).map(volume).collect();
        let place = match reader.location {
            Location::Containment => {
                let side = |s: &Shared<'a>| s.qi.domain.len();
                let columns: Vec<BoxColumn<'_>> = shared
                    .iter()
                    .map(|s| BoxColumn {
                        values: side(s),
                        readings: &s.readings,
                        labels: &s.labels,
                    })
                    .collect();
                Place::Boxes(Boxes::new(groups, &columns))
            }
            Location::Nearest => {
                let columns = shared
                    .into_iter()
                    .map(|s| s.into_centroids(people.cube))
                    .collect();
                Place::Centroids(Centroids::new(groups, columns))
            }
        };
        Ok(Known {
            name: reader.name.to_owned(),
            place,
            columns,
            volume,
            starts,
            held,
        })
    }

    /// A group's values with their counts.
    pub fn held(&self, group: u32) -> &[(u32, u64)] {
        &self.held[self.starts[group as usize] as usize..self.starts[group as usize + 1] as usize]
    }

    /// Whether a group has a row with this value.
    pub fn holds(&self, group: u32, value: u32) -> bool {
        self.held(group)
            .binary_search_by_key(&value, |&(held, _)| held)
            .is_ok()
    }

    /// All values that it has.
    pub fn values(&self) -> impl Iterator<Item = u32> {
        self.held.iter().map(|&(value, _)| value)
    }

    /// Puts the groups that a tuple can be in into `found`, ascending.
    pub fn fitting(&self, cube: &Cube, tuple: usize, scratch: &mut Look, found: &mut Vec<u32>) {
        found.clear();
        scratch.point.clear();
        let code = |&c: &usize| cube.quasi_identifiers()[c].codes.get(tuple);
        scratch.point.extend(self.columns.iter().map(code));
        match &self.place {
            Place::Boxes(boxes) => boxes.containing(&scratch.point, &mut scratch.stack, found),
            Place::Centroids(centroids) => centroids.nearest(&scratch.point, found),
        }
        found.sort_unstable();
    }

    /// Keeps only the most specific groups.
    pub fn keep_most_specific(&self, found: &mut Vec<u32>) {
        // centroids are points: the nearest is as specific as it gets
        if matches!(self.place, Place::Centroids(_)) {
            return;
        }
        let least = found
            .iter()
            .map(|&g| self.volume[g as usize])
            .fold(f64::INFINITY, f64::min);
        found.retain(|&g| self.volume[g as usize] == least);
    }
}

/// Memory for look-ups.
#[derive(Default)]
pub struct Look {
    point: Vec<Code>,
    stack: Vec<u32>,
}

/// The release's columns that the people have, read.
pub(super) fn shared<'a>(
    people: &People<'a>,
    reader: &Reader<'_>,
    published: &Published,
) -> Result<(Vec<usize>, Vec<Shared<'a>>), Error> {
    let release = || reader.name.to_owned();
    let (mut places, mut shared) = (Vec::new(), Vec::new());
    for (c, column) in published.columns().iter().enumerate() {
        if reader.without.contains(&column.name) {
            continue;
        }
        let cube: &'a Cube = people.cube;
        let place = cube
            .quasi_identifiers()
            .iter()
            .position(|qi| qi.name == column.name);
        let place = place.ok_or_else(|| Error::Column {
            release: release(),
            column: column.name.clone(),
        })?;
        let qi = &cube.quasi_identifiers()[place];
        let hierarchy = people
            .hierarchies
            .iter()
            .find(|(name, _)| *name == qi.name)
            .map(|(_, source)| *source);
        let theirs = reader
            .hierarchies
            .iter()
            .find(|(name, _)| *name == qi.name)
            .map(|(_, source)| *source);
        let texts = ForeignReader::new(&qi.domain, hierarchy, theirs, people.missing);
        let labels: Vec<u32> = (0..published.groups())
            .map(|g| published.labels(g)[c])
            .collect();
        let unreadable = |label: usize| {
            let group = labels
                .iter()
                .position(|&l| l as usize == label)
                .map_or(0, |at| at + 1);
            Error::Unreadable {
                release: release(),
                column: column.name.clone(),
                group,
                label,
            }
        };
        let read =
            |(label, text): (usize, &String)| texts.read(text).ok_or_else(|| unreadable(label));
        let readings = column
            .labels
            .iter()
            .enumerate()
            .map(read)
            .collect::<Result<_, _>>()?;
        let points = match reader.location {
            Location::Nearest => column.labels.iter().map(|text| texts.point(text)).collect(),
            Location::Containment => Vec::new(),
        };
        places.push(place);
        shared.push(Shared {
            qi,
            readings,
            points,
            labels,
        });
    }
    if shared.is_empty() && !published.columns().is_empty() {
        Err(Error::NothingShared { release: release() })
    } else {
        Ok((places, shared))
    }
}

type Held = (Vec<u32>, Vec<(u32, u64)>);

/// What each group holds of the attribute.
fn held(
    reader: &Reader<'_>,
    published: &Published,
    attribute: &str,
    values: &mut Values,
) -> Result<Held, Error> {
    let column = published.sensitive().iter().find(|s| s.name == attribute);
    let column = column.ok_or_else(|| Error::NoSensitive {
        release: reader.name.to_owned(),
        column: attribute.to_owned(),
    })?;
    let numbers = values.of(&column.domain);
    let (mut starts, mut held) = (vec![0], Vec::<(u32, u64)>::new());
    for group in 0..published.groups() {
        let start = held.len();
        let value = |sensitive: u32| numbers[column.codes.get(sensitive as usize) as usize];
        held.extend(
            published
                .entries(group)
                .iter()
                .map(|e| (value(e.sensitive), e.count)),
        );
        held[start..].sort_unstable_by_key(|&(value, _)| value);
        let mut end = start;
        for at in start..held.len() {
            if end > start && held[end - 1].0 == held[at].0 {
                held[end - 1].1 += held[at].1
            } else {
                held[end] = held[at];
                end += 1;
            }
        }
        held.truncate(end);
        starts.push(end as u32);
    }
    Ok((starts, held))
}

impl<'a> Shared<'a> {
    fn into_centroids(self, cube: &Cube) -> CentroidColumn<'a> {
        let domain = &self.qi.domain;
        let scale = 10f64.powi(domain.scale().into());
        let number = |code: Code| domain.number(code).map(|n| n as f64 / scale);
        let numbers: Vec<Option<f64>> = (0..domain.len() as Code).map(number).collect();
        let unit = 1.0
            / deviation(self.qi, cube, &numbers)
                .filter(|&d| d > 0.0)
                .unwrap_or(1.0);
        CentroidColumn {
            domain,
            readings: self.readings,
            points: self.points,
            labels: self.labels,
            numbers,
            unit,
        }
    }
}

/// The standard deviation of the people's numbers.
fn deviation(qi: &QuasiIdentifier, cube: &Cube, numbers: &[Option<f64>]) -> Option<f64> {
    let weighted = || {
        (0..cube.tuples())
            .filter_map(|t| Some((numbers[qi.codes.get(t) as usize]?, cube.weight(t) as f64)))
    };
    let total: f64 = weighted().map(|(_, w)| w).sum();
    let mean = weighted().map(|(n, w)| n * w).sum::<f64>() / total;
    let variance = weighted()
        .map(|(n, w)| (n - mean) * (n - mean) * w)
        .sum::<f64>()
        / total;
    (total > 0.0).then(|| variance.sqrt())
}
