//! The figures.

use super::report::Report;
use crate::outcome::Figure;

/// Figures 1 to 8, and what is beside them.
pub fn figures(_report: &Report) -> Vec<Figure> {
    Vec::new()
}
