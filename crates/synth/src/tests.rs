use super::*;
use mingle_io::{ReadOptions, Source, Undeclared, read_raw, read_table};
use mingle_model::{ColumnSpec, Kind as ValueKind, RawColumn, Role, Table};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

fn bytes(recipe: &Recipe, format: Format, threads: usize) -> Vec<u8> {
    pipeline::write(recipe, format, Vec::new(), None, threads).unwrap()
}

fn with_file<R>(recipe: &Recipe, format: Format, look: impl FnOnce(&Path) -> R) -> R {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    write(recipe, format, &mut file, None).unwrap();
    look(file.path())
}

fn source(path: &Path) -> Source {
    Source::new(path, "made")
}

/// Columns by name, each a text per row.
fn columns(recipe: &Recipe, format: Format) -> HashMap<String, Vec<String>> {
    let raw = with_file(recipe, format, |path| {
        read_raw(&[source(path)], &ReadOptions::default())
    });
    let raw = raw.unwrap_or_else(|e| panic!("{e}"));
    let texts = |c: &RawColumn| {
        c.ids
            .iter()
            .map(|id| c.values[id as usize].text.to_string())
            .collect()
    };
    raw.columns
        .iter()
        .map(|(name, column)| (name.clone(), texts(column)))
        .collect()
}

fn distinct(texts: &[String]) -> usize {
    texts.iter().collect::<std::collections::HashSet<_>>().len()
}

fn share(texts: &[String], wanted: impl Fn(&str) -> bool) -> f64 {
    texts.iter().filter(|t| wanted(t)).count() as f64 / texts.len() as f64
}

/// Cramér's V: 0 for independent columns, 1 for columns that follow from each other.
fn association(one: &[String], other: &[String]) -> f64 {
    let mut both: HashMap<(&str, &str), f64> = HashMap::new();
    let (mut left, mut right): (HashMap<&str, f64>, HashMap<&str, f64>) = Default::default();
    for (a, b) in one.iter().zip(other) {
        *both.entry((a, b)).or_default() += 1.0;
        *left.entry(a).or_default() += 1.0;
        *right.entry(b).or_default() += 1.0;
    }
    let sum: f64 = both
        .iter()
        .map(|((a, b), count)| count * count / (left[a] * right[b]))
        .sum();
    let smaller = left.len().min(right.len()) as f64 - 1.0;
    ((sum - 1.0).max(0.0) / smaller).sqrt()
}

fn with_providers(recipe: Recipe, n: u32, distribution: Distribution) -> Recipe {
    Recipe {
        providers: Some((n, distribution)),
        ..recipe
    }
}

#[test]
fn equal_recipes_give_equal_bytes_for_any_number_of_threads() {
    let provided = with_providers(census(40_000, 7), 5, Distribution::Uniform);
    for recipe in [
        census(70_000, 7),
        hospital(70_000, 7),
        ipums_like(70_000, 7),
        provided,
        with_providers(hospital_visits(70_000, 3, 7), 5, Distribution::Uniform),
    ] {
        for format in [Format::Csv, Format::Parquet] {
            let one = bytes(&recipe, format, 1);
            assert!(
                one == bytes(&recipe, format, 3) && one == bytes(&recipe, format, 16),
                "{recipe:?}"
            );
        }
        let other = Recipe { seed: 8, ..recipe };
        assert!(bytes(&recipe, Format::Csv, 2) != bytes(&other, Format::Csv, 2));
    }
}

#[test]
fn a_longer_table_starts_with_the_shorter_one() {
    let (short, long) = (
        bytes(&census(1_000, 3), Format::Csv, 2),
        bytes(&census(40_000, 3), Format::Csv, 2),
    );
    assert!(long.starts_with(&short));
    assert_eq!(
        bytes(&census(0, 3), Format::Csv, 2)
            .iter()
            .filter(|&&b| b == b'\n')
            .count(),
        1
    );
    let exact = bytes(&census(1 << 15, 3), Format::Csv, 2);
    assert_eq!(exact.iter().filter(|&&b| b == b'\n').count(), (1 << 15) + 1);
}

#[test]
fn both_formats_hold_the_same_rows() {
    for recipe in [
        census(20_000, 5),
        with_providers(hospital(20_000, 5), 3, Distribution::Exponential),
    ] {
        assert!(
            columns(&recipe, Format::Csv) == columns(&recipe, Format::Parquet),
            "{recipe:?}"
        );
    }
}

#[test]
fn the_census_has_the_schema_of_adult() {
    let header = bytes(&census(0, 0), Format::Csv, 1);
    assert_eq!(
        String::from_utf8(header).unwrap(),
        "age,workclass,education,marital_status,race,sex,native_country,occupation\n"
    );
    let made = columns(&census(200_000, 1), Format::Parquet);
    let sizes = [
        ("age", 74),
        ("workclass", 7),
        ("education", 16),
        ("marital_status", 7),
        ("race", 5),
        ("sex", 2),
        ("native_country", 41),
        ("occupation", 14),
    ];
    for (name, size) in sizes {
        assert_eq!(distinct(&made[name]), size, "{name}");
    }
}

#[test]
fn the_census_is_skewed_as_known() {
    let made = columns(&census(200_000, 2), Format::Parquet);
    for (name, value, expected) in [
        ("native_country", "United-States", 0.91),
        ("race", "White", 0.86),
        ("workclass", "Private", 0.74),
        ("education", "HS-grad", 0.33),
        ("education", "Some-college", 0.22),
        ("education", "Bachelors", 0.17),
        ("sex", "Male", 0.68),
        ("marital_status", "Married-civ-spouse", 0.47),
        ("marital_status", "Never-married", 0.32),
        ("occupation", "Prof-specialty", 0.13),
        ("occupation", "Craft-repair", 0.13),
    ] {
        let found = share(&made[name], |t| t == value);
        assert!((found - expected).abs() < 0.035, "{name} {value}: {found}");
    }
    let ages: Vec<f64> = made["age"].iter().map(|a| a.parse().unwrap()).collect();
    let mean = ages.iter().sum::<f64>() / ages.len() as f64;
    assert!((mean - 38.5).abs() < 2.0, "{mean}");
}

#[test]
fn the_columns_of_the_census_hang_together() {
    let made = columns(&census(100_000, 3), Format::Parquet);
    for (one, other, at_least) in [
        ("age", "marital_status", 0.15),
        ("age", "education", 0.07),
        ("sex", "marital_status", 0.3),
        ("sex", "occupation", 0.3),
        ("education", "occupation", 0.15),
        ("native_country", "race", 0.3),
        ("native_country", "education", 0.08),
        ("workclass", "occupation", 0.15),
    ] {
        let found = association(&made[one], &made[other]);
        assert!(found > at_least, "{one} {other}: {found}");
    }
    // the measure itself: what was drawn independently is not associated
    assert!(association(&made["sex"], &made["native_country"]) < 0.03);
}

fn hospital_table(rows: u64) -> Table {
    let column = |name: &str, role: Role, kind: Option<ValueKind>| ColumnSpec {
        kind,
        ..ColumnSpec::new(name, role)
    };
    let columns = [
        column("patient_id", Role::Identifier, None),
        column(
            "date_of_birth",
            Role::QuasiIdentifier,
            Some(ValueKind::Date),
        ),
        column("sex", Role::QuasiIdentifier, None),
        column("zip", Role::QuasiIdentifier, Some(ValueKind::Category)),
        column(
            "admission_date",
            Role::QuasiIdentifier,
            Some(ValueKind::Date),
        ),
        column("diagnosis", Role::Sensitive, None),
        column(
            "length_of_stay",
            Role::Insensitive,
            Some(ValueKind::Integer),
        ),
    ];
    let input = with_file(&hospital(rows, 4), Format::Csv, |path| {
        read_table(
            &[source(path)],
            None,
            &columns,
            Undeclared::Error,
            &ReadOptions::default(),
        )
    });
    let input = input.unwrap_or_else(|e| panic!("{e}"));
    assert!(
        input.repeated_identifiers.is_empty(),
        "patient numbers are unique"
    );
    input.table
}

#[test]
fn the_hospital_is_what_it_says() {
    let table = hospital_table(100_000);
    let domain = |c: usize| &table.columns[c].domain;
    assert!((150..260).contains(&domain(4).len()), "{}", domain(4).len());
    let missing: Vec<bool> = table
        .columns
        .iter()
        .map(|c| c.domain.missing().is_some())
        .collect();
    assert_eq!(missing, [false, true, true, false, false, true]);
    let zips: Vec<&str> = (0..domain(2).len() as u32)
        .map(|c| domain(2).text(c))
        .filter(|z| !z.is_empty())
        .collect();
    assert!(zips.iter().all(|z| z.len() == 5) && zips.iter().any(|z| z.starts_with('0')));
    assert!(zips.len() > 500);
}

#[test]
fn diagnoses_follow_age_and_sex() {
    let made = columns(&hospital(100_000, 6), Format::Csv);
    let rows = made["diagnosis"]
        .iter()
        .zip(&made["sex"])
        .zip(&made["date_of_birth"])
        .zip(&made["admission_date"]);
    for (((diagnosis, sex), birth), admission) in rows {
        assert!(birth <= admission, "nobody is born behind the admission");
        assert!(
            !(diagnosis.starts_with('O') && sex == "male"),
            "men give no birth"
        );
    }
    let stays = |letter: char| {
        let of_chapter = made["diagnosis"]
            .iter()
            .zip(&made["length_of_stay"])
            .filter(|(d, _)| d.starts_with(letter));
        let days: Vec<f64> = of_chapter
            .filter_map(|(_, stay)| stay.parse().ok())
            .collect();
        days.iter().sum::<f64>() / days.len() as f64
    };
    assert!(
        stays('F') > 2.0 * stays('R'),
        "{} {}",
        stays('F'),
        stays('R')
    );
    let common = share(&made["diagnosis"], |d| d.starts_with('I'));
    assert!((0.1..0.4).contains(&common), "{common}");
    assert!((0.005..0.02).contains(&share(&made["zip"], str::is_empty)));
}

#[test]
fn providers_get_their_shares() {
    let shares = |distribution| {
        let made = columns(
            &with_providers(census(100_000, 1), 6, distribution),
            Format::Csv,
        );
        assert_eq!(distinct(&made["provider"]), 6);
        (1..=6)
            .map(|p| share(&made["provider"], |t| t == format!("P{p}")))
            .collect::<Vec<f64>>()
    };
    assert!(
        shares(Distribution::Uniform)
            .iter()
            .all(|s| (s - 1.0 / 6.0).abs() < 0.01)
    );
    let falling = shares(Distribution::Exponential);
    assert!(
        falling
            .windows(2)
            .all(|pair| (pair[1] / pair[0] - 0.607).abs() < 0.06),
        "{falling:?}"
    );
}

#[test]
fn recipes_that_cannot_be_made() {
    let refused = |recipe: Recipe| {
        write(&recipe, Format::Csv, std::io::sink(), None)
            .err()
            .unwrap()
    };
    assert!(matches!(
        refused(census(1 << 32, 0)),
        Error::TooManyRows { .. }
    ));
    assert!(matches!(
        refused(ipums_like(10_000_001, 0)),
        Error::TooManyRows { .. }
    ));
    assert!(matches!(
        refused(with_providers(census(1, 0), 0, Distribution::Uniform)),
        Error::Providers { .. }
    ));
    assert!(matches!(
        refused(with_providers(
            census(1, 0),
            1_000_000,
            Distribution::Uniform
        )),
        Error::Providers { .. }
    ));
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    assert!(matches!(
        write(&census(1_000_000, 0), Format::Csv, full, None),
        Err(Error::Io(_))
    ));
}

#[test]
fn progress_counts_rows() {
    let reports = std::cell::RefCell::new(Vec::new());
    write(
        &census(100_000, 0),
        Format::Csv,
        std::io::sink(),
        Some(&|rows| reports.borrow_mut().push(rows)),
    )
    .unwrap();
    assert!(reports.borrow().is_sorted() && reports.borrow().last() == Some(&100_000));
}

/// Who a visit is of, and its other cells: birth, sex, zip, admission, diagnosis, stay, provider.
fn visits_of(recipe: &Recipe) -> BTreeMap<String, Vec<Vec<String>>> {
    let bytes = write(recipe, Format::Csv, Vec::new(), None).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let mut visits: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let mut cells = line.split(',').map(str::to_owned);
        let patient = cells.next().unwrap();
        visits.entry(patient).or_default().push(cells.collect());
    }
    visits
}

#[test]
fn patients_come_again_and_stay_who_they_are() {
    let recipe = with_providers(hospital_visits(80_000, 4, 2), 3, Distribution::Uniform);
    let visits = visits_of(&recipe);
    let mean = 80_000.0 / visits.len() as f64;
    assert!((3.8..4.2).contains(&mean), "{mean}");
    let distinct = |of: &[Vec<String>], column: usize| {
        let cells: std::collections::BTreeSet<&str> =
            of.iter().map(|cells| cells[column].as_str()).collect();
        cells.len()
    };
    let (mut at_two, mut moved, mut other_diagnoses, mut several) = (0, 0, 0, 0);
    for of in visits.values() {
        assert_eq!(
            (distinct(of, 0), distinct(of, 1)),
            (1, 1),
            "birth and sex stay"
        );
        for visit in of {
            assert!(visit[0] <= visit[3], "nobody comes before birth");
        }
        assert!(distinct(of, 6) <= 2);
        several += usize::from(of.len() > 1);
        at_two += usize::from(distinct(of, 6) == 2);
        moved += usize::from(distinct(of, 2) > 1);
        other_diagnoses += usize::from(distinct(of, 4) > 1);
    }
    let share = |count: usize| count as f64 / several as f64;
    assert!((0.05..0.2).contains(&share(at_two)), "{}", share(at_two));
    assert!((0.05..0.4).contains(&share(moved)), "{}", share(moved));
    assert!(share(other_diagnoses) > 0.6);
}

#[test]
fn one_visit_each_is_nobody_twice_and_others_have_no_visits() {
    let visits = visits_of(&hospital_visits(50_000, 1, 3));
    assert_eq!(visits.len(), 50_000);
    let of_census = Recipe {
        visits: Some(2),
        ..census(10, 1)
    };
    for recipe in [
        of_census,
        hospital_visits(10, 0, 1),
        hospital_visits(10, 1_001, 1),
    ] {
        let made = write(&recipe, Format::Csv, Vec::new(), None);
        assert!(matches!(made, Err(Error::Visits { .. })));
    }
}
