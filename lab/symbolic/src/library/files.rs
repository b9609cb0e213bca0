//! Files in which Linux tells a program of its CPU and of itself, in a run on one CPU:
//! `/proc/cpuinfo` and `/proc/self/auxv` (`arch/x86/kernel/cpu/proc.c`; `fs/proc/base.c`).

use crate::bits::Word;
use crate::facts::Facts;
use crate::library::texts::TEXT;
use crate::library::{Gap, Told};
use crate::machine::Machine;
use crate::memory::GIVEN;
use crate::plain;
use crate::sold::Sold;
use crate::state::State;

/// Where what is open is kept: of each file that it is, and how far it was read.
const OPEN: u64 = GIVEN + 0x6000;
/// Their numbers (`open`) follow.
const FIRST: u64 = 0x40;
/// Functions that read.
pub(super) const READING: [&str; 6] = ["fgets", "fread", "read", "fgetc", "getc", "getline"];
/// What every CPU here has, by Linux' names.
const ALL: &str = "fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush \
                   mmx fxsr sse sse2 ht syscall nx lm constant_tsc rep_good nopl cpuid";
/// What some have, by our names and by Linux' where those differ.
const SOME: &[(&str, &str)] = &[
    ("sse3", "pni"),
    ("pclmulqdq", ""),
    ("ssse3", ""),
    ("fma", ""),
    ("cmpxchg16b", "cx16"),
    ("sse4.1", "sse4_1"),
    ("sse4.2", "sse4_2"),
    ("movbe", ""),
    ("popcnt", ""),
    ("aes", ""),
    ("xsave", ""),
    ("avx", ""),
    ("f16c", ""),
    ("rdrand", ""),
    ("rdtscp", ""),
    ("lzcnt", "abm"),
    ("sse4a", ""),
    ("xop", ""),
    ("fma4", ""),
    ("tbm", ""),
    ("fsgsbase", ""),
    ("bmi1", ""),
    ("avx2", ""),
    ("bmi2", ""),
    ("rtm", ""),
    ("avx512f", ""),
    ("avx512dq", ""),
    ("rdseed", ""),
    ("adx", ""),
    ("avx512ifma", ""),
    ("clflushopt", ""),
    ("clwb", ""),
    ("avx512cd", ""),
    ("sha", "sha_ni"),
    ("avx512bw", ""),
    ("avx512vl", ""),
    ("xsaveopt", ""),
    ("xsavec", ""),
    ("xsaves", ""),
    ("avx512vbmi", ""),
    ("avx512vbmi2", "avx512_vbmi2"),
    ("gfni", ""),
    ("vaes", ""),
    ("vpclmulqdq", ""),
    ("avx512vnni", "avx512_vnni"),
    ("avx512bitalg", "avx512_bitalg"),
    ("avx512vpopcntdq", "avx512_vpopcntdq"),
    ("rdpid", ""),
];

/// What `/proc/cpuinfo` says of a CPU.
fn description(cpu: &Sold) -> String {
    let (family, model) = cpu.family();
    let has = |name: &str| {
        let fact = Facts::known(name);
        fact.is_some_and(|fact| fact.without(cpu.has()).is_none())
    };
    let mut flags = format!("{ALL} lahf_lm");
    for (name, linux) in SOME.iter().filter(|(name, _)| has(name)) {
        flags += " ";
        flags += if linux.is_empty() { name } else { linux };
    }
    let vendor = if cpu.is_intel {
        "GenuineIntel"
    } else {
        "AuthenticAMD"
    };
    format!(
        "processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {model}\n\
         model name\t: {}\nstepping\t: {}\ncpu cores\t: 1\nfpu\t\t: yes\nflags\t\t: {flags}\n\
         bogomips\t: 4000.00\n\n",
        cpu.name,
        cpu.signature & 15,
    )
}

impl Machine<'_> {
    /// What a file holds, by its number.
    fn held(&self, number: u64) -> Option<Vec<u8>> {
        let cpu = self.sold?;
        match number {
            1 => Some(match cpu.arm {
                Some(arm) => arm.description().into_bytes(),
                None => description(cpu).into_bytes(),
            }),
            2 => {
                let words = plain::auxiliary(self.is_arm(), Some(cpu)).concat();
                Some(words.iter().flat_map(|word| word.to_le_bytes()).collect())
            }
            _ => None,
        }
    }

    /// Opens one of them; none if it is none.
    pub fn opened(&self, state: &mut State, path: &[u8], is_stream: bool) -> Option<Word> {
        self.sold?;
        let number = match path {
            b"/proc/cpuinfo" => 1,
            b"/proc/self/auxv" => 2,
            _ => return None,
        };
        let at = OPEN + number * 16;
        state.memory.write(at, &Word::Known(number), 8);
        state.memory.write(at + 8, &Word::ZERO, 8);
        Some(Word::Known(if is_stream { at } else { FIRST + number }))
    }

    /// What is read of an open file, at most so many bytes, up to where `ends` says.
    fn taken(
        &self,
        state: &mut State,
        file: u64,
        most: u64,
        is_line: bool,
    ) -> Result<Vec<u8>, Gap> {
        let at = match file.checked_sub(FIRST) {
            Some(number @ 1..=2) => OPEN + number * 16,
            _ => file,
        };
        if !(OPEN..OPEN + 48).contains(&at) {
            return Err(Gap::Unknown);
        }
        let all = self.held(self.word(state, at)?).ok_or(Gap::Unknown)?;
        let from = (self.word(state, at + 8)? as usize).min(all.len());
        let rest = &all[from..];
        let mut size = rest.len().min(most as usize);
        if is_line && let Some(end) = rest[..size].iter().position(|byte| *byte == b'\n') {
            size = end + 1;
        }
        let place = Word::Known((from + size) as u64);
        state.memory.write(at + 8, &place, 8);
        Ok(rest[..size].to_vec())
    }

    /// Functions that read of them.
    pub fn filed(&mut self, state: &mut State, name: &str) -> Result<Told, Gap> {
        let put = |state: &mut State, to: u64, bytes: &[u8]| {
            for (at, byte) in (0..).zip(bytes) {
                let at = to.wrapping_add(at);
                state.memory.write(at, &Word::Known(u64::from(*byte)), 1);
            }
        };
        let end = u64::from(u32::MAX);
        Ok(match name {
            "fgets" => {
                let (to, size) = (self.number(state, 0)?, self.number(state, 1)? & end);
                let file = self.number(state, 2)?;
                let line = self.taken(state, file, size.saturating_sub(1), true)?;
                match line.is_empty() {
                    true => 0.into(),
                    false => {
                        put(state, to, &[&line[..], &[0]].concat());
                        to.into()
                    }
                }
            }
            "fread" => {
                let [to, each, count] = [0, 1, 2].map(|at| self.number(state, at));
                let (to, each) = (to?, each?);
                let all = each.checked_mul(count?).ok_or(Gap::Unknown)?;
                let file = self.number(state, 3)?;
                let bytes = self.taken(state, file, all, false)?;
                put(state, to, &bytes);
                (bytes.len() as u64).checked_div(each).unwrap_or(0).into()
            }
            "read" => {
                let (file, to) = (self.number(state, 0)? & end, self.number(state, 1)?);
                let size = self.number(state, 2)?;
                let bytes = self.taken(state, file, size, false)?;
                put(state, to, &bytes);
                (bytes.len() as u64).into()
            }
            "fgetc" | "getc" => {
                let file = self.number(state, 0)?;
                let byte = self.taken(state, file, 1, false)?;
                byte.first().map_or(end, |byte| u64::from(*byte)).into()
            }
            "getline" => {
                let (to, size) = (self.place(state, 0)?, self.place(state, 1)?);
                let file = self.number(state, 2)?;
                let line = self.taken(state, file, TEXT, true)?;
                if line.is_empty() {
                    return Ok(u64::MAX.into());
                }
                let object = state.memory.allocate(TEXT);
                put(state, object, &[&line[..], &[0]].concat());
                state.memory.write(to, &Word::Known(object), 8);
                state.memory.write(size, &Word::Known(TEXT), 8);
                (line.len() as u64).into()
            }
            _ => return Err(Gap::Unknown),
        })
    }
}
