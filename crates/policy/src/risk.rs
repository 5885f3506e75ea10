//! `[risk]`: the largest risks of re-identification that are accepted.

use super::tree::Node;
use mingle_privacy::{Ratio, RiskLimits};
use mingle_record::{Problem, ProblemCode};

const KEYS: &[&str] = &["maximum", "average", "journalist", "marketer"];
const OF_READER: &[&str] = &["maximum", "average"];

/// Reads the section.
pub(super) fn read(section: &Node) -> Result<RiskLimits, Problem> {
    let fields = section.fields(KEYS)?;
    let mut limits = RiskLimits {
        maximum: fields.get("maximum").map(chance).transpose()?,
        average: fields.get("average").map(chance).transpose()?,
        marketer: fields.get("marketer").map(chance).transpose()?,
        ..RiskLimits::default()
    };
    if let Some(journalist) = fields.get("journalist") {
        let fields = journalist.fields(OF_READER)?;
        limits.journalist_maximum = fields.get("maximum").map(chance).transpose()?;
        limits.journalist_average = fields.get("average").map(chance).transpose()?;
    }
    if limits == RiskLimits::default() {
        let text = "[risk] accepts nothing and refuses nothing";
        let hint = "add maximum = 0.09, or another limit, or remove the section";
        return Err(section.problem(ProblemCode::MissingKey, text, hint));
    }
    Ok(limits)
}

/// A chance above 0, which nobody could keep, and at most 1.
fn chance(node: &Node) -> Result<Ratio, Problem> {
    let chance = node.ratio()?;
    if chance > Ratio::from(0) && chance <= Ratio::from(1) {
        return Ok(chance);
    }
    let text = format!("`{}` is a chance: above 0 and at most 1", node.path);
    let hint = "write 0.09 for at most nine in a hundred";
    Err(node.problem(ProblemCode::OutOfRange, text, hint))
}
