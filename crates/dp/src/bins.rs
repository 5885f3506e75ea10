//! Bins that are found by a noisy look at the data.

use crate::Error;
use crate::purse::Purse;
use crate::records::Records;
use crate::universe::Attribute;

/// Unites the fine grids of attributes that ask for it into bins of about equal noisy counts.
pub fn find(_attributes: &mut [Attribute], _records: &mut Records, _purse: &mut Purse) -> Result<(), Error> {
    Ok(())
}
