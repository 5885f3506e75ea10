//! Sub-tables: which cell of a sub-table each cell of a table is counted in.

/// A table's cells seen as cells of a sub-table over some of its attributes.
pub(crate) struct Projection {
    /// Per attribute of the table but the last: its cells and how far one cell more goes in the
    /// sub-table.
    outer: Vec<(usize, usize)>,
    /// The last attribute: its cells, and how far.
    inner: (usize, usize),
    /// The number of cells of the sub-table.
    pub size: usize,
}

impl Projection {
    /// `onto` are some of `attributes`, both ascending.
    pub fn new(cells: &[usize], attributes: &[usize], onto: &[usize]) -> Projection {
        let step = |a: &usize| match onto.binary_search(a) {
            Ok(at) => onto[at + 1..].iter().map(|&b| cells[b]).product(),
            Err(_) => 0,
        };
        let mut outer: Vec<(usize, usize)> =
            attributes.iter().map(|a| (cells[*a], step(a))).collect();
        let inner = outer.pop().unwrap_or((1, 0));
        Projection {
            outer,
            inner,
            size: onto.iter().map(|&a| cells[a]).product(),
        }
    }

    /// The sub-table.
    pub fn sum(&self, counts: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.size];
        let step = self.inner.1;
        for (row, counts) in counts.chunks(self.inner.0).enumerate() {
            let base = self.base(row);
            counts
                .iter()
                .enumerate()
                .for_each(|(at, count)| sums[base + at * step] += count);
        }
        sums
    }

    /// Changes every cell by means of the sub-table's value that it belongs to.
    pub fn apply(&self, counts: &mut [f64], values: &[f64], change: impl Fn(&mut f64, f64)) {
        let step = self.inner.1;
        for (row, counts) in counts.chunks_mut(self.inner.0).enumerate() {
            let base = self.base(row);
            counts
                .iter_mut()
                .enumerate()
                .for_each(|(at, count)| change(count, values[base + at * step]));
        }
    }

    /// Where a row of the table starts in the sub-table.
    fn base(&self, row: usize) -> usize {
        let (mut rest, mut base) = (row, 0);
        for (size, step) in self.outer.iter().rev() {
            base += rest % size * step;
            rest /= size;
        }
        base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sub_tables_by_hand() {
        // 2 × 3 × 2, cells named by their place
        let counts: Vec<f64> = (0..12).map(f64::from).collect();
        let sum = |onto: &[usize]| Projection::new(&[2, 3, 2], &[0, 1, 2], onto).sum(&counts);
        assert_eq!(sum(&[]), [66.0]);
        assert_eq!(sum(&[0]), [15.0, 51.0]);
        assert_eq!(sum(&[1]), [14.0, 22.0, 30.0]);
        assert_eq!(sum(&[0, 2]), [6.0, 9.0, 24.0, 27.0]);
        assert_eq!(sum(&[0, 1, 2]), counts);
        // attributes are places among others
        assert_eq!(
            Projection::new(&[9, 2, 9, 6], &[1, 3], &[3]).sum(&counts),
            [6.0, 8.0, 10.0, 12.0, 14.0, 16.0]
        );
        assert_eq!(Projection::new(&[9], &[], &[]).sum(&[7.0]), [7.0]);
    }

    #[test]
    fn changes_reach_the_cells_they_belong_to() {
        let mut counts = vec![0.0; 12];
        Projection::new(&[2, 3, 2], &[0, 1, 2], &[1]).apply(
            &mut counts,
            &[1.0, 2.0, 3.0],
            |count, by| *count += by,
        );
        assert_eq!(
            counts,
            [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0]
        );
    }
}
