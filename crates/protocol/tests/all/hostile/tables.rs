//! Tables of a peer that offered other columns than the worked example's, from the scripted site.

use super::peer::{Expect, refused};
use super::scripted::{Scripted, tables};
use mingle_protocol::{Status, Violation};
use serde_json::{Value, json};

fn send(offer: impl Fn(&mut Value), tables: &Value) -> Scripted {
    let mut site = Scripted::agree(offer);
    site.turn("fragments", serde_json::to_vec(tables).expect("JSON"));
    site
}

/// The control: an independently written site gets as far as "ready", and its "ready" is believed.
#[test]
fn a_site_from_the_description_alone_is_understood() {
    let sound = tables(
        "category",
        &["a", "b"],
        [&[(0, 1), (1, 1)], &[(0, 2), (1, 1)], &[(0, 1), (1, 1)]],
    );
    let mut site = send(|_| (), &sound);
    assert_eq!(site.honest.status(), Status::InDoubt);
    let ready = site.peek().payload.clone();
    let mut signature = [1; 64];
    signature[..32].copy_from_slice(&ready[..32]);
    site.turn("ready", [&ready[..32], &signature].concat());
    assert_eq!(site.honest.status(), Status::Published);
}

#[test]
fn values_that_are_no_numbers() {
    let unreadable: Expect = Violation::Inconsistent {
        what: "published tables that cannot be read",
    }
    .into();
    for text in ["NaN", "inf", "-Infinity", "1e400", "0x10", "ten"] {
        let counts: [&[(u32, u64)]; 3] = [&[(0, 2)], &[(0, 3)], &[(0, 2)]];
        let site = send(|_| (), &tables("integer", &[text], counts));
        refused(text, site.outcome(), &unreadable);
    }
}

/// Two texts of one number: their counts are added up, and must not overflow.
#[test]
fn one_number_written_twice() {
    let unreadable: Expect = Violation::Inconsistent {
        what: "published tables that cannot be read",
    }
    .into();
    for huge in [u64::MAX, u64::MAX - 1, 1 << 63] {
        let counts: [&[(u32, u64)]; 3] = [&[(0, huge), (1, huge)], &[(0, 3)], &[(0, 2)]];
        let site = send(|_| (), &tables("integer", &["01", "1"], counts));
        refused("overflow", site.outcome(), &unreadable);
    }
}

/// Promises that the peer makes about its own column are checked here too.
#[test]
fn promises_that_do_not_hold() {
    let offer = |hello: &mut Value| {
        hello["offer"]["columns"][1]["promises"] =
            json!(["distinct-l-diversity 2", "t-closeness 3/4 equal"])
    };
    let counts: [&[(u32, u64)]; 3] = [&[(0, 2)], &[(0, 2), (1, 1)], &[(0, 1), (1, 1)]];
    let site = send(offer, &tables("category", &["a", "b"], counts));
    let expected = mingle_protocol::Error::NotVerified {
        constraint: "distinct-l-diversity".into(),
    };
    refused("not diverse", site.outcome(), &expected.into());
}

/// Promises that need what the peer did not send, or that nothing could show.
#[test]
fn promises_that_cannot_be_checked() {
    let counts: [&[(u32, u64)]; 3] = [&[(0, 1), (1, 1)], &[(0, 2), (1, 1)], &[(0, 1), (1, 1)]];
    let expected: Expect = Violation::Inconsistent {
        what: "promises that its tables cannot show",
    }
    .into();
    for promise in ["t-closeness 3/4 hierarchical", "t-closeness 3/4 ordered"] {
        let offer = |hello: &mut Value| hello["offer"]["columns"][1]["promises"] = json!([promise]);
        let site = send(offer, &tables("category", &["a", "b"], counts));
        refused(promise, site.outcome(), &expected);
    }
}

/// A hierarchy is read only where a promise needs it, and must be one.
#[test]
fn hierarchies_that_are_none() {
    let unreadable: Expect = Violation::Inconsistent {
        what: "published tables that cannot be read",
    }
    .into();
    let counts: [&[(u32, u64)]; 3] = [&[(0, 1), (1, 1)], &[(0, 2), (1, 1)], &[(0, 1), (1, 1)]];
    let broken = [
        ("two roots", json!([["a", "x"], ["b", "y"]])),
        ("uneven", json!([["a", "x", "*"], ["b", "*"]])),
        (
            "two parents",
            json!([["a", "x", "r", "*"], ["b", "x", "s", "*"]]),
        ),
        ("a value is missing", json!([["a", "*"]])),
        ("flat", json!([["a"], ["b"]])),
        ("empty", json!([])),
        ("empty rows", json!([[], []])),
    ];
    for (name, rows) in broken {
        let offer = |hello: &mut Value| {
            hello["offer"]["columns"][1]["promises"] = json!(["t-closeness 3/4 hierarchical"]);
        };
        let mut sent = tables("category", &["a", "b"], counts);
        sent["columns"][1]["hierarchy_rows"] = rows;
        refused(name, send(offer, &sent).outcome(), &unreadable);
    }
}

/// An order is read only for categories, and must list every value.
#[test]
fn orders_that_are_none() {
    let unreadable: Expect = Violation::Inconsistent {
        what: "published tables that cannot be read",
    }
    .into();
    let counts: [&[(u32, u64)]; 3] = [&[(0, 1), (1, 1)], &[(0, 2), (1, 1)], &[(0, 1), (1, 1)]];
    let mut sent = tables("category", &["a", "b"], counts);
    sent["columns"][1]["order"] = json!(["a"]);
    let ordered = |hello: &mut Value| {
        hello["offer"]["columns"][1]["promises"] = json!(["t-closeness 3/4 ordered"])
    };
    refused(
        "a value is missing",
        send(ordered, &sent).outcome(),
        &unreadable,
    );
    let mut sent = tables("integer", &["1", "2"], counts);
    sent["columns"][1]["order"] = json!(["2", "1"]);
    refused("of numbers", send(ordered, &sent).outcome(), &unreadable);
    let shape: Expect = Violation::Inconsistent {
        what: "published tables of another shape",
    }
    .into();
    refused(
        "that no promise needs",
        send(|_| (), &sent).outcome(),
        &shape,
    );
}
