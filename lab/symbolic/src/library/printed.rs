//! `snprintf` and `sprintf` of what is known.

use crate::bits::Word;
use crate::library::texts::TEXT;
use crate::library::{Gap, Told};
use crate::machine::Machine;
use crate::state::State;
use iced_x86::FlowControl;

/// Bytes that are printed at most.
const LONG: usize = 1 << 14;

/// How something is written: `%-08x` and the like.
#[derive(Default)]
struct Form {
    is_left: bool,
    is_zero: bool,
    is_signed: bool,
    is_marked: bool,
    width: usize,
    digits: Option<usize>,
    /// Bytes of the number.
    size: usize,
}

impl Form {
    fn padded(&self, sign: &str, digits: String) -> String {
        let missing = self.width.saturating_sub(sign.len() + digits.len());
        match () {
            () if self.is_left => format!("{sign}{digits}{}", " ".repeat(missing)),
            () if self.is_zero && self.digits.is_none() => {
                format!("{sign}{}{digits}", "0".repeat(missing))
            }
            () => format!("{}{sign}{digits}", " ".repeat(missing)),
        }
    }

    /// A number; none if it is none of the kinds that are known.
    fn number(&self, kind: u8, value: u64) -> Option<String> {
        let bits = 64 - self.size * 8;
        let (value, signed) = (value << bits >> bits, (value << bits) as i64 >> bits);
        let (sign, digits) = match kind {
            b'd' | b'i' => {
                let plus = if self.is_signed { "+" } else { "" };
                let sign = if signed < 0 { "-" } else { plus };
                (sign, signed.unsigned_abs().to_string())
            }
            b'u' => ("", value.to_string()),
            b'x' | b'p' => {
                let is_marked = (self.is_marked && value != 0) || kind == b'p';
                (if is_marked { "0x" } else { "" }, format!("{value:x}"))
            }
            b'X' => {
                let is_marked = self.is_marked && value != 0;
                (if is_marked { "0X" } else { "" }, format!("{value:X}"))
            }
            b'o' if !self.is_marked => ("", format!("{value:o}")),
            _ => return None,
        };
        let zeros = self.digits.unwrap_or(0).saturating_sub(digits.len());
        Some(self.padded(sign, format!("{}{digits}", "0".repeat(zeros))))
    }
}

impl Machine<'_> {
    /// An argument of a call that is about to be made.
    fn printed_argument(&self, state: &State, number: usize) -> Word {
        if number < self.convention.arguments.len() {
            return self.given(state, number);
        }
        // Behind a jump the address of return lies before them.
        let is_call = |flow| matches!(flow, FlowControl::Call | FlowControl::IndirectCall);
        let it = self.instructions.get(&state.at);
        let is_call = it.is_some_and(|it| is_call(it.flow_control()));
        let is_behind = !is_call && self.convention.pushed > 0;
        let place = number - self.convention.arguments.len() + usize::from(is_behind);
        match state.registers[4].known() {
            Some(top) => self.load(state, Ok(top.wrapping_add(place as u64 * 8)), 8),
            None => Word::unknown(8, crate::bits::Kind::Opaque),
        }
    }

    pub fn printed(&mut self, state: &mut State, name: &str) -> Result<Told, Gap> {
        let (format, next, most) = match name {
            "sprintf" => (1, 2, u64::MAX),
            "__sprintf_chk" => (3, 4, u64::MAX),
            "snprintf" => (2, 3, self.number(state, 1)?),
            "__snprintf_chk" => (4, 5, self.number(state, 1)?),
            _ => return Err(Gap::Unknown),
        };
        let to = self.number(state, 0)?;
        let format = self.text(state, &self.given(state, format), TEXT)?;
        let format = format.map_err(|_| Gap::Unknown)?;
        let text = self.formatted(state, &format, next)?;
        let kept = most.saturating_sub(1).min(text.len() as u64) as usize;
        if most > 0 {
            for (at, byte) in (0..).zip(text[..kept].iter().chain([&0])) {
                let at = to.wrapping_add(at);
                state.memory.write(at, &Word::Known(u64::from(*byte)), 1);
            }
        }
        Ok((text.len() as u64).into())
    }

    /// What a format makes of arguments, from one on.
    fn formatted(&self, state: &State, format: &[u8], mut next: usize) -> Result<Vec<u8>, Gap> {
        let mut out = Vec::new();
        let mut rest = format.iter().copied().peekable();
        let mut argument = || {
            next += 1;
            self.printed_argument(state, next - 1)
        };
        while let Some(byte) = rest.next() {
            if out.len() > LONG {
                return Err(Gap::Unknown);
            }
            if byte != b'%' {
                out.push(byte);
                continue;
            }
            let mut form = Form {
                size: 4,
                ..Form::default()
            };
            while let Some(flag) = rest.next_if(|byte| b"-0+#".contains(byte)) {
                match flag {
                    b'-' => form.is_left = true,
                    b'0' => form.is_zero = true,
                    b'+' => form.is_signed = true,
                    _ => form.is_marked = true,
                }
            }
            let mut count = |rest: &mut std::iter::Peekable<_>| -> Result<usize, Gap> {
                if rest.next_if_eq(&b'*').is_some() {
                    let given = argument().low(4).number()?.ok_or(Gap::Unknown)?;
                    return (given <= TEXT)
                        .then_some(given as usize)
                        .ok_or(Gap::Unknown);
                }
                let mut all = 0;
                while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
                    all = (all * 10 + usize::from(digit - b'0')).min(TEXT as usize);
                }
                Ok(all)
            };
            form.width = count(&mut rest)?;
            if rest.next_if_eq(&b'.').is_some() {
                form.digits = Some(count(&mut rest)?);
            }
            while let Some(size) = rest.next_if(|byte| b"hlzjt".contains(byte)) {
                form.size = match size {
                    b'h' => (form.size / 2).max(1),
                    _ => 8,
                };
            }
            match rest.next().ok_or(Gap::Unknown)? {
                b'%' => out.push(b'%'),
                b'c' => {
                    let byte = argument().low(1).number()?.ok_or(Gap::Unknown)?;
                    let missing = form.width.saturating_sub(1);
                    let spaces = vec![b' '; missing];
                    match form.is_left {
                        true => out.extend([&[byte as u8], &spaces[..]].concat()),
                        false => out.extend([&spaces[..], &[byte as u8]].concat()),
                    }
                }
                b's' => {
                    let at = argument();
                    if at.number()?.is_none_or(|at| at == 0) {
                        return Err(Gap::Unknown);
                    }
                    let most = form.digits.map_or(TEXT, |digits| digits as u64);
                    let text = self.text(state, &at, most)?.map_err(|_| Gap::Unknown)?;
                    let missing = form.width.saturating_sub(text.len());
                    let spaces = vec![b' '; missing];
                    match form.is_left {
                        true => out.extend([text, spaces].concat()),
                        false => out.extend([spaces, text].concat()),
                    }
                }
                kind => {
                    if kind == b'p' {
                        form.size = 8;
                    }
                    let value = argument().low(form.size).number()?.ok_or(Gap::Unknown)?;
                    let text = form.number(kind, value).ok_or(Gap::Unknown)?;
                    out.extend(text.into_bytes());
                }
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_c_writes_them() {
        let form = |width, digits, size| Form {
            width,
            digits,
            size,
            ..Form::default()
        };
        let zero = Form {
            is_zero: true,
            ..form(6, None, 4)
        };
        let left = Form {
            is_left: true,
            ..form(4, None, 8)
        };
        let of = |form: &Form, kind, value| form.number(kind, value).expect("a kind");
        assert_eq!(of(&form(0, None, 4), b'd', 0xffff_ffff), "-1");
        assert_eq!(of(&form(0, None, 8), b'd', 0xffff_ffff), "4294967295");
        assert_eq!(of(&form(5, Some(3), 4), b'u', 7), "  007");
        assert_eq!(of(&zero, b'd', (-42i32) as u32 as u64), "-00042");
        assert_eq!(of(&left, b'x', 0xab), "ab  ");
        assert_eq!(of(&form(0, None, 1), b'X', 0x1ff), "FF");
        assert_eq!(form(0, None, 8).number(b'g', 1), None);
    }
}
