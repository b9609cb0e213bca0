//! Code without symbol and unwind entry, cut into what may be functions.
//!
//! Such a region may hold several kernels with loops aligned like functions, so
//! a cut is made wherever one function *could* end: behind a `ret`, an
//! unconditional jump or a trap, and behind padding. Every run of pieces between
//! cuts that begins at a multiple of 16 is a candidate; a fingerprint names the
//! length, so few runs are compared. Only the same code is found this way: what
//! another compiler made of the same source has an unwind entry.

use super::compiled::Catalogue;
use super::mix::{Counter, Mix, bound, key};
use super::similar::SAME;
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic};
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
    let mut instruction = Instruction::default();
    let mut decoder = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE);
    let codes = &table().codes[..];
    let (mut start, mut end, mut any) = (address, address, false);
    while decoder.can_decode() {
        let at = decoder.ip();
        decoder.decode_out(&mut instruction);
        let invalid = instruction.is_invalid();
        let padding = !invalid && super::collect::is_padding(&instruction);
        if !invalid && !padding {
            if !any {
                start = at;
            }
            any = true;
            end = instruction.next_ip();
            let width = codes[instruction.code() as usize].width(&instruction);
            counter.add(key(instruction.mnemonic(), width), 1);
        }
        let ends = invalid
            || padding
            || matches!(
                instruction.flow_control(),
                FlowControl::Return | FlowControl::UnconditionalBranch
            )
            || instruction.mnemonic() == Mnemonic::Ud2;
        if ends && any {
            let mix = counter.take();
            atoms.push(Atom { start, end, mix });
            any = false;
        }
        if invalid {
            // The next byte may begin an instruction.
            let next = (at + 1 - address) as usize;
            if decoder.set_position(next).is_err() {
                break;
            }
            decoder.set_ip(at + 1);
        }
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
        let mut search = Search {
            atoms,
            before: sums(atoms),
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
    budget: usize,
    counter: Counter,
    found: Vec<Run>,
}

impl Search<'_> {
    /// Notes the runs that are like one mix.
    fn compare(&mut self, wanted: &Mix) {
        let total = |widths: &[u32; 4]| widths.iter().sum::<u32>();
        let longest = (f64::from(wanted.instructions) / SAME) as u32;
        let shortest = (f64::from(wanted.instructions) * SAME) as u32;
        if self.before.last().map_or(0, total) < shortest {
            return;
        }
        let (mut first, mut last) = (0, 0);
        for start in 0..self.atoms.len() {
            if !self.atoms[start].start.is_multiple_of(ALIGNMENT) {
                continue;
            }
            let base = total(&self.before[start]);
            // Both ends of the window only move forwards.
            first = first.max(start + 1);
            while first < self.before.len() && total(&self.before[first]) - base < shortest {
                first += 1;
            }
            last = last.max(first);
            while last < self.before.len() && total(&self.before[last]) - base <= longest {
                last += 1;
            }
            let fits = |end: usize| {
                let mut widths = self.before[end];
                for (width, less) in widths.iter_mut().zip(self.before[start]) {
                    *width -= less;
                }
                bound(&widths, &wanted.width) >= SAME
            };
            let ends: Vec<usize> = (first..last).filter(|end| fits(*end)).collect();
            self.compare_from(start, &ends, wanted);
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
