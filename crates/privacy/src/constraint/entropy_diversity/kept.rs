//! How large G can become when certain values are kept in full, and who of the providers is in the
//! coalition is partly decided.
//!
//! G = sum f(c_s) - f(N) + N log l, f(x) = x log x. For values that are not kept, c_s is what the
//! others have: it lies between two numbers, and there f is at most its chord. -f(N) is at most its
//! tangent at any N_0, -(1 + log N_0) N + N_0. Both are linear in what the members take out, so the
//! best coalition consists of those who gain most. The tangent's place is free: the bound is convex
//! in log N_0 and its slope there has the sign of N_0 - N, so it is halved into.

use crate::breach::Holders;
use crate::shares::Shares;

/// Where the search stands.
pub(super) struct Node {
    /// Who is in the coalition.
    members: Vec<usize>,
    /// Who may still join.
    open: Vec<usize>,
    /// How many of them.
    room: usize,
}

/// How often the tangent's place is improved.
const HALVINGS: usize = 12;

/// Bounds for one set of values that are kept.
pub(super) struct Kept<'a> {
    group: &'a Shares,
    holders: Holders,
    log_l: f64,
    kept: Vec<bool>,
    /// By provider, its rows of values that are not kept.
    own: Vec<f64>,
    /// Scratch by value: the chord's slope; 0 for what is kept.
    slope: Vec<f64>,
    /// Scratch by provider: how much the chords fall when it takes out its rows.
    fall: Vec<f64>,
    is_open: Vec<bool>,
    /// What the last bound's coalition gains, and who.
    gains: Vec<(f64, usize)>,
}

fn f(x: f64) -> f64 {
    if x > 0.0 { x * x.ln() } else { 0.0 }
}

impl<'a> Kept<'a> {
    pub(super) fn new(group: &'a Shares, log_l: f64, set: &[usize]) -> Kept<'a> {
        let values = group.values().len();
        let kept: Vec<bool> = (0..values).map(|value| set.contains(&value)).collect();
        let taken = |&(value, n): &(u32, u64)| if kept[value as usize] { 0.0 } else { n as f64 };
        let own = (0..group.providers())
            .map(|p| group.of(p).iter().map(taken).sum())
            .collect();
        let by_provider = vec![0.0; group.providers()];
        let is_open = vec![false; group.providers()];
        let holders = Holders::new(group);
        Kept {
            group,
            holders,
            log_l,
            kept,
            own,
            slope: vec![0.0; values],
            fall: by_provider,
            is_open,
            gains: Vec::new(),
        }
    }

    pub(super) fn root(&self, most: usize) -> Node {
        let open = (0..self.group.providers())
            .filter(|&p| self.own[p] > 0.0)
            .collect();
        Node {
            members: Vec::new(),
            open,
            room: most,
        }
    }

    /// G is nowhere larger than this; not improved any more once it is below `enough`.
    pub(super) fn bound(&mut self, node: &Node, enough: f64) -> f64 {
        let counts = self.counts(&node.members);
        let (least, largest) = self.chords(node, &counts);
        let most: f64 = counts.iter().map(|&c| f(c as f64)).sum();
        for &p in &node.open {
            let falls = self
                .group
                .of(p)
                .iter()
                .map(|&(value, n)| self.slope[value as usize] * n as f64);
            self.fall[p] = falls.sum();
        }
        let mut best = (f64::INFINITY, 0.0);
        let (mut low, mut high) = (least.max(1.0), largest);
        for _ in 0..HALVINGS {
            let place = (low + high) / 2.0;
            let (gain, taken) = self.gain(node, place);
            let size = largest - taken;
            let bound = most + self.log_l * largest - (1.0 + place.ln()) * largest + place + gain;
            if bound < best.0 {
                best = (bound, place);
            }
            if bound < enough || high - low < 1e-3 * high {
                break;
            }
            if size > place {
                low = place
            } else {
                high = place
            }
        }
        // leaves behind who gains at the best place
        self.gain(node, best.1);
        best.0
    }

    /// Chords over what coalitions can leave of each value. The fewest rows, and the most, that
    /// there can be.
    fn chords(&mut self, node: &Node, counts: &[u64]) -> (f64, f64) {
        node.open.iter().for_each(|&p| self.is_open[p] = true);
        let mut least = 0.0;
        let mut amounts: Vec<u64> = Vec::new();
        for (value, &count) in counts.iter().enumerate() {
            least += count as f64;
            if self.kept[value] {
                continue;
            }
            let open = self
                .holders
                .of(value)
                .iter()
                .filter(|&&(p, _)| self.is_open[p as usize]);
            amounts.clear();
            amounts.extend(open.map(|&(_, n)| n));
            if node.room > 0 && node.room < amounts.len() {
                amounts.select_nth_unstable_by(node.room - 1, |a, b| b.cmp(a));
            }
            let taken = amounts.iter().take(node.room).sum::<u64>() as f64;
            let high = count as f64;
            self.slope[value] = if taken > 0.0 {
                (f(high) - f(high - taken)) / taken
            } else {
                0.0
            };
            least -= taken;
        }
        node.open.iter().for_each(|&p| self.is_open[p] = false);
        (least, counts.iter().sum::<u64>() as f64)
    }

    /// How much the coalition that gains most gains, and how many rows it takes out, with the
    /// tangent at this place.
    fn gain(&mut self, node: &Node, place: f64) -> (f64, f64) {
        let per_row = 1.0 + place.ln() - self.log_l;
        self.gains.clear();
        let gains = node
            .open
            .iter()
            .map(|&p| (per_row * self.own[p] - self.fall[p], p));
        self.gains.extend(gains.filter(|&(gain, _)| gain > 0.0));
        if node.room < self.gains.len() {
            if node.room > 0 {
                self.gains.select_nth_unstable_by(node.room - 1, |a, b| {
                    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
                });
            }
            self.gains.truncate(node.room);
        }
        self.gains
            .iter()
            .fold((0.0, 0.0), |(gain, taken), &(g, p)| {
                (gain + g, taken + self.own[p])
            })
    }

    /// The coalition that the last bound is about, ascending.
    pub(super) fn coalition(&self, node: &Node) -> Vec<usize> {
        let mut coalition: Vec<usize> = node
            .members
            .iter()
            .copied()
            .chain(self.gains.iter().map(|g| g.1))
            .collect();
        coalition.sort_unstable();
        coalition
    }

    /// What these leave when they keep the set.
    pub(super) fn counts(&self, coalition: &[usize]) -> Vec<u64> {
        let mut counts: Vec<u64> = self.group.values().iter().map(|&(_, t)| t).collect();
        for &(value, n) in coalition.iter().flat_map(|&p| self.group.of(p)) {
            counts[value as usize] -= if self.kept[value as usize] { 0 } else { n };
        }
        counts
    }

    /// The provider who gains most is out, or in; nothing is left to divide where nobody may join.
    pub(super) fn divide(&self, node: Node) -> Option<[Node; 2]> {
        if node.room == 0 {
            return None;
        }
        let by_gain =
            |a: &&(f64, usize), b: &&(f64, usize)| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1));
        let provider = self
            .gains
            .iter()
            .max_by(by_gain)
            .map(|g| g.1)
            .or(node.open.first().copied())?;
        let open: Vec<usize> = node
            .open
            .iter()
            .copied()
            .filter(|&p| p != provider)
            .collect();
        let mut members = node.members.clone();
        members.push(provider);
        let with = Node {
            members,
            open: open.clone(),
            room: node.room - 1,
        };
        Some([
            Node {
                members: node.members,
                open,
                room: node.room,
            },
            with,
        ])
    }
}
