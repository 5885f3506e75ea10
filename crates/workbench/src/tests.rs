mod roles;

use super::*;
use mingle_page::protocol::{Candidate, Edit, HierarchyDraft, Stage, Vary};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Hears everything; stops listening after so many events.
struct Ears<T> {
    heard: Mutex<Vec<T>>,
    most: usize,
    cancelled: Arc<AtomicBool>,
}

impl<T> Ears<T> {
    fn new() -> Ears<T> {
        Ears {
            heard: Mutex::default(),
            most: usize::MAX,
            cancelled: Arc::new(AtomicBool::new(false)),
        }
    }

    fn heard(self) -> Vec<T> {
        self.heard.into_inner().unwrap()
    }
}

impl<T: Send> Sink<T> for Ears<T> {
    fn send(&self, event: T) -> Result<(), Stopped> {
        let mut heard = lock(&self.heard);
        heard.push(event);
        if heard.len() < self.most {
            return Ok(());
        }
        self.cancelled.store(true, Ordering::Relaxed);
        Err(Stopped)
    }

    fn cancelled(&self) -> &Arc<AtomicBool> {
        &self.cancelled
    }
}

/// A page with the example dropped on it, and the folder that it writes to.
fn page() -> (Bench, String, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let bench = Bench::new(None, folder.path().to_owned(), 1 << 20)
        .ok()
        .unwrap();
    let text = bench.example().unwrap().text;
    (bench, text, folder)
}

fn edited(bench: &Bench, text: &str, path: &[&str], value: serde_json::Value) -> PolicyAnswer {
    let path = path.iter().map(|&key| key.to_owned()).collect();
    let value = serde_json::from_value(value).unwrap();
    bench
        .policy(&PolicyRequest {
            text: text.to_owned(),
            edits: vec![Edit { path, value }],
        })
        .unwrap()
}

fn planned(bench: &Bench, text: &str) -> Result<Vec<Candidate>, ProblemView> {
    let ears = Ears::new();
    bench
        .plan(
            &PlanRequest {
                tab: "t".into(),
                text: text.into(),
                quick: true,
                confirmed: false,
            },
            &ears,
        )
        .unwrap();
    let mut candidates = Vec::new();
    for event in ears.heard() {
        match event {
            PlanEvent::Answer { candidate } => candidates.push(*candidate),
            PlanEvent::Problem { problem } => return Err(problem),
            PlanEvent::Progress { .. } => {}
        }
    }
    Ok(candidates)
}

fn planned_one(bench: &Bench, text: &str) -> Candidate {
    let mut all = planned(bench, text).unwrap();
    assert_eq!((all.len(), all[0].stage), (1, Stage::Final));
    all.remove(0)
}

#[test]
fn exposure_to_one_provider_falls_with_m_and_the_cost_rises() {
    let (bench, text, _folder) = page();
    let with_m = |m: u64| {
        planned_one(
            &bench,
            &edited(&bench, &text, &["privacy", "m"], json!(m)).text,
        )
    };
    let (careless, careful) = (with_m(0), with_m(1));
    assert!(careless.exposure[0].people == 0 && careless.exposure[1].people > 0);
    assert!(careful.exposure[1].people == 0 && careful.exposure[1].exposed == 0);
    assert!(
        careful.loss > careless.loss,
        "{} and {}",
        careful.loss,
        careless.loss
    );
    assert_eq!(
        with_m(0),
        careless,
        "the same question has the same answer, from memory or not"
    );
    assert_eq!(careful.exposure.len(), 4);
}

#[test]
fn a_candidate_is_what_publish_makes() {
    let (bench, text, folder) = page();
    let candidate = planned_one(&bench, &text);
    let policy = bench.read(&text, &[]).ok().unwrap();
    let preview = mingle::preview(
        &policy,
        mingle::Inputs::of(&policy),
        &mingle::Run::default(),
    );
    let published = json!(preview.ok().unwrap().summary().answer(&[]));
    assert_eq!(
        json!(candidate.loss),
        published["utility"]["ncp"]["overall"]
    );
    assert_eq!(json!(candidate.groups as u64), published["groups"]);
    assert_eq!(
        json!(candidate.smallest as u64),
        published["smallest_group"]
    );
    assert_eq!(
        json!(candidate.query_error.mean),
        published["utility"]["query_error"]["mean"]
    );
    drop(folder);
}

/// A page with a table that is large enough to be waited for, and a policy proposed for it.
fn page_with_larger_table() -> (Bench, String, tempfile::TempDir) {
    let (bench, _, folder) = page();
    let mut rows = "age,zip,disease,site\n".to_owned();
    for i in 0..3000u32 {
        rows += &format!(
            "{},{},d{},S{}\n",
            20 + i * 7 % 61,
            10000 + i * 13 % 97,
            i * 31 % 11,
            i % 5
        );
    }
    std::fs::File::create(bench.file_place("t.csv").unwrap())
        .and_then(|mut f| std::io::Write::write_all(&mut f, rows.as_bytes()))
        .unwrap();
    let request = ProposeRequest {
        files: vec!["t.csv".into()],
        provider_column: None,
    };
    let answer = bench.propose(&request).unwrap();
    assert!(answer.problem.is_none(), "{:?}", answer.problem);
    (bench, answer.text, folder)
}

/// The text with keys of its method set.
fn by_method(bench: &Bench, text: &str, keys: &[(&str, &str)]) -> String {
    let mut text = text.to_owned();
    for &(key, value) in keys {
        text = edited(bench, &text, &["method", key], json!(value)).text;
    }
    text
}

#[test]
fn larger_tables_get_a_quick_look_by_the_same_method_first() {
    let (bench, text, _folder) = page_with_larger_table();
    let candidates = planned(&bench, &text).unwrap();
    let stages: Vec<_> = candidates
        .iter()
        .map(|c| (c.stage, c.method.as_str()))
        .collect();
    assert_eq!(
        stages,
        [
            (Stage::Quick, "agglomerative"),
            (Stage::Final, "agglomerative")
        ]
    );
    assert!(
        candidates
            .iter()
            .all(|c| c.m == 1.0 && c.exposure[1].people == 0)
    );
    assert_ne!(candidates[0].id, candidates[1].id);
    let again = planned(&bench, &text).unwrap();
    assert_eq!(
        again,
        candidates[1..],
        "what is at hand needs no quick look"
    );
    // the look is what the policy would publish at effort quick, figure by figure
    let (fresh, text, _folder) = page_with_larger_table();
    let hasty = planned_one(&fresh, &by_method(&fresh, &text, &[("effort", "quick")]));
    assert_eq!(hasty.loss, candidates[0].loss);
    assert_ne!(hasty.loss, candidates[1].loss);
}

#[test]
fn a_quick_look_is_never_taken_for_a_final_answer() {
    let (bench, text, _folder) = page_with_larger_table();
    let candidates = planned(&bench, &text).unwrap();
    // asked for after the look was kept: the same release, but final, with an id of its own
    let hasty = planned_one(&bench, &by_method(&bench, &text, &[("effort", "quick")]));
    assert_eq!(hasty.loss, candidates[0].loss);
    assert!(hasty.id != candidates[0].id && hasty.id != candidates[1].id);
    // and where the final one of effort quick is kept, a look at another effort is still a look
    let best = planned(&bench, &by_method(&bench, &text, &[("effort", "best")])).unwrap();
    let stages: Vec<_> = best.iter().map(|c| c.stage).collect();
    assert_eq!(stages, [Stage::Quick, Stage::Final]);
    assert_eq!(best[0].id, candidates[0].id, "one look serves every effort");
    assert_ne!(best[1].id, candidates[1].id);
}

#[test]
fn a_slow_method_without_efforts_is_looked_at_through_a_quick_one() {
    let (bench, text, _folder) = page_with_larger_table();
    let by = |name: &str| {
        let text = by_method(&bench, &text, &[("name", name)]);
        let candidates = planned(&bench, &text).unwrap();
        candidates
            .into_iter()
            .map(|c| (c.stage, c.method))
            .collect::<Vec<_>>()
    };
    let quick = || (Stage::Quick, "mondrian".to_owned());
    let done = |name: &str| (Stage::Final, name.to_owned());
    assert_eq!(by("microaggregation"), [quick(), done("microaggregation")]);
    // the quick look's method as the policy's own is another candidate
    assert_eq!(by("mondrian"), [done("mondrian")]);
}

#[test]
fn whoever_stops_listening_stops_the_work() {
    let (bench, text, _folder) = page();
    let ears = Ears {
        most: 1,
        ..Ears::new()
    };
    assert_eq!(
        bench.plan(
            &PlanRequest {
                tab: "t".into(),
                text: text.clone(),
                quick: true,
                confirmed: false,
            },
            &ears
        ),
        Err(Stopped)
    );
    let gone = Ears::new();
    gone.cancelled.store(true, Ordering::Relaxed);
    let other = edited(&bench, &text, &["privacy", "k"], json!(4)).text;
    assert_eq!(
        bench.plan(
            &PlanRequest {
                tab: "t".into(),
                text: other,
                quick: true,
                confirmed: false,
            },
            &gone
        ),
        Err(Stopped)
    );
    assert!(gone.heard().is_empty());
}

#[test]
fn a_policy_that_is_wrong_is_shown_where() {
    let (bench, text, _folder) = page();
    let broken = text.replace("k = 3", "k = = 3");
    let answer = bench
        .policy(&PolicyRequest {
            text: broken.clone(),
            edits: Vec::new(),
        })
        .unwrap();
    let problem = answer.problem.unwrap();
    let line = broken.lines().position(|l| l.contains("k = = 3")).unwrap() as u32 + 1;
    assert_eq!(
        (problem.code.as_str(), problem.line),
        ("MG0102", Some(line))
    );
    assert!(answer.view.is_none());
    assert_eq!(planned(&bench, &broken).unwrap_err().line, Some(line));
    // an edit of what cannot be read changes nothing
    let edit = edited(&bench, &broken, &["privacy", "k"], json!(5));
    assert_eq!(
        (edit.text, edit.problem.unwrap().line),
        (broken, Some(line))
    );
}

#[test]
fn roles_are_shown_even_where_the_policy_is_refused() {
    let (bench, text, _folder) = page();
    let answer = edited(
        &bench,
        &text,
        &["columns", "disease", "role"],
        json!("insensitive"),
    );
    assert_eq!(answer.problem.unwrap().code, "MG0111");
    let view = answer.view.unwrap();
    let roles: Vec<&str> = view.columns.iter().map(|c| c.role.as_str()).collect();
    assert_eq!(
        roles,
        [
            "identifier",
            "quasi-identifier",
            "quasi-identifier",
            "insensitive"
        ]
    );
    assert!(view.providers.iter().all(|p| p.found) && view.limits.unwrap().k == Some(3.0));
}

#[test]
fn rows_before_and_after() {
    let (bench, text, _folder) = page();
    let candidate = planned_one(&bench, &text);
    let all = bench
        .preview(&PreviewRequest {
            candidate: candidate.id,
            offset: 0.0,
            count: 1e9,
        })
        .unwrap();
    assert_eq!(
        (all.rows.len() as f64, all.total),
        (candidate.rows.min(200.0), candidate.rows)
    );
    let names: Vec<&str> = all.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["age", "zip", "disease"]);
    for row in &all.rows {
        let after = row.published.as_ref().unwrap();
        assert_eq!(after[2], row.original[2]);
        assert!(row.group_size >= candidate.smallest);
        // a range covers the age
        let age: i64 = row.original[0].parse().unwrap();
        let ends = after[0]
            .trim_matches(['[', ']'])
            .split('-')
            .map(|end| end.parse::<i64>().unwrap());
        let ends: Vec<i64> = ends.collect();
        assert!(
            after[0] == "*" || (ends[0] <= age && age <= *ends.last().unwrap()),
            "{age} in {}",
            after[0]
        );
    }
    let beyond = PreviewRequest {
        candidate: "nobody".into(),
        offset: 0.0,
        count: 5.0,
    };
    assert_eq!(bench.preview(&beyond).unwrap_err().problem.code, "MG0801");
}

#[test]
fn a_coalition_sees_what_the_exposure_says() {
    let (bench, text, _folder) = page();
    let careless = planned_one(
        &bench,
        &edited(&bench, &text, &["privacy", "m"], json!(0)).text,
    );
    let ask = |providers: Vec<String>| {
        bench
            .coalition(&CoalitionRequest {
                candidate: careless.id.clone(),
                providers,
            })
            .unwrap()
    };
    assert_eq!(ask(Vec::new()).fallen, 0.0);
    let worst = &careless.worst[0];
    let found = ask(worst.members.clone());
    assert_eq!(
        (found.fallen, found.exposed),
        (worst.groups as f64, worst.exposed as f64)
    );
    assert!(
        found.fallen > 0.0
            && found.examples[0].fallen
            && found.examples[0].left < found.examples[0].rows
    );
    let stranger = CoalitionRequest {
        candidate: careless.id.clone(),
        providers: vec!["P9".into()],
    };
    assert!(bench.coalition(&stranger).is_err());
}

#[test]
fn the_frontier_has_a_point_or_a_reason_everywhere() {
    let (bench, text, _folder) = page();
    let ears = Ears::new();
    let request = FrontierRequest {
        tab: "t".into(),
        text,
        vary: Vary::K,
        values: vec![2.0, 3.0, 1000.0],
        methods: vec!["agglomerative".into(), "mondrian".into(), "magic".into()],
        confirmed: false,
    };
    bench.frontier(&request, &ears).unwrap();
    let (mut points, mut missing) = (0, 0);
    for event in ears.heard() {
        match event {
            FrontierEvent::Point { point, of, .. } => {
                assert!(
                    point.value < 1000.0 && of == 9.0 && point.insider_share == 0.0,
                    "{point:?}"
                );
                points += 1;
            }
            FrontierEvent::Missing { .. } => missing += 1,
            FrontierEvent::Problem { problem } => panic!("{problem:?}"),
        }
    }
    assert_eq!((points, missing), (4, 5));
}

#[test]
fn a_hierarchy_is_tried_and_its_gaps_are_shown() {
    let (bench, text, _folder) = page();
    let ask = |column: &str, draft| {
        bench
            .hierarchy(&HierarchyRequest {
                text: text.clone(),
                column: column.into(),
                draft,
                limit: None,
            })
            .unwrap()
    };
    let mask = ask("zip", HierarchyDraft::Mask { digits: 5 });
    assert!(
        mask.problem.is_none() && mask.gaps == 0.0 && mask.rows[0].labels.len() == 6,
        "{mask:?}"
    );
    assert_eq!(*mask.distinct.last().unwrap(), 1.0);
    let current = ask("zip", HierarchyDraft::Current);
    assert_eq!(current.rows, mask.rows);
    let ages = ask(
        "age",
        HierarchyDraft::Intervals {
            widths: vec!["5".into(), "20".into()],
        },
    );
    assert!(
        ages.problem.is_none() && ages.distinct.len() == 4,
        "{ages:?}"
    );
    let wrong = ask(
        "age",
        HierarchyDraft::Intervals {
            widths: vec!["5".into(), "7".into()],
        },
    );
    assert!(wrong.problem.is_some() && wrong.values == ages.values);
    let first = mask.rows[0].labels[0].clone();
    let table = ask(
        "zip",
        HierarchyDraft::Table {
            rows: vec![vec![first.clone(), "north".into(), "*".into()]],
        },
    );
    assert_eq!((table.gaps, table.values), (mask.values - 1.0, mask.values));
    assert!(
        table.rows[0].gap
            && table.rows.last().unwrap().labels == [first, "north".to_owned(), "*".to_owned()]
    );
    assert!(table.file.unwrap().contains(";north;*\n"));
}

#[test]
fn the_tables_are_described_before_anybody_decides() {
    let (bench, text, _folder) = page();
    let profile = bench.profile(&ProfileRequest { text }).unwrap();
    assert!(profile.problem.is_none());
    let rows: f64 = profile.providers.iter().map(|p| p.count).sum();
    assert_eq!((rows, profile.providers.len()), (profile.rows, 4));
    for column in &profile.columns {
        let counted: f64 =
            column.bars.iter().map(|bar| bar.count).sum::<f64>() + column.rest + column.missing;
        assert_eq!(counted, profile.rows, "{}", column.name);
    }
    let age = profile.columns.iter().find(|c| c.name == "age").unwrap();
    assert!(age.ordered && age.kind == "integer" && age.proposed_role == "quasi-identifier");
    let zip = profile.columns.iter().find(|c| c.name == "zip").unwrap();
    assert!(
        !zip.ordered && zip.kind == "category",
        "the policy calls it so"
    );
    let gone = bench
        .profile(&ProfileRequest {
            text: "[data]\npath = \"gone.csv\"".into(),
        })
        .unwrap();
    assert!(gone.problem.is_some() && gone.columns.is_empty());
}

#[test]
fn what_was_done_by_mouse_can_be_repeated() {
    let (bench, text, folder) = page();
    let save = |text: &str, base: Option<&str>, force| {
        let (text, base) = (text.to_owned(), base.map(str::to_owned));
        bench.save(&SaveRequest {
            text,
            name: "policy.toml".into(),
            base,
            force,
        })
    };
    let saved = save(&text, None, false).unwrap();
    assert_eq!(
        saved.copied,
        [1, 2, 3, 4].map(|n| format!("example/p{n}.csv"))
    );
    let publish = |name: &str, force| {
        let ears = Ears::new();
        let request = PublishRequest {
            tab: "t".into(),
            text: text.clone(),
            name: name.into(),
            force,
        };
        bench.publish(&request, &ears).unwrap();
        ears.heard().pop().unwrap()
    };
    let PublishEvent::Published { command, .. } = publish("release", false) else {
        panic!("not published")
    };
    assert_eq!(command.unwrap(), "mingle publish policy.toml --out release");
    let by_hand = Policy::load(&folder.path().join("policy.toml"), &[])
        .ok()
        .unwrap();
    let out = folder.path().join("again");
    let made = mingle::publish(&by_hand, mingle::Inputs::of(&by_hand));
    assert!(made.and_then(|mut made| made.write(out.as_path())).is_ok());
    let data =
        |release: &str| std::fs::read(folder.path().join(release).join("public/data.csv")).unwrap();
    assert_eq!(data("release"), data("again"));
    assert!(matches!(
        publish("release", false),
        PublishEvent::Problem { .. }
    ));
    assert!(matches!(
        publish("release", true),
        PublishEvent::Published { .. }
    ));
    for name in ["../out", "a/b", "", ".."] {
        assert!(
            matches!(publish(name, true), PublishEvent::Problem { .. }),
            "{name}"
        );
    }
    // another tab, or an editor, has changed the file meanwhile
    std::fs::File::create(folder.path().join("policy.toml")).unwrap();
    assert_eq!(
        save(&text, Some(&text), false).unwrap_err().problem.code,
        "MG0804"
    );
    assert!(save(&text, None, true).is_ok() && save(&text, None, false).is_ok());
    let newer = format!("{text}\n");
    assert!(save(&newer, Some(&text), false).is_ok());
    assert_eq!(
        save(&text, Some("older"), false).unwrap_err().problem.code,
        "MG0804"
    );
    // a file that holds something else does not repeat what was published
    let PublishEvent::Published { command, .. } = publish("third", false) else {
        panic!("not published")
    };
    assert_eq!(command, None);
}

#[test]
fn a_release_that_disappears_is_said_to_be_gone() {
    let (bench, text, folder) = page();
    let report = || bench.report(&ReportRequest { name: "r".into() }, ReportKind::Public);
    assert_eq!(report().unwrap_err().problem.code, "MG0802");
    let request = PublishRequest {
        tab: "t".into(),
        text,
        name: "r".into(),
        force: false,
    };
    bench.publish(&request, &Ears::new()).unwrap();
    std::fs::remove_dir_all(folder.path().join("r")).unwrap();
    assert_eq!(report().unwrap_err().problem.code, "MG0201");
}

#[test]
fn an_earlier_release_is_laid_beside_the_candidate() {
    let (bench, text, folder) = page();
    let request = PublishRequest {
        tab: "t".into(),
        text: text.clone(),
        name: "r".into(),
        force: false,
    };
    bench.publish(&request, &Ears::new()).unwrap();
    let from = folder.path().join("r/public");
    std::fs::create_dir_all(bench.dropped.folder().join("releases/r/public")).unwrap();
    for file in ["data.csv", "manifest.json"] {
        std::fs::copy(
            from.join(file),
            bench
                .file_place(&format!("releases/r/public/{file}"))
                .unwrap(),
        )
        .unwrap();
    }
    let k4 = edited(&bench, &text, &["privacy", "k"], json!(4)).text;
    let ears = Ears::new();
    bench
        .attack(
            &AttackRequest {
                tab: "t".into(),
                text: k4.clone(),
                releases: vec!["releases/r".into()],
                confirmed: false,
            },
            &ears,
        )
        .unwrap();
    let Some(AttackEvent::Answer {
        findings,
        policy_text,
        ..
    }) = ears.heard().pop()
    else {
        panic!("no answer")
    };
    assert_eq!(
        (findings.len(), findings[0].column.as_str()),
        (1, "disease")
    );
    assert!(findings[0].people > 0.0 && findings[0].breached >= findings[0].alone);
    assert!(
        policy_text.contains("against = [\"releases/r\"]"),
        "{policy_text}"
    );
    assert!(bench.read(&policy_text, &[]).is_ok());
    assert!(!findings[0].misread);
    // what the policy names already stays named
    let named = edited(
        &bench,
        &k4,
        &["composition", "against"],
        json!(["releases/r"]),
    )
    .text;
    assert_eq!(
        json!(attack::against(&named, &["releases/x".into()])),
        json!(["releases/r", "releases/x"])
    );
    assert_eq!(
        json!(attack::against(&named, &["releases/r".into()])),
        json!(["releases/r"])
    );
    let ears = Ears::new();
    bench
        .attack(
            &AttackRequest {
                tab: "t".into(),
                text: k4,
                releases: vec!["releases/x".into()],
                confirmed: false,
            },
            &ears,
        )
        .unwrap();
    assert!(matches!(
        ears.heard().pop(),
        Some(AttackEvent::Problem { .. })
    ));
}

#[test]
fn a_release_whose_labels_fit_nobody_proves_nothing() {
    let (bench, text, _folder) = page();
    std::fs::create_dir_all(bench.dropped.folder().join("releases")).unwrap();
    let file = bench.file_place("releases/other.csv").unwrap();
    let rows = "age,zip,disease\n".to_owned() + &"[150-160],99999,Flu\n".repeat(4);
    std::fs::File::create(file)
        .and_then(|mut f| std::io::Write::write_all(&mut f, rows.as_bytes()))
        .unwrap();
    let ears = Ears::new();
    let releases = vec!["releases/other.csv".into()];
    bench
        .attack(
            &AttackRequest {
                tab: "t".into(),
                text,
                releases,
                confirmed: false,
            },
            &ears,
        )
        .unwrap();
    match ears.heard().pop() {
        Some(AttackEvent::Answer {
            findings, holds, ..
        }) => assert!(findings[0].misread && !holds, "{findings:?}"),
        Some(AttackEvent::Problem { .. }) => {}
        _ => panic!("no answer"),
    }
}

#[test]
fn a_panic_ends_the_ticker_as_well() {
    let ears: Ears<u8> = Ears::new();
    let work = || plan::ticking(&ears, &|_| 0, |_| panic!("a defect"));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
}

#[test]
fn the_steward_s_own_tables_are_not_replaced() {
    let (_, text, folder) = page();
    for name in ["policy.toml", "p1.csv"] {
        let written = if name == "p1.csv" {
            "age\n1\n"
        } else {
            text.as_str()
        };
        std::fs::File::create(folder.path().join(name))
            .and_then(|mut f| std::io::Write::write_all(&mut f, written.as_bytes()))
            .unwrap();
    }
    let policy = folder.path().join("policy.toml");
    let bench = Bench::new(Some(&policy), folder.path().to_owned(), 1 << 20)
        .ok()
        .unwrap();
    assert_eq!(
        bench.file_place("p1.csv").unwrap_err().problem.code,
        "MG0804"
    );
    assert!(bench.file_place("p2.csv").is_ok());
    // another tab starts with what the file holds now
    std::fs::File::create(&policy)
        .and_then(|mut f| std::io::Write::write_all(&mut f, b"# newer\n"))
        .unwrap();
    assert_eq!(bench.start().unwrap().policy.unwrap().text, "# newer\n");
}

#[test]
fn missing_values_are_those_of_the_policy() {
    let (bench, _, _folder) = page();
    let rows = "age\n1\nNA\n3\n";
    std::fs::File::create(bench.file_place("t.csv").unwrap())
        .and_then(|mut f| std::io::Write::write_all(&mut f, rows.as_bytes()))
        .unwrap();
    let kind = |missing: &str| {
        let text = format!(
            "[data]\npath = \"t.csv\"\n{missing}[columns.age]\nrole = \"quasi-identifier\"\n"
        );
        let column = bench
            .profile(&ProfileRequest { text })
            .unwrap()
            .columns
            .remove(0);
        (column.kind, column.missing)
    };
    assert_eq!(kind("missing = [\"NA\"]\n"), ("integer".to_owned(), 1.0));
    assert_eq!(kind(""), ("category".to_owned(), 0.0));
}
