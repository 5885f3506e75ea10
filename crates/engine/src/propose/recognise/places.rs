//! Postcodes: by name, or by a shape that nothing else has (British, Canadian, Dutch).

use super::{Meaning, Recognition, SeenFacts};

const WORDS: &[&str] = &[
    "zip",
    "zipcode",
    "postcode",
    "postal",
    "plz",
    "postleitzahl",
    "zcta",
];

/// Postcodes.
pub fn recognise(facts: &SeenFacts<'_>) -> Option<Recognition> {
    if let Some((_, word)) = facts.word(WORDS) {
        let why = format!("many know where somebody lives (\"{word}\" in its name)");
        let recognition = Recognition::new(Meaning::Postcode, why).ranked(3);
        return Some(recognition.shortened(areas(facts)));
    }
    if facts.distinct >= 10 && facts.mostly(is_postcode) {
        let why = "many know where somebody lives (they look like postcodes)";
        let recognition = Recognition::new(Meaning::Postcode, why).ranked(3);
        return Some(recognition.shortened(areas(facts)));
    }
    None
}

/// How much of a postcode names a district and a region.
fn areas(facts: &SeenFacts<'_>) -> &'static [usize] {
    if facts.mostly(|text| text.starts_with(|c: char| c.is_ascii_digit())) {
        &[5, 3]
    } else {
        &[4, 2]
    }
}

/// `SW1A 1AA`, `K1A 0B1`, `1234 AB`, as patterns of letters and digits.
fn is_postcode(text: &str) -> bool {
    let mut pattern = String::new();
    for c in text.chars() {
        pattern.push(match c {
            'A'..='Z' => 'A',
            '0'..='9' => '9',
            ' ' => ' ',
            _ => return false,
        });
    }
    const PATTERNS: &[&str] = &[
        "A9 9AA", "A99 9AA", "AA9 9AA", "AA99 9AA", "A9A 9AA", "AA9A 9AA", "A9A 9A9", "9999 AA",
    ];
    PATTERNS.contains(&pattern.as_str())
}
