//! Runs of [atoms](super::atoms) that are like a fingerprint, in code without symbol and unwind
//! entry.
//!
//! Every run that begins at a multiple of 16 is a candidate; a fingerprint names the
//! length, and the run must have an instruction that is seldom here nearly as often
//! ([`Kinds`]), so few runs are compared. Only the same code is found this way: what
//! another compiler made of the same source has an unwind entry.

use super::atoms::{Atom, Atoms, Part};
use super::compiled::Catalogue;
use super::kinds::Kinds;
use super::mix::{Counter, Mix, may_reach};
use super::similar::SAME;
use std::ops::Range;

/// What functions with vector instructions are aligned to, at least.
const ALIGNMENT: u64 = 16;
/// Atoms that may be looked at in one region: a bound for files that are made to
/// take long. The largest real one seen takes a hundredth of it.
const BUDGET: usize = 20_000_000;

/// Instructions over which the share of vector instructions is taken. A kernel has
/// a quarter; an eighth is asked for, since it has scalar parts.
const STRETCH: u32 = 256;

/// A run of code that is like a fingerprint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub start: u64,
    pub end: u64,
    similarity: f64,
}

/// Runs of atoms that are like fingerprints; they do not overlap.
pub(super) fn runs(catalogue: &Catalogue<'_>, atoms: &Atoms) -> Vec<Run> {
    let mut found = Vec::new();
    let mut budget = BUDGET;
    for range in vector_parts(&atoms.all) {
        let part = atoms.part(range);
        let before = sums(part.atoms);
        let is_aligned = |at: &usize| part.atoms[*at].start.is_multiple_of(ALIGNMENT);
        let mut search = Search {
            part,
            totals: before.iter().map(|widths| widths.iter().sum()).collect(),
            before,
            aligned: (0..part.atoms.len()).filter(is_aligned).collect(),
            kinds: Kinds::of(part),
            budget,
            counter: Counter::new(),
            found: Vec::new(),
        };
        for print in catalogue.prints.iter().filter(|p| p.tells) {
            search.compare(&print.mix);
        }
        budget = search.budget;
        found.extend(search.found);
    }
    best_apart(found)
}

/// Instructions by width before each atom, and behind the last.
fn sums(atoms: &[Atom]) -> Vec<[u32; 4]> {
    let mut sum = [0u32; 4];
    let mut sums = vec![sum];
    for atom in atoms {
        for (sum, more) in sum.iter_mut().zip(atom.width) {
            *sum += more;
        }
        sums.push(sum);
    }
    sums
}

/// Where vector instructions are frequent, with some code around: the rest of a
/// large region (a whole program, if it is stripped and has no unwind table)
/// need not be compared.
fn vector_parts(atoms: &[Atom]) -> Vec<Range<usize>> {
    let sums = sums(atoms);
    let total = |at: usize| sums[at].iter().sum::<u32>();
    let vector = |at: usize| total(at) - sums[at][0];
    let mut parts: Vec<Range<usize>> = Vec::new();
    let (mut end, mut from, mut to) = (0, 0, 0);
    for start in 0..atoms.len() {
        end = end.max(start + 1);
        while end < atoms.len() && total(end) - total(start) < STRETCH {
            end += 1;
        }
        if (vector(end) - vector(start)) * 8 < total(end) - total(start) {
            continue;
        }
        while total(start) - total(from) > 2 * STRETCH {
            from += 1;
        }
        to = to.max(end);
        while to < atoms.len() && total(to) - total(end) < 2 * STRETCH {
            to += 1;
        }
        match parts.last_mut() {
            Some(last) if last.end >= from => last.end = to,
            _ => parts.push(from..to),
        }
    }
    parts
}

struct Search<'s> {
    part: Part<'s>,
    /// Instructions by width before each atom, and behind the last.
    before: Vec<[u32; 4]>,
    /// The same of all widths together.
    totals: Vec<u32>,
    /// Atoms that begin where a function may.
    aligned: Vec<usize>,
    kinds: Kinds,
    budget: usize,
    counter: Counter,
    found: Vec<Run>,
}

impl Search<'_> {
    /// Notes the runs that are like one mix.
    fn compare(&mut self, wanted: &Mix) {
        let longest = (f64::from(wanted.instructions) / SAME) as u32;
        let shortest = (f64::from(wanted.instructions) * SAME) as u32;
        if self.totals.last().is_none_or(|total| *total < shortest) {
            return;
        }
        for starts in self.kinds.starts(wanted, longest, &self.totals) {
            self.compare_in(&starts, shortest, longest, wanted);
        }
    }

    /// The same for runs that begin at some of the atoms, which are near each other.
    fn compare_in(&mut self, starts: &Range<usize>, shortest: u32, longest: u32, wanted: &Mix) {
        let from = self.aligned.partition_point(|at| *at < starts.start);
        let (mut first, mut last) = (0, 0);
        let mut ends: Vec<usize> = Vec::new();
        for at in from..self.aligned.len() {
            let start = self.aligned[at];
            if start >= starts.end {
                break;
            }
            let base = self.totals[start];
            if at == from {
                let totals = &self.totals;
                first = totals.partition_point(|total| *total < base.saturating_add(shortest));
                last = totals.partition_point(|total| *total <= base.saturating_add(longest));
            }
            // Both ends of the window only move forwards.
            first = first.max(start + 1);
            while first < self.totals.len() && self.totals[first] - base < shortest {
                first += 1;
            }
            last = last.max(first);
            while last < self.totals.len() && self.totals[last] - base <= longest {
                last += 1;
            }
            let less = self.before[start];
            ends.clear();
            ends.extend((first..last).filter(|end| {
                let all = self.before[*end];
                let widths = std::array::from_fn(|width| all[width] - less[width]);
                may_reach(SAME, &widths, &wanted.width)
            }));
            if !ends.is_empty() {
                self.compare_from(start, &ends, wanted);
            }
        }
    }

    /// Compares the runs from one atom to several ends, which come in order.
    fn compare_from(&mut self, start: usize, ends: &[usize], wanted: &Mix) {
        let mut done = start;
        for &end in ends {
            self.budget = self.budget.saturating_sub(end - done + 1);
            if self.budget == 0 {
                break;
            }
            for &(key, count) in self.part.counts(&self.part.atoms[done..end]) {
                self.counter.add(key, count);
            }
            done = end;
            let similarity = self.counter.similarity(wanted);
            if similarity >= SAME {
                self.found.push(Run {
                    start: self.part.atoms[start].start,
                    end: self.part.atoms[end - 1].end,
                    similarity,
                });
            }
        }
        self.counter.clear();
    }
}

/// Of runs that overlap the best.
fn best_apart(mut found: Vec<Run>) -> Vec<Run> {
    // The best first. Kernels may end alike, so that a run shifted by such an end
    // is as good: functions are aligned, so the better aligned start wins.
    let alignment = |run: &Run| run.start.trailing_zeros().min(6);
    found.sort_by(|a, b| {
        (b.similarity.total_cmp(&a.similarity))
            .then(alignment(b).cmp(&alignment(a)))
            .then((b.end - b.start).cmp(&(a.end - a.start)))
            .then(a.start.cmp(&b.start))
    });
    let mut chosen: Vec<Run> = Vec::new();
    for run in found {
        if chosen
            .iter()
            .all(|c| run.end <= c.start || c.end <= run.start)
        {
            chosen.push(run);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::mix::Key;

    #[test]
    fn parts_without_vectors_are_left_out() {
        let of = |vectors: &[u32]| {
            let counts: Vec<[(Key, u32); 2]> = vectors
                .iter()
                .map(|vector| [(4, 100 - vector), (5, *vector)])
                .collect();
            vector_parts(&Atoms::of(counts.iter().map(|counts| (0, 0, &counts[..]))).all)
        };
        assert_eq!(of(&[0; 50]), []);
        let all = of(&[30; 50]);
        assert_eq!((all.len(), &all[0]), (1, &(0..50)));
        let mut counts = [0; 50];
        counts[20..24].fill(40);
        let parts = of(&counts);
        assert_eq!(parts.len(), 1);
        assert!(parts[0].start < 18 && parts[0].start > 10, "{parts:?}");
        assert!(parts[0].end > 26 && parts[0].end < 35, "{parts:?}");
    }

    #[test]
    fn a_run_behind_many_that_are_left_out_is_found() {
        // Hundreds of aligned atoms, one of which is a kernel with many pieces.
        let wanted = Mix::of([(4, 300), (5, 100)]);
        let pieces = [(40, 0), (60, 20), (100, 50), (100, 30)];
        let mut counts = vec![[(4, 20), (5, 1)]; 600];
        for (counts, (plain, vector)) in counts[300..].iter_mut().zip(pieces) {
            *counts = [(4, plain), (5, vector)];
        }
        let places = (0..).step_by(16);
        let all = places.zip(&counts);
        let atoms = Atoms::of(all.map(|(at, counts)| (at, at + 9, &counts[..])));
        let kernel = atoms.all[300].start..atoms.all[303].end;
        let mut search = Search {
            part: atoms.whole(),
            before: sums(&atoms.all),
            totals: sums(&atoms.all)
                .iter()
                .map(|widths| widths.iter().sum())
                .collect(),
            aligned: (0..atoms.all.len()).collect(),
            kinds: Kinds::of(atoms.whole()),
            budget: BUDGET,
            counter: Counter::new(),
            found: Vec::new(),
        };
        search.compare(&wanted);
        let best = best_apart(search.found);
        let places: Vec<_> = best.iter().map(|run| run.start..run.end).collect();
        assert_eq!(places, [kernel]);
    }
}
