//! Which bits of an instruction its code goes by, and the table of what is learnt of them.

use crate::x86::{Brief, table};
use iced_x86::Instruction;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is learnt of one combination, in one word: the code, bytes of immediates, and flags.
const LEARNT: u32 = 1;
pub(super) const HAS_MEMORY: u32 = 1 << 1;
pub(super) const IS_FIRST: u32 = 1 << 2;
pub(super) const IS_BRANCH: u32 = 1 << 3;
const IMMEDIATE: u32 = 4;
const CODE: u32 = 8;

/// Combinations of opcode, what of the byte behind it counts, and the width of operands.
const OPCODES: usize = 256 * 16;
/// Four maps of opcodes behind each of four prefixes, with and without 64-bit operands; and
/// three maps of VEX, each also by length and by whether its register is unused.
const LEGACY: usize = 4 * 4 * 2 * OPCODES;
const VEX: usize = 3 * 4 * 2 * 4 * OPCODES;

/// By combination; zero where it is not learnt. All threads learn the same.
static TABLE: [AtomicU32; LEGACY + VEX] = [const { AtomicU32::new(0) }; LEGACY + VEX];

/// What is learnt of one combination.
#[derive(Clone, Copy)]
pub(super) struct Entry(u32);

impl Entry {
    /// Whether nothing is.
    #[inline(always)]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }

    #[inline(always)]
    pub fn has(self, flag: u32) -> bool {
        self.0 & flag != 0
    }

    /// Bytes of immediates.
    #[inline(always)]
    pub fn immediate(self) -> usize {
        (self.0 >> IMMEDIATE & 15) as usize
    }

    /// The number of the code.
    #[inline(always)]
    pub fn code(self) -> u16 {
        (self.0 >> CODE) as u16
    }
}

/// What the first byte of an instruction is, behind prefixes: an opcode, with a byte behind it
/// that names registers and memory or without, or one of what follows.
const HAS_MODRM: u8 = 1;
const ESCAPE: u8 = 2;
const VEX2: u8 = 3;
const VEX3: u8 = 4;
/// `nop`, but for an exchange with r8.
const NOP: u8 = 5;
/// Always decoded in full.
const FULL: u8 = 6;

/// What a byte is as a prefix: the number that the table has of it.
const OPERAND: u8 = 1;
const REPEAT: u8 = 2;
const REPEAT_NOT: u8 = 3;
const SEGMENT: u8 = 4;
const THREAD: u8 = 5;
const OTHER: u8 = 6;

const PREFIXES: [u8; 256] = {
    let mut table = [0; 256];
    table[0x66] = OPERAND;
    table[0xf3] = REPEAT;
    table[0xf2] = REPEAT_NOT;
    table[0x26] = SEGMENT;
    table[0x2e] = SEGMENT;
    table[0x36] = SEGMENT;
    table[0x3e] = SEGMENT;
    table[0x64] = THREAD;
    table[0x65] = THREAD;
    // Addresses of 32 bits, and `lock`.
    table[0x67] = OTHER;
    table[0xf0] = OTHER;
    table
};

const FIRSTS: [u8; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        // Prefixes behind REX, which is then none; XOP and EVEX; absolute addresses.
        if PREFIXES[at] != 0 || matches!(at, 0x40..=0x4f | 0x8f | 0x62 | 0xa0..=0xa3) {
            table[at] = FULL;
        } else if at < 0x40 && at & 7 < 4
            || matches!(
                at,
                0x63 | 0x69 | 0x6b | 0x80..=0x8e | 0xc0 | 0xc1 | 0xc6 | 0xc7 | 0xd0..=0xd3
                    | 0xd8..=0xdf | 0xf6 | 0xf7 | 0xfe | 0xff
            )
        {
            table[at] = HAS_MODRM;
        }
        at += 1;
    }
    table[0x0f] = ESCAPE;
    table[0x90] = NOP;
    table[0xc5] = VEX2;
    table[0xc4] = VEX3;
    table
};

/// By opcode of the second map: whether such a byte follows.
const SECOND: [bool; 256] = {
    let mut table = [false; 256];
    let mut at = 0;
    while at < 256 {
        table[at] = !matches!(
            at,
            0x04..=0x0c | 0x0e | 0x24..=0x27 | 0x30..=0x3f | 0x77 | 0x80..=0x8f
                | 0xa0..=0xa2 | 0xa8..=0xaa | 0xc8..=0xcf
        );
        at += 1;
    }
    table
};

/// By that byte: how many bytes it and a displacement have.
const MODRM: [u8; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let has_sib = at >> 6 != 3 && at & 7 == 4;
        table[at] = 1
            + has_sib as u8
            + match at >> 6 {
                0 if at & 7 == 5 => 4,
                1 => 1,
                2 => 4,
                _ => 0,
            };
        at += 1;
    }
    table
};

/// Whether what an opcode is goes by more than the table tells apart.
fn is_special(map: usize, opcode: u8, pp: u32, modrm: u8) -> bool {
    let is_register = modrm >> 6 == 3;
    match map {
        0 => match opcode {
            0xd8..=0xdf => is_register,
            0xc6 | 0xc7 => modrm >> 3 & 7 != 0,
            _ => false,
        },
        1 => match opcode {
            0x00 | 0x01 | 0x0f | 0x1a | 0x1b | 0x1e | 0x20..=0x27 | 0xa6 | 0xa7 => true,
            0xae | 0xc7 => is_register,
            0xb8 => pp != u32::from(REPEAT),
            _ => false,
        },
        3 => opcode == 0xf0,
        _ => false,
    }
}

/// Where the parts of an instruction are.
pub(super) struct Shape {
    /// Its place in the table.
    slot: usize,
    map: usize,
    opcode: u8,
    pp: u32,
    /// Bits that lengthen the numbers of registers.
    pub rex: u8,
    pub has_modrm: bool,
    /// Where that byte is, or would be.
    pub modrm_at: usize,
    pub modrm: u8,
    pub sib: u8,
    /// Bytes but for immediates.
    pub length: usize,
    pub has_segment: bool,
}

impl Shape {
    /// None where it must be decoded in full.
    ///
    /// Where the next instruction begins hangs on all of this, so it goes by shifts of one word
    /// and few tables: each load would wait for the one before.
    #[inline(always)]
    pub fn of(head: &[u8; 16]) -> Option<Self> {
        let all = u128::from_le_bytes(*head);
        let mut word = all as u64;
        let (mut at, mut pp, mut has_segment) = (0, 0, false);
        if PREFIXES[usize::from(word as u8)] != 0 {
            (at, pp, has_segment) = prefixes(head)?;
            word = (all >> (at * 8)) as u64;
        }
        let has_rex = word & 0xf0 == 0x40;
        let mut rex = if has_rex { word as u8 & 15 } else { 0 };
        word >>= u32::from(has_rex) * 8;
        at += usize::from(has_rex);
        let w = usize::from(rex >> 3);
        let mut start = ((pp as usize) * 2 + w) * OPCODES;
        let mut map = 0;
        let first = FIRSTS[usize::from(word as u8)];
        let mut has_modrm = first == HAS_MODRM;
        if first > HAS_MODRM {
            match first {
                ESCAPE => {
                    word >>= 8;
                    at += 1;
                    map = match word as u8 {
                        0x38 => 2,
                        0x3a => 3,
                        _ => 1,
                    };
                    has_modrm = map > 1 || SECOND[usize::from(word as u8)];
                    if map > 1 {
                        word >>= 8;
                        at += 1;
                    }
                    start = ((map * 4 + pp as usize) * 2 + w) * OPCODES;
                }
                NOP if rex & 1 == 0 => {}
                // A prefix before them is wrong, mostly.
                VEX2 if at == 0 => {
                    let fields = (word >> 8) as u8;
                    (map, at, pp) = (1, 2, u32::from(fields & 3));
                    start = vex(1, 0, fields);
                    rex = !fields >> 5 & 4;
                    word >>= 16;
                    has_modrm = SECOND[usize::from(word as u8)];
                }
                VEX3 if at == 0 => {
                    let (names, fields) = ((word >> 8) as u8, (word >> 16) as u8);
                    map = usize::from(names & 31);
                    if !(1..=3).contains(&map) {
                        return None;
                    }
                    (at, pp) = (3, u32::from(fields & 3));
                    start = vex(map, usize::from(fields >> 7), fields);
                    rex = !names >> 5 & 7;
                    word >>= 24;
                    has_modrm = map > 1 || SECOND[usize::from(word as u8)];
                }
                _ => return None,
            }
        }
        let opcode = word as u8;
        let mask = if has_modrm { 0xff } else { 0 };
        let modrm = (word >> 8) as u8 & mask;
        let sib = (word >> 16) as u8;
        let more = MODRM[usize::from(modrm)] + u8::from(modrm & 0xc7 == 4 && sib & 7 == 5) * 4;
        let part = usize::from(modrm >> 3 & 7) << 1 | usize::from(modrm >> 6 == 3);
        Some(Self {
            slot: start + usize::from(opcode) * 16 + part,
            map,
            opcode,
            pp,
            rex,
            has_modrm,
            modrm_at: at + 1,
            modrm,
            sib,
            length: at + 1 + usize::from(more & mask),
            has_segment,
        })
    }

    /// Whether it is an opcode of one or two bytes in none of the later encodings, with one of the
    /// prefixes that count for the opcode or none: then [`Quick`](super::Quick) may tell it.
    pub fn is_quick(&self, head: &[u8; 16]) -> bool {
        let prefix = PREFIXES[usize::from(head[0])];
        let at = usize::from(prefix != 0);
        let has_rex = head[at] & 0xf0 == 0x40;
        let before = at + usize::from(has_rex) + usize::from(self.map == 1);
        let is_plain = prefix <= REPEAT_NOT && self.map <= 1 && self.modrm_at == before + 1;
        // What `nop` is goes by a bit of REX.
        let is_nop = self.map == 0 && self.opcode == 0x90 && has_rex;
        is_plain && !is_nop
    }

    /// What is known of it.
    #[inline(always)]
    pub fn entry(&self) -> Entry {
        // The place is within the table, always.
        TABLE
            .get(self.slot)
            .map_or(Entry(0), |entry| Entry(entry.load(Ordering::Relaxed)))
    }

    /// Keeps what it is, by the instruction that it is, where that says it of others too.
    pub fn learn(&self, instruction: &Instruction, brief: &Brief) {
        let code = instruction.code();
        if is_special(self.map, self.opcode, self.pp, self.modrm)
            || !table().codes[code as usize].is_by_shape
        {
            return;
        }
        let Some(immediate) = instruction.len().checked_sub(self.length) else {
            return;
        };
        let flags = [
            (brief.has_memory, HAS_MEMORY),
            (brief.is_first, IS_FIRST),
            (brief.is_branch, IS_BRANCH),
        ];
        let flags = flags.iter().filter(|(is_set, _)| *is_set);
        let flags = flags.fold(LEARNT, |all, (_, flag)| all | flag);
        if immediate <= 8 {
            let entry = flags | (immediate as u32) << IMMEDIATE | (code as u32) << CODE;
            TABLE[self.slot].store(entry, Ordering::Relaxed);
        }
    }
}

/// The place of a map of VEX in the table.
#[inline(always)]
fn vex(map: usize, w: usize, fields: u8) -> usize {
    let pp = usize::from(fields & 3);
    let (long, is_unused) = (usize::from(fields >> 2 & 1), fields >> 3 & 15 == 15);
    let at = ((map - 1) * 4 + pp) * 2 + w;
    LEGACY + ((at * 2 + long) * 2 + usize::from(is_unused)) * OPCODES
}

/// How many prefixes there are, which of them counts for the opcode, and whether one is of FS
/// or GS; none where they go together in a way that is seldom.
#[inline(never)]
fn prefixes(head: &[u8; 16]) -> Option<(usize, u32, bool)> {
    let (mut pp, mut has_segment, mut has_other) = (0, false, false);
    for (at, byte) in head.iter().enumerate().take(8) {
        match PREFIXES[usize::from(*byte)] {
            0 => {
                let is_clear = !(has_segment && has_other);
                return is_clear.then_some((at, u32::from(pp), has_segment));
            }
            OTHER => return None,
            SEGMENT => has_other = true,
            THREAD => has_segment = true,
            kind if pp == 0 || pp == kind && kind == OPERAND => pp = kind,
            _ => return None,
        }
    }
    None
}
