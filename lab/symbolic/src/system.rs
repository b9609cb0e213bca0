//! What Linux does where it is called (`syscall`, numbers of `asm/unistd_64.h`).

use crate::a64;
use crate::bits::{Kind, Word};
use crate::calls::SIGILL;
use crate::machine::{End, Machine, Stop};
use crate::memory::{GIVEN, STACK_SIZE};
use crate::state::State;

/// Registers of arguments, in order.
const ARGUMENTS: [usize; 6] = [7, 6, 2, 10, 8, 9];
/// How arguments of `syscall` become those of the system on AArch64, and where the number is.
pub(crate) const ARM: [(usize, usize); 6] = {
    let [a, b, c, d, e, f, g, ..] = a64::ARGUMENTS;
    [(a, b), (b, c), (c, d), (d, e), (e, f), (f, g)]
};
pub(crate) use a64::system::NUMBER;
/// Where the end of the data is, in the run of [`plain`](crate::plain), and where it begins.
const BREAK: u64 = GIVEN + 0x5000;
const DATA: u64 = 0x6e00_0000_0000;
/// Bytes that are added to it at once, at most.
const MOST: u64 = STACK_SIZE;
/// Nobody is at a terminal, and no such file.
const NO_TERMINAL: u64 = -25i64 as u64;
const NO_FILE: u64 = -2i64 as u64;
/// Bytes of the system's `struct sigaction`, and of `stack_t`.
const ACTION: u64 = 32;
const STACK: u64 = 24;
/// Bytes of `struct stat`.
const STAT: u64 = 144;

/// `futex`, and what it does where it waits, in the low bits (`linux/futex.h`).
const FUTEX: u64 = 202;
const WAITS: [u64; 2] = [0, 9];

/// Whether a call of that number waits for another thread, its second argument being this.
pub(crate) fn waits(number: &Word, what: &Word) -> bool {
    let what = what.low(4).known().map(|what| what & 0x7f);
    number.low(4).known() == Some(FUTEX) && what.is_some_and(|what| WAITS.contains(&what))
}

impl Machine<'_> {
    /// Whether a system call waits for another thread.
    pub fn is_wait(&self, state: &State) -> bool {
        let registers = self.arguments_of_system();
        waits(&self.number_of_call(state), &state.registers[registers[1]])
    }

    /// Registers of what a system call is given.
    fn arguments_of_system(&self) -> [usize; 6] {
        match self.is_arm() {
            true => {
                let [a, b, c, d, e, f, ..] = a64::ARGUMENTS;
                [a, b, c, d, e, f]
            }
            false => ARGUMENTS,
        }
    }

    /// Its number, as x86-64 has it.
    fn number_of_call(&self, state: &State) -> Word {
        let register = if self.is_arm() { NUMBER } else { 0 };
        self.as_x86(state.registers[register].clone())
    }

    /// A call's number as x86-64 has it.
    pub fn as_x86(&self, number: Word) -> Word {
        if !self.is_arm() {
            return number;
        }
        let number = number.low(4).known();
        let number = number.and_then(a64::system::call);
        number.map_or(Word::unknown(4, Kind::Opaque), Word::Known)
    }

    /// Carries out a system call.
    pub fn system_call(&mut self, state: &mut State) -> Result<(), Stop> {
        let number = self.number_of_call(state).low(4).known();
        let given = self
            .arguments_of_system()
            .map(|number| state.registers[number].known());
        // rt_sigaction
        let is_action = number == Some(13) && given[0].is_none_or(|signal| signal == SIGILL);
        match self.sold {
            Some(_) if is_action => self.sets_action(state, given)?,
            _ => state.catches |= is_action,
        }
        let result = match self.is_plain {
            true => self.system_answer(state, number, given)?,
            false => None,
        };
        state.registers[0] = result.unwrap_or(Word::unknown(8, Kind::Opaque));
        let lost: &[usize] = if self.is_arm() { &[] } else { &[1, 11] };
        for number in lost {
            state.registers[*number] = Word::unknown(8, Kind::Opaque);
        }
        Ok(())
    }

    /// What handles SIGILL from now on.
    fn sets_action(&self, state: &mut State, given: [Option<u64>; 6]) -> Result<(), Stop> {
        let before = state.handler.unwrap_or(0);
        match given[1] {
            Some(0) => {}
            Some(at) => {
                let handler = self.load(state, Ok(at), 8).number()?;
                // The first two numbers are the system's own.
                state.catches = handler.is_none_or(|handler| handler > 1);
                state.handler = handler.filter(|handler| self.is_start(*handler));
            }
            None => (state.catches, state.handler) = (true, None),
        }
        if let Some(old @ 1..) = given[2] {
            for at in (old..old.saturating_add(ACTION)).step_by(8) {
                state.memory.write(at, &Word::ZERO, 8);
            }
            state.memory.write(old, &Word::Known(before), 8);
        }
        Ok(())
    }

    /// What it answers in the run without arguments, where it does what it is asked for.
    fn system_answer(
        &self,
        state: &mut State,
        number: Option<u64>,
        given: [Option<u64>; 6],
    ) -> Result<Option<Word>, Stop> {
        let zeros = |state: &mut State, at: Option<u64>, size: u64| {
            for at in at
                .into_iter()
                .flat_map(|at| (at..at.saturating_add(size)).step_by(8))
            {
                state.memory.write(at, &Word::ZERO, 8);
            }
        };
        let stat = if self.is_arm() { STAT - 16 } else { STAT };
        Ok(Some(match number {
            // write
            Some(1) => return Ok(given[2].map(Word::Known)),
            // fstat, newfstatat
            Some(5) => {
                zeros(state, given[1], stat);
                Word::ZERO
            }
            Some(262) => {
                zeros(state, given[2], stat);
                Word::ZERO
            }
            // mmap
            Some(9) => return Ok(given[1].and_then(|size| self.mapped(state, size))),
            // poll, mprotect, munmap, rt_sigprocmask, sched_yield, madvise, nanosleep, arch_prctl,
            // futex, set_robust_list, prlimit64, rseq
            Some(7 | 10 | 11 | 14 | 24 | 28 | 35 | 158 | 202 | 273 | 302 | 334) => Word::ZERO,
            // rt_sigaction, sigaltstack: nothing was set before.
            Some(13) => {
                let is_told = self.sold.is_some() && given[0].is_none_or(|signal| signal == SIGILL);
                zeros(state, given[2].filter(|at| *at != 0 && !is_told), ACTION);
                Word::ZERO
            }
            Some(131) => {
                zeros(state, given[1].filter(|at| *at != 0), STACK);
                Word::ZERO
            }
            // getpid, gettid, set_tid_address
            Some(39 | 186 | 218) => Word::Known(1),
            // brk
            Some(12) => {
                let old = self
                    .load(state, Ok(BREAK), 8)
                    .known()
                    .filter(|at| *at >= DATA);
                let old = old.unwrap_or(DATA);
                let new = given[0]
                    .filter(|to| (old..old.saturating_add(MOST)).contains(to))
                    .unwrap_or(old);
                zeros(state, Some(old), (new - old).next_multiple_of(8));
                state.memory.write(BREAK, &Word::Known(new), 8);
                Word::Known(new)
            }
            // ioctl
            Some(16) => Word::Known(NO_TERMINAL),
            // clock_gettime
            Some(228) => {
                zeros(state, given[1], 16);
                Word::ZERO
            }
            // getrandom
            Some(318) => {
                let [first, second, ..] = self.arguments_of_system();
                let words = [first, second].map(|number| state.registers[number].clone());
                return self.random(state, words);
            }
            // exit, exit_group
            Some(60 | 231) => return Err(Stop::End(End::Left)),
            // openat
            Some(257) => Word::Known(NO_FILE),
            _ => return Ok(None),
        }))
    }
}
