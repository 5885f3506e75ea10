//! What a release says together with others that are out already, as its private manifest keeps it.

use mingle_record::answer::{ShownAudit, ShownComposition, ShownHistory, ShownReader};
use mingle_record::composition::{
    CompositionAudit, CompositionRecord, ReaderExposure, ReplayExposure, VersionReplay,
};

/// The audit beside other releases, and beside own earlier versions.
pub(super) fn composition_shown(record: &CompositionRecord) -> ShownComposition {
    ShownComposition {
        mitigated: record.mitigated,
        audits: record.audits.iter().map(audit).collect(),
        history: record.history.as_ref().map(|history| ShownHistory {
            earlier: history.earlier,
            version: history.version.clone(),
            columns: history.columns.iter().map(replay).collect(),
        }),
    }
}

fn audit(found: &CompositionAudit) -> ShownAudit {
    let readers = &found.readers;
    ShownAudit {
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

fn reader(name: &str, found: &ReaderExposure) -> ShownReader {
    ShownReader {
        reader: name.to_owned(),
        targets: found.targets,
        perfect: found.perfect,
        perfect_already: found.perfect_already,
        vulnerable: found.vulnerable,
        least: found.least,
    }
}

/// What versions say, by each inference and by both.
fn replay(found: &VersionReplay) -> ShownAudit {
    ShownAudit {
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

fn inference(name: &str, found: &ReplayExposure) -> ShownReader {
    ShownReader {
        reader: name.to_owned(),
        targets: found.targets,
        perfect: found.perfect,
        perfect_already: found.perfect_already,
        vulnerable: found.vulnerable,
        least: found.least,
    }
}
