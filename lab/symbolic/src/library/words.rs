//! Functions of C that look for bytes of a set in a text, or for one byte.

use crate::bits::Word;
use crate::library::texts::TEXT;
use crate::library::{Gap, Told};
use crate::machine::Machine;
use crate::memory::GIVEN;
use crate::state::State;

/// Those that are carried out.
pub(super) const NAMES: [&str; 10] = [
    "strtok",
    "strtok_r",
    "__strtok_r",
    "strspn",
    "strcspn",
    "strpbrk",
    "memchr",
    "strnlen",
    "strchrnul",
    "strncat",
];
/// Where `strtok` keeps its place.
const KEPT: u64 = GIVEN + 0x7000;

impl Machine<'_> {
    fn known_text(&self, state: &State, at: u64, most: u64) -> Result<Vec<u8>, Gap> {
        let text = self.text(state, &Word::Known(at), most)?;
        text.map_err(|_| Gap::Unknown)
    }

    pub fn sought(&mut self, state: &mut State, name: &str) -> Result<Told, Gap> {
        let first = self.number(state, 0)?;
        let second = self.number(state, 1)?;
        Ok(match name {
            "strtok" => self.token(state, first, second, KEPT)?.into(),
            "strtok_r" | "__strtok_r" => {
                let kept = self.place(state, 2)?;
                self.token(state, first, second, kept)?.into()
            }
            "memchr" => {
                let size = self.number(state, 2)?;
                let mut found = 0;
                for at in 0..size {
                    if at == TEXT {
                        return Err(Gap::Unknown);
                    }
                    let at = first.wrapping_add(at);
                    let byte = self.load(state, Ok(at), 1).number()?.ok_or(Gap::Unknown)?;
                    if byte == second & 0xff {
                        found = at;
                        break;
                    }
                }
                found.into()
            }
            "strnlen" => (self.known_text(state, first, second)?.len() as u64).into(),
            "strchrnul" => {
                let text = self.known_text(state, first, TEXT)?;
                let is_it = |byte: &u8| u64::from(*byte) == second & 0xff;
                let at = text.iter().position(is_it).unwrap_or(text.len());
                first.wrapping_add(at as u64).into()
            }
            "strncat" => {
                let most = self.number(state, 2)?;
                let end = self.known_text(state, first, TEXT)?.len() as u64;
                let text = self.known_text(state, second, most)?;
                for (at, byte) in (end..).zip(text.iter().chain([&0])) {
                    let at = first.wrapping_add(at);
                    state.memory.write(at, &Word::Known(u64::from(*byte)), 1);
                }
                first.into()
            }
            _ => {
                let text = self.known_text(state, first, TEXT)?;
                let set = self.known_text(state, second, TEXT)?;
                let is_within = |byte: &u8| set.contains(byte);
                let at = match name {
                    "strspn" => text.iter().position(|byte| !is_within(byte)),
                    _ => text.iter().position(is_within),
                };
                match name {
                    "strpbrk" => at.map_or(0, |at| first.wrapping_add(at as u64)).into(),
                    _ => (at.unwrap_or(text.len()) as u64).into(),
                }
            }
        })
    }

    /// The next word of a text, between bytes of a set.
    fn token(&self, state: &mut State, text: u64, set: u64, kept: u64) -> Result<u64, Gap> {
        let start = match text {
            0 => self.word(state, kept)?,
            at => at,
        };
        if start == 0 {
            return Ok(0);
        }
        let set = self.known_text(state, set, TEXT)?;
        let rest = self.known_text(state, start, TEXT)?;
        let is_between = |byte: &u8| set.contains(byte);
        let Some(first) = rest.iter().position(|byte| !is_between(byte)) else {
            let end = start.wrapping_add(rest.len() as u64);
            state.memory.write(kept, &Word::Known(end), 8);
            return Ok(0);
        };
        let at = start.wrapping_add(first as u64);
        let next = match rest[first..].iter().position(is_between) {
            Some(size) => {
                let end = at.wrapping_add(size as u64);
                state.memory.write(end, &Word::ZERO, 1);
                end.wrapping_add(1)
            }
            None => start.wrapping_add(rest.len() as u64),
        };
        state.memory.write(kept, &Word::Known(next), 8);
        Ok(at)
    }
}
