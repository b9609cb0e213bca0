//! One linear pass over all code of an AArch64 file: what calls and jumps lead to, which
//! addresses code has, and who asks what the CPU has.

use crate::names::never_returns;
use crate::program::{Program, Target, Word};
use crate::references::References;
use crate::sweep::{Facts, Sweep};
use karat_binary::a64::addresses::{Addresses, Moved, Seen};
use karat_binary::a64::classify;
use karat_binary::a64::decode::{Control, control};

struct Pass<'p, 'a> {
    program: &'p Program<'a>,
    edges: References,
    taken: References,
    data: References,
    addresses: Addresses,
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
        addresses: Addresses::default(),
    };
    let mut all = vec![Facts::default(); program.routines.len()];
    for (facts, routine) in all.iter_mut().zip(&program.routines) {
        for &(start, end) in &routine.ranges {
            pass.addresses.forget();
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
        match self.addresses.step(word, at) {
            Seen::Leads(Control::Call(to)) => self.leads(to, at, facts),
            Seen::Leads(Control::Jump(to) | Control::Branch(to, _)) => {
                if !(own.0..own.1).contains(&to) {
                    let is_end = matches!(self.program.follow(to), Target::Import(name) if never_returns(name));
                    facts.returns |= !is_end;
                    self.leads(to, at, facts);
                }
            }
            Seen::Leads(Control::Return | Control::JumpRegister(_)) => facts.returns = true,
            Seen::Asks => facts.asks = true,
            Seen::Named(address) => self.names(address, at),
            Seen::Moved(moved) => self.moves(moved, at),
            Seen::Leads(_) | Seen::Literal(_) | Seen::Nothing => {}
        }
    }

    fn moves(&mut self, moved: Moved, at: u64) {
        self.names(moved.place, at);
        if moved.loads
            && moved.bytes == 8
            && let Some(register) = moved.register
            && let Some(Word::Address(to)) = self.program.slot(moved.place)
        {
            self.addresses.put(register, to);
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
