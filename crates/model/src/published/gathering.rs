//! Groups by their labels, and what is in them.

use super::{Entry, PublishedColumn};
use crate::codes::Codes;
use crate::fold::Folded;
use crate::partition::Partition;
use crate::provider::ProviderId;

/// Numbers the distinct label tuples in text order; returns each planned group's number and the
/// tuples.
pub(super) fn regroup(
    groups: usize,
    columns: &[PublishedColumn],
    codes: &[Codes],
) -> (Vec<u32>, Vec<u32>) {
    let folded = Folded::new(
        groups,
        codes.iter().zip(columns.iter().map(|c| c.labels.len())),
    );
    let mut distinct = folded.keys.clone();
    distinct.sort_unstable();
    distinct.dedup();
    let number = folded
        .keys
        .iter()
        .map(|key| distinct.partition_point(|d| d < key) as u32)
        .collect();
    let mut labels = Vec::with_capacity(distinct.len() * columns.len());
    let mut tuple = Vec::new();
    for key in distinct {
        folded.unfold(key, &mut tuple);
        labels.extend_from_slice(&tuple);
    }
    (number, labels)
}

/// Groups that have rows, and what is in them.
pub(super) struct Gathered {
    /// The labels of the groups, group by group.
    pub(super) labels: Vec<u32>,
    /// The new number of each old group; [`Partition::SUPPRESSED`] of one without rows.
    pub(super) number: Vec<u32>,
    pub(super) starts: Vec<usize>,
    pub(super) entries: Vec<Entry>,
}

/// Puts entries into their groups and adds up what is alike; groups without rows disappear.
///
/// Entries are laid straight into their group's place, so that there is never more than one copy of
/// them: at this moment a plan needs the most memory. Hence two passes over them.
pub(super) fn gather(
    q: usize,
    labels: Vec<u32>,
    entries: impl Iterator<Item = (u32, Entry)> + Clone,
) -> Gathered {
    let groups = labels.len().checked_div(q).unwrap_or(1);
    let mut next = vec![0; groups];
    for (group, _) in entries.clone() {
        next[group as usize] += 1;
    }
    let mut all = 0;
    for place in &mut next {
        let size = std::mem::replace(place, all);
        all += size;
    }
    let nothing = Entry {
        sensitive: 0,
        provider: ProviderId(0),
        count: 0,
    };
    let mut laid = vec![nothing; all];
    for (group, entry) in entries {
        laid[next[group as usize]] = entry;
        next[group as usize] += 1;
    }

    let mut gathered = Gathered {
        labels: Vec::new(),
        number: vec![Partition::SUPPRESSED; groups],
        starts: Vec::new(),
        entries: Vec::new(),
    };
    let (mut start, mut kept) = (0, 0);
    for (group, &end) in next.iter().enumerate() {
        if start == end {
            continue;
        }
        gathered.number[group] = gathered.starts.len() as u32;
        gathered
            .labels
            .extend_from_slice(&labels[group * q..(group + 1) * q]);
        gathered.starts.push(kept);
        laid[start..end].sort_unstable_by_key(|entry| (entry.sensitive, entry.provider));
        let first = kept;
        for place in start..end {
            let entry = laid[place];
            let last = kept.checked_sub(1).filter(|&last| last >= first);
            match last.map(|last| &mut laid[last]) {
                Some(last)
                    if (last.sensitive, last.provider) == (entry.sensitive, entry.provider) =>
                {
                    last.count += entry.count;
                }
                _ => {
                    laid[kept] = entry;
                    kept += 1;
                }
            }
        }
        start = end;
    }
    gathered.starts.push(kept);
    laid.truncate(kept);
    laid.shrink_to_fit();
    gathered.entries = laid;
    gathered
}
