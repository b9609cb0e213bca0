//! A machine that executes the integer instructions of x86-64, and many vector instructions.
//!
//! Integers are enough to know which instructions a kernel executes, in which order, on a
//! CPU that is not at hand: how often its loops run depends on lengths and counts, never on
//! the bytes of messages. A vector instruction that is not known here changes nothing, and
//! [`Ran::unknown`] names it: where there is none, results are what a CPU gives.

mod alu;
mod cpuid;
mod imports;
mod integer;
mod lanes;
mod masked;
mod operand;
mod shuffled;
mod vector;

pub use cpuid::Features;

use crate::image::{IMPORTS, Image};
use crate::memory::Memory;
use anyhow::{Context as _, Result, bail};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, Register};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Where the emulated program returns to at its end.
const END: u64 = 0x7fff_0000_0000;
const STACK: u64 = 0x7ffe_0000_0000;
const HEAP: u64 = 0x6000_0000_0000;
/// Variables of the thread: read as zero until written.
const THREAD: u64 = 0x6ff0_0000_0000;

/// No call takes more instructions than this.
const MOST: u64 = 400_000_000;

#[derive(Clone, Copy, Default)]
struct Flags {
    carry: bool,
    zero: bool,
    sign: bool,
    overflow: bool,
    parity: bool,
}

/// The machine.
pub struct Machine<'a> {
    memory: Memory,
    imports: &'a [String],
    features: Features,
    general: [u64; 16],
    vectors: Vec<[u8; 64]>,
    masks: [u64; 8],
    flags: Flags,
    heap: u64,
    decoded: HashMap<u64, Rc<Instruction>>,
    mark: u64,
    recording: bool,
    trace: Vec<Rc<Instruction>>,
    unknown: BTreeSet<Mnemonic>,
}

/// What a call did.
pub struct Ran {
    /// What it returned.
    pub result: u64,
    /// The instructions between the marks.
    pub trace: Vec<Rc<Instruction>>,
    /// Vector instructions that changed nothing, for this machine does not know them.
    pub unknown: BTreeSet<Mnemonic>,
}

impl<'a> Machine<'a> {
    /// A machine with a loaded program and the features of some CPU.
    ///
    /// # Errors
    /// When the program lacks the marks.
    pub fn new(image: &'a Image, features: Features) -> Result<Self> {
        Ok(Self {
            memory: image.memory.clone(),
            imports: &image.imports,
            features,
            general: [0; 16],
            vectors: vec![[0; 64]; 32],
            masks: [0; 8],
            flags: Flags::default(),
            heap: HEAP,
            decoded: HashMap::new(),
            mark: image.entry("mark")?,
            recording: false,
            trace: Vec::new(),
            unknown: BTreeSet::new(),
        })
    }

    /// Calls a function with up to six numbers.
    ///
    /// # Errors
    /// When the program does what this machine does not know, or does not end.
    pub fn call(mut self, function: u64, arguments: &[u64]) -> Result<Ran> {
        let registers = [
            Register::RDI,
            Register::RSI,
            Register::RDX,
            Register::RCX,
            Register::R8,
            Register::R9,
        ];
        for (register, value) in registers.into_iter().zip(arguments) {
            self.set_register(register, *value);
        }
        self.set_register(Register::RSP, STACK);
        self.push(END);
        let mut at = function;
        for _ in 0..MOST {
            if at == END {
                let result = self.general[0];
                return Ok(Ran {
                    result,
                    trace: self.trace,
                    unknown: self.unknown,
                });
            }
            let next = self.step(at);
            at = next.with_context(|| format!("passed over: {:?}", self.unknown))?;
        }
        bail!(
            "still running after {MOST} instructions, at {at:#x}; passed over: {:?}",
            self.unknown
        )
    }

    /// Executes the instruction at an address, and gives that of the next.
    fn step(&mut self, at: u64) -> Result<u64> {
        if at >= IMPORTS && at < IMPORTS + 16 * self.imports.len() as u64 {
            let name = &self.imports[((at - IMPORTS) / 16) as usize];
            self.import(name)?;
            return Ok(self.pop());
        }
        if at == self.mark {
            self.recording = !self.recording;
        }
        let instruction = self.decode(at)?;
        let marked = self.recording && at != self.mark;
        if marked {
            self.trace.push(Rc::clone(&instruction));
        }
        self.execute(&instruction)
            .with_context(|| format!("at {at:#x}: {instruction}"))
    }

    fn decode(&mut self, at: u64) -> Result<Rc<Instruction>> {
        if let Some(known) = self.decoded.get(&at) {
            return Ok(Rc::clone(known));
        }
        let bytes = self.memory.bytes(at, 15);
        let instruction = Decoder::with_ip(64, &bytes, at, DecoderOptions::NONE).decode();
        if instruction.is_invalid() {
            bail!("no instruction at {at:#x}");
        }
        let instruction = Rc::new(instruction);
        self.decoded.insert(at, Rc::clone(&instruction));
        Ok(instruction)
    }

    fn execute(&mut self, instruction: &Instruction) -> Result<u64> {
        let next = instruction.next_ip();
        Ok(match instruction.flow_control() {
            FlowControl::Next => {
                if !self.integer(instruction)? {
                    self.vector(instruction);
                }
                next
            }
            FlowControl::UnconditionalBranch => instruction.near_branch_target(),
            FlowControl::IndirectBranch => self.value(instruction, 0),
            FlowControl::ConditionalBranch => {
                if self.taken(instruction)? {
                    instruction.near_branch_target()
                } else {
                    next
                }
            }
            FlowControl::Call => {
                self.push(next);
                instruction.near_branch_target()
            }
            FlowControl::IndirectCall => {
                let target = self.value(instruction, 0);
                self.push(next);
                target
            }
            FlowControl::Return => self.pop(),
            other => bail!("this machine knows no {other:?}"),
        })
    }

    fn push(&mut self, value: u64) {
        let top = self.register(Register::RSP).wrapping_sub(8);
        self.set_register(Register::RSP, top);
        self.memory.put(top, 8, value);
    }

    fn pop(&mut self) -> u64 {
        let top = self.register(Register::RSP);
        self.set_register(Register::RSP, top.wrapping_add(8));
        self.memory.number(top, 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry;

    /// Emulates this test program.
    fn emulated(name: &str, arguments: &[u64]) -> Ran {
        keep();
        let image = Image::load(&std::env::current_exe().unwrap()).unwrap();
        let machine = Machine::new(&image, features()).unwrap();
        machine.call(image.entry(name).unwrap(), arguments).unwrap()
    }

    /// A CPU that has all.
    fn features() -> Features {
        let all = [
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512ifma",
            "avx512vbmi",
            "avx512vbmi2",
            "adx",
            "gfni",
            "sha",
        ]
        .map(str::to_owned);
        Features::of(&all)
    }

    /// Instructions that compilers made of loops in kernels with AVX-512, as a function of two
    /// numbers.
    #[rustfmt::skip]
    const COMPILED: [u8; 127] = [
        // vpbroadcastq zmm0, rdi
        0x62, 0xf2, 0xfd, 0x48, 0x7c, 0xc7,
        // vmovq xmm1, rsi
        0xc4, 0xe1, 0xf9, 0x6e, 0xce,
        // vbroadcastsd zmm1, xmm1
        0x62, 0xf2, 0xfd, 0x48, 0x19, 0xc9,
        // vpmaxuq zmm2, zmm0, zmm1
        0x62, 0xf2, 0xfd, 0x48, 0x3f, 0xd1,
        // vpminuq zmm3, zmm0, zmm1
        0x62, 0xf2, 0xfd, 0x48, 0x3b, 0xd9,
        // vpcmpgtq k1, zmm0, zmm1
        0x62, 0xf2, 0xfd, 0x48, 0x37, 0xc9,
        // vptestmq k2, zmm0, zmm1
        0x62, 0xf2, 0xfd, 0x48, 0x27, 0xd1,
        // vpsubq zmm2{k1}, zmm2, zmm3
        0x62, 0xf1, 0xed, 0x49, 0xfb, 0xd3,
        // mov eax, 0x5a
        0xb8, 0x5a, 0x00, 0x00, 0x00,
        // vpinsrb xmm3, xmm3, eax, 0x1
        0xc4, 0xe3, 0x61, 0x20, 0xd8, 0x01,
        // vpextrw eax, xmm3, 0x1
        0xc5, 0xf9, 0xc5, 0xc3, 0x01,
        // and eax, 0x3ff
        0x25, 0xff, 0x03, 0x00, 0x00,
        // mov cl, 0x7
        0xb1, 0x07,
        // div cl
        0xf6, 0xf1,
        // movzx edx, ax
        0x0f, 0xb7, 0xd0,
        // shl rdx, 0x28
        0x48, 0xc1, 0xe2, 0x28,
        // vmovq rax, xmm3
        0xc4, 0xe1, 0xf9, 0x7e, 0xd8,
        // rol rax, 0x7
        0x48, 0xc1, 0xc0, 0x07,
        // xor rax, rdx
        0x48, 0x31, 0xd0,
        // kmovb edx, k1
        0xc5, 0xf9, 0x93, 0xd1,
        // shl edx, 0x8
        0xc1, 0xe2, 0x08,
        // kmovb ecx, k2
        0xc5, 0xf9, 0x93, 0xca,
        // or edx, ecx
        0x09, 0xca,
        // shl rdx, 0x18
        0x48, 0xc1, 0xe2, 0x18,
        // xor rax, rdx
        0x48, 0x31, 0xd0,
        // valignq zmm2, zmm2, zmm2, 0x7
        0x62, 0xf3, 0xed, 0x48, 0x03, 0xd2, 0x07,
        // vmovq rdx, xmm2
        0xc4, 0xe1, 0xf9, 0x7e, 0xd2,
        // xor rax, rdx
        0x48, 0x31, 0xd0,
        // ret
        0xc3,
    ];

    /// The compiler sees no call but the tests' own. Of a function whose address nobody takes it
    /// would put what these calls have in common, such as "plain Rust", in the arguments' place.
    fn keep() {
        use std::hint::black_box;
        black_box(entry::digest as extern "C" fn(_) -> _);
        black_box(entry::run as extern "C" fn(_, _, _, _) -> _);
        black_box(entry::mark as extern "C" fn());
        #[cfg(target_arch = "x86_64")]
        {
            black_box(entry::integers as extern "C" fn(_, _, _) -> _);
            black_box(entry::shards as extern "C" fn(_, _) -> _);
            black_box(entry::hashes as extern "C" fn(_, _, _) -> _);
            black_box(entry::in_step as extern "C" fn(_, _, _) -> _);
        }
    }

    #[test]
    #[cfg_attr(not(target_arch = "x86_64"), ignore = "emulates x86-64 programs")]
    fn a_digest_is_the_same_as_on_the_real_machine() {
        for length in [0, 300] {
            let digest = entry::digest(length);
            assert_eq!(
                emulated("digest", &[length as u64]).result,
                digest,
                "{length} bytes"
            );
        }
    }

    /// What compilers make of loops in functions that have AVX-512, and seldom without
    /// optimisation: counts, lengths and numbers of lanes go through it.
    #[test]
    #[cfg_attr(not(target_arch = "x86_64"), ignore = "emulates x86-64 programs")]
    fn what_compilers_make_of_loops_is_known() {
        const PLACE: u64 = 0x5000_0000_0000;
        let image = Image::load(&std::env::current_exe().unwrap()).unwrap();
        let numbers = [0, 0xff00, 1 << 63, u64::MAX - 4];
        for (a, b) in numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b))) {
            let mut machine = Machine::new(&image, features()).unwrap();
            machine.memory.write(PLACE, &COMPILED);
            let ran = machine.call(PLACE, &[a, b]).unwrap();
            assert!(ran.unknown.is_empty(), "{:?}", ran.unknown);
            let greater = (a as i64) > (b as i64);
            let (most, least) = (a.max(b), a.min(b));
            let lanes = if greater {
                most.wrapping_sub(least)
            } else {
                most
            };
            let bits = if a & b != 0 { 0xff } else { 0 };
            let inserted = least & !0xff00 | 0x5a00;
            // The word at bit 16 of that, divided by 7 as AX is by a byte.
            let word = inserted >> 16 & 0x3ff;
            let quotient = ((word / 7) & 0xff) | ((word % 7) << 8);
            let masks = if greater { 0xff } else { 0 } << 8 | bits;
            let expected = lanes ^ inserted.rotate_left(7) ^ masks << 24 ^ quotient << 40;
            assert_eq!(ran.result, expected, "{a:#x} {b:#x}");
        }
    }

    /// Digits are exact here, side by side and spread over registers, so that
    /// machines without AVX-512 see what these bodies compute.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn numbers_by_digits_are_those_of_plain_rust() {
        for (number, (kernel, body, _)) in entry::DIGITS.into_iter().enumerate() {
            for bits in [64, 512, 1024] {
                let expected = entry::integers(number, 1, bits);
                let ran = emulated("integers", &[number as u64, 0, bits as u64]);
                assert!(ran.unknown.is_empty(), "{kernel} {body}: {:?}", ran.unknown);
                assert_eq!(ran.result, expected, "{kernel} {body}: {bits} bits");
            }
        }
    }

    /// The same of Galois field instructions. A product that is wrong is seen in parity.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn shards_by_galois_field_instructions_are_those_of_plain_rust() {
        for (number, (kernel, body, check)) in entry::GALOIS.into_iter().enumerate() {
            let expected = entry::shards(1, number);
            let ran = emulated("shards", &[0, number as u64]);
            assert!(ran.unknown.is_empty(), "{kernel} {body}: {:?}", ran.unknown);
            assert_eq!(ran.result, expected, "{kernel} {body}: {check}");
        }
    }

    /// What Zen 3 has to decode ends at a taken branch (docs/notes/layouts.md). A jump may
    /// be to the next instruction.
    #[test]
    #[cfg_attr(not(target_arch = "x86_64"), ignore = "emulates x86-64 programs")]
    fn lanes_by_avx2_jump_often() {
        for (name, items, size) in [
            ("blake2b-many", 16, 512),
            ("blake2s-many", 16, 512),
            ("blake3", 1, 8192),
            ("keccak-many", 16, 512),
            ("lthash", 1, 64),
        ] {
            let (number, (suite, _)) = entry::tasks()
                .enumerate()
                .find(|(_, (_, task))| task.kernel == name)
                .unwrap();
            let kernel = suite.kernel(name).unwrap();
            let body = (0..kernel.len()).find(|i| kernel.info(*i).name == "avx2");
            let body = body.expect("a body with AVX2");
            let ran = emulated("run", &[number as u64, body as u64, items, size]);
            assert_eq!(ran.result, 1, "{name}: the emulated CPU has AVX2");
            let mut from = ran.trace[0].ip();
            let mut longest = (0, 0);
            for pair in ran.trace.windows(2) {
                let jump = pair[0].flow_control() == FlowControl::UnconditionalBranch;
                if jump || pair[0].next_ip() != pair[1].ip() {
                    longest = longest.max((pair[0].next_ip() - from, from));
                    from = pair[1].ip();
                }
            }
            let (bytes, at) = longest;
            assert!(
                bytes <= 1200,
                "{name}: {bytes} bytes from {at:#x} on without a jump"
            );
        }
    }

    /// The implementations of hashes with AVX-512, all that the tables have; with them SHA's
    /// instructions. No instruction may be one that this machine passes over.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn hashes_by_avx512_are_those_of_plain_rust() {
        let all = entry::wide();
        assert!(all.contains(&("blake3", "avx512vl")), "{all:?}");
        agree("hashes", entry::hashes);
    }

    /// The same of many messages of one length, where lengths are ragged.
    #[test]
    #[cfg(target_arch = "x86_64")]
    fn messages_of_one_length_by_avx512_are_those_of_plain_rust() {
        agree("in_step", entry::in_step);
    }

    /// Asserts that a function of `entry` says the same of all [`entry::wide`] as of plain Rust.
    #[cfg(target_arch = "x86_64")]
    fn agree(name: &str, function: extern "C" fn(usize, usize, u64) -> u64) {
        // One after the other: kernels' settings are of all threads.
        static SETTINGS: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let all = entry::wide();
        // Emulation takes a minute, on all processors: what is expected is computed before.
        let expected: Vec<u64> = {
            let _lock = SETTINGS.lock().unwrap_or_else(|e| e.into_inner());
            let numbers = 0..all.len();
            numbers.map(|n| function(n, 1, 11 + n as u64)).collect()
        };
        let next = std::sync::atomic::AtomicUsize::new(0);
        let work = || {
            while let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
                && number < all.len()
            {
                let (kernel, body) = all[number];
                let ran = emulated(name, &[number as u64, 0, 11 + number as u64]);
                assert!(ran.unknown.is_empty(), "{kernel} {body}: {:?}", ran.unknown);
                assert_eq!(ran.result, expected[number], "{kernel} {body}");
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(work);
            }
        });
    }

    #[test]
    #[cfg_attr(not(target_arch = "x86_64"), ignore = "emulates x86-64 programs")]
    fn instructions_of_isas_that_this_cpu_may_lack_are_recorded() {
        let task = entry::tasks()
            .position(|(_, t)| t.name == "blake2b-many")
            .unwrap();
        let ran = emulated("run", &[task as u64, 0, 16, 256]);
        assert_eq!(ran.result, 1, "the emulated CPU has AVX-512");
        let wide = |i: &Rc<Instruction>| i.op_count() > 0 && i.op0_register().is_zmm();
        let count = ran.trace.iter().filter(|i| wide(i)).count();
        assert!(count > 1000, "{count} instructions write a zmm register");
    }
}
