//! One inference in words. Names, labels and counts; sensitive values only when asked for.

use super::Played;
use mingle_assess::attack::background_join::{
    CandidateUnit, KnowledgePlay, NewlyExposed, ReleaseForm,
};

/// `whoever knows the disease of a person in the group zip 1234*: 1 of its 2 rows has it, so the
/// treatment is known`.
pub fn inference(played: &Played<'_>, play: &KnowledgePlay, example: &NewlyExposed) -> String {
    let known = played.names(&play.known);
    let target = played.name(play.target);
    let NewlyExposed {
        candidates,
        rows,
        groups,
        unit,
        ..
    } = example;
    let who = format!(
        "whoever knows the {known} of a certain person in {}{}",
        group(played, groups),
        shown_known(played, play, example)
    );
    let has = if *candidates == 1 { "has" } else { "have" };
    let people = *unit == CandidateUnit::People;
    let finding = match played.form {
        ReleaseForm::Linked if people && *candidates == 1 => {
            format!("1 of {rows} people has it, and with her rows stands the {target}")
        }
        ReleaseForm::Linked if people => {
            format!("{candidates} of {rows} people have it, and all of them the same {target}")
        }
        ReleaseForm::Linked if *candidates == 1 => {
            format!("1 of {rows} rows has it, and with it stands the {target}")
        }
        ReleaseForm::Linked => {
            format!("{candidates} of {rows} rows have it, and all of them the same {target}")
        }
        ReleaseForm::Fragmented => {
            format!(
                "{candidates} of {rows} rows {has} it in their group, and all of these groups the same {target}"
            )
        }
    };
    format!("{who}: {finding}{}", shown_value(played, play, example))
}

fn shown_known(played: &Played<'_>, play: &KnowledgePlay, example: &NewlyExposed) -> String {
    let sensitive = played.joined.sensitive();
    let text = |(&column, &code): (&usize, &u32)| sensitive[column].domain.text(code).to_owned();
    if played.show_values {
        format!(
            " ({})",
            play.known
                .iter()
                .zip(&example.known)
                .map(text)
                .collect::<Vec<_>>()
                .join(", ")
        )
    } else {
        String::new()
    }
}

fn shown_value(played: &Played<'_>, play: &KnowledgePlay, example: &NewlyExposed) -> String {
    let domain = &played.joined.sensitive()[play.target].domain;
    if played.show_values {
        format!(": {}", domain.text(example.value))
    } else {
        String::new()
    }
}

fn group(played: &Played<'_>, groups: &[u32]) -> String {
    let one = |&group: &u32| {
        let labels = played
            .joined
            .describe(group as usize)
            .map(|(column, label)| format!("{column} {label}"));
        labels.collect::<Vec<_>>().join(", ")
    };
    match groups {
        [first] if !one(first).is_empty() => format!("the group {}", one(first)),
        [first, rest @ ..] if !one(first).is_empty() => {
            format!("the group {} or {} more", one(first), rest.len())
        }
        _ => "the table, which is one group".to_owned(),
    }
}
