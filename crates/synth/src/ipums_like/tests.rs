use super::*;
use crate::quota::apportion;

/// Texts per column.
fn made(rows: u64, seed: u64) -> Vec<(String, Vec<u32>)> {
    let people = IpumsLike::new(rows, seed);
    let names = people.columns().into_iter().map(|column| column.name);
    let codes = |at: usize| {
        people
            .rows
            .iter()
            .skip(at)
            .step_by(10)
            .map(|&code| u32::from(code))
            .collect()
    };
    names
        .enumerate()
        .map(|(at, name)| (name, codes(at)))
        .collect()
}

fn counts(codes: &[u32]) -> Vec<u64> {
    let mut counts = vec![0; codes.iter().max().map_or(0, |&most| most as usize + 1)];
    codes.iter().for_each(|&code| counts[code as usize] += 1);
    counts
}

fn distinct(codes: &[u32]) -> usize {
    counts(codes).iter().filter(|&&count| count > 0).count()
}

fn bits(codes: &[u32]) -> f64 {
    let rows = codes.len() as f64;
    let of = |&count: &u64| {
        if count == 0 {
            0.0
        } else {
            count as f64 / rows * (rows / count as f64).log2()
        }
    };
    counts(codes).iter().map(of).sum()
}

/// How much of the uncertainty about one column another takes away, in bits.
fn told(one: &[u32], other: &[u32]) -> f64 {
    let width = one.iter().max().map_or(1, |&most| most + 1);
    let both: Vec<u32> = one
        .iter()
        .zip(other)
        .map(|(&a, &b)| b * width + a)
        .collect();
    bits(one) + bits(other) - bits(&both)
}

#[test]
fn domains_and_entropies_are_the_papers_for_every_seed() {
    for seed in [0, 1, 2, 17] {
        let made = made(PAPER_ROWS, seed);
        let sizes: Vec<(&str, usize)> = made
            .iter()
            .map(|(name, codes)| (name.as_str(), distinct(codes)))
            .collect();
        let expected = [
            ("age", 100),
            ("workclass", 5),
            ("education", 10),
            ("marital_status", 6),
            ("race", 7),
            ("sex", 2),
            ("birthplace", 113),
            ("occupation", 247),
            ("industry", 145),
            ("income", 471),
        ];
        assert_eq!(sizes, expected, "seed {seed}");
        let entropies: Vec<String> = made[7..]
            .iter()
            .map(|(_, codes)| format!("{:.2}", bits(codes)))
            .collect();
        assert_eq!(entropies, ["4.30", "4.35", "5.56"], "seed {seed}");
    }
}

#[test]
fn the_entropies_do_not_fit_nats() {
    // even if all that work had occupations as even as can be, 43 people in 100 without one leave
    // less than 4.30 nats
    let without: usize = 43 * 70_187 / 100;
    let mut even = vec![without as u64];
    even.extend(
        apportion(70_187 - without, &[1; 246])
            .iter()
            .map(|&count| count as u64),
    );
    let codes: Vec<u32> = (0..)
        .zip(even)
        .flat_map(|(v, count)| std::iter::repeat_n(v, count as usize))
        .collect();
    assert!(bits(&codes) * std::f64::consts::LN_2 < 4.0);
}

#[test]
fn what_people_do_follows_who_they_are_but_not_wholly() {
    let made = made(PAPER_ROWS, 3);
    let column = |name: &str| &made.iter().find(|(other, _)| other == name).unwrap().1;
    for (one, other, least, most) in [
        ("occupation", "education", 0.3, 1.5),
        ("occupation", "sex", 0.1, 0.7),
        ("occupation", "age", 0.6, 2.0),
        ("occupation", "workclass", 0.8, 1.5),
        ("industry", "occupation", 1.5, 4.0),
        ("income", "occupation", 0.7, 4.0),
        ("income", "age", 0.8, 2.0),
        ("birthplace", "race", 0.05, 1.0),
        ("marital_status", "age", 0.5, 1.5),
        ("education", "age", 1.0, 2.5),
    ] {
        let found = told(column(one), column(other));
        assert!((least..most).contains(&found), "{one} {other}: {found}");
    }
    // the measure itself: what was drawn independently tells next to nothing
    assert!(told(column("sex"), column("age")) < 0.01);
}

#[test]
fn nobody_works_without_an_occupation_or_as_a_child() {
    let made = made(20_000, 1);
    for row in 0..20_000 {
        let of = |at: usize| made[at].1[row];
        let (works, occupied, placed) = (of(1) != 0, of(7) != 0, of(8) != 0);
        assert!(works == occupied && occupied == placed);
        assert!(!works || of(0) >= 14);
        assert!(of(0) >= 12 || of(9) == 0, "the youngest have no income");
    }
}

#[test]
fn few_rows_are_made_too() {
    for rows in [0, 1, 2, 5, 100, 999] {
        let made = made(rows, 5);
        assert!(made.iter().all(|(_, codes)| codes.len() == rows as usize));
    }
}

#[test]
fn every_category_has_a_hierarchy_that_ends_in_the_root() {
    for column in IpumsLike::new(0, 0).columns() {
        let Some(rows) = hierarchy(&column.name) else {
            assert!(
                ["age", "occupation", "industry", "income"].contains(&column.name.as_str()),
                "{}",
                column.name
            );
            continue;
        };
        let leaves: Vec<&String> = rows.iter().map(|row| &row[0]).collect();
        assert!(leaves.into_iter().eq(&column.texts), "{}", column.name);
        assert!(
            rows.iter()
                .all(|row| row.len() == rows[0].len() && row.last().unwrap() == "*"),
            "{}",
            column.name
        );
    }
}
