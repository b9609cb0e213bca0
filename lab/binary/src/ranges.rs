//! Address ranges that carry a value: the common shape of symbols, line tables
//! and inline trees once they are ready to be walked beside the decoder.

/// The half-open address range `start..end` with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRange<T> {
    /// First address.
    pub start: u64,
    /// Behind the last address.
    pub end: u64,
    /// What holds there.
    pub value: T,
}

/// A range and how deeply it is nested; of two that start together the deeper
/// one wins.
pub type Nested<T> = (AddressRange<T>, u32);

/// Turns nested or overlapping ranges into sorted, non-overlapping ones: at every
/// address the range that started last wins, and its parent goes on behind it.
/// Neighbours with the same value become one. Empty and reversed ranges vanish.
pub fn flatten<T: Copy + PartialEq>(mut nested: Vec<Nested<T>>) -> Vec<AddressRange<T>> {
    nested.retain(|(range, _)| range.start < range.end);
    // One number is compared without a branch.
    nested.sort_by_key(|(range, depth)| u128::from(range.start) << 32 | u128::from(*depth));
    flatten_sorted(nested.into_iter().map(|(range, _)| range))
}

/// The same of ranges that are sorted by where they start and how deep they are, none empty.
pub(crate) fn flatten_sorted<T: Copy + PartialEq>(
    nested: impl ExactSizeIterator<Item = AddressRange<T>>,
) -> Vec<AddressRange<T>> {
    let mut out: Vec<AddressRange<T>> = Vec::with_capacity(nested.len());
    let mut open: Vec<AddressRange<T>> = Vec::new();
    let mut cursor = 0;
    for range in nested {
        drain_until(&mut open, &mut cursor, range.start, &mut out);
        cursor = range.start;
        open.push(range);
    }
    drain_until(&mut open, &mut cursor, u64::MAX, &mut out);
    out
}

/// Emits what is open from `cursor` up to `limit`, innermost first.
fn drain_until<T: Copy + PartialEq>(
    open: &mut Vec<AddressRange<T>>,
    cursor: &mut u64,
    limit: u64,
    out: &mut Vec<AddressRange<T>>,
) {
    while let Some(top) = open.last() {
        if top.end <= *cursor {
            open.pop();
            continue;
        }
        if *cursor >= limit {
            break;
        }
        let end = top.end.min(limit);
        push_merged(
            out,
            AddressRange {
                start: *cursor,
                end,
                value: top.value,
            },
        );
        *cursor = end;
    }
}

/// Appends a range, growing the last one when they touch and agree.
pub fn push_merged<T: PartialEq>(out: &mut Vec<AddressRange<T>>, range: AddressRange<T>) {
    match out.last_mut() {
        Some(last) if last.end == range.start && last.value == range.value => last.end = range.end,
        _ => out.push(range),
    }
}

/// What is left of sorted, non-overlapping ranges without the addresses of others.
pub fn without<T: Copy>(
    ranges: Vec<AddressRange<T>>,
    others: &[AddressRange<()>],
) -> Vec<AddressRange<T>> {
    if others.is_empty() {
        return ranges;
    }
    let mut out = Vec::with_capacity(ranges.len() + others.len());
    let mut next = 0;
    for range in ranges {
        while others
            .get(next)
            .is_some_and(|other| other.end <= range.start)
        {
            next += 1;
        }
        let mut start = range.start;
        for other in others[next..].iter().take_while(|o| o.start < range.end) {
            if start < other.start {
                let end = other.start;
                out.push(AddressRange {
                    start,
                    end,
                    ..range
                });
            }
            start = start.max(other.end);
        }
        if start < range.end {
            out.push(AddressRange { start, ..range });
        }
    }
    out
}

/// Ranges that are gone over one by one: what is farther is searched for.
const NEAR: usize = 8;

/// Walks sorted ranges forwards, in step with a decoder.
pub struct Cursor<'a, T> {
    ranges: &'a [AddressRange<T>],
    next: usize,
}

impl<'a, T: Copy> Cursor<'a, T> {
    /// At the first range.
    pub fn new(ranges: &'a [AddressRange<T>]) -> Self {
        Self { ranges, next: 0 }
    }

    /// Moves to `address` (from anywhere; small steps forwards are cheap).
    /// Returns the value there, if any, and the address up to which that holds.
    pub fn at(&mut self, address: u64) -> (Option<T>, u64) {
        // Sections are not always sorted as the ranges are, and a resync steps
        // back: search again then.
        if self.next > 0 && self.ranges[self.next - 1].end > address {
            self.next = self.ranges.partition_point(|range| range.end <= address);
        }
        let mut steps = 0;
        while let Some(range) = self.ranges.get(self.next) {
            if range.end <= address {
                self.next += 1;
                steps += 1;
                if steps == NEAR {
                    let rest = &self.ranges[self.next..];
                    self.next += rest.partition_point(|range| range.end <= address);
                }
                continue;
            }
            return if range.start <= address {
                (Some(range.value), range.end)
            } else {
                (None, range.start)
            };
        }
        (None, u64::MAX)
    }

    /// Where the range begins that [`at`](Self::at) found last, or the next one.
    pub fn start(&self) -> Option<u64> {
        self.ranges.get(self.next).map(|range| range.start)
    }

    /// Whether every address from `start` up to `end` has a value.
    pub fn covers(&mut self, start: u64, end: u64) -> bool {
        let mut at = start;
        while at < end {
            match self.at(at) {
                (Some(_), until) => at = until,
                (None, _) => return false,
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u64, end: u64, value: char) -> AddressRange<char> {
        AddressRange { start, end, value }
    }

    #[test]
    fn inner_spans_win_and_outer_ones_resume() {
        let flat = flatten(vec![
            (range(0, 10, 'a'), 0),
            (range(2, 8, 'b'), 1),
            (range(2, 4, 'c'), 2),
            (range(20, 22, 'd'), 0),
        ]);
        assert_eq!(
            flat,
            [
                range(0, 2, 'a'),
                range(2, 4, 'c'),
                range(4, 8, 'b'),
                range(8, 10, 'a'),
                range(20, 22, 'd'),
            ]
        );
    }

    #[test]
    fn overlap_without_nesting_loses_nothing() {
        let flat = flatten(vec![(range(0, 6, 'a'), 0), (range(4, 9, 'b'), 0)]);
        assert_eq!(flat, [range(0, 4, 'a'), range(4, 9, 'b')]);
    }

    #[test]
    fn spans_are_cut_around_others() {
        let cut = |start, end| AddressRange {
            start,
            end,
            value: (),
        };
        let left = without(
            vec![range(0, 10, 'a'), range(10, 12, 'b'), range(20, 30, 'c')],
            &[cut(0, 2), cut(4, 5), cut(8, 15), cut(25, 40)],
        );
        assert_eq!(
            left,
            [range(2, 4, 'a'), range(5, 8, 'a'), range(20, 25, 'c')]
        );
    }

    #[test]
    fn cursor_finds_gaps_and_steps_back() {
        let ranges = [range(2, 4, 'a'), range(6, 8, 'b')];
        let mut cursor = Cursor::new(&ranges);
        assert_eq!(cursor.at(0), (None, 2));
        assert_eq!(cursor.at(7), (Some('b'), 8));
        assert_eq!(cursor.at(3), (Some('a'), 4));
        assert_eq!(cursor.at(9), (None, u64::MAX));
    }

    #[test]
    fn cursor_goes_far() {
        let ranges: Vec<_> = (0..100).map(|at| range(at * 4, at * 4 + 2, 'a')).collect();
        for step in [1, 3, 7 * 4, 8 * 4, 9 * 4, 50 * 4 + 1] {
            let mut cursor = Cursor::new(&ranges);
            for address in (0..500).step_by(step) {
                let next = ranges.iter().find(|range| range.end > address);
                let told = next.map_or((None, u64::MAX), |range| match range.start <= address {
                    true => (Some('a'), range.end),
                    false => (None, range.start),
                });
                assert_eq!(cursor.at(address), told, "{address}");
            }
        }
    }

    #[test]
    fn what_is_covered_without_a_gap() {
        let ranges = [range(2, 4, 'a'), range(4, 8, 'b'), range(9, 10, 'c')];
        let mut cursor = Cursor::new(&ranges);
        assert!(cursor.covers(2, 8) && cursor.covers(3, 5) && cursor.covers(9, 10));
        assert!(!cursor.covers(1, 3) && !cursor.covers(7, 10) && !cursor.covers(9, 11));
        assert!(cursor.covers(0, 0));
    }
}
