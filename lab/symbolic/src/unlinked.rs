//! Programs that are linked statically: they come to `main` through the C library's own start,
//! most of which is not gone through, and ask the system themselves.

use crate::bits::{Kind, Word};
use crate::machine::{Machine, Stop};
use crate::state::State;

/// Registers of a call of the system: what is given, in order (System V ABI, AMD64, A.2.1).
const GIVEN: [usize; 6] = [7, 6, 2, 10, 8, 9];
/// Bytes of what a handler or a stack of signals was before.
const BEFORE: u64 = 32;
/// `-ENOTTY`
const NO_TERMINAL: u64 = -25_i64 as u64;

impl Machine<'_> {
    /// The program has come to where `main` is given to the C library: all its runs do. What was
    /// not known before decided nothing, and what was stored are addresses in a file that moves
    /// (musl's `_dlstart_c`), as the loader has them.
    pub fn is_at_main(&self, state: &mut State) {
        if self.has_imports {
            return;
        }
        state.frames.clear();
        state.is_unsure = false;
        state.conditions.begin(&self.symbols);
    }

    /// What is read from nowhere, where that may be since the C library's start was not gone
    /// through: musl looks for the system's words behind a pointer that it stores there.
    pub fn missed(&self, state: &State, size: usize) -> Option<Word> {
        let program = self.image.program;
        if self.has_imports || self.go.is_some() || program.is_library {
            return None;
        }
        let about = self.about.as_ref()?.matters(program, self.sweep);
        (!about.does(program, state.at)).then(|| match self.is_plain {
            true => Word::ZERO,
            false => Word::unknown(size, Kind::Opaque),
        })
    }

    /// What the system answers in the run without arguments and environment.
    pub fn system(&mut self, state: &mut State) -> Result<Word, Stop> {
        let unknown = Word::unknown(8, Kind::Opaque);
        let number = state.registers[0].number()?.filter(|_| self.is_plain);
        let given = |state: &State, at: usize| {
            state.plain(&self.symbols, state.registers[GIVEN[at]].clone())
        };
        Ok(match number {
            // write
            Some(1) => given(state, 2),
            // poll, mprotect, munmap, rt_sigprocmask, sched_yield, madvise, nanosleep, futex
            Some(7 | 10 | 11 | 14 | 24 | 28 | 35 | 202) => Word::ZERO,
            // mmap
            Some(9) => match given(state, 1).number()? {
                Some(size) => self.mapped(state, size).unwrap_or(unknown),
                None => unknown,
            },
            // brk: there is no more room.
            Some(12) => Word::ZERO,
            // rt_sigaction, sigaltstack
            Some(which @ (13 | 131)) => {
                let before = given(state, if which == 13 { 2 } else { 1 }).number()?;
                for at in before.into_iter().filter(|at| *at != 0) {
                    (at..at + BEFORE).step_by(8).for_each(|at| {
                        state.memory.write(at, &Word::ZERO, 8);
                    });
                }
                Word::ZERO
            }
            // ioctl
            Some(16) => Word::Known(NO_TERMINAL),
            // getpid, gettid, set_tid_address
            Some(39 | 186 | 218) => Word::Known(1),
            // getrandom
            Some(318) => {
                let words = [0, 1].map(|at| given(state, at));
                self.random(state, words)?.unwrap_or(unknown)
            }
            _ => unknown,
        })
    }
}
