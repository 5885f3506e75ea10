//! A table as it was read and encoded: one row per person, unless it says whose each row is.

use crate::codes::Codes;
use crate::column::Column;
use crate::provider::Providers;
use crate::schema::Role;

/// Encoded columns in the policy's order, and who contributed each row. Identifier columns are
/// gone.
#[derive(Clone)]
pub struct Table {
    /// The columns that are published, in the policy's order.
    pub columns: Vec<Column>,
    /// The providers.
    pub providers: Providers,
    /// Per row the provider's id.
    pub provider_of: Codes,
    /// Per row whose it is, as a dense number 0, 1, …: who that is was hashed while reading and is
    /// gone. `None`: each row is one person.
    pub person_of: Option<Codes>,
}

impl Table {
    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.provider_of.len()
    }

    /// How many rows each provider has, in the order of the providers.
    pub fn rows_by_provider(&self) -> Vec<u64> {
        let mut rows = vec![0; self.providers.len()];
        for provider in self.provider_of.iter() {
            rows[provider as usize] += 1;
        }
        rows
    }

    /// The columns of a role, in the policy's order.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(move |c| c.spec.role == role)
    }
}
