//! Roles that wait for somebody, and what the page shows of columns before anybody decides.

use super::*;
use mingle_record::answer::HierarchyWeakness;

/// Drops a file on the page.
fn drop_file(bench: &Bench, name: &str, content: &[u8]) {
    let place = bench.file_place(name).unwrap();
    std::fs::create_dir_all(place.parent().unwrap()).unwrap();
    std::fs::File::create(place)
        .and_then(|mut f| std::io::Write::write_all(&mut f, content))
        .unwrap();
}

/// A table of so many columns with three values each, and a policy that takes all of them for
/// quasi-identifiers, beside a sensitive one.
fn wide(bench: &Bench, columns: usize) -> String {
    let mut table = String::new();
    let mut policy = "[data]\npath = \"wide.csv\"\n".to_owned();
    for column in 0..columns {
        table += &format!("c{column},");
        policy += &format!("[columns.c{column}]\nrole = \"quasi-identifier\"\n");
    }
    table += "s";
    policy += "[columns.s]\nrole = \"sensitive\"\n";
    for row in 0..30 {
        let cells: Vec<String> = (0..columns)
            .map(|column| format!("v{}", (row * (column + 3) + row / 7) % 3))
            .collect();
        table += &format!("\n{},s{}", cells.join(","), row % 4);
    }
    drop_file(bench, "wide.csv", table.as_bytes());
    policy + "[privacy]\nk = 2\n"
}

fn plan(bench: &Bench, text: &str, confirmed: bool) -> PlanEvent {
    let ears = Ears::new();
    let request = PlanRequest {
        tab: "t".into(),
        text: text.into(),
        quick: true,
        confirmed,
    };
    bench.plan(&request, &ears).unwrap();
    ears.heard().pop().unwrap()
}

#[test]
fn many_quasi_identifiers_are_searched_only_once_they_are_confirmed() {
    let (bench, _, _folder) = page();
    let refused = |event: PlanEvent| match event {
        PlanEvent::Problem { problem } => problem.code,
        _ => String::new(),
    };
    assert_eq!(bench.start().unwrap().most_unconfirmed, 12.0);
    let twelve = wide(&bench, 12);
    assert_eq!(refused(plan(&bench, &twelve, false)), "");
    let text = wide(&bench, 13);
    assert_eq!(refused(plan(&bench, &text, false)), "MG0807");
    assert_eq!(refused(plan(&bench, &text, true)), "");
    let frontier = |confirmed| {
        let ears = Ears::new();
        let request = FrontierRequest {
            tab: "t".into(),
            text: text.clone(),
            vary: Vary::K,
            values: vec![2.0],
            methods: vec!["mondrian".into()],
            confirmed,
        };
        bench.frontier(&request, &ears).unwrap();
        ears.heard().pop().unwrap()
    };
    assert!(matches!(
        frontier(false),
        FrontierEvent::Problem { problem } if problem.code == "MG0807"
    ));
    assert!(matches!(frontier(true), FrontierEvent::Point { .. }));
    drop_file(&bench, "releases/other.csv", b"c0,c1\nv0,v1\nv0,v1\n");
    let ears = Ears::new();
    let request = AttackRequest {
        tab: "t".into(),
        text,
        releases: vec!["releases/other.csv".into()],
        confirmed: false,
    };
    bench.attack(&request, &ears).unwrap();
    assert!(matches!(
        ears.heard().pop(),
        Some(AttackEvent::Problem { problem }) if problem.code == "MG0807"
    ));
}

#[test]
fn what_the_proposal_leaves_open_is_marked_until_somebody_decides() {
    let (bench, _, _folder) = page();
    let items: Vec<String> = (1..=10).map(|item| format!("item_{item}")).collect();
    let mut table = format!("age,sex,disease,{}\n", items.join(","));
    for row in 0..60 {
        let (age, sex) = (20 + row % 30, ["f", "m"][row % 2]);
        let disease = ["flu", "cold", "gout"][row % 3];
        let cells: Vec<String> = (2..12)
            .map(|n| format!("c{}", (row * n + row / 8) % (n + 1)))
            .collect();
        table += &format!("{age},{sex},{disease},{}\n", cells.join(","));
    }
    drop_file(&bench, "t.csv", table.as_bytes());
    let request = ProposeRequest {
        files: vec!["t.csv".into()],
        provider_column: None,
    };
    let answer = bench.propose(&request).unwrap();
    let open = |answer: &PolicyAnswer| -> Vec<String> {
        let mut names = Vec::new();
        for column in &answer.view.as_ref().unwrap().columns {
            if column.decide {
                assert_eq!(column.role, "drop", "left out meanwhile");
                names.push(column.name.clone());
            }
        }
        names
    };
    let before = open(&answer);
    assert!(before.len() >= 2, "{}", answer.text);
    // the profile says the same, and why
    let text = answer.text.clone();
    let profile = bench.profile(&ProfileRequest { text }).unwrap();
    for column in &profile.columns {
        assert_eq!(
            column.decide,
            before.contains(&column.name),
            "{}",
            column.name
        );
        let said = answer.text.replace("\n# ", " ");
        assert!(
            said.contains(&column.reason),
            "{}: {}",
            column.name,
            column.reason
        );
    }
    // another key of the column decides nothing, the role that it has does
    let path = ["columns", before[0].as_str(), "kind"];
    let kind = edited(&bench, &answer.text, &path, json!("category"));
    assert_eq!(open(&kind), before);
    let path = ["columns", before[0].as_str(), "role"];
    let dropped = edited(&bench, &answer.text, &path, json!("drop"));
    assert_eq!(open(&dropped), before[1..]);
    assert_eq!(
        dropped.text.replace("DECIDE: ", ""),
        answer.text.replace("DECIDE: ", "")
    );
    let path = ["columns", before[1].as_str(), "role"];
    let known = edited(&bench, &answer.text, &path, json!("quasi-identifier"));
    assert!(!open(&known).contains(&before[1]) && known.problem.is_none());
}

#[test]
fn rows_that_are_alone_in_all_quasi_identifiers_are_counted() {
    let (bench, _, _folder) = page();
    drop_file(&bench, "t.csv", b"a,b,c\n1,x,9\n1,x,8\n1,y,7\n2,y,6\n");
    let alone = |roles: [&str; 3]| {
        let mut text = "[data]\npath = \"t.csv\"\n".to_owned();
        for (column, role) in ["a", "b", "c"].iter().zip(roles) {
            text += &format!("[columns.{column}]\nrole = {role:?}\n");
        }
        let profile = bench.profile(&ProfileRequest { text }).unwrap();
        (profile.alone_together, profile.sample_rows)
    };
    let (known, kept) = ("quasi-identifier", "sensitive");
    assert_eq!(alone([known, kept, kept]), (1.0, 4.0));
    assert_eq!(alone([known, known, kept]), (2.0, 4.0));
    assert_eq!(alone([known, known, known]), (4.0, 4.0));
    assert_eq!(alone([kept, kept, kept]), (0.0, 4.0));
}

#[test]
fn a_hierarchy_is_checked_as_the_program_checks_it() {
    let (bench, text, _folder) = page();
    let findings = |draft| {
        let request = HierarchyRequest {
            text: text.clone(),
            column: "zip".into(),
            draft,
            limit: None,
        };
        let answer = bench.hierarchy(&request).unwrap();
        let texts: Vec<String> = answer.findings.into_iter().map(|f| f.text).collect();
        texts.join("\n")
    };
    assert_eq!(
        findings(HierarchyDraft::Prefix {
            lengths: vec![3, 1]
        }),
        "level 2 joins no values that level 1 tells apart"
    );
    let idle = findings(HierarchyDraft::Prefix {
        lengths: vec![5, 3],
    });
    assert!(idle.contains("level 1 joins no values"), "{idle}");
    let pasted = HierarchyDraft::Groups {
        text: "12300-12399;south\n".into(),
    };
    let request = HierarchyRequest {
        text: text.clone(),
        column: "zip".into(),
        draft: pasted,
        limit: None,
    };
    let answer = bench.hierarchy(&request).unwrap();
    let gap = &answer.findings[0];
    assert_eq!(gap.kind, HierarchyWeakness::NotCovered);
    assert_eq!(gap.values, Some(answer.gaps as u64));
    assert!(
        gap.place.as_ref().unwrap().starts_with("example/p"),
        "{gap:?}"
    );
    assert_eq!(findings(HierarchyDraft::Groups { text: " ".into() }), "");
}

#[test]
fn messages_call_dropped_files_by_their_names() {
    let (bench, _, _folder) = page();
    let bad: [(&str, &[u8]); 7] = [
        ("headerless.csv", b"17,3\n18,4\n17,5\n19,5\n"),
        ("ragged.csv", b"a,b\n1,2\n3\n"),
        ("nothing.csv", b""),
        ("bytes.csv", b"a,b\n\xff\xfe\x00,2\n"),
        ("book.xlsx", b"PK\x03\x04 no workbook"),
        ("lines.jsonl", b"{\"a\":1}\n[]\n"),
        ("table.parquet", b"PAR1 no table"),
    ];
    let mut said = Vec::new();
    for (name, content) in bad {
        drop_file(&bench, name, content);
        let request = ProposeRequest {
            files: vec![name.into()],
            provider_column: None,
        };
        let problem = bench.propose(&request).unwrap_err().problem;
        assert!(problem.text.contains(name), "{problem:?}");
        let text = format!(
            "[data]\npath = {name:?}\n[columns.a]\nrole = \"quasi-identifier\"\n[privacy]\nk = 2\n"
        );
        let profile = bench
            .profile(&ProfileRequest { text: text.clone() })
            .unwrap();
        said.push(json!([problem, profile.problem, planned(&bench, &text)]));
    }
    // hierarchies that are found, and do not fit
    drop_file(&bench, "t.csv", b"age,town\n30,a\n31,b\n32,c\n33,a\n34,b\n");
    drop_file(&bench, "town.csv", b"a;x;*\n\"b;x\n");
    drop_file(&bench, "age.csv", b"30;x;*\n");
    let files = vec!["t.csv".into()];
    let request = ProposeRequest {
        files,
        provider_column: None,
    };
    said.push(json!(bench.propose(&request).unwrap()));
    let text = "[data]\npath = \"t.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n[columns.town]\nrole = \"quasi-identifier\"\nhierarchy = \"town.csv\"\n[privacy]\nk = 2\n";
    let request = HierarchyRequest {
        text: text.into(),
        column: "town".into(),
        draft: HierarchyDraft::Current,
        limit: None,
    };
    said.push(json!([
        bench.hierarchy(&request).unwrap(),
        planned(&bench, text)
    ]));
    let text = text
        .replace("town.csv", "age.csv")
        .replace("columns.town", "columns.\"town\"");
    said.push(json!([
        planned(&bench, &text),
        planned(&bench, &text.replace("age.csv", "gone.csv"))
    ]));
    // another release that cannot be read
    drop_file(&bench, "releases/x/public/manifest.json", b"{");
    drop_file(&bench, "releases/y.csv", b"\"");
    for release in ["releases/x", "releases/y.csv", "releases/z"] {
        let ears = Ears::new();
        let request = AttackRequest {
            tab: "t".into(),
            text: "[data]\npath = \"t.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n[columns.town]\nrole = \"sensitive\"\n[privacy]\nk = 2\n".into(),
            releases: vec![release.into()],
            confirmed: false,
        };
        bench.attack(&request, &ears).unwrap();
        said.push(json!(ears.heard()));
    }
    let folder = bench.dropped.folder().display().to_string();
    for answer in said {
        let answer = answer.to_string();
        assert!(!answer.contains(&folder), "{answer}");
    }
}

#[test]
fn another_role_takes_out_what_would_have_no_effect() {
    let (bench, text, _folder) = page();
    let text = edited(&bench, &text, &["columns", "zip", "optional"], json!(true)).text;
    let text = edited(
        &bench,
        &text,
        &["columns", "zip", "order"],
        json!(["12345"]),
    )
    .text;
    for role in ["identifier", "insensitive", "drop"] {
        let answer = edited(&bench, &text, &["columns", "zip", "role"], json!(role));
        let code = answer
            .problem
            .map(|problem| problem.code)
            .unwrap_or_default();
        assert_ne!(code, "MG0108", "{role}: {}", answer.text);
        let zip = answer.view.unwrap().columns.remove(2);
        assert_eq!(
            (zip.role.as_str(), zip.hierarchy, zip.order),
            (role, None, None)
        );
        let kept = if role == "insensitive" {
            Some("category")
        } else {
            None
        };
        assert_eq!(zip.kind.as_deref(), kept, "{role}");
    }
    for role in ["quasi-identifier", "sensitive"] {
        let answer = edited(&bench, &text, &["columns", "zip", "role"], json!(role));
        assert_eq!(answer.text.matches("mask = 5").count(), 1, "{role}");
    }
    // a key of another column stays
    let answer = edited(&bench, &text, &["columns", "age", "role"], json!("drop"));
    assert!(answer.text.contains("mask = 5"));
}
