//! Instructions with EVEX in brief. Code and validity go by many bits there, so what is kept is
//! of all of these but the numbers of most registers; kernels have the same few again and again.
//!
//! Source of the encodings: Intel SDM, volume 2, section 2.7.

use super::signed;
use crate::x86::{Brief, NO_BASE, RIP};
use iced_x86::Instruction;
use std::sync::atomic::{AtomicU64, Ordering};

/// What was decoded last, by a hash: the key in the upper half, what is known in the lower one.
static KNOWN: [AtomicU64; 1 << HASH] = [const { AtomicU64::new(0) }; 1 << HASH];
const HASH: u32 = 12;

/// In the lower half: whether something is known, and flags of the brief.
const LEARNT: u32 = 1;
const HAS_MEMORY: u32 = 1 << 1;
const IS_FIRST: u32 = 1 << 2;
const HAS_MASK: u32 = 1 << 3;
/// A byte of immediates.
const IMMEDIATE: u32 = 1 << 4;
/// How far a displacement of one byte is shifted; the highest where that is not known.
const SHIFT: u32 = 5;
const NO_SHIFT: u32 = 7;
const CODE: u32 = 8;

/// The bits that an instruction goes by; none where it is not kept.
///
/// In it are the first byte behind 0x62 as a whole; of the second the prefix, W, and whether its
/// register is unused; of the third all but which mask it is; the opcode; and of the byte behind
/// it whether it names memory and the number of the group.
fn key(head: &[u8; 16]) -> Option<u32> {
    let [first, names, fields, more, opcode, modrm, ..] = *head;
    let is_one = first == 0x62 && matches!(names & 15, 1..=3) && fields & 4 != 0;
    if !is_one {
        return None;
    }
    let is_unused = fields >> 3 & 15 == 15;
    let fields = fields >> 7 | (fields & 3) << 1 | u8::from(is_unused) << 3;
    let more = more >> 3 | u8::from(more & 7 != 0) << 5;
    let modrm = modrm >> 3 & 7 | u8::from(modrm >> 6 == 3) << 3;
    let low = u32::from(modrm) | u32::from(fields) << 4;
    Some(low | u32::from(more) << 8 | u32::from(opcode) << 14 | u32::from(names) << 22)
}

fn place(key: u32) -> &'static AtomicU64 {
    // Fibonacci hashing (Knuth, The Art of Computer Programming, volume 3, section 6.4).
    &KNOWN[(key.wrapping_mul(0x9e37_79b1) >> (32 - HASH)) as usize]
}

/// How many bytes there are but for immediates, of which displacement, and how it is found.
struct Parts {
    base: u8,
    has_index: bool,
    /// Where a displacement is, and how many bytes it has.
    at: usize,
    size: usize,
}

impl Parts {
    fn of(head: &[u8; 16]) -> Self {
        let (names, modrm, sib) = (!head[1], head[5], head[6]);
        let (mode, low) = (modrm >> 6, modrm & 7);
        let has_memory = mode != 3;
        let has_sib = has_memory && low == 4;
        let number = if has_sib { sib & 7 } else { low };
        let is_bare = mode == 0 && number == 5;
        let base = match (has_memory, is_bare) {
            (false, _) => NO_BASE,
            (_, true) if has_sib => NO_BASE,
            (_, true) => RIP,
            _ => number | (names >> 5 & 1) << 3,
        };
        let index = sib >> 3 & 7 | (names >> 6 & 1) << 3;
        Self {
            base,
            has_index: has_sib && index != 4,
            at: 6 + usize::from(has_sib),
            size: match mode {
                1 => 1,
                2 => 4,
                0 if is_bare => 4,
                _ => 0,
            },
        }
    }
}

/// The instruction at the start of `head`, which lies at `ip`, if such a one was seen.
pub(super) fn known(head: &[u8; 16], ip: u64) -> Option<Brief> {
    let key = key(head)?;
    let all = place(key).load(Ordering::Relaxed);
    let told = all as u32;
    if (all >> 32) as u32 != key || told & LEARNT == 0 {
        return None;
    }
    let parts = Parts::of(head);
    let length = parts.at + parts.size + usize::from(told & IMMEDIATE != 0);
    let displacement = signed(head, parts.at, parts.size);
    let shift = told >> SHIFT & 7;
    let displacement = match (parts.size, shift) {
        (1, NO_SHIFT) if displacement != 0 => return None,
        (1, _) => displacement << shift,
        _ => displacement,
    } as u64;
    Some(Brief {
        code: (told >> CODE) as u16,
        length: length as u8,
        has_memory: told & HAS_MEMORY != 0,
        is_first: told & IS_FIRST != 0,
        is_branch: false,
        has_mask: told & HAS_MASK != 0,
        has_word: parts.size == 4,
        base: parts.base,
        has_index: parts.has_index,
        has_segment: false,
        displacement_size: if parts.size == 4 { 8 } else { parts.size as u8 },
        displacement: match parts.base {
            RIP => (ip.wrapping_add(length as u64)).wrapping_add(displacement),
            _ => displacement,
        },
        immediate: 0,
    })
}

/// Keeps what was decoded in full.
pub(super) fn learn(head: &[u8; 16], instruction: &Instruction, brief: &Brief) {
    let Some(key) = key(head) else { return };
    let parts = Parts::of(head);
    let immediate = instruction.len().checked_sub(parts.at + parts.size);
    // Registers that must differ are not in the key.
    let (Some(immediate @ (0 | 1)), false) = (immediate, instruction.is_vsib()) else {
        return;
    };
    let shift = match (parts.size, signed(head, parts.at, 1)) {
        (1, short) if short != 0 => {
            let wanted = |shift: &u32| (short << shift) as u64 == brief.displacement;
            (0..NO_SHIFT).find(wanted).unwrap_or(NO_SHIFT)
        }
        _ => NO_SHIFT,
    };
    let flags = [
        (true, LEARNT),
        (brief.has_memory, HAS_MEMORY),
        (brief.is_first, IS_FIRST),
        (brief.has_mask, HAS_MASK),
        (immediate == 1, IMMEDIATE),
    ];
    let flags = flags.iter().filter(|(is_set, _)| *is_set);
    let flags = flags.fold(0, |all, (_, flag)| all | flag);
    let told = flags | shift << SHIFT | u32::from(brief.code) << CODE;
    let all = u64::from(key) << 32 | u64::from(told);
    place(key).store(all, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use iced_x86::{Decoder, DecoderOptions};

    /// All that is kept of one instruction holds of each that has its key.
    #[test]
    fn what_is_kept_is_what_the_decoder_says() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut seen = 0;
        for _ in 0..600_000 {
            // One instruction, and others that differ in what is not in the key, mostly.
            let first = random();
            for round in 0..40 {
                let mut head = [0; 16];
                head[..8].copy_from_slice(&random().to_le_bytes());
                head[8..].copy_from_slice(&random().to_le_bytes());
                let [_, names, fields, more, opcode, modrm, ..] = first.to_le_bytes();
                head[0] = 0x62;
                head[1] = names & 0xf0 | [1, 2, 3, 1][usize::from(names & 3)];
                head[2] = fields & 0x87
                    | 4
                    | if fields & 8 == 0 {
                        0x78
                    } else {
                        head[2] & 0x78
                    };
                head[3] = more & 0xf8 | if more & 4 == 0 { 0 } else { head[3] & 7 };
                head[4] = opcode;
                head[5] = modrm & 0x38 | head[5] & 0xc7;
                let ip = 0x1000;
                let instruction = Decoder::with_ip(64, &head, ip, DecoderOptions::NONE).decode();
                let told = known(&head, ip);
                if instruction.is_invalid() {
                    assert!(told.is_none(), "{head:02x?}: {told:?}");
                    // Most opcodes are none.
                    match round {
                        0 => break,
                        _ => continue,
                    }
                }
                let asked = Brief::of(&instruction);
                if let Some(told) = told {
                    seen += 1;
                    assert_eq!(format!("{told:?}"), format!("{asked:?}"), "{head:02x?}");
                }
                learn(&head, &instruction, &asked);
            }
        }
        assert!(seen > 200_000, "{seen}");
    }
}
