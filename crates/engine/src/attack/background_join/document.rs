//! The document `mingle.attack-background-join/1`; see `docs/reference/attack-background-join.md`.

use super::{Played, sentence};
use crate::attack::rounded;
use mingle_assess::attack::background_join::reconstruction::{Estimate, Inferred, Reconstruction};
use mingle_assess::attack::background_join::{
    CandidateUnit, KnowledgePlay, LearntView, NewlyExposed,
};
use mingle_record::answer::{
    BackgroundJoinAnswer, BackgroundJoinByRows, BackgroundJoinInference, BackgroundJoinPlay,
    BackgroundJoinView, CandidatesAre, ReconstructedPair, ReconstructionEstimate,
    ReconstructionInference,
};
use mingle_record::schema::AttackBackgroundJoinSchema;
use mingle_record::{ByName, GroupLabels};

impl Played<'_> {
    pub fn answer(&self) -> BackgroundJoinAnswer {
        let found = self.found;
        let worst = found.worst(self.form);
        let example =
            worst.and_then(|play| Some((play, play.worst_view(self.form)?.example.as_ref()?)));
        let not_reconstructed = found.not_reconstructed.iter();
        BackgroundJoinAnswer {
            schema: AttackBackgroundJoinSchema,
            verdict: self.verdict(),
            form: self.form,
            k: self.options.k,
            groups: self.joined.groups().len() as u64,
            records: self.joined.rows(),
            people: found.people,
            left_out: found.left_out,
            overlapping: found.overlapping,
            quasi_identifiers: self.quasi_identifiers(),
            plays: found.plays.iter().map(|play| self.play(play)).collect(),
            inference: example.map(|(play, example)| self.inference(play, example)),
            reconstructions: found
                .reconstructions
                .iter()
                .map(|pair| self.reconstruction(pair))
                .collect(),
            not_reconstructed: not_reconstructed.map(|pair| self.columns(pair)).collect(),
        }
    }

    fn quasi_identifiers(&self) -> Vec<String> {
        match &self.options.quasi_identifiers {
            Some(names) => names.clone(),
            None => {
                let all = self.joined.original().quasi_identifiers();
                all.iter().map(|qi| qi.name.clone()).collect()
            }
        }
    }

    fn columns(&self, columns: &[usize]) -> Vec<String> {
        columns
            .iter()
            .map(|&column| self.name(column).to_owned())
            .collect()
    }

    fn play(&self, play: &KnowledgePlay) -> BackgroundJoinPlay {
        BackgroundJoinPlay {
            knows: self.columns(&play.known),
            target: self.name(play.target).to_owned(),
            people: play.people,
            outsider: view(&play.outsider),
            linked: view(&play.linked),
            fragmented: play.fragmented.as_ref().map(view),
            by_rows: play.by_rows.as_ref().map(|views| BackgroundJoinByRows {
                outsider: view(&views.outsider),
                linked: view(&views.linked),
            }),
        }
    }

    fn inference(&self, play: &KnowledgePlay, example: &NewlyExposed) -> BackgroundJoinInference {
        let groups = example.groups.iter();
        BackgroundJoinInference {
            knows: self.columns(&play.known),
            target: self.name(play.target).to_owned(),
            groups: groups.map(|&group| self.group(group)).collect(),
            counts: play.by_rows.is_some().then_some(match example.unit {
                CandidateUnit::Rows => CandidatesAre::Rows,
                CandidateUnit::People => CandidatesAre::People,
            }),
            candidates: example.candidates,
            rows: example.rows,
            values: self.show_values.then(|| self.values(play, example)),
            text: sentence::inference(self, play, example),
        }
    }

    fn group(&self, group: u32) -> GroupLabels {
        self.joined
            .describe(group as usize)
            .map(|(column, label)| (column.to_owned(), label.to_owned()))
            .collect()
    }

    /// What is known and what is inferred.
    fn values(&self, play: &KnowledgePlay, example: &NewlyExposed) -> ByName<String> {
        let known = play
            .known
            .iter()
            .copied()
            .zip(example.known.iter().copied());
        let mut values = Vec::new();
        for (column, code) in known.chain([(play.target, example.value)]) {
            let text = self.joined.sensitive()[column].domain.text(code);
            values.push((self.name(column).to_owned(), text.to_owned()));
        }
        ByName(values)
    }

    fn reconstruction(&self, found: &Reconstruction) -> ReconstructedPair {
        let estimates = found.estimates.iter();
        ReconstructedPair {
            columns: self.columns(&found.columns),
            people: found.people,
            plain_share: share(found.plain as f64, found),
            chance_share: share(found.chance, found),
            estimates: estimates.map(|one| self.estimate(found, one)).collect(),
        }
    }

    fn estimate(&self, found: &Reconstruction, estimate: &Estimate) -> ReconstructionEstimate {
        let inferences = estimate.inferences.iter();
        ReconstructionEstimate {
            rounds: estimate.rounds as u64,
            settled: estimate.settled,
            right: estimate.right,
            right_share: share(estimate.right as f64, found),
            blind_share: share(estimate.blind, found),
            inferred: inferences.map(|one| self.inferred(one)).collect(),
        }
    }

    fn inferred(&self, one: &Inferred) -> ReconstructionInference {
        ReconstructionInference {
            knows: self.name(one.known).to_owned(),
            target: self.name(one.target).to_owned(),
            people: one.people,
            mean_posterior: rounded(one.mean_posterior),
            mean_without: rounded(one.mean_without),
            determined: one.determined,
            newly: one.newly,
            misled: one.misled,
        }
    }
}

/// People as a share of those who have both values.
fn share(people: f64, found: &Reconstruction) -> f64 {
    rounded(people / found.people.max(1) as f64)
}

fn view(view: &LearntView) -> BackgroundJoinView {
    BackgroundJoinView {
        certain: view.certain,
        newly: view.newly,
        below_k: view.below_k,
        alone: view.alone,
        mean_posterior: rounded(view.mean_posterior),
        largest_posterior: rounded(view.largest_posterior),
    }
}
