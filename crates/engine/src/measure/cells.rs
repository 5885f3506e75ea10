//! Original values in cells of declared domains.

use mingle_assess::utility::marginals::Binning;
use mingle_dp::DeclaredAttribute;
use mingle_dp::universe::Place;
use mingle_model::{Code, Column};

/// The cell of each original value; what nothing stands for is outside.
pub fn binning(column: &Column, attribute: &DeclaredAttribute) -> Binning {
    let missing = column.domain.missing();
    let cell = |code: Code| match attribute.place(column.domain.text(code), missing == Some(code)) {
        Place::Cell(cell) | Place::Clamped(cell) | Place::Other(cell) => Some(u32::from(cell)),
        Place::Nowhere => None,
    };
    Binning::declared((0..column.domain.len() as Code).map(cell), attribute.len())
}
