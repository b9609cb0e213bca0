//! SIGILL in one run on one CPU: what handles it is called where the CPU lacks an instruction, and
//! `longjmp` leaves it.

use crate::bits::Word;
use crate::calls::SIGILL;
use crate::machine::{End, Machine, Stop};
use crate::state::{Back, Jump, State};
use std::rc::Rc;

/// Bytes below the stack's top that a handler leaves alone (System V ABI, 3.2.2).
const RED_ZONE: u64 = 128;

impl Machine<'_> {
    /// An instruction that the CPU lacks.
    pub fn illegal(&mut self, state: &mut State) -> Result<(), Stop> {
        if !state.catches {
            return Err(Stop::End(End::Left));
        }
        let lost = Stop::End(End::Lost);
        let handler = state.handler.ok_or(lost.clone())?;
        let top = state.registers[4].known().ok_or(lost)?;
        let at = state.at;
        state.registers[4] = Word::Known((top.wrapping_sub(RED_ZONE) & !15).wrapping_sub(8));
        state.registers[self.convention.arguments[0]] = Word::Known(SIGILL);
        self.enter(state, handler, Back::Tried, at)
    }

    /// What handles SIGILL is set by `signal` or `sigaction`.
    pub fn handles(&mut self, state: &mut State, name: &str) -> Result<Word, Stop> {
        let number = self.given(state, 0).low(4).number()?;
        let is_other = number.is_some_and(|number| number != SIGILL);
        if self.sold.is_none() || is_other {
            state.catches |= !is_other;
            return Ok(Word::ZERO);
        }
        let second = self.given(state, 1);
        let before = Word::Known(state.handler.unwrap_or(0));
        let handler = match (name, second.number()?) {
            ("sigaction", Some(0)) => return Ok(Word::ZERO),
            ("sigaction", Some(at)) => {
                let handler = self.load(state, Ok(at), 8).number()?;
                if let Some(old @ 1..) = self.given(state, 2).number()? {
                    state.memory.write(old, &before, 8);
                }
                handler
            }
            (_, handler) => handler,
        };
        // The first two numbers are the system's own.
        state.catches = handler.is_none_or(|handler| handler > 1);
        state.handler = handler.filter(|handler| self.is_start(*handler));
        Ok(match name {
            "sigaction" => Word::ZERO,
            _ => before,
        })
    }

    /// `setjmp`, called at an address: it tells zero the first time.
    pub fn marks(&mut self, state: &mut State, at: u64) -> Result<Option<Word>, Stop> {
        let buffer = self
            .given(state, 0)
            .number()?
            .filter(|_| self.sold.is_some());
        let call = self
            .instruction(at)
            .filter(|it| it.is_call_near() || it.is_call_near_indirect());
        let (Some(buffer), Some(call)) = (buffer, call) else {
            return Ok(None);
        };
        state.jumps.retain(|jump| jump.buffer != buffer);
        state.jumps.push(Rc::new(Jump {
            buffer,
            next: call.next_ip(),
            registers: state.registers.clone(),
            frames: state.frames.clone(),
        }));
        Ok(Some(Word::ZERO))
    }

    /// `longjmp`: where `setjmp` was called, it comes back once more.
    pub fn jumps_back(&mut self, state: &mut State) -> Result<(), Stop> {
        let lost = Stop::End(End::Lost);
        let buffer = self.given(state, 0).number()?.ok_or(lost.clone())?;
        let told = self.given(state, 1).low(4).number()?.ok_or(lost.clone())?;
        let known = state.jumps.iter().find(|jump| jump.buffer == buffer);
        let jump = known.ok_or(lost.clone())?.clone();
        let calls = state.frames.iter().zip(&jump.frames);
        let are_there = state.frames.len() >= jump.frames.len()
            && (calls.into_iter()).all(|(f, g)| (f.call, f.stack) == (g.call, g.stack));
        if !are_there {
            return Err(lost);
        }
        state.frames.truncate(jump.frames.len());
        let registers = std::mem::replace(&mut state.registers, jump.registers.clone());
        drop(registers);
        self.after_call(state, Some(Word::Known(told.max(1))));
        state.at = jump.next;
        Err(Stop::Go)
    }
}
