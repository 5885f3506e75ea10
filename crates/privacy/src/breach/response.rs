//! The worst that a coalition can do to a linear form, in floating-point numbers.
//!
//! Over all coalitions of at most m providers and all subsets of their rows, sum over s of alpha_s
//! c_s is largest when the m providers with the largest u_p = sum over s of max(0, -alpha_s) n_ps
//! take out their rows with alpha_s < 0. Cost O(entries + providers). What follows for a constraint
//! is for the constraint to say: results are rounded.

use crate::shares::Shares;

/// Finds it, form after form, in the same memory.
pub(crate) struct Response<'a> {
    group: &'a Shares,
    most: usize,
    /// n_ps by provider as the group has them.
    entries: Vec<(u32, f64)>,
    /// max(0, -alpha_s).
    unwanted: Vec<f64>,
    /// u_p.
    amounts: Vec<f64>,
    scratch: Vec<f64>,
}

impl<'a> Response<'a> {
    pub(crate) fn new(group: &'a Shares, most: usize) -> Response<'a> {
        let entries = (0..group.providers())
            .flat_map(|p| group.of(p))
            .map(|&(v, n)| (v, n as f64))
            .collect();
        let unwanted = vec![0.0; group.values().len()];
        Response {
            group,
            most,
            entries,
            unwanted,
            amounts: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// How many numbers are looked at to answer once.
    pub(crate) fn cost(&self) -> u64 {
        (self.entries.len() + self.group.providers()) as u64
    }

    /// The largest value of the form. What attains it is told by [`coalition`](Response::coalition)
    /// until the next form.
    pub(crate) fn maximum(&mut self, alpha: &[f64]) -> f64 {
        self.unwanted
            .iter_mut()
            .zip(alpha)
            .for_each(|(u, a)| *u = (-a).max(0.0));
        self.amounts.clear();
        let mut rest = &self.entries[..];
        for provider in 0..self.group.providers() {
            let (own, others) = rest.split_at(self.group.of(provider).len());
            self.amounts.push(
                own.iter()
                    .map(|&(value, n)| self.unwanted[value as usize] * n)
                    .sum(),
            );
            rest = others;
        }
        let all: f64 = self
            .group
            .values()
            .iter()
            .zip(alpha)
            .map(|(&(_, t), a)| a * t as f64)
            .sum();
        all + self.taken()
    }

    /// The sum of the m largest amounts.
    fn taken(&mut self) -> f64 {
        if self.most == 0 {
            return 0.0;
        }
        self.scratch.clone_from(&self.amounts);
        if self.most < self.scratch.len() {
            self.scratch
                .select_nth_unstable_by(self.most - 1, |a, b| b.total_cmp(a));
        }
        self.scratch.iter().take(self.most).sum()
    }

    /// The members, the one with the largest amount first; without those who have nothing to take
    /// out.
    pub(crate) fn coalition(&self) -> Vec<usize> {
        let mut members: Vec<usize> = (0..self.amounts.len())
            .filter(|&p| self.amounts[p] > 0.0)
            .collect();
        let before =
            |a: &usize, b: &usize| self.amounts[*b].total_cmp(&self.amounts[*a]).then(a.cmp(b));
        if self.most > 0 && self.most < members.len() {
            members.select_nth_unstable_by(self.most - 1, before);
        }
        members.truncate(self.most);
        members.sort_unstable_by(before);
        members
    }

    /// The counts when a coalition takes out its rows of values that are unwanted.
    pub(crate) fn counts(&self, coalition: &[usize]) -> Vec<u64> {
        let mut counts: Vec<u64> = self.group.values().iter().map(|&(_, t)| t).collect();
        for &(value, n) in coalition.iter().flat_map(|&p| self.group.of(p)) {
            if self.unwanted[value as usize] > 0.0 {
                counts[value as usize] -= n;
            }
        }
        counts
    }
}
