//! Routines whose end is not known are cut where something is known to begin.

use super::pages::Pages;
use super::program::{Program, Routine};
use super::ranges::Ranges;
use super::spans::Spans;
use karat_binary::ranges::AddressRange;
use karat_binary::read::aliases::Aliases;

impl Program<'_> {
    /// Cuts routines whose end is not known where something is known to begin, given sorted
    /// and each once. Short gaps between functions are one routine until then. Those that were
    /// cut, and what was cut off, come back, sorted.
    pub fn cut(&mut self, starts: &[u64]) -> Vec<u32> {
        let old = std::mem::take(&mut self.ranges);
        // No more than that: to double the lists would be half of what they take.
        let mut cuts = Cuts { left: starts };
        let new: usize = (old.iter())
            .map(|range| cuts.of(&range, &self.routines[range.value as usize]).len())
            .sum();
        self.routines.reserve_exact(new);
        let mut ranges = Vec::with_capacity(old.len() + new);
        let mut cuts = Cuts { left: starts };
        let before = self.routines.len() as u32;
        let mut cut = Vec::new();
        for range in old.iter() {
            let cuts = cuts.of(&range, &self.routines[range.value as usize]);
            if cuts.is_empty() {
                ranges.push(range);
                continue;
            }
            cut.push(range.value);
            let cuts = cuts.iter().copied();
            let (mut start, mut value) = (range.start, range.value);
            let mut is_new = false;
            for end in cuts.chain([range.end]) {
                if start < end {
                    if is_new {
                        value = self.routines.len() as u32;
                        self.routines.push(Routine {
                            start,
                            names: Aliases::default(),
                            ranges: Spans::default(),
                            is_guess: true,
                            is_open: true,
                        });
                    }
                    ranges.push(AddressRange { start, end, value });
                }
                start = end;
                is_new = true;
            }
        }
        self.ranges = Ranges::of(ranges);
        self.pages = Pages::of(self.ranges.iter().map(|range| range.end));
        for routine in &mut self.routines {
            if routine.is_open {
                routine.ranges.clear();
            }
        }
        for range in self.ranges.iter() {
            let routine = &mut self.routines[range.value as usize];
            if routine.is_open {
                routine.ranges.push((range.start, range.end));
            }
        }
        for routine in &mut self.routines {
            if let (true, Some((start, _))) = (routine.is_guess, routine.ranges.first()) {
                routine.start = *start;
            }
        }
        cut.extend(before..self.routines.len() as u32);
        cut.sort_unstable();
        cut.dedup();
        cut
    }
}

/// Where ranges are cut, which are asked for in the order of their addresses.
struct Cuts<'c> {
    left: &'c [u64],
}

impl<'c> Cuts<'c> {
    /// Places where a range of a routine whose end is not known is cut.
    fn of(&mut self, range: &AddressRange<u32>, routine: &Routine<'_>) -> &'c [u64] {
        if !routine.is_open {
            return &[];
        }
        // The first range of a routine stays the routine's.
        let own = u64::from(routine.start == range.start);
        self.left = self.left.split_at(below(self.left, range.start + own)).1;
        self.left.split_at(below(self.left, range.end)).0
    }
}

/// How many numbers of a sorted list are below one: not far from its beginning mostly.
fn below(list: &[u64], end: u64) -> usize {
    let mut most = 4;
    while list.get(most).is_some_and(|number| *number < end) {
        most *= 2;
    }
    list[..most.min(list.len())].partition_point(|number| *number < end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn routine(start: u64, is_open: bool) -> Routine<'static> {
        Routine {
            start,
            names: Aliases::default(),
            ranges: Spans::default(),
            is_guess: true,
            is_open,
        }
    }

    #[test]
    fn ranges_are_cut_where_something_begins() {
        let starts: Vec<u64> = (1..100).map(|number| number * 10).collect();
        let mut cuts = Cuts { left: &starts };
        let mut of = |start, end, routine: &Routine<'_>| {
            let value = 0;
            cuts.of(&AddressRange { start, end, value }, routine)
                .to_vec()
        };
        let first = routine(20, true);
        // What a routine begins with stays its own; its other ranges are cut there too.
        assert_eq!(of(20, 41, &first), [30, 40]);
        assert_eq!(of(41, 49, &first), [0; 0]);
        assert_eq!(of(60, 61, &first), [60]);
        // What ends where it is said to is not cut.
        assert_eq!(of(70, 100, &routine(70, false)), [0; 0]);
        assert_eq!(of(105, 301, &first), starts[10..30]);
        assert_eq!(of(985, 2000, &first), [990]);
        assert_eq!(of(2000, 3000, &first), [0; 0]);
    }
}
