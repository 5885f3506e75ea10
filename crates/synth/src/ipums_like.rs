//! A population like the Los Angeles census tables of IPUMS, as Ganta, Kasiviswanathan and Smith
//! (2008) describe theirs.
//!
//! Their Table 3 gives the domains of seven quasi-identifiers (age 100 values, workclass 5,
//! education 10, marital status 6, race 7, sex 2, birthplace 113) and their Table 4 domain and
//! entropy of three sensitive columns: occupation 247 values at 4.30, industry 145 at 4.35, income
//! 471 at 5.56. The entropies are bits: in bits a sample of the 1997 file has 4.30, 4.38 and 5.57,
//! where the people without an occupation, 43 in 100, count as a value of their own. In nats
//! occupation would have to be so even that no value, not even "none", had more than a few per
//! cent.
//!
//! Quasi-identifiers are drawn, each by what was drawn before. Sensitive columns have exact counts
//! and are handed out by rank (see [`quota`](crate::quota)): who works follows age and sex;
//! occupation sex, education and age; industry occupation; income all of them. So at [`PAPER_ROWS`]
//! rows domains and entropies are those of Table 4 for every seed; with fewer rows rare values
//! weigh more, and below some 2,000 not all occur. Weights are round figures, no record was copied.
//!
//! Handing out needs everybody at once: memory grows with the rows, so there are at most [`LIMIT`].

mod hierarchies;
mod places;
mod work;

pub use hierarchies::hierarchy;

use crate::alias::Alias;
use crate::pipeline::{Population, column, text};
use mingle_io::{OutColumn, OutKind};
use places::{PLACES, REGIONS, Region};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use work::Work;

/// As many rows as the paper's table has.
pub const PAPER_ROWS: u64 = 70_187;

/// More rows are refused.
pub(crate) const LIMIT: u64 = 10_000_000;

const AGES: u32 = 100;
const WORKCLASS: [&str; 5] = [
    "Not applicable",
    "Private wages",
    "Public wages",
    "Self-employed",
    "Unpaid family",
];
const MARITAL: [&str; 6] = [
    "Never married",
    "Married, spouse present",
    "Married, spouse absent",
    "Separated",
    "Divorced",
    "Widowed",
];
const RACE: [&str; 7] = [
    "White",
    "Black",
    "Japanese",
    "Chinese",
    "Other Asian or Pacific",
    "American Indian",
    "Other race",
];
const SEX: [&str; 2] = ["Male", "Female"];
const EDUCATION: [&str; 10] = [
    "Not applicable",
    "None or preschool",
    "Grade 1-4",
    "Grade 5-8",
    "Grade 9",
    "Grade 10",
    "Grade 11",
    "Grade 12",
    "1-3 years of college",
    "4+ years of college",
];

const BANDS: usize = 11;

/// 0–2, 3–6, 7–9, 10–13, 14–17, 18–24, 25–34, 35–49, 50–64, 65–74, 75–99.
fn band(age: u32) -> usize {
    [3, 7, 10, 14, 18, 25, 35, 50, 65, 75]
        .iter()
        .filter(|&&from| age >= from)
        .count()
}

/// By band: the school years of children, then what they came to.
const SCHOOLING: [[u64; 10]; BANDS] = [
    [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
    [0, 80, 920, 0, 0, 0, 0, 0, 0, 0],
    [0, 5, 240, 750, 5, 0, 0, 0, 0, 0],
    [0, 2, 5, 373, 260, 210, 140, 10, 0, 0],
    [0, 8, 8, 30, 34, 60, 120, 410, 270, 60],
    [0, 8, 12, 60, 40, 50, 70, 330, 245, 185],
    [0, 10, 20, 100, 40, 60, 60, 360, 195, 155],
    [0, 8, 32, 200, 50, 70, 70, 310, 170, 90],
    [0, 30, 60, 320, 70, 70, 50, 200, 120, 80],
    [0, 50, 80, 380, 70, 60, 40, 160, 100, 60],
];

/// By region and education, in tenths.
const SCHOOLING_ABROAD: [[u64; 10]; REGIONS] = [
    [10, 10, 10, 9, 10, 10, 10, 10, 10, 10],
    [10, 10, 10, 10, 10, 10, 10, 10, 10, 10],
    [10, 30, 35, 25, 12, 9, 7, 6, 5, 4],
    [10, 14, 10, 8, 6, 6, 6, 9, 12, 20],
    [10, 14, 14, 15, 9, 9, 8, 9, 8, 9],
    [10, 16, 14, 13, 10, 10, 9, 9, 9, 9],
];

/// By sex, band and marital status.
const MARRIAGE: [[[u64; 6]; BANDS]; 2] = [
    [
        [1, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0],
        [990, 5, 3, 1, 1, 0],
        [680, 280, 15, 10, 15, 0],
        [260, 630, 20, 25, 63, 2],
        [90, 810, 10, 20, 60, 10],
        [60, 790, 15, 25, 85, 25],
        [75, 720, 30, 20, 55, 100],
        [80, 600, 30, 15, 35, 240],
    ],
    [
        [1, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0],
        [940, 45, 6, 5, 4, 0],
        [480, 400, 25, 40, 52, 3],
        [150, 710, 15, 40, 75, 10],
        [50, 740, 12, 40, 118, 40],
        [50, 630, 12, 33, 105, 170],
        [60, 380, 25, 20, 65, 450],
        [65, 180, 20, 10, 35, 690],
    ],
];

/// By region and race.
const RACE_BY_REGION: [[u64; 7]; REGIONS] = [
    [852, 105, 18, 7, 5, 6, 7],
    [852, 136, 2, 1, 1, 6, 2],
    [930, 30, 1, 1, 3, 10, 25],
    [110, 3, 340, 300, 230, 0, 17],
    [993, 3, 0, 0, 1, 0, 3],
    [760, 140, 20, 15, 45, 5, 15],
];

/// By band: how many were born in each region.
const BORN: [[u64; REGIONS]; BANDS] = [
    [870, 90, 20, 8, 7, 5],
    [820, 130, 26, 9, 10, 5],
    [750, 190, 30, 10, 14, 6],
    [700, 235, 32, 11, 16, 6],
    [630, 290, 40, 13, 20, 7],
    [450, 445, 60, 16, 22, 7],
    [310, 560, 70, 20, 32, 8],
    [210, 665, 55, 22, 40, 8],
    [140, 735, 45, 18, 56, 6],
    [100, 735, 40, 15, 104, 6],
    [90, 700, 45, 15, 144, 6],
];

/// Everybody's codes, ten a row, in the order of the columns.
pub(crate) struct IpumsLike {
    rows: Vec<u16>,
}

/// A person before work: what the rest follows from.
struct Person {
    age: u32,
    sex: u32,
    education: u32,
    marital: u32,
    race: u32,
    place: u32,
}

struct Draws {
    sex: Alias,
    age: Alias,
    region: Vec<Alias>,
    place: Vec<Alias>,
    race: Vec<Alias>,
    education: Vec<Alias>,
    marital: Vec<Alias>,
}

impl IpumsLike {
    /// Everybody; equal arguments give equal people.
    pub(crate) fn new(rows: u64, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let draws = Draws::new();
        let people: Vec<Person> = (0..rows).map(|_| draws.person(&mut rng)).collect();
        let work = Work::new(&people, &mut rng);
        let row = |(p, w): (&Person, &[u32; 4])| {
            let [workclass, occupation, industry, income] = *w;
            [
                p.age,
                workclass,
                p.education,
                p.marital,
                p.race,
                p.sex,
                p.place,
                occupation,
                industry,
                income,
            ]
        };
        let rows = people
            .iter()
            .zip(&work.0)
            .flat_map(row)
            .map(|code| code as u16)
            .collect();
        IpumsLike { rows }
    }
}

impl Draws {
    fn new() -> Draws {
        let schooling = |band: usize, region: usize| {
            let weights = SCHOOLING[band].iter().zip(SCHOOLING_ABROAD[region]);
            Alias::new(
                &weights
                    .map(|(share, factor)| share * factor)
                    .collect::<Vec<_>>(),
            )
        };
        let pairs = (0..BANDS).flat_map(|band| (0..REGIONS).map(move |region| (band, region)));
        let in_region = |region: usize| {
            let weight = |&(_, of, weight): &(&str, Region, u64)| {
                if of as usize == region { weight } else { 0 }
            };
            Alias::new(&PLACES.iter().map(weight).collect::<Vec<_>>())
        };
        Draws {
            sex: Alias::new(&[485, 515]),
            age: Alias::new(&(0..AGES).map(age_weight).collect::<Vec<_>>()),
            region: BORN.iter().map(|weights| Alias::new(weights)).collect(),
            place: (0..REGIONS).map(in_region).collect(),
            race: RACE_BY_REGION
                .iter()
                .map(|weights| Alias::new(weights))
                .collect(),
            education: pairs
                .map(|(band, region)| schooling(band, region))
                .collect(),
            marital: MARRIAGE
                .iter()
                .flatten()
                .map(|weights| Alias::new(weights))
                .collect(),
        }
    }

    fn person(&self, rng: &mut ChaCha8Rng) -> Person {
        let sex = self.sex.draw(rng);
        let age = self.age.draw(rng);
        let band = band(age);
        let region = self.region[band].draw(rng) as usize;
        Person {
            age,
            sex,
            place: self.place[region].draw(rng),
            race: self.race[region].draw(rng),
            education: self.education[band * REGIONS + region].draw(rng),
            marital: self.marital[sex as usize * BANDS + band].draw(rng),
        }
    }
}

/// Many children, then ever fewer; about the number of people of that age in a table as large as
/// the paper's.
fn age_weight(age: u32) -> u64 {
    u64::from(match age {
        0..=17 => 1_250,
        18..=24 => 1_100,
        25..=34 => 940,
        35..=52 => 860,
        53..=64 => 860 - 30 * (age - 52),
        65..=79 => 480 - 20 * (age - 65),
        _ => 180 - 8 * (age - 80),
    })
}

impl Population for IpumsLike {
    fn columns(&self) -> Vec<OutColumn> {
        vec![
            column(
                "age",
                OutKind::Integer,
                (0..AGES).map(|a| a.to_string()).collect(),
            ),
            text("workclass", &WORKCLASS),
            text("education", &EDUCATION),
            text("marital_status", &MARITAL),
            text("race", &RACE),
            text("sex", &SEX),
            text(
                "birthplace",
                &PLACES.iter().map(|p| p.0).collect::<Vec<_>>(),
            ),
            column("occupation", OutKind::Text, work::occupations()),
            column("industry", OutKind::Text, work::industries()),
            column("income", OutKind::Integer, work::incomes()),
        ]
    }

    fn push_row(&self, number: u32, _rng: &mut ChaCha8Rng, codes: &mut Vec<u32>) {
        let row = self
            .rows
            .chunks_exact(10)
            .nth(number as usize)
            .expect("there are as many people as rows");
        codes.extend(row.iter().map(|&code| u32::from(code)));
    }
}

#[cfg(test)]
mod tests;
