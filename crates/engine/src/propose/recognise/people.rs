//! What names a person or leads to one: names, e-mail addresses, telephone numbers, addresses; and
//! who contributed the row.

use super::{Meaning, Recognition, SeenFacts};
use mingle_model::Kind;

const EMAIL: &[&str] = &["email", "mail", "emails"];
const PHONE: &[&str] = &[
    "phone",
    "telephone",
    "mobile",
    "fax",
    "tel",
    "cell",
    "telefon*",
    "handy",
    "mobilnummer",
];
const ADDRESS: &[&str] = &[
    "address",
    "street",
    "strasse",
    "straße",
    "anschrift",
    "adresse",
    "hausnummer",
    "latitude",
    "longitude",
    "lat",
    "lon",
    "gps",
    "coordinates",
];
const NAMES: &[&str] = &[
    "surname",
    "firstname",
    "lastname",
    "fullname",
    "username",
    "forename",
    "nickname",
    "maiden",
    "nachname",
    "vorname",
    "familienname",
    "patientenname",
    "login",
    "initials",
];
/// The part of a name beside `name` that makes it a person's.
const WHOSE_NAME: &[&str] = &[
    "first", "last", "middle", "full", "family", "given", "birth", "patient", "person", "member",
    "pupil", "student", "employee", "customer", "client", "mother", "father", "user",
];
/// People who are no subject of the table, and can be found through it or find themselves in it.
const OTHERS: &[&str] = &[
    "physician",
    "doctor",
    "surgeon",
    "nurse",
    "therapist",
    "teacher",
    "prescriber",
    "manager",
    "supervisor",
    "interviewer",
    "arzt",
    "ärztin",
    "aerztin",
    "hausarzt",
    "lehrer",
    "employer",
    "spouse",
    "guardian",
];
const PROVIDER: &[&str] = &[
    "provider",
    "hospital",
    "site",
    "clinic",
    "center",
    "centre",
    "institution",
    "organisation",
    "organization",
    "practice",
    "krankenhaus",
    "klinik",
    "einrichtung",
    "praxis",
];

/// E-mail addresses, telephone numbers, addresses.
pub fn contact(facts: &SeenFacts<'_>) -> Option<Recognition> {
    if facts.mostly(is_email) {
        return Some(Recognition::new(Meaning::Email, "e-mail addresses"));
    }
    let kinds = [
        (EMAIL, Meaning::Email),
        (PHONE, Meaning::Phone),
        (ADDRESS, Meaning::Address),
    ];
    for (words, meaning) in kinds {
        if let Some((_, word)) = facts.word(words) {
            // whether somebody wants mail is no address: a flag leads to nobody
            if facts.distinct <= 3 && facts.present > 20 {
                continue;
            }
            let why = format!("leads to a person (\"{word}\" in its name)");
            return Some(Recognition::new(meaning, why));
        }
    }
    if facts.distinct * 2 > facts.present && facts.distinct > 20 && facts.mostly(is_phone) {
        return Some(Recognition::new(Meaning::Phone, "telephone numbers"));
    }
    None
}

/// Names of people.
pub fn name(facts: &SeenFacts<'_>) -> Option<Recognition> {
    if let Some((_, word)) = facts.word(NAMES) {
        let why = format!("names a person (\"{word}\" in its name)");
        return Some(Recognition::new(Meaning::PersonName, why));
    }
    let says_name = facts.words.iter().any(|word| word == "name");
    if says_name {
        // `drug_name` has few values and names nobody
        let alone = facts.words.len() == 1;
        let of_person = facts.word(WHOSE_NAME).is_some();
        if alone || of_person || facts.distinct * 2 > facts.present {
            let why = "names a person (\"name\" in its name)";
            return Some(Recognition::new(Meaning::PersonName, why));
        }
    }
    if let Some(word) = facts.last_word(OTHERS)
        && facts.kind == Kind::Category
        && facts.distinct > 3
    {
        let why = format!("names a person who is not the subject (\"{word}\" in its name)");
        return Some(Recognition::new(Meaning::PersonName, why));
    }
    if facts.distinct * 2 > facts.present && facts.distinct > 20 && facts.mostly(is_full_name) {
        return Some(Recognition::new(Meaning::PersonName, "look like names"));
    }
    None
}

/// Who contributed the row.
pub fn provider(facts: &SeenFacts<'_>) -> Option<Recognition> {
    let word = facts.last_word(PROVIDER).or_else(|| {
        // `hospital_code` and `practice_name` are a provider's as well
        let tail = facts.last_word(&["code", "name", "id"])?;
        let (_, word) = facts.word(PROVIDER)?;
        (word != tail).then_some(word)
    })?;
    // `time_in_hospital` is about a stay
    if facts.words.iter().any(|word| word == "in" || word == "at")
        || facts.kind.is_numeric() && facts.words.len() > 2
    {
        return None;
    }
    let why = format!("may name the provider, who is never published (\"{word}\" in its name)");
    Some(Recognition::new(Meaning::Provider, why))
}

fn is_email(text: &str) -> bool {
    let Some((user, host)) = text.split_once('@') else {
        return false;
    };
    let plain = !text.contains(char::is_whitespace);
    plain && !user.is_empty() && host.contains('.') && !host.starts_with('.')
}

fn is_phone(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let allowed = text
        .chars()
        .all(|c| c.is_ascii_digit() || " +()-/.".contains(c));
    // 2001-03-02 and 12.03.2001 have eight digits as well, and more than that is asked for
    let written_as_one = text.starts_with('+') || text.contains([' ', '(', '-', '/']);
    allowed && written_as_one && (9..=15).contains(&digits)
}

/// Two or three words that each start with a capital letter and are all letters.
fn is_full_name(text: &str) -> bool {
    let words: Vec<&str> = text.split([' ', ',']).filter(|w| !w.is_empty()).collect();
    if !(2..=4).contains(&words.len()) {
        return false;
    }
    words.iter().all(|word| {
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        capital
            && word
                .chars()
                .all(|c| c.is_alphabetic() || ".'-’".contains(c))
    })
}
