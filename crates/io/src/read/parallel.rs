//! The same function on several items at once, results in the items' order.

use std::sync::{Mutex, PoisonError};

/// Maps items with up to `threads` threads. The result does not depend on their number.
pub(super) fn map<T: Send, R: Send>(
    items: Vec<T>,
    threads: usize,
    function: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    if threads <= 1 || items.len() <= 1 {
        return items.into_iter().map(function).collect();
    }
    let workers = threads.min(items.len());
    let queue = Mutex::new(items.into_iter().enumerate());
    let work = || {
        let mut done = Vec::new();
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((place, item)) = next else {
                return done;
            };
            done.push((place, function(item)));
        }
    };
    let mut all = std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        let mut all = work();
        for other in others {
            all.extend(
                other
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            );
        }
        all
    });
    all.sort_unstable_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_are_in_order() {
        for threads in [0, 1, 3, 50] {
            assert_eq!(
                super::map((0..20).collect(), threads, |n| n * n),
                (0..20).map(|n| n * n).collect::<Vec<_>>()
            );
        }
    }
}
