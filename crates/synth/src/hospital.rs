//! A hospital's admissions of two years.
//!
//! Age and sex come first, then the diagnosis that fits them, a stay that fits the diagnosis and
//! the age, an admission on a weekday more often than on a Sunday, the day of birth that gives the
//! age, and a postal code near the hospital more often than far away. Diagnoses look like ICD-10
//! codes. One row in a hundred or so lacks a value.

use crate::alias::{Alias, below};
use crate::pipeline::Population;
use mingle_io::{OutColumn, OutKind};
use mingle_model::date::{Day, parse, text};
use rand_chacha::ChaCha8Rng;

const SEX: [&str; 2] = ["female", "male"];
const FEMALE: usize = 0;

/// The oldest patients are 99.
const AGES: u32 = 100;
const BANDS: usize = 5;

/// Infants, children, young, middle-aged and old people.
fn band(age: u32) -> usize {
    [1, 15, 45, 65].iter().filter(|&&from| age >= from).count()
}

/// A chapter of diagnoses: `codes` of them from `letter` and `first` on.
struct Chapter {
    letter: char,
    first: u32,
    codes: u32,
    share: u64,
    by_band: [u64; BANDS],
    /// Female and male.
    by_sex: [u64; 2],
    /// Typical stay in days.
    stay: u64,
}

#[allow(clippy::too_many_arguments, reason = "older than the limit of five")]
const fn chapter(
    letter: char,
    first: u32,
    codes: u32,
    share: u64,
    by_band: [u64; BANDS],
    by_sex: [u64; 2],
    stay: u64,
) -> Chapter {
    Chapter {
        letter,
        first,
        codes,
        share,
        by_band,
        by_sex,
        stay,
    }
}

const CHAPTERS: [Chapter; 16] = [
    chapter('A', 2, 12, 35, [25, 20, 8, 8, 12], [10, 10], 5),
    chapter('B', 15, 6, 12, [10, 10, 12, 10, 8], [9, 11], 4),
    chapter('C', 15, 20, 90, [0, 2, 4, 18, 22], [9, 11], 8),
    chapter('D', 50, 8, 20, [5, 6, 8, 10, 14], [11, 9], 4),
    chapter('E', 10, 12, 35, [4, 6, 8, 12, 14], [11, 9], 5),
    chapter('F', 10, 16, 60, [0, 6, 18, 12, 6], [9, 11], 18),
    chapter('G', 20, 10, 40, [5, 8, 9, 11, 13], [10, 10], 6),
    chapter('I', 10, 22, 150, [1, 1, 3, 16, 30], [8, 12], 7),
    chapter('J', 6, 16, 65, [40, 22, 6, 9, 16], [9, 11], 6),
    chapter('K', 20, 18, 95, [8, 8, 10, 13, 12], [9, 11], 4),
    chapter('M', 5, 16, 85, [0, 4, 8, 16, 14], [11, 9], 6),
    chapter('N', 10, 12, 55, [5, 4, 9, 11, 12], [11, 9], 4),
    chapter('O', 20, 14, 70, [0, 0, 30, 0, 0], [10, 0], 3),
    chapter('P', 5, 8, 20, [300, 0, 0, 0, 0], [9, 11], 9),
    chapter('R', 6, 10, 45, [10, 11, 10, 10, 11], [10, 10], 2),
    chapter('S', 2, 16, 90, [5, 16, 10, 9, 14], [9, 11], 6),
];

/// Three-digit areas from near to far; some start with a zero.
const AREAS: [&str; 24] = [
    "021", "022", "024", "019", "018", "020", "023", "017", "025", "026", "027", "028", "010",
    "011", "030", "031", "060", "061", "100", "112", "200", "331", "606", "941",
];
const ZIPS_PER_AREA: u32 = 40;

const LONGEST_STAY: u64 = 60;

/// Missing in so many rows of a thousand.
const NO_SEX: u32 = 3;
const NO_ZIP: u32 = 10;
const NO_STAY: u32 = 5;

pub(crate) struct Hospital {
    first_birth: Day,
    last_birth: Day,
    first_admission: Day,
    age: Alias,
    admission: Alias,
    area: Alias,
    zip: Alias,
    /// By band and sex.
    diagnosis: Vec<Alias>,
    /// By chapter and whether the patient is old.
    stay: Vec<Alias>,
    /// Each diagnosis' chapter.
    chapter_of: Vec<usize>,
}

impl Hospital {
    pub(crate) fn new() -> Self {
        let day = |text: &str| parse(text).expect("a literal day");
        let (first_admission, last_admission) = (day("2023-01-01"), day("2024-12-31"));
        let cases = (0..BANDS).flat_map(|band| (0..2).map(move |sex| (band, sex)));
        let stays = CHAPTERS.iter().flat_map(|c| [c.stay, c.stay + c.stay / 2]);
        let chapters = (0..CHAPTERS.len()).flat_map(|c| (0..CHAPTERS[c].codes).map(move |_| c));
        Hospital {
            first_birth: day("1922-01-01"),
            last_birth: last_admission,
            first_admission,
            age: Alias::new(&(0..AGES).map(age_weight).collect::<Vec<_>>()),
            admission: Alias::new(
                &(first_admission..=last_admission)
                    .map(day_weight)
                    .collect::<Vec<_>>(),
            ),
            area: Alias::new(
                &(1..=AREAS.len() as u64)
                    .map(|rank| 10_000 / (rank * rank + 3))
                    .collect::<Vec<_>>(),
            ),
            zip: Alias::new(
                &(1..=u64::from(ZIPS_PER_AREA))
                    .map(|rank| 1_000 / (rank + 4))
                    .collect::<Vec<_>>(),
            ),
            diagnosis: cases.map(|(band, sex)| diagnoses(band, sex)).collect(),
            stay: stays
                .map(|typical| Alias::new(&stay_weights(typical)))
                .collect(),
            chapter_of: chapters.collect(),
        }
    }

    /// Days of birth are found by their number since the first one.
    fn birth(&self, admission: u32, age: u32, rng: &mut ChaCha8Rng) -> u32 {
        let back = (f64::from(age) * 365.2425) as i32 + below(365, rng) as i32;
        (self.first_admission + admission as i32 - back - self.first_birth).max(0) as u32
    }
}

/// Many newborn, few children, more and more from forty on until the very old.
fn age_weight(age: u32) -> u64 {
    u64::from(match age {
        0 => 60,
        1..=14 => 8,
        15..=44 => 12 + (age - 15) / 4,
        45..=84 => 20 + (age - 45) / 2,
        _ => 40 - (age - 85) * 2,
    })
}

/// 1970-01-01 was a Thursday.
fn day_weight(day: Day) -> u64 {
    match (day + 3).rem_euclid(7) {
        0 => 13,
        5 | 6 => 6,
        _ => 10,
    }
}

fn diagnoses(band: usize, sex: usize) -> Alias {
    let weights = CHAPTERS.iter().flat_map(|chapter| {
        let share = chapter.share * chapter.by_band[band] * chapter.by_sex[sex];
        let ranks: u64 = (1..=u64::from(chapter.codes))
            .map(|rank| 1_000 / rank)
            .sum();
        (1..=u64::from(chapter.codes)).map(move |rank| share * 1_000 * (1_000 / rank) / ranks)
    });
    Alias::new(&weights.collect::<Vec<_>>())
}

/// Falls by one part in `typical` a day.
fn stay_weights(typical: u64) -> Vec<u64> {
    let mut weight = 1u64 << 32;
    let next = |day: u64| {
        let now = if day == 0 { weight / 2 } else { weight };
        weight -= weight / (typical + 1);
        now
    };
    (0..=LONGEST_STAY).map(next).collect()
}

/// Replaces a code by the one behind the last in so many rows of a thousand.
fn or_missing(code: u32, per_mille: u32, missing: u32, rng: &mut ChaCha8Rng) -> u32 {
    if below(1_000, rng) < per_mille {
        missing
    } else {
        code
    }
}

/// Somebody who comes more than once.
pub(crate) struct Patient {
    number: u32,
    sex: usize,
    sex_code: u32,
    birth: u32,
    zip: u32,
    /// What she comes for again and again.
    complaint: u32,
}

/// Of a hundred visits so many are for the same diagnosis as before.
const SAME_COMPLAINT: u32 = 40;
/// Of a hundred visits so many are from another address.
const MOVED: u32 = 4;

impl Hospital {
    /// A patient with this number.
    pub(crate) fn patient(&self, number: u32, rng: &mut ChaCha8Rng) -> Patient {
        let age = self.age.draw(rng);
        let sex = if below(100, rng) < 53 { FEMALE } else { 1 };
        let admission = self.admission.draw(rng);
        let birth = self.birth(admission, age, rng);
        Patient {
            number,
            sex,
            sex_code: or_missing(sex as u32, NO_SEX, SEX.len() as u32, rng),
            birth,
            zip: self.zip_code(rng),
            complaint: self.diagnosis[band(age) * 2 + sex].draw(rng),
        }
    }

    /// Appends the codes of a visit: who she is stays, what is with her changes.
    pub(crate) fn push_visit(&self, patient: &Patient, rng: &mut ChaCha8Rng, codes: &mut Vec<u32>) {
        let born = self.first_birth + patient.birth as i32;
        let last = (self.last_birth - self.first_admission) as u32;
        let mut admission = self.admission.draw(rng);
        let earliest = (born - self.first_admission).max(0) as u32;
        if admission < earliest {
            admission = earliest + below(last - earliest + 1, rng);
        }
        let days = self.first_admission + admission as i32 - born;
        let age = ((f64::from(days) / 365.2425) as u32).min(AGES - 1);
        let diagnosis = if below(100, rng) < SAME_COMPLAINT {
            patient.complaint
        } else {
            self.diagnosis[band(age) * 2 + patient.sex].draw(rng)
        };
        let chapter = self.chapter_of[diagnosis as usize];
        let stay = self.stay[chapter * 2 + usize::from(age >= 65)].draw(rng);
        let zip = if below(100, rng) < MOVED {
            self.zip_code(rng)
        } else {
            patient.zip
        };
        codes.extend_from_slice(&[
            patient.number,
            patient.birth,
            patient.sex_code,
            or_missing(zip, NO_ZIP, AREAS.len() as u32 * ZIPS_PER_AREA, rng),
            admission,
            diagnosis,
            or_missing(stay, NO_STAY, LONGEST_STAY as u32 + 1, rng),
        ]);
    }

    fn zip_code(&self, rng: &mut ChaCha8Rng) -> u32 {
        self.area.draw(rng) * ZIPS_PER_AREA + self.zip.draw(rng)
    }
}

impl Population for Hospital {
    fn columns(&self) -> Vec<OutColumn> {
        let column = |name: &str, kind: OutKind, mut texts: Vec<String>, can_miss: bool| {
            let missing = can_miss.then_some(texts.len() as u32);
            texts.extend(missing.map(|_| String::new()));
            OutColumn {
                name: name.to_owned(),
                kind,
                texts,
                missing,
            }
        };
        let days = |from: Day, to: Day| (from..=to).map(text).collect::<Vec<_>>();
        let zips = AREAS
            .iter()
            .flat_map(|area| (1..=ZIPS_PER_AREA).map(move |n| format!("{area}{n:02}")));
        let code = |c: &Chapter, i: u32| format!("{}{:02}.{}", c.letter, c.first + i, i * 7 % 10);
        let codes = CHAPTERS
            .iter()
            .flat_map(|c| (0..c.codes).map(move |i| code(c, i)));
        vec![
            column("patient_id", OutKind::Numbered, vec!["H".to_owned()], false),
            column(
                "date_of_birth",
                OutKind::Date,
                days(self.first_birth, self.last_birth),
                false,
            ),
            column("sex", OutKind::Text, SEX.map(str::to_owned).to_vec(), true),
            column("zip", OutKind::Text, zips.collect(), true),
            column(
                "admission_date",
                OutKind::Date,
                days(self.first_admission, self.last_birth),
                false,
            ),
            column("diagnosis", OutKind::Text, codes.collect(), false),
            column(
                "length_of_stay",
                OutKind::Integer,
                (0..=LONGEST_STAY).map(|d| d.to_string()).collect(),
                true,
            ),
        ]
    }

    fn push_row(&self, number: u32, rng: &mut ChaCha8Rng, codes: &mut Vec<u32>) {
        let age = self.age.draw(rng);
        let sex = if below(100, rng) < 53 { FEMALE } else { 1 };
        let admission = self.admission.draw(rng);
        let birth = self.birth(admission, age, rng);
        let diagnosis = self.diagnosis[band(age) * 2 + sex].draw(rng);
        let chapter = self.chapter_of[diagnosis as usize];
        let stay = self.stay[chapter * 2 + usize::from(age >= 65)].draw(rng);
        let zip = self.area.draw(rng) * ZIPS_PER_AREA + self.zip.draw(rng);
        codes.extend_from_slice(&[
            number + 1,
            birth,
            or_missing(sex as u32, NO_SEX, SEX.len() as u32, rng),
            or_missing(zip, NO_ZIP, AREAS.len() as u32 * ZIPS_PER_AREA, rng),
            admission,
            diagnosis,
            or_missing(stay, NO_STAY, LONGEST_STAY as u32 + 1, rng),
        ]);
    }
}
