//! Between what a mechanism promised and how the manifest of noisy counts states it.

use super::bundle::check_domains;
use super::domain::attribute_of;
use crate::manifest::{
    Manifest, ManifestProblem, ProtocolEntry, are_public, first_misfit, is_complete, is_plain,
};
use mingle_dp::noise::Shape;
use mingle_dp::semantics::BayesianSemantics;
use mingle_dp::{Amount, DeclaredAttribute, Encoded, Epsilon, Guarantee};
use mingle_model::counted;
use mingle_record::manifest::{
    AmountEntry, EncodedEntry, GuaranteeEntry, Neighbouring, NoiseName, NoisyKind, NoisyManifest,
    NoisyPrivateManifest, NoisyTable, SemanticsEntry, UndeclaredEntry,
};
use mingle_record::schema::{NoisyPrivateSchema, NoisySchema};
use std::collections::HashSet;

/// The most columns of a marginal.
const MOST_COLUMNS: usize = 3;

/// How a manifest writes an amount.
pub fn amount_entry(amount: Amount) -> AmountEntry {
    AmountEntry(amount.to_string())
}

/// The amount that a manifest writes; `None` for a text that no amount is written as.
pub fn amount_of(entry: &AmountEntry) -> Option<Amount> {
    Amount::parse(&entry.0).filter(|amount| amount.to_string() == entry.0)
}

/// How a manifest states a promise.
pub fn guarantee_entry(guarantee: Guarantee) -> GuaranteeEntry {
    let (epsilon, delta, rho) = match guarantee {
        Guarantee::Pure { epsilon } => (Some(epsilon.0), None, None),
        Guarantee::Approximate { epsilon, delta } => (Some(epsilon.0), Some(delta), None),
        Guarantee::Concentrated { rho } => (None, None, Some(rho)),
    };
    GuaranteeEntry {
        epsilon: epsilon.map(amount_entry),
        delta: delta.map(amount_entry),
        rho: rho.map(amount_entry),
    }
}

/// The promise that a manifest states; `None` for a combination that promises nothing.
pub fn guarantee_of(entry: &GuaranteeEntry) -> Option<Guarantee> {
    match (&entry.epsilon, &entry.delta, &entry.rho) {
        (Some(epsilon), None, None) => Some(Guarantee::Pure {
            epsilon: Epsilon(amount_of(epsilon)?),
        }),
        (Some(epsilon), Some(delta), None) => Some(Guarantee::Approximate {
            epsilon: Epsilon(amount_of(epsilon)?),
            delta: amount_of(delta)?,
        }),
        (None, None, Some(rho)) => Some(Guarantee::Concentrated {
            rho: amount_of(rho)?,
        }),
        _ => None,
    }
}

/// How a manifest states what a promise means.
pub fn semantics_entry(guarantee: Guarantee) -> SemanticsEntry {
    let (epsilon, delta) = guarantee.said();
    let semantics = BayesianSemantics::of(epsilon, delta, None);
    let delta_per_person = match semantics {
        BayesianSemantics::Pure { .. } => None,
        BayesianSemantics::Approximate { for_each, .. } => Some(for_each),
    };
    SemanticsEntry {
        epsilon: amount_entry(epsilon.0),
        delta: amount_entry(delta),
        statement: semantics.source().to_owned(),
        difference: Some(semantics.difference()).filter(|d| d.is_finite()),
        vacuous: semantics.is_vacuous(),
        delta_per_person,
    }
}

/// The same statement; other machines may compute the last digits otherwise.
fn agrees(stated: &SemanticsEntry, expected: &SemanticsEntry) -> bool {
    amount_of(&stated.epsilon).is_some()
        && stated.statement == expected.statement
        && close(stated.epsilon.to_f64(), expected.epsilon.to_f64())
        && stated.delta == expected.delta
        && both_close(stated.difference, expected.difference)
        && both_close(stated.delta_per_person, expected.delta_per_person)
}

fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-6 * a.abs().max(b.abs())
}

fn both_close(a: Option<f64>, b: Option<f64>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => close(a, b),
        (a, b) => a.is_none() && b.is_none(),
    }
}

/// How a manifest calls the distribution of noise.
pub fn noise_name(shape: Shape) -> NoiseName {
    match shape {
        Shape::Laplace => NoiseName::DiscreteLaplace,
        Shape::Gaussian => NoiseName::DiscreteGaussian,
    }
}

/// How a manifest states which tables a promise compares.
pub fn neighbouring_entry(records_per_person: u64, person_known: bool) -> Neighbouring {
    let unit = if records_per_person == 1 && !person_known {
        "record"
    } else {
        "person"
    };
    let words = match (records_per_person, person_known) {
        (1, false) => {
            "one record more or less; every record is taken for a person of its own".to_owned()
        }
        (n, true) => {
            let most = counted(n, "record");
            format!(
                "one person more or less, with at most {most}, kept by an identifier in canonical form"
            )
        }
        (n, false) => {
            let most = counted(n, "record");
            format!("one person more or less, with at most {most}, by the steward's word")
        }
    };
    Neighbouring {
        unit: unit.to_owned(),
        records_per_person,
        enforced: person_known,
        words,
    }
}

/// How a manifest states what happened to records on the way to declared cells.
pub fn encoded_entry(encoded: &Encoded) -> EncodedEntry {
    let mut columns = Vec::with_capacity(encoded.columns.len());
    for column in &encoded.columns {
        columns.push(UndeclaredEntry {
            column: column.column.clone(),
            clamped: column.clamped,
            other: column.other,
            left_out: column.left_out,
        });
    }
    EncodedEntry {
        rows: encoded.rows,
        left_out: encoded.left_out,
        beyond_bound: encoded.beyond_bound,
        of_unknown: encoded.of_unknown,
        columns,
    }
}

/// The statements of a manifest that was read, as the mechanism knows them.
pub trait NoisyMeaning {
    /// What is promised.
    fn guarantee(&self) -> Guarantee;

    /// ε and δ for which it is said what the promise means.
    fn said(&self) -> (Epsilon, Amount);

    /// The declared domains.
    fn attributes(&self) -> Vec<DeclaredAttribute>;

    /// The places of a table's columns among all.
    fn places(&self, table: &NoisyTable) -> Vec<usize>;
}

impl NoisyMeaning for NoisyManifest {
    fn guarantee(&self) -> Guarantee {
        guarantee_of(&self.guarantee).expect("a manifest is read only if its guarantee is one")
    }

    fn said(&self) -> (Epsilon, Amount) {
        let epsilon = amount_of(&self.semantics.epsilon).map(Epsilon);
        let said = epsilon.zip(amount_of(&self.semantics.delta));
        said.expect("a manifest is read only if its amounts are such")
    }

    fn attributes(&self) -> Vec<DeclaredAttribute> {
        let attributes: Option<Vec<DeclaredAttribute>> =
            self.columns.iter().map(attribute_of).collect();
        attributes.expect("a manifest is read only if its domains are such")
    }

    fn places(&self, table: &NoisyTable) -> Vec<usize> {
        let mut places = Vec::with_capacity(table.columns.len());
        for name in &table.columns {
            let place = self.columns.iter().position(|column| column.name == *name);
            places.push(place.expect("a manifest is read only if its tables fit"));
        }
        places
    }
}

impl Manifest for NoisyManifest {
    const SCHEMA: &'static str = NoisySchema::TEXT;

    fn validate(&self) -> Result<(), ManifestProblem> {
        let guarantee = guarantee_of(&self.guarantee);
        let meant = guarantee.is_some_and(|g| agrees(&self.semantics, &semantics_entry(g)));
        let domains: Option<Vec<DeclaredAttribute>> =
            self.columns.iter().map(attribute_of).collect();
        let domains_fit = domains.is_some_and(|domains| check_domains(&domains).is_ok());
        let mut names = HashSet::new();
        let files_fit = self
            .files
            .iter()
            .all(|file| is_plain(file) && file.name != "manifest.json" && names.insert(&file.name));
        let listed = self.files.iter().map(|file| &file.name);
        let files_are_tables = listed.eq(self.tables.iter().map(|table| &table.file));
        first_misfit(&[
            ("guarantee", guarantee.is_some()),
            ("semantics", meant),
            ("neighbouring", self.neighbouring.records_per_person > 0),
            ("columns", domains_fit),
            ("tables", tables_fit(self)),
            ("files", files_fit),
            ("files", files_are_tables),
            ("protocol", protocol_fits(self.protocol.as_ref())),
            ("warnings", are_public(self.warnings.as_deref())),
        ])
    }

    fn checksum_mut(&mut self) -> &mut String {
        &mut self.checksum
    }
}

/// Only n providers release with noise together.
fn protocol_fits(protocol: Option<&ProtocolEntry>) -> bool {
    protocol.is_none_or(|protocol| protocol.providers.is_some() && is_complete(protocol))
}

/// Every table has columns that are there, in their order, and the shape of its kind.
fn tables_fit(manifest: &NoisyManifest) -> bool {
    let names: Vec<&str> = manifest.columns.iter().map(|c| c.name.as_str()).collect();
    for table in &manifest.tables {
        if !table_fits(table, &names) {
            return false;
        }
    }
    match (manifest.kind, &manifest.tables[..]) {
        (NoisyKind::Synthetic, [table]) => {
            table.count_column.is_none() && table.columns.iter().eq(&names)
        }
        (NoisyKind::Histogram, [table]) => table.count_column.is_some(),
        (NoisyKind::Marginals, tables) => tables
            .iter()
            .all(|table| table.count_column.is_some() && table.columns.len() <= MOST_COLUMNS),
        _ => false,
    }
}

/// A table's columns are some of the manifest's in their order, and its figures are numbers.
fn table_fits(table: &NoisyTable, names: &[&str]) -> bool {
    let mut rest = names.iter();
    let ordered = table
        .columns
        .iter()
        .all(|name| rest.any(|other| other == name));
    let count_is_free = match &table.count_column {
        None => true,
        Some(count) => !table.columns.contains(count),
    };
    let figures = table.deviation.into_iter().chain(table.tolerance);
    let finite = figures.into_iter().all(|n| n.is_finite() && n >= 0.0);
    ordered && !table.columns.is_empty() && count_is_free && finite
}

impl Manifest for NoisyPrivateManifest {
    const SCHEMA: &'static str = NoisyPrivateSchema::TEXT;

    fn validate(&self) -> Result<(), ManifestProblem> {
        first_misfit(&[("entry", self.entry > 0)])
    }

    fn checksum_mut(&mut self) -> &mut String {
        &mut self.checksum
    }
}
