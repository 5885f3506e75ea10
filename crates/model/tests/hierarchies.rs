//! Every hierarchy that is made, on generated values: it is a tree with nested leaves, its labels
//! are read back as exactly their leaves, and it groups values as its definition says.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use mingle_model::hierarchy::{Ages, Bands, HierarchyRows, Template};
use mingle_model::{
    Code, Column, ColumnSpec, Domain, ForeignReader, HierarchySource, Kind, LabelReader, Missing,
    Number, Reading, Role, date,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn spec(kind: Option<Kind>, hierarchy: Option<HierarchySource>) -> ColumnSpec {
    ColumnSpec {
        kind,
        hierarchy,
        ..ColumnSpec::new("c", Role::QuasiIdentifier)
    }
}

fn domain(texts: &[String], spec: ColumnSpec) -> Result<Domain, String> {
    let texts = texts.iter().map(String::as_str);
    Column::from_texts(spec, texts, &Missing::default())
        .map(|column| column.domain)
        .map_err(|error| error.to_string())
}

fn codes(reading: &Reading) -> Vec<Code> {
    let mut codes = Vec::new();
    for &(lo, hi) in &reading.ranges {
        codes.extend(lo..=hi);
    }
    codes
}

/// The texts of the codes that a label stands for.
fn meant(domain: &Domain, reading: Option<Reading>, label: &str) -> BTreeSet<String> {
    let reading = reading.unwrap_or_else(|| panic!("{label} is not understood"));
    let texts = codes(&reading)
        .into_iter()
        .map(|c| domain.text(c).to_owned());
    texts.collect()
}

/// What must hold for every hierarchy, whatever it is made from.
fn check(texts: &[String], kind: Option<Kind>, source: &HierarchySource) -> Domain {
    let made = domain(texts, spec(kind, Some(source.clone()))).unwrap();
    let tree = made.hierarchy().unwrap();
    let last = made.len() as Code - 1;
    assert_eq!(tree.nodes(tree.height()), 1);
    assert!(tree.height() <= source.most_levels());
    for level in 1..=tree.height() {
        let mut next = 0;
        for node in 0..tree.nodes(level) as u32 {
            let (lo, hi) = tree.leaves(level, node);
            assert!(lo == next && lo <= hi, "nodes do not follow one another");
            next = hi + 1;
            for code in lo..=hi {
                assert_eq!(tree.ancestor(code, level), node);
            }
            if level < tree.height() {
                assert_eq!(tree.ancestor(lo, level + 1), tree.ancestor(hi, level + 1));
            }
        }
        assert_eq!(next, last + 1, "a level does not have all values");
    }
    check_labels(texts, source, &made);
    made
}

/// Labels mean their leaves: in the table itself, and for a reader with the same values who knows
/// only how the release was made.
fn check_labels(texts: &[String], source: &HierarchySource, made: &Domain) {
    let missing = Missing::default();
    let tree = made.hierarchy().unwrap();
    let reader = LabelReader::new(made, &missing);
    let ours = ForeignReader::new(made, Some(source), None, &missing);
    let plain = domain(texts, spec(Some(made.kind()), None)).unwrap();
    let theirs = ForeignReader::new(&plain, None, Some(source), &missing);
    for level in 0..tree.height() {
        for node in 0..tree.nodes(level) as u32 {
            let (lo, hi) = tree.leaves(level, node);
            let label = tree.label(level, node).unwrap_or_else(|| made.text(lo));
            let leaves: BTreeSet<String> = (lo..=hi).map(|c| made.text(c).to_owned()).collect();
            assert_eq!(meant(made, reader.read(label), label), leaves, "{label}");
            assert_eq!(meant(made, ours.read(label), label), leaves, "{label}");
            // the branch of missing values is written like they are
            if !leaves.contains("") {
                assert_eq!(meant(&plain, theirs.read(label), label), leaves, "{label}");
            }
        }
    }
}

/// Whether two values have the same label at a level, by their texts.
fn together(made: &Domain, level: usize, a: &str, b: &str) -> bool {
    let code = |text: &str| {
        (0..made.len() as Code)
            .find(|&c| made.text(c) == text)
            .unwrap()
    };
    let tree = made.hierarchy().unwrap();
    tree.ancestor(code(a), level) == tree.ancestor(code(b), level)
}

/// Compares every pair of values at every level with a definition.
fn compare(made: &Domain, same: impl Fn(usize, &str, &str) -> bool) {
    let levels = made.hierarchy().unwrap().height();
    let texts: Vec<&str> = (0..made.len() as Code).map(|c| made.text(c)).collect();
    for level in 1..levels {
        for a in &texts {
            for b in &texts {
                if a.is_empty() || b.is_empty() {
                    continue;
                }
                assert_eq!(
                    together(made, level, a, b),
                    same(level, a, b),
                    "{level}: {a}, {b}"
                );
            }
        }
    }
}

fn number(text: &str) -> Number {
    Number::parse(text).unwrap()
}

fn whole(number: i64) -> Number {
    let mantissa = number.into();
    Number { mantissa, scale: 0 }
}

/// Codes with shared beginnings, of different lengths, with and without dots.
fn code() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab2][05][01.]{0,3}",
        "[12]{1,4}",
        "é[12]{0,2}",
        Just(String::new())
    ]
}

proptest! {
    #[test]
    fn prefixes(
        texts in prop::collection::vec(code(), 1..12),
        lengths in prop::collection::btree_set(1usize..6, 1..4),
    ) {
        let lengths: Vec<usize> = lengths.into_iter().rev().collect();
        let made = check(&texts, None, &HierarchySource::Prefix(lengths.clone()));
        prop_assert_eq!(made.kind(), Kind::Category);
        compare(&made, |level, a, b| {
            let begin = |text: &str| text.chars().take(lengths[level - 1]).collect::<Vec<_>>();
            let long = |text: &str| begin(text).len() == lengths[level - 1];
            a == b || (long(a) && long(b) && begin(a) == begin(b))
        });
    }

    #[test]
    fn bands_of_whole_numbers(
        values in prop::collection::vec(-30i64..30, 1..12),
        bounds in prop::collection::btree_set(-25i64..25, 2..5),
        missing in any::<bool>(),
    ) {
        let mut texts: Vec<String> = values.iter().map(i64::to_string).collect();
        if missing {
            texts.push("?".to_owned());
        }
        let fine: Vec<i64> = bounds.into_iter().collect();
        let coarse: Vec<i64> = fine[1..].to_vec();
        let levels = [fine.clone(), coarse.clone()].map(|l| l.into_iter().map(whole).collect());
        let bands = Bands::of_numbers(levels.to_vec()).unwrap();
        let made = check(&texts, Some(Kind::Integer), &HierarchySource::Bands(bands));
        compare(&made, |level, a, b| {
            let bounds = if level == 1 { &fine } else { &coarse };
            let below = |text: &str| {
                let value: i64 = text.parse().unwrap();
                bounds.iter().filter(|&&bound| bound <= value).count()
            };
            below(a) == below(b)
        });
    }

    #[test]
    fn bands_of_decimals(
        values in prop::collection::vec(-300i64..300, 1..12),
        bounds in prop::collection::btree_set(-2500i64..2500, 1..5),
    ) {
        let texts: Vec<String> = values.iter().map(|v| format!("{}", *v as f64 / 10.0)).collect();
        let scale = |mantissa: &i64| number(&format!("{}", *mantissa as f64 / 100.0));
        let level: Vec<Number> = bounds.iter().map(scale).collect();
        let bands = Bands::of_numbers(vec![level]).unwrap();
        let made = check(&texts, Some(Kind::Decimal), &HierarchySource::Bands(bands));
        compare(&made, |_, a, b| {
            let below = |text: &str| {
                let hundredths = (text.parse::<f64>().unwrap() * 100.0).round() as i64;
                bounds.iter().filter(|&&bound| bound <= hundredths).count()
            };
            below(a) == below(b)
        });
    }

    #[test]
    fn ages_from_dates(
        days in prop::collection::vec(-30_000i32..19_000, 1..12),
        at in 19_000i32..20_000,
    ) {
        let texts: Vec<String> = days.iter().map(|&day| date::text(day)).collect();
        let bands = Bands::of_numbers(vec![[18, 40, 65].map(whole).to_vec(), [18].map(whole).to_vec()]);
        let bands = Some(bands.unwrap());
        let made = check(&texts, None, &HierarchySource::Age(Ages { at, bands }));
        // birthdays are counted one by one
        let on = date::text(at);
        let age = |born: &str| {
            let year: i32 = born[..4].parse().unwrap();
            let birthday = |y: &i32| format!("{y:04}{}", &born[4..]) <= on;
            (year + 1..).take_while(birthday).count()
        };
        compare(&made, |level, a, b| match level {
            1 => age(a) == age(b),
            2 => [18, 40, 65].iter().all(|&bound| (age(a) < bound) == (age(b) < bound)),
            _ => (age(a) < 18) == (age(b) < 18),
        });
    }

    #[test]
    fn templates(texts in prop::collection::vec(
        prop_oneof!["[A-Z][0-9][0-9A](\\.?[0-9]{1,2})?", "[EV]?[0-9]{1,4}(\\.[0-9]{1,2})?", "[A-Z][01][0-9]([A-C]([A-C]([0-9]{2})?)?)?", "[a-z ]{1,5}"],
        1..14,
    )) {
        for template in Template::ALL {
            let made = check(&texts, None, &HierarchySource::Template(template));
            let unknown: BTreeSet<&String> = texts.iter().filter(|t| !template.knows(t)).collect();
            prop_assert_eq!(made.unlisted(), unknown.len());
        }
    }

    #[test]
    fn ranges_of_numbers_in_files(
        values in prop::collection::vec(-20i64..40, 1..14),
        cuts in prop::collection::btree_set(-15i64..35, 2..6),
    ) {
        let texts: Vec<String> = values.iter().map(i64::to_string).collect();
        let cuts: Vec<i64> = cuts.into_iter().collect();
        let mut text = "*;rest;all;root\n".to_owned();
        for (place, pair) in cuts.windows(2).enumerate() {
            let leaf = match place % 2 {
                0 => format!("{}-{}", pair[0], pair[1] - 1),
                _ => format!("[{}-{})", pair[0], pair[1]),
            };
            text += &format!("{leaf};band {place};bands;root\n");
        }
        let made = check(&texts, None, &HierarchySource::Rows(rows(&text)));
        let place = |text: &str| {
            let value: i64 = text.parse().unwrap();
            cuts.windows(2).position(|pair| pair[0] <= value && value < pair[1])
        };
        compare(&made, |level, a, b| match level {
            1 => place(a) == place(b),
            _ => place(a).is_some() == place(b).is_some(),
        });
        let rest: BTreeSet<&String> = texts.iter().filter(|t| place(t).is_none()).collect();
        prop_assert_eq!(made.unlisted(), rest.len());
    }

    #[test]
    fn ranges_of_codes_in_files(
        texts in prop::collection::vec("[A-C][0-3][0-9](\\.[0-9])?|[A-C][0-3]", 1..14),
    ) {
        let file = "A00-A19;first;*\nA20-B09;second;*\nC0-C2;third;*\nC30-C39;fourth;*\n*;rest;*\n";
        let made = check(&texts, None, &HierarchySource::Rows(rows(file)));
        let place = |text: &str| {
            let three = text.get(..3).filter(|t| !t.ends_with('.'));
            let within = |lo: &str, hi: &str| three.is_some_and(|t| lo <= t && t <= hi);
            match () {
                () if within("A00", "A19") => 1,
                () if within("A20", "B09") => 2,
                () if ["C0", "C1", "C2"].contains(&&text[..2]) => 3,
                () if within("C30", "C39") => 4,
                () => 0,
            }
        };
        compare(&made, |_, a, b| place(a) == place(b));
    }

    /// Any span of a column of bands is published as a label that means exactly these bands.
    #[test]
    fn columns_of_bands(
        cuts in prop::collection::btree_set(0i64..40, 2..8),
        style in 0..3,
        open in any::<(bool, bool)>(),
        skip in prop::collection::vec(any::<bool>(), 8),
    ) {
        use mingle_model::Cell;
        let cuts: Vec<i64> = cuts.into_iter().collect();
        let mut texts = Vec::new();
        if open.0 {
            texts.push(match style {
                2 => format!("≤{}", cuts[0] - 1),
                _ => format!("<{}", cuts[0]),
            });
        }
        for (place, pair) in cuts.windows(2).enumerate() {
            if skip[place] {
                continue;
            }
            texts.push(match style {
                0 => format!("{}-{}", pair[0], pair[1] - 1),
                1 => format!("[{}-{})", pair[0], pair[1]),
                _ => format!("({};{}]", pair[0] - 1, pair[1] - 1),
            });
        }
        if open.1 {
            let last = cuts[cuts.len() - 1];
            texts.push(match style {
                2 => format!(">{}", last - 1),
                _ => format!("{last}+"),
            });
        }
        prop_assume!(!texts.is_empty());
        let mut shuffled = texts.clone();
        shuffled.reverse();
        let bands = ColumnSpec { bands: true, ..spec(Some(Kind::Category), None) };
        let made = domain(&shuffled, bands).unwrap();
        let order: Vec<&str> = (0..made.len() as Code).map(|c| made.text(c)).collect();
        prop_assert_eq!(&order, &texts);
        prop_assert!(made.is_ordered());
        let missing = Missing::default();
        let reader = LabelReader::new(&made, &missing);
        for lo in 0..made.len() as Code {
            for hi in lo..made.len() as Code {
                let label = made.label(&Cell::Span { lo, hi });
                let read = reader.read(&label).unwrap_or_else(|| panic!("{label}"));
                prop_assert_eq!(codes(&read), (lo..=hi).collect::<Vec<_>>(), "{}", label);
            }
            let apart: Vec<Code> = (0..made.len() as Code).filter(|c| c % 2 == lo % 2).collect();
            let label = made.label(&Cell::Set(apart.clone().into()));
            let read = reader.read(&label).unwrap_or_else(|| panic!("{label}"));
            prop_assert_eq!(codes(&read), apart, "{}", label);
        }
    }
}

fn rows(text: &str) -> HierarchyRows {
    let line = |(at, line): (u64, &str)| (at, line.split(';').map(str::to_owned).collect());
    HierarchyRows {
        file: "h.csv".to_owned(),
        rows: (1..).zip(text.lines()).map(line).collect(),
    }
}

fn fails(texts: &[&str], kind: Option<Kind>, source: HierarchySource) -> String {
    let texts: Vec<String> = texts.iter().map(|t| (*t).to_owned()).collect();
    domain(&texts, spec(kind, Some(source)))
        .err()
        .expect("it must be refused")
}

#[test]
fn a_shorter_code_is_not_the_node_of_the_same_name() {
    let texts = ["250", "250.83", "250.1", "25", "V58"].map(str::to_owned);
    let made = check(&texts, None, &HierarchySource::Prefix(vec![3, 1]));
    let missing = Missing::default();
    let reader = LabelReader::new(&made, &missing);
    assert_eq!(meant(&made, reader.read("250"), "250").len(), 1);
    assert_eq!(meant(&made, reader.read("250…"), "250…").len(), 3);
    assert_eq!(meant(&made, reader.read("25"), "25").len(), 1);
    assert_eq!(meant(&made, reader.read("2…"), "2…").len(), 4);
}

#[test]
fn codes_that_look_like_numbers_stay_codes() {
    let texts = ["250.80", "250.8", "401"].map(str::to_owned);
    let made = check(&texts, None, &HierarchySource::Template(Template::Icd9));
    assert_eq!((made.kind(), made.len()), (Kind::Category, 3));
}

#[test]
fn bands_are_recognized_and_other_categories_are_not() {
    let ordered = |texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(|t| (*t).to_owned()).collect();
        domain(&texts, spec(None, None)).unwrap().is_ordered()
    };
    assert!(ordered(&["[70-80)", "[0-10)", "[100-110)"]));
    assert!(ordered(&["0", "1", "2", "3+", "?"]));
    assert!(!ordered(&["70-79", "75-84"]), "they overlap");
    assert!(!ordered(&["70-79", "old"]));
    assert!(!ordered(&["007", "008"]), "codes are no bands");
    let order = |texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(|t| (*t).to_owned()).collect();
        let made = domain(&texts, spec(None, None)).unwrap();
        let text = |c: Code| made.text(c).to_owned();
        (0..made.len() as Code).map(text).collect::<Vec<_>>()
    };
    let natural = ["<5", "5-9", "10-14", "100+"];
    assert_eq!(order(&["10-14", "100+", "5-9", "<5"]), natural);
}

#[test]
fn what_is_refused_and_where() {
    let of_rows = |text: &str| HierarchySource::Rows(rows(text));
    for (texts, file, expected) in [
        (
            &["5"][..],
            "1-9;a;*\n5-12;b;*",
            "h.csv, line 2: the leaf overlaps with the one at line 1",
        ),
        (
            &["5"],
            "5;a;*\n1-9;b;*",
            "h.csv, line 2: the leaf overlaps with the one at line 1",
        ),
        (
            &["5"],
            "9-1;a;*",
            "h.csv, line 1: the range ends before it begins",
        ),
        (
            &["A01"],
            "A00-A09;a;*\nA05-B00;b;*",
            "line 2: the leaf overlaps",
        ),
        (
            &["A01"],
            "A00-A09;a;*\nA05;b;*",
            "line 2: the leaf overlaps",
        ),
        (
            &["A01", "C1"],
            "A00-B99;a;*",
            "1 distinct value of the column, the first at memory, line 2",
        ),
        (
            &["A01", "*"],
            "A00-B99;a;*\n*;rest;*",
            "1 distinct value of the column, the first at memory, line 2",
        ),
        (
            &["A01", "rest"],
            "A00-B99;a;*\n*;rest;*",
            "memory, line 2: a value is spelled like a label",
        ),
        (
            &["A01"],
            "*;a;*\n*;b;*",
            "line 2: the label at level 0 has another parent than at line 1",
        ),
    ] {
        // the place `rest` of the value `rest` holds that value alone, which is fine
        let texts: Vec<&str> = if texts.contains(&"rest") {
            vec!["A01", "rest", "D1"]
        } else {
            texts.to_vec()
        };
        let said = fails(&texts, None, of_rows(file));
        assert!(said.contains(expected), "{said}");
    }
    let at = date::parse("2020-06-01").unwrap();
    let age = HierarchySource::Age(Ages { at, bands: None });
    let said = fails(
        &["2020-06-01", "2020-06-02", "2021-01-01"],
        None,
        age.clone(),
    );
    assert!(
        said.contains("memory, line 2: a date after the one at which ages are taken (2 distinct"),
        "{said}"
    );
    assert!(fails(&["x"], None, age).contains("memory, line 1: not a date"));
    let prefix = |lengths: &[usize]| HierarchySource::Prefix(lengths.to_vec());
    assert!(fails(&["a"], None, prefix(&[3, 3])).contains("length 2 is not below"));
    assert!(fails(&["a"], None, prefix(&[0])).contains("length 1 must be at least 1"));
    assert!(fails(&["1"], Some(Kind::Integer), prefix(&[1])).contains("kind category"));
    assert!(fails(&["25…", "25"], None, prefix(&[2])).contains("spelled like a label"));
    let bands = HierarchySource::Bands(Bands::of_numbers(vec![vec![number("0.5")]]).unwrap());
    assert!(fails(&["1"], None, bands.clone()).contains("whole numbers"));
    assert!(fails(&["a"], None, bands).contains("needs a column of numbers"));
    let bands = ColumnSpec {
        bands: true,
        ..spec(Some(Kind::Category), None)
    };
    let refused = |texts: [&str; 2]| {
        domain(&texts.map(str::to_owned), bands.clone())
            .err()
            .unwrap()
    };
    assert!(refused(["5-9", "old"]).contains("memory, line 2: not a band"));
    assert!(refused(["5-9", "9-12"]).contains("line 2: a band that overlaps"));
}

#[test]
fn leaves_that_are_values_are_no_ranges() {
    // the column holds ranges itself, so that 5 lies in none of them
    let texts = ["0-4", "5-9"].map(str::to_owned);
    let file = HierarchySource::Rows(rows("0-4;child;*\n5-9;child;*\n10-14;youth;*"));
    check(&texts, Some(Kind::Category), &file);
    let said = fails(&["0-4", "7"], Some(Kind::Category), file);
    assert!(said.contains("no row for 1 distinct value"), "{said}");
}

#[test]
fn ages_of_nobody_are_read_and_other_words_are_not() {
    let at = date::parse("2020-06-01").unwrap();
    let source = HierarchySource::Age(Ages { at, bands: None });
    let texts = ["1980-01-01".to_owned()];
    let made = domain(&texts, spec(None, Some(source.clone()))).unwrap();
    let missing = Missing::default();
    let reader = ForeignReader::new(&made, Some(&source), None, &missing);
    assert_eq!(reader.read("age 40").unwrap().count(), 1);
    assert_eq!(reader.read("age 41").unwrap().count(), 0);
    assert_eq!(reader.read("age [18-64]").unwrap().count(), 0);
    assert!(reader.read("age old").is_none() && reader.read("41").is_none());
}
