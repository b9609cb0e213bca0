//! Rust's panics: what a program does by them leads to its end, or to what cleans up and catches,
//! and is not gone through.

use crate::bits::{Kind, Word, symbol};
use crate::library::thrown::HEADER;
use crate::machine::{End, Machine, Stop};
use crate::matters::Matters;
use crate::passed::{Data, ends, is_end};
use crate::state::State;
use karat_flow::program::{Program, Word as Stored};
use std::rc::Rc;

/// What a panic throws begins with (`exception_class` of `std`'s `panic_unwind`): what catches it
/// asks for that.
pub(crate) const PANIC: u64 = u64::from_be_bytes(*b"MOZ\0RUST");
/// Bytes of a name of a source, and lines and columns, at most.
const NAME: u64 = 4096;
const LINES: u64 = 1 << 20;

impl Machine<'_> {
    /// Whether the routine at an address panics where it is called now: then calls are left until
    /// one cleans up or catches, or the program ends.
    ///
    /// It never comes back, is told a place of a source of Rust's or only aborts the program, and
    /// leads to nothing that is asked about, nor does what it is given.
    pub fn panics(&mut self, state: &mut State, start: u64) -> Result<bool, Stop> {
        let program = self.image.program;
        let Some(about) = self.about.clone().filter(|_| !program.is_library) else {
            return Ok(false);
        };
        let Some(routine) = program.routine_at(start) else {
            return Ok(false);
        };
        if self.sweep.facts[routine as usize].returns || !self.is_start(start) {
            return Ok(false);
        }
        let first = self.given(state, 0).known();
        let begins = |at: u64| state.memory.read(&self.image, at, 8).known();
        let resumed = first.filter(|at| begins(*at) == Some(PANIC));
        let given = self.read_by(state, start);
        let is_told = given
            .iter()
            .filter_map(Word::known)
            .any(|at| is_source(program, at));
        let matters = about.matters(program, self.sweep);
        if matters.does(program, start) {
            return Ok(false);
        }
        if let Some(at) = resumed {
            self.unwind(state, at.wrapping_add(HEADER))?;
            return Ok(true);
        }
        // What can be followed to its end is.
        let is_first = self.passed.is_none() && !self.is_plain;
        if !is_told && (is_first || !self.aborts(&matters, routine)) {
            return Ok(false);
        }
        let data: Data = match self.panicking.get(&routine) {
            Some(known) => known.clone(),
            None => {
                let data = Rc::new(matters.reach(routine).1);
                self.panicking.insert(routine, data.clone());
                data
            }
        };
        if self.hands(state, &matters, &given, &data) {
            return Ok(false);
        }
        self.found.is_passed = true;
        state.is_unsure = true;
        if !is_told {
            // It may end the program instead.
            let turn = symbol(self.symbols.turn(Kind::Opaque), false);
            let conditions = state.conditions.with(&self.symbols, turn);
            state.conditions = conditions.ok_or(Stop::End(End::Left))?;
        }
        self.throw(state, PANIC)?;
        Ok(true)
    }

    /// Whether all that a routine which never comes back may do is to abort the program, or to
    /// panic: it calls nothing that ends the program in another way, or throws anything else.
    fn aborts(&mut self, matters: &Matters, routine: u32) -> bool {
        if let Some(known) = self.aborting.get(&routine) {
            return *known;
        }
        let program = self.image.program;
        let is_named = self.has_imports || self.has_exit;
        let (routines, _) = matters.reach(routine);
        let is_other = |routine: &u32| {
            let names = &program.routines[*routine as usize].names;
            names.iter().any(|name| is_end(name)) || ends(program, *routine)
        };
        let aborts = is_named && !routines.iter().any(is_other);
        self.aborting.insert(routine, aborts);
        aborts
    }
}

/// Whether what the file has at an address is a place of a source: a name that ends in `.rs`, a
/// line and a column (`core::panic::Location`).
pub(crate) fn is_source(program: &Program<'_>, at: u64) -> bool {
    let read = |distance: u64| program.content(at.wrapping_add(distance));
    let name = match program.words.get(at) {
        Some(Stored::Address(name)) => name,
        Some(_) => return false,
        None => match program.content(at) {
            Some(name) => name,
            None => return false,
        },
    };
    let (Some(size), Some(place)) = (read(8), read(16)) else {
        return false;
    };
    let is_place = [place & 0xffff_ffff, place >> 32]
        .iter()
        .all(|number| (1..LINES).contains(number));
    is_place && (3..NAME).contains(&size) && ends_in_rs(program, name.wrapping_add(size - 3))
}

fn ends_in_rs(program: &Program<'_>, at: u64) -> bool {
    let byte = |at: u64| {
        let word = program.content(at & !7)?;
        Some((word >> ((at & 7) * 8)) as u8)
    };
    (at..)
        .zip(*b".rs")
        .all(|(at, wanted)| byte(at) == Some(wanted))
}
