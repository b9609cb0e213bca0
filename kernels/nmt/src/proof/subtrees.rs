//! Which subtrees make up a range.

use super::Proof;
use core::ops::Range;

impl Proof {
    /// The leaves of the subtrees that make up the proof's range, left to right, each of
    /// at most `width` leaves: every time the largest power of two that fits (ADR-013 of
    /// celestia-app, whose trees have a power of two of leaves). `None`, as the last
    /// item, where no node is above such leaves.
    pub fn subtrees(&self, width: u64) -> impl Iterator<Item = Option<Range<u64>>> + use<> {
        let Range { mut start, end } = self.range;
        core::iter::from_fn(move || {
            let most = end.checked_sub(start)?.min(width);
            if start == end {
                return None;
            }
            let Some(log) = most.checked_ilog2() else {
                start = end;
                return Some(None);
            };
            let leaves = 1 << log;
            if !start.is_multiple_of(leaves) {
                start = end;
                return Some(None);
            }
            let place = start..start + leaves;
            start = place.end;
            Some(Some(place))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// As the Go library's `ToLeafRanges` says it.
    #[test]
    fn a_range_is_cut_into_the_largest_subtrees() {
        let cut = |range: Range<u64>, width| {
            let proof = Proof::from_parts(range, Vec::new(), None, true);
            proof.subtrees(width).collect::<Vec<_>>()
        };
        assert_eq!(cut(0..7, 4), [Some(0..4), Some(4..6), Some(6..7)]);
        assert_eq!(cut(4..8, 2), [Some(4..6), Some(6..8)]);
        assert_eq!(cut(1..4, 1), [Some(1..2), Some(2..3), Some(3..4)]);
        assert_eq!(cut(1..4, 4), [None]);
        assert_eq!(cut(0..3, 0), [None]);
        assert_eq!(cut(3..3, 8), []);
    }
}
