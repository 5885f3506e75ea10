//! What a release assumes about people, in a sentence for its steward.
//!
//! A promise about people is worth as much as what tells people apart, and one against insiders as
//! much as what they are taken to know.

use mingle_policy::{DeclaredPeople, PersonScope, Policy};
use mingle_privacy::Knows;
use mingle_privacy::M;

/// What is assumed. `guaranteed` is the number of different people that every group has for sure
/// where identifiers are local.
pub(super) fn of(policy: &Policy, m: M, guaranteed: Option<u64>) -> String {
    let mut words = told_apart(policy, guaranteed);
    if m > M(0) {
        words.push_str(known(policy));
    }
    words
}

/// Who is one person.
fn told_apart(policy: &Policy, guaranteed: Option<u64>) -> String {
    if let (DeclaredPeople::Unsaid | DeclaredPeople::EachRow, Some(column)) =
        (&policy.data.people, policy.separated())
    {
        let name = &column.spec.name;
        return format!("each row is one person, who may have several values of {name}");
    }
    let column = match &policy.data.people {
        DeclaredPeople::Unsaid => return "each row is one person".to_owned(),
        DeclaredPeople::EachRow => return "each row is one person, as the policy says".to_owned(),
        DeclaredPeople::Column(column) => column,
    };
    let name = &column.name;
    match column.scope {
        PersonScope::Joint => format!("{name} tells people apart, at all providers alike"),
        PersonScope::Provider => {
            let sure = guaranteed.unwrap_or(0);
            format!(
                "{name} tells people apart within each provider only: people may be counted twice; guaranteed is that \
                 every group has {sure} different people"
            )
        }
    }
}

/// What a provider knows, after what tells people apart.
fn known(policy: &Policy) -> &'static str {
    if policy.people_entry().is_none() {
        return ", and a provider knows only its own rows";
    }
    match policy.privacy().map(|privacy| privacy.knows) {
        Ok(Knows::Rows) => {
            "; a provider knows only its own rows, and a person only if it has all her rows"
        }
        _ => {
            "; a provider that has one row of a person recognises all of them, and knows nobody else's"
        }
    }
}
