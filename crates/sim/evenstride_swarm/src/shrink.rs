//! Makes a script that breaks a promise shorter.

/// Returns the fewest operations found that still fail.
///
/// Whole stretches are left out first, then single operations, until none can be left out. `fails` is
/// called at most `tries` times.
pub fn shrink<T: Clone>(ops: &[T], tries: usize, mut fails: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut kept = ops.to_vec();
    let mut left = tries;
    let mut stretch = kept.len().div_ceil(2);
    while stretch > 0 {
        let mut start = 0;
        let before = kept.len();
        while start < kept.len() {
            if left == 0 {
                return kept;
            }
            left -= 1;
            let end = (start + stretch).min(kept.len());
            let fewer = [&kept[..start], &kept[end..]].concat();
            if fails(&fewer) {
                kept = fewer;
            } else {
                start = end;
            }
        }
        // A pass over single operations is repeated as long as it finds something.
        if stretch > 1 || kept.len() == before {
            stretch /= 2;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_operations_that_matter_are_left() {
        let ops: Vec<u32> = (0..500).collect();
        let needed = [17, 130, 131, 499];
        let fails = |ops: &[u32]| needed.iter().all(|op| ops.contains(op));
        assert_eq!(shrink(&ops, 10_000, fails), needed);
    }

    #[test]
    fn shrinking_ends_after_the_given_number_of_tries() {
        let mut tries = 0;
        let ops: Vec<u32> = (0..1_000).collect();
        let _ = shrink(&ops, 5, |ops| {
            tries += 1;
            ops.contains(&999)
        });
        assert_eq!(tries, 5);
    }
}
