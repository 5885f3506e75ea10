//! A population with the schema of the Adult extract of the 1994 US census.
//!
//! Sex, age and country of birth come first; then race by country, education by age and country,
//! marital status by sex and age, workclass by age and education, occupation by education, sex and
//! workclass. Weights are products of a general share and small factors in tenths, all round
//! figures.

use crate::alias::Alias;
use crate::pipeline::{Population, column, text};
use mingle_io::{OutColumn, OutKind};
use rand_chacha::ChaCha8Rng;

const AGES: std::ops::RangeInclusive<u32> = 17..=90;

const WORKCLASS: [(&str, u64); 7] = [
    ("Private", 7_390),
    ("Self-emp-not-inc", 830),
    ("Local-gov", 690),
    ("State-gov", 425),
    ("Self-emp-inc", 357),
    ("Federal-gov", 313),
    ("Without-pay", 8),
];

/// Name, share and tier: below high school, high school, some college, bachelor, more.
const EDUCATION: [(&str, u64, usize); 16] = [
    ("Preschool", 15, 0),
    ("1st-4th", 50, 0),
    ("5th-6th", 95, 0),
    ("7th-8th", 180, 0),
    ("9th", 150, 0),
    ("10th", 270, 0),
    ("11th", 350, 0),
    ("12th", 125, 0),
    ("HS-grad", 3_260, 1),
    ("Some-college", 2_220, 2),
    ("Assoc-voc", 430, 2),
    ("Assoc-acdm", 330, 2),
    ("Bachelors", 1_670, 3),
    ("Masters", 540, 4),
    ("Prof-school", 180, 4),
    ("Doctorate", 125, 4),
];
const TIERS: usize = 5;

const MARITAL: [&str; 7] = [
    "Married-civ-spouse",
    "Divorced",
    "Never-married",
    "Separated",
    "Widowed",
    "Married-spouse-absent",
    "Married-AF-spouse",
];

const RACE: [&str; 5] = [
    "White",
    "Black",
    "Asian-Pac-Islander",
    "Amer-Indian-Eskimo",
    "Other",
];

const SEX: [&str; 2] = ["Male", "Female"];

/// Regions differ in race and schooling.
#[derive(Clone, Copy)]
enum Region {
    UnitedStates,
    Latin,
    Caribbean,
    Asia,
    Europe,
}
const REGIONS: usize = 5;

const COUNTRY: [(&str, u64, Region); 41] = {
    use Region::*;
    [
        ("United-States", 9_120, UnitedStates),
        ("Mexico", 200, Latin),
        ("Philippines", 60, Asia),
        ("Germany", 42, Europe),
        ("Puerto-Rico", 36, Latin),
        ("Canada", 35, Europe),
        ("India", 33, Asia),
        ("El-Salvador", 33, Latin),
        ("Cuba", 30, Latin),
        ("England", 28, Europe),
        ("Jamaica", 26, Caribbean),
        ("South", 23, Asia),
        ("China", 22, Asia),
        ("Italy", 22, Europe),
        ("Dominican-Republic", 22, Latin),
        ("Vietnam", 21, Asia),
        ("Guatemala", 20, Latin),
        ("Japan", 19, Asia),
        ("Columbia", 18, Latin),
        ("Poland", 18, Europe),
        ("Haiti", 14, Caribbean),
        ("Iran", 13, Europe),
        ("Taiwan", 13, Asia),
        ("Portugal", 11, Europe),
        ("Nicaragua", 11, Latin),
        ("Peru", 10, Latin),
        ("Greece", 9, Europe),
        ("France", 9, Europe),
        ("Ecuador", 9, Latin),
        ("Ireland", 8, Europe),
        ("Hong", 6, Asia),
        ("Cambodia", 6, Asia),
        ("Trinadad&Tobago", 6, Caribbean),
        ("Laos", 5, Asia),
        ("Thailand", 5, Asia),
        ("Yugoslavia", 5, Europe),
        ("Outlying-US(Guam-USVI-etc)", 5, Caribbean),
        ("Hungary", 4, Europe),
        ("Honduras", 4, Latin),
        ("Scotland", 4, Europe),
        ("Holand-Netherlands", 2, Europe),
    ]
};

/// Name, share, factors by sex and factors by tier of education.
const OCCUPATION: [(&str, u64, [u64; 2], [u64; TIERS]); 14] = [
    ("Prof-specialty", 1_340, [9, 11], [1, 2, 7, 26, 55]),
    ("Craft-repair", 1_340, [14, 2], [13, 15, 10, 3, 1]),
    ("Exec-managerial", 1_320, [10, 9], [4, 7, 10, 20, 18]),
    ("Adm-clerical", 1_230, [5, 21], [5, 12, 15, 8, 3]),
    ("Sales", 1_190, [10, 10], [7, 10, 11, 13, 5]),
    ("Other-service", 1_060, [7, 17], [22, 13, 8, 3, 1]),
    ("Machine-op-inspct", 650, [11, 8], [21, 16, 6, 2, 1]),
    ("Transport-moving", 520, [14, 2], [16, 15, 7, 2, 1]),
    ("Handlers-cleaners", 450, [13, 4], [20, 14, 7, 2, 1]),
    ("Farming-fishing", 330, [14, 2], [18, 12, 7, 5, 2]),
    ("Tech-support", 300, [9, 11], [1, 5, 15, 13, 8]),
    ("Protective-serv", 210, [13, 4], [5, 10, 14, 9, 3]),
    ("Priv-house-serv", 50, [1, 29], [35, 9, 4, 2, 1]),
    ("Armed-Forces", 30, [15, 1], [5, 10, 12, 10, 5]),
];

/// Workclass by occupation, in the order of the two tables above.
const WORK: [[u64; 14]; 7] = [
    [8, 11, 9, 10, 12, 10, 13, 11, 13, 8, 11, 4, 12, 0],
    [12, 17, 14, 2, 14, 6, 3, 9, 3, 60, 3, 1, 1, 0],
    [22, 6, 9, 13, 1, 14, 1, 10, 5, 3, 6, 70, 1, 0],
    [22, 4, 13, 18, 1, 11, 1, 4, 2, 4, 15, 30, 1, 0],
    [11, 9, 28, 3, 22, 3, 1, 4, 1, 10, 1, 1, 1, 0],
    [14, 6, 14, 26, 1, 4, 2, 4, 5, 2, 18, 14, 1, 40],
    [2, 8, 1, 10, 2, 6, 10, 8, 15, 60, 1, 1, 1, 0],
];

const BANDS: usize = 6;

/// 17–18, 19–22, 23–29, 30–49, 50–64, 65–90.
fn band(age: u32) -> usize {
    [19, 23, 30, 50, 65]
        .iter()
        .filter(|&&from| age >= from)
        .count()
}

/// By band and tier.
const SCHOOLING: [[u64; TIERS]; BANDS] = [
    [70, 7, 6, 0, 0],
    [9, 11, 21, 3, 0],
    [7, 10, 10, 13, 5],
    [7, 10, 10, 11, 12],
    [12, 11, 8, 9, 13],
    [20, 10, 7, 7, 11],
];

/// By region and tier.
const SCHOOLING_ABROAD: [[u64; TIERS]; REGIONS] = [
    [8, 10, 10, 10, 10],
    [60, 7, 4, 3, 3],
    [14, 10, 9, 7, 5],
    [8, 6, 8, 16, 18],
    [14, 9, 8, 10, 14],
];

/// By region and race.
const RACE_BY_REGION: [[u64; 5]; REGIONS] = [
    [885, 96, 7, 9, 3],
    [780, 50, 5, 15, 150],
    [60, 890, 30, 0, 20],
    [40, 5, 945, 0, 10],
    [965, 10, 10, 2, 13],
];

/// By sex, band and marital status.
const MARRIAGE: [[[u64; 7]; BANDS]; 2] = [
    [
        [8, 1, 985, 2, 0, 3, 1],
        [80, 8, 895, 8, 0, 7, 2],
        [380, 55, 535, 18, 1, 10, 1],
        [700, 115, 145, 24, 3, 12, 1],
        [800, 120, 40, 17, 14, 9, 0],
        [790, 60, 45, 10, 85, 10, 0],
    ],
    [
        [12, 2, 970, 6, 0, 8, 2],
        [60, 25, 870, 25, 2, 15, 3],
        [200, 110, 610, 50, 4, 22, 4],
        [310, 320, 230, 75, 35, 28, 2],
        [330, 320, 100, 50, 170, 30, 0],
        [150, 180, 110, 25, 515, 20, 0],
    ],
];

/// By workclass and band.
const WORK_BY_AGE: [[u64; BANDS]; 7] = [
    [13, 12, 11, 10, 9, 7],
    [2, 3, 6, 10, 15, 30],
    [4, 5, 8, 11, 12, 8],
    [4, 9, 10, 11, 9, 6],
    [1, 1, 4, 11, 17, 18],
    [1, 3, 6, 12, 11, 6],
    [20, 20, 5, 5, 10, 30],
];

/// By workclass: without and with a degree.
const WORK_BY_DEGREE: [[u64; 2]; 7] = [
    [11, 9],
    [10, 10],
    [9, 15],
    [9, 16],
    [9, 15],
    [10, 12],
    [12, 2],
];

pub(crate) struct Census {
    sex: Alias,
    age: Alias,
    country: Alias,
    race: Vec<Alias>,
    education: Vec<Alias>,
    marital: Vec<Alias>,
    workclass: Vec<Alias>,
    occupation: Vec<Alias>,
}

impl Census {
    pub(crate) fn new() -> Self {
        let alias = |weights: &[u64]| Alias::new(weights);
        let pairs = |n: usize, m: usize| (0..n).flat_map(move |i| (0..m).map(move |j| (i, j)));
        let education = |(band, region): (usize, usize)| {
            let weight = |&(_, share, tier): &(&str, u64, usize)| {
                share * SCHOOLING[band][tier] * SCHOOLING_ABROAD[region][tier]
            };
            Alias::new(&EDUCATION.iter().map(weight).collect::<Vec<_>>())
        };
        let workclass = |(band, degree): (usize, usize)| {
            let weight =
                |w: usize| WORKCLASS[w].1 * WORK_BY_AGE[w][band] * WORK_BY_DEGREE[w][degree];
            Alias::new(&(0..7).map(weight).collect::<Vec<_>>())
        };
        let occupation = |((tier, sex), work): ((usize, usize), usize)| {
            let weight = |o: usize| {
                let (_, share, by_sex, by_tier) = OCCUPATION[o];
                share * by_sex[sex] * by_tier[tier] * WORK[work][o]
            };
            Alias::new(&(0..OCCUPATION.len()).map(weight).collect::<Vec<_>>())
        };
        Census {
            sex: alias(&[675, 325]),
            age: alias(&AGES.map(age_weight).collect::<Vec<_>>()),
            country: alias(&COUNTRY.map(|c| c.1)),
            race: RACE_BY_REGION.iter().map(|w| alias(w)).collect(),
            education: pairs(BANDS, REGIONS).map(education).collect(),
            marital: pairs(2, BANDS)
                .map(|(sex, band)| alias(&MARRIAGE[sex][band]))
                .collect(),
            workclass: pairs(BANDS, 2).map(workclass).collect(),
            occupation: pairs(TIERS, 2)
                .flat_map(|p| (0..7).map(move |w| (p, w)))
                .map(occupation)
                .collect(),
        }
    }
}

/// Rises to 23, stays until 37, then falls to a long tail.
fn age_weight(age: u32) -> u64 {
    u64::from(match age {
        17..=22 => 120 + 40 * (age - 17),
        23..=37 => 340,
        38..=60 => 340 - 10 * (age - 37),
        61..=75 => 105 - 6 * (age - 60),
        _ => 16 - (age - 75),
    })
}

impl Population for Census {
    fn columns(&self) -> Vec<OutColumn> {
        vec![
            column(
                "age",
                OutKind::Integer,
                AGES.map(|a| a.to_string()).collect(),
            ),
            text("workclass", &WORKCLASS.map(|w| w.0)),
            text("education", &EDUCATION.map(|e| e.0)),
            text("marital_status", &MARITAL),
            text("race", &RACE),
            text("sex", &SEX),
            text("native_country", &COUNTRY.map(|c| c.0)),
            text("occupation", &OCCUPATION.map(|o| o.0)),
        ]
    }

    fn push_row(&self, _number: u32, rng: &mut ChaCha8Rng, codes: &mut Vec<u32>) {
        let sex = self.sex.draw(rng);
        let age = self.age.draw(rng);
        let country = self.country.draw(rng);
        let band = band(age + AGES.start());
        let region = COUNTRY[country as usize].2 as usize;
        let race = self.race[region].draw(rng);
        let education = self.education[band * REGIONS + region].draw(rng);
        let tier = EDUCATION[education as usize].2;
        let marital = self.marital[sex as usize * BANDS + band].draw(rng);
        let workclass = self.workclass[band * 2 + usize::from(tier >= 3)].draw(rng);
        let occupation =
            self.occupation[(tier * 2 + sex as usize) * 7 + workclass as usize].draw(rng);
        codes.extend_from_slice(&[
            age, workclass, education, marital, race, sex, country, occupation,
        ]);
    }
}
