//! Hierarchies of public code systems, by how their codes are built.
//!
//! | template | above a code stand |
//! |---|---|
//! | `icd-10` | its three-character category, its block, its chapter |
//! | `icd-9` | its category (three digits, `V` and two, `E` and three), its chapter |
//! | `atc` | the first 5, 4, 3 and 1 characters |
//!
//! Blocks and chapters are called by their first and last category. Editions of ICD-10 differ by a
//! few categories at the ends of chapters: the chapters here hold those of the international and of
//! the clinical modification; a category that no block has stands for itself at that level. The
//! blocks are those of the international edition of 2016, its finer ones where it has two levels of
//! them in the chapters of neoplasms (malignant), the musculoskeletal system and accidents. What
//! is no code of the system stands apart, under [`OTHER_CODES`], and is counted.

use super::prefix::beginning;

/// The branch of values that are no codes of the system.
pub const OTHER_CODES: &str = "other codes";

/// A public code system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Template {
    /// Diagnoses, since 1990.
    Icd10,
    /// Diagnoses in the clinical modification of the ninth revision.
    Icd9,
    /// Medicines.
    Atc,
}

impl Template {
    /// All templates, in the order in which messages list them.
    pub const ALL: [Template; 3] = [Template::Icd10, Template::Icd9, Template::Atc];

    /// The word used in the policy file.
    pub fn name(self) -> &'static str {
        match self {
            Template::Icd10 => "icd-10",
            Template::Icd9 => "icd-9",
            Template::Atc => "atc",
        }
    }

    /// How many levels there are below the root.
    pub fn height(self) -> usize {
        match self {
            Template::Icd10 => 3,
            Template::Icd9 => 2,
            Template::Atc => ATC_LENGTHS.len(),
        }
    }

    /// Whether a text is a code of this system, as far as its form tells.
    pub fn knows(self, code: &str) -> bool {
        self.labels(code).is_some()
    }

    /// The labels above a code, without the root; `None` if it is no code of the system.
    pub(super) fn labels(self, code: &str) -> Option<Vec<String>> {
        match self {
            Template::Icd10 => icd_10(code),
            Template::Icd9 => icd_9(code),
            Template::Atc => atc(code),
        }
    }
}

/// Up to seven characters of ATC at its five levels; the last is the code itself.
const ATC_LENGTHS: [usize; 4] = [5, 4, 3, 1];

const ATC_GROUPS: &str = "ABCDGHJLMNPRSV";

fn atc(code: &str) -> Option<Vec<String>> {
    if ![1, 3, 4, 5, 7].contains(&code.len()) {
        return None;
    }
    for (at, c) in code.chars().enumerate() {
        let fits = match at {
            0 => ATC_GROUPS.contains(c),
            3 | 4 => c.is_ascii_uppercase(),
            _ => c.is_ascii_digit(),
        };
        if !fits {
            return None;
        }
    }
    Some(ATC_LENGTHS.map(|length| beginning(code, length)).to_vec())
}

/// What may follow a category: further places with or without a dot, and the marks of editions.
fn is_subdivision(rest: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || ".-+*†!#".contains(c);
    rest.chars().count() <= 6 && rest.chars().all(fits)
}

fn icd_10(code: &str) -> Option<Vec<String>> {
    let category = code.get(..3)?;
    let b = category.as_bytes();
    let is_category = b[0].is_ascii_uppercase()
        && b[1].is_ascii_digit()
        && (b[2].is_ascii_digit() || b[2].is_ascii_uppercase());
    if !is_category || !is_subdivision(&code[3..]) {
        return None;
    }
    let chapter = range_of(category, ICD_10_CHAPTERS)?;
    let label = beginning(code, 3);
    let block = range_of(category, ICD_10_BLOCKS).unwrap_or(&label);
    Some(vec![label.clone(), block.to_owned(), chapter.to_owned()])
}

fn icd_9(code: &str) -> Option<Vec<String>> {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let length = match code.bytes().next()? {
        b'E' => 4,
        b'V' => 3,
        _ => {
            // spreadsheets take leading zeros away: 38.9 is 038.9
            let whole = code.split('.').next().unwrap_or_default();
            if !whole.is_empty() && whole.len() < 3 && digits(whole) {
                return icd_9(&format!("{code:0>0$}", code.len() + 3 - whole.len()));
            }
            3
        }
    };
    let category = code.get(..length)?;
    let number = category.trim_start_matches(['E', 'V']);
    let letters = length - number.len();
    let rest = &code[length..];
    let places = rest.strip_prefix('.').unwrap_or(rest);
    let is_code = letters == usize::from(!category.starts_with(|c: char| c.is_ascii_digit()))
        && digits(number)
        && digits(places)
        && places.len() <= 2;
    if !is_code {
        return None;
    }
    let chapter = range_of(category, ICD_9_CHAPTERS)?;
    Some(vec![beginning(code, length), chapter.to_owned()])
}

/// The range that holds a category, of ranges of equally long categories.
fn range_of<'t>(category: &str, ranges: &'t str) -> Option<&'t str> {
    ranges.split_ascii_whitespace().find(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        first.len() == category.len() && first <= category && category <= last
    })
}

const ICD_9_CHAPTERS: &str = "001-139 140-239 240-279 280-289 290-319 320-389 390-459 460-519 \
    520-579 580-629 630-679 680-709 710-739 740-759 760-779 780-799 800-999 E000-E999 V01-V91";

const ICD_10_CHAPTERS: &str = "A00-B99 C00-D49 D50-D89 E00-E90 F00-F99 G00-G99 H00-H59 H60-H95 \
    I00-I99 J00-J99 K00-K95 L00-L99 M00-M99 N00-N99 O00-O9A P00-P96 Q00-Q99 R00-R99 S00-T98 \
    U00-U99 V00-Y99 Z00-Z99";

const ICD_10_BLOCKS: &str = "\
    A00-A09 A15-A19 A20-A28 A30-A49 A50-A64 A65-A69 A70-A74 A75-A79 A80-A89 A92-A99 \
    B00-B09 B15-B19 B20-B24 B25-B34 B35-B49 B50-B64 B65-B83 B85-B89 B90-B94 B95-B98 B99-B99 \
    C00-C14 C15-C26 C30-C39 C40-C41 C43-C44 C45-C49 C50-C50 C51-C58 C60-C63 C64-C68 C69-C72 \
    C73-C75 C76-C80 C81-C96 C97-C97 D00-D09 D10-D36 D37-D48 \
    D50-D53 D55-D59 D60-D64 D65-D69 D70-D77 D80-D89 \
    E00-E07 E10-E14 E15-E16 E20-E35 E40-E46 E50-E64 E65-E68 E70-E90 \
    F00-F09 F10-F19 F20-F29 F30-F39 F40-F48 F50-F59 F60-F69 F70-F79 F80-F89 F90-F98 F99-F99 \
    G00-G09 G10-G14 G20-G26 G30-G32 G35-G37 G40-G47 G50-G59 G60-G64 G70-G73 G80-G83 G90-G99 \
    H00-H06 H10-H13 H15-H22 H25-H28 H30-H36 H40-H42 H43-H45 H46-H48 H49-H52 H53-H54 H55-H59 \
    H60-H62 H65-H75 H80-H83 H90-H95 \
    I00-I02 I05-I09 I10-I15 I20-I25 I26-I28 I30-I52 I60-I69 I70-I79 I80-I89 I95-I99 \
    J00-J06 J09-J18 J20-J22 J30-J39 J40-J47 J60-J70 J80-J84 J85-J86 J90-J94 J95-J99 \
    K00-K14 K20-K31 K35-K38 K40-K46 K50-K52 K55-K64 K65-K67 K70-K77 K80-K87 K90-K93 \
    L00-L08 L10-L14 L20-L30 L40-L45 L50-L54 L55-L59 L60-L75 L80-L99 \
    M00-M03 M05-M14 M15-M19 M20-M25 M30-M36 M40-M43 M45-M49 M50-M54 M60-M63 M65-M68 M70-M79 \
    M80-M85 M86-M90 M91-M94 M95-M99 \
    N00-N08 N10-N16 N17-N19 N20-N23 N25-N29 N30-N39 N40-N51 N60-N64 N70-N77 N80-N98 N99-N99 \
    O00-O08 O10-O16 O20-O29 O30-O48 O60-O75 O80-O84 O85-O92 O94-O99 \
    P00-P04 P05-P08 P10-P15 P20-P29 P35-P39 P50-P61 P70-P74 P75-P78 P80-P83 P90-P96 \
    Q00-Q07 Q10-Q18 Q20-Q28 Q30-Q34 Q35-Q37 Q38-Q45 Q50-Q56 Q60-Q64 Q65-Q79 Q80-Q89 Q90-Q99 \
    R00-R09 R10-R19 R20-R23 R25-R29 R30-R39 R40-R46 R47-R49 R50-R69 R70-R79 R80-R82 R83-R89 \
    R90-R94 R95-R99 \
    S00-S09 S10-S19 S20-S29 S30-S39 S40-S49 S50-S59 S60-S69 S70-S79 S80-S89 S90-S99 T00-T07 \
    T08-T14 T15-T19 T20-T32 T33-T35 T36-T50 T51-T65 T66-T78 T79-T79 T80-T88 T90-T98 \
    U00-U49 U82-U85 \
    V01-V09 V10-V19 V20-V29 V30-V39 V40-V49 V50-V59 V60-V69 V70-V79 V80-V89 V90-V94 V95-V97 \
    V98-V99 W00-W19 W20-W49 W50-W64 W65-W74 W75-W84 W85-W99 X00-X09 X10-X19 X20-X29 X30-X39 \
    X40-X49 X50-X57 X58-X59 X60-X84 X85-Y09 Y10-Y34 Y35-Y36 Y40-Y84 Y85-Y89 Y90-Y98 \
    Z00-Z13 Z20-Z29 Z30-Z39 Z40-Z54 Z55-Z65 Z70-Z76 Z80-Z99";

#[cfg(test)]
mod tests {
    use super::*;

    fn path(template: Template, code: &str) -> Option<String> {
        Some(template.labels(code)?.join(" "))
    }

    #[test]
    fn codes_and_what_stands_above_them() {
        for (code, expected) in [
            ("E11.9", "E11… E10-E14 E00-E90"),
            ("E119", "E11… E10-E14 E00-E90"),
            ("I21", "I21… I20-I25 I00-I99"),
            ("C7A.00", "C7A… C76-C80 C00-D49"),
            ("E08.1", "E08… E08… E00-E90"),
            ("O9A.2", "O9A… O9A… O00-O9A"),
            ("Y00", "Y00… X85-Y09 V00-Y99"),
            ("U07.1", "U07… U00-U49 U00-U99"),
            ("G53.0*", "G53… G50-G59 G00-G99"),
        ] {
            assert_eq!(
                path(Template::Icd10, code).as_deref(),
                Some(expected),
                "{code}"
            );
        }
        for (code, expected) in [
            ("250.83", "250… 240-279"),
            ("25083", "250… 240-279"),
            ("250", "250… 240-279"),
            ("V58.67", "V58… V01-V91"),
            ("E849.0", "E849… E000-E999"),
            ("38", "038… 001-139"),
            ("8.45", "008… 001-139"),
            ("038.9", "038… 001-139"),
        ] {
            assert_eq!(
                path(Template::Icd9, code).as_deref(),
                Some(expected),
                "{code}"
            );
        }
        for (code, expected) in [
            ("A10BA02", "A10BA… A10B… A10… A…"),
            ("A10B", "A10B A10B… A10… A…"),
            ("A", "A A A A…"),
        ] {
            assert_eq!(
                path(Template::Atc, code).as_deref(),
                Some(expected),
                "{code}"
            );
        }
    }

    #[test]
    fn what_is_no_code() {
        for code in [
            "",
            "E1",
            "e11",
            "11E",
            "E95",
            "P97",
            "E11 diabetes mellitus",
            "éé",
            "E1é",
        ] {
            assert_eq!(path(Template::Icd10, code), None, "{code}");
        }
        for code in [
            "", "000", "0", "E84", "V5", "V95.1", "VE1", "EV12", "2501234", "250.x", ".5", "25a",
            "é", "E8é0", "1é",
        ] {
            assert_eq!(path(Template::Icd9, code), None, "{code}");
        }
        for code in ["", "A1", "E10", "A10BA2", "A10BA023", "a10", "A10ba", "AÄ0"] {
            assert_eq!(path(Template::Atc, code), None, "{code}");
        }
    }

    #[test]
    fn ranges_are_sorted_and_blocks_lie_in_chapters() {
        for ranges in [ICD_9_CHAPTERS, ICD_10_CHAPTERS, ICD_10_BLOCKS] {
            let ends = ranges
                .split_ascii_whitespace()
                .map(|r| r.split_once('-').unwrap());
            let ends: Vec<(&str, &str)> = ends.collect();
            assert!(ends.iter().all(|(first, last)| first <= last));
            assert!(ends.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
        for block in ICD_10_BLOCKS.split_ascii_whitespace() {
            let (first, last) = block.split_once('-').unwrap();
            let chapter = range_of(first, ICD_10_CHAPTERS);
            assert!(
                chapter.is_some() && chapter == range_of(last, ICD_10_CHAPTERS),
                "{block}"
            );
        }
    }
}
