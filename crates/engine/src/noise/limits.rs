//! What is said of a release that is too large: which key asks for too much, and what would make it
//! fit.

use crate::failure;
use mingle_dp::marginals::MOST_CELLS;
use mingle_dp::{Error, Guarantee, Request, histogram, marginals};
use mingle_policy::Dp;
use mingle_record::Problem;
use mingle_record::ProblemCode;

/// Why a release cannot be made, at the key of the policy that decides it.
pub fn refusal(dp: &Dp, request: &Request, guarantee: Guarantee, error: &Error) -> Problem {
    let (keys, hint): (&[&str], String) = match (error, request) {
        (Error::TooManyRows { .. }, _) => (&["rows"], "lower `rows`".to_owned()),
        (Error::TooManyCells { cells, most, .. }, Request::Synthetic(options)) => {
            if u128::from(options.model_cells) > *most {
                let hint = format!("set `model_cells` to {most} at most");
                (&["model_cells"], hint)
            } else {
                let hint = format!("{COARSER}: all domains together have {cells} cells");
                (&[], hint)
            }
        }
        (Error::TooManyCells { cells, .. }, Request::Histogram(_)) => {
            (&["columns"], for_histogram(*cells, guarantee))
        }
        (Error::TooManyCells { cells, most, .. }, Request::Marginals(options)) => (
            &["marginals", "ways", "select"],
            for_marginals(*cells, *most, options),
        ),
        _ => return failure::dp(error),
    };
    dp.problem(
        keys,
        ProblemCode::TooLarge,
        error.to_string(),
        format!("nothing was spent; {hint}"),
    )
}

const COARSER: &str = "take coarser domains or fewer columns";

/// Beyond a limit a histogram is possible all the same, if there is a δ to pay for what is left
/// out.
fn for_histogram(cells: u128, guarantee: Guarantee) -> String {
    let sparse = match guarantee {
        Guarantee::Concentrated { .. } => "promise epsilon with a `delta` instead of rho",
        Guarantee::Pure { .. } | Guarantee::Approximate { .. } => "add a `delta`",
    };
    let raise = if cells <= u128::from(histogram::MOST_DENSE) {
        format!(", or set `max_cells` to {cells}")
    } else {
        String::new()
    };
    format!("{sparse}, which lets it leave small cells out; or {COARSER} (`columns`){raise}")
}

fn for_marginals(cells: u128, most: u128, options: &marginals::MarginalsOptions) -> String {
    // only a limit that the policy has set below the fixed one can be raised
    if most == u128::from(options.most_cells) && cells <= u128::from(MOST_CELLS) {
        format!("{COARSER}, or set `max_cells` to {cells}")
    } else {
        format!("{COARSER}, fewer tables, or a lower `ways`")
    }
}
