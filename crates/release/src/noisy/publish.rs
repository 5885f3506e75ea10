//! Publishing noisy counts: from an output that was paid for to a release folder, at once or not at
//! all.

use super::domain::DomainColumn;
use super::facts::NoisyFacts;
use super::manifest::{GuaranteeEntry, Neighbouring, NoisyManifest, SemanticsEntry};
use super::private::{EncodedEntry, NoisyPrivateManifest};
use super::tables;
use crate::data::stop_if;
use crate::error::Error;
use crate::manifest::{self, FileEntry, Manifest, PublicManifest, checksum};
use crate::public_policy::public_policy;
use crate::publish::Target;
use crate::reports;
use crate::staging::Staging;
use mingle_dp::universe::CellId;
use mingle_dp::{Attribute, Content, Output};
use mingle_io::Format;
use std::collections::HashSet;

/// What was written.
#[derive(Clone, PartialEq, Debug)]
pub struct NoisyReceipt {
    /// `public/manifest.json`.
    pub public: NoisyManifest,
    /// `private/manifest.json`.
    pub private: NoisyPrivateManifest,
    /// Why there are no reports, where they could not be made.
    pub no_report: Option<String>,
}

/// Writes a release of an output that a ledger was charged for; any other is refused.
///
/// On an error the target is as it was before, unless the system failed in the very last step: then
/// the release may be there, but need not survive a power cut. What was spent stays spent, and is
/// not thrown away for reports that cannot be made: the release is then published without, since
/// they can be made later.
pub fn publish_noisy(
    output: &Output,
    facts: &NoisyFacts,
    target: Target<'_>,
) -> Result<NoisyReceipt, Error> {
    let paid = output.receipt.entry().zip(output.receipt.sha256());
    let paid = paid
        .filter(|_| output.receipt.guarantee() == output.guarantee)
        .ok_or(Error::NothingSpent)?;
    check_domains(&output.attributes)?;
    let staging = Staging::new(target.folder, target.force)?;
    stop_if(target.cancelled)?;

    let (tables, files) = tables::write(&staging, output, facts.format, target.cancelled)?;
    let mut public = NoisyManifest {
        tables,
        files,
        ..public_manifest(output, facts)
    };
    let public_bytes = manifest::seal(&mut public);
    staging.write("public/manifest.json", &public_bytes)?;
    let mut private = private_manifest(facts, paid, checksum::sha256(&public_bytes));
    let private_bytes = manifest::seal(&mut private);
    staging.write("private/manifest.json", &private_bytes)?;
    stop_if(target.cancelled)?;
    let no_report = match reports::stage(&staging, facts.reports) {
        Err(Error::Report { reason }) => Some(reason),
        other => other.map(|()| None)?,
    };
    staging.flush()?;
    stop_if(target.cancelled)?;
    staging.commit()?;
    Ok(NoisyReceipt {
        public,
        private,
        no_report,
    })
}

/// Whether columns with these domains can be published and read back: no two columns, and no two
/// cells of a column, are called alike. To be asked before anything is spent.
pub fn check_domains(attributes: &[Attribute]) -> Result<(), Error> {
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
        Content::Marginals(_) => ("marginals", None),
        Content::Histogram(_) => ("histogram", None),
        Content::Synthetic(made) => ("synthetic", Some(made.measured.iter().map(names).collect())),
    };
    NoisyManifest {
        schema: NoisyManifest::SCHEMA.to_owned(),
        tool: tool(facts),
        kind: kind.to_owned(),
        guarantee: GuaranteeEntry::new(output.guarantee),
        neighbouring: Neighbouring::new(output.records_per_person, facts.person_known),
        noise: output.shape.name().to_owned(),
        semantics: SemanticsEntry::new(output.guarantee),
        columns: output.attributes.iter().map(DomainColumn::new).collect(),
        tables: Vec::new(),
        measured,
        format: facts.format.name().to_owned(),
        formula_guard: (facts.format == Format::Csv)
            .then(|| PublicManifest::FORMULA_GUARD.to_owned()),
        files: Vec::new(),
        policy: public_policy(&facts.policy),
        checksum: String::new(),
    }
}

fn private_manifest(
    facts: &NoisyFacts,
    (entry, hash): (u64, &str),
    public_manifest: String,
) -> NoisyPrivateManifest {
    NoisyPrivateManifest {
        schema: NoisyPrivateManifest::SCHEMA.to_owned(),
        tool: tool(facts),
        time: facts.time.clone(),
        public_manifest,
        ledger: facts.ledger.display().to_string(),
        entry,
        entry_hash: hash.to_owned(),
        inputs: facts
            .inputs
            .iter()
            .map(|i| FileEntry::new(&i.name, i.hash.clone()))
            .collect(),
        encoded: EncodedEntry::new(&facts.encoded),
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
