//! What of an AArch64 file is told otherwise than of one for x86-64: kinds of relocations, and
//! linkage stubs.

use karat_binary::a64::decode::page;
use karat_binary::read::image::Image;

/// A kind of relocation as the one for x86-64 that says the same; none of them for others.
///
/// Source: *ELF for the Arm 64-bit Architecture*, 5.7.12.
pub(crate) fn relocation(kind: u32) -> u32 {
    match kind {
        // R_AARCH64_ABS64
        257 => 1,
        // R_AARCH64_GLOB_DAT, JUMP_SLOT
        1025 => 6,
        1026 => 7,
        // R_AARCH64_RELATIVE, IRELATIVE
        1027 => 8,
        1032 => 37,
        // R_AARCH64_TLS_DTPMOD, DTPREL, TPREL
        1028 => 16,
        1029 => 17,
        1030 => 18,
        _ => 0,
    }
}

/// Linkage stubs with the word that each goes by: `adrp x16; ldr x17, [x16, …]; add x16, …;
/// br x17`, with or without `bti c` before it.
#[must_use]
pub fn stubs(image: &Image<'_>) -> Vec<(u64, u64)> {
    let mut found = Vec::new();
    let sections = image.code.iter();
    for section in sections.filter(|s| matches!(&*s.name, ".plt" | ".iplt")) {
        let words: Vec<u32> = (section.bytes.chunks_exact(4))
            .map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]))
            .collect();
        for (at, four) in words.windows(4).enumerate() {
            if four[0] & 0x9f00_001f == 0x9000_0010
                && four[1] & 0xffc0_03ff == 0xf940_0211
                && four[3] == 0xd61f_0220
            {
                let from = section.address + 4 * at as u64;
                let slot = page(four[0], from).wrapping_add(u64::from(four[1] >> 10 & 0xfff) << 3);
                found.push((from, slot));
                if at > 0 && words[at - 1] == 0xd503_245f {
                    found.push((from - 4, slot));
                }
            }
        }
    }
    found
}
