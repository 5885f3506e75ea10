//! How a group's values are published in a column.
//!
//! A column of numbers or dates without a hierarchy becomes a range, a column with a hierarchy the
//! lowest node that covers the group. Categories without one become the set of the group's values
//! as long as a reader can take it in ([`MethodOptions::max_label_values`]), else `*`;
//! [`LabelForm::Sets`] says the same of categories with a hierarchy, whose longer sets become the
//! node.
//!
//! Where the values have an order, a set without its middle would tell who reads `{low|high}` that
//! nobody is in between, which no range of numbers tells. Such a set is filled up to a run.

use crate::{LabelForm, MethodOptions};
use mingle_model::{Cell, Code, Domain};

/// The policy's rules about labels.
#[derive(Clone, Copy, Debug)]
pub struct LabelRules {
    form: LabelForm,
    most_values: usize,
}

impl LabelRules {
    /// Those of a run.
    pub fn of(options: &MethodOptions) -> LabelRules {
        LabelRules {
            form: options.labels,
            most_values: options.max_label_values,
        }
    }

    /// The cell of a group that has these values, in any order and as often as they occur.
    pub fn tight(&self, domain: &Domain, codes: impl Iterator<Item = Code>) -> Cell {
        if !self.may_list(domain) {
            let (mut lo, mut hi) = (Code::MAX, 0);
            for code in codes {
                (lo, hi) = (lo.min(code), hi.max(code));
            }
            return Cell::Span { lo, hi };
        }
        let mut set: Vec<Code> = codes.collect();
        set.sort_unstable();
        set.dedup();
        if domain.is_ordered() {
            set = filled(domain, &set);
        }
        self.listed(domain, set)
    }

    /// The cell of all values between two, whether the group has them or not.
    pub fn between(&self, domain: &Domain, lo: Code, hi: Code) -> Cell {
        if !self.may_list(domain) {
            return Cell::Span { lo, hi };
        }
        match self.listed(domain, (lo..=hi).collect()) {
            Cell::Set(_) if domain.is_flat() => Cell::Span { lo, hi },
            cell => cell,
        }
    }

    /// Those of somebody who only compares extents: sets of any length.
    pub fn unlimited() -> LabelRules {
        LabelRules {
            form: LabelForm::Hierarchy,
            most_values: usize::MAX,
        }
    }

    /// The most values that a set lists.
    pub fn most_values(&self) -> usize {
        self.most_values
    }

    /// Whether the column's labels may be sets.
    pub fn may_list(&self, domain: &Domain) -> bool {
        let has_hierarchy = domain.hierarchy().is_some();
        !domain.kind().is_numeric() && (!has_hierarchy || self.form == LabelForm::Sets)
    }

    /// A set of ascending codes, or what stands for one that is too long to be read.
    fn listed(&self, domain: &Domain, set: Vec<Code>) -> Cell {
        let (Some(&lo), Some(&hi)) = (set.first(), set.last()) else {
            return Cell::All;
        };
        let too_long = set.len() > self.most_values && domain.lists_values(&set);
        let Some(tree) = domain.hierarchy() else {
            return if too_long {
                Cell::All
            } else {
                Cell::Set(set.into())
            };
        };
        let (level, node) = tree.lowest_common_ancestor(lo, hi);
        let (first, last) = tree.leaves(level, node);
        let says_no_more = (last - first + 1) as usize == set.len();
        if too_long || says_no_more {
            return Cell::Span { lo, hi };
        }
        let cell = Cell::Set(set.into());
        // a hierarchy that calls a node `{a|b}` would have the set read as that node
        if tree.find(&domain.label(&cell)).is_some() {
            return Cell::Span { lo, hi };
        }
        cell
    }
}

/// The values from the first to the last in the column's order. The missing value has no place in
/// it: it is there if the group has it.
fn filled(domain: &Domain, set: &[Code]) -> Vec<Code> {
    let has_place = |code: &Code| domain.missing() != Some(*code);
    let mut present = set.iter().copied().filter(has_place);
    let Some(lo) = present.next() else {
        return set.to_vec();
    };
    let hi = present.next_back().unwrap_or(lo);
    let mut run: Vec<Code> = (lo..=hi).filter(has_place).collect();
    if let Some(missing) = domain.missing().filter(|code| set.contains(code)) {
        run.push(missing);
        run.sort_unstable();
    }
    run
}
