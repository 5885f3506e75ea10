//! The document `mingle.attack-insider/1`; see `docs/reference/attack-insider.md`.

use super::{InsiderOutcome, sentence};
use crate::attack::rounded;
use crate::promises::{promise_entry, sensitive_names};
use mingle_assess::attack::insider::ends::Ends;
use mingle_assess::attack::insider::worst::Worst;
use mingle_assess::attack::insider::{ExposureToCoalitions, Inference, Learnt};
use mingle_model::{Code, ProviderId, Published};
use mingle_privacy::Knows;
use mingle_record::GroupLabels;
use mingle_record::answer::{
    CoalitionExposure, ExposureBeside, GivenAwayEnd, InsiderAnswer, InsiderInference, LabelEnd,
    LabelEnds, LabelsTold, LearntKind, NamedCoalition, SharedByCoalition, SharedBySize,
    SharedPeopleAnswer, WorstCoalitions,
};
use mingle_record::manifest::StatedKnowledge;
use mingle_record::schema::AttackInsiderSchema;
use mingle_release::manifest::semantics_stated;

/// The whole document.
pub fn answer(outcome: &InsiderOutcome) -> InsiderAnswer {
    let (published, insider) = (&outcome.published, &outcome.insider);
    let sensitive = sensitive_names(published);
    let mut constraints = Vec::new();
    for promise in &outcome.promises {
        constraints.push(promise_entry(promise, &sensitive));
    }
    let sizes = insider.groups.iter().filter_map(|group| group.fall.size());
    let attack_number = sizes.min();
    let single = insider.groups.iter().filter(|group| group.providers == 1);
    let semantics = outcome.insiders.semantics;
    let is_strict = semantics.site_diversity().is_some();
    InsiderAnswer {
        schema: AttackInsiderSchema,
        verdict: outcome.verdict(),
        m: outcome.insiders.m.0,
        semantics: semantics_stated(semantics),
        groups: published.groups() as u64,
        records: published.rows(),
        people: outcome.people(),
        knows: published
            .people()
            .map(|_| knowledge(outcome.insiders.knows)),
        providers: published.providers().len() as u64,
        single_provider_groups: single.count() as u64,
        constraints,
        attack_number,
        attack_number_undecided: attack_number_undecided(outcome, attack_number),
        short_of_providers: is_strict.then(|| outcome.short_of_providers() as u64),
        exposure: insider
            .exposure
            .iter()
            .map(|exposure| coalition_exposure(exposure, &sensitive, published))
            .collect(),
        beside: beside(outcome, &sensitive),
        shared: shared(outcome, &sensitive),
        worst: insider
            .worst
            .iter()
            .map(|worst| worst_coalitions(worst, published))
            .collect(),
        inference: insider
            .inference
            .as_ref()
            .map(|inference| inference_answer(outcome, inference)),
        label_ends: outcome.ends.as_ref().map(|ends| label_ends(outcome, ends)),
    }
}

/// Whether a smaller coalition, or one at all, may exist that was not found.
fn attack_number_undecided(outcome: &InsiderOutcome, found: Option<u64>) -> bool {
    let exposure = &outcome.insider.exposure;
    let mut smaller = exposure
        .iter()
        .take_while(|e| found.is_none_or(|found| e.size < found));
    let everyone = exposure.len() == outcome.published.providers().len().max(1);
    smaller.any(|e| e.undecided > 0) || (found.is_none() && !everyone)
}

fn inference_answer(outcome: &InsiderOutcome, inference: &Inference) -> InsiderInference {
    let published = &outcome.published;
    let (learnt, known): (LearntKind, Vec<(usize, Vec<Code>)>) = match &inference.learnt {
        Learnt::Identity(values) => (
            LearntKind::Identity,
            values.iter().cloned().enumerate().collect(),
        ),
        Learnt::Attribute(column, code) => (LearntKind::Attribute, vec![(*column, vec![*code])]),
        Learnt::Breach(_) => (LearntKind::Breach, Vec::new()),
    };
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    for (place, codes) in &known {
        let column = &published.sensitive()[*place];
        columns.push(column.name.clone());
        values.push((column.name.clone(), sentence::texts(column, codes)));
    }
    let constraint = match inference.learnt {
        Learnt::Breach(constraint) => Some(outcome.promises[constraint].name().to_owned()),
        _ => None,
    };
    let shows_values = outcome.show_values && !values.is_empty();
    InsiderInference {
        learnt,
        coalition: names(published, &inference.coalition),
        group: group(published, inference.group),
        own_records: inference.own,
        records_left: inference.left,
        people_known: inference.people.map(|people| people.known),
        people_left: inference.people.map(|people| people.left),
        columns: constraint.is_none().then_some(columns),
        constraint,
        values: shows_values.then(|| values.into_iter().collect()),
        text: sentence::inference(outcome, inference),
    }
}

/// What insiders know, as the manifest says it.
fn knowledge(knows: Knows) -> StatedKnowledge {
    match knows {
        Knows::People => StatedKnowledge::People,
        Knows::Rows => StatedKnowledge::Rows,
    }
}

fn beside(outcome: &InsiderOutcome, sensitive: &[&str]) -> Option<ExposureBeside> {
    let insider = outcome.beside.as_ref()?;
    let mut exposure = Vec::new();
    for of_size in &insider.exposure {
        exposure.push(coalition_exposure(of_size, sensitive, &outcome.published));
    }
    let sizes = insider.groups.iter().filter_map(|group| group.fall.size());
    Some(ExposureBeside {
        knows: knowledge(outcome.known_beside()),
        attack_number: sizes.min(),
        exposure,
    })
}

fn shared(outcome: &InsiderOutcome, sensitive: &[&str]) -> Option<SharedPeopleAnswer> {
    let shared = outcome.shared.as_ref()?;
    let mut sizes = Vec::new();
    for of_size in &shared.sizes {
        let mut coalitions = Vec::new();
        for coalition in &of_size.coalitions {
            let by_column = sensitive.iter().zip(&coalition.learnt_in);
            coalitions.push(SharedByCoalition {
                members: names(&outcome.published, &coalition.members),
                people: coalition.people,
                records: coalition.rows,
                learnt: coalition.learnt,
                attribute: by_column
                    .map(|(&name, &people)| (name.to_owned(), people))
                    .collect(),
                certain: coalition.certain,
            });
        }
        sizes.push(SharedBySize {
            size: of_size.size,
            exact: of_size.exact,
            coalitions,
        });
    }
    Some(SharedPeopleAnswer {
        people: shared.people,
        sizes,
    })
}

fn coalition_exposure(
    exposure: &ExposureToCoalitions,
    sensitive: &[&str],
    published: &Published,
) -> CoalitionExposure {
    let by_column = sensitive.iter().zip(&exposure.attribute);
    CoalitionExposure {
        size: exposure.size,
        groups: exposure.groups,
        share: share(exposure.groups, published.groups()),
        undecided: exposure.undecided,
        records: exposure.rows,
        people: published.people().map(|_| exposure.records),
        identity: exposure.identity,
        attribute: by_column
            .map(|(&name, &records)| (name.to_owned(), records))
            .collect(),
        exposed: exposure.exposed,
    }
}

/// Groups as a share of all.
pub fn share(groups: u64, all: usize) -> f64 {
    rounded(groups as f64 / all.max(1) as f64)
}

fn worst_coalitions(worst: &Worst, published: &Published) -> WorstCoalitions {
    let mut coalitions = Vec::new();
    for coalition in &worst.coalitions {
        coalitions.push(NamedCoalition {
            members: names(published, &coalition.members),
            exposed: coalition.exposed,
            groups: coalition.groups,
        });
    }
    WorstCoalitions {
        size: worst.size,
        exact: worst.exact,
        coalitions,
    }
}

fn label_ends(outcome: &InsiderOutcome, ends: &Ends) -> LabelEnds {
    let published = &outcome.published;
    let example = ends.example.as_ref().map(|end| GivenAwayEnd {
        group: group(published, end.group),
        column: published.columns()[end.column].name.clone(),
        end: if end.upper {
            LabelEnd::Upper
        } else {
            LabelEnd::Lower
        },
        explained_by: names(published, &end.explained_by),
        text: sentence::end(published, outcome.insiders.knows, end),
    });
    LabelEnds {
        explained_by_at_most: outcome.explained_by_at_most(),
        checked: ends.checked,
        given_away: ends.given_away,
        groups: ends.groups,
        columns: ends.columns.iter().cloned().collect(),
        example,
        told: Some(LabelsTold {
            groups_of_several: ends.told.groups_of_several,
            groups: ends.told.groups,
            groups_by_elements: ends.told.groups_by_elements,
            elements: ends.told.elements,
            groups_by_ends: ends.told.groups_by_ends,
            ends: ends.told.ends,
            columns: ends.told.columns.iter().cloned().collect(),
        }),
    }
}

fn group(published: &Published, group: usize) -> GroupLabels {
    published
        .describe(group)
        .map(|(column, label)| (column.to_owned(), label.to_owned()))
        .collect()
}

fn names(published: &Published, members: &[ProviderId]) -> Vec<String> {
    members
        .iter()
        .map(|&id| published.providers().name(id).to_owned())
        .collect()
}
