//! The path that Datafly takes through the levels of a site's columns, and where promises end it.
//!
//! The next step depends only on how many values each column has at the moment, never on k or t:
//! these only say where the path ends. Each step unites classes, and classes that hold still do
//! when united (sizes add up, the distance from the distribution of everybody is convex), so what
//! holds at one place of the path holds from there on. So the path is walked once per set of
//! columns, and the end for any k and t looked up. Cost: a look at all classes per step.

use super::closeness::Closeness;
use super::column_set::ColumnSet;
use super::people::SplitPeople;
use mingle_anonymize::FullDomain;
use mingle_protocol::Classes;

/// Where Datafly comes to with a set of columns.
pub struct Path {
    /// Per number of steps the size of the smallest class.
    smallest: Vec<u64>,
    /// Per sensitive column and bound after how many steps every class is close enough.
    close: [Vec<usize>; 2],
}

impl Path {
    /// Walks to the root.
    pub fn new(
        people: &SplitPeople,
        columns: ColumnSet,
        closeness: &[Closeness; 2],
        bounds: usize,
    ) -> Path {
        let everybody = people.everybody();
        let mut levels = people.full_domain(columns);
        let mut path = Path {
            smallest: Vec::new(),
            close: [vec![usize::MAX; bounds], vec![usize::MAX; bounds]],
        };
        loop {
            let classes = Classes::new(levels.classes(&everybody));
            path.look(&classes, closeness);
            if levels.step(&everybody).is_none() {
                return path;
            }
        }
    }

    fn look(&mut self, classes: &Classes, closeness: &[Closeness; 2]) {
        let steps = self.smallest.len();
        self.smallest.push(classes.smallest());
        let members = classes.members();
        for (close, closeness) in self.close.iter_mut().zip(closeness) {
            let mut candidates: Vec<usize> = (0..close.len())
                .filter(|&bound| close[bound] == usize::MAX)
                .collect();
            for class in &members {
                if candidates.is_empty() {
                    break;
                }
                let tally = closeness.tally(class);
                candidates.retain(|&bound| closeness.holds(bound, &tally));
            }
            candidates
                .into_iter()
                .for_each(|bound| close[bound] = steps);
        }
    }

    /// After how many steps every class has `k` people and is close enough in a sensitive column.
    /// `None` where there are fewer than `k` people.
    pub fn end(&self, k: u64, sensitive: usize, bound: usize) -> Option<usize> {
        let large = self.smallest.iter().position(|&size| size >= k)?;
        Some(large.max(self.close[sensitive][bound]))
    }
}

/// The levels after so many steps.
pub fn after(people: &SplitPeople, columns: ColumnSet, steps: usize) -> FullDomain<'_> {
    let everybody = people.everybody();
    let mut levels = people.full_domain(columns);
    for _ in 0..steps {
        levels.step(&everybody);
    }
    levels
}
