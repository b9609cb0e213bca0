//! Functions of C that look for bytes of a set in a text, or for one byte, or for where a number
//! or a text ends.

use crate::bits::Word;
use crate::library::texts::TEXT;
use crate::library::{Gap, Told};
use crate::machine::Machine;
use crate::memory::GIVEN;
use crate::state::State;

/// Those that are carried out.
pub(super) const NAMES: [&str; 15] = [
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
    "strndup",
    "__strndup",
    "strtod",
    "strtof",
    "atof",
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
        let second = match name {
            "atof" => 0,
            _ => self.number(state, 1)?,
        };
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
            "strndup" | "__strndup" => {
                let text = self.known_text(state, first, second)?;
                let at = state.memory.allocate(text.len() as u64 + 1);
                for (at, byte) in (at..).zip(text.iter().chain([&0])) {
                    state.memory.write(at, &Word::Known(u64::from(*byte)), 1);
                }
                at.into()
            }
            "strtod" | "strtof" | "atof" => {
                let text = self.known_text(state, first, TEXT)?;
                let (value, size) = real(&text, name == "strtof").ok_or(Gap::Unknown)?;
                if second != 0 {
                    let end = first.wrapping_add(size as u64);
                    state.memory.write(second, &Word::Known(end), 8);
                }
                Told(None, Some(Word::Known(value)))
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

/// Whether a function tells a number in `xmm0`.
pub(super) fn is_real(name: &str) -> bool {
    ["strtod", "strtof", "atof"].contains(&name)
}

/// The number with a fraction and an exponent that a text begins with (C17, 7.22.1.3): its bits,
/// and how many bytes it has. None where it may be written otherwise: as a word, or in hexadecimal.
fn real(text: &[u8], is_short: bool) -> Option<(u64, usize)> {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let sign = |at: usize| usize::from(matches!(text.get(at), Some(b'+' | b'-')));
    let is_space = |byte: &&u8| matches!(**byte, b' ' | 9..=13);
    let start = text.iter().take_while(is_space).count();
    let mut at = start + sign(start);
    let begins = |word: &str| {
        let start = text.get(at..at + word.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    };
    if ["inf", "nan", "0x"].into_iter().any(begins) {
        return None;
    }
    let mut count = digits(at);
    at += count;
    if text.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        count += fraction;
        at += 1 + fraction;
    }
    if count == 0 {
        return Some((0, 0));
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let from = at + 1 + sign(at + 1);
        let exponent = digits(from);
        if exponent > 0 {
            at = from + exponent;
        }
    }
    let number = std::str::from_utf8(text.get(start..at)?).ok()?;
    let bits = match is_short {
        true => u64::from(number.parse::<f32>().ok()?.to_bits()),
        false => number.parse::<f64>().ok()?.to_bits(),
    };
    Some((bits, at))
}

#[cfg(test)]
mod tests {
    use super::real;

    #[test]
    fn a_number_ends_where_it_ends() {
        for (text, value, size) in [
            ("256", 256.0, 3),
            ("2.5e3x", 2500.0, 5),
            (" -.5 ", -0.5, 4),
            ("1e", 1.0, 1),
            ("1e+", 1.0, 1),
            ("7.", 7.0, 2),
            ("norm", 0.0, 0),
            ("", 0.0, 0),
            (".", 0.0, 0),
            ("+", 0.0, 0),
        ] {
            let known = f64::to_bits(value);
            assert_eq!(real(text.as_bytes(), false), Some((known, size)), "{text}");
            let known = u64::from(f32::to_bits(value as f32));
            assert_eq!(real(text.as_bytes(), true), Some((known, size)), "{text}");
        }
        for text in ["inf", "-NAN", "0x1p3"] {
            assert_eq!(real(text.as_bytes(), false), None, "{text}");
        }
    }
}
