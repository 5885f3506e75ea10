//! Against whom: what the policy asks, and what that comes to with the providers at hand.

use mingle_model::counted;
use mingle_model::{Cube, Table};
use mingle_privacy::{Insiders, LabelPromise, Semantics};
use mingle_record::Problem;
use mingle_record::ProblemCode;

/// How many providers have rows.
pub fn contributors(table: &Table) -> u64 {
    table
        .rows_by_provider()
        .iter()
        .filter(|&&rows| rows > 0)
        .count() as u64
}

/// Coalitions beyond this size do not exist: one provider at least is left out.
fn largest_coalition(insiders: Insiders, contributors: u64) -> u64 {
    insiders.m.0.min(contributors.saturating_sub(1))
}

/// In words, such as `outsiders and any 2 of 4 providers colluding`.
pub fn in_words(insiders: Insiders, contributors: u64) -> String {
    let sites = match insiders.semantics {
        Semantics::Strict { .. } => format!(
            "at least {} in every group",
            counted(insiders.fewest_providers(), "provider")
        ),
        Semantics::Victim => String::new(),
    };
    let and_sites = if sites.is_empty() {
        String::new()
    } else {
        format!(", {sites}")
    };
    match largest_coalition(insiders, contributors) {
        0 if insiders.m.0 > 0 => format!("outsiders (one provider: nobody can collude{and_sites})"),
        0 => format!("outsiders (m = 0{and_sites})"),
        // the default goes without saying: a coalition leaves out at least one contributor of a group
        m if sites.is_empty() => {
            format!("outsiders and any {m} of {contributors} providers colluding")
        }
        m => format!(
            "outsiders and any {m} of {contributors} providers colluding (strict semantics{and_sites})"
        ),
    }
}

/// An m that asks for more than there can be.
pub fn warning(insiders: Insiders, contributors: u64) -> Option<Problem> {
    let m = insiders.m.0;
    if m == 0 || m < contributors {
        return None;
    }
    if contributors < 2 {
        let text = format!(
            "m = {m}, but all rows are of one provider: nobody can collude, so m acts as 0"
        );
        return Some(Problem::new(
            ProblemCode::NobodyColludes,
            text,
            "name the other providers in [data], or leave m out",
        ));
    }
    let most = largest_coalition(insiders, contributors);
    let text = format!(
        "m = {m} is not smaller than the number of providers, {contributors}: a coalition leaves out at least one \
         provider of a group, so m acts as {most}, everybody against one"
    );
    Some(Problem::new(
        ProblemCode::MoreInsidersThanProviders,
        text,
        format!("state m = {most} in [privacy] to say the same"),
    ))
}

/// Strict semantics may ask for more contributors to a group than there are at all.
pub fn check_sites(insiders: Insiders, contributors: u64) -> Result<(), Problem> {
    let fewest = insiders.fewest_providers();
    match insiders.semantics.site_diversity() {
        Some(site_diversity) if fewest > contributors => {
            let text = format!(
                "strict semantics with m = {} and site_diversity = {site_diversity} asks for {fewest} providers in \
                 every group, and {contributors} have rows: no release can exist",
                insiders.m.0
            );
            let hint = "lower m or site_diversity, add providers, or use semantics = \"victim\"";
            Err(Problem::new(ProblemCode::NoRelease, text, hint))
        }
        _ => Ok(()),
    }
}

/// Public labels need a vocabulary: a column of numbers or dates has none unless the policy says so.
pub fn check_vocabulary(insiders: Insiders, cube: &Cube) -> Result<(), Problem> {
    if insiders.labels != LabelPromise::Public {
        return Ok(());
    }
    let mut without = Vec::new();
    for qi in cube.quasi_identifiers() {
        let domain = &qi.domain;
        let has_labels = domain.hierarchy().is_some() || domain.declared_grid().is_some();
        if domain.kind().is_numeric() && !has_labels {
            without.push(qi.name.as_str());
        }
    }
    if without.is_empty() {
        return Ok(());
    }
    let text = format!(
        "labels = \"public\" needs a `grid` or a hierarchy for every quasi-identifier of numbers or dates, and {} has \
         neither",
        names(without.iter().copied())
    );
    let hint = "say where ranges begin and end in the column's entry, such as grid = 5 or grid = \"month\"";
    Err(Problem::new(ProblemCode::MissingKey, text, hint))
}

/// Some names, quoted; a long list is cut.
pub fn names<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 5;
    let more = names.len().saturating_sub(SHOWN);
    let mut shown: Vec<String> = names.take(SHOWN).map(|name| format!("{name:?}")).collect();
    if more > 0 {
        shown.push(format!("and {more} more"));
    }
    shown.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_privacy::M;

    #[test]
    fn said_in_words() {
        for (insiders, contributors, words) in [
            (Insiders::NONE, 4, "outsiders (m = 0)"),
            (
                Insiders::victim(M(2)),
                1,
                "outsiders (one provider: nobody can collude)",
            ),
            (
                Insiders::victim(M(1)),
                4,
                "outsiders and any 1 of 4 providers colluding",
            ),
            (
                Insiders::victim(M(u64::MAX)),
                4,
                "outsiders and any 3 of 4 providers colluding",
            ),
            (
                Insiders::strict(M(1), 2),
                4,
                "outsiders and any 1 of 4 providers colluding (strict semantics, at least 3 providers in every group)",
            ),
            (
                Insiders::strict(M(0), 2),
                4,
                "outsiders (m = 0, at least 2 providers in every group)",
            ),
        ] {
            assert_eq!(in_words(insiders, contributors), words);
        }
    }

    #[test]
    fn an_m_that_cannot_be() {
        let code = |insiders, n| warning(insiders, n).map(|problem| problem.code());
        assert_eq!(code(Insiders::victim(M(3)), 4), None);
        assert_eq!(
            code(Insiders::victim(M(4)), 4),
            Some(ProblemCode::MoreInsidersThanProviders)
        );
        assert_eq!(
            code(Insiders::victim(M(1)), 1),
            Some(ProblemCode::NobodyColludes)
        );
        assert_eq!(code(Insiders::NONE, 1), None);
        assert!(check_sites(Insiders::strict(M(3), 1), 4).is_ok());
        assert!(check_sites(Insiders::strict(M(3), 2), 4).is_err());
        assert!(check_sites(Insiders::strict(M(u64::MAX), u64::MAX), 4).is_err());
        assert!(check_sites(Insiders::victim(M(9)), 4).is_ok());
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(names(["a", "b"].into_iter()), "\"a\", \"b\"");
        assert_eq!(
            names(["x"; 8].into_iter()),
            "\"x\", \"x\", \"x\", \"x\", \"x\", and 3 more"
        );
    }
}
