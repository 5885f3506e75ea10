//! What a release of noisy counts says: the promise, what it means for one person, and the tables.

use super::words::{listed, statement, statement_on};
use super::{PublicFacts, Statement, Topic, policy};
use crate::error::Error;
use crate::number::{figure, whole};
use mingle_record::about::AboutRelease;
use mingle_record::answer::{
    ShownColumn, ShownExtent, ShownFinding, ShownNoise, ShownNoiseTable, ShownShape, ShownVerdict,
};
use mingle_record::manifest::{DomainColumn, NoisyKind, NoisyManifest, NoisyTable, ProtocolEntry};
use mingle_release::NoisyRelease;
use mingle_release::warnings;

/// The facts of a noisy release.
pub(super) fn public(release: &NoisyRelease) -> Result<PublicFacts, Error> {
    let manifest = release.manifest()?;
    let shape = match manifest.kind {
        NoisyKind::Synthetic => ShownShape::Synthetic,
        NoisyKind::Marginals => ShownShape::Marginals,
        NoisyKind::Histogram => ShownShape::Histogram,
    };
    let noise = noise(manifest);
    Ok(PublicFacts {
        tool: manifest.tool.clone(),
        shape,
        format: manifest.format,
        method: manifest.noise.name().to_owned(),
        rows: manifest.tables.iter().map(|table| table.rows).sum(),
        counts_people: false,
        verdict: verdict(),
        extent: ShownExtent::Whole,
        protected: protected(&noise, shape, manifest.protocol.as_ref()),
        unprotected: unprotected(&noise, shape),
        assumed: assumed(manifest),
        promises: Vec::new(),
        columns: manifest.columns.iter().map(column).collect(),
        groups: None,
        noise: Some(noise),
        joint: manifest.protocol.clone(),
        utility: Vec::new(),
        policy: policy::toml(&manifest.policy),
        repeat: policy::NOISY.to_owned(),
        files: manifest.files.clone(),
        about: AboutRelease::of(&manifest.policy),
        risk_limits: Vec::new(),
        warnings: warnings::of_noise(manifest),
        records_warnings: manifest.warnings.is_some(),
    })
}

fn noise(manifest: &NoisyManifest) -> ShownNoise {
    let stated = &manifest.semantics;
    let epsilon = stated.epsilon.to_f64();
    let table = |table: &NoisyTable| ShownNoiseTable {
        file: table.file.clone(),
        columns: table.columns.clone(),
        rows: table.rows,
        deviation: table.deviation,
        threshold: table.threshold,
    };
    ShownNoise {
        promise: promise(manifest),
        epsilon,
        delta: stated.delta.to_string(),
        factor: Some(epsilon.exp().next_up()).filter(|factor| factor.is_finite()),
        presence: at_most(epsilon),
        // about a value there are two steps: the person leaves, and comes back with another one
        value: at_most(2.0 * epsilon),
        neighbouring: manifest.neighbouring.words.clone(),
        enforced: manifest.neighbouring.enforced,
        noise: manifest.noise.name().to_owned(),
        tables: manifest.tables.iter().map(table).collect(),
        measured: manifest.measured.clone().unwrap_or_default(),
    }
}

fn promise(manifest: &NoisyManifest) -> String {
    let stated = &manifest.guarantee;
    let part = |name: &str, amount: Option<String>| amount.map(|amount| format!("{name} {amount}"));
    let parts = [
        part("ε", stated.epsilon.as_ref().map(|a| a.to_string())),
        part("δ", stated.delta.as_ref().map(|a| a.to_string())),
        part("ρ", stated.rho.as_ref().map(|a| a.to_string())),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// What one half becomes when the odds grow by e^ε, rounded up so that it stays a bound.
fn at_most(epsilon: f64) -> f64 {
    (1.0 / (1.0 + (-epsilon).exp())).next_up().min(1.0)
}

fn verdict() -> ShownVerdict {
    let words = "The promise is about how the release was made: the program drew the noise and charged a ledger for it before \
                 anything was written. No look at the tables can show that.";
    ShownVerdict {
        m: None,
        semantics: None,
        site_diversity: None,
        outsider: ShownFinding::Stated,
        insiders: ShownFinding::Stated,
        words: words.to_owned(),
    }
}

fn protected(
    noise: &ShownNoise,
    shape: ShownShape,
    protocol: Option<&ProtocolEntry>,
) -> Vec<Statement> {
    let factor = noise
        .factor
        .map_or("beyond all numbers".to_owned(), |factor| {
            format!("at most {}", up(factor))
        });
    let mut said = Vec::new();
    if shape == ShownShape::Synthetic {
        let text = "No published row is a person's. All rows are made up so that they follow noisy counts.";
        said.push(statement("No real rows", text));
    }
    let text = format!(
        "Whatever somebody knows already, what can be seen here is about as likely with a person's data as without: the \
         factor is {factor} ({}). A suspicion of 50 % that somebody is in the data becomes at most {}, and of 50 % that \
         somebody in the data has one value and not another at most {}.",
        noise.promise,
        percent_up(noise.presence),
        percent_up(noise.value)
    );
    said.push(statement("Everybody in the data", text));
    let text = match protocol.and_then(|protocol| Some((protocol, protocol.providers.as_ref()?))) {
        None => "The promise does not count who conspires: providers who know all rows but one person's are bounded \
                 like anybody else."
            .to_owned(),
        Some((protocol, agreed)) => format!(
            "{} made this release together, and each kept its rows and added a share of the noise. The promise holds \
             against any {} of these {} who put together what they know; more of them know so much of the noise that \
             they may learn more.",
            crate::text::cut(&protocol.names(), 400),
            whole(agreed.m),
            protocol.sites.len()
        ),
    };
    said.push(statement_on(Topic::Insiders, "Insiders", text));
    let text = "Together with any other release, this one tells at most this much more about a person; what the others tell \
                adds up to it.";
    said.push(statement_on(Topic::OtherReleases, "Other releases", text));
    said
}

fn unprotected(noise: &ShownNoise, shape: ShownShape) -> Vec<Statement> {
    let mut said = Vec::new();
    if noise.delta != "0" {
        let text = format!(
            "The release was drawn by a rule that keeps these odds but for a part of weight {}, of which nothing is promised.",
            noise.delta
        );
        said.push(statement("The remainder δ", text));
    }
    if noise.epsilon > 3.0 {
        let text = format!(
            "ε is {}: the factor above is large, and the promise says little.",
            figure(noise.epsilon)
        );
        said.push(statement("A weak promise", text));
    }
    let text = "What the counts say about people in general, anybody may apply to a person. Noise does not hide what is true \
                of many.";
    said.push(statement("What holds for many", text));
    let text = "Every further release about the same people tells more about them. The sum is kept in the publisher's ledger, \
                and only for releases that go through it.";
    said.push(statement("Adding up", text));
    let checked = match shape {
        ShownShape::Synthetic => {
            "Made-up rows can look like somebody by chance. Nobody can tell from the rows that noise was \
                             drawn as promised; that rests on the program and its random numbers."
        }
        _ => {
            "Nobody can tell from the counts that noise was drawn as promised; that rests on the program and its random \
              numbers."
        }
    };
    said.push(statement("What cannot be checked", checked));
    said
}

fn assumed(manifest: &NoisyManifest) -> Vec<Statement> {
    let neighbouring = format!(
        "The promise compares tables with {}.",
        manifest.neighbouring.words
    );
    let mut said = vec![statement("What is one person", neighbouring)];
    if !manifest.neighbouring.enforced {
        let text = "Each row is one person, or nobody has more rows than stated: the program had no identifier to check that.";
        said.push(statement("Rows are people", text));
    }
    let private = manifest
        .columns
        .iter()
        .filter(|c| c.bins.as_ref().is_some_and(|bins| bins.private));
    let private = listed(private.map(|c| c.name.as_str()), "and");
    let domains = if private.is_empty() {
        "The values that columns can have were known before anybody looked at the data.".to_owned()
    } else {
        format!(
            "The values that columns can have were known before anybody looked at the data; the ranges of {private} were \
             found by a noisy look that is part of the promise."
        )
    };
    said.push(statement("Public domains", domains));
    said
}

fn column(column: &DomainColumn) -> ShownColumn {
    let cells = column.labels.as_ref().map_or(0, Vec::len)
        + column.bins.as_ref().map_or(0, |bins| bins.starts.len());
    let extra = usize::from(column.other.is_some()) + usize::from(column.missing.is_some());
    let how = match (&column.labels, &column.bins) {
        (Some(_), _) if column.leaves.is_empty() => "counted by declared value".to_owned(),
        (Some(_), _) => "counted by a level of its hierarchy".to_owned(),
        (None, Some(bins)) if bins.private => {
            format!(
                "counted in {} ranges found by a noisy look",
                whole(cells as u64)
            )
        }
        (None, Some(_)) => format!("counted in {} declared ranges", whole(cells as u64)),
        (None, None) => String::new(),
    };
    ShownColumn {
        name: column.name.clone(),
        role: column.role,
        kind: column.kind,
        how,
        distinct: (cells + extra) as u64,
        starred: None,
        common: Vec::new(),
    }
}

/// Rounded up, so that a bound stays one.
fn percent_up(share: f64) -> String {
    let tenths = (share * 1000.0 - 1e-9).ceil() / 10.0;
    // certainty is never reached by a finite ε
    if tenths >= 100.0 {
        "more than 99.9 %".to_owned()
    } else {
        format!("{tenths:.1} %")
    }
}

fn up(factor: f64) -> String {
    match factor {
        f if f < 1e3 => format!("{:.2}", (f * 100.0 - 1e-9).ceil() / 100.0),
        f if f < 1e15 => whole(f.ceil() as u64),
        f => format!("{f:.1e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_rounded_up() {
        assert_eq!(percent_up(at_most(1.0)), "73.2 %");
        assert_eq!(percent_up(at_most(0.0)), "50.0 %");
        assert_eq!(percent_up(at_most(50.0)), "more than 99.9 %");
        assert_eq!(
            [up(1f64.exp()), up(1.0), up(1e4 + 0.5)],
            ["2.72", "1.00", "10,001"]
        );
    }
}
