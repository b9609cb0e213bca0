//! What functions of other files do, as far as that matters to who calls what.

use crate::bits::{Kind, Word};
use crate::library::Told;
use crate::library::effects::{OUTPUT, TOLD, ZERO, stores_behind};
use crate::library::once::PROXY;
use crate::library::stubs;
use crate::library::texts::{TEXT, number};
use crate::library::words;
use crate::machine::{End, Machine, Stop};
use crate::memory::{ENVIRONMENT, STUBS, stack_of};
use crate::state::State;
use crate::system;
use crate::windows;
use karat_flow::facts::features::Register;
use karat_flow::names::never_returns;

/// Bytes that are copied, at most.
const COPIED: u64 = 1 << 16;

impl<'p> Machine<'p> {
    /// Carries out a call of another file's function. Some: the address of code that does.
    pub fn import(
        &mut self,
        state: &mut State,
        name: &'p str,
        at: u64,
    ) -> Result<Option<u64>, Stop> {
        let name = match self.windows {
            Some(_) => windows::alias(name),
            None => name,
        };
        if let Some(code) = self.stub(name)
            && self.is_countable(state, name)?
            && self.is_waited_for(state, name)?
        {
            state.is_unsure |= stubs::is_thread(code);
            return Ok(Some(STUBS + code));
        }
        if name == "__libc_start_main" {
            self.begin(state)?;
            return Err(Stop::Go);
        }
        if let Some(Told(result, _)) = self.windows_call(state, name)? {
            self.after_call(state, result);
            return Ok(None);
        }
        if self.windows.is_none()
            && let Some(told) = self.thrown(state, name)?
        {
            self.after_call(state, Some(told));
            return Ok(None);
        }
        if self.sold.is_some() && name.contains("longjmp") {
            self.jumps_back(state)?;
        }
        if name == "syscall" && self.windows.is_none() {
            // The number comes first, and the fourth argument is in another register.
            const MOVES: [(usize, usize); 6] = [(0, 7), (7, 6), (6, 2), (2, 1), (10, 8), (8, 9)];
            let moves = if self.is_arm() { system::ARM } else { MOVES };
            let number = state.registers[0].clone();
            for (to, from) in moves {
                state.registers[to] = state.registers[from].clone();
            }
            if self.is_arm() {
                state.registers[system::NUMBER] = number;
            }
            self.system_call(state)?;
            let result = match state.registers[0].clone() {
                Word::Known(error) if error > u64::MAX - 4095 => Word::Known(u64::MAX),
                result => result,
            };
            self.after_call(state, Some(result));
            return Ok(None);
        }
        if ["pthread_exit", "thrd_exit"].contains(&name) && self.ends_thread(state)? {
            return Err(Stop::Go);
        }
        if never_returns(name) {
            // What catches it is not followed.
            let is_caught = ["throw", "Unwind", "longjmp"]
                .iter()
                .any(|part| name.contains(part));
            return Err(Stop::End(if is_caught { End::Lost } else { End::Left }));
        }
        if name == PROXY {
            return Ok(Some(self.once(state)?));
        }
        if self.registers(state, name)? {
            self.after_call(state, Some(Word::ZERO));
            return Ok(None);
        }
        if self.windows.is_none()
            && let Some(Told(result, second)) = self.library(state, name)?
        {
            self.after_call(state, result);
            match second {
                Some(value) if words::is_real(name) => state.vectors[0] = [value, Word::ZERO],
                Some(second) => state.registers[2] = second,
                None => {}
            }
            return Ok(None);
        }
        if let Some(Told(result, _)) = self.asks_arm(state, name)? {
            self.after_call(state, result);
            return Ok(None);
        }
        let result = match self.answered(state, name)? {
            Some(known) => Some(known),
            None => self.result(state, name, at)?,
        };
        self.after_call(state, result);
        Ok(None)
    }

    /// Where the code is that stands for a function.
    pub fn stub(&self, name: &str) -> Option<u64> {
        match self.is_arm() {
            true => stubs::of_arm(name),
            false => stubs::of(name, self.windows.is_some()),
        }
    }

    pub fn given(&self, state: &State, number: usize) -> Word {
        let word = match &self.windows {
            Some(_) => self.windows_argument(state, number),
            None => self.argument(state, number).clone(),
        };
        state.plain(&self.symbols, word)
    }

    /// The result, and what is stored.
    fn result(&mut self, state: &mut State, name: &str, at: u64) -> Result<Option<Word>, Stop> {
        let opaque = Some(Word::unknown(8, Kind::Opaque));
        Ok(match name {
            "malloc"
            | "_Znwm"
            | "_Znam"
            | "_ZnwmRKSt9nothrow_t"
            | "valloc"
            | "_ZnwmSt11align_val_t" => {
                let size = self.given(state, 0).number()?.unwrap_or(TEXT);
                Some(Word::Known(state.memory.allocate(size)))
            }
            "aligned_alloc" | "memalign" => {
                let size = self.given(state, 1).number()?.unwrap_or(TEXT);
                Some(Word::Known(state.memory.allocate(size)))
            }
            "posix_memalign" => {
                let size = self.given(state, 2).number()?.unwrap_or(TEXT);
                let to = self.given(state, 0).number()?;
                let object = state.memory.allocate(size);
                self.store(state, to.ok_or(Kind::Opaque), &Word::Known(object), 8);
                Some(Word::ZERO)
            }
            "calloc" => {
                let (count, size) = (
                    self.given(state, 0).number()?,
                    self.given(state, 1).number()?,
                );
                let size = count
                    .zip(size)
                    .map(|(count, size)| count.saturating_mul(size));
                let at = state.memory.allocate(size.unwrap_or(TEXT));
                for word in 0..size.unwrap_or(TEXT).min(COPIED).div_ceil(8) {
                    state.memory.write(at + word * 8, &Word::ZERO, 8);
                }
                Some(Word::Known(at))
            }
            "realloc" => {
                let from = self.given(state, 0).number()?;
                let size = self.given(state, 1).number()?.unwrap_or(TEXT);
                let at = state.memory.allocate(size);
                if let Some((start, old)) = from.and_then(|from| state.memory.object(from)) {
                    state
                        .memory
                        .copy(&self.image, at, start, old.min(size).min(COPIED));
                }
                Some(Word::Known(at))
            }
            "strlen" => Some(match self.text(state, &self.given(state, 0), TEXT)? {
                Ok(text) => Word::Known(text.len() as u64),
                Err(kind) => Word::Unknown(31, kind),
            }),
            "strcmp" | "strncmp" | "strcasecmp" | "strncasecmp" | "memcmp" | "bcmp" => {
                Some(self.compared(state, name)?)
            }
            "strstr" => {
                let (a, b) = (self.given(state, 0), self.given(state, 1));
                Some(
                    match (self.text(state, &a, TEXT)?, self.text(state, &b, TEXT)?) {
                        (Ok(text), Ok(part)) => {
                            let at = match part.is_empty() {
                                true => Some(0),
                                false => text.windows(part.len()).position(|w| w == part),
                            };
                            let start = a.known().unwrap_or(0);
                            Word::Known(at.map_or(0, |at| start.wrapping_add(at as u64)))
                        }
                        (Err(kind), _) | (_, Err(kind)) => Word::unknown(8, kind),
                    },
                )
            }
            "strchr" | "strrchr" => {
                let a = self.given(state, 0);
                let byte = self.given(state, 1).low(1).number()?;
                Some(match (self.text(state, &a, TEXT)?, byte) {
                    (Ok(text), Some(byte)) => {
                        let is_one = |known: &u8| u64::from(*known) == byte;
                        let at = match name {
                            _ if byte == 0 => Some(text.len()),
                            "strchr" => text.iter().position(is_one),
                            _ => text.iter().rposition(is_one),
                        };
                        let start = a.known().unwrap_or(0);
                        Word::Known(at.map_or(0, |at| start.wrapping_add(at as u64)))
                    }
                    (Err(kind), _) => Word::unknown(8, kind),
                    _ => Word::unknown(8, Kind::Opaque),
                })
            }
            "memcpy" | "memmove" | "__memcpy_chk" | "__memmove_chk" | "mempcpy" => {
                let [to, from, size] = [0, 1, 2].map(|at| self.given(state, at));
                match (to.number()?, from.number()?, size.number()?) {
                    (Some(to), Some(from), Some(size)) if size <= COPIED => {
                        state.memory.copy(&self.image, to, from, size);
                    }
                    (Some(to), _, size) => {
                        state.is_unsure |= size.is_none_or(|size| size > COPIED);
                        let size = size.unwrap_or(TEXT).min(COPIED);
                        self.forget(state, to, size);
                    }
                    _ => state.is_unsure = true,
                }
                match (name, to.known(), size.known()) {
                    ("mempcpy", Some(to), Some(size)) => Some(Word::Known(to.wrapping_add(size))),
                    _ => Some(to),
                }
            }
            "memset" | "__memset_chk" | "bzero" => {
                let to = self.given(state, 0);
                let (byte, size) = match name {
                    "bzero" => (Word::ZERO, self.given(state, 1)),
                    _ => (self.given(state, 1), self.given(state, 2)),
                };
                match (to.number()?, size.number()?) {
                    (Some(to), Some(size)) if size <= COPIED => {
                        (0..size).for_each(|at| state.memory.write(to.wrapping_add(at), &byte, 1));
                    }
                    (Some(to), _) => self.forget(state, to, TEXT),
                    _ => state.is_unsure = true,
                }
                Some(to)
            }
            "strcpy" | "strncpy" | "stpcpy" | "strcat" | "__strcpy_chk" | "__strcat_chk"
            | "__strncpy_chk" | "__stpcpy_chk" => {
                let (to, from) = (self.given(state, 0), self.given(state, 1));
                let most = match name.contains("ncpy") {
                    true => self.given(state, 2).number()?.unwrap_or(TEXT),
                    false => TEXT,
                };
                let text = self.text(state, &from, most)?;
                let begin = match name.contains("cat") {
                    true => self.text(state, &to, TEXT)?.map(|text| text.len() as u64),
                    false => Ok(0),
                };
                let mut end = match name.contains("stp") {
                    true => Word::unknown(8, Kind::Opaque),
                    false => to.clone(),
                };
                match (to.number()?, text, begin) {
                    (Some(to), Ok(mut text), Ok(begin)) => {
                        // `strncpy` fills up with zeros, and ends with none where it is full.
                        match name.contains("ncpy") {
                            true => text.resize(most.min(TEXT) as usize, 0),
                            false => text.push(0),
                        }
                        if name.contains("stp") {
                            end = Word::Known(to.wrapping_add(text.len() as u64 - 1));
                        }
                        let start = to.wrapping_add(begin);
                        for (at, byte) in (0..).zip(text) {
                            let at = start.wrapping_add(at);
                            state.memory.write(at, &Word::Known(u64::from(byte)), 1);
                        }
                    }
                    (Some(to), ..) => self.forget(state, to, 256),
                    _ => state.is_unsure = true,
                }
                Some(end)
            }
            "strdup" | "__strdup" => {
                let text = self.text(state, &self.given(state, 0), TEXT)?;
                let size = text.as_ref().map_or(256, |text| text.len() as u64 + 1);
                let at = state.memory.allocate(size);
                if let Ok(text) = text {
                    for (at, byte) in (at..).zip(text.iter().chain([&0])) {
                        state.memory.write(at, &Word::Known(u64::from(*byte)), 1);
                    }
                }
                Some(Word::Known(at))
            }
            "getenv" | "secure_getenv" | "__secure_getenv" => {
                let bit = match self.text(state, &self.given(state, 0), TEXT)? {
                    Ok(name) if !self.sets_variables => self.symbols.variable(name),
                    _ => Kind::Environment.bit(),
                };
                let bit = state.truth(&self.symbols, bit).unwrap_or(bit);
                match self.is_set(state, bit)? {
                    true => Some(Word::Known(ENVIRONMENT)),
                    false => Some(Word::ZERO),
                }
            }
            "dlopen" => Some(Word::Known(ENVIRONMENT + 0x1000)),
            "dlsym" => match self.text(state, &self.given(state, 1), TEXT)? {
                Ok(text) => Some(
                    self.exported(&text)
                        .unwrap_or(Word::unknown(8, Kind::Opaque)),
                ),
                Err(_) => opaque,
            },
            "__cxa_guard_acquire" => {
                let guard = self.given(state, 0).number()?.ok_or(Kind::Opaque);
                let done = self.load(state, guard, 1).number()?;
                Some(Word::Known(u64::from(done == Some(0))))
            }
            "__cxa_guard_release" => {
                let guard = self.given(state, 0).number()?.ok_or(Kind::Opaque);
                self.store(state, guard, &Word::Known(1), 1);
                None
            }
            "signal" | "sigaction" | "__sysv_signal" | "bsd_signal" => {
                Some(self.handles(state, name)?)
            }
            "__sigsetjmp" | "_setjmp" | "sigsetjmp" | "setjmp" => self.marks(state, at)?.or(opaque),
            "__tls_get_addr" => {
                let pair = self.given(state, 0).number()?;
                let known = pair.and_then(|pair| {
                    let own = self.image.program.thread_pair(pair);
                    let other = || self.image.pairs.get(&pair).map(|at| self.thread + at);
                    own.or_else(other)
                });
                known.map(Word::Known)
            }
            "__x86_get_cpuid_feature_leaf" => self.feature_leaf(state)?,
            "getauxval" => Some(Word::unknown(8, Kind::Opaque)),
            "_ZNSt6thread6detachEv" => {
                let to = self.given(state, 0).number()?.ok_or(Kind::Opaque);
                self.store(state, to, &Word::ZERO, 8);
                None
            }
            _ if [
                "_ZNSt18condition_variable",
                "_ZNSt28__atomic_futex_unsigned_base",
                "_ZNSt15__exception_ptr13exception_ptr9_M_addref",
                "_ZNSt15__exception_ptr13exception_ptr10_M_release",
            ]
            .iter()
            .any(|known| name.starts_with(known)) =>
            {
                None
            }
            "__dynamic_cast" => Some(self.cast(state)?),
            "__errno_location" => Some(Word::Known(ENVIRONMENT + 0x2000)),
            // `ETIMEDOUT`
            "pthread_cond_timedwait" | "pthread_cond_clockwait" => Some(Word::Known(110)),
            "pthread_self" => Some(Word::Known(self.thread)),
            _ if ZERO.contains(&name) => {
                // What it may call is not followed.
                state.is_unsure |= self.is_given_code(state);
                Some(Word::ZERO)
            }
            _ if OUTPUT.contains(&name) => None,
            _ if TOLD.contains(&name) => {
                let kind = match name.starts_with("to") {
                    true => self.given(state, 0).kind(),
                    false => match self.text(state, &self.given(state, 0), 64)? {
                        Ok(text) => {
                            let text = String::from_utf8_lossy(&text).into_owned();
                            let base = match name.starts_with("ato") {
                                true => Some(10),
                                false => self.given(state, 2).low(4).number()?,
                            };
                            let (value, read) = number(&text, base);
                            if !name.starts_with("ato") {
                                self.told_end(state, read)?;
                            }
                            return Ok(Some(value));
                        }
                        Err(kind) => {
                            if !name.starts_with("ato") {
                                self.told_end(state, None)?;
                            }
                            Some(kind)
                        }
                    },
                };
                Some(Word::unknown(8, kind.unwrap_or(Kind::Opaque)))
            }
            // Streams of C++ give themselves back.
            _ if [
                "_ZNSo",
                "_ZStls",
                "_ZSt16__ostream_insert",
                "_ZSt4endl",
                "_ZSt5flush",
            ]
            .iter()
            .any(|known| name.starts_with(known)) =>
            {
                Some(self.given(state, 0))
            }
            _ if ["_ZNSt8ios_base", "_ZNSt9basic_ios", "_ZNKSt"]
                .iter()
                .any(|known| name.starts_with(known)) =>
            {
                opaque
            }
            _ => {
                if self.is_given_code(state) {
                    self.found.lost(at, &state.conditions, &self.symbols);
                    state.is_unsure = true;
                }
                // Other registers hold what was left in them.
                for number in 0..stores_behind(name) {
                    if let Word::Known(at) = self.given(state, number) {
                        self.given_away(state, at);
                    }
                }
                opaque
            }
        })
    }

    /// Whether a function is given one of the program's, which it may call.
    pub fn is_given_code(&self, state: &State) -> bool {
        (0..4).any(|number| {
            self.given(state, number)
                .known()
                .is_some_and(|at| self.is_start(at))
        })
    }

    fn forget(&self, state: &mut State, at: u64, size: u64) {
        let size = match state.memory.object(at) {
            Some((start, all)) => size.min(start + all - at),
            None => size,
        };
        state.memory.forget(at, size, Kind::Opaque);
    }

    /// What a function that is not known may store behind an address it was given.
    pub fn given_away(&self, state: &mut State, at: u64) {
        if let Some((start, size)) = state.memory.object(at) {
            state.memory.forget(start, size.min(TEXT), Kind::Opaque);
            state.is_unsure = true;
            return;
        }
        let program = self.image.program;
        let top = state.registers[4].known().unwrap_or(0);
        if let Some(stack) = stack_of(at) {
            let end = match (stack.contains(&top), state.frames.last()) {
                (true, _) if at < top => at,
                (true, Some(frame)) => frame.stack,
                _ => stack.end,
            };
            let size = end.saturating_sub(at).min(64);
            state.memory.forget(at, size, Kind::Opaque);
            state.is_unsure = true;
        } else if program.is_written(at) {
            state.memory.forget(at, 8, Kind::Opaque);
            state.is_unsure = true;
        }
    }

    /// The address of a function or variable that the file exports.
    fn exported(&self, name: &[u8]) -> Option<Word> {
        let name = std::str::from_utf8(name).ok()?;
        let program = self.image.program;
        let routine = program
            .routines
            .iter()
            .find(|routine| routine.names.into_iter().any(|known| *known == name));
        Some(match routine {
            Some(routine) => Word::Known(routine.start),
            None => Word::ZERO,
        })
    }

    /// glibc's words: of each leaf what CPUID answers, then what may be used.
    fn feature_leaf(&mut self, state: &mut State) -> Result<Option<Word>, Stop> {
        const LEAVES: [(u32, u32); 4] = [(1, 0), (7, 0), (0x8000_0001, 0), (0xd, 1)];
        let number = self.given(state, 0).low(4).number()?;
        let leaf = number.and_then(|number| LEAVES.get(number as usize));
        let Some(&(leaf, subleaf)) = leaf else {
            return Ok(Some(Word::Known(ENVIRONMENT + 0x3000)));
        };
        let at = state.memory.allocate(32);
        for half in 0..2 {
            let registers = [Register::A, Register::B, Register::C, Register::D];
            for (place, register) in registers.into_iter().enumerate() {
                let mut bits = [0; 64];
                for (bit, number) in bits.iter_mut().take(32).zip(0..) {
                    *bit = self.symbols.cpuid(leaf, subleaf, register, number);
                }
                state
                    .memory
                    .write(at + half * 16 + place as u64 * 4, &Word::from_bits(bits), 4);
            }
        }
        Ok(Some(Word::Known(at)))
    }
}
