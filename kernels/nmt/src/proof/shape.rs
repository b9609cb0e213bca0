//! Which nodes a proof has, from the numbers of leaves alone.

use core::ops::Range;

/// Leaves in the left part of a tree of `leaves` leaves, 2 or more: the largest power of
/// two below that number (RFC 6962, section 2.1).
pub(crate) const fn split(leaves: u64) -> u64 {
    1 << (u64::BITS - 1 - (leaves - 1).leading_zeros())
}

/// Calls `each` for the largest subtrees of `tree` that have no leaf in `ranges`, left to
/// right. The ranges are not empty, ascend, and lie in the tree.
pub(crate) fn siblings(ranges: &[Range<u64>], tree: Range<u64>, each: &mut impl FnMut(Range<u64>)) {
    match meets(ranges, &tree) {
        Meets::Nothing => each(tree),
        Meets::All => {}
        Meets::Some => {
            let middle = tree.start + split(tree.end - tree.start);
            siblings(ranges, tree.start..middle, each);
            siblings(ranges, middle..tree.end, each);
        }
    }
}

/// How much of a subtree is in ranges.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meets {
    Nothing,
    Some,
    All,
}

/// How much of `tree` is in ranges that ascend.
pub(crate) fn meets(ranges: &[Range<u64>], tree: &Range<u64>) -> Meets {
    let first = ranges.partition_point(|r| r.end <= tree.start);
    match ranges.get(first) {
        Some(range) if range.start < tree.end => {
            if range.start <= tree.start && tree.end <= range.end {
                Meets::All
            } else {
                Meets::Some
            }
        }
        _ => Meets::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn the_left_part_is_the_largest_power_of_two_below() {
        let parts: Vec<u64> = (2..10).map(split).collect();
        assert_eq!(parts, [1, 2, 2, 4, 4, 4, 4, 8]);
        assert_eq!(split(1 << 63), 1 << 62);
        assert_eq!(split(u64::MAX), 1 << 63);
    }

    #[test]
    fn siblings_and_ranges_together_are_the_tree() {
        for leaves in 1..if cfg!(miri) { 6 } else { 40 } {
            for start in 0..leaves {
                for end in start + 1..=leaves {
                    let mut seen = alloc::vec![0; leaves as usize];
                    let range = start..end;
                    siblings(core::slice::from_ref(&range), 0..leaves, &mut |s| {
                        s.for_each(|leaf| seen[leaf as usize] += 1);
                    });
                    (start..end).for_each(|leaf| seen[leaf as usize] += 1);
                    assert!(seen.iter().all(|n| *n == 1), "{start}..{end} of {leaves}");
                }
            }
        }
    }
}
