//! What functions of Go's run-time do (`runtime/*.go`): objects, slices, texts, interfaces.

use crate::bits::{Kind, Word};
use crate::go::calls::Called;
use crate::local::LOCAL;
use crate::machine::{End, Machine, Stop};
use crate::state::State;

/// Bytes that are copied or cleared, at most.
const MOVED: u64 = 1 << 16;
/// An object whose size is not known: reading it reads zeros, as of others.
const LARGE: u64 = 1 << 24;

impl Machine<'_> {
    /// A function of the package `runtime`.
    pub fn go_runtime(&mut self, state: &mut State, name: &str, at: u64) -> Result<Called, Stop> {
        let of = |machine: &Self, number| machine.go_given(state, number);
        let given: [Word; 9] = std::array::from_fn(|number| of(self, number));
        let [a, b, c, d, e, ..] = &given;
        let (mut results, mut kind) = (Vec::new(), Kind::Opaque);
        match name {
            "newobject" => {
                let size = self.go_size(state, a)?;
                results.push(Word::Known(state.memory.allocate(size.unwrap_or(LARGE))));
            }
            "makeslice" | "makeslice64" | "unsafe_NewArray" | "makechan" | "makechan64"
            | "makeslicecopy" => {
                let size = self.go_size(state, a)?;
                let count = match name {
                    "makechan" | "makechan64" => Some(8),
                    "makeslice" | "makeslice64" => c.number()?,
                    _ => b.number()?,
                };
                let bytes = size
                    .zip(count)
                    .map(|(size, count)| size.saturating_mul(count));
                let object = state.memory.allocate(bytes.unwrap_or(LARGE).min(LARGE));
                if name == "makeslicecopy" {
                    let bytes = size.zip(c.number()?).map(|(size, count)| size * count);
                    self.go_copy(state, &Word::Known(object), d, bytes)?;
                }
                results.push(Word::Known(object));
            }
            _ if name.starts_with("mallocgc") => {
                let size = a.number()?.unwrap_or(LARGE);
                results.push(Word::Known(state.memory.allocate(size.min(LARGE))));
            }
            _ if name.starts_with("growslice") => results = self.grown(state, [a, b, c, d, e])?,
            "memmove" => self.go_copy(state, a, b, c.number()?)?,
            "typedmemmove" | "reflect_typedmemmove" | "wbMove" => {
                let size = self.go_size(state, a)?;
                self.go_copy(state, b, c, size)?;
            }
            "typedslicecopy" => {
                let size = self.go_size(state, a)?;
                match (c.number()?, e.number()?) {
                    (Some(to), Some(from)) => {
                        let count = to.min(from);
                        self.go_copy(state, b, d, size.map(|size| size * count))?;
                        results.push(Word::Known(count));
                    }
                    _ => self.go_copy(state, b, d, None)?,
                }
            }
            "memclrNoHeapPointers" | "memclrHasPointers" => self.zeroed(state, a, b.number()?)?,
            "typedmemclr" | "wbZero" => {
                let size = self.go_size(state, a)?;
                self.zeroed(state, b, size)?;
            }
            "memequal" => results.push(self.is_same(state, a, b, c.number()?)?),
            "memequal0" => results.push(Word::Known(1)),
            "memequal8" | "memequal16" | "memequal32" | "memequal64" | "memequal128" => {
                let bits: u64 = name["memequal".len()..].parse().unwrap_or(0);
                results.push(self.is_same(state, a, b, Some(bits / 8))?);
            }
            "memequal_varlen" => {
                let closure = state.registers[crate::convention::GO_CLOSURE].number()?;
                let size = closure.map(|at| self.load(state, Ok(at.wrapping_add(8)), 8));
                let size = size.and_then(|size| size.known());
                results.push(self.is_same(state, a, b, size)?);
            }
            "strequal" => {
                let (a, b) = (self.header(state, a)?, self.header(state, b)?);
                results.push(self.is_same_text(state, &a, &b)?);
            }
            "efaceeq" | "ifaceeq" => results.push(self.is_same_value(state, name, [a, b, c])?),
            "cmpstring" => {
                let texts = (self.go_text(state, a, b)?, self.go_text(state, c, d)?);
                results.push(match texts {
                    (Ok(a), Ok(b)) => Word::Known(a.cmp(&b) as i64 as u64),
                    (Err(kind), _) | (_, Err(kind)) => Word::unknown(8, kind),
                });
            }
            "convT" | "convTnoptr" => {
                let size = self.go_size(state, a)?;
                let object = state.memory.allocate(size.unwrap_or(LARGE));
                self.go_copy(state, &Word::Known(object), b, size)?;
                results.push(Word::Known(object));
            }
            "convT16" | "convT32" | "convT64" => {
                let object = state.memory.allocate(8);
                state.memory.write(object, a, 8);
                results.push(Word::Known(object));
            }
            "convTstring" | "convTslice" => {
                let object = state.memory.allocate(24);
                let words = if name == "convTslice" { 3 } else { 2 };
                for (word, place) in given[..words].iter().zip((object..).step_by(8)) {
                    state.memory.write(place, word, 8);
                }
                results.push(Word::Known(object));
            }
            "assertE2I" | "assertE2I2" => results = vec![self.itab(state, a, b)?],
            "typeAssert" => {
                let interface = self.member(state, a, 8)?;
                results = vec![self.itab(state, &interface, b)?];
            }
            "slicebytetostring" | "stringtoslicebyte" | "slicebytetostringtmp" => {
                let size = c.number()?;
                let object = state.memory.allocate(size.unwrap_or(LARGE).min(LARGE));
                self.go_copy(state, &Word::Known(object), b, size)?;
                results = match size {
                    Some(_) => vec![Word::Known(object), c.clone(), c.clone()],
                    None => vec![Word::unknown(8, Kind::Input), c.clone(), c.clone()],
                };
            }
            "concatstrings" => results = self.joined_texts(state, &self.listed(state, b, c)?)?,
            "concatstring2" | "concatstring3" | "concatstring4" => {
                let count = usize::from(name.as_bytes()[12] - b'0');
                let pairs: Vec<(Word, Word)> = (0..count)
                    .map(|at| (given[1 + at * 2].clone(), given[2 + at * 2].clone()))
                    .collect();
                results = self.joined_texts(state, &pairs)?;
            }
            // It runs at any time.
            "newproc" => {
                state.is_unsure = true;
                match self.go_closure(state, a)? {
                    Some(code) => return Ok(Called::Code(code)),
                    None => self.found.lost(at, &state.conditions, &self.symbols),
                }
            }
            // When it runs is not followed.
            _ if name.starts_with("deferproc") || name.starts_with("deferrange") => {
                self.found.lost(at, &state.conditions, &self.symbols);
                state.is_unsure = true;
                results = vec![Word::ZERO];
            }
            // Nothing panicked, but where a routine is gone through by itself.
            "gorecover" if state.started < LOCAL => results = vec![Word::ZERO, Word::ZERO],
            "chanrecv1" | "chanrecv2" => {
                self.go_forget(state, b)?;
                results = vec![Word::Unknown(1, Kind::Input)];
            }
            "selectnbrecv" => {
                self.go_forget(state, a)?;
                results = vec![Word::Unknown(1, Kind::Input); 2];
            }
            "selectnbsend" | "selectgo" => {
                state.is_unsure |= name == "selectgo";
                results = vec![
                    Word::Unknown(16, Kind::Input),
                    Word::Unknown(1, Kind::Input),
                ];
            }
            "GOMAXPROCS" | "NumCPU" | "NumGoroutine" | "nanotime" | "rand" | "fastrand" => {
                kind = Kind::Input;
            }
            _ if name.starts_with("map") || name.starts_with("makemap") => {
                results = self.go_map(state, name)?;
            }
            _ if name.starts_with("cgocall") => {
                self.found.lost(at, &state.conditions, &self.symbols);
                state.is_unsure = true;
            }
            "runtime.goexit1" => return Err(Stop::End(End::Left)),
            _ => {}
        }
        self.go_back(state, results, kind);
        Ok(Called::Back)
    }

    /// The size of what a type describes.
    fn go_size(&self, state: &State, of: &Word) -> Result<Option<u64>, Stop> {
        let word = self.member(state, of, 0)?;
        Ok(word.number()?)
    }

    /// The word so far behind an address.
    fn member(&self, state: &State, of: &Word, by: u64) -> Result<Word, Stop> {
        let at = of.number()?.ok_or(of.kind().unwrap_or(Kind::Opaque));
        Ok(self.load(state, at.map(|at| at.wrapping_add(by)), 8))
    }

    /// Two words: a text's address and length, or an interface's type and data.
    pub(super) fn header(&self, state: &State, at: &Word) -> Result<(Word, Word), Stop> {
        Ok((self.member(state, at, 0)?, self.member(state, at, 8)?))
    }

    pub(super) fn go_copy(
        &self,
        state: &mut State,
        to: &Word,
        from: &Word,
        size: Option<u64>,
    ) -> Result<(), Stop> {
        match (to.number()?, from.number()?, size) {
            (_, _, Some(0)) => {}
            (Some(to), Some(from), Some(size)) if size <= MOVED => {
                state.memory.copy(&self.image, to, from, size);
            }
            (Some(to), from, size) => {
                state.is_unsure |= size.is_none_or(|size| size > MOVED);
                let kind = match from {
                    Some(_) => Kind::Opaque,
                    None => Kind::Input,
                };
                let size = size
                    .unwrap_or(crate::library::texts::TEXT)
                    .min(crate::library::texts::TEXT);
                state.memory.forget(to, size, kind);
            }
            _ => state.is_unsure = true,
        }
        Ok(())
    }

    fn zeroed(&self, state: &mut State, at: &Word, size: Option<u64>) -> Result<(), Stop> {
        match (at.number()?, size) {
            (Some(at), Some(size)) if size <= MOVED => {
                let whole = size / 8;
                for word in 0..whole {
                    state
                        .memory
                        .write(at.wrapping_add(word * 8), &Word::ZERO, 8);
                }
                for byte in whole * 8..size {
                    state.memory.write(at.wrapping_add(byte), &Word::ZERO, 1);
                }
            }
            _ => state.is_unsure = true,
        }
        Ok(())
    }

    fn go_forget(&self, state: &mut State, at: &Word) -> Result<(), Stop> {
        match at.number()? {
            Some(0) => {}
            Some(at) => state.memory.forget(at, 64, Kind::Opaque),
            None => state.is_unsure = true,
        }
        Ok(())
    }

    /// What `append` makes: address, length and room.
    fn grown(&self, state: &mut State, given: [&Word; 5]) -> Result<Vec<Word>, Stop> {
        let [old, length, room, more, of] = given;
        let size = self.go_size(state, of)?;
        let (Some(now), Some(before), Some(more), Some(size)) =
            (length.number()?, room.number()?, more.number()?, size)
        else {
            let any = Word::unknown(8, Kind::Opaque);
            return Ok(vec![any.clone(), length.clone(), any]);
        };
        let room = now.max(before.saturating_mul(2)).min(LARGE);
        let object = state.memory.allocate(room.saturating_mul(size).min(LARGE));
        let kept = now.saturating_sub(more).saturating_mul(size);
        self.go_copy(state, &Word::Known(object), old, Some(kept))?;
        Ok(vec![
            Word::Known(object),
            Word::Known(now),
            Word::Known(room),
        ])
    }

    pub(super) fn is_same(
        &self,
        state: &State,
        a: &Word,
        b: &Word,
        size: Option<u64>,
    ) -> Result<Word, Stop> {
        let Some(size) = size else {
            return Ok(Word::Unknown(1, Kind::Opaque));
        };
        if a == b && a.known().is_some() {
            return Ok(Word::Known(1));
        }
        Ok(
            match (self.bytes(state, a, size)?, self.bytes(state, b, size)?) {
                (Ok(a), Ok(b)) => Word::Known(u64::from(a == b)),
                (Err(kind), _) | (_, Err(kind)) => Word::Unknown(1, kind),
            },
        )
    }

    fn go_text(
        &self,
        state: &State,
        at: &Word,
        length: &Word,
    ) -> Result<Result<Vec<u8>, Kind>, Stop> {
        match length.number()? {
            Some(0) => Ok(Ok(Vec::new())),
            Some(length) => self.bytes(state, at, length),
            None => Ok(Err(length.kind().unwrap_or(Kind::Opaque))),
        }
    }

    pub(super) fn is_same_text(
        &self,
        state: &State,
        a: &(Word, Word),
        b: &(Word, Word),
    ) -> Result<Word, Stop> {
        let texts = (
            self.go_text(state, &a.0, &a.1)?,
            self.go_text(state, &b.0, &b.1)?,
        );
        Ok(match texts {
            (Ok(a), Ok(b)) => Word::Known(u64::from(a == b)),
            (Err(kind), _) | (_, Err(kind)) => Word::Unknown(1, kind),
        })
    }

    /// Whether two interfaces of one type hold the same.
    fn is_same_value(&self, state: &State, name: &str, given: [&Word; 3]) -> Result<Word, Stop> {
        let [of, a, b] = given;
        if a == b && a.known().is_some() {
            return Ok(Word::Known(1));
        }
        let of = match name {
            "ifaceeq" => self.member(state, of, 8)?,
            _ => of.clone(),
        };
        let kind = self.member(state, &of, 16)?.right(56).low(1).number()?;
        let flags = self.member(state, &of, 16)?.right(32).low(1).number()?;
        Ok(match (kind.map(|kind| kind & 31), flags) {
            (Some(24), _) => {
                let (a, b) = (self.header(state, a)?, self.header(state, b)?);
                self.is_same_text(state, &a, &b)?
            }
            // Pointers are the data itself.
            (Some(18 | 19 | 21 | 22 | 26), _) => match (a.number()?, b.number()?) {
                (Some(a), Some(b)) => Word::Known(u64::from(a == b)),
                _ => Word::Unknown(1, Kind::Opaque),
            },
            // Memory tells.
            (Some(_), Some(flags)) if flags & 8 == 8 => {
                let size = self.go_size(state, &of)?;
                self.is_same(state, a, b, size)?
            }
            _ => Word::Unknown(1, Kind::Opaque),
        })
    }

    /// Texts of a slice.
    fn listed(&self, state: &State, at: &Word, count: &Word) -> Result<Vec<(Word, Word)>, Stop> {
        let count = count.number()?.unwrap_or(0).min(64);
        let one = |number: u64| {
            let place = at
                .known()
                .map(|at| Word::Known(at.wrapping_add(number * 16)));
            self.header(state, &place.unwrap_or(Word::unknown(8, Kind::Opaque)))
        };
        (0..count).map(one).collect()
    }

    fn joined_texts(&self, state: &mut State, pairs: &[(Word, Word)]) -> Result<Vec<Word>, Stop> {
        let mut all = Vec::new();
        for (at, length) in pairs {
            match self.go_text(state, at, length)? {
                Ok(text) => all.extend(text),
                Err(kind) => {
                    return Ok(vec![Word::unknown(8, kind), Word::Unknown(31, kind)]);
                }
            }
        }
        let object = state.memory.allocate(all.len() as u64);
        for (place, byte) in (object..).zip(&all) {
            state.memory.write(place, &Word::Known(u64::from(*byte)), 1);
        }
        Ok(vec![Word::Known(object), Word::Known(all.len() as u64)])
    }
}
