//! What C++'s `dynamic_cast` tells (Itanium C++ ABI, *Run-Time Type Information*).

use crate::bits::{Kind, Word};
use crate::machine::{Machine, Stop};
use crate::state::State;

impl Machine<'_> {
    /// `__dynamic_cast(object, _, wanted, _)`: the object where it is one of that type, else zero.
    /// Of types with one base each, at their beginning; of others it is not known.
    pub fn cast(&mut self, state: &mut State) -> Result<Word, Stop> {
        let unknown = Word::unknown(8, Kind::Opaque);
        let object = self.given(state, 0).number()?;
        let wanted = self.given(state, 2).number()?.filter(|at| *at != 0);
        let (Some(object), Some(wanted)) = (object, wanted) else {
            return Ok(unknown);
        };
        let Some(table) = self.load(state, Ok(object), 8).number()? else {
            return Ok(unknown);
        };
        // Before the methods are the object's type, and how far it is from where it begins.
        let word = |before: u64| self.image.eight(table.wrapping_sub(before));
        let (Some(kind), Some(0)) = (word(8), word(16)) else {
            return Ok(unknown);
        };
        Ok(match self.is_a(kind, wanted) {
            Ok(true) => Word::Known(object),
            Ok(false) => Word::ZERO,
            Err(_) => unknown,
        })
    }
}
