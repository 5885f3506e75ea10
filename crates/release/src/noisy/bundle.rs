//! A release of noisy counts: from an output that was paid for to a bundle.

use super::domain::domain_entry;
use super::facts::NoisyFacts;
use super::manifest::{
    encoded_entry, guarantee_entry, neighbouring_entry, noise_name, semantics_entry,
};
use super::tables;
use crate::bundle::{Bundle, NoisyBundle, NoisyManifests};
use crate::error::Error;
use crate::facts::input_entries;
use crate::manifest::{PublicManifest, format_entry};
use crate::public_policy::public_policy;
use crate::warnings;
use mingle_dp::universe::CellId;
use mingle_dp::{Content, DeclaredAttribute, Output};
use mingle_io::Format;
use mingle_record::manifest::{NoisyKind, NoisyManifest, NoisyPrivateManifest};
use mingle_record::schema::{NoisyPrivateSchema, NoisySchema};
use std::collections::HashSet;

impl<'a> Bundle<'a, NoisyManifests> {
    /// A release of an output that a ledger was charged for; any other is refused.
    ///
    /// What was spent stays spent, and is not thrown away for reports that cannot be made: the
    /// release is then published without, since they can be made later.
    pub fn noisy(output: &'a Output, facts: &NoisyFacts) -> Result<NoisyBundle<'a>, Error> {
        let paid = output.receipt.entry().zip(output.receipt.sha256());
        let paid = paid
            .filter(|_| output.receipt.guarantee() == output.guarantee)
            .ok_or(Error::NothingSpent)?;
        check_domains(&output.attributes)?;
        let (listed, parts) = tables::parts(output, facts.format);
        let mut public = NoisyManifest {
            tables: listed,
            ..public_manifest(output, facts)
        };
        public.warnings = Some(warnings::of_noise(&public));
        let private = private_manifest(facts, paid);
        Ok(Bundle {
            tables: parts,
            audit: None,
            manifests: NoisyManifests { public, private },
            reports: facts.reports,
            needs_reports: false,
        })
    }
}

/// Whether columns with these domains can be published and read back: no two columns, and no two
/// cells of a column, are called alike. To be asked before anything is spent.
pub fn check_domains(attributes: &[DeclaredAttribute]) -> Result<(), Error> {
    let mut names = HashSet::new();
    for attribute in attributes {
        let column = || attribute.name.clone();
        if !names.insert(&attribute.name) {
            return Err(Error::TwoColumns { column: column() });
        }
        let mut labels = HashSet::new();
        if !(0..attribute.len()).all(|cell| labels.insert(attribute.label(cell as CellId))) {
            return Err(Error::TwoLabels { column: column() });
        }
    }
    Ok(())
}

/// Everything but the tables.
fn public_manifest(output: &Output, facts: &NoisyFacts) -> NoisyManifest {
    let names = |set: &Vec<usize>| {
        set.iter()
            .map(|&a| output.attributes[a].name.clone())
            .collect()
    };
    let (kind, measured) = match &output.content {
        Content::Marginals(_) => (NoisyKind::Marginals, None),
        Content::Histogram(_) => (NoisyKind::Histogram, None),
        Content::Synthetic(made) => {
            let measured = made.measured.iter().map(names).collect();
            (NoisyKind::Synthetic, Some(measured))
        }
    };
    NoisyManifest {
        schema: NoisySchema,
        tool: tool(facts),
        kind,
        guarantee: guarantee_entry(output.guarantee),
        neighbouring: neighbouring_entry(output.records_per_person, facts.person_known),
        noise: noise_name(output.shape),
        semantics: semantics_entry(output.guarantee),
        columns: output.attributes.iter().map(domain_entry).collect(),
        tables: Vec::new(),
        measured,
        format: format_entry(facts.format),
        formula_guard: (facts.format == Format::Csv)
            .then(|| PublicManifest::FORMULA_GUARD.to_owned()),
        files: Vec::new(),
        protocol: facts.protocol.clone(),
        policy: public_policy(&facts.policy),
        warnings: None,
        checksum: String::new(),
    }
}

fn private_manifest(facts: &NoisyFacts, (entry, hash): (u64, &str)) -> NoisyPrivateManifest {
    NoisyPrivateManifest {
        schema: NoisyPrivateSchema,
        tool: tool(facts),
        time: facts.time.clone(),
        public_manifest: String::new(),
        ledger: facts.ledger.display().to_string(),
        entry,
        entry_hash: hash.to_owned(),
        inputs: input_entries(&facts.inputs),
        encoded: encoded_entry(&facts.encoded),
        utility: facts.utility.clone(),
        distributions: facts.distributions.clone(),
        warnings: facts.warnings.clone(),
        policy: facts.policy.clone(),
        checksum: String::new(),
    }
}

fn tool(facts: &NoisyFacts) -> String {
    format!("mingle {}", facts.tool_version)
}
