//! What runs when a program ends: what it registered, last first, then what the file says.

use crate::bits::{Kind, Word};
use crate::library::stubs;
use crate::machine::{End, Machine, Stop};
use crate::memory::STUBS;
use crate::state::{Back, State};

/// Where how many were registered is kept, and behind it each: a function and two arguments.
pub(crate) const EXITS: u64 = 0x6f00_0001_0000;
const EACH: u64 = 32;
/// So many at most.
const MOST: u64 = 256;

/// `exit(_)`: calls all from the last to the first, those that are registered meanwhile too.
pub(crate) const CODE: &[u8] = &[
    0x53, // push rbx
    0x48, 0xbb, 0x00, 0x00, 0x01, 0x00, 0x00, 0x6f, 0x00, 0x00, // mov rbx, EXITS
    0x48, 0x8b, 0x0b, // next: mov rcx, [rbx]
    0x48, 0x85, 0xc9, // test rcx, rcx
    0x74, 0x1d, // je end
    0x48, 0xff, 0xc9, // dec rcx
    0x48, 0x89, 0x0b, // mov [rbx], rcx
    0x48, 0xc1, 0xe1, 0x05, // shl rcx, 5
    0x48, 0x8b, 0x44, 0x0b, 0x20, // mov rax, [rbx + rcx + 32]
    0x48, 0x8b, 0x7c, 0x0b, 0x28, // mov rdi, [rbx + rcx + 40]
    0x48, 0x8b, 0x74, 0x0b, 0x30, // mov rsi, [rbx + rcx + 48]
    0xff, 0xd0, // call rax
    0xeb, 0xdb, // jmp next
    0xf4, // end: hlt
];

/// Nothing is registered but what the file says, which is called from its last to its first.
pub(crate) fn begin(state: &mut State, last: &[u64]) {
    state.memory.write(EXITS, &Word::ZERO, 8);
    for (count, to) in (0..MOST).zip(last) {
        register(state, count, [&Word::Known(*to), &Word::ZERO, &Word::ZERO]);
    }
}

fn register(state: &mut State, count: u64, words: [&Word; 3]) {
    for (place, word) in (0..).zip(words) {
        let at = EXITS + (count + 1) * EACH + place * 8;
        state.memory.write(at, word, 8);
    }
    state.memory.write(EXITS, &Word::Known(count + 1), 8);
}

impl Machine<'_> {
    /// Whether a function registers what is called at the end; then that is done.
    pub fn registers(&mut self, state: &mut State, name: &str) -> Result<bool, Stop> {
        let [first, second] = [0, 1].map(|number| self.given(state, number));
        let (a, b) = match name {
            "atexit" => (Word::ZERO, Word::ZERO),
            "__cxa_atexit" => (second, Word::ZERO),
            // A thread's end comes before the program's.
            "__cxa_thread_atexit" | "__cxa_thread_atexit_impl" => {
                state.is_unsure = true;
                (second, Word::ZERO)
            }
            "on_exit" => (Word::unknown(4, Kind::Input), second),
            _ => return Ok(false),
        };
        self.is_called_last(state, [&first, &a, &b])?;
        Ok(true)
    }

    /// A function with its arguments is called where the program ends.
    pub fn is_called_last(&mut self, state: &mut State, words: [&Word; 3]) -> Result<(), Stop> {
        match self.load(state, Ok(EXITS), 8).number()? {
            Some(count) if count < MOST => register(state, count, words),
            _ => {
                self.found.lost(state.at, &state.conditions, &self.symbols);
                state.is_unsure = true;
            }
        }
        Ok(())
    }

    /// The program ends.
    pub fn leave(&mut self, state: &mut State) -> Result<(), Stop> {
        // All ways come there, and nothing else of them is read.
        for (number, word) in state.registers.iter_mut().enumerate() {
            if number != 4 {
                *word = Word::unknown(8, Kind::Opaque);
            }
        }
        // Of Windows' functions the same goes by the other convention.
        let code = match self.is_arm() {
            true => stubs::of_arm("exit"),
            false => stubs::of("exit", false),
        };
        let code = code.ok_or(Stop::End(End::Lost))?;
        self.enter(state, STUBS + code, Back::Next, 0)
    }
}
