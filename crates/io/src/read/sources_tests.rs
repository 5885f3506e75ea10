//! Every kind of source against the others, sources that lie, and what is kept of columns.

use super::people_tests;
use super::tests::{Files, gzip, repeats};
use super::*;
use ::parquet::arrow::ArrowWriter;
use ::parquet::file::properties::WriterProperties;
use arrow_array::types::Int16Type;
use arrow_array::*;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use mingle_model::{Kind, Role};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

const NAMES: [&str; 3] = ["id", "a", "b"];

fn specs() -> Vec<ColumnSpec> {
    vec![
        ColumnSpec::new("b", Role::Sensitive),
        ColumnSpec::new("id", Role::Identifier),
        ColumnSpec::new("a", Role::QuasiIdentifier),
    ]
}

/// Everything that a reader can tell about a table.
#[derive(Clone, PartialEq, Debug)]
struct Seen {
    columns: Vec<(String, Kind, Vec<String>, Vec<Code>)>,
    providers: Vec<String>,
    provider_of: Vec<Code>,
    repeated: Vec<RepeatedIdentifier>,
}

fn seen(input: &Input) -> Seen {
    let mut columns = Vec::new();
    for column in &input.table.columns {
        let texts = (0..column.domain.len() as Code).map(|c| column.domain.text(c).to_owned());
        columns.push((
            column.spec.name.clone(),
            column.domain.kind(),
            texts.collect(),
            column.codes.iter().collect(),
        ));
    }
    Seen {
        columns,
        providers: input.table.providers.names().map(str::to_owned).collect(),
        provider_of: input.table.provider_of.iter().collect(),
        repeated: input.repeated_identifiers.clone(),
    }
}

fn csv_of(names: &[&str], rows: &[Vec<String>]) -> String {
    let quoted = |cell: &str| format!("\"{}\"", cell.replace('"', "\"\""));
    let mut text = names
        .iter()
        .map(|n| quoted(n))
        .collect::<Vec<_>>()
        .join(",")
        + "\n";
    for row in rows {
        text += &row.iter().map(|c| quoted(c)).collect::<Vec<_>>().join(",");
        text += "\n";
    }
    text
}

#[derive(Clone, Copy, Debug)]
enum Strings {
    Small,
    Large,
    View,
    Dictionary,
}

/// Texts as one of Arrow's kinds of strings; empty ones are nulls.
fn strings(kind: Strings, texts: &[&str]) -> ArrayRef {
    let texts = texts.iter().map(|text| (!text.is_empty()).then_some(*text));
    match kind {
        Strings::Small => Arc::new(texts.collect::<StringArray>()),
        Strings::Large => Arc::new(texts.collect::<LargeStringArray>()),
        Strings::View => Arc::new(texts.collect::<StringViewArray>()),
        Strings::Dictionary => Arc::new(texts.collect::<DictionaryArray<Int16Type>>()),
    }
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let fields: Vec<Field> = columns
        .iter()
        .map(|(name, array)| Field::new(*name, array.data_type().clone(), true))
        .collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap()
}

fn batches_of(rows: &[Vec<String>], kind: Strings, size: usize) -> Vec<RecordBatch> {
    let mut batches = Vec::new();
    for part in rows.chunks(size) {
        let column = |c: usize| {
            let texts: Vec<&str> = part.iter().map(|row| row[c].as_str()).collect();
            (NAMES[c], strings(kind, &texts))
        };
        batches.push(batch((0..NAMES.len()).map(column).collect()));
    }
    batches
}

fn parquet_of(batches: &[RecordBatch], group: usize) -> Vec<u8> {
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(group))
        .build();
    let schema = batches[0].schema();
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties)).unwrap();
    for batch in batches {
        writer.write(batch).unwrap();
    }
    writer.into_inner().unwrap()
}

fn table_of(batches: Vec<RecordBatch>) -> ArrowTable {
    ArrowTable::new("m", batches[0].schema(), batches)
}

fn stream_of(batches: Vec<RecordBatch>) -> ArrowStream {
    let schema = batches[0].schema();
    let reader = RecordBatchIterator::new(batches.into_iter().map(Ok), schema);
    ArrowStream::new("m", reader)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_source_gives_the_same_table(
        rows in proptest::collection::vec(
            proptest::collection::vec(
                proptest::sample::select(vec!["", "?", "1", "2", "10", "x", "ß,\"\n"]), 3),
            1..40),
        kind in proptest::sample::select(
            vec![Strings::Small, Strings::Large, Strings::View, Strings::Dictionary]),
        size in 1usize..12,
        threads in 1usize..4,
    ) {
        let rows: Vec<Vec<String>> = rows
            .into_iter()
            .map(|row| row.into_iter().map(str::to_owned).collect())
            .collect();
        let csv = csv_of(&NAMES, &rows);
        let batches = batches_of(&rows, kind, size);
        let parquet = parquet_of(&batches, size);
        let files = Files::new()
            .with(&csv, Some("P"))
            .with(gzip(csv.as_bytes()), Some("P"))
            .with(parquet, Some("P"))
            .with_trusted_headers();
        let column = |c: usize| (NAMES[c], rows.iter().map(|row| row[c].clone()).collect::<Vec<_>>());
        let texts = TextTable::new("m", (0..NAMES.len()).map(column)).ok().unwrap();
        let mut sources: Vec<Box<dyn Scan>> = Vec::new();
        for file in files.sources.clone() {
            sources.push(Box::new(file));
        }
        sources.push(Box::new(table_of(batches.clone()).of_provider("P")));
        sources.push(Box::new(stream_of(batches).of_provider("P")));
        sources.push(Box::new(texts.of_provider("P")));

        let options = ReadOptions { threads, block: 64, ..ReadOptions::default() };
        let mut first = None;
        for source in &sources {
            prop_assert_eq!(read_header(source, &options).unwrap(), NAMES);
            let source = std::slice::from_ref(source);
            let input = read_table(source, None, &specs(), Undeclared::Error, &options);
            let seen = seen(&input.unwrap_or_else(|e| panic!("{e}")));
            prop_assert_eq!(first.get_or_insert_with(|| seen.clone()), &seen);
        }
        // a stream is gone once it was read, the others are not; read together they are one table
        let again: Vec<&Box<dyn Scan>> = [0, 1, 2, 3, 5].map(|i| &sources[i]).into();
        let identifiers: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
        let expected = people_tests::by_definition(&identifiers);
        for source in &again {
            let people = people_tests::read(std::slice::from_ref(source), "id", false, &options);
            prop_assert_eq!(people.map(|(codes, _)| codes).ok(), expected.clone());
        }
        let raw = read_raw(&again, &options).unwrap_or_else(|e| panic!("{e}"));
        prop_assert_eq!(raw.rows as usize, 5 * rows.len());
        prop_assert_eq!(raw.rows_of, vec![rows.len() as u64; 5]);
        for (c, (name, column)) in raw.columns.iter().enumerate() {
            prop_assert_eq!(name, NAMES[c]);
            for (row, id) in column.ids.iter().enumerate() {
                prop_assert_eq!(&*column.values[id as usize].text, &rows[row % rows.len()][c]);
            }
        }
    }
}

#[test]
fn typed_values_are_what_their_texts_are() {
    let typed = batch(vec![
        (
            "i",
            Arc::new(Int32Array::from(vec![Some(10), None, Some(-2)])),
        ),
        ("u", Arc::new(UInt64Array::from(vec![0, u64::MAX, 7]))),
        ("f", Arc::new(Float64Array::from(vec![0.5, -0.0, 2.0]))),
        ("d", Arc::new(decimals(vec![125, 50, -100]))),
        (
            "day",
            Arc::new(Date32Array::from(vec![Some(0), Some(11_383), None])),
        ),
        (
            "at",
            Arc::new(TimestampMillisecondArray::from(vec![0, 86_400_000, 0])),
        ),
        (
            "yes",
            Arc::new(BooleanArray::from(vec![Some(true), None, Some(false)])),
        ),
        ("none", Arc::new(NullArray::new(3))),
    ]);
    let names = ["i", "u", "f", "d", "day", "at", "yes", "none"];
    let texts = [
        [
            "10",
            "0",
            "0.5",
            "1.25",
            "1970-01-01",
            "1970-01-01",
            "true",
            "",
        ],
        [
            "",
            "18446744073709551615",
            "0",
            "0.5",
            "2001-03-02",
            "1970-01-02",
            "",
            "",
        ],
        ["-2", "7", "2", "-1", "", "1970-01-01", "false", ""],
    ];
    let column = |c: usize| (names[c], texts.map(|row| row[c]));
    let texts = TextTable::new("m", (0..names.len()).map(column))
        .ok()
        .unwrap();
    let specs: Vec<ColumnSpec> = names
        .iter()
        .map(|name| ColumnSpec::new(*name, Role::QuasiIdentifier))
        .collect();
    let read = |source: &dyn Scan| {
        let options = ReadOptions::default();
        seen(
            &read_table(&[source], None, &specs, Undeclared::Error, &options)
                .ok()
                .unwrap(),
        )
    };
    let expected = read(&texts);
    assert_eq!(expected.columns[4].1, Kind::Date);
    assert_eq!(read(&table_of(vec![typed.clone()])), expected);
    let parquet = Files::new().with(parquet_of(&[typed], 2), None);
    assert_eq!(read(&parquet.sources[0]), expected);
}

fn decimals(values: Vec<i128>) -> Decimal128Array {
    let array = Decimal128Array::from(values);
    array.with_precision_and_scale(9, 2).unwrap()
}

/// More rows than one worker takes at once, of a dictionary and of numbers.
#[test]
fn large_batches_are_divided_among_workers() {
    let rows = 300_000;
    let keys: Vec<String> = (0..rows).map(|row| format!("k{}", row % 999)).collect();
    let texts: Vec<&str> = keys.iter().map(String::as_str).collect();
    let numbers: Vec<i64> = (0..rows).map(|row| row % 7_777).collect();
    let whole = batch(vec![
        ("k", strings(Strings::Dictionary, &texts)),
        ("n", Arc::new(Int64Array::from(numbers.clone()))),
    ]);
    for threads in [1, 3] {
        let options = ReadOptions {
            threads,
            ..ReadOptions::default()
        };
        let raw = read_raw(
            &[table_of(vec![whole.slice(0, 0), whole.clone()])],
            &options,
        );
        let raw = raw.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(raw.rows, rows as u64);
        assert_eq!(raw.hashes, [None]);
        for row in (0..rows as usize).step_by(1_003) {
            let cell = |c: usize| {
                let column = &raw.columns[c].1;
                &column.values[column.ids.get(row) as usize]
            };
            assert_eq!(&*cell(0).text, texts[row]);
            assert_eq!(&*cell(1).text, numbers[row].to_string());
        }
        let place = raw.columns[1].1.values[7_776].position.to_string();
        assert_eq!(place, "m, batch 2, line 7777");
    }
}

fn ints(name: &str, values: Vec<i32>) -> RecordBatch {
    batch(vec![(name, Arc::new(Int32Array::from(values)) as ArrayRef)])
}

fn read_a(source: impl Scan, options: &ReadOptions<'_>) -> Result<Input, Error> {
    let specs = [ColumnSpec::new("a", Role::QuasiIdentifier)];
    read_table(&[source], None, &specs, Undeclared::Error, options)
}

fn error_of(source: impl Scan) -> Error {
    read_a(source, &ReadOptions::default())
        .err()
        .expect("refused")
}

#[test]
fn batches_that_are_not_what_was_promised() {
    let good = ints("a", vec![1, 2]);
    let text = batch(vec![("a", strings(Strings::Small, &["1"]))]);
    let renamed = ints("z", vec![1]);
    let wider = batch(vec![
        ("a", Arc::new(Int32Array::from(vec![1])) as ArrayRef),
        ("z", Arc::new(Int32Array::from(vec![1]))),
    ]);
    let narrower = RecordBatch::new_empty(Arc::new(Schema::empty()));
    for bad in [text, renamed, wider, narrower] {
        let table = ArrowTable::new("m", good.schema(), vec![good.clone(), bad.clone()]);
        assert!(matches!(
            error_of(table),
            Error::BatchShape { batch: 2, .. }
        ));
        let lying = Promising {
            schema: good.schema(),
            batches: vec![good.clone(), bad].into_iter(),
        };
        let error = error_of(ArrowStream::new("m", lying));
        assert_eq!(
            error.to_string(),
            "m, batch 2: its columns are not those that the source declares"
        );
    }
}

/// A reader that promises one schema, whatever it sends.
struct Promising {
    schema: SchemaRef,
    batches: std::vec::IntoIter<RecordBatch>,
}

impl Iterator for Promising {
    type Item = Result<RecordBatch, ArrowError>;
    fn next(&mut self) -> Option<Self::Item> {
        self.batches.next().map(Ok)
    }
}

impl RecordBatchReader for Promising {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

#[test]
fn names_and_limits_hold_for_batches_too() {
    let one = || Arc::new(Int32Array::from(vec![1])) as ArrayRef;
    let twice = batch(vec![("a", one()), ("a", one())]);
    assert!(matches!(
        error_of(table_of(vec![twice])),
        Error::DuplicateColumn { .. }
    ));
    let unnamed = batch(vec![("a", one()), ("", one())]);
    let error = error_of(table_of(vec![unnamed]));
    assert!(matches!(error, Error::UndeclaredColumns { columns, .. } if columns == [""]));
    let other = error_of(table_of(vec![ints("z", vec![1])]));
    assert!(matches!(other, Error::NoHeader { .. }));
    let none = error_of(table_of(vec![ints("a", vec![])]));
    assert!(matches!(none, Error::NoRows { .. }));

    let names: Vec<String> = (0..5_000).map(|i| format!("c{i}")).collect();
    let many = batch(names.iter().map(|name| (name.as_str(), one())).collect());
    assert!(matches!(
        error_of(table_of(vec![many])),
        Error::TooManyColumns { limit: 4_096, .. }
    ));

    let options = ReadOptions {
        limits: Limits {
            cell: 5,
            rows: 6,
            ..Limits::default()
        },
        ..ReadOptions::default()
    };
    for kind in [
        Strings::Small,
        Strings::Large,
        Strings::View,
        Strings::Dictionary,
    ] {
        let long = ["short", "short", "canary"];
        let batches = ["x", "y"].map(|text| batch(vec![("a", strings(kind, &[text]))]));
        let mut batches = batches.to_vec();
        batches.push(batch(vec![("a", strings(kind, &long))]));
        let error = read_a(table_of(batches), &options).err().unwrap();
        let said = "m, batch 3, line 3, column \"a\": a cell of more than 5 bytes";
        assert!(error.is_limit());
        assert_eq!(error.to_string(), said);
    }
    let seven = table_of(vec![ints("a", vec![1, 2, 3, 4]), ints("a", vec![5, 6, 7])]);
    let error = read_a(seven, &options).err().unwrap();
    assert!(matches!(error, Error::TooManyRows { limit: 6 }));

    let late = batch(vec![(
        "a",
        Arc::new(Date32Array::from(vec![0, i32::MAX])) as ArrayRef,
    )]);
    assert_eq!(
        error_of(table_of(vec![late])).to_string(),
        "m, batch 1, row 2, column \"a\": a date outside the years 0000 to 9999"
    );
    let unequal = TextTable::new("m", [("a", vec!["1"]), ("b", vec!["1", "2"])])
        .err()
        .unwrap();
    assert!(matches!(
        unequal,
        Error::UnequalColumns {
            expected: 1,
            found: 2,
            ..
        }
    ));
    let nameless = table_of(vec![ints("a", vec![1])]).of_provider(" ");
    assert!(matches!(
        error_of(nameless),
        Error::EmptyProviderName { .. }
    ));
}

#[test]
fn values_that_do_not_fit_say_the_batch_and_the_row() {
    let first = batch(vec![("a", strings(Strings::View, &["1", "2"]))]);
    let second = batch(vec![("a", strings(Strings::View, &["3", "canary"]))]);
    let spec = ColumnSpec {
        kind: Some(Kind::Integer),
        ..ColumnSpec::new("a", Role::QuasiIdentifier)
    };
    let table = table_of(vec![first, second]);
    let options = ReadOptions::default();
    let error = read_table(&[table], None, &[spec], Undeclared::Error, &options)
        .err()
        .unwrap();
    let said = error.to_string();
    assert!(
        said.contains("m, batch 2, line 2") && !said.contains("canary"),
        "{said}"
    );
}

#[test]
fn types_that_are_no_cells() {
    let numbers = || Arc::new(Int32Array::from(vec![1])) as ArrayRef;
    let inner = vec![Field::new("inner", DataType::Int32, true)];
    let in_dictionary: DictionaryArray<Int16Type> = vec!["x"].into_iter().collect();
    let keys = Int16Array::from(vec![0]);
    let odd: Vec<(ArrayRef, &str)> = vec![
        (Arc::new(BinaryArray::from(vec![b"x".as_slice()])), "binary"),
        (
            Arc::new(StructArray::new(inner.into(), vec![numbers()], None)),
            "nested",
        ),
        (
            Arc::new(DurationSecondArray::from(vec![1])),
            "time of day or duration",
        ),
        (
            Arc::new(Time32SecondArray::from(vec![1])),
            "time of day or duration",
        ),
        (
            Arc::new(DictionaryArray::new(keys, Arc::new(in_dictionary))),
            "nested",
        ),
        (
            Arc::new(Decimal256Array::from(vec![arrow_256(1)])),
            "unusual",
        ),
    ];
    for (array, word) in odd {
        let both = batch(vec![("a", numbers()), ("odd", array)]);
        let specs = ["a", "odd"].map(|name| ColumnSpec::new(name, Role::Sensitive));
        let read = |specs: &[ColumnSpec]| {
            let (table, options) = (table_of(vec![both.clone()]), ReadOptions::default());
            read_table(&[table], None, specs, Undeclared::Drop, &options)
        };
        let said = format!("m, column \"odd\": values of this Arrow type ({word}) cannot be used");
        assert_eq!(read(&specs).err().unwrap().to_string(), said);
        assert!(
            read(&specs[..1]).is_ok(),
            "a column that nobody wants may be of any type"
        );
    }
}

fn arrow_256(value: i128) -> <arrow_array::types::Decimal256Type as ArrowPrimitiveType>::Native {
    <arrow_array::types::Decimal256Type as ArrowPrimitiveType>::Native::from_i128(value)
}

#[test]
fn streams_fail_and_end() {
    let schema = ints("a", vec![1]).schema();
    let broken = ArrowError::ComputeError("canary".to_owned());
    let batches = vec![Ok(ints("a", vec![1])), Err(broken)];
    let stream = ArrowStream::new("m", RecordBatchIterator::new(batches, schema));
    let error = read_a(&stream, &ReadOptions::default()).err().unwrap();
    assert_eq!(
        error.to_string(),
        "m: the source failed before it gave batch 2"
    );
    assert!(matches!(error_of(&stream), Error::AlreadyRead { .. }));

    let whole = stream_of(vec![ints("a", vec![1])]);
    assert_eq!(read_header(&whole, &ReadOptions::default()).unwrap(), ["a"]);
    assert!(read_a(&whole, &ReadOptions::default()).is_ok());
    assert!(matches!(error_of(&whole), Error::AlreadyRead { .. }));
}

#[test]
fn cancelling_stops_a_stream_halfway() {
    static CANCEL: AtomicBool = AtomicBool::new(false);
    static TAKEN: AtomicUsize = AtomicUsize::new(0);
    let schema = ints("a", vec![1]).schema();
    let batches = (0..1_000).map(|number| {
        TAKEN.fetch_add(1, Ordering::Relaxed);
        if number == 10 {
            CANCEL.store(true, Ordering::Relaxed);
        }
        Ok(ints("a", vec![number]))
    });
    let stream = ArrowStream::new("m", RecordBatchIterator::new(batches, schema));
    let reports = std::sync::Mutex::new(Vec::new());
    let progress = |bytes: u64| reports.lock().unwrap().push(bytes);
    let options = ReadOptions {
        threads: 2,
        cancel: Some(&CANCEL),
        progress: Some(&progress),
        ..ReadOptions::default()
    };
    assert!(matches!(read_a(stream, &options), Err(Error::Cancelled)));
    assert_eq!(TAKEN.load(Ordering::Relaxed), 11);
    let reports = reports.into_inner().unwrap();
    assert!(reports.len() == 11 && reports.is_sorted() && reports[0] > 0);
}

#[test]
fn what_is_kept_of_a_column() {
    let csv = "who,a,secret,b\nann,1,s,x\nbob,2,s,y\n?,3,t,x\nann,4,s,\n";
    let files = Files::new().with(csv, None);
    let link = |text: &str| (text != "bob").then_some(text.len() as u128);
    let select = |keep: Keep<'static>| {
        let mut columns = vec![
            WantedColumn::from(ColumnSpec::new("a", Role::QuasiIdentifier)),
            WantedColumn::from(ColumnSpec::new("b", Role::Sensitive)),
        ];
        let spec = ColumnSpec::new("who", Role::Identifier);
        columns.insert(1, WantedColumn::kept(spec, keep));
        let spec = ColumnSpec::new("secret", Role::Sensitive);
        columns.push(WantedColumn::kept(spec, Keep::Dropped));
        Selection {
            provider_column: None,
            columns,
            undeclared: Undeclared::Error,
            person: None,
            separated: None,
        }
    };
    let read = |selection: &Selection<'_>| {
        let input = read_selection(&files.sources, selection, &ReadOptions::default());
        input.unwrap_or_else(|e| panic!("{e}"))
    };
    let names = |input: &Input| -> Vec<String> {
        input
            .table
            .columns
            .iter()
            .map(|c| c.spec.name.clone())
            .collect()
    };

    let hashed = read(&select(Keep::Hashed));
    assert_eq!(names(&hashed), ["a", "b"]);
    assert_eq!(repeats(&hashed.repeated_identifiers), [("who", 1)]);
    assert!(hashed.beside.is_empty() && hashed.linked.is_empty());

    let dropped = read(&select(Keep::Dropped));
    assert_eq!(names(&dropped), ["a", "b"]);
    assert!(dropped.repeated_identifiers.is_empty());

    let beside = read(&select(Keep::Beside));
    assert_eq!(names(&beside), ["a", "b"]);
    assert!(beside.repeated_identifiers.is_empty());
    let who = &beside.beside[0];
    let texts: Vec<&str> = who.codes.iter().map(|code| who.domain.text(code)).collect();
    assert_eq!(texts, ["ann", "bob", "", "ann"]);

    let mut linking = select(Keep::Values);
    linking.columns[1].keep = Keep::Linked(&link);
    for provider_column in [None, Some("b"), Some("who")] {
        // a provider needs a name, so nothing may be missing where one is named
        let csv = match provider_column {
            None => csv.to_owned(),
            Some(_) => csv.replace("?,3", "carla,3").replace("s,\n", "s,y\n"),
        };
        let files = Files::new().with(csv, None);
        linking.provider_column = provider_column;
        let input = read_selection(&files.sources, &linking, &ReadOptions::default());
        let input = input.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(names(&input), ["a", "b"]);
        let who = &input.linked[0];
        let links: Vec<Option<u128>> = who.ids.iter().map(|id| who.links[id as usize].0).collect();
        let third = provider_column.map(|_| 5);
        assert_eq!(
            (who.name.as_str(), links),
            ("who", vec![Some(3), None, third, Some(3)])
        );
        assert_eq!(who.links[0].1.to_string(), "f1, line 2");
    }

    let mut gone = select(Keep::Hashed);
    gone.columns[3].spec.name = "elsewhere".to_owned();
    let files = Files::new().with(csv, None);
    let error = read_selection(&files.sources, &gone, &ReadOptions::default())
        .err()
        .unwrap();
    assert!(matches!(error, Error::MissingColumns { columns, .. } if columns == ["elsewhere"]));
}

/// A table that counts its distinct rows, as a database would.
struct Grouping {
    rows: ArrowTable,
    batches: Vec<RecordBatch>,
    lies: Lie,
}

/// What is wrong with its counts.
#[derive(Clone, Copy)]
enum Lie {
    No,
    OneMissing,
    NeverThere,
}

impl Scan for Grouping {
    fn name(&self) -> &str {
        self.rows.name()
    }

    fn provider(&self) -> Option<&str> {
        self.rows.provider()
    }

    fn open<'s>(&'s self, options: &'s ReadOptions<'s>) -> Result<Box<dyn Pass + 's>, Error> {
        self.rows.open(options)
    }

    fn count_distinct(&self, columns: &[&str]) -> Option<Result<Counts, Error>> {
        let mut groups: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        for batch in &self.batches {
            for row in 0..batch.num_rows() {
                let cell = |name: &&str| {
                    let array = batch.column_by_name(name).unwrap();
                    array
                        .as_any()
                        .downcast_ref::<StringArray>()
                        .unwrap()
                        .value(row)
                        .to_owned()
                };
                *groups
                    .entry(columns.iter().map(cell).collect())
                    .or_default() += 1;
            }
        }
        let column = |c: usize| {
            let texts: Vec<&str> = groups.keys().map(|row| row[c].as_str()).collect();
            (columns[c], strings(Strings::Small, &texts))
        };
        let rows = batch((0..columns.len()).map(column).collect());
        let mut counts: Vec<u64> = groups.values().copied().collect();
        match self.lies {
            Lie::No => {}
            Lie::OneMissing => drop(counts.pop()),
            Lie::NeverThere => counts[0] = 0,
        }
        Some(Ok(Counts {
            schema: rows.schema(),
            rows: vec![rows],
            counts,
            hash: None,
        }))
    }
}

#[test]
fn sources_that_group_send_counts() {
    let rows: Vec<Vec<String>> = (0..60)
        .map(|row| ["i", "a", "b"].map(|c| format!("{c}{}", row % 4)).to_vec())
        .collect();
    let batches = batches_of(&rows, Strings::Small, 7);
    let grouping = |lies| Grouping {
        rows: table_of(batches.clone()).of_provider("P"),
        batches: batches.clone(),
        lies,
    };
    let plain = || table_of(batches.clone()).of_provider("Q");
    let selection = |keep| Selection {
        provider_column: None,
        columns: vec![
            WantedColumn::from(ColumnSpec::new("a", Role::QuasiIdentifier)),
            WantedColumn::from(ColumnSpec::new("b", Role::Sensitive)),
            WantedColumn::kept(ColumnSpec::new("id", Role::Identifier), keep),
        ],
        undeclared: Undeclared::Error,
        person: None,
        separated: None,
    };
    let options = ReadOptions::default();
    let sources: [Box<dyn Scan>; 2] = [Box::new(grouping(Lie::No)), Box::new(plain())];
    let counted = read_counted(&sources, &selection(Keep::Dropped), &options);
    let counted = counted.unwrap_or_else(|e| panic!("{e}"));
    let counts = counted.counts.unwrap();
    assert_eq!((counted.input.table.rows(), counts.len()), (64, 64));
    assert_eq!(counts[..5], [15, 15, 15, 15, 1]);

    // what the identifiers are like can only be told from every row
    let all = read_counted(&sources, &selection(Keep::Hashed), &options);
    let all = all.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((all.input.table.rows(), all.counts), (120, None));
    assert_eq!(repeats(&all.input.repeated_identifiers), [("id", 116)]);

    for lie in [Lie::OneMissing, Lie::NeverThere] {
        let lying: [Box<dyn Scan>; 1] = [Box::new(grouping(lie))];
        let error = read_counted(&lying, &selection(Keep::Dropped), &options);
        assert!(matches!(error.err(), Some(Error::CountsShape { .. })));
    }
    let lying: [Box<dyn Scan>; 1] = [Box::new(grouping(Lie::OneMissing))];
    let mut missing = selection(Keep::Dropped);
    missing.columns.pop();
    let error = read_counted(&lying, &missing, &options).err().unwrap();
    assert!(matches!(error, Error::UndeclaredColumns { .. }));
}
