//! One linear pass over all code of an AArch64 file: what calls and jumps lead to, which
//! addresses code has, and who asks what the CPU has.

use super::decode::{Control, control, near, page};
use crate::names::never_returns;
use crate::program::{Program, Target, Word};
use crate::references::References;
use crate::sweep::{Facts, Sweep};
use karat_binary::a64::classify;

struct Pass<'p, 'a> {
    program: &'p Program<'a>,
    edges: References,
    taken: References,
    data: References,
    /// By register: the address that was put there.
    known: [Option<u64>; 32],
}

/// Decodes all code. `is_above` says of an extension that the baseline lacks it.
#[must_use]
pub fn sweep(program: &Program<'_>, is_above: impl Fn(&str) -> bool) -> Sweep {
    let list = || References::new(program.base);
    let mut pass = Pass {
        program,
        edges: list(),
        taken: list(),
        data: list(),
        known: [None; 32],
    };
    let mut all = vec![Facts::default(); program.routines.len()];
    for (facts, routine) in all.iter_mut().zip(&program.routines) {
        for &(start, end) in &routine.ranges {
            pass.known.fill(None);
            let bytes = program.bytes(start, end).unwrap_or_default();
            let mut last = 0;
            for (at, four) in (start..).step_by(4).zip(bytes.chunks_exact(4)) {
                let word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
                facts.instructions += 1;
                let name = classify(word)
                    .map_or("", |(_, set)| karat_binary::a64::NAMES[usize::from(set)]);
                if !name.is_empty() && is_above(name) {
                    facts.add_above(0, at);
                }
                pass.one(word, at, facts, (start, end));
                last = word;
            }
            // It runs on into what follows.
            facts.returns |= matches!(control(last, end), Control::Next | Control::Branch(..));
        }
    }
    let (mut edges, mut taken, mut data) = (pass.edges, pass.taken, pass.data);
    for list in [&mut edges, &mut taken, &mut data] {
        list.sort();
    }
    Sweep {
        facts: all,
        edges,
        taken,
        data,
        ..Sweep::default()
    }
}

/// Functions that tell what the CPU has.
fn tells(name: &str) -> bool {
    matches!(name, "getauxval" | "__getauxval" | "elf_aux_info")
}

impl Pass<'_, '_> {
    fn one(&mut self, word: u32, at: u64, facts: &mut Facts, own: (u64, u64)) {
        let (rd, rn) = ((word & 31) as usize, (word >> 5 & 31) as usize);
        match control(word, at) {
            Control::Call(to) => {
                self.leads(to, at, facts);
                self.known[..19].fill(None);
                return;
            }
            Control::CallRegister(_) => {
                self.known[..19].fill(None);
                return;
            }
            Control::Jump(to) | Control::Branch(to, _) => {
                if !(own.0..own.1).contains(&to) {
                    let is_end = matches!(self.program.follow(to), Target::Import(name) if never_returns(name));
                    facts.returns |= !is_end;
                    self.leads(to, at, facts);
                }
                if matches!(control(word, at), Control::Jump(_)) {
                    self.known.fill(None);
                }
                return;
            }
            Control::Return | Control::JumpRegister(_) => {
                facts.returns = true;
                self.known.fill(None);
                return;
            }
            Control::Stop => return self.known.fill(None),
            Control::Next => {}
        }
        let put = match word {
            _ if word & 0x9f00_0000 == 0x1000_0000 => Some(near(word, at)),
            _ if word & 0x9f00_0000 == 0x9000_0000 => {
                // Of a page alone nothing is there, mostly.
                self.known[rd] = Some(page(word, at));
                return;
            }
            _ if word & 0xff80_0000 == 0x9100_0000 => {
                let shift = if word >> 22 & 1 == 1 { 12 } else { 0 };
                let by = u64::from(word >> 10 & 0xfff) << shift;
                self.known[rn].map(|base| base.wrapping_add(by))
            }
            // A move.
            _ if word & 0xffe0_ffe0 == 0xaa00_03e0 => self.known[(word >> 16 & 31) as usize],
            // A load or a store with an offset that is a number.
            _ if word & 0x3b00_0000 == 0x3900_0000 => {
                let size = match (word >> 26 & 1, word >> 22 & 3, word >> 30) {
                    (1, 2 | 3, 0) => 4,
                    (.., size) => size,
                };
                return self.moves(word, at, u64::from(word >> 10 & 0xfff) << size);
            }
            // Of pairs, with other offsets, exclusive, atomic.
            _ if word & 0x3a00_0000 == 0x2800_0000
                || word & 0x3b00_0000 == 0x3800_0000
                || word & 0x3b00_0000 == 0x0800_0000 =>
            {
                return self.moves(word, at, 0);
            }
            // An ID register.
            _ if word & 0xfff8_f000 == 0xd538_0000 => {
                facts.asks = true;
                None
            }
            // Vectors, and what sets no register.
            _ if word >> 25 & 7 == 7 || word >> 25 & 0xe == 0b1010 => return,
            _ => None,
        };
        self.known[rd] = put;
        if let Some(address) = put {
            self.names(address, at);
        }
    }

    fn moves(&mut self, word: u32, at: u64, offset: u64) {
        let (rt, rn) = ((word & 31) as usize, (word >> 5 & 31) as usize);
        let place = self.known[rn].map(|base| base.wrapping_add(offset));
        let is_load = word >> 26 & 1 == 0 && word >> 22 & 3 != 0;
        if is_load {
            self.known[rt] = None;
        }
        let Some(place) = place else { return };
        self.names(place, at);
        if is_load
            && word >> 30 == 3
            && let Some(Word::Address(to)) = self.program.slot(place)
        {
            self.known[rt] = Some(to);
            self.names(to, at);
        }
    }

    /// A call or a jump out of its routine.
    fn leads(&mut self, to: u64, at: u64, facts: &mut Facts) {
        match self.program.follow(to) {
            Target::Import(name) => facts.asks |= tells(name),
            Target::Address(to) => {
                let routine = self.program.routine_at(to);
                facts.asks |= routine.is_some_and(|routine| {
                    let routine = &self.program.routines[routine as usize];
                    routine.start == to && routine.names.iter().any(|name| tells(name))
                });
                self.edges.push((to, at));
            }
        }
    }

    /// Code has an address.
    fn names(&mut self, address: u64, at: u64) {
        if self.program.is_code(address) {
            let is_start = (self.program.routine_at(address))
                .is_some_and(|it| self.program.routines[it as usize].start == address);
            if address & 0xfff != 0 || is_start {
                self.taken.push((address, at));
            }
        } else if self.program.is_data(address) {
            self.data.push((address, at));
        }
    }
}
