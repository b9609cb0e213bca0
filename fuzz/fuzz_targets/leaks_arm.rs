//! The search for leaks in AArch64 programs that are made of instructions it has something to
//! say of, and of any others: it ends, without a panic, and what it claims adds up.
#![no_main]

#[path = "../shared/elf.rs"]
mod elf;

use elf::{DATA, TEXT, WORDS};
use karat_audit::{Baseline, leaks};
use libfuzzer_sys::fuzz_target;

/// Instructions, so that the text ends before the data begins.
const MOST: usize = 4000;
const FUNCTIONS: usize = 8;
/// `EM_AARCH64`.
const MACHINE: u16 = 183;

/// Instructions whose operands do not depend on the place.
const PLAIN: [u32; 28] = [
    0xd538_0600, // mrs x0, id_aa64isar0_el1
    0xd538_0401, // mrs x1, id_aa64pfr0_el1
    0xd354_5c00, // ubfx x0, x0, #20, #4
    0xd360_fc00, // lsr x0, x0, #32
    0x1218_0000, // and w0, w0, #0x100
    0x7218_001f, // tst w0, #0x100
    0x7100_041f, // cmp w0, #1
    0x1a9f_07e0, // cset w0, ne
    0x9a81_1000, // csel x0, x0, x1, ne
    0x5280_0020, // mov w0, #1
    0x5280_0000, // mov w0, #0
    0xaa00_03e1, // mov x1, x0
    0xaa01_03e0, // mov x0, x1
    0xf940_0000, // ldr x0, [x0]
    0xb940_0000, // ldr w0, [x0]
    0x3940_0000, // ldrb w0, [x0]
    0xf900_0001, // str x1, [x0]
    0xb900_0001, // str w1, [x0]
    0xa9be_7bfd, // stp x29, x30, [sp, #-32]!
    0xa8c2_7bfd, // ldp x29, x30, [sp], #32
    0xf900_0be0, // str x0, [sp, #16]
    0xf940_0be0, // ldr x0, [sp, #16]
    0xb820_0020, // ldadd w0, w0, [x1]
    0x6e82_9420, // udot v0.4s, v1.16b, v2.16b
    0x2518_e3e0, // ptrue p0.b
    0xd63f_0000, // blr x0
    0xd61f_0000, // br x0
    0xd65f_03c0, // ret
];

/// Makes instructions of bytes; where functions begin is noted.
fn text(bytes: &[u8], starts: &mut Vec<u64>) -> Vec<u8> {
    let mut out: Vec<u32> = Vec::new();
    let mut calls = Vec::new();
    starts.push(TEXT);
    for part in bytes.chunks_exact(4).take(MOST) {
        let (kind, by) = (usize::from(part[0]), u32::from(part[1]));
        // Up to 31 instructions on, in the fields that branches have.
        let near = (by % 32) << 5;
        out.push(match kind % 40 {
            place @ 0..28 => PLAIN[place],
            28 => 0x3400_0000 | near, // cbz w0
            29 => 0x3500_0000 | near, // cbnz w0
            30 => 0x3600_0000 | u32::from(part[2]) % 32 << 19 | near, // tbz w0
            31 => 0x3700_0000 | u32::from(part[2]) % 32 << 19 | near, // tbnz w0
            32 => 0x5400_0000 | near | u32::from(part[2]) % 16, // b.cond
            33 => 0x1400_0000 | by % 32, // b
            34 | 35 => {
                calls.push((out.len(), part[1]));
                if kind % 40 == 34 {
                    0x9400_0000
                } else {
                    0x1400_0000
                } // bl, b
            }
            36 => {
                // adr x0: a word of the data
                let to = DATA + u64::from(by) % WORDS as u64 * 8;
                let by = (to - TEXT - 4 * out.len() as u64) as u32;
                0x1000_0000 | (by & 3) << 29 | (by >> 2) << 5
            }
            37 | 38 => u32::from_le_bytes([part[3], part[2], part[1], part[0]]),
            _ => {
                if starts.len() < FUNCTIONS {
                    starts.push(TEXT + 4 * (out.len() as u64 + 1));
                }
                0xd65f_03c0
            }
        });
    }
    out.push(0xd65f_03c0);
    for (at, number) in calls {
        let to = (starts[usize::from(number) % starts.len()] - TEXT) / 4;
        out[at] |= (to as u32).wrapping_sub(at as u32) & 0x03ff_ffff;
    }
    out.into_iter().flat_map(u32::to_le_bytes).collect()
}

fuzz_target!(|bytes: &[u8]| {
    let (head, rest) = bytes.split_at(bytes.len().min(WORDS));
    let mut starts = Vec::new();
    let text = text(rest, &mut starts);
    let program = elf::program(MACHINE, &text, &elf::words(head, &starts), &starts);
    let baseline = Baseline::parse("armv8-a").expect("a level");
    let counts = leaks(&program, &baseline).expect("a sound program").counts;
    let states = [
        counts.guarded,
        counts.leaks,
        counts.insufficient,
        counts.exported,
        counts.unknown,
        counts.unreferenced,
    ];
    assert_eq!(states.iter().sum::<u64>(), counts.above);
});
