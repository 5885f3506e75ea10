//! What nobody may learn about somebody's health: diagnoses (ICD-9, ICD-10), medication (ATC),
//! laboratory tests (LOINC), procedures (CPT, OPS), and columns that are called so.
//!
//! ICD-10 codes are a letter, two digits (or a digit and a letter) and up to four more behind a
//! point; ICD-9 codes three digits, or V and two, or E and three, and up to two more; ATC codes a
//! letter, two digits, two letters, two digits; LOINC codes digits with a check digit behind a
//! dash. Shapes that numbers have as well count only with a name that says so.

use super::check_digits::luhn_sum;
use super::{Meaning, Recognition, SeenFacts};

const DIAGNOSIS: &[&str] = &[
    "diagnosis",
    "diagnoses",
    "diag",
    "diagnose*",
    "*diagnose",
    "*diagnosen",
    "dx",
    "icd",
    "disease",
    "diseases",
    "illness",
    "condition",
    "symptom*",
    "indication",
    "comorbidity",
    "morphology",
    "topography",
    "tumor",
    "tumour",
    "krankheit*",
    "erkrankung*",
    "befund",
    "stage",
    "cause",
];
const MEDICATION: &[&str] = &[
    "medication",
    "medications",
    "drug",
    "drugs",
    "atc",
    "prescription",
    "med",
    "meds",
    "dose",
    "medikament*",
    "wirkstoff",
    "arznei*",
    "insulin",
    "vaccine",
];
const PROCEDURE: &[&str] = &[
    "procedure",
    "procedures",
    "treatment",
    "therapy",
    "surgery",
    "operation",
    "cpt",
    "hcpcs",
    "ops",
    "prozedur*",
    "eingriff",
    "behandlung",
    "therapie",
];
const LABORATORY: &[&str] = &[
    "loinc",
    "result",
    "results",
    "*result",
    "lab",
    "glucose",
    "serum",
    "cholesterol",
    "hba",
    "creatinine",
    "bmi",
    "blood",
    "abnormal",
    "labor*",
];
/// Ends of the international names of substances (WHO's list of stems), and a few old ones.
const SUBSTANCES: &[&str] = &[
    "*formin",
    "*glinide",
    "*gliptin",
    "*glitazone",
    "*amide",
    "*gliflozin",
    "*statin",
    "*pril",
    "*sartan",
    "*olol",
    "*dipine",
    "*cillin",
    "*mycin",
    "*azole",
    "*prazole",
    "*oxacin",
    "*vir",
    "*mab",
    "*tinib",
    "*setron",
    "*triptan",
    "*azepam",
    "*oxetine",
    "*caine",
    "*parin",
    "*xaban",
    "glipizide",
    "glyburide",
    "acarbose",
    "miglitol",
    "glimepiride",
    "metformin",
    "warfarin",
];

/// Codes by their shape, then words.
pub fn recognise(facts: &SeenFacts<'_>) -> Option<Recognition> {
    if let Some(recognition) = by_codes(facts) {
        return Some(recognition);
    }
    let groups = [
        (DIAGNOSIS, Meaning::Diagnosis, 1),
        (MEDICATION, Meaning::Medication, 4),
        (PROCEDURE, Meaning::Procedure, 5),
        (LABORATORY, Meaning::Laboratory, 6),
        (SUBSTANCES, Meaning::Medication, 20),
    ];
    for (words, meaning, rank) in groups {
        if let Some((_, word)) = facts.word(words) {
            let why = format!("nobody may learn it about a person (\"{word}\" in its name)");
            return Some(Recognition::new(meaning, why).ranked(rank));
        }
    }
    None
}

fn by_codes(facts: &SeenFacts<'_>) -> Option<Recognition> {
    let diagnosis = facts.word(DIAGNOSIS).is_some();
    let with_share = |what: &str, percent: usize| {
        format!("nobody may learn it about a person ({what}: {percent} % of the values)")
    };
    let atc = facts.percent(is_atc);
    if atc >= 90 {
        let why = with_share("ATC codes", atc);
        let recognition = Recognition::new(Meaning::Medication, why).ranked(2);
        return Some(recognition.shortened(&[5, 4, 3, 1]));
    }
    let loinc = facts.percent(is_loinc);
    if loinc >= 90 {
        let why = with_share("LOINC codes", loinc);
        return Some(Recognition::new(Meaning::Laboratory, why).ranked(3));
    }
    let ops = facts.percent(is_ops);
    if ops >= 90 {
        let why = with_share("OPS codes", ops);
        let recognition = Recognition::new(Meaning::Procedure, why).ranked(4);
        return Some(recognition.shortened(&[5, 3, 1]));
    }
    // codes of three characters are the shape of many things: a point, or a name, must say more
    let icd_10 = facts.percent(is_icd_10);
    let with_point = facts.percent(|text| text.contains('.') && is_icd_10(text));
    if icd_10 >= 90 && (diagnosis || with_point >= 10) {
        let why = with_share("ICD-10 codes", icd_10);
        let recognition = Recognition::new(Meaning::Diagnosis, why);
        return Some(recognition.shortened(&[3, 1]));
    }
    let icd_9 = facts.percent(is_icd_9);
    let with_letter = facts.percent(|text| text.starts_with(['V', 'E']) && is_icd_9(text));
    if icd_9 >= 90 && (diagnosis || (with_letter >= 2 && facts.distinct >= 50)) {
        let why = with_share("ICD-9 codes", icd_9);
        let recognition = Recognition::new(Meaning::Diagnosis, why);
        return Some(recognition.shortened(&[3, 1]));
    }
    None
}

fn is_icd_10(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() < 3 || bytes.len() > 8 || !bytes[0].is_ascii_uppercase() {
        return false;
    }
    let category = bytes[1].is_ascii_digit() && bytes[2].is_ascii_alphanumeric();
    let rest = &bytes[3..];
    let detail = rest.strip_prefix(b".").unwrap_or(rest);
    let marks = |byte: &u8| byte.is_ascii_alphanumeric() || b"+*!-".contains(byte);
    category && detail.len() <= 4 && detail.iter().all(marks)
}

fn is_icd_9(text: &str) -> bool {
    let (category, detail) = text.split_once('.').unwrap_or((text, ""));
    let figures = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let known = match category.as_bytes() {
        [b'V', ..] => category.len() == 3 && figures(&category[1..]),
        [b'E', ..] => category.len() == 4 && figures(&category[1..]),
        _ => (1..=3).contains(&category.len()) && figures(category),
    };
    known && detail.len() <= 2 && figures(detail)
}

fn is_atc(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 7
        && b"ABCDGHJLMNPRSV".contains(&bytes[0])
        && bytes[1..3].iter().all(u8::is_ascii_digit)
        && bytes[3..5].iter().all(u8::is_ascii_uppercase)
        && bytes[5..].iter().all(u8::is_ascii_digit)
}

fn is_loinc(text: &str) -> bool {
    let Some((number, check)) = text.split_once('-') else {
        return false;
    };
    if !(1..=6).contains(&number.len()) || check.len() != 1 {
        return false;
    }
    let mut digits = Vec::new();
    for c in number.chars().chain(check.chars()) {
        match c.to_digit(10) {
            Some(digit) => digits.push(digit),
            None => return false,
        }
    }
    luhn_sum(&digits).is_multiple_of(10)
}

/// `5-470.11`: the German key of operations.
fn is_ops(text: &str) -> bool {
    let Some((chapter, rest)) = text.split_once('-') else {
        return false;
    };
    let (category, detail) = rest.split_once('.').unwrap_or((rest, ""));
    let chapter = chapter.len() == 1 && chapter.bytes().all(|byte| byte.is_ascii_digit());
    let category = category.len() == 3
        && category.as_bytes()[0].is_ascii_digit()
        && category.bytes().all(|byte| byte.is_ascii_alphanumeric());
    chapter && category && detail.len() <= 3 && detail.bytes().all(|b| b.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_their_shapes() {
        assert!(
            ["E11.9", "I10", "C50.411", "M1A.00X0"]
                .into_iter()
                .all(is_icd_10)
        );
        assert!(!["250.83", "11E", "E1", "hello"].into_iter().any(is_icd_10));
        assert!(["250.83", "V27", "E812.1", "8"].into_iter().all(is_icd_9));
        assert!(
            !["2500", "250.833", "V2", "A27", ""]
                .into_iter()
                .any(is_icd_9)
        );
        assert!(is_atc("A10BA02") && !is_atc("A10BA") && !is_atc("a10ba02"));
        assert!(is_loinc("4548-4") && is_loinc("2345-7") && !is_loinc("4548-5"));
        assert!(is_ops("5-470.11") && is_ops("8-980") && !is_ops("15-470"));
    }
}
