//! Routines of run-time libraries that are not gone through, since what they do is known: the
//! constructor of libgcc and compiler-rt that fills `__cpu_model`, and what Rust's `main` runs
//! before the program's own.

use crate::bits::{Kind, Word, ZERO};
use crate::machine::Machine;
use crate::memory::STACK;
use crate::state::State;
use karat_flow::facts::builtin::supports;
use karat_flow::program::Program;
use karat_flow::sweep::{Sweep, to, within};

/// Words of `__cpu_model` and of `__cpu_features2`.
const MODEL: u64 = 4;
const MORE: u64 = 3;
/// Instructions of `main` where all it does is to call Rust's library.
const MAIN: u32 = 24;
/// `Fn::call` in the table of methods of a closure.
const CALL: u64 = 5;

/// What fills `__cpu_model`, and where that is.
#[derive(Clone, Copy)]
pub(crate) struct Indicator {
    /// Where the routine begins.
    pub start: u64,
    model: u64,
    more: Option<u64>,
}

impl Indicator {
    pub fn of(program: &Program<'_>, sweep: &Sweep) -> Option<Self> {
        let named = |wanted: &str| {
            let mut all = program.variables.iter();
            all.find(|(.., name)| *name == wanted).map(|(at, ..)| *at)
        };
        let model = named("__cpu_model")?;
        let is_named = |at: u64| !to(&sweep.data, at).is_empty();
        // Without symbols: it lies before the model, as the linker has them.
        let before = || Some(model.wrapping_sub(16)).filter(|at| is_named(*at));
        let more = named("__cpu_features2").or_else(before);
        let routine = (program.routines.iter().zip(&sweep.facts)).find(|(routine, facts)| {
            let words = (0..MODEL).filter(|word| {
                let at = model.wrapping_add(word * 4);
                let all = within(&sweep.data, at, at.saturating_add(1));
                let mut ranges = routine.ranges.iter();
                ranges
                    .any(|(start, end)| all.iter().any(|(_, from)| (*start..*end).contains(&from)))
            });
            facts.asks && words.count() >= 3
        });
        Some(Self {
            start: routine?.0.start,
            model,
            more,
        })
    }
}

impl Machine<'_> {
    /// What the constructor leaves: a bit for each feature that the CPU has and the system saves
    /// the registers of.
    pub fn indicate(&mut self, state: &mut State, to: Indicator) {
        self.found.asked(to.start);
        let vendor = self.vendor(1, 2);
        let write = |state: &mut State, at, word: &Word| state.memory.write(at, word, 4);
        write(state, to.model, &vendor);
        let (kind, subtype) = match self.sold {
            Some(sold) => (
                Word::Known(u64::from(sold.kind.0)),
                Word::Known(u64::from(sold.kind.1)),
            ),
            None => (Word::unknown(4, Kind::Model), Word::unknown(4, Kind::Model)),
        };
        write(state, to.model.wrapping_add(4), &kind);
        write(state, to.model.wrapping_add(8), &subtype);
        let places = (0..MORE).filter_map(|word| Some((word + 1, to.more?.wrapping_add(word * 4))));
        for (word, at) in [(0, to.model.wrapping_add(12))].into_iter().chain(places) {
            let mut bits = [ZERO; 64];
            for (bit, number) in bits.iter_mut().take(32).zip(word * 32..) {
                *bit = self.symbols.usable(number, supports(number).into());
            }
            write(state, at, &Word::from_bits(bits));
        }
    }

    /// Where Rust's library is called by `main`: the method that runs the program's own.
    pub fn rust_main(&self, state: &State) -> Option<u64> {
        let program = self.image.program;
        let [frame] = &state.frames[..] else {
            return None;
        };
        let main = program.routine_at(frame.start)? as usize;
        let is_short = self.sweep.facts[main].instructions <= MAIN;
        let (closure, table) = (
            self.argument(state, 0).known()?,
            self.argument(state, 1).known()?,
        );
        let is_stack = (STACK - 0x10_0000..STACK).contains(&closure);
        let word = |at: u64| {
            state
                .memory
                .read(&self.image, table.wrapping_add(at * 8), 8)
                .known()
        };
        let is_table = program.is_data(table) && word(1)? <= 64 && word(2)?.is_power_of_two();
        let call = word(CALL).filter(|at| program.is_code(*at));
        let is_one = is_short && is_stack && is_table && program.is_code(word(3)?);
        call.filter(|_| is_one)
    }
}
