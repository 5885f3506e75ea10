//! Whose rows belong together: what is taken for granted, what is not protected, and how many people
//! there are.

use super::Statement;
use super::words::statement;
use crate::number::{percent, whole};
use mingle_assess::group_sizes::group_sizes;
use mingle_assess::risk::risk;
use mingle_model::{Published, plural};
use mingle_record::answer::ShownPeople;
use mingle_record::manifest::{
    PeopleEntry, PublicManifest, StatedKnowledge, StatedPersonRows, StatedScope, ToldApartBy,
};
use mingle_release::Release;

/// What is taken for granted about people.
pub(super) fn assumed(people: &PeopleEntry, m: u64) -> Vec<Statement> {
    let who = match (people.told_apart_by, people.scope) {
        (ToldApartBy::Row, _) => {
            "Each row of the tables was one person, who may have several values in a cell and then has a published row for \
             each. The promises count people."
        }
        (ToldApartBy::Identifier, Some(StatedScope::Provider)) => {
            "An identifier tells people apart within each provider only. Whoever is at several providers counts several \
             times, and the promises are weaker for this person."
        }
        (ToldApartBy::Identifier, _) => {
            "An identifier tells people apart, at all providers alike. The promises count people, however many rows \
             somebody has."
        }
    };
    let mut said = vec![statement("Who is one person", who)];
    if m > 0 {
        let knows = match people.knows {
            StatedKnowledge::People => {
                "A provider that has one row of a person recognises all of her rows, and nobody else's."
            }
            StatedKnowledge::Rows => {
                "A provider knows the rows that it contributed, and no others. It knows a person only if it has all of \
                 her rows."
            }
        };
        said.push(statement("What providers know", knows));
    }
    said
}

/// What providers may do without undoing a promise.
pub(super) fn left_to_insiders(people: &PeopleEntry) -> &'static str {
    match people.knows {
        StatedKnowledge::People => {
            "even if they take out everybody of whom they have a row and look at what is left, all of the above holds for \
             the others."
        }
        StatedKnowledge::Rows => {
            "even if they take out the rows that they contributed and look at what is left, all of the above holds for \
             everybody of whom they do not have all rows."
        }
    }
}

/// What a provider may know beyond what is assumed.
pub(super) fn beyond_what_is_known(people: &PeopleEntry) -> &'static str {
    match people.knows {
        StatedKnowledge::People => "that recognises people of whom it has no row",
        StatedKnowledge::Rows => "that knows rows which it did not contribute",
    }
}

/// What is not protected where people have several rows.
pub(super) fn unprotected(people: &PeopleEntry) -> Vec<Statement> {
    let mut said = vec![statement(
        "Several values",
        "Somebody may have several sensitive values. Whoever knows one of them about a person may learn others.",
    )];
    if people.scope == Some(StatedScope::Provider) {
        let text = "Identifiers are each provider's own. Somebody who is at two providers counts twice, so fewer people than \
                    promised may look alike.";
        said.push(statement("People at several providers", text));
    }
    let (about, text) = match people.rows {
        StatedPersonRows::Together => (
            "Wide labels",
            "All rows of a person are under one label, which covers all of them. A label that is wider than its neighbours \
             may show how far apart one person's rows are.",
        ),
        StatedPersonRows::Apart => (
            "Rows in several groups",
            "The rows of a person may be in several groups. Whoever knows two of her rows knows that she is in both, and \
             few others may be.",
        ),
    };
    said.push(statement(about, text));
    if people.knows == StatedKnowledge::People {
        let text = "A provider is taken to know everything about the people of whom it has a row. What it learns about them \
                    from the rows of others is not bounded.";
        said.push(statement("Shared people", text));
    }
    said
}

/// How many people there are, where that is written down; of their groups, what an audit shows.
pub(super) fn shown(
    release: &Release,
    manifest: &PublicManifest,
    audited: Option<&Published>,
) -> Option<ShownPeople> {
    Some(ShownPeople {
        stated: manifest.people?,
        counts: release.private_manifest()?.people?,
        sizes: audited.map(group_sizes),
        risk: audited.map(risk),
    })
}

/// The same in lines: a name and a figure.
pub fn people_lines(people: &ShownPeople) -> Vec<(String, String)> {
    let counts = &people.counts;
    let mut lines = Vec::new();
    let mut line = |name: &str, value: String| lines.push((name.to_owned(), value));
    line("published", counted(counts.published_people));
    if counts.suppressed_people > 0 {
        line("left out", counted(counts.suppressed_people));
    }
    line("most rows of one person", whole(counts.most_rows));
    if let Some(shared) = counts.shared_people {
        line("at several providers", counted(shared));
    }
    if let Some(split) = counts.split_people {
        line("in several groups", counted(split));
    }
    if let Some(fewest) = counts.fewest_in_two_groups {
        line("fewest in two groups of one person", counted(fewest));
    }
    if let Some(fewest) = counts.fewest_in_all_groups {
        line("fewest in all groups of one person", counted(fewest));
    }
    if let Some(alone) = counts.alone_in_all_groups {
        let words = format!("{}: found by whoever knows all their rows", counted(alone));
        line("alone in all of their groups", words);
    }
    line("smallest group", counted(counts.smallest_group));
    if let Some(sure) = counts.guaranteed_smallest_group {
        let words = format!(
            "{}: whoever is at several providers is counted several times",
            counted(sure)
        );
        line("sure in every group", words);
    }
    if let Some(risk) = &people.risk {
        let words = format!(
            "{} highest, {} on average",
            percent(risk.prosecutor.highest),
            percent(risk.prosecutor.average)
        );
        line("chance to name the right person", words);
    }
    lines
}

fn counted(people: u64) -> String {
    format!("{} {}", whole(people), plural(people, "person", "people"))
}
