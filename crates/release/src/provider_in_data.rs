//! The provider is never published, also not by mistake: a column that names the row's provider in
//! every published row is refused.
//!
//! This catches a provider column that was left among the data. It does not catch one in other
//! words (`1` for the first hospital): only the policy's author can know that. Cost: one comparison
//! per column as a rule, because the first row that differs ends the search.

use crate::error::Error;
use mingle_model::{Partition, ProviderId, Published, Rendered, Role};

/// Refuses a publication that names the provider of every row, where there are several.
pub(crate) fn refuse(published: &Published, rendered: &Rendered) -> Result<(), Error> {
    if published.providers().len() < 2 {
        return Ok(());
    }
    let entries =
        || (0..published.groups()).flat_map(|g| published.entries(g).iter().map(move |e| (g, e)));
    let name = |provider: ProviderId| published.providers().name(provider);
    for (place, column) in published.columns().iter().enumerate() {
        let label = |group: usize| column.labels[published.labels(group)[place] as usize].as_str();
        if entries().all(|(group, entry)| label(group) == name(entry.provider)) {
            return Err(Error::ProviderInData {
                column: column.name.clone(),
            });
        }
    }
    for column in published.sensitive() {
        let text = |combination: u32| column.domain.text(column.codes.get(combination as usize));
        if entries().all(|(_, entry)| text(entry.sensitive) == name(entry.provider)) {
            return Err(Error::ProviderInData {
                column: column.name.clone(),
            });
        }
    }
    let table = rendered.table();
    let records = rendered.cube().record_of_row().unwrap_or_default();
    let group = |row: &usize| rendered.group_of()[records[*row] as usize];
    for column in table.with_role(Role::Insensitive) {
        let mut rows = (0..records.len()).filter(|row| group(row) != Partition::SUPPRESSED);
        let text = |row| column.domain.text(column.codes.get(row));
        if rows.all(|row| text(row) == name(ProviderId(table.provider_of.get(row)))) {
            return Err(Error::ProviderInData {
                column: column.spec.name.clone(),
            });
        }
    }
    Ok(())
}
