//! One run of a program: without arguments and without an environment, where the system does what
//! it is asked for. That may happen, so a CPU that dies there dies; of other runs it says nothing.

use crate::bits::{Kind, Word};
use crate::cpu::LEAF_1_EDX;
use crate::facts::Facts;
use crate::library::texts::TEXT;
use crate::machine::{Machine, Stop};
use crate::memory::{GIVEN, STACK, STACK_SIZE};
use crate::sold::Sold;
use crate::state::State;

/// Where the program's name is, and bytes that stand for random ones.
pub(crate) const NAME: u64 = GIVEN + 0x2000;
const RANDOM: u64 = GIVEN + 0x3000;
/// Where what the system calls the CPU is.
const PLATFORM: u64 = GIVEN + 0x3800;
/// Keys of what it tells (`elf.h`).
const AT_PAGESZ: u64 = 6;
const AT_PLATFORM: u64 = 15;
const AT_HWCAP: u64 = 16;
const AT_CLKTCK: u64 = 17;
const AT_SECURE: u64 = 23;
const AT_RANDOM: u64 = 25;
const AT_HWCAP2: u64 = 26;
const AT_MINSIGSTKSZ: u64 = 51;
/// How far behind the stack's top what the system tells lies.
pub(crate) const AUXILIARY: u64 = 32;
/// How many keys of threads there are.
const KEYS: u64 = GIVEN + 0x4000;
/// How much of the clock has passed; when it began, in seconds since 1970; and of a second.
const CLOCK: u64 = GIVEN + 0x8000;
const BEGAN: u64 = 1_700_000_000;
const SECOND: u64 = 1_000_000_000;
/// How many processors there are.
const PROCESSORS: u64 = 2;
/// Bytes of a page, and of those that are mapped at once, at most.
const PAGE: u64 = 4096;
const MAPPED: u64 = 1 << 16;
/// Bytes that are random, at most.
const MOST: u64 = 4096;

/// What the system tells: keys and values (`getauxval`), of a CPU what is its own.
pub(crate) fn auxiliary(is_arm: bool, cpu: Option<&Sold>) -> Vec<[u64; 2]> {
    if is_arm {
        // Both words come first: where the CPU is not one that is known, they are symbols.
        let words = cpu
            .and_then(|cpu| cpu.arm)
            .map_or((0, 0), |cpu| (cpu.hwcap, cpu.hwcap2));
        return vec![
            [AT_HWCAP, words.0],
            [AT_HWCAP2, words.1],
            [AT_PAGESZ, PAGE],
            [AT_RANDOM, RANDOM],
            [AT_PLATFORM, PLATFORM],
            [AT_SECURE, 0],
            [AT_CLKTCK, 100],
            [0; 2],
        ];
    }
    let mut all = vec![
        [AT_PAGESZ, PAGE],
        [AT_HWCAP, LEAF_1_EDX],
        [AT_RANDOM, RANDOM],
    ];
    all.extend([[AT_PLATFORM, PLATFORM], [AT_SECURE, 0], [AT_CLKTCK, 100]]);
    if let Some(cpu) = cpu {
        let has = |name| Facts::named(name).without(cpu.has()).is_none();
        all.push([AT_HWCAP2, u64::from(has("fsgsbase")) << 1]);
        // What is kept of registers where a signal is handled.
        let size = match (has("avx512f"), has("avx")) {
            (true, _) => 3632,
            (_, true) => 1776,
            _ => 1456,
        };
        all.push([AT_MINSIGSTKSZ, size]);
    }
    all.push([0; 2]);
    all
}

/// What a program finds on its stack, and what its initialisers and `main` are given.
pub(crate) fn begin(state: &mut State, stack: u64, (is_arm, cpu): (bool, Option<&Sold>)) {
    let mut write = |at: u64, words: &[u64]| {
        for (at, word) in (at..).step_by(8).zip(words) {
            state.memory.write(at, &Word::Known(*word), 8);
        }
    };
    write(stack, &[1, NAME, 0, 0]);
    write(stack + AUXILIARY, &auxiliary(is_arm, cpu).concat());
    let name = if is_arm { b"aarch64\0" } else { b"x86_64\0\0" };
    write(PLATFORM, &[u64::from_le_bytes(*name)]);
    write(GIVEN, &[NAME, 0]);
    write(GIVEN + 0x1000, &[0]);
    write(NAME, &[u64::from_le_bytes(*b"program\0")]);
    write(KEYS, &[0]);
    write(CLOCK, &[0]);
    write(RANDOM, &[0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210]);
}

impl Machine<'_> {
    /// What a function of the C library tells in that run, as the system may answer it.
    pub fn answered(&mut self, state: &mut State, name: &str) -> Result<Option<Word>, Stop> {
        if name == "pthread_key_create" {
            return Ok(Some(self.key(state)?));
        }
        if !self.is_plain {
            return Ok(None);
        }
        Ok(match name {
            "getenv" | "secure_getenv" | "__secure_getenv" => {
                self.found.asks_environment = true;
                Some(Word::ZERO)
            }
            // No arguments, no options.
            "getopt" | "getopt_long" | "getopt_long_only" => {
                let count = self.given(state, 0).low(4).known();
                count
                    .filter(|count| *count <= 1)
                    .map(|_| Word::Known(u64::MAX))
            }
            "write" => Some(self.given(state, 2)),
            "mprotect" | "munmap" | "sigaltstack" | "poll" | "pthread_getattr_np" => {
                Some(Word::ZERO)
            }
            "mmap" | "mmap64" => match self.given(state, 1).number()? {
                Some(size) => self.mapped(state, size),
                None => None,
            },
            // `_SC_PAGESIZE`
            "sysconf" if self.given(state, 0).low(4).known() == Some(30) => Some(Word::Known(PAGE)),
            // `_SC_NPROCESSORS_CONF`, `_SC_NPROCESSORS_ONLN`
            "sysconf" if matches!(self.given(state, 0).low(4).known(), Some(83 | 84)) => {
                Some(Word::Known(PROCESSORS))
            }
            "get_nprocs" | "get_nprocs_conf" | "_ZNSt6thread20hardware_concurrencyEv" => {
                Some(Word::Known(PROCESSORS))
            }
            "pthread_attr_getstack" => {
                self.tell(state, 1, STACK - STACK_SIZE)?;
                self.tell(state, 2, STACK_SIZE)?;
                Some(Word::ZERO)
            }
            "time" => {
                let now = self.clock(state) / SECOND;
                if self.given(state, 0).number()? != Some(0) {
                    self.tell(state, 0, now)?;
                }
                Some(Word::Known(now))
            }
            "clock" => Some(Word::Known(self.clock(state) / 1000 % SECOND)),
            "clock_gettime" | "gettimeofday" => {
                let now = self.clock(state);
                let (place, part) = match name {
                    "gettimeofday" => (0, now % SECOND / 1000),
                    _ => (1, now % SECOND),
                };
                self.tell(state, place, now / SECOND)?;
                self.tell_behind(state, place, part)?;
                Some(Word::ZERO)
            }
            "_ZNSt6chrono3_V212steady_clock3nowEv" | "_ZNSt6chrono3_V212system_clock3nowEv" => {
                Some(Word::Known(self.clock(state)))
            }
            "pthread_attr_getguardsize" => {
                self.tell(state, 1, PAGE)?;
                Some(Word::ZERO)
            }
            // A file of the program's is not there; what the system tells by files is.
            "fopen" | "fopen64" | "open" | "open64" => {
                let path = self.text(state, &self.given(state, 0), TEXT)?;
                let is_system =
                    |path: &[u8]| path.starts_with(b"/proc") || path.starts_with(b"/sys");
                match path {
                    Ok(path) if is_system(&path) => {
                        self.opened(state, &path, name.starts_with('f'))
                    }
                    Ok(path) if !is_system(&path) => Some(match name.starts_with('f') {
                        true => Word::ZERO,
                        false => Word::Known(u64::MAX),
                    }),
                    _ => None,
                }
            }
            "getauxval" => {
                let key = self.given(state, 0).number()?;
                let all = auxiliary(self.is_arm(), self.sold);
                let known = all.iter().find(|[known, _]| Some(*known) == key);
                known.map(|[_, value]| Word::Known(*value))
            }
            "getrandom" => {
                let words = [0, 1].map(|number| self.given(state, number));
                self.random(state, words)?
            }
            _ => None,
        })
    }

    /// A new key of threads: what number it is nobody knows, but in that run. Another than the
    /// first, which is zero, since some take it for none.
    fn key(&self, state: &mut State) -> Result<Word, Stop> {
        let to = self.given(state, 0).number()?.ok_or(Kind::Opaque);
        let key = match self.is_plain {
            true => {
                let count = self.load(state, Ok(KEYS), 4).number()?.unwrap_or(0) + 1;
                state.memory.write(KEYS, &Word::Known(count), 4);
                Word::Known(count)
            }
            false => Word::unknown(4, Kind::Opaque),
        };
        self.store(state, to, &key, 4);
        state.is_unsure |= self.is_given_code(state);
        Ok(Word::ZERO)
    }

    /// The time, in nanoseconds: a microsecond later each time that it is asked for.
    fn clock(&self, state: &mut State) -> u64 {
        let passed = self.load(state, Ok(CLOCK), 8).known().unwrap_or(0) + 1000;
        state.memory.write(CLOCK, &Word::Known(passed), 8);
        BEGAN * SECOND + passed
    }

    /// Stores a word where an argument says.
    fn tell(&self, state: &mut State, argument: usize, value: u64) -> Result<(), Stop> {
        let to = self.given(state, argument).number()?;
        self.store(state, to.ok_or(Kind::Opaque), &Word::Known(value), 8);
        Ok(())
    }

    /// The same eight bytes behind that.
    fn tell_behind(&self, state: &mut State, argument: usize, value: u64) -> Result<(), Stop> {
        let to = self.given(state, argument).number()?;
        let to = to.map(|to| to.wrapping_add(8)).ok_or(Kind::Opaque);
        self.store(state, to, &Word::Known(value), 8);
        Ok(())
    }

    /// Pages that hold zeros.
    pub fn mapped(&self, state: &mut State, size: u64) -> Option<Word> {
        if size > MAPPED {
            return None;
        }
        let at = state.memory.allocate(size + PAGE).next_multiple_of(PAGE);
        for at in (at..at + size).step_by(8) {
            state.memory.write(at, &Word::ZERO, 8);
        }
        Some(Word::Known(at))
    }

    pub fn random(&self, state: &mut State, words: [Word; 2]) -> Result<Option<Word>, Stop> {
        let [to, size] = words;
        let (Some(to), Some(size)) = (to.number()?, size.number()?) else {
            return Ok(None);
        };
        if size > MOST {
            return Ok(None);
        }
        for at in 0..size {
            let byte = Word::Known((at.wrapping_mul(37).wrapping_add(11)) & 0xff);
            state.memory.write(to.wrapping_add(at), &byte, 1);
        }
        Ok(Some(Word::Known(size)))
    }
}
