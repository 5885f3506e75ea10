//! Roles that wait for somebody: those that a proposal left open, and those that are so many that
//! nothing is searched before they are confirmed.

use mingle_model::Role;
use mingle_policy::edit::change;
use mingle_policy::{Policy, PolicyEdit, decide};
use mingle_record::policy_document::PolicyValue;
use mingle_record::{Problem, ProblemCode};

/// With more quasi-identifiers than these a release is looked for only once somebody has confirmed
/// the roles: a search takes long then, and finds little (see `propose`, which proposes eight).
pub const MOST_UNCONFIRMED: usize = 12;

/// Refuses to search for a release with many quasi-identifiers that nobody has confirmed.
pub fn check_confirmed(policy: &Policy, confirmed: bool) -> Result<(), Problem> {
    let mut quasi_identifiers = 0;
    for column in &policy.columns {
        if column.spec.role == Role::QuasiIdentifier {
            quasi_identifiers += 1;
        }
    }
    if confirmed || quasi_identifiers <= MOST_UNCONFIRMED {
        return Ok(());
    }
    let text = format!("{quasi_identifiers} quasi-identifiers, and nobody has confirmed the roles");
    let hint = format!(
        "confirm them under Columns, or give some of them another role: up to {MOST_UNCONFIRMED} need no confirmation"
    );
    Err(Problem::new(ProblemCode::RolesUnconfirmed, text, hint))
}

/// The edits with what follows from them: a role under which a key of the column would have no
/// effect takes the key out, since a policy with such a key is refused.
pub fn with_consequences(edits: Vec<PolicyEdit>) -> Vec<PolicyEdit> {
    let mut all = Vec::with_capacity(edits.len());
    for edit in edits {
        let mut useless: &[&str] = &[];
        if let [section, _, key] = edit.path.as_slice()
            && section == "columns"
            && key == "role"
        {
            useless = useless_under(edit.value.as_text().unwrap_or_default());
        }
        let column = edit.path.get(1).cloned().unwrap_or_default();
        all.push(edit);
        for key in useless {
            all.push(change(&["columns", &column, key], PolicyValue::Nothing));
        }
    }
    all
}

/// The keys of a column that a policy refuses beside a role.
fn useless_under(role: &str) -> &'static [&'static str] {
    if role == Role::Drop.name() {
        &["kind", "hierarchy", "order", "domain", "optional"]
    } else if role == Role::Identifier.name() {
        &["kind", "hierarchy", "order", "domain"]
    } else if role == Role::Insensitive.name() {
        &["hierarchy", "order"]
    } else {
        &[]
    }
}

/// The text after edits: a column that was given a role, even the one it had, is decided about.
pub fn decided(text: String, edits: &[PolicyEdit]) -> String {
    let mut text = text;
    let waiting = decide::waiting(&text);
    for edit in edits {
        if let [section, column, key] = edit.path.as_slice()
            && section == "columns"
            && key == "role"
            && waiting.contains(column)
        {
            text = decide::decided(&text, column);
        }
    }
    text
}
