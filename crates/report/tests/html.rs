//! What every report must be: well-formed, harmless, named for those who do not see, and the same
//! every time.
#![allow(clippy::unwrap_used, reason = "tests")]

mod common;

use common::*;
use mingle_io::Format;
use mingle_report::facts::{PublicFacts, StewardFacts};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::fs;

const VOID: [&str; 5] = ["meta", "br", "hr", "img", "input"];

/// Tags are balanced, attributes quoted, ids unique, ids that are referred to are there, every
/// image has a name.
fn check(html: &str) {
    let mut open: Vec<String> = Vec::new();
    let (mut ids, mut wanted, mut images, mut rest) = (HashSet::new(), Vec::new(), 0, html);
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if tag.starts_with('!') {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "closed in order");
            continue;
        }
        let name: String = tag.chars().take_while(|c| c.is_alphanumeric()).collect();
        assert!(!name.is_empty(), "a tag has a name: {tag}");
        let parts: Vec<&str> = tag.split('"').collect();
        assert!(parts.len() % 2 == 1, "quotes are balanced: {tag}");
        for pair in parts.chunks_exact(2) {
            let key = pair[0].rsplit(' ').next().unwrap().trim_end_matches('=');
            match key {
                "id" => assert!(
                    ids.insert(pair[1].to_owned()),
                    "id {} is there twice",
                    pair[1]
                ),
                "aria-labelledby" => wanted.extend(pair[1].split(' ').map(str::to_owned)),
                "href" => wanted.push(
                    pair[1]
                        .strip_prefix('#')
                        .expect("links stay on the page")
                        .to_owned(),
                ),
                "role" if pair[1] == "img" => images += 1,
                key => assert!(!key.starts_with("on") && key != "src", "{key}"),
            }
        }
        if name == "style" {
            rest = &rest[rest.find("</style>").unwrap()..];
        }
        if !VOID.contains(&name.as_str()) && !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    wanted
        .iter()
        .for_each(|id| assert!(ids.contains(id), "nothing has the id {id}"));
    assert_eq!(
        html.matches("<svg class=\"chart\" role=\"img\"").count(),
        images
    );
    assert_eq!(
        html.matches("-t\">").count(),
        images,
        "every chart has a title"
    );
    for token in [
        "<script",
        "javascript:",
        "http://",
        "https://",
        "@import",
        "url(",
        "<link",
        "<iframe",
    ] {
        assert!(!html.contains(token), "{token}");
    }
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<html lang=\"en\">"));
    assert!(
        !html.chars().any(|c| c.is_control() && c != '\n'),
        "no control characters"
    );
}

fn render((manifest, files): &(Value, Vec<(&'static str, &'static str)>)) -> String {
    let (_home, folder) = handed_out(manifest, files);
    let html = mingle_report::public(&folder).unwrap();
    check(&html);
    html
}

fn kinds() -> Vec<(Value, Vec<(&'static str, &'static str)>)> {
    let of = |change: &dyn Fn(&mut Value)| {
        let (mut manifest, files) = groups();
        change(&mut manifest);
        (manifest, files)
    };
    let column = |name: &str| json!({ "name": name, "role": "sensitive", "kind": "category" });
    vec![
        groups(),
        fragmented(false),
        fragmented(true),
        noisy("synthetic"),
        noisy("marginals"),
        noisy("histogram"),
        of(&|m| m["m"] = 2.into()),
        of(&|m| {
            (m["m"], m["semantics"], m["site_diversity"]) = (1.into(), "strict".into(), 2.into())
        }),
        of(&|m| m["policy"]["method"]["output"] = "centroid".into()),
        of(&|m| m["utility"] = json!({ "ncp": 0.12, "query_error_mean": 1.5 })),
        // several sensitive columns, and promises of every kind
        of(&|m| {
            m["columns"][3] = column("ward");
            let about = |name: &str, more: Value| {
                let mut entry = json!({ "name": name, "column": "disease" });
                entry
                    .as_object_mut()
                    .unwrap()
                    .extend(more.as_object().unwrap().clone());
                entry
            };
            m["promises"] = json!([
                about("entropy-l-diversity", json!({ "l": 1.5 })),
                about("recursive-l-diversity", json!({ "c": 3, "l": 2 })),
                about("max-frequency", json!({ "max": 0.5 })),
                about("t-closeness", json!({ "max": 0.9, "distance": "equal" })),
                { "name": "distinct-l-diversity", "joint": true, "l": 2 },
            ]);
        }),
        // no sensitive column
        of(&|m| {
            m["columns"][2]["role"] = "insensitive".into();
            m["promises"].as_array_mut().unwrap().pop();
        }),
        // no quasi-identifier
        of(&|m| {
            m["columns"][0]["role"] = "insensitive".into();
            m["columns"][1]["role"] = "insensitive".into();
        }),
    ]
}

#[test]
fn every_kind_of_release_has_a_well_formed_report() {
    for (at, kind) in kinds().iter().enumerate() {
        let html = render(kind);
        assert!(
            html.contains("Protected")
                && html.contains("Not protected")
                && html.contains("Taken for granted"),
            "{at}"
        );
        assert!(html.len() < 400_000, "{at}");
    }
}

#[test]
fn what_matters_is_said_in_plain_words() {
    let html = render(&groups());
    for words in [
        "Somebody who knows a person&#39;s age and zip finds at least 3 rows that look alike",
        "at least 2 different values of disease",
        "Nothing is promised against that (m = 0)",
        "Each row is one person",
        "ward: published as they are",
    ] {
        let plain = words.replace("&#39;", "'");
        assert!(html.contains(words) || html.contains(&plain), "{words}");
    }
    let mut two = groups();
    two.0["m"] = 2.into();
    let html = render(&two);
    assert!(
        html.contains("no two of them together") && html.contains("3 or more providers together")
    );
    assert!(html.contains("stated at publishing"));
}

#[test]
fn a_promise_that_the_rows_do_not_keep_is_shown_as_broken() {
    let (mut manifest, files) = groups();
    manifest["promises"][0]["k"] = 4.into();
    let html = render(&(manifest, files));
    assert!(
        html.contains("A promise does not hold")
            && html.contains("✗ fails")
            && html.contains("Do not hand out")
    );
    assert!(!html.contains("Protected against"));
}

#[test]
fn labels_cannot_leave_their_place() {
    let odd = [
        "<script>alert(1)</script>",
        "\"' onload=x",
        "a\u{202e}b\u{2066}c",
        "&amp;<!--",
        "]]><svg/onload=1>",
        "\u{200b}\u{feff}",
    ];
    let long = "L".repeat(10_000);
    let mut data = String::from("age,zip,disease,ward\n");
    for value in odd.iter().copied().chain([long.as_str()]) {
        let cell = value.replace('"', "\"\"");
        for disease in ["Flu", &cell, "Cancer"] {
            data += &format!("\"{cell}\",\"{cell}\",\"{disease}\",\"{cell}\"\n");
        }
    }
    let (mut manifest, _) = groups();
    manifest["columns"][3]["name"] = "<b>\"ward\"</b>\u{202e}".into();
    let data = data.replace("disease,ward", "disease,\"<b>\"\"ward\"\"</b>\u{202e}\"");
    let (_home, folder) = handed_out(&manifest, &[("data.csv", &data)]);
    let html = mingle_report::public(&folder).unwrap();
    check(&html);
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(
        !html.contains("<b>")
            && !html.contains("<svg/")
            && !html.contains('\u{202e}')
            && !html.contains('\u{200b}')
    );
    assert!(!html.contains(&"L".repeat(61)) && html.contains(&format!("{}…", "L".repeat(59))));
}

#[test]
fn a_huge_release_stays_a_small_page() {
    let columns: Vec<Value> = (0..300)
        .map(|i| json!({ "name": format!("c{i}"), "role": if i < 280 { "quasi-identifier" } else { "sensitive" }, "kind": "category" }))
        .collect();
    let (mut manifest, _) = groups();
    manifest["columns"] = columns.into();
    manifest["promises"] = json!([{ "name": "k-anonymity", "k": 1 }]);
    let names: Vec<String> = (0..300).map(|i| format!("c{i}")).collect();
    let row = |r: usize| {
        (0..300)
            .map(|i| format!("a rather long label {r} {i}"))
            .collect::<Vec<_>>()
            .join(",")
    };
    let data = format!(
        "{}\n{}\n",
        names.join(","),
        (0..200).map(row).collect::<Vec<_>>().join("\n")
    );
    let (_home, folder) = handed_out(&manifest, &[("data.csv", &data)]);
    let html = mingle_report::public(&folder).unwrap();
    check(&html);
    assert!(html.len() < 400_000, "{}", html.len());
    assert!(html.contains("and 100 more"));
}

#[test]
fn the_public_report_needs_nothing_but_public() {
    for format in [Format::Csv, Format::Parquet] {
        let (_home, folder) = published(format);
        let whole = mingle_report::public(&folder.join("public")).unwrap();
        check(&whole);
        fs::remove_dir_all(folder.join("private")).unwrap();
        assert!(whole == mingle_report::public(&folder.join("public")).unwrap());
        // under another name and in another place
        let (_elsewhere, place) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let moved = place.path().join("handed-out");
        fs::rename(folder.join("public"), &moved).unwrap();
        assert!(whole == mingle_report::public(&moved).unwrap());
        assert!(
            mingle_report::private(&moved).is_err(),
            "without the private part there is no private report"
        );
    }
}

#[test]
fn a_private_folder_beside_a_public_one_is_not_looked_at() {
    let (_home, folder) = published(Format::Csv);
    let before = mingle_report::public(&folder.join("public")).unwrap();
    write(&folder.join("private/manifest.json"), "not a manifest");
    write(&folder.join("private/audit.parquet"), "not an audit");
    assert!(before == mingle_report::public(&folder.join("public")).unwrap());
}

#[test]
fn nothing_private_is_in_the_public_report() {
    let (home, folder) = published(Format::Csv);
    let html = mingle_report::public(&folder.join("public")).unwrap();
    let private = mingle_report::private(&folder).unwrap();
    check(&private);
    for (canary, kept) in [
        ("Xylophone", true),
        ("Zugzwang", true),
        ("Quagga", true),
        ("North", true),
        ("abad1dea", true),
        ("471147", true),
        ("secret-input", true),
        ("0.4322", true),
        ("77.7 %", true),
        ("a warning for the steward", true),
        ("other-release", true),
        ("collude, at most", true),
        ("smallest coalition", true),
        ("total variation", true),
        (home.path().to_str().unwrap(), false),
    ] {
        assert!(!html.contains(canary), "{canary}");
        assert_eq!(private.contains(canary), kept, "{canary}");
    }
    assert!(
        private == mingle_report::private(&folder).unwrap(),
        "the same release, the same bytes"
    );
}

#[test]
fn the_private_report_plays_the_coalitions() {
    let (_home, folder) = published(Format::Csv);
    let facts = mingle_report::facts::StewardFacts::open(&folder).unwrap();
    let exposure = facts.exposure.as_ref().unwrap();
    assert_eq!(
        (
            exposure.groups,
            exposure.people,
            exposure.providers,
            exposure.sizes.len()
        ),
        (2, 10, 4, 4)
    );
    assert_eq!(
        (exposure.verdict.name(), exposure.sizes[1].groups),
        ("holds", 0)
    );
    assert!(
        exposure.sizes[3].groups > 0,
        "three of four can always look at the fourth's rows alone"
    );
    assert_eq!(facts.public.verdict.insiders.name(), "holds");
    assert!(
        facts
            .protected
            .iter()
            .any(|s| s.about == "Known releases" && s.text.contains("other-release"))
    );
    let html = mingle_report::private(&folder).unwrap();
    assert!(html.contains("Quagga &lt;3&gt;") && html.contains("North &amp; South"));
    assert!(
        html.contains("&lt;script&gt;alert(1)"),
        "labels of distributions are escaped"
    );
}

#[test]
fn what_is_no_release_or_is_damaged_is_an_error() {
    let (manifest, files) = groups();
    let (_a, no_data) = handed_out(&manifest, &[]);
    let (_b, other) = handed_out(&json!({ "schema": "another/1" }), &files);
    let (_c, short) = handed_out(&manifest, &[("data.csv", "age,zip\n1,2\n")]);
    let nowhere = no_data.join("nowhere");
    for folder in [&no_data, &other, &short, &nowhere] {
        assert!(mingle_report::public(folder).is_err());
        assert!(mingle_report::private(folder).is_err());
    }
}

/// The words of a page, a line for each piece of text.
fn words(html: &str) -> String {
    let body = &html[html.find("<body").unwrap()..];
    let mut text = String::new();
    for piece in body.split('<').skip(1) {
        let words = piece.split_once('>').map_or("", |(_, words)| words).trim();
        if !words.is_empty() {
            text += words;
            text.push('\n');
        }
    }
    text
}

#[test]
fn the_words_of_a_small_report_stay_as_they_are() {
    let (_home, folder) = published(Format::Csv);
    for (name, html) in [
        (
            "public.txt",
            mingle_report::public(&folder.join("public")).unwrap(),
        ),
        ("private.txt", mingle_report::private(&folder).unwrap()),
    ] {
        let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/golden")
            .join(name);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            write(&golden, &words(&html));
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        assert!(
            words(&html) == expected,
            "{name} changed; UPDATE_GOLDEN=1 writes it anew"
        );
    }
}

/// The report of one table whose manifest promises this.
fn promising(promises: Value, data: &str) -> (String, mingle_report::facts::PublicFacts) {
    let (mut manifest, _) = groups();
    manifest["promises"] = promises;
    let (_home, folder) = handed_out(&manifest, &[("data.csv", data)]);
    let html = mingle_report::public(&folder).unwrap();
    check(&html);
    (
        html,
        mingle_report::facts::PublicFacts::open(&folder).unwrap(),
    )
}

/// The first group has one disease.
const ONE_VALUE: &str = "age,zip,disease,ward\n[20-29],*,Flu,A\n[20-29],*,Flu,B\n[20-29],*,Flu,A\n\
                         [30-39],12***,Flu,B\n[30-39],12***,Asthma,A\n[30-39],12***,Cancer,A\n";

fn about_disease(name: &str, key: &str, value: Value) -> Value {
    json!({ "name": name, "column": "disease", key: value })
}

fn closeness(t: f64) -> Value {
    json!({ "name": "t-closeness", "column": "disease", "max": t, "distance": "equal" })
}

#[test]
fn promises_that_every_table_keeps_protect_nobody() {
    for promises in [
        json!([{ "name": "k-anonymity", "k": 1 }]),
        json!([{ "name": "k-anonymity", "k": 1 }, about_disease("distinct-l-diversity", "l", 1.into())]),
        json!([about_disease("entropy-l-diversity", "l", 1.into())]),
        json!([about_disease("max-frequency", "max", 1.into())]),
        json!([closeness(1.0)]),
    ] {
        let (html, facts) = promising(promises.clone(), ONE_VALUE);
        assert!(
            html.contains("Nothing is protected") && html.contains("banner fails"),
            "{promises}"
        );
        assert!(
            !html.contains("Protected against") && !html.contains("banner holds"),
            "{promises}"
        );
        assert!(facts.protected.is_empty(), "{:?}", facts.protected);
        let said = |words: &str| facts.unprotected.iter().any(|s| s.text.contains(words));
        assert!(
            said("Nothing is promised about disease") && said("A row may look like no other"),
            "{promises}"
        );
        assert!(
            said("In some group all rows have the same value of disease"),
            "{promises}"
        );
        assert!(
            said("nothing against providers") && !said("Not certain does not mean"),
            "{promises}"
        );
    }
}

#[test]
fn nothing_is_protected_from_insiders_either() {
    let (mut manifest, files) = groups();
    (manifest["m"], manifest["promises"]) = (2.into(), json!([{ "name": "k-anonymity", "k": 1 }]));
    let html = render(&(manifest, files));
    assert!(html.contains("Nothing is protected") && !html.contains("can undo this"));
}

#[test]
fn closeness_alone_leaves_values_certain() {
    let (html, facts) = promising(
        json!([{ "name": "k-anonymity", "k": 3 }, closeness(0.9)]),
        ONE_VALUE,
    );
    assert!(html.contains("Protected in part against outsiders") && !html.contains("banner holds"));
    assert!(!html.contains("little more") && !html.contains("nearly"));
    let said = |words: &str| facts.unprotected.iter().any(|s| s.text.contains(words));
    assert!(said(
        "What is promised about disease does not rule out that all rows"
    ));
    assert!(said("it is known of everybody in it") && !said("Not certain does not mean"));
    assert!(
        facts
            .protected
            .iter()
            .any(|s| s.text.contains("by at most 0.9, where 0 is no difference"))
    );
    // together with what does rule it out
    let two = json!([{ "name": "k-anonymity", "k": 3 }, closeness(0.9), about_disease("distinct-l-diversity", "l", 2.into())]);
    let (html, facts) = promising(two, DATA);
    assert!(html.contains("Protected against outsiders") && html.contains("banner holds"));
    assert!(
        !facts
            .unprotected
            .iter()
            .any(|s| s.about == "Sensitive values")
    );
}

#[test]
fn size_alone_protects_in_part() {
    let (html, facts) = promising(json!([{ "name": "k-anonymity", "k": 3 }]), DATA);
    assert!(html.contains("Protected in part against outsiders") && html.contains("banner part"));
    assert!(
        facts
            .unprotected
            .iter()
            .any(|s| s.text.contains("Nothing is promised about disease"))
    );
}

#[test]
fn what_holds_for_values_together_does_not_hold_for_one() {
    let joint = json!([{ "name": "k-anonymity", "k": 3 }, { "name": "distinct-l-diversity", "joint": true, "l": 2 }]);
    let (mut manifest, _) = groups();
    (manifest["columns"][3]["role"], manifest["promises"]) = ("sensitive".into(), joint);
    let (_home, folder) = handed_out(&manifest, &[("data.csv", ONE_VALUE)]);
    let facts = mingle_report::facts::PublicFacts::open(&folder).unwrap();
    assert_eq!(facts.extent, mingle_record::answer::ShownExtent::Part);
    assert!(
        facts
            .unprotected
            .iter()
            .any(|s| s.text.contains("about disease and ward does not rule out"))
    );
}

#[test]
fn a_broken_promise_protects_nobody() {
    let (html, facts) = promising(json!([{ "name": "k-anonymity", "k": 4 }]), ONE_VALUE);
    assert!(html.contains("A promise does not hold") && facts.protected.is_empty());
}

#[test]
fn bounds_are_rounded_up_and_thresholds_are_fractions() {
    let third = json!([{ "name": "k-anonymity", "k": 3 }, about_disease("max-frequency", "max", "2/3".into())]);
    let (html, _) = promising(third, DATA);
    assert!(
        html.contains("more than 66.7 % of")
            && html.contains("above 1/3")
            && !html.contains("above 33")
    );
}

#[test]
fn the_policy_has_the_rules_that_are_public() {
    let (mut manifest, files) = groups();
    manifest["columns"][0]["hierarchy"] = "file".into();
    manifest["columns"][1]["hierarchy"] = "mask 5".into();
    manifest["policy"]["columns"] = json!({
        "age": { "role": "quasi-identifier" }, "zip": { "role": "quasi-identifier" }, "disease": { "role": "sensitive" },
    });
    let html = render(&(manifest, files));
    assert!(
        html.contains("[columns.zip.hierarchy]\nmask = 5")
            && !html.contains("columns.age.hierarchy")
    );
    assert!(
        html.contains("The hierarchy of age is in a file")
            && html.contains("texts that mean a missing value")
    );
}

#[test]
fn both_reports_at_once_are_the_same_bytes() {
    for format in [Format::Csv, Format::Parquet] {
        let (_home, folder) = published(format);
        let both = mingle_report::both(&folder).unwrap();
        let (handed_out, kept) = (both.public.html, both.private.html);
        assert!(handed_out == mingle_report::public(&folder.join("public")).unwrap());
        assert!(kept == mingle_report::private(&folder).unwrap());
    }
}

#[test]
fn an_audit_of_other_rows_is_not_believed() {
    let (_home, folder) = published(Format::Csv);
    let private = folder.join("private/manifest.json");
    let before = fs::read_to_string(&private).unwrap();
    let mut manifest: Value = serde_json::from_str(&before).unwrap();
    let rows = &mut manifest["providers"][0]["published_rows"];
    *rows = (rows.as_u64().unwrap() + 1).into();
    write(&private, &manifest.to_string());
    let refused = |folder: &std::path::Path| {
        let error = mingle_report::private(folder).unwrap_err().to_string();
        assert!(
            error.contains("the audit does not belong to these rows"),
            "{error}"
        );
        assert!(mingle_report::both(folder).is_err());
    };
    refused(&folder);
    write(&private, &before);
    assert!(mingle_report::private(&folder).is_ok());
    let data = folder.join("public/data.csv");
    let text = fs::read_to_string(&data).unwrap();
    write(&data, &text.replacen("Epilepsy", "Flu", 1));
    refused(&folder);
}

#[test]
fn where_nobody_can_collude_the_headline_names_no_providers() {
    let (_home, folder) = published(Format::Csv);
    let mut facts = mingle_report::facts::StewardFacts::open(&folder).unwrap();
    assert!(
        !facts.of_one_provider()
            && facts
                .to_html()
                .contains("outsiders and any single provider")
    );
    facts.providers.truncate(1);
    assert!(
        facts.of_one_provider()
            && !facts
                .to_html()
                .contains("outsiders and any single provider")
    );
}

#[test]
fn thousands_of_providers_stay_a_small_page() {
    let (_home, folder) = published(Format::Csv);
    let mut facts = mingle_report::facts::StewardFacts::open(&folder).unwrap();
    let exposure = facts.exposure.as_mut().unwrap();
    let last = exposure.sizes.last().unwrap().clone();
    exposure.sizes.extend(
        (4..45_000).map(|size| mingle_record::answer::ShownExposureOfSize {
            size,
            ..last.clone()
        }),
    );
    exposure.providers = 45_000;
    let html = facts.to_html();
    check(&html);
    assert!(html.len() < 400_000, "{}", html.len());
    assert!(
        html.contains("Drawn are coalitions of up to 99 of 45,000 providers. If 44,999 collude")
    );
}

#[test]
fn accepted_risks_are_in_the_headline() {
    let judged = |maximum: f64| {
        let (mut manifest, files) = groups();
        manifest["policy"]["risk"] = json!({ "maximum": maximum });
        render(&(manifest, files))
    };
    // the smallest group has three rows
    let kept = judged(0.34);
    assert!(
        kept.contains("Accepted: highest chance to name somebody is 33.3 %, at most 34 % allowed.")
    );
    assert!(kept.contains("Protected against outsiders"));
    let broken = judged(0.33);
    assert!(broken.contains("The risk is above what the policy accepts"));
    assert!(
        broken.contains("Not accepted: highest chance")
            && !broken.contains("Protected against outsiders")
    );
    assert!(broken.contains("banner fails"));
}

#[test]
fn a_cover_has_what_the_policy_says_and_no_markup_of_its_own() {
    let (mut manifest, files) = groups();
    assert!(!render(&(manifest.clone(), files.clone())).contains("About this release"));
    manifest["policy"]["about"] = json!({
        "title": "Stays <b>2025</b>", "contact": "data@example.org", "why": { "k": "as usual" }
    });
    let html = render(&(manifest, files));
    assert!(html.contains("<h1>Stays &lt;b&gt;2025&lt;/b&gt;</h1>"));
    assert!(html.contains("data@example.org") && html.contains("as usual"));
    assert!(
        !html.contains("to be filled in"),
        "blanks are for the steward"
    );
}

/// Nobody reads a sentence of forty words.
#[test]
fn no_sentence_is_longer_than_thirty_words() {
    let (_home, folder) = published(Format::Csv);
    let both = mingle_report::both(&folder).unwrap();
    for page in [both.public.html, both.private.html] {
        let body = &page[page.find("<main").unwrap()..];
        let text = body
            .split('<')
            .map(|part| part.split_once('>').map_or("", |(_, text)| text));
        for block in text {
            for sentence in block.split(['.', ':', ';', '?']) {
                let words = sentence.split_whitespace().count();
                assert!(words <= 30, "{words} words: {sentence}");
            }
        }
    }
}

/// What could push a page beyond a phone's 390 pixels, found without a browser: a table, or a text
/// that does not break, outside of a box that scrolls by itself; and something that is placed
/// absolutely outside of one that holds it.
fn pushes_sideways(page: &str) -> Vec<String> {
    let mut open: Vec<(String, Vec<String>)> = Vec::new();
    let mut found = Vec::new();
    let body = &page[page.find("<body").unwrap()..page.find("</html>").unwrap()];
    for part in body.split('<').skip(1) {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        if let Some(ended) = tag.strip_prefix('/') {
            let (name, _) = open.pop().unwrap_or_default();
            assert_eq!(name, ended, "tags are nested");
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap().to_owned();
        let classes = match tag.split_once("class=\"") {
            Some((_, rest)) => rest
                .split('"')
                .next()
                .unwrap()
                .split(' ')
                .map(str::to_owned)
                .collect(),
            None => Vec::new(),
        };
        let inside = |class: &str| open.iter().any(|(_, of)| of.iter().any(|c| c == class));
        let scrolls = inside("scroll") || name == "pre" || open.iter().any(|(of, _)| of == "pre");
        if name == "table" && !scrolls {
            found.push(format!("<{tag}>"));
        }
        if classes.iter().any(|class| class == "unseen") && !inside("blank") && !inside("scroll") {
            found.push(format!("<{tag}>"));
        }
        // a code breaks anywhere by its style, drawings scale, all other texts break at spaces
        let breaks = name == "code" || open.iter().any(|(of, _)| of == "svg" || of == "code");
        let longest = text
            .split_whitespace()
            .map(|word| word.chars().count())
            .max();
        if !scrolls && !breaks && name != "svg" && longest.unwrap_or(0) > 40 {
            found.push(format!("<{tag}>{}", &text[..text.len().min(60)]));
        }
        if !VOID.contains(&name.as_str()) && !tag.ends_with('/') {
            open.push((name, classes));
        }
    }
    found
}

#[test]
fn nothing_pushes_a_page_sideways() {
    for format in [Format::Csv, Format::Parquet] {
        let (_home, folder) = published(format);
        let both = mingle_report::both(&folder).unwrap();
        for page in [both.public.html, both.private.html] {
            assert_eq!(pushes_sideways(&page), Vec::<String>::new());
            // what the test takes for granted of the style
            for rule in [
                ".scroll{position:relative;overflow-x:auto;max-width:100%",
                "pre{background:var(--card);padding:1rem;border-radius:.5rem;overflow-x:auto",
                ".blank{position:relative",
                "overflow-wrap:anywhere",
                "name=\"viewport\" content=\"width=device-width",
            ] {
                assert!(page.contains(rule), "{rule}");
            }
            // and it finds what it is for
            let planted = page.replacen("class=\"scroll\"", "class=\"rolls\"", 1);
            assert!(
                !pushes_sideways(&planted).is_empty(),
                "a table outside of a box"
            );
        }
    }
}

/// The document for programs is made from the facts of the page, and says what it says.
#[test]
fn the_document_is_the_page_for_programs() {
    use mingle_record::release_report::{PrivateReleaseReport, ReleaseReport};
    for format in [Format::Csv, Format::Parquet] {
        let (_home, folder) = published(format);
        let both = mingle_report::both(&folder).unwrap();
        assert!(
            both == mingle_report::both(&folder).unwrap(),
            "the same bytes"
        );
        let facts = StewardFacts::open(&folder).unwrap();
        let private: PrivateReleaseReport = serde_json::from_str(&both.private.json).unwrap();
        assert!(private.public == facts.public.shown() && private.private == facts.shown());
        let facts = PublicFacts::open(&folder.join("public")).unwrap();
        let public: ReleaseReport = serde_json::from_str(&both.public.json).unwrap();
        assert!(public.public == facts.shown());
        assert!(both.public.html.contains(&public.headline));
        assert!(both.private.html.contains(&private.headline));
        assert!(!both.public.json.contains("\"private\""));
        for json in [&both.public.json, &both.private.json] {
            assert!(mingle_release::manifest::checksum::holds(json.as_bytes()));
            let changed = json.replacen("holds", "fails", 1);
            assert!(!mingle_release::manifest::checksum::holds(
                changed.as_bytes()
            ));
            // nothing of the machine
            assert!(!json.contains(folder.to_str().unwrap()));
        }
        let bytes = std::fs::read(folder.join("public/manifest.json")).unwrap();
        let sha256 = mingle_release::manifest::checksum::sha256(&bytes);
        assert_eq!((&public.manifest, &private.manifest), (&sha256, &sha256));
    }
}
