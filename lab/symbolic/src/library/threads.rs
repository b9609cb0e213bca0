//! Threads that a program starts: each has a stack and variables of its own, which begin as the
//! file has them. One runs at once, until it ends or waits; who started it goes on then. Where
//! that waits too, those that wait go on one after the other, each until it waits again: one of
//! the orders in which a system may run them.

use crate::bits::{Kind, Word};
use crate::instructions::flags::Flags;
use crate::library::{stubs, waits};
use crate::machine::{End, Machine, Stop};
use crate::memory::{EACH_STACK, STACKS, STUBS, THREAD, stack_of};
use crate::state::{Back, Frame, REGISTERS, State};
use crate::system;
use std::rc::Rc;

/// Where who runs no more keeps his variables: one that started another, or had another go on, by
/// the depth of calls; and those that wait.
const KEPT: u64 = 0x6f00_1000_0000;
const WAITING: u64 = 0x6f00_4000_0000;
/// Bytes of such variables at most.
const SIZE: u64 = 0x1_0000;
/// Threads that wait at one time, and that are started, at most.
const MOST: usize = 64;
const STARTED: u64 = 1024;
/// How often one waits, at most: they may wait for each other.
const WAITS: u32 = 1000;
/// What is above a stack's top at first: what `pthread_join` looks at.
const ABOVE: u64 = 64;

/// One that waits.
struct Thread {
    at: u64,
    registers: [Word; REGISTERS],
    /// Behind where it was started or went on.
    frames: Vec<Frame>,
    /// Where its variables are kept.
    place: u64,
}

/// Those that wait, the one first that goes on next.
#[derive(Clone, Default)]
pub(crate) struct Threads {
    waiting: Vec<Rc<Thread>>,
    started: u64,
    waits: u32,
}

impl Threads {
    /// Whether the same wait.
    pub fn are(&self, other: &Self) -> bool {
        let mut both = self.waiting.iter().zip(&other.waiting);
        self.waiting.len() == other.waiting.len()
            && self.started == other.started
            && both.all(|(one, other)| Rc::ptr_eq(one, other))
    }
}

/// Where the thread that runs was started or went on, if it is not the first.
fn began(state: &State) -> Option<usize> {
    let is_start = |frame: &Frame| matches!(frame.back, Back::Thread(_) | Back::Turn(_));
    state.frames.iter().rposition(is_start)
}

impl Machine<'_> {
    /// Bytes of a thread's own variables.
    fn own(&self) -> u64 {
        (self.image.program.threads).map_or(0, |threads| match self.is_arm() {
            true => threads.size(),
            false => threads.to_base(),
        })
    }

    /// Whether code stands for a function that starts a thread.
    pub fn starts_thread(&self, code: u64) -> bool {
        (STUBS..STUBS + stubs::SIZE).contains(&code) && stubs::is_thread(code - STUBS)
    }

    /// What starts a thread is called, the second where that is called, and comes back to `next`.
    pub fn start_thread(
        &mut self,
        state: &mut State,
        (code, at): (u64, u64),
        next: u64,
    ) -> Result<(), Stop> {
        let size = self.own();
        if size > SIZE || state.threads.started >= STARTED {
            return Err(Stop::End(End::Lost));
        }
        let kept = KEPT + state.frames.len() as u64 * SIZE;
        state.memory.copy(&self.image, kept, THREAD, size);
        state.memory.renew(THREAD, size);
        let object = state.memory.allocate(ABOVE);
        if self.windows.is_none() {
            state.memory.write(object, &Word::ZERO, 8);
            let place = self.given(state, 0).number()?.ok_or(Kind::Opaque);
            self.store(state, place, &Word::Known(object), 8);
        }
        self.enter(state, code, Back::Thread(next), at)?;
        if self.windows.is_none() {
            state.threads.started += 1;
            let top = STACKS + state.threads.started * EACH_STACK - ABOVE;
            state.memory.write(top, &Word::Known(object), 8);
            state.registers[4] = Word::Known(top);
        }
        Ok(())
    }

    /// A thread came to its end. The state is that of who started it or had it go on, but for the
    /// stack's top.
    pub fn thread_ends(&self, state: &mut State) {
        let kept = KEPT + state.frames.len() as u64 * SIZE;
        state.memory.copy(&self.image, THREAD, kept, self.own());
        if let Some(stack) = state.registers[4].known().and_then(stack_of)
            && stack.end < crate::memory::STACK
        {
            state.memory.leave(stack.end - 1);
        }
    }

    /// Ends the thread that runs, where it is not the first.
    pub fn ends_thread(&mut self, state: &mut State) -> Result<bool, Stop> {
        let Some(number) = began(state) else {
            return Ok(false);
        };
        let result = self.given(state, 0);
        state.frames.truncate(number + 2);
        if let Some(first) = state.frames.last() {
            for &number in self.convention.saved {
                state.registers[number] = first.given[number].clone();
            }
        }
        self.back(state)?;
        state.registers[0] = result;
        Ok(true)
    }

    /// Whether code is carried out that waits for others: there must be some, and what is waited
    /// for must be known.
    pub fn is_waited_for(&self, state: &State, name: &str) -> Result<bool, Stop> {
        let is_thread = |state: &State, at: Option<u64>| {
            let object = at.and_then(|at| state.memory.object(at));
            object.is_some_and(|(start, size)| Some(start) == at && size == ABOVE)
        };
        Ok(match name {
            "pthread_join" | "thrd_join" => is_thread(state, self.given(state, 0).number()?),
            "_ZNSt6thread4joinEv" => {
                let at = self.given(state, 0).number()?.ok_or(Kind::Opaque);
                is_thread(state, self.load(state, at, 8).number()?)
            }
            "syscall" => {
                let [number, what] = [0, 2].map(|number| self.given(state, number));
                let number = self.as_x86(number);
                system::waits(&number, &what) && self.has_others(state)
            }
            _ if waits::RESTS.contains(&name) => self.has_others(state),
            _ => true,
        })
    }

    /// Whether there are other threads than the one that runs.
    fn has_others(&self, state: &State) -> bool {
        began(state).is_some() || !state.threads.waiting.is_empty()
    }

    /// The thread that runs lets others go on, and goes on at `next` itself then.
    pub fn pauses(&mut self, state: &mut State, next: u64) -> Result<(), Stop> {
        if self.go.is_some() || self.windows.is_some() {
            return Ok(());
        }
        if !self.has_others(state) {
            // Nobody ends the wait.
            return match (STUBS..STUBS + stubs::SIZE).contains(&state.at) {
                true => Err(Stop::End(End::Lost)),
                false => Ok(()),
            };
        }
        state.threads.waits += 1;
        if state.threads.waits > WAITS || state.threads.waiting.len() >= MOST {
            return Err(Stop::End(End::Lost));
        }
        match began(state) {
            Some(number) => self.waits(state, number, next),
            None => self.resumes(state, next),
        }
        for vector in &mut state.vectors {
            *vector = [const { Word::Unknown(64, Kind::Opaque) }; 2];
        }
        state.uppers.forget(0);
        state.flags = Flags::unknown(Kind::Opaque);
        Err(Stop::Go)
    }

    /// One that is not the first waits: who started it, or had it go on, goes on.
    fn waits(&mut self, state: &mut State, number: usize, next: u64) {
        let frames = state.frames.split_off(number + 1);
        let Some(frame) = state.frames.pop() else {
            return;
        };
        let is_free = |place: &u64| {
            let mut waiting = state.threads.waiting.iter();
            waiting.all(|thread| thread.place != *place)
        };
        let mut places = (0..=MOST as u64).map(|number| WAITING + number * SIZE);
        let place = places.find(is_free).unwrap_or(WAITING);
        let size = self.own();
        state.memory.copy(&self.image, place, THREAD, size);
        let kept = KEPT + state.frames.len() as u64 * SIZE;
        state.memory.copy(&self.image, THREAD, kept, size);
        let registers = std::mem::replace(&mut state.registers, (*frame.given).clone());
        state.threads.waiting.push(Rc::new(Thread {
            at: next,
            registers,
            frames,
            place,
        }));
        state.registers[4] = Word::Known(frame.stack.wrapping_add(self.convention.pushed));
        match frame.back {
            Back::Turn(at) => state.at = at,
            Back::Thread(at) => {
                for &number in self.convention.changed {
                    state.registers[number] = Word::unknown(8, Kind::Opaque);
                }
                state.registers[2] = Word::unknown(8, Kind::Opaque);
                state.registers[0] = Word::ZERO;
                state.at = at;
            }
            _ => {}
        }
    }

    /// The first waits: another goes on.
    fn resumes(&mut self, state: &mut State, next: u64) {
        let thread = state.threads.waiting.remove(0);
        let size = self.own();
        let kept = KEPT + state.frames.len() as u64 * SIZE;
        state.memory.copy(&self.image, kept, THREAD, size);
        state.memory.copy(&self.image, THREAD, thread.place, size);
        let registers = std::mem::replace(&mut state.registers, thread.registers.clone());
        let top = registers[4].known().unwrap_or(0);
        state.frames.push(Frame {
            back: Back::Turn(next),
            call: state.at,
            start: STUBS,
            given: Rc::new(registers),
            stack: top.wrapping_sub(self.convention.pushed),
            since: self.steps,
        });
        state.frames.extend(thread.frames.iter().cloned());
        state.at = thread.at;
    }
}
