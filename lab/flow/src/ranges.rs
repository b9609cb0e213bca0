//! Which routine an address belongs to: twelve bytes a range, where addresses are near each other.

use karat_binary::ranges::AddressRange;

/// Ranges with the number of their routine; sorted, non-overlapping.
pub struct Ranges(Kept);

enum Kept {
    /// By their distance from an address.
    Near(u64, Vec<Near>),
    /// Some are 4 GiB from the first or farther.
    Far(Vec<AddressRange<u32>>),
}

struct Near {
    start: u32,
    end: u32,
    routine: u32,
}

impl Near {
    fn of(range: &AddressRange<u32>, base: u64) -> Option<Self> {
        let distance = |address: u64| u32::try_from(address.checked_sub(base)?).ok();
        Some(Self {
            start: distance(range.start)?,
            end: distance(range.end)?,
            routine: range.value,
        })
    }

    fn far(&self, base: u64) -> AddressRange<u32> {
        AddressRange {
            start: base + u64::from(self.start),
            end: base + u64::from(self.end),
            value: self.routine,
        }
    }
}

impl Default for Ranges {
    fn default() -> Self {
        Self(Kept::Far(Vec::new()))
    }
}

impl Ranges {
    /// Of a sorted list.
    #[must_use]
    pub fn of(all: Vec<AddressRange<u32>>) -> Self {
        let base = all.first().map_or(0, |range| range.start);
        if all
            .last()
            .is_some_and(|last| Near::of(last, base).is_none())
        {
            return Self(Kept::Far(all));
        }
        let near = all.iter().filter_map(|range| Near::of(range, base));
        let mut list = Vec::with_capacity(all.len());
        list.extend(near);
        match list.len() == all.len() {
            true => Self(Kept::Near(base, list)),
            false => Self(Kept::Far(all)),
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Kept::Near(_, all) => all.len(),
            Kept::Far(all) => all.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Those with these numbers, one after the other.
    pub fn part(
        &self,
        from: usize,
        to: usize,
    ) -> impl ExactSizeIterator<Item = AddressRange<u32>> + Clone + '_ {
        (from..to).map(|number| self.get(number))
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = AddressRange<u32>> + Clone + '_ {
        self.part(0, self.len())
    }

    #[inline]
    fn get(&self, number: usize) -> AddressRange<u32> {
        match &self.0 {
            Kept::Near(base, all) => all[number].far(*base),
            Kept::Far(all) => all[number],
        }
    }

    /// The routine that has an address, among those with these numbers.
    #[inline]
    #[must_use]
    pub fn at(&self, address: u64, (from, to): (usize, usize)) -> Option<u32> {
        match &self.0 {
            Kept::Near(base, all) => {
                let distance = u32::try_from(address.checked_sub(*base)?).ok()?;
                let some = all.get(from..to)?;
                let at = from + some.partition_point(|range| range.end <= distance);
                let range = all.get(at)?;
                (range.start <= distance).then_some(range.routine)
            }
            Kept::Far(all) => {
                let some = all.get(from..to)?;
                let at = from + some.partition_point(|range| range.end <= address);
                let range = all.get(at)?;
                (range.start <= address).then_some(range.value)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: u64, end: u64, value: u32) -> AddressRange<u32> {
        AddressRange { start, end, value }
    }

    #[test]
    fn near_and_far_ranges_are_told_alike() {
        let base = 0x40_0000;
        let limit = base + u64::from(u32::MAX);
        for (end, is_near) in [(limit, true), (limit + 1, false), (u64::MAX, false)] {
            let list = vec![
                range(base, base + 4, 7),
                range(base + 4, base + 9, 8),
                range(base + 16, base + 20, 7),
                range(end - 8, end, 9),
            ];
            let ranges = Ranges::of(list.clone());
            assert_eq!(matches!(ranges.0, Kept::Near(..)), is_near);
            assert_eq!(ranges.iter().collect::<Vec<_>>(), list);
            assert_eq!(ranges.part(1, 3).collect::<Vec<_>>(), list[1..3]);
            let ends = list.iter().flat_map(|range| [range.start, range.end]);
            let places = ends.flat_map(|at| [at.wrapping_sub(1), at, at.saturating_add(1)]);
            for place in places.chain([0, 1 << 33, u64::MAX]) {
                let known = (list.iter()).find(|range| (range.start..range.end).contains(&place));
                let found = ranges.at(place, (0, list.len()));
                assert_eq!(found, known.map(|range| range.value), "{place:#x}");
            }
        }
        assert_eq!(Ranges::default().at(3, (0, 0)), None);
        assert!(Ranges::of(Vec::new()).is_empty());
    }
}
