//! What a policy says, as far as the page shows it.
//!
//! Read leniently: a policy that is refused, because its last sensitive column was just given
//! another role, still shows its columns; what is wrong is said beside them.

use super::{Bench, problem_view};
use mingle_page::protocol::{
    ColumnView, HierarchyView, LimitsView, PolicyAnswer, PolicyView, ProviderView, SensitiveView,
};
use mingle_policy::{Folders, Node, Source};
use mingle_privacy::Catalogue;
use serde_json::Value as Json;

/// The text with what it says and what is wrong with it.
pub fn answer(bench: &Bench, text: String) -> PolicyAnswer {
    let problem = bench
        .read(&text, &[])
        .err()
        .map(|problem| problem_view(&problem));
    PolicyAnswer {
        view: of(bench, &text),
        text,
        problem,
    }
}

/// What a text says, if it is TOML.
pub fn of(bench: &Bench, text: &str) -> Option<PolicyView> {
    let source = Source::file("policy.toml".to_owned(), text.to_owned());
    Node::parse(&source)
        .ok()
        .map(|root| view(&root.to_json(), &bench.folders()))
}

fn view(document: &Json, folders: &Folders) -> PolicyView {
    let text = |path: &str, default: &str| {
        document
            .pointer(path)
            .and_then(Json::as_str)
            .unwrap_or(default)
            .to_owned()
    };
    let columns = entries(&document["columns"])
        .map(|(name, column)| column_view(name, column))
        .collect::<Vec<_>>();
    PolicyView {
        providers: providers(&document["data"], folders),
        provider_column: document
            .pointer("/data/provider_column")
            .and_then(Json::as_str)
            .map(str::to_owned),
        limits: document
            .get("privacy")
            .map(|privacy| limits(privacy, &columns)),
        columns,
        method: text("/method/name", mingle_anonymize::METHODS[0].name),
        format: text("/release/format", "csv"),
        fragmented: document
            .pointer("/release/fragmented")
            .and_then(Json::as_bool)
            .unwrap_or(false),
        max_suppressed: document
            .pointer("/method/max_suppressed")
            .and_then(number)
            .unwrap_or(0.0),
    }
}

fn entries(table: &Json) -> impl Iterator<Item = (&String, &Json)> {
    table.as_object().into_iter().flatten()
}

/// Numbers of a policy are kept as they were written.
fn number(value: &Json) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

fn providers(data: &Json, folders: &Folders) -> Vec<ProviderView> {
    let one = |name: Option<&str>, file: &str| ProviderView {
        name: name.map(str::to_owned),
        file: file.to_owned(),
        found: folders.find(file).is_file(),
    };
    if let Some(file) = data["path"].as_str() {
        return vec![one(None, file)];
    }
    let listed = data["providers"].as_array().into_iter().flatten();
    listed
        .map(|p| one(p["name"].as_str(), p["path"].as_str().unwrap_or_default()))
        .collect()
}

fn column_view(name: &str, column: &Json) -> ColumnView {
    let texts = |list: &Vec<Json>| {
        list.iter()
            .filter_map(Json::as_str)
            .map(str::to_owned)
            .collect()
    };
    ColumnView {
        name: name.to_owned(),
        role: column["role"].as_str().unwrap_or_default().to_owned(),
        kind: column["kind"].as_str().map(str::to_owned),
        hierarchy: hierarchy(&column["hierarchy"]),
        order: column["order"].as_array().map(texts),
    }
}

fn hierarchy(declared: &Json) -> Option<HierarchyView> {
    if let Some(name) = declared.as_str() {
        return Some(HierarchyView::File {
            name: name.to_owned(),
        });
    }
    let (kind, value) = declared.as_object()?.iter().next()?;
    match kind.as_str() {
        "mask" => number(value).map(|digits| HierarchyView::Mask { digits }),
        "intervals" => {
            let widths = value
                .as_array()?
                .iter()
                .map(|w| w.as_str().map_or_else(|| w.to_string(), str::to_owned));
            Some(HierarchyView::Intervals {
                widths: widths.collect(),
            })
        }
        _ => Some(HierarchyView::Dates),
    }
}

fn limits(privacy: &Json, columns: &[ColumnView]) -> LimitsView {
    let sensitive = columns.iter().filter(|c| c.role == "sensitive");
    LimitsView {
        m: number(&privacy["m"]),
        k: number(&privacy["k"]),
        semantics: privacy["semantics"].as_str().unwrap_or("victim").to_owned(),
        sensitive: sensitive
            .map(|c| sensitive_view(&c.name, privacy))
            .collect(),
    }
}

/// A column's own words count more than those for all.
fn sensitive_view(column: &str, privacy: &Json) -> SensitiveView {
    let own = |key: &str| privacy.get("sensitive")?.get(column)?.get(key);
    let of = |key: &str| {
        own(key)
            .or_else(|| privacy.get(key))
            .cloned()
            .unwrap_or(Json::Null)
    };
    let (l, t) = (of("l"), of("t"));
    let recursive = &l["recursive"];
    SensitiveView {
        column: column.to_owned(),
        l_distinct: number(&l["distinct"]),
        l_entropy: number(&l["entropy"]),
        l_recursive: number(&recursive["c"]).zip(number(&recursive["l"])),
        t: number(&t["max"]),
        t_distance: t
            .is_object()
            .then(|| t["distance"].as_str().unwrap_or("equal").to_owned()),
        max_frequency: number(&of("max_frequency")),
        own: Catalogue::standard()
            .keys(false)
            .into_iter()
            .filter(|key| own(key).is_some())
            .map(str::to_owned)
            .collect(),
    }
}
