//! What a release says together with others that are out already, as its private manifest keeps it.

use serde::Serialize;
use serde_json::Value;

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

/// From a private manifest.
pub(super) fn of(composition: &Value) -> CompositionFacts {
    let audits = |place: &Value, key: &str| -> Vec<Value> {
        place
            .get(key)
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    let history = composition.get("history").map(|history| HistoryFacts {
        earlier: number(history, "earlier"),
        version: history
            .get("version")
            .and_then(Value::as_str)
            .map(str::to_owned),
        columns: audits(history, "columns").iter().map(replay).collect(),
    });
    CompositionFacts {
        mitigated: composition
            .get("mitigated")
            .and_then(Value::as_bool)
            .unwrap_or(false),
        audits: audits(composition, "audits").iter().map(audit).collect(),
        history,
    }
}

fn audit(value: &Value) -> AuditFacts {
    let readers = value
        .get("readers")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let against = value
        .get("against")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    AuditFacts {
        column: text(value, "column"),
        against: against
            .filter_map(|name| name.as_str().map(str::to_owned))
            .collect(),
        holds: value.get("holds").and_then(Value::as_bool).unwrap_or(false),
        readers: readers.map(|(name, found)| reader(name, found)).collect(),
    }
}

/// What versions say, by each inference and by both.
fn replay(value: &Value) -> AuditFacts {
    let inferences = ["intersection", "difference", "together"];
    let readers = inferences
        .iter()
        .filter_map(|name| Some(reader(name, value.get(*name)?)));
    AuditFacts {
        column: text(value, "column"),
        against: Vec::new(),
        holds: value.get("holds").and_then(Value::as_bool).unwrap_or(false),
        readers: readers.collect(),
    }
}

fn reader(name: &str, found: &Value) -> ReaderFacts {
    ReaderFacts {
        reader: name.to_owned(),
        targets: number(found, "targets"),
        perfect: number(found, "perfect"),
        perfect_already: number(found, "perfect_already"),
        vulnerable: number(found, "vulnerable"),
        least: found.get("least").and_then(Value::as_u64),
    }
}

fn number(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or(0)
}

fn text(value: &Value, key: &str) -> String {
    value
        .get(key)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}
