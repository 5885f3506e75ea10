//! `strict`: what a steward would only be warned of is a finding, and nothing is published.

use mingle_record::{Problem, ProblemCode, WarningNotice};

/// Why nothing is published: the codes of the warnings; `None` where there are none, or they do not
/// count.
pub fn refused(strict: bool, warnings: &[Problem]) -> Option<Problem> {
    if !strict || warnings.is_empty() {
        return None;
    }
    let codes = codes(warnings.iter().map(Problem::code));
    let text = format!("nothing was published: strict, and there is a warning: {codes}");
    let hint = "fix what the warnings above describe, or remove strict after reading them";
    Some(Problem::new(ProblemCode::StrictWarning, text, hint))
}

/// The same of something that is there already: what is wrong with it, in words.
pub fn finding(warnings: &[WarningNotice]) -> Option<String> {
    if warnings.is_empty() {
        return None;
    }
    let codes = codes(warnings.iter().map(|warning| warning.code));
    Some(format!("strict, and there is a warning: {codes}"))
}

/// Every code once, in the order of the warnings.
fn codes(of: impl Iterator<Item = ProblemCode>) -> String {
    let mut seen: Vec<String> = Vec::new();
    for code in of {
        let code = code.to_string();
        if !seen.contains(&code) {
            seen.push(code);
        }
    }
    seen.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_strict_counts_warnings_and_names_each_code_once() {
        let warning = |code| Problem::new(code, "text", "hint");
        let warnings = [
            warning(ProblemCode::RevealingColumn),
            warning(ProblemCode::RevealingColumn),
            warning(ProblemCode::SameRows),
        ];
        assert_eq!(refused(false, &warnings), None);
        assert_eq!(refused(true, &[]), None);
        let problem = refused(true, &warnings).unwrap();
        assert_eq!(problem.code(), ProblemCode::StrictWarning);
        assert!(problem.text().ends_with(": MG0502, MG0509"), "{problem}");
    }
}
