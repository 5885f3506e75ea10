use super::*;
use crate::column::Column;
use crate::schema::{ColumnSpec, Role};
use proptest::prelude::*;

/// Two quasi-identifiers, two sensitive columns, and a provider, from small numbers.
fn table(rows: &[[u8; 5]]) -> Table {
    let column = |at: usize, role| {
        let texts: Vec<String> = rows.iter().map(|r| format!("v{}", r[at])).collect();
        let spec = ColumnSpec::new(format!("c{at}"), role);
        Column::from_texts(spec, texts.iter().map(String::as_str), &Missing::default())
            .ok()
            .unwrap()
    };
    let name = |row: &[u8; 5]| format!("p{}", row[4]);
    let providers = Providers::new(rows.iter().map(name).collect());
    let provider_of = rows
        .iter()
        .map(|r| providers.id(&name(r)).unwrap().0)
        .collect();
    let roles = [
        Role::QuasiIdentifier,
        Role::Sensitive,
        Role::QuasiIdentifier,
        Role::Sensitive,
    ];
    Table {
        columns: (0..4).map(|at| column(at, roles[at])).collect(),
        providers,
        provider_of,
        person_of: None,
    }
}

/// Sensitive values, provider and count in texts.
type Shown = (String, String, u64);

/// Everything in texts: groups, and below each the entries.
fn shown(published: &Published) -> Vec<(String, Vec<Shown>)> {
    let values = |e: &Entry| {
        let value =
            |c: &SensitiveColumn| c.domain.text(c.codes.get(e.sensitive as usize)).to_owned();
        published
            .sensitive()
            .iter()
            .map(value)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let entry = |e: &Entry| {
        (
            values(e),
            published.providers().name(e.provider).to_owned(),
            e.count,
        )
    };
    let group = |g: usize| {
        let labels: Vec<String> = published
            .describe(g)
            .map(|(name, label)| format!("{name}={label}"))
            .collect();
        (
            labels.join(" "),
            published.entries(g).iter().map(entry).collect(),
        )
    };
    (0..published.groups()).map(group).collect()
}

proptest! {
    #[test]
    fn counted_rows_are_as_good_as_repeated_ones(
        rows in prop::collection::vec((prop::array::uniform5(0u8..3), 0u64..4), 1..20)
    ) {
        let (distinct, counts): (Vec<[u8; 5]>, Vec<u64>) = rows.into_iter().unzip();
        let repeated: Vec<[u8; 5]> =
            distinct.iter().zip(&counts).flat_map(|(row, &n)| std::iter::repeat_n(*row, n as usize)).collect();
        let counted = Published::from_counts(&table(&distinct), &counts).unwrap();
        let expected = Published::from_table(&table(&repeated));
        prop_assert_eq!(shown(&counted), shown(&expected));
    }
}

proptest! {
    /// Labels with their rows say what the table without them says, and every record knows its
    /// group.
    #[test]
    fn labels_are_as_good_as_an_opaque_table(
        rows in prop::collection::vec(prop::array::uniform5(0u8..3), 1..20)
    ) {
        let cube = Arc::new(Cube::new(table(&rows)));
        let labelled = Published::from_labels(&cube).unwrap();
        prop_assert_eq!(shown(&labelled), shown(&Published::from_table(&table(&rows))));
        let mut counted = vec![0; labelled.groups()];
        for (record, &group) in cube.records().iter().zip(labelled.group_of()) {
            counted[group as usize] += record.count;
        }
        let sizes: Vec<u64> = (0..labelled.groups()).map(|g| labelled.size(g)).collect();
        prop_assert_eq!(counted, sizes);
    }
}

/// One column of numbers 10, 20, 30, 40, and a plan of two groups.
fn planned(group_of: [u32; 4], cells: [Cell; 2]) -> Result<Vec<(String, u64)>, PartitionError> {
    let spec = ColumnSpec::new("q", Role::QuasiIdentifier);
    let texts = ["10", "20", "30", "40"];
    let column = Column::from_texts(spec, texts, &Missing::default())
        .ok()
        .unwrap();
    let providers = Providers::new(vec!["p".into()]);
    let cube = Arc::new(Cube::new(Table {
        columns: vec![column],
        providers,
        provider_of: [0; 4].into_iter().collect(),
        person_of: None,
    }));
    let partition = Partition {
        group_of: group_of.to_vec(),
        cells: cells.into(),
    };
    let published = Published::from_partition(&cube, &partition, &Missing::default())?;
    let label = |g: usize| {
        published
            .describe(g)
            .map(|(_, label)| label.to_owned())
            .collect()
    };
    Ok((0..published.groups())
        .map(|g| (label(g), published.size(g)))
        .collect())
}

#[test]
fn only_a_point_need_not_cover_its_group() {
    let means = [Cell::Centroid(15), Cell::Centroid(35)];
    assert_eq!(
        planned([0, 0, 1, 1], means),
        Ok(vec![("15".into(), 2), ("35".into(), 2)])
    );
    // groups with the same mean are one group
    assert_eq!(
        planned([0, 1, 1, 0], [Cell::Centroid(25), Cell::Centroid(25)]),
        Ok(vec![("25".into(), 4)])
    );
    let not_covered = Err(PartitionError::NotCovered { column: "q".into() });
    assert_eq!(
        planned(
            [0, 0, 1, 1],
            [Cell::Centroid(15), Cell::Span { lo: 3, hi: 3 }]
        ),
        not_covered
    );
    // the text of a centroid does not excuse a range that is written alike
    assert_eq!(
        planned(
            [0, 0, 1, 1],
            [Cell::Centroid(40), Cell::Span { lo: 3, hi: 3 }]
        ),
        not_covered
    );
    // nor beside its group
    let beside = planned(
        [0, 0, 0, 1],
        [Cell::Centroid(40), Cell::Span { lo: 3, hi: 3 }],
    );
    assert_eq!(beside, not_covered);
    let between = Cell::Between { lo: 35, hi: 35 };
    assert!(planned([0, 0, 1, 1], [Cell::Centroid(35), between]).is_err());
}

/// Two providers; the lower end of the range is A's alone, the upper one is everybody's.
#[test]
fn it_is_known_who_attains_the_ends_of_ranges() {
    let spec = ColumnSpec::new("q", Role::QuasiIdentifier);
    let texts = ["11", "20", "33", "33", "40", ""];
    let column = Column::from_texts(spec, texts, &Missing::default())
        .ok()
        .unwrap();
    let cube = Arc::new(Cube::new(Table {
        columns: vec![column],
        providers: Providers::new(vec!["A".into(), "B".into()]),
        provider_of: [0, 1, 0, 1, 1, 0].into_iter().collect(),
        person_of: None,
    }));
    // codes: missing, 11, 20, 33, 40; records by tuple, then provider
    let partition = Partition {
        group_of: vec![2, 0, 0, 0, 0, 1],
        cells: vec![
            Cell::Span { lo: 1, hi: 3 },
            Cell::Span { lo: 4, hi: 4 },
            Cell::All,
        ],
    };
    let published = Published::from_partition(&cube, &partition, &Missing::default()).unwrap();
    let [ranges] = published.ranges() else {
        panic!("one column of numbers")
    };
    let ends = |group: usize| {
        (
            ranges.ends(published.labels(group)[0]),
            ranges.attained_by(group),
        )
    };
    let shown: Vec<_> = (0..published.groups())
        .map(|group| {
            (
                published.describe(group).next().unwrap().1.to_owned(),
                ends(group),
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("*".to_owned(), (None, [0, 0])),
            ("40".to_owned(), (None, [0, 0])),
            ("[11-33]".to_owned(), (Some((11, 33)), [1, 2])),
        ]
    );
    assert!(Published::from_table(&table(&[[0; 5]])).ranges().is_empty());
}

#[test]
fn counts_that_do_not_fit() {
    let two = table(&[[0; 5], [1; 5]]);
    assert!(Published::from_counts(&two, &[1]).is_none());
    assert!(Published::from_counts(&two, &[u64::MAX, 1]).is_none());
    assert_eq!(
        Published::from_counts(&two, &[u64::MAX, 0]).unwrap().rows(),
        u64::MAX
    );
    assert_eq!(Published::from_counts(&two, &[0, 0]).unwrap().groups(), 0);
}
