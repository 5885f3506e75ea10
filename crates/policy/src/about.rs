//! `[about]`: who answers for the release, what it is for, and why it is made as it is. Nothing in
//! it changes what is published but the words of the report.

use super::tree::Node;
use mingle_model::date;
use mingle_record::about::AboutRelease;
use mingle_record::{Problem, ProblemCode};

/// The longest text, in characters: a report shows it whole.
const LONGEST: usize = 2_000;

/// Refuses what a report could not show: unknown keys and choices, texts without end, days that are
/// none. Keys may be empty, as a form is before it is filled in.
pub(super) fn check(section: &Node) -> Result<(), Problem> {
    let mut known = AboutRelease::TEXTS.to_vec();
    known.extend(AboutRelease::LISTS);
    known.extend([AboutRelease::WHY, AboutRelease::PUBLIC_KEY]);
    let fields = section.fields(&known)?;
    for key in AboutRelease::TEXTS {
        if let Some(node) = fields.get(key) {
            check_text(node)?;
        }
    }
    for key in AboutRelease::LISTS {
        if let Some(node) = fields.get(key) {
            node.list()?.iter().try_for_each(check_text)?;
        }
    }
    if let Some(node) = fields.get("date") {
        check_day(node)?;
    }
    if let Some(why) = fields.get(AboutRelease::WHY) {
        for reason in why.fields(AboutRelease::CHOICES)?.entries {
            check_text(&reason.node)?;
        }
    }
    if let Some(public) = fields.get(AboutRelease::PUBLIC_KEY) {
        let mut words = Vec::new();
        for key in known {
            if key != AboutRelease::PUBLIC_KEY {
                words.push((key, ()));
            }
        }
        for key in public.list()? {
            key.choice(&words)?;
        }
    }
    Ok(())
}

fn check_text(node: &Node) -> Result<(), Problem> {
    if node.text()?.chars().count() <= LONGEST {
        return Ok(());
    }
    let text = format!("`{}` has more than {LONGEST} characters", node.path);
    let hint = "shorten it, or name the document that says the rest";
    Err(node.problem(ProblemCode::OutOfRange, text, hint))
}

/// An empty day is a blank to fill in.
fn check_day(node: &Node) -> Result<(), Problem> {
    let day = node.text()?.trim();
    if day.is_empty() || date::parse(day).is_some() {
        return Ok(());
    }
    let text = format!("`{}` is not a day", node.path);
    let hint = "write year, month and day, such as \"2026-11-18\"";
    Err(node.problem(ProblemCode::WrongValue, text, hint))
}
