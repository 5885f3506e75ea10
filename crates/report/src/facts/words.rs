//! What a release protects against, and what it does not, in plain words.
//!
//! Written for somebody who answers for the data and never heard of l-diversity. A sentence under
//! *protected* follows from the promises and from nothing that merely happens to be true of the
//! rows; what happens to be true may stand under *not protected*, where it warns. The list of what
//! is not protected is that of the threat model.

use super::coverage::{Coverage, Kept};
use super::promises::Counts;
use super::{PublicFacts, Statement, Topic, open_values, people, promises};
use crate::number::whole;
use mingle_record::answer::{ShownExtent, ShownFinding, ShownShape, ShownVerdict};
use mingle_record::manifest::{ColumnRole, ProtocolEntry, ProvidersEntry, PublicManifest};

/// Where some promise does not hold, or may not.
pub(super) const BROKEN: &str = "Not every promise was found to hold, so what providers can do, alone or together, is not bounded.";

/// Where some promises cannot be checked on the published rows.
const STATED: &str = "Every promise that can be checked on the published rows alone was checked when this report was made, and \
     holds. What is promised beyond that was checked by the program when the release was made; checking it again \
     needs to know who contributed what, which is not published.";

/// The same where people may have several rows.
const STATED_OF_PEOPLE: &str = "The promises are about people, who may have several rows. Whose rows belong together is not \
     published, so they cannot be checked on the published rows alone, which contradict none of them. The program \
     checked them when the release was made.";

/// A statement.
pub(super) fn statement(about: impl Into<String>, text: impl Into<String>) -> Statement {
    Statement {
        topic: Topic::Other,
        about: about.into(),
        text: text.into(),
    }
}

/// A statement that whoever knows more may replace.
pub(super) fn statement_on(topic: Topic, about: &str, text: impl Into<String>) -> Statement {
    Statement {
        topic,
        ..statement(about, text)
    }
}

/// `a`, `a and b`, `a, b and c`; a long list is cut.
pub(super) fn listed<'a>(names: impl Iterator<Item = &'a str>, and: &str) -> String {
    const SHOWN: usize = 8;
    let names: Vec<String> = names.map(|name| crate::text::cut(name, 40)).collect();
    let more = names.len().saturating_sub(SHOWN);
    if more > 0 {
        return format!("{} {and} {more} more", names[..SHOWN].join(", "));
    }
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {and} {last}", others.join(", ")),
    }
}

/// Whether the promises hold, from what was found of each of them.
pub(super) fn verdict(manifest: &PublicManifest, verdicts: &[ShownFinding]) -> ShownVerdict {
    let outsider = if verdicts.contains(&ShownFinding::Fails) {
        ShownFinding::Fails
    } else if verdicts.contains(&ShownFinding::Undecided) {
        ShownFinding::Undecided
    } else {
        ShownFinding::Holds
    };
    let needs_providers = manifest.m > 0
        || manifest.site_diversity.is_some()
        || verdicts.contains(&ShownFinding::Stated);
    let insiders = if needs_providers && outsider == ShownFinding::Holds {
        ShownFinding::Stated
    } else {
        outsider
    };
    let outsider = if manifest.people.is_some() && outsider == ShownFinding::Holds {
        // of rows it holds; of people that is not known
        ShownFinding::Stated
    } else {
        outsider
    };
    let words = match (outsider, needs_providers) {
        (ShownFinding::Holds, false) => {
            "Every promise below was checked on the published rows when this report was made, and holds."
        }
        (ShownFinding::Holds, true) => STATED,
        (ShownFinding::Stated, _) => STATED_OF_PEOPLE,
        (ShownFinding::Undecided, _) => {
            "Some promise could not be decided within the program's limits. Take it for broken."
        }
        _ => "Some promise does not hold for the published rows. Do not hand out this release.",
    };
    ShownVerdict {
        m: Some(manifest.m),
        semantics: Some(manifest.semantics),
        site_diversity: manifest.site_diversity,
        outsider,
        insiders,
        words: words.to_owned(),
    }
}

/// What readers cannot do.
pub(super) fn protected(manifest: &PublicManifest, facts: &PublicFacts) -> Vec<Statement> {
    let coverage = Coverage::new(manifest, &facts.promises);
    let known = listed(
        manifest.named(ColumnRole::QuasiIdentifier).into_iter(),
        "and",
    );
    let mut said: Vec<Statement> = coverage
        .kept()
        .iter()
        .map(|kept| promise(kept, manifest, &known))
        .collect();
    if facts.verdict.holds() {
        said.extend(insiders(manifest, facts.extent));
    }
    // of a group of one row it would be known which values belong together
    if facts.shape == ShownShape::Fragments
        && manifest.sensitive().len() > 1
        && coverage.hides_rows()
    {
        let text = format!(
            "{} are in tables of their own. Which of a group's values belong to the same person is not published.",
            listed(manifest.sensitive().into_iter(), "and")
        );
        said.push(statement("Values side by side", text));
    }
    if let Some(protocol) = &manifest.protocol
        && let Some(agreed) = &protocol.providers
    {
        said.extend(providers(protocol, agreed));
    } else if let Some(protocol) = &manifest.protocol {
        let [first, second] = [&protocol.sites[0].name, &protocol.sites[1].name]
            .map(|name| crate::text::cut(name, 40));
        let text = format!(
            "{first} and {second} made this release together without showing their tables to each other or to anybody \
             else. Beyond the release a site learned: {}.",
            protocol.reveals
        );
        said.push(statement("The two sites", text));
    }
    said
}

/// Who made a release of n providers, and what they showed each other.
fn providers(protocol: &ProtocolEntry, agreed: &ProvidersEntry) -> Vec<Statement> {
    let mut said = Vec::new();
    let text = format!(
        "{} made this release together, and each kept its rows. That k and distinct l withstand any {} of them was shown in \
         the run; no reader and no single provider can check that again alone.",
        crate::text::cut(&protocol.names(), 400),
        agreed.m
    );
    said.push(statement_on(Topic::Insiders, "The providers", text));
    let mut revealed = Vec::new();
    for sentence in &agreed.statements {
        revealed.push(crate::text::cut(sentence, 600));
    }
    said.push(statement(
        "What they showed each other",
        format!("{}.", revealed.join(". ")),
    ));
    said
}

/// What one promise means for a reader who knows people's quasi-identifiers.
fn promise(kept: &Kept<'_>, manifest: &PublicManifest, known: &str) -> Statement {
    let about = promises::about(kept.entry, manifest);
    let reader = match known {
        "" => "Somebody who knows that a person is in the table".to_owned(),
        known => format!("Somebody who knows a person's {known}"),
    };
    let words = Counts::of(manifest).words(kept.rule.kind());
    let said = |template| promises::said(template, &kept.rule, &about, &reader);
    statement(said(words.heading), said(words.promise))
}

/// What providers cannot do, together.
fn insiders(manifest: &PublicManifest, extent: ShownExtent) -> Vec<Statement> {
    let mut said = Vec::new();
    if manifest.m > 0 && extent != ShownExtent::Nothing {
        let who = match manifest.m {
            1 => "No provider can undo this by itself".to_owned(),
            2 => "No provider, and no two of them together, can undo this".to_owned(),
            m => format!(
                "No provider, and no coalition of up to {} of them, can undo this",
                whole(m)
            ),
        };
        let text = match &manifest.people {
            Some(people) => format!("{who}: {}", people::left_to_insiders(people)),
            None => format!(
                "{who}: even if they take out the rows that they contributed and look at what is left, all of the above \
                 holds for the people of the others."
            ),
        };
        said.push(statement_on(Topic::Insiders, "Insiders", text));
    }
    let fewest = manifest
        .site_diversity
        .map_or(0, |beyond| manifest.m.saturating_add(beyond));
    if fewest > 1 {
        let text = format!(
            "The rows that look alike always come from at least {} providers.",
            whole(fewest)
        );
        said.push(statement_on(Topic::Origin, "Where people are from", text));
    }
    said
}

/// What the promises do not cover.
pub(super) fn unprotected(manifest: &PublicManifest, facts: &PublicFacts) -> Vec<Statement> {
    let known = listed(
        manifest.named(ColumnRole::QuasiIdentifier).into_iter(),
        "and",
    );
    let mut said = vec![coalitions(manifest, facts)];
    if manifest.site_diversity.is_none() && manifest.protocol.is_none() {
        let text = "All rows that look alike may come from one provider. Whoever rules out the others knows where its people \
                    were.";
        said.push(statement_on(Topic::Origin, "Where people are from", text));
    }
    let counts = Counts::of(manifest);
    said.push(statement("Other knowledge", more_knowledge(&known, counts)));
    if let Some(people) = &manifest.people {
        said.extend(people::unprotected(people));
    }
    said.extend(open_values::of(manifest, facts));
    let carried = listed(manifest.named(ColumnRole::Insensitive).into_iter(), "and");
    if !carried.is_empty() {
        let text = format!(
            "{carried}: published as they are. Nothing is promised against a reader who knows them about a person."
        );
        said.push(statement("Columns left as they are", text));
    }
    let others = "Whoever lays this release beside another one about the same people can combine the two. Whether that was \
                  looked at for releases that are out already is known to those who made this one.";
    said.push(statement_on(Topic::OtherReleases, "Other releases", others));
    said.push(statement(
        "Being in the table",
        "That somebody is in the table is not hidden from a reader who knows the person.",
    ));
    said.push(method(manifest));
    said.push(statement(
        "What holds for many",
        "What the table says about people in general, anybody may apply to a person.",
    ));
    said
}

fn coalitions(manifest: &PublicManifest, facts: &PublicFacts) -> Statement {
    if facts.extent == ShownExtent::Nothing {
        let text = "No promise that holds says more than what is true of every table. Nothing is promised against outsiders, \
                    and nothing against providers.";
        return statement("Anybody", text);
    }
    if let Some(protocol) = &manifest.protocol
        && let Some(agreed) = &protocol.providers
    {
        let text = format!(
            "Of the {} providers more than {} who collude can take their own rows out and may then learn about the people of \
             the others; so may fewer where a promise other than k and distinct l is what protects. A provider that lied \
             about its counts can have broken k and l.",
            protocol.sites.len(),
            agreed.m
        );
        return statement_on(Topic::Insiders, "Insiders", text);
    }
    if manifest.protocol.is_some() {
        let text = "Each of the two sites knows its own table. What it learns about the other's people by taking out its own \
                    values is not bounded by the promises.";
        return statement("The two sites", text);
    }
    match manifest.m {
        0 => {
            let text = "If several organisations contributed rows, one of them can take its own rows out of what is \
                        published and may then learn about the people of the others. Nothing is promised against that \
                        (m = 0).";
            statement_on(Topic::Insiders, "Insiders", text)
        }
        _ if !facts.verdict.holds() => statement_on(Topic::Insiders, "Insiders", BROKEN),
        m => {
            let beyond = match &manifest.people {
                Some(people) => people::beyond_what_is_known(people),
                None => "that knows rows which it did not contribute",
            };
            let text = format!(
                "{} or more providers together may learn what fewer cannot. So may one that contributed under two names, \
                 or {beyond}.",
                whole(m.saturating_add(1))
            );
            statement_on(Topic::Insiders, "Larger coalitions", text)
        }
    }
}

fn more_knowledge(known: &str, counts: Counts) -> String {
    let rows = match counts {
        Counts::Rows => "the row",
        Counts::People => "the person's rows",
    };
    match known {
        "" => format!(
            "No column is treated as known about people. Whoever knows a person's values in any column may find {rows}."
        ),
        known => format!(
            "Whoever knows more about a person than {known} may find {rows}. Nothing is promised against that."
        ),
    }
}

/// Whether a method hides by decoys which people failed a constraint. A report is made from what a
/// manifest says, without the anonymizers; a test of the engine, which knows both, keeps this equal
/// to their catalogue. A method that is not known here is said to bound nothing.
pub fn has_decoys(method: &str) -> bool {
    method == "agglomerative"
}

fn method(manifest: &PublicManifest) -> Statement {
    let text = if has_decoys(&manifest.method) {
        "Whoever knows the method and everybody's quasi-identifiers may guess why people were not published more \
         precisely. Secret decoys bound what that tells; they do not rule it out."
    } else {
        "Whoever knows the method and everybody's quasi-identifiers can tell that people who could have been published \
         more precisely were not, and guess why. This method does not bound what that tells."
    };
    statement("The method itself", text)
}

/// What is taken for granted.
pub(super) fn assumed(manifest: &PublicManifest) -> Vec<Statement> {
    let mut said = Vec::new();
    match &manifest.people {
        Some(people) => said.extend(people::assumed(people, manifest.m)),
        None => {
            let rows = "Each row is one person. If somebody has several rows, the promises are weaker for this person.";
            said.push(statement("Rows are people", rows));
            if manifest.m > 0 {
                let own = "A provider knows the rows that it contributed, and no others.";
                said.push(statement("Own rows", own));
            }
        }
    }
    let roles = "The columns that others may know about a person are those that the policy calls quasi-identifiers.";
    said.push(statement("Known columns", roles));
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_sentences() {
        let of = |names: &[&str]| listed(names.iter().copied(), "and");
        assert_eq!(of(&[]), "");
        assert_eq!(of(&["age"]), "age");
        assert_eq!(of(&["age", "zip", "sex"]), "age, zip and sex");
        assert_eq!(
            of(&["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]),
            "a, b, c, d, e, f, g, h and 2 more"
        );
        assert_eq!(of(&[&"x".repeat(100)]).chars().count(), 40);
    }
}
