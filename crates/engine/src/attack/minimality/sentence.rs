//! One inference in words. Names, labels and counts; the value only when asked for.

use super::Played;
use mingle_assess::attack::minimality::{
    FlaggingPlay, InferredColumn, InferredUnit, MinimalityRule,
};

impl Played<'_> {
    /// `6 people in the group age [30-31] share all quasi-identifiers and were not published by
    /// themselves: …`.
    pub fn inference(
        &self,
        play: &FlaggingPlay,
        target: &InferredColumn,
        example: &InferredUnit,
    ) -> String {
        let column = self.name(target.column);
        let group = self.groups_in_words(&example.groups);
        let who = match play.rule {
            MinimalityRule::DenseTuple => "share all quasi-identifiers",
            MinimalityRule::SizesAlone => "would be a group by sizes alone",
        };
        let value = if self.show_values {
            format!(" ({})", self.value(target, example))
        } else {
            String::new()
        };
        let [frequency, naive, calibrated] = example.posterior;
        let admitted = match self.joined.original().people() {
            None => format!(
                "one {column}{value} has {:.1} % of the rows, and is",
                100.0 * frequency
            ),
            Some(_) => format!(
                "{:.1} % of the people have one {column}{value}, and it is",
                100.0 * frequency
            ),
        };
        format!(
            "{} people in {group} {who} and were not published by themselves: {admitted} theirs with {:.1} % ({:.1} % if \
             they failed); {} of them have it",
            example.people,
            100.0 * calibrated,
            100.0 * naive,
            example.right
        )
    }

    fn groups_in_words(&self, groups: &[u32]) -> String {
        let one = |group: u32| {
            let labels = self.joined.describe(group as usize);
            let labels: Vec<String> = labels
                .map(|(column, label)| format!("{column} {label}"))
                .collect();
            labels.join(", ")
        };
        match groups {
            [only] if !one(*only).is_empty() => format!("the group {}", one(*only)),
            [first, rest @ ..] if !one(*first).is_empty() => {
                format!("the group {} or {} more", one(*first), rest.len())
            }
            _ => "the table, which is one group".to_owned(),
        }
    }
}
