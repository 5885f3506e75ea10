//! What a policy says, as far as the page shows it.
//!
//! Its outline: a policy that is refused still shows its columns; what is wrong is said beside them.

use super::{Bench, problem_view};
use mingle_page::protocol::{
    ColumnView, HierarchyView, LimitsView, PolicyAnswer, PolicyView, ProviderView, SensitiveView,
};
use mingle_policy::{
    Folders, OutlinedColumn, OutlinedHierarchy, OutlinedLimits, OutlinedSensitive, PolicyOutline,
};
use mingle_policy::{decide, edit};
use mingle_record::policy_document::PolicyValue;

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
    let outline = PolicyOutline::of_text(text)?;
    let waiting = decide::waiting(text);
    let strict = edit::said(text, &["release", "strict"]) == Some(PolicyValue::Boolean(true));
    let mut view = view(outline, &waiting, &bench.folders());
    view.strict = strict;
    Some(view)
}

fn view(outline: PolicyOutline, waiting: &[String], folders: &Folders) -> PolicyView {
    let mut providers = Vec::new();
    for table in outline.tables {
        providers.push(ProviderView {
            name: table.provider,
            found: folders.find(&table.file).is_file(),
            file: table.file,
        });
    }
    let mut columns = Vec::new();
    for column in outline.columns {
        let decide = waiting.contains(&column.name);
        columns.push(column_view(column, decide));
    }
    PolicyView {
        providers,
        provider_column: outline.provider_column,
        columns,
        limits: outline.limits.map(limits_view),
        method: outline.method,
        format: outline.format,
        fragmented: outline.fragmented,
        strict: false,
        max_suppressed: outline.max_suppressed,
    }
}

fn column_view(column: OutlinedColumn, decide: bool) -> ColumnView {
    ColumnView {
        name: column.name,
        role: column.role,
        decide,
        kind: column.kind,
        hierarchy: column.hierarchy.map(hierarchy_view),
        order: column.order,
    }
}

fn hierarchy_view(hierarchy: OutlinedHierarchy) -> HierarchyView {
    match hierarchy {
        OutlinedHierarchy::File(name) => HierarchyView::File { name },
        OutlinedHierarchy::Mask(digits) => HierarchyView::Mask { digits },
        OutlinedHierarchy::Intervals(widths) => HierarchyView::Intervals { widths },
        OutlinedHierarchy::Dates => HierarchyView::Dates,
        OutlinedHierarchy::Prefix(lengths) => HierarchyView::Prefix { lengths },
        OutlinedHierarchy::Bands(levels) => HierarchyView::Bands { levels },
        OutlinedHierarchy::Age { at, bands: levels } => HierarchyView::Age { at, levels },
        OutlinedHierarchy::Template(name) => HierarchyView::Template { name },
    }
}

fn limits_view(limits: OutlinedLimits) -> LimitsView {
    LimitsView {
        m: limits.m,
        k: limits.k,
        semantics: limits.semantics,
        sensitive: limits.sensitive.into_iter().map(sensitive_view).collect(),
    }
}

fn sensitive_view(sensitive: OutlinedSensitive) -> SensitiveView {
    SensitiveView {
        column: sensitive.column,
        l_distinct: sensitive.l_distinct,
        l_entropy: sensitive.l_entropy,
        l_recursive: sensitive.l_recursive,
        t: sensitive.t,
        t_distance: sensitive.t_distance,
        max_frequency: sensitive.max_frequency,
        own: sensitive.own,
    }
}
