//! Ten made-up tables: columns as registers and hospitals have them, rows from a fixed sequence of
//! random numbers. Nobody is in them.

use std::fmt::Write;

const ROWS: u64 = 2_000;

/// Random numbers that are the same everywhere (Knuth's linear congruential generator).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }

    /// Zero most often, then one, and so on.
    fn seldom(&mut self, most: u64) -> u64 {
        let first = self.below(most);
        let second = self.below(most);
        first.min(second).min(self.below(most))
    }

    fn iso_day(&mut self, from: u64, years: u64) -> String {
        let (year, month, day) = self.day(from, years);
        format!("{year}-{month:02}-{day:02}")
    }

    fn day(&mut self, from: u64, years: u64) -> (u64, u64, u64) {
        (
            from + self.below(years),
            1 + self.below(12),
            1 + self.below(28),
        )
    }

    fn icd_10(&mut self) -> String {
        let letter = self.one_of(&["A", "C", "E", "F", "I", "J", "K", "M", "N", "S"]);
        let category = self.below(30) + 10;
        match self.below(3) {
            0 => format!("{letter}{category}"),
            _ => format!("{letter}{category}.{}", self.below(10)),
        }
    }

    fn atc(&mut self) -> String {
        let group = self.one_of(&["A10BA", "C09AA", "N05BA", "J01CA", "R03AC", "C10AA"]);
        format!("{group}{:02}", self.below(12) + 1)
    }

    fn sentence(&mut self) -> String {
        const WORDS: &[&str] = &[
            "patient", "came", "with", "her", "husband", "after", "fall", "at", "home", "feels",
            "better", "since", "monday", "wants", "to", "leave", "early", "no", "pain",
        ];
        let mut text = String::from("The");
        for _ in 0..5 + self.below(8) {
            text += " ";
            text += self.one_of(WORDS);
        }
        text
    }

    fn full_name(&mut self) -> String {
        let first = self.one_of(FIRST);
        format!("{first} {}", self.one_of(LAST))
    }
}

const FIRST: &[&str] = &[
    "Anna", "Ben", "Clara", "David", "Eva", "Felix", "Greta", "Hans", "Ida", "Jan", "Karin", "Leo",
];
const LAST: &[&str] = &[
    "Meyer", "Fischer", "Weber", "Wagner", "Becker", "Schulz", "Hoffmann", "Koch", "Richter",
];
const TOWNS: &[&str] = &[
    "Northham",
    "Eastwick",
    "Westford",
    "Southby",
    "Millbrook",
    "Ashton",
    "Oakdale",
    "Riverton",
];

/// A digit that makes the weighted sum a multiple of eleven, where one does.
fn modulus_11(number: u64) -> Option<String> {
    let text = format!("{number:09}");
    let mut sum = 0;
    for (place, digit) in text.bytes().enumerate() {
        sum += u64::from(digit - b'0') * (10 - place as u64);
    }
    match (11 - sum % 11) % 11 {
        10 => None,
        check => Some(format!("{text}{check}")),
    }
}

/// A digit that makes Luhn's sum over the whole, behind a prefix, a multiple of ten.
fn luhn(prefix: &str, number: &str) -> String {
    let digits: Vec<u32> = format!("{prefix}{number}0")
        .chars()
        .map(|c| c.to_digit(10).unwrap())
        .collect();
    let mut sum = 0;
    for (place, &digit) in digits.iter().rev().enumerate() {
        let doubled = if place % 2 == 1 { digit * 2 } else { digit };
        sum += doubled / 10 + doubled % 10;
    }
    format!("{number}{}", (10 - sum % 10) % 10)
}

fn iban(account: u64) -> String {
    let account = format!("{:08}{:010}", 37_040_044, account);
    let mut remainder: u64 = 0;
    // D is 13, E is 14, and 00 stands for the check digits
    for digit in format!("{account}131400").bytes() {
        remainder = (remainder * 10 + u64::from(digit - b'0')) % 97;
    }
    format!("DE{:02}{account}", 98 - remainder)
}

/// A table from its header and a rule for rows.
fn table(header: &str, seed: u64, row: impl Fn(u64, &mut Numbers) -> Vec<String>) -> String {
    let mut numbers = Numbers(seed);
    let mut text = format!("{header}\n");
    let columns = header.split(',').count();
    for index in 0..ROWS {
        let cells = row(index, &mut numbers);
        assert_eq!(cells.len(), columns, "{header}");
        let _ = writeln!(text, "{}", cells.join(","));
    }
    text
}

macro_rules! cells {
    ($($cell:expr),* $(,)?) => { vec![$($cell.to_string()),*] };
}

/// Every table with its name.
pub fn all() -> Vec<(&'static str, String)> {
    vec![
        ("hospital_discharge", hospital_discharge()),
        ("gp_prescriptions", gp_prescriptions()),
        ("lab_results", lab_results()),
        ("cancer_registry", cancer_registry()),
        ("tax_register", tax_register()),
        ("survey_with_weights", survey_with_weights()),
        ("school_records", school_records()),
        ("insurance_claims", insurance_claims()),
        ("employees", employees()),
        ("german_hospital", german_hospital()),
    ]
}

fn hospital_discharge() -> String {
    let header = "record_id,mrn,patient_name,date_of_birth,sex,zip,admission_date,discharge_date,\
                  length_of_stay,ward,principal_diagnosis,procedure_code,discharge_status,\
                  total_charges,attending_physician,notes";
    table(header, 1, |index, n| {
        let (year, month, day) = n.day(2022, 2);
        let stay = n.seldom(28);
        cells![
            index + 1,
            700_000 + n.below(1_500),
            n.full_name(),
            n.iso_day(1930, 80),
            n.one_of(&["F", "M"]),
            format!("{:05}", 1_000 + n.below(300)),
            format!("{year}-{month:02}-{day:02}"),
            format!("{year}-{month:02}-{:02}", (day + stay).min(28)),
            stay,
            n.one_of(&["surgery", "medicine", "maternity", "eye", "stroke unit"]),
            n.icd_10(),
            format!("{:05}", 10_000 + n.below(90) * 37),
            n.one_of(&["home", "transfer", "died", "home", "home"]),
            format!("{}.{:02}", 500 + n.below(90_000), n.below(100)),
            format!("Dr. {}", n.full_name()),
            n.sentence(),
        ]
    })
}

fn gp_prescriptions() -> String {
    let header = "rx_uuid,patient_id,birth_year,gender,postcode,practice_code,prescribed_on,\
                  atc_code,quantity,repeat,indication,prescriber_email";
    table(header, 2, |_, n| {
        let hex = |n: &mut Numbers, length: usize| {
            let mut text = String::new();
            for _ in 0..length {
                let _ = write!(text, "{:x}", n.below(16));
            }
            text
        };
        let groups = [8, 4, 4, 4, 12].map(|length| hex(n, length));
        let area = n.one_of(&["SW1A", "LS6", "M14", "EH8"]);
        cells![
            groups.join("-"),
            format!("P{:05}", n.below(700)),
            1930 + n.below(85),
            n.one_of(&["female", "male"]),
            format!("{area} {}{}A", n.below(9), n.one_of(&["A", "B", "D"])),
            format!("Y{:04}", n.below(14)),
            n.iso_day(2023, 1),
            n.atc(),
            [14, 28, 30, 56, 84][n.below(5) as usize],
            n.one_of(&["yes", "no"]),
            n.icd_10(),
            format!("dr{}@practice{}.example", n.below(60), n.below(14)),
        ]
    })
}

fn lab_results() -> String {
    let header = "sample_no,person_no,age_group,sex,county,loinc,result_value,unit,abnormal_flag,\
                  collected_on,comment";
    table(header, 3, |index, n| {
        let comment = if n.below(4) == 0 {
            n.sentence()
        } else {
            String::new()
        };
        cells![
            format!("S{:07}", 1_000_000 + index * 7),
            40_000 + n.below(800),
            n.one_of(&["0-17", "18-44", "45-64", "65+"]),
            n.one_of(&["f", "m"]),
            n.one_of(TOWNS),
            n.one_of(&[
                "4548-4", "2345-7", "2160-0", "718-7", "2951-2", "2823-3", "1742-6"
            ]),
            format!("{}.{}", 1 + n.below(15), n.below(10)),
            n.one_of(&["%", "mg/dL", "mmol/L"]),
            n.one_of(&["N", "H", "L", "N", "N"]),
            n.iso_day(2022, 2),
            comment,
        ]
    })
}

fn cancer_registry() -> String {
    let header = "tumour_id,nhs_number,dob,sex,ethnicity,deprivation_quintile,diagnosis_date,icd10,\
                  morphology,stage,grade,vital_status,death_date,screening_detected";
    table(header, 4, |index, n| {
        let mut number = None;
        while number.is_none() {
            number = modulus_11(400_000_000 + n.below(99_000_000));
        }
        let died = n.below(4) == 0;
        let death = if died {
            n.iso_day(2019, 4)
        } else {
            String::new()
        };
        cells![
            format!("T{index:06}"),
            number.unwrap(),
            n.iso_day(1925, 70),
            n.one_of(&["1", "2"]),
            n.one_of(&["A", "B", "C", "M", "Z"]),
            1 + n.below(5),
            n.iso_day(2015, 4),
            format!("C{:02}.{}", 15 + n.below(50), n.below(9)),
            format!("8{:03}", 10 + n.below(40) * 10),
            n.one_of(&["1", "2", "3", "4"]),
            n.one_of(&["G1", "G2", "G3"]),
            if died { "dead" } else { "alive" },
            death,
            n.one_of(&["yes", "no", "no"]),
        ]
    })
}

fn tax_register() -> String {
    let header = "taxpayer_no,iban,birth_date,sex,municipality,marital_status,children,occupation,\
                  employer_id,gross_income,tax_paid,religion";
    table(header, 5, |_, n| {
        let (year, month, day) = n.day(1940, 60);
        let income = 12_000 + n.below(600) * 100;
        cells![
            format!("{:011}", 10_000_000_000 + n.below(80_000_000) * 997),
            iban(n.below(9_000_000_000)),
            format!("{day:02}/{month:02}/{year}"),
            n.one_of(&["f", "m"]),
            n.one_of(TOWNS),
            n.one_of(&["single", "married", "divorced", "widowed"]),
            n.seldom(6),
            n.one_of(&["clerk", "nurse", "farmer", "teacher", "driver", "engineer"]),
            format!("E{:05}", n.below(400)),
            income,
            income / 100 * (10 + n.below(25)),
            n.one_of(&["none", "catholic", "protestant", "muslim", "other"]),
        ]
    })
}

fn survey_with_weights() -> String {
    let header = "respondent_id,interview_date,age,sex,region,education,employment,household_size,\
                  design_weight,stratum,religion,vote_intention,trust_score_1,trust_score_2,\
                  trust_score_3,open_answer";
    table(header, 6, |index, n| {
        let answer = if n.below(3) == 0 {
            n.sentence()
        } else {
            String::new()
        };
        cells![
            index + 1,
            n.iso_day(2024, 1),
            18 + n.below(70),
            n.one_of(&["female", "male", "other"]),
            n.one_of(&["north", "south", "east", "west"]),
            n.one_of(&["primary", "secondary", "tertiary"]),
            n.one_of(&["employed", "unemployed", "student", "retired"]),
            1 + n.seldom(7),
            format!("0.{:04}", 2_000 + n.below(7_999)),
            n.below(24),
            n.one_of(&["none", "christian", "muslim", "jewish", "other"]),
            n.one_of(&["red", "blue", "green", "none"]),
            n.below(11),
            n.below(11),
            n.below(11),
            answer,
        ]
    })
}

fn school_records() -> String {
    let header = "pupil_id,first_name,last_name,birth_date,sex,class,home_language,free_lunch,\
                  special_needs,absent_days,math_score,reading_score,teacher,school_year";
    table(header, 7, |index, n| {
        cells![
            format!("{:06}", 100_000 + index),
            n.one_of(FIRST),
            n.one_of(LAST),
            n.iso_day(2010, 6),
            n.one_of(&["f", "m"]),
            format!("{}{}", 3 + n.below(6), n.one_of(&["a", "b", "c"])),
            n.one_of(&["English", "Polish", "Urdu", "Somali", "English", "English"]),
            n.one_of(&["yes", "no", "no"]),
            n.one_of(&["yes", "no", "no", "no", "no", "no"]),
            n.seldom(40),
            20 + n.below(80),
            20 + n.below(80),
            format!("{}. {}", n.one_of(&["A", "B", "C"]), n.one_of(LAST)),
            "2023/24",
        ]
    })
}

fn insurance_claims() -> String {
    let header = "claim_number,policy_number,member_dob,gender,zip,plan_type,service_date,cpt,dx1,\
                  billed_amount,paid_amount,npi,phone,member_ip";
    table(header, 8, |index, n| {
        let billed = 4_000 + n.below(90_000);
        // as in real claims, the same codes come again and again
        let dx = match n.below(8) {
            0 => format!("V{:02}.{}", 10 + n.below(20), n.below(3)),
            1 => format!("{}", 100 + n.below(40) * 20),
            _ => format!("{}.{:02}", 100 + n.below(40) * 20, n.below(6) * 10),
        };
        cells![
            format!("CL{:08}", 10_000_000 + index * 3),
            format!("{:09}", 200_000_000 + n.below(900) * 31),
            n.iso_day(1935, 80),
            n.one_of(&["F", "M", "U"]),
            format!("{:05}", 30_000 + n.below(200)),
            n.one_of(&["HMO", "PPO", "EPO"]),
            n.iso_day(2021, 2),
            99_201 + n.below(60),
            dx,
            format!("{}.{:02}", billed / 100, billed % 100),
            format!("{}.{:02}", billed / 125, billed % 100),
            luhn(
                "80840",
                &format!("1{:08}", 30_000_000 + n.below(300) * 1_237)
            ),
            format!("({}) 555-{:04}", 200 + n.below(700), n.below(10_000)),
            format!("10.{}.{}.{}", n.below(256), n.below(256), n.below(256)),
        ]
    })
}

fn employees() -> String {
    let header = "employee_id,name,email,mobile,office,department,job_title,hire_date,birth_year,\
                  sex,salary,bonus,performance_rating,profile_url,manager_id";
    table(header, 9, |index, n| {
        cells![
            format!("E{index:05}"),
            n.full_name(),
            format!("user{index}@company.example"),
            format!("+44 7{:03} {:06}", n.below(1_000), n.below(1_000_000)),
            n.one_of(&["London", "Leeds", "Oslo"]),
            n.one_of(&["sales", "research", "finance", "legal"]),
            n.one_of(&["analyst", "engineer", "clerk", "director", "assistant"]),
            n.iso_day(1995, 28),
            1955 + n.below(48),
            n.one_of(&["f", "m"]),
            22_000 + n.below(500) * 100,
            n.below(40) * 250,
            1 + n.below(5),
            format!("https://intranet.example/people/{index}"),
            format!("E{:05}", n.below(180)),
        ]
    })
}

fn german_hospital() -> String {
    let header = "Fallnummer,Versichertennummer,Nachname,Vorname,Geburtsdatum,Geschlecht,PLZ,\
                  Aufnahmedatum,Entlassdatum,Verweildauer,Hauptdiagnose,OPS,Beatmungsstunden,\
                  Fachabteilung,Entlassgrund,Kostentraeger,Bemerkung";
    table(header, 10, |index, n| {
        let german = |(year, month, day): (u64, u64, u64)| format!("{day:02}.{month:02}.{year}");
        let letter = n.one_of(&["A", "K", "M", "T"]);
        cells![
            20_230_000 + index,
            format!("{letter}{:09}", 100_000_000 + n.below(1_500) * 77),
            n.one_of(LAST),
            n.one_of(FIRST),
            german(n.day(1930, 85)),
            n.one_of(&["w", "m", "d", "w", "m"]),
            format!("{:05}", 1_067 + n.below(250)),
            german(n.day(2023, 1)),
            german(n.day(2023, 1)),
            n.seldom(30),
            n.icd_10(),
            format!("5-{:03}.{}", 400 + n.below(90), n.below(10)),
            if n.below(3) == 0 { n.seldom(90) } else { 0 },
            n.one_of(&["0100", "1500", "2200", "2400"]),
            format!("{:02}", n.below(9)),
            n.one_of(&["AOK", "TK", "Barmer", "PKV"]),
            n.sentence(),
        ]
    })
}
