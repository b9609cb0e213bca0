//! Threads that a program starts: each has variables of its own, which begin as the file has them.

use crate::library::stubs;
use crate::machine::{End, Machine, Stop};
use crate::memory::{STUBS, THREAD};
use crate::state::{Back, State};

/// Where who starts a thread keeps his variables, by the depth of calls.
const KEPT: u64 = 0x6f00_1000_0000;
/// Bytes of such variables at most.
const SIZE: u64 = 0x1_0000;

impl Machine<'_> {
    /// Bytes of a thread's own variables.
    fn own(&self) -> u64 {
        (self.image.program.threads).map_or(0, |threads| threads.to_base())
    }

    /// What follows a call of code that stands for another file's function: where that starts a
    /// thread its variables begin anew, and its return brings back those there were.
    pub fn started(&self, state: &mut State, code: u64, next: u64) -> Result<Back, Stop> {
        let size = self.own();
        let is_stub = (STUBS..STUBS + stubs::SIZE).contains(&code);
        if size == 0 || !is_stub || !stubs::is_thread(code - STUBS) {
            return Ok(Back::To(next));
        }
        if size > SIZE {
            return Err(Stop::End(End::Lost));
        }
        let kept = KEPT + state.frames.len() as u64 * SIZE;
        state.memory.copy(&self.image, kept, THREAD, size);
        state.memory.renew(THREAD, size);
        Ok(Back::Thread(next))
    }

    /// A thread came to its end. The state is that of who started it, behind its return.
    pub fn ended(&self, state: &mut State) {
        let kept = KEPT + state.frames.len() as u64 * SIZE;
        state.memory.copy(&self.image, THREAD, kept, self.own());
    }
}
