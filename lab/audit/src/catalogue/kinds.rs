//! Which kinds of instructions are where in code: a run that is like a fingerprint has nearly
//! as many as that of each kind, of the seldom ones too, so it lies where those are.

use super::atoms::Part;
use super::mix::{Key, Mix, keys};
use super::similar::SAME;
use std::ops::Range;

/// Where the kinds of instructions of atoms are.
pub(super) struct Kinds {
    /// By key: where its places begin in `places`; and behind the last.
    first: Vec<u32>,
    /// Atom, and how many it has.
    places: Vec<(u32, u32)>,
    /// By key: how many there are.
    all: Vec<u32>,
    atoms: usize,
}

impl Kinds {
    pub fn of(part: Part<'_>) -> Self {
        let mut first = vec![0u32; keys() + 1];
        let mut all = vec![0u32; keys()];
        for &(key, count) in part.counts(part.atoms) {
            first[usize::from(key) + 1] += 1;
            all[usize::from(key)] += count;
        }
        for key in 0..keys() {
            first[key + 1] += first[key];
        }
        let mut next = first.clone();
        let mut places = vec![(0, 0); first[keys()] as usize];
        for (number, atom) in (0..).zip(part.atoms) {
            for &(key, count) in part.counts(std::slice::from_ref(atom)) {
                let at = &mut next[usize::from(key)];
                places[*at as usize] = (number, count);
                *at += 1;
            }
        }
        Self {
            first,
            places,
            all,
            atoms: part.atoms.len(),
        }
    }

    /// Atoms that a run which is like a mix may begin at, in order. It has no more than `longest`
    /// instructions; `totals` is how many there are before each atom.
    pub fn starts(&self, wanted: &Mix, longest: u32, totals: &[u32]) -> Vec<Range<usize>> {
        // What is shared is no more than all of the mix but for what is lacking, and what both
        // have together no less than all of it. One more, so that rounding decides nothing.
        let may_lack = (f64::from(wanted.instructions) * (1.0 - SAME)) as u32 + 1;
        let needed = |count: u32| count.saturating_sub(may_lack);
        let kinds = wanted.counts.iter().filter(|kind| needed(kind.1) > 0);
        // Of how many there are a run has so many: the smaller the share, the more it tells.
        let share = |kind: &&(Key, u32)| self.all[usize::from(kind.0)] / needed(kind.1);
        let Some(&(key, count)) = kinds.min_by_key(share) else {
            let all = 0..self.atoms;
            return vec![all];
        };
        self.holding(key, needed(count), longest, totals)
    }

    /// Atoms that are followed by so many instructions of a kind, within the next `longest`.
    fn holding(&self, key: Key, needed: u32, longest: u32, totals: &[u32]) -> Vec<Range<usize>> {
        let (from, to) = (
            self.first[usize::from(key)],
            self.first[usize::from(key) + 1],
        );
        let places = &self.places[from as usize..to as usize];
        let mut starts: Vec<Range<usize>> = Vec::new();
        // How many there are from one place up to another.
        let (mut end, mut sum) = (0, 0);
        let mut before = 0;
        for &(atom, count) in places {
            while sum < needed && end < places.len() {
                sum += places[end].1;
                end += 1;
            }
            if sum < needed {
                break;
            }
            let atom = atom as usize;
            let last = places[end - 1].0 as usize;
            let least = totals[last + 1].saturating_sub(longest);
            let first = before + totals[before..=atom].partition_point(|total| *total < least);
            if first <= atom {
                starts.push(first..atom + 1);
            }
            before = atom + 1;
            sum -= count;
        }
        starts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::atoms::Atoms;

    /// Whether so many of a kind follow is asked of each atom by itself.
    #[test]
    fn starts_are_those_that_a_search_of_each_finds() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) % below
        };
        for _ in 0..200 {
            let counts: Vec<[(Key, u32); 2]> = (0..60)
                .map(|_| [(4, 1 + random(9) as u32), (5, random(4) as u32)])
                .collect();
            let mut totals = vec![0];
            for [(_, one), (_, other)] in &counts {
                totals.push(totals[totals.len() - 1] + one + other);
            }
            let places = (0..).step_by(16);
            let atoms = places
                .zip(&counts)
                .map(|(at, counts)| (at, at + 9, &counts[..]));
            let kinds = Kinds::of(Atoms::of(atoms).whole());
            let (needed, longest) = (1 + random(12) as u32, 5 + random(60) as u32);
            let found = kinds.holding(5, needed, longest, &totals);
            let found: Vec<usize> = found.into_iter().flatten().collect();
            let holds = |start: &usize| {
                let end = totals.partition_point(|total| *total <= totals[*start] + longest);
                let run = &counts[*start..end - 1];
                run.iter().map(|[_, (_, count)]| count).sum::<u32>() >= needed
            };
            let expected: Vec<usize> = (0..counts.len()).filter(holds).collect();
            assert_eq!(found, expected, "{needed} in {longest}");
        }
    }

    #[test]
    fn the_kind_that_is_seldom_here_decides() {
        let atoms: [&[(Key, u32)]; 3] = [
            &[(4, 50), (5, 20)],
            &[(4, 50), (5, 20), (9, 10)],
            &[(4, 50), (5, 20)],
        ];
        let totals = [0, 70, 150, 220];
        let kinds = Kinds::of(Atoms::of(atoms.map(|counts| (0, 0, counts))).whole());
        let starts = |counts: &[(Key, u32)]| -> Vec<usize> {
            let starts = kinds.starts(&Mix::of(counts.iter().copied()), 80, &totals);
            starts.into_iter().flatten().collect()
        };
        assert_eq!(starts(&[(4, 50), (5, 20), (9, 10)]), [1]);
        // More than there are, or none that is needed.
        assert!(starts(&[(4, 50), (5, 20), (9, 40)]).is_empty());
        let few: Vec<(Key, u32)> = (0..60).map(|key| (key, 1)).collect();
        assert_eq!(starts(&few), [0, 1, 2]);
    }
}
