//! How a group's values are published in a column.
//!
//! A column of numbers or dates without a hierarchy becomes a range, a column with a hierarchy the
//! lowest node that covers the group. Categories without one become the set of the group's values
//! as long as a reader can take it in ([`MethodOptions::max_label_values`]), else `*`;
//! [`LabelForm::Sets`] says the same of categories with a hierarchy, whose longer sets become the
//! node. [`LabelForm::Public`] has no sets at all.
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
        let most_values = match options.labels {
            // a set lists what somebody has
            LabelForm::Public => 1,
            LabelForm::Hierarchy | LabelForm::Sets => options.max_label_values,
        };
        LabelRules {
            form: options.labels,
            most_values,
        }
    }

    /// The cell of a group that has these values, in any order and as often as they occur. `published` says
    /// which values of the column any published row has: a label must not tell what only others have.
    pub fn tight(
        &self,
        domain: &Domain,
        codes: impl Iterator<Item = Code>,
        published: &[bool],
    ) -> Cell {
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
            set = filled(domain, &set, published);
        }
        self.listed(domain, set, published)
    }

    /// The cell of all values between two, whether the group has them or not.
    pub fn between(&self, domain: &Domain, lo: Code, hi: Code) -> Cell {
        if !self.may_list(domain) {
            return Cell::Span { lo, hi };
        }
        let everything = vec![true; domain.len()];
        match self.listed(domain, (lo..=hi).collect(), &everything) {
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
    fn listed(&self, domain: &Domain, set: Vec<Code>, published: &[bool]) -> Cell {
        let (Some(&lo), Some(&hi)) = (set.first(), set.last()) else {
            return Cell::All;
        };
        let is_public = self.form == LabelForm::Public;
        let too_long = set.len() > self.most_values && (is_public || domain.lists_values(&set));
        let count = |from: Code, to: Code| {
            let published = &published[from as usize..=to as usize];
            published
                .iter()
                .filter(|&&some_row_has_it| some_row_has_it)
                .count()
        };
        let Some(tree) = domain.hierarchy() else {
            // what all published rows have is `*`, whatever somebody left out has
            let is_everything = set.len() > 1
                && set.len() == count(0, domain.len() as Code - 1)
                && set.len() < domain.len()
                && domain.lists_values(&set);
            return if too_long || is_everything {
                Cell::All
            } else {
                Cell::Set(set.into())
            };
        };
        let (level, node) = tree.lowest_common_ancestor(lo, hi);
        let (first, last) = tree.leaves(level, node);
        let says_no_more = count(first, last) == set.len();
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
fn filled(domain: &Domain, set: &[Code], published: &[bool]) -> Vec<Code> {
    let has_place = |code: &Code| domain.missing() != Some(*code);
    let mut present = set.iter().copied().filter(has_place);
    let Some(lo) = present.next() else {
        return set.to_vec();
    };
    let hi = present.next_back().unwrap_or(lo);
    let mut run: Vec<Code> = Vec::new();
    for code in lo..=hi {
        if has_place(&code) && published[code as usize] {
            run.push(code);
        }
    }
    if let Some(missing) = domain.missing().filter(|code| set.contains(code)) {
        run.push(missing);
        run.sort_unstable();
    }
    run
}
