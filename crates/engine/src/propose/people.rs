//! Whose rows belong together: the identifier by which people have several rows, and what keeping
//! a person's rows together will cost.
//!
//! The rows of a person are published under one label that covers all of them. What that costs by
//! itself, before anybody else is in the group, is estimated here from all rows: a person's numbers
//! and days cost their range over the whole range, other values their number over the number of all
//! (1 value costs nothing), as a mean over rows. A hierarchy may cost more or less.

use super::profile::Profile;
use super::recognise::{Meaning, Treatment};
use mingle_io::RawTable;
use mingle_model::{Code, Kind, Missing, RawColumn, date};
use mingle_record::answer::{InitChange, InitPeople};
use mingle_record::{Problem, ProblemCode};
use std::collections::HashSet;

/// Words of keys that stand for people rather than for visits or employers.
const OF_PEOPLE: &[&str] = &[
    "patient",
    "person",
    "member",
    "subject",
    "pupil",
    "student",
    "employee",
    "customer",
    "client",
    "respondent",
    "participant",
    "taxpayer",
    "insured",
    "nhs",
    "ssn",
    "mrn",
    "citizen",
    "versichertennummer",
    "patientennummer",
    "pid",
];

/// The identifier by which people have several rows. One that is called so comes first; otherwise a
/// key that repeats now and then, and is no list of employers or wards.
fn person_column(profiles: &[Profile]) -> Option<usize> {
    let mut found: Option<(bool, usize)> = None;
    for (place, profile) in profiles.iter().enumerate() {
        let is_key = matches!(
            profile.recognition.meaning,
            Meaning::Key | Meaning::AccountNumber
        );
        let repeats = profile.distinct < profile.present() && profile.distinct > 1;
        if !is_key || !repeats {
            continue;
        }
        let words = profile.words();
        let called = words.iter().any(|word| OF_PEOPLE.contains(&word.as_str()));
        let seldom = profile.distinct * 10 >= profile.present();
        if !called && !seldom {
            continue;
        }
        let better = match found {
            Some((known_called, known)) => {
                (called, profile.distinct) > (known_called, profiles[known].distinct)
            }
            None => true,
        };
        if better {
            found = Some((called, place));
        }
    }
    found.map(|(_, place)| place)
}

/// The people of tables, where an identifier shows that they have several rows; only columns that
/// others may know are looked at for changes.
pub fn look_for(profiles: &[Profile], raw: &RawTable, missing: &Missing) -> Option<InitPeople> {
    let place = person_column(profiles)?;
    let whose = &raw.columns[place].1;
    let rows = RowsOfPeople::of(whose, missing);
    let mut changes = Vec::new();
    for (other, profile) in profiles.iter().enumerate() {
        let known = profile.recognition.meaning.treatment() >= Treatment::MostPeopleKnow;
        if other == place || !known {
            continue;
        }
        let spread = rows.spread(profile.kind, &raw.columns[other].1, missing);
        if spread.people > 0 {
            changes.push(InitChange {
                column: profile.name.clone(),
                people: spread.people,
                ncp: spread.ncp,
            });
        }
    }
    let profile = &profiles[place];
    Some(InitPeople {
        column: profile.name.clone(),
        people: profile.distinct as u64,
        rows: profile.present() as u64,
        most_rows: profile.commonest as u64,
        changes,
    })
}

/// The rows of each person, one after the other.
struct RowsOfPeople {
    people: Vec<Vec<u32>>,
    rows: usize,
}

/// How much a column changes within people.
struct Spread {
    /// How many people have more than one value.
    people: u64,
    /// What covering a person's values costs, as a mean over rows.
    ncp: f64,
}

impl RowsOfPeople {
    fn of(whose: &RawColumn, missing: &Missing) -> RowsOfPeople {
        let mut people: Vec<Vec<u32>> = vec![Vec::new(); whose.values.len()];
        let mut rows = 0;
        for (row, id) in whose.ids.iter().enumerate() {
            if !missing.contains(&whose.values[id as usize].text) {
                people[id as usize].push(row as u32);
                rows += 1;
            }
        }
        RowsOfPeople { people, rows }
    }

    fn spread(&self, kind: Kind, column: &RawColumn, missing: &Missing) -> Spread {
        let mut is_missing = Vec::with_capacity(column.values.len());
        let mut places = Vec::with_capacity(column.values.len());
        for value in &column.values {
            is_missing.push(missing.contains(&value.text));
            places.push(place_of(kind, &value.text));
        }
        let (low, high) = ends(places.iter().copied().flatten());
        let values = is_missing.iter().filter(|missing| !**missing).count();
        let mut changed = 0;
        let mut cost = 0.0;
        for rows in self.people.iter().filter(|rows| rows.len() > 1) {
            let mut seen: HashSet<Code> = HashSet::new();
            for &row in rows {
                let code = column.ids.get(row as usize);
                if !is_missing[code as usize] {
                    seen.insert(code);
                }
            }
            if seen.len() < 2 {
                continue;
            }
            changed += 1;
            let (first, last) = ends(seen.iter().filter_map(|code| places[*code as usize]));
            let share = if last > first && high > low {
                (last - first) / (high - low)
            } else {
                seen.len() as f64 / values as f64
            };
            cost += share * rows.len() as f64;
        }
        Spread {
            people: changed,
            ncp: cost / self.rows.max(1) as f64,
        }
    }
}

/// Where a number or a day lies.
fn place_of(kind: Kind, text: &str) -> Option<f64> {
    match kind {
        Kind::Integer | Kind::Decimal => text.parse().ok(),
        Kind::Date => date::parse(text).map(f64::from),
        Kind::Category => None,
    }
}

/// The least and the greatest; nothing lies between the ends of nothing.
fn ends(places: impl Iterator<Item = f64>) -> (f64, f64) {
    let mut ends = (f64::INFINITY, f64::NEG_INFINITY);
    for place in places {
        ends = (ends.0.min(place), ends.1.max(place));
    }
    ends
}

/// How many rows a person has on average.
pub fn mean_rows(people: &InitPeople) -> f64 {
    people.rows as f64 / people.people.max(1) as f64
}

pub fn several_rows(people: &InitPeople) -> Problem {
    let text = format!(
        "`{}` repeats: {} different in {} rows, {:.1} rows each, up to {}; promises are to count people",
        people.column,
        people.people,
        people.rows,
        mean_rows(people),
        people.most_rows
    );
    let hint = "the policy says person in [data]; write \"row\" there if each row is one person; see MG0541";
    Problem::new(ProblemCode::SeveralRowsEach, text, hint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_io::{ReadOptions, TextTable, read_raw};

    #[test]
    fn what_changes_within_people_is_counted_and_priced() {
        let columns = [
            ("patient_id", vec!["a", "a", "b", "b", "c"]),
            ("age", vec!["20", "40", "30", "?", "60"]),
            ("sex", vec!["f", "f", "m", "m", "f"]),
            ("zip", vec!["12345", "12346", "12345", "12345", "99999"]),
        ];
        let table = TextTable::new("m", columns).ok().unwrap();
        let raw = read_raw(&[table], &ReadOptions::default()).ok().unwrap();
        let missing = Missing::default();
        let mut profiles = Vec::new();
        for (name, column) in &raw.columns {
            profiles.push(Profile::new(name.clone(), column, &missing, &[], false));
        }
        let people = look_for(&profiles, &raw, &missing).unwrap();
        assert_eq!(
            (people.column.as_str(), people.people, people.rows),
            ("patient_id", 3, 5)
        );
        let age = people.changes.iter().find(|c| c.column == "age").unwrap();
        assert_eq!(age.people, 1);
        // 20 to 40 of 20 to 60, in two of five rows
        assert!((age.ncp - 0.2).abs() < 1e-9, "{}", age.ncp);
        assert!(people.changes.iter().all(|change| change.column != "sex"));
        assert!(people.changes.iter().any(|change| change.column == "zip"));
    }
}
