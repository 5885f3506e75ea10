//! What a release says together with others that are out already, as its private manifest keeps it.

use mingle_record::composition::{
    CompositionAudit, CompositionRecord, ReaderExposure, ReplayExposure, VersionReplay,
};
use serde::Serialize;

/// The audit beside other releases, and beside own earlier versions.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct CompositionFacts {
    /// Whether groups were merged until the limits held.
    pub mitigated: bool,
    /// By sensitive column.
    pub audits: Vec<AuditFacts>,
    /// Own earlier versions, where a history is kept.
    pub history: Option<HistoryFacts>,
}

impl CompositionFacts {
    /// Whether the policy's limits hold everywhere.
    pub fn holds(&self) -> bool {
        let audits = self
            .audits
            .iter()
            .chain(self.history.iter().flat_map(|history| &history.columns));
        audits.into_iter().all(|audit| audit.holds)
    }

    /// Every release that was laid beside this one, once.
    pub fn against(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.audits.iter().flat_map(|audit| &audit.against) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        names
    }
}

/// What readers of all of them find about one sensitive column.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AuditFacts {
    /// The column.
    pub column: String,
    /// The other releases, by the names the policy gives them.
    pub against: Vec<String>,
    /// Whether the policy's limits hold.
    pub holds: bool,
    /// By reader.
    pub readers: Vec<ReaderFacts>,
}

/// What one kind of reader finds out.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReaderFacts {
    /// Such as `union` or `most-specific`; of versions `intersection`, `difference` or `together`.
    pub reader: String,
    /// People looked for.
    pub targets: u64,
    /// Those of whom a single value is left.
    pub perfect: u64,
    /// Of these, those of whom the other releases leave a single value by themselves.
    pub perfect_already: u64,
    /// Those with fewer values left than in any of the releases.
    pub vulnerable: u64,
    /// The fewest values left of anybody.
    pub least: Option<u64>,
}

/// Own earlier versions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HistoryFacts {
    /// How many there are.
    pub earlier: u64,
    /// What this one is called.
    pub version: Option<String>,
    /// By sensitive column.
    pub columns: Vec<AuditFacts>,
}

impl From<&CompositionRecord> for CompositionFacts {
    fn from(record: &CompositionRecord) -> CompositionFacts {
        CompositionFacts {
            mitigated: record.mitigated,
            audits: record.audits.iter().map(audit).collect(),
            history: record.history.as_ref().map(|history| HistoryFacts {
                earlier: history.earlier,
                version: history.version.clone(),
                columns: history.columns.iter().map(replay).collect(),
            }),
        }
    }
}

fn audit(found: &CompositionAudit) -> AuditFacts {
    let readers = &found.readers;
    AuditFacts {
        column: found.column.clone(),
        against: found.against.clone(),
        holds: found.holds,
        readers: vec![
            reader("union", &readers.union),
            reader("most-specific", &readers.most_specific),
            reader("told", &readers.told),
        ],
    }
}

fn reader(name: &str, found: &ReaderExposure) -> ReaderFacts {
    ReaderFacts {
        reader: name.to_owned(),
        targets: found.targets,
        perfect: found.perfect,
        perfect_already: found.perfect_already,
        vulnerable: found.vulnerable,
        least: found.least,
    }
}

/// What versions say, by each inference and by both.
fn replay(found: &VersionReplay) -> AuditFacts {
    AuditFacts {
        column: found.column.clone(),
        against: Vec::new(),
        holds: found.holds,
        readers: vec![
            inference("intersection", &found.intersection),
            inference("difference", &found.difference),
            inference("together", &found.together),
        ],
    }
}

fn inference(name: &str, found: &ReplayExposure) -> ReaderFacts {
    ReaderFacts {
        reader: name.to_owned(),
        targets: found.targets,
        perfect: found.perfect,
        perfect_already: found.perfect_already,
        vulnerable: found.vulnerable,
        least: found.least,
    }
}
