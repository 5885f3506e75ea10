//! A version's people: who, in which group, with which sensitive values.
//!
//! On disk one text per row: 32 hexadecimal digits for the person, the group's number, and per
//! sensitive column the number of the value, with spaces between. Rows are sorted, so that nothing
//! says in which order they were read. Somebody may have several rows, all in one group.

use crate::manifest::{Manifest, ManifestProblem};
use mingle_model::{Code, Domain, Number};
use mingle_record::schema::HistoryPeopleSchema;
use serde::{Deserialize, Serialize};

/// The people of a release that is being written.
pub(super) const PENDING: &str = "pending.json";

/// A sensitive column of a version. No `Debug`: it has cells.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeopleColumn {
    /// The column's name.
    pub name: String,
    /// Its values in one canonical writing; `None` is the missing value.
    pub values: Vec<Option<String>>,
}

impl PeopleColumn {
    /// The values of a domain, by code. Numbers are written without trailing zeros, so that a
    /// column that has more decimal places in another version has the same texts.
    pub fn new(name: &str, domain: &Domain) -> PeopleColumn {
        let values = (0..domain.len() as Code)
            .map(|code| value(domain, code))
            .collect();
        PeopleColumn {
            name: name.to_owned(),
            values,
        }
    }
}

fn value(domain: &Domain, code: Code) -> Option<String> {
    if domain.missing() == Some(code) {
        return None;
    }
    let text = domain.text(code);
    // dates write themselves in one way only
    Some(
        match Number::parse(text).filter(|_| domain.number(code).is_some()) {
            Some(Number {
                mut mantissa,
                mut scale,
            }) => {
                while scale > 0 && mantissa % 10 == 0 {
                    (mantissa, scale) = (mantissa / 10, scale - 1);
                }
                Number::text(mantissa, scale)
            }
            None => text.to_owned(),
        },
    )
}

/// A row of a version.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PersonRow {
    /// The keyed hash of the identifier.
    pub person: u128,
    /// The group.
    pub group: u32,
    /// Per sensitive column the value's place in [`PeopleColumn::values`].
    pub values: Vec<u32>,
}

/// The people of a version. No `Debug`: it has cells.
#[derive(Clone, PartialEq, Eq)]
pub struct PeopleTable {
    release: String,
    manifest_sha256: Option<String>,
    groups: Vec<Vec<String>>,
    columns: Vec<PeopleColumn>,
    members: Vec<PersonRow>,
}

impl PeopleTable {
    /// `release` is where it is published, `groups` are their labels. `None` where somebody is in two
    /// groups, or a member has no group or no values.
    pub fn new(
        release: String,
        groups: Vec<Vec<String>>,
        columns: Vec<PeopleColumn>,
        mut members: Vec<PersonRow>,
    ) -> Option<PeopleTable> {
        members.sort_unstable();
        let fits = |m: &PersonRow| {
            (m.group as usize) < groups.len()
                && m.values.len() == columns.len()
                && m.values
                    .iter()
                    .zip(&columns)
                    .all(|(&value, column)| (value as usize) < column.values.len())
        };
        let together = members
            .windows(2)
            .all(|pair| pair[0].person < pair[1].person || pair[0].group == pair[1].group);
        (together && members.iter().all(fits)).then_some(PeopleTable {
            release,
            manifest_sha256: None,
            groups,
            columns,
            members,
        })
    }

    /// The same people, whose release has a public manifest of this hash.
    pub fn with_manifest(self, sha256: &str) -> PeopleTable {
        PeopleTable {
            manifest_sha256: Some(sha256.to_owned()),
            ..self
        }
    }

    /// Whether the release of these people may be one whose public manifest has this hash; not
    /// known of all.
    pub fn may_be_of(&self, sha256: &str) -> bool {
        self.manifest_sha256
            .as_ref()
            .is_none_or(|known| known == sha256)
    }

    /// Where the release is, or was to be written.
    pub fn release(&self) -> &str {
        &self.release
    }

    /// The groups' labels.
    pub fn groups(&self) -> &[Vec<String>] {
        &self.groups
    }

    /// The sensitive columns.
    pub fn columns(&self) -> &[PeopleColumn] {
        &self.columns
    }

    /// The rows, in the order of their people's hashes.
    pub fn members(&self) -> &[PersonRow] {
        &self.members
    }

    /// How many people there are.
    pub fn people(&self) -> usize {
        self.members.chunk_by(|a, b| a.person == b.person).count()
    }

    /// Whether the same people are in the same groups with the same values, wherever it is
    /// published.
    pub fn has_same_people(&self, other: &PeopleTable) -> bool {
        (&self.groups, &self.columns, &self.members)
            == (&other.groups, &other.columns, &other.members)
    }

    pub(super) fn to_file(&self) -> PeopleFile {
        let line = |m: &PersonRow| {
            let codes: String = m.values.iter().map(|value| format!(" {value}")).collect();
            format!("{:032x} {}{codes}", m.person, m.group)
        };
        PeopleFile {
            schema: HistoryPeopleSchema,
            release: self.release.clone(),
            manifest_sha256: self.manifest_sha256.clone(),
            groups: self.groups.clone(),
            sensitive: self.columns.clone(),
            people: self.members.iter().map(line).collect(),
            checksum: String::new(),
        }
    }

    pub(super) fn from_file(file: PeopleFile) -> Option<PeopleTable> {
        let members = file
            .people
            .iter()
            .map(|line| parse(line))
            .collect::<Option<_>>()?;
        let people = PeopleTable::new(file.release, file.groups, file.sensitive, members)?;
        Some(PeopleTable {
            manifest_sha256: file.manifest_sha256,
            ..people
        })
    }
}

fn parse(line: &str) -> Option<PersonRow> {
    let mut parts = line.split(' ');
    let person = parts.next().filter(|digits| digits.len() == 32)?;
    let person = u128::from_str_radix(person, 16).ok()?;
    let group = parts.next()?.parse().ok()?;
    let values = parts.map(|part| part.parse().ok()).collect::<Option<_>>()?;
    Some(PersonRow {
        person,
        group,
        values,
    })
}

/// A version's people on disk.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PeopleFile {
    schema: HistoryPeopleSchema,
    release: String,
    /// Of the public manifest; files made before this was written down have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    manifest_sha256: Option<String>,
    groups: Vec<Vec<String>>,
    sensitive: Vec<PeopleColumn>,
    people: Vec<String>,
    checksum: String,
}

impl Manifest for PeopleFile {
    const SCHEMA: &'static str = HistoryPeopleSchema::TEXT;

    fn validate(&self) -> Result<(), ManifestProblem> {
        Ok(())
    }

    fn checksum_mut(&mut self) -> &mut String {
        &mut self.checksum
    }
}
