//! Texts and bytes in memory, as functions of C read them.

use crate::bits::{Kind, Word};
use crate::machine::{Machine, Stop};
use crate::state::State;

/// Bytes that are read, at most.
pub(crate) const TEXT: u64 = 4096;

impl Machine<'_> {
    /// The text at an address: its bytes up to a zero.
    pub fn text(&self, state: &State, at: &Word, most: u64) -> Result<Result<Vec<u8>, Kind>, Stop> {
        let Some(start) = at.number()? else {
            return Ok(Err(at.kind().unwrap_or(Kind::Opaque)));
        };
        let mut out = Vec::new();
        for at in 0..most.min(TEXT) {
            let byte = self.load(state, Ok(start.wrapping_add(at)), 1);
            match byte.number()? {
                Some(0) => break,
                Some(value) => out.push(value as u8),
                None => return Ok(Err(byte.kind().unwrap_or(Kind::Opaque))),
            }
        }
        Ok(match out.len() as u64 == TEXT && most >= TEXT {
            // It may go on.
            true => Err(Kind::Opaque),
            false => Ok(out),
        })
    }

    /// `strtol` stores where it ended: behind so many bytes of the text.
    pub fn told_end(&self, state: &mut State, read: Option<u64>) -> Result<(), Stop> {
        let text = self.given(state, 0);
        let end = match (text.number()?, read) {
            (Some(at), Some(read)) => Word::Known(at.wrapping_add(read)),
            _ => Word::unknown(8, text.kind().unwrap_or(Kind::Opaque)),
        };
        match self.given(state, 1).number()? {
            Some(0) => {}
            Some(to) => state.memory.write(to, &end, 8),
            None => state.is_unsure = true,
        }
        Ok(())
    }

    /// Bytes at an address.
    pub fn bytes(
        &self,
        state: &State,
        at: &Word,
        size: u64,
    ) -> Result<Result<Vec<u8>, Kind>, Stop> {
        let Some(start) = at.number()? else {
            return Ok(Err(at.kind().unwrap_or(Kind::Opaque)));
        };
        if size > TEXT {
            return Ok(Err(Kind::Opaque));
        }
        let mut out = Vec::new();
        for at in 0..size {
            let byte = self.load(state, Ok(start.wrapping_add(at)), 1);
            match byte.number()? {
                Some(value) => out.push(value as u8),
                None => return Ok(Err(byte.kind().unwrap_or(Kind::Opaque))),
            }
        }
        Ok(Ok(out))
    }

    pub fn compared(&self, state: &State, name: &str) -> Result<Word, Stop> {
        let (a, b) = (self.given(state, 0), self.given(state, 1));
        let is_counted = matches!(name, "strncmp" | "strncasecmp" | "memcmp" | "bcmp");
        let most = match is_counted {
            true => match self.given(state, 2).number()? {
                Some(most) => most,
                None => return Ok(Word::unknown(4, Kind::Opaque)),
            },
            false => TEXT,
        };
        let of = |at: &Word| match name {
            "memcmp" | "bcmp" => self.bytes(state, at, most),
            _ => self.text(state, at, most),
        };
        Ok(match (of(&a)?, of(&b)?) {
            (Ok(mut a), Ok(mut b)) => {
                if name.contains("case") {
                    a.iter_mut()
                        .chain(&mut b)
                        .for_each(|byte| byte.make_ascii_lowercase());
                }
                Word::Known(match a.cmp(&b) {
                    std::cmp::Ordering::Less => 0xffff_ffff,
                    std::cmp::Ordering::Equal => 0,
                    std::cmp::Ordering::Greater => 1,
                })
            }
            (Err(a), Err(b)) => Word::unknown(4, a.min(b)),
            (Err(kind), _) | (_, Err(kind)) => Word::unknown(4, kind),
        })
    }
}

/// What `strtol` makes of a text, and how many bytes of it it read.
pub(crate) fn number(text: &str, base: Option<u64>) -> (Word, Option<u64>) {
    let none = (Word::unknown(8, Kind::Opaque), None);
    let start = text.trim_start_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r']);
    let (is_less, digits) = match start.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, start.strip_prefix('+').unwrap_or(start)),
    };
    let hex = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
        .filter(|rest| rest.starts_with(|digit: char| digit.is_ascii_hexdigit()));
    let (base, digits) = match (base, hex) {
        (Some(0 | 16), Some(rest)) => (16, rest),
        (Some(0), None) if digits.starts_with('0') => (8, digits),
        (Some(0), None) => (10, digits),
        (Some(base @ 2..=36), _) => (base as u32, digits),
        _ => return none,
    };
    let mut value = 0u64;
    let mut count = 0;
    for digit in digits.chars().map_while(|digit| digit.to_digit(base)) {
        let next = value.checked_mul(u64::from(base));
        let Some(next) = next.and_then(|next| next.checked_add(u64::from(digit))) else {
            return none;
        };
        // Where it does not fit it is the most there is, which goes by the function.
        if next > i64::MAX as u64 {
            return none;
        }
        (value, count) = (next, count + 1);
    }
    let read = match count {
        0 => 0,
        _ => text.len() - digits.len() + count,
    };
    let value = if is_less { value.wrapping_neg() } else { value };
    (Word::Known(value), Some(read as u64))
}
