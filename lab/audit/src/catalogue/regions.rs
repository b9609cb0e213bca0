//! Code without symbol and unwind entry, cut into what may be functions.
//!
//! Such a region may hold several kernels with loops aligned like functions, so
//! a cut is made wherever one function *could* end: behind a `ret`, an
//! unconditional jump or a trap, and behind padding. Every run of pieces between
//! cuts that begins at a multiple of 16 is a candidate; a fingerprint names the
//! length, and the run must have an instruction that is seldom here nearly as often
//! ([`Kinds`]), so few runs are compared. Only the same code is found this way: what
//! another compiler made of the same source has an unwind entry.

use super::compiled::Catalogue;
use super::kinds::Kinds;
use super::mix::{Counter, Mix, key, may_reach};
use super::similar::SAME;
use iced_x86::{FlowControl, Mnemonic};
use karat_binary::brief::Briefs;
use karat_binary::x86::table;
use std::ops::Range;

/// What functions with vector instructions are aligned to, at least.
const ALIGNMENT: u64 = 16;
/// Atoms that may be looked at in one region: a bound for files that are made to
/// take long. The largest real one seen takes a hundredth of it.
const BUDGET: usize = 20_000_000;

/// Instructions over which the share of vector instructions is taken. A kernel has
/// a quarter; an eighth is asked for, since it has scalar parts.
const STRETCH: u32 = 256;

/// Code between two cuts.
pub(super) struct Atom {
    pub start: u64,
    pub end: u64,
    pub mix: Mix,
}

/// A run of code that is like a fingerprint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub start: u64,
    pub end: u64,
    similarity: f64,
}

/// Cuts code.
pub(super) fn atoms(bytes: &[u8], address: u64) -> Vec<Atom> {
    let mut atoms = Vec::new();
    let mut counter = Counter::new();
    let mut briefs = Briefs::new(bytes, address);
    let codes = &table().codes[..];
    let (mut start, mut end, mut any) = (address, address, false);
    let (mut at, last) = (address, address + bytes.len() as u64);
    while at < last {
        let known = briefs.at(at);
        let known = known.map(|brief| (brief, codes[usize::from(brief.code)]));
        // Behind what is none the next byte may begin an instruction.
        let next = at + known.map_or(1, |(brief, _)| u64::from(brief.length));
        let code = known.filter(|(_, info)| !info.is_padding());
        if let Some((brief, info)) = code {
            if !any {
                start = at;
            }
            any = true;
            end = next;
            counter.add(key(info.mnemonic, info.width(&brief)), 1);
        }
        let ends = code.is_none_or(|(_, info)| {
            let flow = info.flow;
            matches!(flow, FlowControl::Return | FlowControl::UnconditionalBranch)
                || info.mnemonic == Mnemonic::Ud2
        });
        if ends && any {
            let mix = counter.take();
            atoms.push(Atom { start, end, mix });
            any = false;
        }
        at = next;
    }
    if any {
        let mix = counter.take();
        atoms.push(Atom { start, end, mix });
    }
    atoms
}

/// Runs of atoms that are like fingerprints; they do not overlap.
pub(super) fn runs(catalogue: &Catalogue<'_>, atoms: &[Atom]) -> Vec<Run> {
    let mut found = Vec::new();
    let mut budget = BUDGET;
    for part in vector_parts(atoms) {
        let atoms = &atoms[part];
        let before = sums(atoms);
        let is_aligned = |at: &usize| atoms[*at].start.is_multiple_of(ALIGNMENT);
        let mut search = Search {
            atoms,
            totals: before.iter().map(|widths| widths.iter().sum()).collect(),
            before,
            aligned: (0..atoms.len()).filter(is_aligned).collect(),
            kinds: Kinds::of(atoms),
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
        for (sum, more) in sum.iter_mut().zip(atom.mix.width) {
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
    atoms: &'s [Atom],
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
            for atom in &self.atoms[done..end] {
                for &(key, count) in &atom.mix.counts {
                    self.counter.add(key, count);
                }
            }
            done = end;
            let similarity = self.counter.similarity(wanted);
            if similarity >= SAME {
                self.found.push(Run {
                    start: self.atoms[start].start,
                    end: self.atoms[end - 1].end,
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

    #[test]
    fn parts_without_vectors_are_left_out() {
        let atom = |vector: u32| Atom {
            start: 0,
            end: 0,
            mix: Mix::of([(4, 100 - vector), (5, vector)]),
        };
        let of = |counts: &[u32]| {
            let atoms: Vec<Atom> = counts.iter().map(|v| atom(*v)).collect();
            vector_parts(&atoms)
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
        let part = |mix: Mix, at: u64| Atom {
            start: at * 16,
            end: at * 16 + 9,
            mix,
        };
        let plain = |at| part(Mix::of([(4, 20), (5, 1)]), at);
        let mut atoms: Vec<Atom> = (0..300).map(plain).collect();
        for (plain, vector) in pieces {
            let counts = [(4, plain), (5, vector)];
            let mix = Mix::of(counts.into_iter().filter(|(_, count)| *count > 0));
            atoms.push(part(mix, atoms.len() as u64));
        }
        let kernel = atoms[300].start..atoms[303].end;
        atoms.extend((304..600).map(plain));
        let mut search = Search {
            atoms: &atoms,
            before: sums(&atoms),
            totals: sums(&atoms)
                .iter()
                .map(|widths| widths.iter().sum())
                .collect(),
            aligned: (0..atoms.len()).collect(),
            kinds: Kinds::of(&atoms),
            budget: BUDGET,
            counter: Counter::new(),
            found: Vec::new(),
        };
        search.compare(&wanted);
        let best = best_apart(search.found);
        let places: Vec<_> = best.iter().map(|run| run.start..run.end).collect();
        assert_eq!(places, [kernel]);
    }

    #[test]
    fn cuts_behind_returns_and_padding() {
        // xor eax,eax; ret; nop; paddd xmm0,xmm1; ret; (06: invalid); ret
        let code = [
            0x31, 0xc0, 0xc3, 0x90, 0x66, 0x0f, 0xfe, 0xc1, 0xc3, 0x06, 0xc3,
        ];
        let atoms = atoms(&code, 0x100);
        let places: Vec<_> = atoms.iter().map(|a| (a.start, a.end)).collect();
        assert_eq!(places, [(0x100, 0x103), (0x104, 0x109), (0x10a, 0x10b)]);
        assert_eq!(atoms[1].mix.width, [1, 1, 0, 0]);
    }
}
