//! Exact shares: how many rows get each value, and who gets which.
//!
//! Drawing value by value gives shares that scatter. Where a column must have exactly so many
//! values with exactly these shares, its counts are set first ([`apportion`]) and then handed out
//! by rank ([`hand_out`]): those with the highest scores get the values with the highest scores, so
//! columns hang together as far as the scores do and the counts stay as they are. Cost: a sort of
//! all rows.

/// `total` rows shared out in proportion to the weights, by largest remainder; with at least four
/// rows a value on average, everybody gets one first.
pub(crate) fn apportion(total: usize, weights: &[u64]) -> Vec<usize> {
    let each = usize::from(total >= 4 * weights.len());
    let rest = (total - each * weights.len()) as u128;
    let sum: u128 = weights.iter().map(|&w| u128::from(w)).sum();
    let share = |&w: &u64| rest * u128::from(w) / sum;
    let mut counts: Vec<usize> = weights.iter().map(|w| each + share(w) as usize).collect();
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|&value| {
        (
            std::cmp::Reverse(rest * u128::from(weights[value]) % sum),
            value,
        )
    });
    let left = total - counts.iter().sum::<usize>();
    order[..left].iter().for_each(|&value| counts[value] += 1);
    counts
}

/// Weights that fall as the inverse square of a rank: a few values are common, most are rare. The
/// larger the offset (in tenths of a rank), the more even they are.
pub(crate) fn falling(values: usize, offset: u64) -> Vec<u64> {
    (0..values as u64)
        .map(|rank| 10_u64.pow(13) / (10 * rank + offset).pow(2))
        .collect()
}

/// Something with a score: a person or a value.
pub(crate) type Scored = (u32, u32);

/// Gives the values to the people by rank of their scores; ties go by number. As many as there are
/// of the fewer.
pub(crate) fn hand_out(
    mut people: Vec<Scored>,
    mut values: Vec<Scored>,
    mut give: impl FnMut(u32, u32),
) {
    people.sort_unstable();
    values.sort_unstable();
    people
        .iter()
        .zip(&values)
        .for_each(|(&(_, person), &(_, value))| give(person, value));
}

/// Every value as often as its count says.
pub(crate) fn slots(counts: &[usize]) -> impl Iterator<Item = u32> {
    counts
        .iter()
        .enumerate()
        .flat_map(|(value, &count)| std::iter::repeat_n(value as u32, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_add_up_and_rare_values_occur() {
        assert_eq!(apportion(10, &[1, 1, 1]), [4, 3, 3]);
        assert_eq!(apportion(100, &[1, 0, 999]), [1, 1, 98]);
        // too few rows for everybody
        assert_eq!(apportion(3, &[5, 1, 5]), [2, 0, 1]);
        assert_eq!(apportion(0, &[5, 1]), [0, 0]);
        for total in [1, 7, 50, 1_234, 70_187] {
            assert_eq!(
                apportion(total, &falling(246, 106)).iter().sum::<usize>(),
                total
            );
        }
    }

    #[test]
    fn the_highest_get_the_highest() {
        let mut given = [9; 3];
        hand_out(
            vec![(5, 0), (1, 1), (3, 2)],
            vec![(10, 7), (30, 8), (20, 6)],
            |p, v| given[p as usize] = v,
        );
        assert_eq!(given, [8, 7, 6]);
        hand_out(vec![(1, 0)], vec![], |_, _| {
            panic!("there is nothing to give")
        });
        assert!(slots(&[2, 0, 1]).eq([0, 0, 2]));
    }
}
