//! Code without symbol and unwind entry, cut into what may be functions.
//!
//! Such a region may hold several kernels with loops aligned like functions, so
//! a cut is made wherever one function *could* end: behind a `ret`, an
//! unconditional jump or a trap, and behind padding.

use super::mix::{Counter, Key, key};
use iced_x86::{FlowControl, Mnemonic};
use karat_binary::brief::Briefs;
use karat_binary::x86::table;
use std::ops::Range;

/// Code between two cuts.
pub(super) struct Atom {
    pub start: u64,
    pub end: u64,
    /// none, xmm, ymm, zmm
    pub width: [u32; 4],
    /// Where its counts are in [`Atoms::counts`].
    counts: Range<u32>,
}

/// Pieces of one region. A large one has a hundred thousand, so their counts are in one list.
#[derive(Default)]
pub(super) struct Atoms {
    pub all: Vec<Atom>,
    /// By key, those of each atom sorted.
    counts: Vec<(Key, u32)>,
}

/// Some that follow each other.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub atoms: &'a [Atom],
    counts: &'a [(Key, u32)],
}

impl Atoms {
    /// Adds what was counted; the counter is empty afterwards.
    pub fn push(&mut self, start: u64, end: u64, counter: &mut Counter) {
        let first = self.counts.len();
        counter.drain(&mut self.counts);
        let mut width = [0; 4];
        for &(key, count) in &self.counts[first..] {
            width[usize::from(key & 3)] += count;
        }
        self.all.push(Atom {
            start,
            end,
            width,
            counts: first as u32..self.counts.len() as u32,
        });
    }

    /// Those in a range.
    pub fn part(&self, range: Range<usize>) -> Part<'_> {
        Part {
            atoms: &self.all[range],
            counts: &self.counts,
        }
    }
}

impl<'a> Part<'a> {
    /// The counts of some of its atoms.
    pub fn counts(self, of: &[Atom]) -> &'a [(Key, u32)] {
        match of {
            [] => &[],
            [first, ..] => {
                let last = &of[of.len() - 1];
                &self.counts[first.counts.start as usize..last.counts.end as usize]
            }
        }
    }
}

/// Cuts code.
pub(super) fn atoms(bytes: &[u8], address: u64) -> Atoms {
    let mut atoms = Atoms::default();
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
            atoms.push(start, end, &mut counter);
            any = false;
        }
        at = next;
    }
    if any {
        atoms.push(start, end, &mut counter);
    }
    atoms
}

#[cfg(test)]
impl Atoms {
    /// Of places and counts.
    pub fn of<'c>(atoms: impl IntoIterator<Item = (u64, u64, &'c [(Key, u32)])>) -> Self {
        let mut out = Self::default();
        let mut counter = Counter::new();
        for (start, end, counts) in atoms {
            for &(key, count) in counts.iter().filter(|(_, count)| *count > 0) {
                counter.add(key, count);
            }
            out.push(start, end, &mut counter);
        }
        out
    }

    /// All of them.
    pub fn whole(&self) -> Part<'_> {
        self.part(0..self.all.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_behind_returns_and_padding() {
        // xor eax,eax; ret; nop; paddd xmm0,xmm1; ret; (06: invalid); ret
        let code = [
            0x31, 0xc0, 0xc3, 0x90, 0x66, 0x0f, 0xfe, 0xc1, 0xc3, 0x06, 0xc3,
        ];
        let atoms = atoms(&code, 0x100);
        let places: Vec<_> = atoms.all.iter().map(|a| (a.start, a.end)).collect();
        assert_eq!(places, [(0x100, 0x103), (0x104, 0x109), (0x10a, 0x10b)]);
        assert_eq!(atoms.all[1].width, [1, 1, 0, 0]);
        assert_eq!(atoms.whole().counts(&atoms.all[1..2]).len(), 2);
    }
}
