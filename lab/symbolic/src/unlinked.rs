//! Programs that are linked statically: they come to `main` through the C library's own start,
//! most of which is not gone through.

use crate::bits::{Kind, Word};
use crate::machine::Machine;
use crate::state::State;

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
}
