//! Whether the risks of a release are within what its policy accepts.
//!
//! What follows from whole numbers is decided in whole numbers: the prosecutor's highest chance is
//! one over the people of the smallest group, the average one is groups over people. Where the
//! release stands for its population, the other readers' figures are these two. A figure that comes
//! from a population is compared as it is shown.

use mingle_privacy::{Ratio, RiskLimits};
use mingle_record::answer::{
    RiskMeasure, RiskReader, ShownFinding, ShownPopulation, ShownRisk, ShownRiskLimit,
};
use mingle_record::policy_document::{PolicyDocument, PolicyTable, PolicyValue};

/// What a policy accepts, from the tree that manifests keep; numbers are exact as written up to the
/// digits that tell them apart.
pub fn limits_of(policy: &PolicyDocument) -> RiskLimits {
    let Some(section) = policy.section("risk").and_then(PolicyValue::as_table) else {
        return RiskLimits::default();
    };
    let journalist = section.get("journalist").and_then(PolicyValue::as_table);
    let of_journalist = |key| journalist.and_then(|journalist| limit(journalist, key));
    RiskLimits {
        maximum: limit(section, "maximum"),
        average: limit(section, "average"),
        journalist_maximum: of_journalist("maximum"),
        journalist_average: of_journalist("average"),
        marketer: limit(section, "marketer"),
    }
}

fn limit(section: &PolicyTable, key: &str) -> Option<Ratio> {
    match section.get(key)? {
        PolicyValue::Float(number) => Ratio::parse(&number.to_string()),
        PolicyValue::Integer(number) => Ratio::parse(&number.to_string()),
        PolicyValue::Text(text) => Ratio::parse(text),
        _ => None,
    }
}

/// Every limit with what was found; `None` for the risk where nobody here can know it, as of people
/// whose rows nothing public tells apart. It is then as stated at publishing.
pub fn judge_limits(limits: &RiskLimits, risk: Option<&ShownRisk>) -> Vec<ShownRiskLimit> {
    use RiskMeasure::{Average, Highest};
    use RiskReader::{Journalist, Marketer, Prosecutor};
    let asked = [
        (Prosecutor, Highest, limits.maximum),
        (Prosecutor, Average, limits.average),
        (Journalist, Highest, limits.journalist_maximum),
        (Journalist, Average, limits.journalist_average),
        (Marketer, Average, limits.marketer),
    ];
    let mut judged = Vec::new();
    for (reader, measure, limit) in asked {
        let Some(limit) = limit else { continue };
        let found = risk.map(|risk| found(reader, measure, risk));
        let finding = match risk {
            None => ShownFinding::Stated,
            Some(risk) if is_kept(limit, reader, measure, risk) => ShownFinding::Holds,
            Some(_) => ShownFinding::Fails,
        };
        judged.push(ShownRiskLimit {
            reader,
            measure,
            limit: limit.to_f64(),
            found,
            finding,
        });
    }
    judged
}

fn found(reader: RiskReader, measure: RiskMeasure, risk: &ShownRisk) -> f64 {
    match (reader, measure) {
        (RiskReader::Prosecutor, RiskMeasure::Highest) => risk.prosecutor.highest,
        (RiskReader::Prosecutor, RiskMeasure::Average) => risk.prosecutor.average,
        (RiskReader::Journalist, RiskMeasure::Highest) => risk.journalist.highest,
        (RiskReader::Journalist, RiskMeasure::Average) => risk.journalist.average,
        (RiskReader::Marketer, _) => risk.marketer,
    }
}

fn is_kept(limit: Ratio, reader: RiskReader, measure: RiskMeasure, risk: &ShownRisk) -> bool {
    let own = risk.population == ShownPopulation::Release || reader == RiskReader::Prosecutor;
    if !own {
        return found(reader, measure, risk) <= limit.to_f64();
    }
    if risk.rows == 0 {
        return true;
    }
    match measure {
        // one over a whole number below 2^51 gives that number back
        RiskMeasure::Highest => {
            limit.bounds_share(1, (1.0 / risk.prosecutor.highest).round() as u64)
        }
        RiskMeasure::Average => limit.bounds_share(risk.groups, risk.rows),
    }
}
