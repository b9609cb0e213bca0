//! Members of `std::string` that programs call in libstdc++: a pointer to the text, its length,
//! and the text itself where it has fewer than sixteen bytes, else how many there may be.

use crate::bits::{Kind, Word};
use crate::library::{Gap, Told};
use crate::machine::Machine;
use crate::state::State;

/// Where the length and what follows it are.
const SIZE: u64 = 8;
const OWN: u64 = 16;
/// Bytes of a text that lies in the object itself.
const SHORT: u64 = 15;
/// Bytes of a text at most.
const LONG: u64 = 1 << 14;
/// To the end.
const ALL: u64 = u64::MAX;

/// A text's address and length.
type Text = (u64, u64);

/// What a function's name says behind the class.
pub(crate) fn member(name: &str) -> Option<&str> {
    let name = name
        .strip_prefix("_ZNKSt")
        .or_else(|| name.strip_prefix("_ZNSt"))?;
    name.strip_prefix("7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE")
}

impl Machine<'_> {
    pub fn string_member(&mut self, state: &mut State, member: &str) -> Result<Told, Gap> {
        let this = self.place(state, 0)?;
        let none = Ok(Told::default());
        match member {
            "10_M_disposeEv" | "10_M_destroyEm" | "D1Ev" | "D2Ev" => none,
            "4sizeEv" | "6lengthEv" => self.told_word(state, this + SIZE),
            "5c_strEv" | "4dataEv" | "7_M_dataEv" | "5beginEv" | "6cbeginEv" => {
                self.told_word(state, this)
            }
            "13_M_local_dataEv" => Ok((this + OWN).into()),
            "11_M_is_localEv" => {
                let at = self.word(state, this)?;
                Ok(u64::from(at == this + OWN).into())
            }
            "5emptyEv" => Ok(u64::from(self.string(state, this)?.1 == 0).into()),
            "3endEv" | "4cendEv" => {
                let (at, size) = self.string(state, this)?;
                Ok(at.wrapping_add(size).into())
            }
            "8capacityEv" => Ok(self.capacity(state, this)?.into()),
            "ixEm" => {
                let place = self.number(state, 1)?;
                Ok(self.word(state, this)?.wrapping_add(place).into())
            }
            "2atEm" => {
                let ((at, size), place) = (self.string(state, this)?, self.number(state, 1)?);
                (place < size)
                    .then_some(at.wrapping_add(place).into())
                    .ok_or(Gap::throws())
            }
            "7compareERKS4_" => {
                let other = self.other(state, 1)?;
                self.ordered(state, this, other)
            }
            "7compareEPKc" => {
                let other = self.c_text(state, 1)?;
                self.ordered(state, this, other)
            }
            "4findEPKcm" | "4findERKS4_m" | "4findEPKcmm" | "4findEcm" => self.find(state, member),
            // Parts that those without optimisation call.
            "7_M_dataEPc" | "12_Alloc_hiderC1EPcRKS3_" | "12_Alloc_hiderC2EPcRKS3_" => {
                let at = self.given(state, 1);
                state.memory.write(this, &at, 8);
                none
            }
            "9_M_lengthEm" => {
                let size = self.given(state, 1);
                state.memory.write(this + SIZE, &size, 8);
                none
            }
            "11_M_capacityEm" => {
                let size = self.given(state, 1);
                state.memory.write(this + OWN, &size, 8);
                none
            }
            "13_M_set_lengthEm" => {
                let (at, size) = (self.word(state, this)?, self.number(state, 1)?);
                state.memory.write(this + SIZE, &Word::Known(size), 8);
                state.memory.write(at.wrapping_add(size), &Word::ZERO, 1);
                none
            }
            "7_S_copyEPcPKcm" | "7_S_moveEPcPKcm" => {
                let (from, size) = (self.number(state, 1)?, self.number(state, 2)?);
                self.moved(state, this, (from, size))?;
                none
            }
            "13_S_copy_charsEPcPKcS7_" | "13_S_copy_charsEPcS5_S5_" => {
                let (from, end) = (self.number(state, 1)?, self.number(state, 2)?);
                self.moved(state, this, (from, end.wrapping_sub(from)))?;
                none
            }
            "9_M_createERmm" => {
                let (wanted, old) = (
                    self.word(state, self.number(state, 1)?)?,
                    self.number(state, 2)?,
                );
                let size = grown(wanted, old);
                state
                    .memory
                    .write(self.number(state, 1)?, &Word::Known(size), 8);
                let most = (size < LONG).then_some(size + 1).ok_or(Gap::Unknown)?;
                Ok(state.memory.allocate(most).into())
            }
            // Constructors.
            "C1Ev" | "C2Ev" => self.begun(state, this, (0, 0)),
            "C1ERKS4_" | "C2ERKS4_" => {
                let from = self.other(state, 1)?;
                self.begun(state, this, from)
            }
            "C1EPKcRKS3_" | "C2EPKcRKS3_" | "C1IS3_EEPKcRKS3_" | "C2IS3_EEPKcRKS3_" => {
                let from = self.c_text(state, 1)?;
                self.begun(state, this, from)
            }
            "C1EPKcmRKS3_" | "C2EPKcmRKS3_" => {
                let from = (self.number(state, 1)?, self.number(state, 2)?);
                self.begun(state, this, from)
            }
            "C1EOS4_" | "C2EOS4_" => {
                let other = self.place(state, 1)?;
                let from = self.string(state, other)?;
                let told = self.begun(state, this, from);
                self.cleared(state, other)?;
                told
            }
            "6substrEmm" | "C1ERKS4_mm" | "C2ERKS4_mm" => {
                let (at, size) = self.other(state, 1)?;
                let (first, most) = (self.number(state, 2)?, self.number(state, 3)?);
                let rest = size.checked_sub(first).ok_or(Gap::throws())?;
                self.begun(state, this, (at.wrapping_add(first), rest.min(most)))?;
                Ok(this.into())
            }
            "12_M_constructEmc" | "C1EmcRKS3_" | "C2EmcRKS3_" => {
                let (count, byte) = (self.number(state, 1)?, self.given(state, 2));
                let from = self.many(state, count, &byte)?;
                self.begun(state, this, (from, count))
            }
            "12_M_constructIPKcEEvT_S8_St20forward_iterator_tag"
            | "12_M_constructIPcEEvT_S7_St20forward_iterator_tag" => {
                let (from, end) = (self.number(state, 1)?, self.number(state, 2)?);
                self.begun(state, this, (from, end.wrapping_sub(from)))
            }
            // What replaces a part of the text: which, and by what.
            "9_M_appendEPKcm" | "6appendEPKcm" => {
                let other = (self.number(state, 1)?, self.number(state, 2)?);
                self.replaced(state, this, (ALL, 0), other)
            }
            "6appendEPKc" | "pLEPKc" => {
                let other = self.c_text(state, 1)?;
                self.replaced(state, this, (ALL, 0), other)
            }
            "6appendERKS4_" | "pLERKS4_" => {
                let other = self.other(state, 1)?;
                self.replaced(state, this, (ALL, 0), other)
            }
            "9push_backEc" | "pLEc" => {
                let byte = self.given(state, 1);
                let other = (self.many(state, 1, &byte)?, 1);
                self.replaced(state, this, (ALL, 0), other)
            }
            "6appendEmc" => {
                let (count, byte) = (self.number(state, 1)?, self.given(state, 2));
                let other = (self.many(state, count, &byte)?, count);
                self.replaced(state, this, (ALL, 0), other)
            }
            "9_M_assignERKS4_" | "aSERKS4_" | "6assignERKS4_" => {
                let other = self.other(state, 1)?;
                self.replaced(state, this, (0, ALL), other)
            }
            "aSEPKc" | "6assignEPKc" => {
                let other = self.c_text(state, 1)?;
                self.replaced(state, this, (0, ALL), other)
            }
            "6assignEPKcm" => {
                let other = (self.number(state, 1)?, self.number(state, 2)?);
                self.replaced(state, this, (0, ALL), other)
            }
            "aSEOS4_" => {
                let from = self.place(state, 1)?;
                let other = self.string(state, from)?;
                let told = self.replaced(state, this, (0, ALL), other);
                if from != this {
                    self.cleared(state, from)?;
                }
                told
            }
            "10_M_replaceEmmPKcm" | "7replaceEmmPKcm" => {
                let part = (self.number(state, 1)?, self.number(state, 2)?);
                let other = (self.number(state, 3)?, self.number(state, 4)?);
                self.replaced(state, this, part, other)
            }
            "7replaceEmmPKc" | "7replaceEmmRKS4_" => {
                let part = (self.number(state, 1)?, self.number(state, 2)?);
                let other = match member.ends_with("Kc") {
                    true => self.c_text(state, 3)?,
                    false => self.other(state, 3)?,
                };
                self.replaced(state, this, part, other)
            }
            "6insertEmPKc" | "6insertEmRKS4_" => {
                let part = (self.number(state, 1)?, 0);
                let other = match member.ends_with("Kc") {
                    true => self.c_text(state, 2)?,
                    false => self.other(state, 2)?,
                };
                self.replaced(state, this, part, other)
            }
            "14_M_replace_auxEmmmc" | "7replaceEmmmc" => {
                let part = (self.number(state, 1)?, self.number(state, 2)?);
                let (count, byte) = (self.number(state, 3)?, self.given(state, 4));
                let other = (self.many(state, count, &byte)?, count);
                self.replaced(state, this, part, other)
            }
            "9_M_mutateEmmPKcm" => {
                let part = (self.number(state, 1)?, self.number(state, 2)?);
                let count = self.number(state, 4)?;
                let from = match self.number(state, 3)? {
                    // The caller fills it.
                    0 => self.many(state, count, &Word::unknown(1, Kind::Opaque))?,
                    from => from,
                };
                // The length stays the caller's to set.
                let size = self.string(state, this)?.1;
                self.replaced(state, this, part, (from, count))?;
                state.memory.write(this + SIZE, &Word::Known(size), 8);
                none
            }
            "8_M_eraseEmm" | "5eraseEmm" => {
                let part = (self.number(state, 1)?, self.number(state, 2)?);
                self.replaced(state, this, part, (0, 0))
            }
            "5clearEv" => self.replaced(state, this, (0, ALL), (0, 0)),
            "7reserveEm" => {
                let size = self.string(state, this)?.1;
                let wanted = self.number(state, 1)?;
                if wanted > self.capacity(state, this)? {
                    let from = self.many(state, wanted, &Word::ZERO)?;
                    self.replaced(state, this, (ALL, 0), (from, wanted.saturating_sub(size)))?;
                    self.replaced(state, this, (size, ALL), (0, 0))?;
                }
                none
            }
            "6resizeEmc" => {
                let (size, wanted) = (self.string(state, this)?.1, self.number(state, 1)?);
                let more = wanted.saturating_sub(size);
                let byte = self.given(state, 2);
                let from = self.many(state, more, &byte)?;
                self.replaced(state, this, (wanted.min(size), ALL), (from, more))
            }
            _ => Err(Gap::Unknown),
        }
    }

    fn told_word(&self, state: &State, at: u64) -> Result<Told, Gap> {
        Ok(Told(Some(self.load(state, Ok(at), 8)), None))
    }

    /// Where a string's text is, and how long.
    fn string(&self, state: &State, this: u64) -> Result<Text, Gap> {
        Ok((self.word(state, this)?, self.word(state, this + SIZE)?))
    }

    /// The text of a string that is an argument.
    fn other(&self, state: &State, argument: usize) -> Result<Text, Gap> {
        self.string(state, self.place(state, argument)?)
    }

    /// A text that ends with zero.
    fn c_text(&self, state: &State, argument: usize) -> Result<Text, Gap> {
        let at = self.number(state, argument)?;
        if at == 0 {
            return Err(Gap::Unknown);
        }
        let text = self.text(state, &Word::Known(at), crate::library::texts::TEXT)?;
        let text = text.map_err(|_| Gap::Unknown)?;
        Ok((at, text.len() as u64))
    }

    fn capacity(&self, state: &State, this: u64) -> Result<u64, Gap> {
        match self.word(state, this)? == this + OWN {
            true => Ok(SHORT),
            false => self.word(state, this + OWN),
        }
    }

    fn moved(&mut self, state: &mut State, to: u64, (from, size): Text) -> Result<(), Gap> {
        if size > LONG {
            return Err(Gap::Unknown);
        }
        state.memory.copy(&self.image, to, from, size);
        Ok(())
    }

    /// So many bytes of one kind, for a while.
    fn many(&mut self, state: &mut State, count: u64, byte: &Word) -> Result<u64, Gap> {
        if count > LONG {
            return Err(Gap::Unknown);
        }
        let at = state.memory.allocate(count);
        (0..count).for_each(|place| state.memory.write(at + place, byte, 1));
        Ok(at)
    }

    /// A new string.
    fn begun(&mut self, state: &mut State, this: u64, from: Text) -> Result<Told, Gap> {
        state.memory.write(this, &Word::Known(this + OWN), 8);
        state.memory.write(this + SIZE, &Word::ZERO, 8);
        state.memory.write(this + OWN, &Word::ZERO, 1);
        self.replaced(state, this, (0, 0), from)?;
        Ok(Told::default())
    }

    /// What was moved from is empty.
    fn cleared(&mut self, state: &mut State, this: u64) -> Result<(), Gap> {
        self.begun(state, this, (0, 0)).map(|_| ())
    }

    /// A part of a string, from a place on and so long, is replaced; the string is told.
    fn replaced(
        &mut self,
        state: &mut State,
        this: u64,
        (first, length): Text,
        (from, size): Text,
    ) -> Result<Told, Gap> {
        let (at, old) = self.string(state, this)?;
        let capacity = self.capacity(state, this)?;
        let first = if first == ALL { old } else { first };
        let rest = old.checked_sub(first).ok_or(Gap::throws())?;
        let behind = rest - rest.min(length);
        let all = first.saturating_add(size).saturating_add(behind);
        if old > LONG || all > LONG {
            return Err(Gap::Unknown);
        }
        let (to, room) = match all > capacity {
            true => {
                let room = grown(all, capacity);
                (state.memory.allocate(room + 1), room)
            }
            false => (at, capacity),
        };
        // What is taken may lie in the string itself.
        let kept = state.memory.allocate(all);
        state.memory.copy(&self.image, kept, at, first);
        state.memory.copy(&self.image, kept + first, from, size);
        let (end, last) = (first + size, old - behind);
        state
            .memory
            .copy(&self.image, kept + end, at.wrapping_add(last), behind);
        state.memory.copy(&self.image, to, kept, all);
        state.memory.write(to.wrapping_add(all), &Word::ZERO, 1);
        if to != at {
            state.memory.write(this, &Word::Known(to), 8);
            state.memory.write(this + OWN, &Word::Known(room), 8);
        }
        state.memory.write(this + SIZE, &Word::Known(all), 8);
        Ok(this.into())
    }

    /// What `compare` tells.
    fn ordered(&mut self, state: &State, this: u64, other: Text) -> Result<Told, Gap> {
        let own = self.string(state, this)?;
        let of = |(at, size): Text| self.bytes(state, &Word::Known(at), size);
        let value = match (of(own)?, of(other)?) {
            (Ok(a), Ok(b)) => Word::Known(match a.cmp(&b) {
                std::cmp::Ordering::Less => 0xffff_ffff,
                std::cmp::Ordering::Equal => 0,
                std::cmp::Ordering::Greater => 1,
            }),
            (Err(kind), _) | (_, Err(kind)) => Word::unknown(4, kind),
        };
        Ok(Told(Some(value), None))
    }

    /// Where a text or a byte is found, from a place on.
    fn find(&mut self, state: &State, member: &str) -> Result<Told, Gap> {
        let own = self.other(state, 0)?;
        let place = self.number(state, 2)?;
        let bytes = |(at, size): Text| self.bytes(state, &Word::Known(at), size);
        let part = match member {
            "4findEcm" => {
                let byte = self.given(state, 1).low(1).number()?;
                Ok(vec![byte.ok_or(Gap::Unknown)? as u8])
            }
            "4findEPKcmm" => bytes((self.number(state, 1)?, self.number(state, 3)?))?,
            "4findEPKcm" => bytes(self.c_text(state, 1)?)?,
            _ => bytes(self.other(state, 1)?)?,
        };
        let value = match (bytes(own)?, part) {
            (Ok(text), Ok(part)) => {
                let mut places = place..=(text.len() as u64).saturating_sub(part.len() as u64);
                let found = places.find(|at| text[*at as usize..].starts_with(&part));
                Word::Known(found.unwrap_or(ALL))
            }
            (Err(kind), _) | (_, Err(kind)) => Word::unknown(8, kind),
        };
        Ok(Told(Some(value), None))
    }
}

/// Room for so many bytes where there was less.
fn grown(wanted: u64, old: u64) -> u64 {
    match wanted > old {
        true => wanted.max(old.saturating_mul(2)),
        false => wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_told_by_their_names() {
        let name = "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm";
        assert_eq!(member(name), Some("9_M_createERmm"));
        let name = "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4sizeEv";
        assert_eq!(member(name), Some("4sizeEv"));
        assert_eq!(member("_ZNSt6vectorIiSaIiEE9push_backEOi"), None);
    }

    #[test]
    fn room_doubles() {
        assert_eq!(
            [(16, 15), (40, 15), (10, 15)].map(|(a, b)| grown(a, b)),
            [30, 40, 10]
        );
    }
}
