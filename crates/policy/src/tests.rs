use super::*;
use mingle_anonymize::{LabelForm, SearchAim, SearchEffort};
use mingle_model::{HierarchySource, Kind};
use mingle_privacy::composition::CompositionLimits;
use mingle_privacy::{Attribute, Distance, Insiders, K, L, M, Promise, Ratio, Rule, Strategy};

const COLUMNS: &str = "\
[columns.name]
role = \"identifier\"
[columns.zip]
role = \"quasi-identifier\"
[columns.age]
role = \"quasi-identifier\"
[columns.disease]
role = \"sensitive\"
[columns.income]
role = \"sensitive\"
";

fn parse(text: &str) -> Result<Policy, Problem> {
    Policy::parse(Path::new("p.toml"), text.to_owned(), &[])
}

fn with_privacy(privacy: &str) -> Result<Policy, Problem> {
    parse(&format!("{COLUMNS}[privacy]\n{privacy}"))
}

/// The code of the problem, after checking that all parts of the message are there.
#[track_caller]
fn refused(policy: Result<Policy, Problem>, parts: &[&str]) -> ProblemCode {
    let problem = policy.map(|_| ()).expect_err("this policy must be refused");
    let shown = format!("{problem:?}");
    for part in parts {
        assert!(shown.contains(part), "{part} is not in {shown}");
    }
    problem.code()
}

#[track_caller]
fn promises(privacy: &str) -> Vec<Promise> {
    with_privacy(privacy)
        .expect("this policy must be accepted")
        .privacy()
        .unwrap()
        .promises
        .clone()
}

fn column(rule: Rule, column: usize) -> Promise {
    Promise {
        rule,
        attribute: Some(Attribute::Column(column)),
    }
}

#[test]
fn a_full_policy_is_understood() {
    let policy = parse(
        r#"
        [data]
        path = "t.csv"
        provider_column = "site"
        missing = ["NA"]
        undeclared = "drop"
        delimiter = ";"
        [columns.b]
        role = "quasi-identifier"
        kind = "category"
        hierarchy = { mask = 3 }
        [columns.a]
        role = "quasi-identifier"
        hierarchy = { intervals = [0.5, 5, 10] }
        [columns.d]
        role = "quasi-identifier"
        hierarchy = { dates = true }
        [columns.s]
        role = "sensitive"
        hierarchy = "s.csv"
        [columns."odd name"]
        role = "insensitive"
        kind = "date"
        [privacy]
        m = 0
        k = 1_000
        t = { max = 0.2, distance = "hierarchical" }
        [method]
        name = "mondrian"
        verification = "exact"
        seed = 7
        ranges = "tight"
        max_suppressed = 0.01
        [release]
        format = "parquet"
        fragmented = false
        publish_utility = true
        "#,
    )
    .unwrap();
    let names: Vec<&str> = policy
        .columns
        .iter()
        .map(|c| c.spec.name.as_str())
        .collect();
    assert_eq!(names, ["b", "a", "d", "s", "odd name"]);
    assert_eq!(policy.columns[0].spec.kind, Some(Kind::Category));
    assert!(matches!(
        &policy.columns[0].hierarchy,
        Some(DeclaredHierarchy::Made(HierarchySource::Mask(3)))
    ));
    assert!(
        matches!(&policy.columns[2].hierarchy, Some(DeclaredHierarchy::Made(HierarchySource::Dates(l))) if l.len() == 4)
    );
    assert!(
        matches!(&policy.columns[3].hierarchy, Some(DeclaredHierarchy::File(f, _)) if f == "s.csv")
    );
    assert_eq!(policy.data.missing.texts(), ["NA"]);
    assert!(policy.data.drop_undeclared && policy.data.format.delimiter == Some(b';'));
    assert_eq!(policy.k(), 1000);
    assert_eq!((policy.method.name, policy.method.seed), ("mondrian", 7));
    assert_eq!(policy.method.max_suppressed, Ratio::new(1, 100).unwrap());
    assert!(policy.release.publish_utility);
    let document = serde_json::to_value(&policy.document).unwrap();
    assert_eq!(document["privacy"]["t"]["max"], 0.2);
}

#[test]
fn promises_come_in_a_fixed_order_with_exact_numbers() {
    let fifth = Ratio::new(1, 5).unwrap();
    let half = Ratio::new(1, 2).unwrap();
    let t = Rule::t_closeness(fifth, Distance::Equal);
    let f = Rule::max_frequency(half);
    let found = promises("t = { max = 0.2 }\nmax_frequency = 5e-1\nk = 2");
    let expected = [
        Promise {
            rule: Rule::k_anonymity(K(2)),
            attribute: None,
        },
        column(t, 0),
        column(f, 0),
        column(t, 1),
        column(f, 1),
    ];
    assert_eq!(found, expected);
}

#[test]
fn overrides_replace_and_add() {
    let found = promises(
        "l = { distinct = 2 }\n[privacy.sensitive.income]\nmax_frequency = 0.5\nl = { recursive = { c = 2.5, l = 3 } }",
    );
    let c = Ratio::new(5, 2).unwrap();
    let expected = [
        column(Rule::distinct_diversity(L(2)), 0),
        column(Rule::recursive_diversity(c, L(3)), 1),
        column(Rule::max_frequency(Ratio::new(1, 2).unwrap()), 1),
    ];
    assert_eq!(found, expected);
}

#[test]
fn joint_adds_and_never_replaces() {
    let found = promises("k = 2\nl = { entropy = 1.5 }\nt = { max = 0.5 }\njoint = true");
    assert_eq!(found.len(), 6);
    let l = Rule::entropy_diversity(Ratio::new(3, 2).unwrap());
    assert_eq!(
        found[5],
        Promise {
            rule: l,
            attribute: Some(Attribute::Joint)
        }
    );
    assert_eq!(
        refused(with_privacy("k = 2\njoint = true"), &["p.toml:13:9"]),
        ProblemCode::UselessKey
    );
    let one = "[columns.s]\nrole = \"sensitive\"\n[privacy]\nl = { distinct = 2 }\njoint = true";
    assert_eq!(
        refused(parse(one), &["two or more"]),
        ProblemCode::NoSensitive
    );
}

#[test]
fn unknown_keys_at_every_level() {
    for (text, place, suggestion) in [
        (
            "[colums.a]\nrole = \"sensitive\"",
            "p.toml:1:2",
            "`columns`",
        ),
        ("[columns.a]\nrol = \"sensitive\"", "p.toml:2:1", "`role`"),
        (
            "[columns.a]\nrole = \"sensitive\"\nhierarchy = { masc = 2 }",
            "p.toml:3:15",
            "`mask`",
        ),
        (
            "[data]\nprovider = []\n[columns.a]\nrole = \"sensitive\"",
            "p.toml:2:1",
            "`providers`",
        ),
        (
            "[data]\nproviders = [{ nam = \"x\", path = \"y\" }]\n[columns.a]\nrole = \"sensitive\"",
            "p.toml:2:16",
            "`name`",
        ),
        (
            "[columns.a]\nrole = \"sensitive\"\n[privacy]\nkk = 1",
            "p.toml:4:1",
            "`k`",
        ),
        (
            "[columns.a]\nrole = \"sensitive\"\n[privacy]\nl = { distict = 2 }",
            "p.toml:4:7",
            "`distinct`",
        ),
        (
            "[columns.a]\nrole = \"sensitive\"\n[privacy]\nl = { recursive = { c = 1, ll = 2 } }",
            "p.toml:4:28",
            "`l`",
        ),
        (
            "[columns.a]\nrole = \"sensitive\"\n[privacy]\nt = { maximum = 0.1 }",
            "p.toml:4:7",
            "`max`",
        ),
        (
            "[columns.a]\nrole = \"sensitive\"\n[privacy.sensitive.a]\nk = 1",
            "p.toml:4:1",
            "l, t, max_frequency",
        ),
        (
            "[columns.a]\nrole = \"sensitive\"\n[privacy]\nk = 1\n[method]\nnam = \"x\"",
            "p.toml:6:1",
            "`name`",
        ),
        (
            "[columns.a]\nrole = \"sensitive\"\n[privacy]\nk = 1\n[release]\nformt = \"x\"",
            "p.toml:6:1",
            "`format`",
        ),
    ] {
        assert_eq!(
            refused(parse(text), &[place, suggestion, "valid keys: "]),
            ProblemCode::UnknownKey,
            "{text}"
        );
    }
}

#[test]
fn numbers_out_of_range() {
    for (line, place) in [
        ("k = 0", ":12:5"),
        ("k = -1", ":12:5"),
        ("k = 2.5", ":12:5"),
        ("k = 99999999999999999999", ":12:5"),
        ("m = -1\nk = 2", ":12:5"),
        ("m = 1.5\nk = 2", ":12:5"),
        ("m = 1.0\nk = 2", ":12:5"),
        ("m = 99999999999999999999\nk = 2", ":12:5"),
        ("l = { distinct = 0 }", ":12:18"),
        ("l = { distinct = 1.5 }", ":12:18"),
        ("l = { entropy = 0.5 }", ":12:17"),
        ("l = { entropy = -2 }", ":12:17"),
        ("l = { recursive = { c = 0, l = 2 } }", ":12:19"),
        ("l = { recursive = { c = 1, l = 0 } }", ":12:32"),
        ("t = { max = 1.5 }", ":12:13"),
        ("t = { max = -0.1 }", ":12:13"),
        ("t = { max = nan }", ":12:13"),
        ("t = { max = inf }", ":12:13"),
        ("max_frequency = 0", ":12:17"),
        ("max_frequency = 1.0000000000000000001", ":12:17"),
    ] {
        assert_eq!(
            refused(with_privacy(line), &[place]),
            ProblemCode::OutOfRange,
            "{line}"
        );
    }
}

#[test]
fn values_of_the_wrong_form() {
    for line in [
        "k = \"5\"",
        "m = \"1\"\nk = 2",
        "m = true\nk = 2",
        "k = true",
        "k = [5]",
        "l = 2",
        "l = {}",
        "t = 0.2",
        "joint = 1\nk = 2",
        "k = 2001-01-01",
    ] {
        assert_eq!(
            refused(with_privacy(line), &["p.toml:12:"]),
            ProblemCode::WrongValue,
            "{line}"
        );
    }
}

#[test]
fn unknown_words_get_a_suggestion() {
    let role = parse("[columns.a]\nrole = \"quasi-identifer\"\n[privacy]\nk = 1");
    assert_eq!(
        refused(role, &["p.toml:2:8", "quasi-identifier"]),
        ProblemCode::UnknownWord
    );
    let kind = parse("[columns.a]\nrole = \"sensitive\"\nkind = \"int\"\n[privacy]\nk = 1");
    assert_eq!(
        refused(kind, &["p.toml:3:8", "integer"]),
        ProblemCode::UnknownWord
    );
    assert_eq!(
        refused(
            with_privacy("t = { max = 1, distance = \"equals\" }"),
            &["equal"]
        ),
        ProblemCode::UnknownWord
    );
}

#[test]
fn columns_that_contradict_themselves() {
    let of = |lines: &str| parse(&format!("[columns.a]\n{lines}\n[privacy]\nk = 1"));
    let code = refused(
        of("role = \"identifier\"\nhierarchy = { mask = 2 }"),
        &["p.toml:3:1"],
    );
    assert_eq!(code, ProblemCode::UselessKey);
    assert_eq!(
        refused(
            of("role = \"insensitive\"\norder = [\"a\"]"),
            &["p.toml:3:1"]
        ),
        ProblemCode::UselessKey
    );
    let numbers = "role = \"sensitive\"\nkind = \"integer\"\norder = [\"a\"]";
    assert_eq!(
        refused(of(numbers), &["p.toml:4:9"]),
        ProblemCode::UselessKey
    );
    assert_eq!(
        refused(
            of("role = \"sensitive\"\norder = [\"a\", \"b\", \"a\"]"),
            &["place 3"]
        ),
        ProblemCode::WrongValue
    );
    assert_eq!(
        refused(of("kind = \"integer\""), &["p.toml:1:10", "no role"]),
        ProblemCode::MissingKey
    );
    for hierarchy in ["3", "{}", "{ mask = 1, dates = true }"] {
        let lines = format!("role = \"sensitive\"\nhierarchy = {hierarchy}");
        assert_eq!(
            refused(of(&lines), &["p.toml:3:13"]),
            ProblemCode::WrongValue,
            "{hierarchy}"
        );
    }
    for hierarchy in [
        "{ mask = 0 }",
        "{ intervals = [] }",
        "{ intervals = [5, 5] }",
        "{ intervals = [-1] }",
        "{ dates = [\"year\", \"month\"] }",
    ] {
        let lines = format!("role = \"sensitive\"\nhierarchy = {hierarchy}");
        assert_eq!(
            refused(of(&lines), &["p.toml:3:"]),
            ProblemCode::OutOfRange,
            "{hierarchy}"
        );
    }
}

#[test]
fn constraints_without_their_column() {
    let none = "[columns.a]\nrole = \"quasi-identifier\"\n[privacy]\nk = 2\nl = { distinct = 2 }";
    assert_eq!(
        refused(parse(none), &["p.toml:5:1"]),
        ProblemCode::NoSensitive
    );
    let other = "k = 2\n[privacy.sensitive.diseas]\nl = { distinct = 2 }";
    assert_eq!(
        refused(
            with_privacy(other),
            &["p.toml:13:20", "did you mean `disease`"]
        ),
        ProblemCode::NoSensitive
    );
    let quasi = "k = 2\n[privacy.sensitive.age]\nl = { distinct = 2 }";
    assert_eq!(
        refused(with_privacy(quasi), &["sensitive columns: disease, income"]),
        ProblemCode::NoSensitive
    );
    let distance = "t = { max = 0.1, distance = \"hierarchical\" }";
    assert_eq!(
        refused(with_privacy(distance), &["p.toml:12:1", "disease"]),
        ProblemCode::Contradiction
    );
    assert_eq!(
        refused(with_privacy(""), &["promises nothing"]),
        ProblemCode::NothingPromised
    );
}

#[test]
fn tables_and_providers() {
    let of = |lines: &str| {
        parse(&format!(
            "{COLUMNS}[privacy]\nm = 0\nk = 2\n[data]\n{lines}"
        ))
    };
    let both = "providers = [{ name = \"a\", path = \"a.csv\" }]\npath = \"b.csv\"";
    assert_eq!(
        refused(of(both), &["p.toml:15:"]),
        ProblemCode::Contradiction
    );
    let twice =
        "providers = [{ name = \"a\", path = \"a.csv\" },\n{ name = \"a\", path = \"b.csv\" }]";
    assert_eq!(
        refused(of(twice), &["p.toml:16:10", "listed twice"]),
        ProblemCode::ListedTwice
    );
    let table =
        "providers = [{ name = \"a\", path = \"a.csv\" },\n{ name = \"b\", path = \"a.csv\" }]";
    assert_eq!(
        refused(of(table), &["p.toml:16:22", "listed twice"]),
        ProblemCode::ListedTwice
    );
    assert_eq!(
        refused(of("providers = [{ name = \"a\" }]"), &["path"]),
        ProblemCode::MissingKey
    );
    assert_eq!(
        refused(of("providers = []"), &["empty"]),
        ProblemCode::WrongValue
    );
    assert_eq!(
        refused(of("path = \"\""), &["empty"]),
        ProblemCode::WrongValue
    );
    let column = "path = \"a.csv\"\nprovider_column = \"age\"";
    assert_eq!(
        refused(of(column), &["p.toml:16:19"]),
        ProblemCode::Contradiction
    );
    let mixed = "providers = [{ name = \"a\", path = \"a.csv\" }]\nprovider_column = \"site\"";
    assert_eq!(
        refused(of(mixed), &["p.toml:16:19"]),
        ProblemCode::Contradiction
    );
    for delimiter in ["", ";;", "a", "\\n", "\\\"", "é"] {
        assert_eq!(
            refused(of(&format!("delimiter = \"{delimiter}\"")), &["delimiter"]),
            ProblemCode::WrongValue
        );
    }
    assert_eq!(
        refused(of("undeclared = \"ignore\""), &["drop"]),
        ProblemCode::UnknownWord
    );
}

#[test]
fn centroids_need_microaggregation_all_rows_and_no_insiders() {
    let centroids = "[method]\nname = \"microaggregation\"\noutput = \"centroid\"";
    let policy = with_privacy(&format!("m = 0\nk = 2\n{centroids}")).unwrap();
    assert_eq!(
        policy.method.output,
        mingle_anonymize::GroupRepresentative::Centroid
    );
    assert!(with_privacy(&format!("k = 2\n{centroids}")).is_ok());
    assert!(with_privacy("k = 2\n[method]\nname = \"mondrian\"\noutput = \"range\"").is_ok());
    for (lines, about) in [
        (format!("m = 1\nk = 2\n{centroids}"), "insiders"),
        (
            format!("k = 2\n{centroids}\nmax_suppressed = 0.1"),
            "max_suppressed",
        ),
        (format!("k = 2\n{centroids}\nranges = \"cell\""), "cells"),
        (
            format!("k = 2\n{centroids}\n[composition]\nagainst = [\"x\"]"),
            "[composition]",
        ),
        (
            "k = 2\n[method]\noutput = \"centroid\"".to_owned(),
            "agglomerative",
        ),
        (
            "k = 2\n[method]\nname = \"datafly\"\noutput = \"centroid\"".to_owned(),
            "datafly",
        ),
    ] {
        assert_eq!(
            refused(with_privacy(&lines), &[about]),
            ProblemCode::Contradiction,
            "{lines}"
        );
    }
    let word = with_privacy("k = 2\n[method]\noutput = \"centroids\"");
    assert_eq!(
        refused(word, &["p.toml:14:10", "one of: range, centroid"]),
        ProblemCode::UnknownWord
    );
}

#[test]
fn cells_need_a_method_that_has_them_and_keeps_all_rows() {
    let policy = |method: &str| {
        parse(&format!(
            "[data]\npath = \"t.csv\"\n[columns.a]\nrole = \"quasi-identifier\"\n[privacy]\nk = 2\n{method}"
        ))
    };
    let suppressing = "[method]\nname = \"mondrian\"\nranges = \"cell\"\nmax_suppressed = 0.1";
    assert_eq!(
        refused(
            policy("[method]\nranges = \"cell\""),
            &["agglomerative", "cells"]
        ),
        ProblemCode::Contradiction
    );
    assert_eq!(
        refused(policy(suppressing), &["max_suppressed"]),
        ProblemCode::Contradiction
    );
    assert!(policy("[method]\nname = \"mondrian\"\nranges = \"cell\"").is_ok());
}

#[test]
fn a_method_refuses_a_setting_that_it_would_ignore() {
    let read = |lines: &str| with_privacy(&format!("k = 2\nm = 0\n[method]\n{lines}"));
    let settings = |lines: &str| read(lines).map(|policy| policy.method.settings);
    let all = "effort = \"best\"\noptimize = \"queries\"\nlabels = \"sets\"\nmax_label_values = 3";
    let expected = MethodSettings {
        effort: SearchEffort::Best,
        aim: SearchAim::Queries,
        labels: LabelForm::Sets,
        max_label_values: 3,
    };
    assert_eq!(settings(all).unwrap(), expected);
    assert_eq!(settings("seed = 1").unwrap(), MethodSettings::default());
    assert_eq!(MethodSettings::default().max_label_values, 8);
    let sets = settings("name = \"mondrian\"\nlabels = \"sets\"\nmax_label_values = 2").unwrap();
    assert_eq!((sets.labels, sets.max_label_values), (LabelForm::Sets, 2));
    // what is so anyway may be said of every method
    let defaults =
        "effort = \"normal\"\noptimize = \"ncp\"\nlabels = \"hierarchy\"\nmax_label_values = 8";
    assert!(settings(&format!("name = \"datafly\"\n{defaults}")).is_ok());
    let centroids = "name = \"microaggregation\"\noutput = \"centroid\"";
    for (lines, about) in [
        (
            "name = \"mondrian\"\neffort = \"quick\"".to_owned(),
            "method.effort",
        ),
        (
            "name = \"microaggregation\"\noptimize = \"queries\"".to_owned(),
            "method.optimize",
        ),
        (
            "name = \"datafly\"\nlabels = \"sets\"".to_owned(),
            "method.labels",
        ),
        (
            "name = \"datafly\"\nmax_label_values = 9".to_owned(),
            "method.max_label_values",
        ),
        (format!("{centroids}\nmax_label_values = 9"), "centroid"),
    ] {
        assert_eq!(
            refused(read(&lines), &[about]),
            ProblemCode::Contradiction,
            "{lines}"
        );
    }
    for (lines, code) in [
        ("max_label_values = 1", ProblemCode::OutOfRange),
        ("max_label_values = 2.5", ProblemCode::OutOfRange),
        ("max_label_values = \"all\"", ProblemCode::WrongValue),
        ("effort = \"fast\"", ProblemCode::UnknownWord),
        ("optimize = \"discernibility\"", ProblemCode::UnknownWord),
        ("labels = \"ranges\"", ProblemCode::UnknownWord),
    ] {
        assert_eq!(refused(read(lines), &["method."]), code, "{lines}");
    }
}

#[test]
fn insiders_are_one_by_default_where_there_are_several_providers() {
    let insiders =
        |lines: &str, providers| with_privacy(lines).unwrap().insiders(providers).unwrap();
    assert_eq!(insiders("k = 2", 0), Insiders::NONE);
    assert_eq!(insiders("k = 2", 1), Insiders::NONE);
    assert_eq!(insiders("k = 2", 2), Insiders::victim(M(1)));
    assert_eq!(insiders("k = 2\nm = 0", 9), Insiders::NONE);
    assert_eq!(insiders("k = 2\nm = 7", 2), Insiders::victim(M(7)));
    assert_eq!(
        set(&["privacy.m=2"]).unwrap().insiders(1).unwrap(),
        Insiders::victim(M(2))
    );
}

#[test]
fn semantics_and_what_goes_with_them() {
    let insiders = |lines: &str| with_privacy(lines).unwrap().insiders(2).unwrap();
    assert_eq!(
        insiders("k = 2\nsemantics = \"victim\""),
        Insiders::victim(M(1))
    );
    assert_eq!(
        insiders("k = 2\nsemantics = \"strict\""),
        Insiders::strict(M(1), 1)
    );
    assert_eq!(
        insiders("k = 2\nm = 0\nsemantics = \"strict\"\nsite_diversity = 3"),
        Insiders::strict(M(0), 3)
    );
    for lines in [
        "k = 2\nsite_diversity = 2",
        "k = 2\nsite_diversity = 1\nsemantics = \"victim\"",
    ] {
        assert_eq!(
            refused(with_privacy(lines), &["p.toml:13:18", "strict"]),
            ProblemCode::Contradiction
        );
    }
    let zero = "k = 2\nsemantics = \"strict\"\nsite_diversity = 0";
    assert_eq!(
        refused(with_privacy(zero), &["p.toml:14:18", "at least 1"]),
        ProblemCode::OutOfRange
    );
    let word = with_privacy("k = 2\nsemantics = \"stric\"");
    assert_eq!(
        refused(word, &["p.toml:13:13", "did you mean", "strict", "victim"]),
        ProblemCode::UnknownWord
    );
}

#[test]
fn every_strategy_has_a_name_and_some_do_not_fit() {
    for strategy in Strategy::ALL {
        let name = strategy.name();
        let policy = with_privacy(&format!(
            "k = 2\nl = {{ distinct = 2 }}\n[method]\nverification = \"{name}\""
        ));
        assert_eq!(policy.unwrap().method.verification, strategy);
        for other in [
            "l = { entropy = 2 }",
            "t = { max = 0.5 }",
            "max_frequency = 0.5",
            "l = { recursive = { c = 2, l = 2 } }",
        ] {
            let policy = with_privacy(&format!(
                "k = 2\n{other}\n[method]\nverification = \"{name}\""
            ));
            if strategy.needs_monotone() {
                let code = refused(
                    policy,
                    &["p.toml:15:16", name, "is not so for", "use verification = "],
                );
                assert_eq!(code, ProblemCode::Contradiction);
            } else {
                assert!(policy.is_ok(), "{name}, {other}")
            }
        }
    }
    let word = with_privacy("k = 2\n[method]\nverification = \"topdown\"");
    assert_eq!(
        refused(word, &["p.toml:14:16", "top-down"]),
        ProblemCode::UnknownWord
    );
}

#[test]
fn methods_are_those_of_the_anonymizers() {
    for name in mingle_anonymize::method_names() {
        let policy = with_privacy(&format!("k = 2\n[method]\nname = \"{name}\"")).unwrap();
        assert_eq!(policy.method.name, name);
    }
    let Err(problem) = with_privacy("k = 2\n[method]\nname = \"provider-awar\"") else {
        panic!()
    };
    assert_eq!(format!("{problem:?}").matches("provider-aware,").count(), 1);
}

#[test]
fn ten_thousand_providers_are_listed() {
    let list: Vec<String> = (0..10_000)
        .map(|i| format!("{{ name = \"p{i}\", path = \"{i}.csv\" }}"))
        .collect();
    let policy = |list: &[String]| {
        parse(&format!(
            "[data]\nproviders = [{}]\n{COLUMNS}[privacy]\nk = 2",
            list.join(",\n")
        ))
    };
    assert_eq!(policy(&list).unwrap().data.listed_providers(), 10_000);
    let twice = [&list[..], &list[7..8]].concat();
    assert_eq!(
        refused(policy(&twice), &["p.toml:10002:", "listed twice"]),
        ProblemCode::ListedTwice
    );
}

#[test]
fn syntax_errors_have_a_place() {
    for (text, place) in [
        ("k = ", "p.toml:1:"),
        ("[privacy]\nk = 1\n[privacy]\n", "p.toml:3:"),
        ("[privacy]\nk = 1\nk = 2\n", "p.toml:3:"),
        ("[columns.a\nrole = 1", "p.toml:1:"),
    ] {
        assert_eq!(
            refused(parse(text), &[place]),
            ProblemCode::PolicySyntax,
            "{text}"
        );
    }
    assert_eq!(refused(parse(""), &["columns"]), ProblemCode::MissingKey);
    assert_eq!(
        refused(parse("[columns]\n[privacy]\nk = 1"), &["no column"]),
        ProblemCode::MissingKey
    );
    assert_eq!(
        refused(parse("columns = 3"), &["a table"]),
        ProblemCode::WrongValue
    );
}

fn set(flags: &[&str]) -> Result<Policy, Problem> {
    let flags: Vec<String> = flags.iter().map(|f| (*f).to_owned()).collect();
    Policy::parse(
        Path::new("p.toml"),
        format!("{COLUMNS}[privacy]\nk = 2\nl = {{ distinct = 2 }}"),
        &flags,
    )
}

#[test]
fn flags_override_any_key() {
    let policy = set(&[
        "privacy.k=10",
        "release.format=parquet",
        "columns.\"zip\".hierarchy={ mask = 4 }",
    ])
    .unwrap();
    assert_eq!((policy.k(), policy.release.format.name()), (10, "parquet"));
    assert!(matches!(
        policy.columns[1].hierarchy,
        Some(DeclaredHierarchy::Made(HierarchySource::Mask(4)))
    ));
    let document = serde_json::to_value(&policy.document).unwrap();
    assert_eq!(document["privacy"]["k"], 10);
    let replaced = set(&["privacy.l={ entropy = 1.2 }"]).unwrap();
    assert_eq!(
        replaced.privacy().unwrap().promises[1].rule.name(),
        "entropy-l-diversity"
    );
    assert_eq!(set(&["privacy.k=3", "privacy.k=4"]).unwrap().k(), 4);
    let path = set(&["data.path=some file.csv"]).unwrap();
    assert!(
        matches!(&path.data.tables, Some(Tables::One(input)) if input.name() == "some file.csv")
    );
}

#[test]
fn wrong_flags_are_named() {
    assert_eq!(
        refused(set(&["privacy.k"]), &["--set privacy.k:", "KEY=VALUE"]),
        ProblemCode::SetFlag
    );
    assert_eq!(refused(set(&["=3"]), &["KEY=VALUE"]), ProblemCode::SetFlag);
    assert_eq!(
        refused(set(&["privacy..k=3"]), &["KEY=VALUE"]),
        ProblemCode::SetFlag
    );
    assert_eq!(
        refused(set(&["privacy.k.x=3"]), &["--set privacy.k.x=3", "no keys"]),
        ProblemCode::SetFlag
    );
    assert_eq!(
        refused(set(&["privacy.kk=3"]), &["--set privacy.kk=3", "`k`"]),
        ProblemCode::UnknownKey
    );
    assert_eq!(
        refused(
            set(&["privacy.k=zero"]),
            &["--set privacy.k=zero", "a whole number"]
        ),
        ProblemCode::WrongValue
    );
    assert_eq!(
        refused(set(&["privacy.k=0"]), &["--set privacy.k=0"]),
        ProblemCode::OutOfRange
    );
    assert_eq!(
        refused(
            set(&["privacy.l={ distict = 2 }"]),
            &["--set privacy.l", "`distinct`"]
        ),
        ProblemCode::UnknownKey
    );
    assert_eq!(
        refused(set(&["method.name=mikro"]), &["--set method.name=mikro"]),
        ProblemCode::UnknownWord
    );
}

#[test]
fn composition_says_what_it_is_against_and_what_is_tolerated() {
    let read = |lines: &str| {
        with_privacy(&format!("k = 2\n{lines}")).map(|policy| policy.composition.unwrap())
    };
    let plain =
        read("[composition]\nagainst = [\"x/\", { path = \"y.csv\", policy = \"y.toml\" }]")
            .ok()
            .unwrap();
    assert_eq!(
        plain
            .against
            .iter()
            .map(|o| o.name.as_str())
            .collect::<Vec<_>>(),
        ["x/", "y.csv"]
    );
    assert!(plain.against[0].policy.is_none() && plain.against[1].policy.is_some());
    // nothing said means that nobody may be breached
    assert_eq!(plain.limits, CompositionLimits::default());
    assert!(!plain.mitigate);
    let some = "[composition]\nagainst = [\"x/\"]\n";
    let limits = |lines: &str| read(&format!("{some}{lines}")).ok().unwrap().limits;
    assert_eq!(limits("min_posterior = 3").max_perfect_breach, None);
    assert_eq!(
        limits("max_perfect_breach = 0.05").max_perfect_breach,
        Some(Ratio::new(1, 20).unwrap())
    );
    for (lines, says, code) in [
        (
            "[composition]\nmitigate = true",
            "against",
            ProblemCode::MissingKey,
        ),
        (
            "[composition]\nagainst = []",
            "no other release",
            ProblemCode::MissingKey,
        ),
        (
            "[composition]\nagainst = \"x\"",
            "composition.against",
            ProblemCode::WrongValue,
        ),
        (
            "[composition]\nagainst = [3]",
            "composition.against",
            ProblemCode::WrongValue,
        ),
        (
            "[composition]\nagainst = [{ policy = \"x\" }]",
            "path",
            ProblemCode::MissingKey,
        ),
        (
            "[composition]\nagainst = [\"x\"]\nmax_perfect_breach = 2",
            "at most 1",
            ProblemCode::OutOfRange,
        ),
        (
            "[composition]\nagainst = [\"x\"]\nmin_posterior = 0",
            "min_posterior",
            ProblemCode::OutOfRange,
        ),
        (
            "[composition]\nagainst = [\"x\"]\nmitigat = true",
            "mitigate",
            ProblemCode::UnknownKey,
        ),
        (
            "[composition]\nagainst = [\"x\"]\nmitigate = true\n[method]\nname = \"mondrian\"\nranges = \"cell\"",
            "ranges",
            ProblemCode::Contradiction,
        ),
    ] {
        assert_eq!(
            refused(with_privacy(&format!("k = 2\n{lines}")), &[says]),
            code,
            "{lines}"
        );
    }
}

/// A policy with one column of a domain, and `[dp]`. The domain stands on line 3.
fn with_domain(domain: &str) -> Result<Policy, Problem> {
    parse(&format!(
        "[columns.a]\nrole = \"sensitive\"\ndomain = {domain}\n[dp]\nepsilon = 1"
    ))
}

#[track_caller]
fn form(domain: &str) -> (Kind, Form) {
    let policy = with_domain(domain).unwrap();
    let domain = policy.columns[0].domain.as_ref().unwrap();
    (domain.kind(), domain.form.clone())
}

#[track_caller]
fn bins(domain: &str) -> (Kind, u8, i128, Vec<i128>, i128) {
    match form(domain) {
        (kind, Form::Bins(_, bins)) => (kind, bins.scale, bins.step, bins.starts, bins.last),
        _ => panic!("no bins"),
    }
}

#[test]
fn domains_of_words_and_levels() {
    for domain in [
        "[\"x\", \"y\"]",
        "{ values = [\"x\", \"y\"], other = \"z\", missing = true }",
    ] {
        let (kind, form) = form(domain);
        let Form::Words(mingle_dp::DeclaredValues::Categories { labels, .. }) = form else {
            panic!()
        };
        assert_eq!(
            (kind, labels),
            (Kind::Category, vec!["x".to_owned(), "y".to_owned()])
        );
    }
    assert!(matches!(
        form("\"hierarchy\""),
        (Kind::Category, Form::Level(0))
    ));
    assert!(matches!(
        form("{ level = 2 }"),
        (Kind::Category, Form::Level(2))
    ));
    let declared =
        with_domain("{ values = [\"x\"], other = \"z\", missing = true, confirmed = false }")
            .unwrap();
    let domain = declared.columns[0].domain.as_ref().unwrap();
    assert_eq!(
        (domain.other.as_deref(), domain.missing, domain.confirmed),
        (Some("z"), true, false)
    );
}

#[test]
fn kinds_of_bins_follow_from_how_they_are_written() {
    let tens = (Kind::Integer, 0, 1, vec![10, 20, 30], 40);
    assert_eq!(bins("{ from = 10, to = 40, width = 10 }"), tens);
    assert_eq!(bins("{ edges = [10, 20, 30, 40] }"), tens);
    assert_eq!(
        bins("{ from = 0, to = 9, bins = 2 }"),
        (Kind::Integer, 0, 1, vec![0, 5], 9)
    );
    assert_eq!(
        bins("{ from = -5, to = 5, width = 5 }"),
        (Kind::Integer, 0, 1, vec![-5, 0], 5)
    );
    assert_eq!(
        bins("{ from = 0.0, to = 1.0, width = 0.5 }"),
        (Kind::Decimal, 1, 1, vec![0, 5], 10)
    );
    assert_eq!(
        bins("{ from = 0, to = 1, bins = 2, step = 0.25 }"),
        (Kind::Decimal, 2, 25, vec![0, 50], 100)
    );
    assert_eq!(
        bins("{ edges = [0, 1e-1, 1] }"),
        (Kind::Decimal, 1, 1, vec![0, 1], 10)
    );
    let days = bins("{ from = \"2001-01-01\", to = \"2001-01-10\", width = 3 }");
    assert_eq!(
        (days.0, days.2, days.3.len(), days.4 - days.3[0]),
        (Kind::Date, 1, 3, 9)
    );
    let (_, Form::Bins(_, private)) = form("{ from = 0, to = 120, private_bins = 8 }") else {
        panic!()
    };
    assert_eq!(private.private, Some(8));
    let decimal = "[columns.a]\nrole = \"sensitive\"\nkind = \"decimal\"\ndomain = { from = 0, to = 9, bins = 3 }";
    let policy = parse(&format!("{decimal}\n[dp]\nepsilon = 1")).unwrap();
    assert_eq!(
        policy.columns[0].domain.as_ref().unwrap().kind(),
        Kind::Decimal
    );
}

#[test]
fn domains_that_cannot_be() {
    for (domain, says, code) in [
        ("3", "which values", ProblemCode::DomainUnusable),
        ("\"hierarchies\"", "hierarchy", ProblemCode::UnknownWord),
        ("[]", "no value", ProblemCode::DomainUnusable),
        (
            "[\"x\", \"y\", \"x\"]",
            "twice, at place 3",
            ProblemCode::DomainUnusable,
        ),
        ("[1, 2]", "a string in quotes", ProblemCode::WrongValue),
        ("{}", "which values", ProblemCode::DomainUnusable),
        (
            "{ from = 0, to = 9 }",
            "`width`, `bins`",
            ProblemCode::DomainUnusable,
        ),
        ("{ to = 9, width = 1 }", "from", ProblemCode::MissingKey),
        ("{ from = 9, width = 1 }", "to", ProblemCode::MissingKey),
        (
            "{ from = 0, to = 9, width = 1, bins = 3 }",
            "both `width` and `bins`",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ values = [\"x\"], level = 1 }",
            "both `values` and `level`",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ from = 0, values = [\"x\"] }",
            "does not go with `values`",
            ProblemCode::UselessKey,
        ),
        (
            "{ edges = [0, 1], to = 3 }",
            "does not go with `edges`",
            ProblemCode::UselessKey,
        ),
        (
            "{ level = 1, step = 3 }",
            "does not go with `level`",
            ProblemCode::UselessKey,
        ),
        (
            "{ from = 9, to = 0, width = 1 }",
            "from` must be below",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ from = 0, to = 0, bins = 1 }",
            "from` must be below",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ from = 0, to = 9, width = 0 }",
            "width` must be above zero",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ from = 0, to = 9, width = -3 }",
            "width` must be above zero",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ from = 0, to = 9, bins = 0 }",
            "at least 1",
            ProblemCode::OutOfRange,
        ),
        (
            "{ from = 0, to = 9, bins = 3, step = 0 }",
            "step` must be above zero",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ from = 0, to = 9, bins = 3, step = 2 }",
            "whole number of steps",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ from = 0, to = 10, width = 3, step = 2 }",
            "whole number of steps",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ from = 0, to = 9000000, width = 1 }",
            "more than 65536",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ from = 0, to = 1e40, width = 1 }",
            "too long",
            ProblemCode::OutOfRange,
        ),
        (
            "{ from = 0, to = 1e30, width = 1 }",
            "too large",
            ProblemCode::OutOfRange,
        ),
        (
            "{ from = nan, to = 1, width = 1 }",
            "a plain number",
            ProblemCode::OutOfRange,
        ),
        ("{ edges = [1] }", "two edges", ProblemCode::DomainUnusable),
        ("{ edges = [] }", "two edges", ProblemCode::DomainUnusable),
        (
            "{ edges = [0, 5, 5, 9] }",
            "must rise",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ edges = [0, \"2001-01-01\"] }",
            "a day in quotes",
            ProblemCode::WrongValue,
        ),
        (
            "{ edges = [\"2001-02-30\", \"2001-03-01\"] }",
            "no day",
            ProblemCode::WrongValue,
        ),
        (
            "{ from = 2001-01-01, to = 2002-01-01, bins = 4 }",
            "a day in quotes",
            ProblemCode::WrongValue,
        ),
        (
            "{ from = \"2001-01-01\", to = \"2002-01-01\", width = 0.5 }",
            "whole number",
            ProblemCode::OutOfRange,
        ),
        (
            "{ values = [\"x\"], other = \"x\" }",
            "`other`",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ from = 0, to = 9, bins = 3, other = \"7\" }",
            "`other`",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ from = 0, to = 9, bins = 3, other = \"[0-3]\" }",
            "`other`",
            ProblemCode::DomainUnusable,
        ),
        (
            "{ values = [\"x\"], missing = \"?\" }",
            "true or false",
            ProblemCode::WrongValue,
        ),
        (
            "{ value = [\"x\"] }",
            "did you mean `values`",
            ProblemCode::UnknownKey,
        ),
    ] {
        assert_eq!(
            refused(with_domain(domain), &["p.toml:3:", says]),
            code,
            "{domain}"
        );
    }
}

#[test]
fn a_kind_must_fit_the_domain() {
    for (kind, domain) in [
        ("integer", "[\"1\", \"2\"]"),
        ("integer", "{ from = 0.5, to = 9.5, width = 1 }"),
        ("category", "{ from = 0, to = 9, width = 1 }"),
        ("date", "{ from = 0, to = 9, width = 1 }"),
        ("decimal", "{ edges = [\"2001-01-01\", \"2002-01-01\"] }"),
        ("integer", "\"hierarchy\""),
    ] {
        let policy = parse(&format!(
            "[columns.a]\nrole = \"sensitive\"\nkind = \"{kind}\"\ndomain = {domain}\n[dp]\nepsilon = 1"
        ));
        assert_eq!(
            refused(policy, &["p.toml:4:", kind]),
            ProblemCode::Contradiction,
            "{kind} {domain}"
        );
    }
}

const DECLARED: &str = "\
[columns.name]
role = \"identifier\"
[columns.age]
role = \"quasi-identifier\"
domain = { from = 0, to = 100, width = 10 }
[columns.sex]
role = \"insensitive\"
domain = [\"f\", \"m\"]
[columns.disease]
role = \"sensitive\"
domain = [\"flu\", \"none\"]
";

/// `[dp]` is on line 12, its first key on line 13.
fn with_dp(dp: &str) -> Result<Policy, Problem> {
    parse(&format!("{DECLARED}[dp]\n{dp}"))
}

#[track_caller]
fn dp(lines: &str) -> (mingle_dp::Guarantee, mingle_dp::Request) {
    let policy = with_dp(lines).unwrap();
    let dp = policy.noise().unwrap();
    (dp.guarantee().unwrap(), dp.request().unwrap())
}

#[test]
fn promises_of_noise_are_exact() {
    use mingle_dp::{Amount, Epsilon, Guarantee};
    let amount = |text| Amount::parse(text).unwrap();
    let of = |lines: &str| dp(&format!("release = \"synthetic\"\n{lines}")).0;
    assert_eq!(
        of("epsilon = 0.1"),
        Guarantee::Pure {
            epsilon: Epsilon(amount("0.1"))
        }
    );
    assert_eq!(
        of("epsilon = 1\ndelta = 0.0"),
        Guarantee::Pure {
            epsilon: Epsilon(amount("1"))
        }
    );
    let approximate = Guarantee::Approximate {
        epsilon: Epsilon(amount("2")),
        delta: amount("1e-9"),
    };
    assert_eq!(of("epsilon = 2.0\ndelta = 1e-9"), approximate);
    assert_eq!(
        of("rho = 0.000_1"),
        Guarantee::Concentrated {
            rho: amount("0.0001")
        }
    );
    for (lines, says, code) in [
        ("epsilon = 0", "above 0", ProblemCode::OutOfRange),
        ("epsilon = -1", "above 0", ProblemCode::OutOfRange),
        ("epsilon = nan", "above 0", ProblemCode::OutOfRange),
        ("epsilon = inf", "above 0", ProblemCode::OutOfRange),
        (
            "epsilon = 1e9",
            "at most 100000000",
            ProblemCode::OutOfRange,
        ),
        ("epsilon = 1e-31", "decimal places", ProblemCode::OutOfRange),
        ("epsilon = \"1\"", "a number", ProblemCode::WrongValue),
        ("epsilon = 1\ndelta = 1", "below 1", ProblemCode::OutOfRange),
        (
            "epsilon = 1\ndelta = -1e-9",
            "0 or more",
            ProblemCode::OutOfRange,
        ),
        (
            "delta = 1e-9",
            "needs `dp.epsilon`",
            ProblemCode::MissingKey,
        ),
        ("rho = 0", "above 0", ProblemCode::OutOfRange),
        (
            "rho = 1\nepsilon = 1",
            "both `dp.rho` and `dp.epsilon`",
            ProblemCode::Contradiction,
        ),
        (
            "rho = 1\ndelta = 1e-9",
            "both `dp.rho` and `dp.delta`",
            ProblemCode::Contradiction,
        ),
        (
            "epsilon = 1\nrelease = \"histograms\"",
            "histogram",
            ProblemCode::UnknownWord,
        ),
        (
            "epsilon = 1\nledger = \"\"",
            "empty",
            ProblemCode::WrongValue,
        ),
        (
            "epsilon = 1\nperson = \"age\"",
            "quasi-identifier",
            ProblemCode::Contradiction,
        ),
        (
            "epsilon = 1\nperson = \"pid\"",
            "no column `pid`",
            ProblemCode::MissingKey,
        ),
        (
            "epsilon = 1\nrecords_per_person = 0",
            "at least 1",
            ProblemCode::OutOfRange,
        ),
        (
            "epsilon = 1\nrecords_per_person = 1000001",
            "at most",
            ProblemCode::OutOfRange,
        ),
        (
            "epsilon = 1\nbudget = 3",
            "unknown key `budget`",
            ProblemCode::UnknownKey,
        ),
    ] {
        assert_eq!(
            refused(with_dp(lines), &["p.toml:1", says]),
            code,
            "{lines}"
        );
    }
    // what a command may say instead
    for lines in ["", "release = \"synthetic\"", "epsilon = 1"] {
        let policy = with_dp(lines).unwrap();
        let noise = policy.noise().unwrap();
        assert!(
            noise.guarantee().is_err() || noise.request().is_err(),
            "{lines}"
        );
        assert_eq!(noise.ledger().err().unwrap().code(), ProblemCode::NoLedger);
    }
}

#[test]
fn what_is_released_is_said_by_names_of_columns() {
    use mingle_dp::Request;
    use mingle_dp::marginals::MarginalsChoice;
    let choice = |lines: &str| match dp(&format!("release = \"marginals\"\nepsilon = 1\n{lines}")).1
    {
        Request::Marginals(options) => options.choice,
        _ => panic!(),
    };
    assert_eq!(choice(""), MarginalsChoice::Selected(2));
    assert_eq!(choice("ways = 3"), MarginalsChoice::All(3));
    assert_eq!(choice("select = 3"), MarginalsChoice::Selected(3));
    let named = choice("marginals = [[\"disease\", \"age\"], [\"sex\"]]");
    assert_eq!(
        named,
        MarginalsChoice::Named(vec![vec![0, 2], vec![1]]),
        "identifiers do not count, columns are in order"
    );
    let Request::Histogram(options) =
        dp("release = \"histogram\"\nepsilon = 1\ncolumns = [\"sex\", \"age\"]\nmax_cells = 7").1
    else {
        panic!()
    };
    assert_eq!((options.attributes, options.most_cells), (vec![0, 1], 7));
    let Request::Synthetic(options) =
        dp("release = \"synthetic\"\nepsilon = 1\nrows = 9\nmodel_cells = 8").1
    else {
        panic!()
    };
    assert_eq!((options.rows, options.model_cells), (Some(9), 8));
    for (lines, says, code) in [
        (
            "release = \"marginals\"\nways = 4",
            "1, 2 or 3",
            ProblemCode::OutOfRange,
        ),
        (
            "release = \"marginals\"\nways = 2\nselect = 2",
            "both",
            ProblemCode::Contradiction,
        ),
        (
            "release = \"marginals\"\nmarginals = []",
            "empty",
            ProblemCode::WrongValue,
        ),
        (
            "release = \"marginals\"\nmarginals = [[]]",
            "one to 3 columns",
            ProblemCode::OutOfRange,
        ),
        (
            "release = \"marginals\"\nmarginals = [[\"name\"]]",
            "no column `name`",
            ProblemCode::UnknownWord,
        ),
        (
            "release = \"marginals\"\nmarginals = [[\"age\", \"age\"]]",
            "twice",
            ProblemCode::ListedTwice,
        ),
        (
            "release = \"marginals\"\nmarginals = [[\"age\", \"sex\"], [\"sex\", \"age\"]]",
            "twice",
            ProblemCode::ListedTwice,
        ),
        (
            "release = \"histogram\"\ncolumns = [\"ages\"]",
            "no column `ages`",
            ProblemCode::UnknownWord,
        ),
        (
            "release = \"synthetic\"\nrows = 0",
            "at least 1",
            ProblemCode::OutOfRange,
        ),
        (
            "release = \"synthetic\"\nways = 2",
            "no effect",
            ProblemCode::UselessKey,
        ),
        (
            "release = \"synthetic\"\nmax_cells = 2",
            "no effect",
            ProblemCode::UselessKey,
        ),
        (
            "release = \"histogram\"\nrows = 2",
            "no effect",
            ProblemCode::UselessKey,
        ),
    ] {
        assert_eq!(
            refused(
                with_dp(&format!("epsilon = 1\n{lines}")),
                &["p.toml:1", says]
            ),
            code,
            "{lines}"
        );
    }
    // without `release` the command chooses, and keys of all kinds may stand
    assert!(with_dp("epsilon = 1\nrows = 5\nways = 2\ncolumns = [\"age\"]").is_ok());
}

#[test]
fn groups_or_noise() {
    let both = parse(&format!("{DECLARED}[privacy]\nk = 2\n[dp]\nepsilon = 1"));
    assert_eq!(
        refused(both, &["p.toml:12:2", "p.toml:14:2"]),
        ProblemCode::TwoPromises
    );
    for (lines, says) in [
        ("[method]\nname = \"mondrian\"", "`method`"),
        ("[composition]\nagainst = [\"x\"]", "`composition`"),
        ("[release]\nfragmented = false", "`release.fragmented`"),
        (
            "[release]\npublish_utility = true",
            "`release.publish_utility`",
        ),
    ] {
        assert_eq!(
            refused(
                with_dp(&format!("epsilon = 1\n{lines}")),
                &[says, "p.toml:1"]
            ),
            ProblemCode::UselessKey,
            "{lines}"
        );
    }
    assert!(with_dp("epsilon = 1\n[release]\nformat = \"parquet\"").is_ok());
    let none = format!("{COLUMNS}[dp]\nepsilon = 1");
    let code = refused(
        parse(&none),
        &[
            "4 have none: `zip`, `age`, `disease`, `income`",
            "init DATA --domains",
        ],
    );
    assert_eq!(code, ProblemCode::NoDomain);
    // a domain has no effect on groups, and one file serves both
    let groups = parse(&format!("{DECLARED}[privacy]\nk = 2")).unwrap();
    assert!(groups.noise().is_none() && groups.k() == 2 && groups.privacy().is_ok());
    let noise = with_dp("epsilon = 1").unwrap();
    assert_eq!(
        noise.privacy().err().unwrap().code(),
        ProblemCode::OtherPromise
    );
    assert_eq!((noise.k(), noise.insiders(3).is_err()), (1, true));
    let identifier =
        parse("[columns.a]\nrole = \"identifier\"\ndomain = [\"x\"]\n[dp]\nepsilon = 1");
    assert_eq!(
        refused(identifier, &["p.toml:3:1"]),
        ProblemCode::UselessKey
    );
}

/// A constraint or a method that nobody can look up would be as good as none.
#[test]
fn the_reference_names_every_constraint_and_method() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/reference/policy.md"
    );
    let reference = std::fs::read_to_string(path).unwrap();
    let row = |key: &str| {
        let start = format!("| `{key}` |");
        let found = reference.lines().find(|line| line.starts_with(&start));
        found.unwrap_or_else(|| panic!("no row for {key}"))
    };
    for kind in mingle_privacy::catalogue::CONSTRAINTS {
        let key = kind.policy();
        let row = row(key.key);
        assert!(row.contains(key.variant.unwrap_or("")), "{row}");
        for parameter in kind.parameters() {
            // one parameter alone needs no name
            let named = kind.parameters().len() == 1 || row.contains(parameter.name);
            assert!(named, "{}: {row}", parameter.name);
        }
    }
    for name in mingle_anonymize::method_names() {
        assert!(row("name").contains(&format!("\"{name}\"")), "{name}");
    }
}

#[test]
fn what_is_said_about_a_release_is_checked_for_its_form_only() {
    let about = |about: &str| with_privacy(&format!("k = 3\n{about}"));
    let whole = about(
        "[about]\ntitle = \"Stays\"\nprocessors = [\"IT\"]\ndate = \"2026-11-18\"\npublic = [\"title\", \"why\"]\n\
         [about.why]\nk = \"as usual\"\nquasi_identifiers = \"\"\n",
    );
    let said = mingle_record::about::AboutRelease::of(&whole.unwrap().document);
    assert_eq!(said.title.as_deref(), Some("Stays"));
    assert_eq!(said.reason("k"), Some("as usual"));
    assert!(
        about("[about]\ndate = \"\"\n").is_ok(),
        "a blank to fill in"
    );
    for (text, code, part) in [
        ("[about]\ntitel = \"x\"", ProblemCode::UnknownKey, "title"),
        ("[about]\ntitle = 7", ProblemCode::WrongValue, "about.title"),
        (
            "[about]\nprocessors = \"x\"",
            ProblemCode::WrongValue,
            "a list",
        ),
        (
            "[about]\ndate = 2026-11-18",
            ProblemCode::WrongValue,
            "about.date",
        ),
        (
            "[about]\ndate = \"2026-02-30\"",
            ProblemCode::WrongValue,
            "not a day",
        ),
        ("[about.why]\nkk = \"x\"", ProblemCode::UnknownKey, "kk"),
        (
            "[about]\npublic = [\"public\"]",
            ProblemCode::UnknownWord,
            "title",
        ),
    ] {
        assert_eq!(refused(about(text), &[part]), code, "{text}");
    }
    let long = format!("[about]\npurpose = \"{}\"", "x".repeat(2_001));
    assert_eq!(
        refused(about(&long), &["2000 characters"]),
        ProblemCode::OutOfRange
    );
}

#[test]
fn accepted_risks_are_chances() {
    let risk = |risk: &str| with_privacy(&format!("k = 3\n[risk]\n{risk}"));
    let limits = risk("maximum = 0.09\njournalist = { average = 0.05 }\nmarketer = 1")
        .unwrap()
        .risk
        .unwrap();
    assert_eq!(limits.maximum, Ratio::new(9, 100));
    assert_eq!(limits.journalist_average, Ratio::new(1, 20));
    assert_eq!((limits.average, limits.marketer), (None, Ratio::new(1, 1)));
    for (text, code) in [
        ("", ProblemCode::MissingKey),
        ("maximum = 0", ProblemCode::OutOfRange),
        ("maximum = 1.01", ProblemCode::OutOfRange),
        ("maximum = -0.1", ProblemCode::OutOfRange),
        ("maximum = \"0.1\"", ProblemCode::WrongValue),
        ("maximal = 0.1", ProblemCode::UnknownKey),
        ("journalist = 0.1", ProblemCode::WrongValue),
        ("journalist = { most = 0.1 }", ProblemCode::UnknownKey),
    ] {
        assert_eq!(refused(risk(text), &["risk"]), code, "{text}");
    }
}
