use mingle_model::*;
use mingle_privacy::*;
use mingle_release::*;
use std::time::Instant;
fn main() {
    let n = 10_000_000usize;
    let insensitive = std::env::args().nth(1).is_some();
    let widths = [90u64, 40, 2, 17, 9, 14, 1000];
    let mut x = 1u64;
    let mut next = || { x ^= x << 13; x ^= x >> 7; x ^= x << 17; x };
    let missing = Missing::default();
    let q = 5;
    let columns: Vec<Column> = widths.iter().enumerate().take(if insensitive { 7 } else { 6 }).map(|(c, w)| {
        let texts: Vec<String> = (0..*w).map(|v| if c > 4 { format!("v{v}") } else { v.to_string() }).collect();
        let t = (0..n).map(|_| texts[(next() % w) as usize].as_str());
        let role = match c { 0..5 => Role::QuasiIdentifier, 5 => Role::Sensitive, _ => Role::Insensitive };
        Column::from_texts(ColumnSpec::new(format!("c{c}"), role), t, &missing).ok().unwrap()
    }).collect();
    let table = Table { columns, providers: Providers::new(vec!["p".into(), "q".into()]), provider_of: (0..n).map(|i| (i % 2) as u32).collect() };
    let t = Instant::now();
    let cube = Cube::new(&table);
    println!("tuples {} records {} {:?}", cube.tuples(), cube.records().len(), t.elapsed());
    let mut group_of = vec![0; cube.records().len()];
    for t in 0..cube.tuples() { for r in cube.records_of(t) { group_of[r] = t as u32; } }
    let mut cells = Vec::new();
    for t in 0..cube.tuples() { for c in 0..q { let code = cube.quasi_identifiers()[c].codes.get(t); cells.push(Cell::Span { lo: code.saturating_sub(1), hi: code.max(1) }); } }
    let t = Instant::now();
    let published = Published::from_partition(&cube, &Partition { group_of, cells }, &missing).unwrap();
    println!("groups {} {:?}", published.groups(), t.elapsed());
    let v = verify(published, &[Promise { rule: Rule::KAnonymity { k: 1 }, attribute: None }]).unwrap().into_verified().unwrap();
    for format in [mingle_io::Format::Csv, mingle_io::Format::Parquet] {
        let facts = Facts { tool_version: "0".into(), format, m: 1, method: "x".into(), ranges: "tight".into(), missing: missing.clone(), policy: serde_json::json!({}), inputs: vec![], seed: 0, attack_number: None, utility: None, publish_utility: false, warnings: vec![] };
        let home = tempfile::tempdir().unwrap();
        let flag = std::sync::atomic::AtomicBool::new(false);
        let t = Instant::now();
        let r = publish(&v, &table, &cube, &facts, Target { folder: &home.path().join("out"), force: false, cancelled: &flag }).unwrap();
        println!("publish {format:?} {:?} {:?} audit {:?}", t.elapsed(), r.public.files[0].bytes, r.private.audit.file.bytes);
        let t = Instant::now();
        let f = Release::open(&home.path().join("out")).unwrap().check();
        println!("check {:?} {} {:?}", t.elapsed(), f.is_clean(), f.problems);
    }
}
