//! A release of so many quasi-identifiers that it says little.
//!
//! Every further column makes fewer people alike, so that with dozens of them most labels are `*`
//! and every promise still holds. Nothing is wrong with such a release but that nobody can use it,
//! which is worth knowing before it is handed out. The figures compare with the original: they are
//! the steward's.

use crate::measure::Figures;
use mingle_model::Published;
use mingle_record::utility::Loss;
use mingle_record::{Problem, ProblemCode};

/// From this loss on, or this share of cells that say nothing, little is left.
pub const LITTLE_IS_LEFT: f64 = 0.5;

/// More quasi-identifiers than this are many: `mingle init` proposes no more.
pub const MANY_QUASI_IDENTIFIERS: usize = 8;

/// So many of the columns that lose most are named.
const NAMED: usize = 3;

/// Published cells that say nothing.
const NOTHING: &str = "*";

/// What to say about a release that was measured; `None` where it is of use, or has few columns.
pub fn warning(figures: &Figures, published: &Published) -> Option<Problem> {
    let (name, loss) = figures.loss();
    judged(name.name(), loss, share_of_stars(published))
}

/// The share of the published cells of quasi-identifiers that are `*`.
fn share_of_stars(published: &Published) -> f64 {
    let mut star_of = Vec::new();
    for column in published.columns() {
        star_of.push(column.labels.iter().position(|label| label == NOTHING));
    }
    let mut stars: u64 = 0;
    for group in 0..published.groups() {
        let labels = published.labels(group).iter().zip(&star_of);
        let here = labels.filter(|&(&label, &star)| star == Some(label as usize));
        stars += published.size(group) * here.count() as u64;
    }
    let cells = published.rows() * star_of.len() as u64;
    stars as f64 / cells.max(1) as f64
}

fn judged(name: &str, loss: &Loss, stars: f64) -> Option<Problem> {
    let quasi_identifiers = loss.columns.len();
    let little = loss.overall >= LITTLE_IS_LEFT || stars >= LITTLE_IS_LEFT;
    if quasi_identifiers <= MANY_QUASI_IDENTIFIERS || !little {
        return None;
    }
    let mut costliest: Vec<_> = loss.columns.iter().collect();
    costliest.sort_by(|a, b| b.loss.total_cmp(&a.loss));
    let mut named = Vec::new();
    for column in costliest.into_iter().take(NAMED) {
        named.push(format!("{:?} ({:.2})", column.column, column.loss));
    }
    let text = format!(
        "{quasi_identifiers} quasi-identifiers leave little: {name} {:.2}, and {:.0} % of their cells are published as *; \
         most is lost of {}",
        loss.overall,
        stars * 100.0,
        named.join(", ")
    );
    let hint = "remove columns that nobody can know about a person or that nobody will use, declare hierarchies, or add \
                rows; see MG0540";
    Some(Problem::new(ProblemCode::LittleIsLeft, text, hint))
}

#[cfg(test)]
mod tests {
    use super::*;
    use mingle_record::utility::ColumnLoss;

    fn loss(columns: usize, of_each: f64) -> Loss {
        let mut losses = Vec::new();
        for column in 0..columns {
            losses.push(ColumnLoss {
                column: format!("c{column}"),
                loss: of_each,
            });
        }
        Loss {
            overall: of_each,
            columns: losses,
        }
    }

    #[test]
    fn many_columns_that_say_little_are_counted_and_the_worst_are_named() {
        let mut wide = loss(12, 0.6);
        wide.columns[7].loss = 0.9;
        wide.columns[3].loss = 0.8;
        let problem = judged("NCP", &wide, 0.25).unwrap();
        assert_eq!(problem.code(), ProblemCode::LittleIsLeft);
        assert_eq!(
            problem.text(),
            "12 quasi-identifiers leave little: NCP 0.60, and 25 % of their cells are published as *; most is lost of \
             \"c7\" (0.90), \"c3\" (0.80), \"c0\" (0.60)"
        );
    }

    #[test]
    fn few_columns_and_useful_releases_are_not_warned_of() {
        assert!(judged("NCP", &loss(12, 0.49), 0.49).is_none());
        assert!(judged("NCP", &loss(12, 0.49), 0.5).is_some());
        assert!(judged("NCP", &loss(12, 0.5), 0.0).is_some());
        assert!(judged("NCP", &loss(MANY_QUASI_IDENTIFIERS, 0.9), 0.9).is_none());
    }
}
