//! AArch64: which group an instruction is of, and which extension it needs.
//!
//! Every instruction is four bytes, and its encoding group says what registers
//! it works on: no decoder is needed, only masks. Source: Arm Architecture
//! Reference Manual for A-profile (DDI 0487), C4.1 "A64 instruction set encoding"
//! and the tables below it; section names stand beside the masks.
//!
//! What is not allocated is told from the top level alone: a word in a group that
//! exists counts as an instruction even if its other bits mean nothing.

pub mod addresses;
pub mod decode;
pub mod names;

/// Instructions of the Advanced SIMD and floating-point groups, as a class.
pub const SIMD: u8 = 1;
/// Instructions of the SVE and SME groups, as a class.
pub const SVE: u8 = 2;

/// Names of extensions as rustc spells them, in the order of the constants.
pub const NAMES: [&str; 17] = [
    "", "aes", "sha2", "sha3", "sm4", "dotprod", "i8mm", "bf16", "lse", "rcpc", "rcpc2", "crc",
    "paca", "sve", "sve2", "sme", "fp16",
];
const AES: u8 = 1;
const SHA2: u8 = 2;
const SHA3: u8 = 3;
const SM4: u8 = 4;
const DOTPROD: u8 = 5;
const I8MM: u8 = 6;
const BF16: u8 = 7;
const LSE: u8 = 8;
const RCPC: u8 = 9;
const RCPC2: u8 = 10;
const CRC: u8 = 11;
const PACA: u8 = 12;
const SVE1: u8 = 13;
const SVE2: u8 = 14;
const SME: u8 = 15;
const FP16: u8 = 16;

/// Class and extension set of a word; none if its group is not allocated.
#[inline(always)]
pub fn classify(word: u32) -> Option<(u8, u8)> {
    // C4.1, top level: op1 in bits 28:25.
    match word >> 25 & 0xf {
        // Bit 31 tells SME from what is reserved (UDF among it).
        0b0000 if word >> 31 == 1 => Some((SVE, SME)),
        0b0010 => Some((SVE, sve(word))),
        0b1000 | 0b1001 => Some((0, 0)),
        0b1010 | 0b1011 => Some((0, branch(word))),
        // Loads and stores; bit 26 is V, which selects SIMD&FP registers.
        0b0100 | 0b1100 => Some((0, load_or_store(word))),
        0b0110 | 0b1110 => Some((SIMD, 0)),
        0b0101 | 0b1101 => Some((0, register(word))),
        0b0111 | 0b1111 => Some((SIMD, simd(word))),
        _ => None,
    }
}

/// "Branches, exception generating and system instructions". The hints for pointer
/// authentication, which older CPUs skip, are left out.
#[inline(always)]
fn branch(word: u32) -> u8 {
    // Unconditional branch (register) with authentication: RETAA, BRAA, BLRAAZ …
    if word & 0xfe9f_f800 == 0xd61f_0800 {
        PACA
    } else {
        0
    }
}

/// "Loads and stores" of general-purpose registers.
#[inline(always)]
fn load_or_store(word: u32) -> u8 {
    // Atomic memory operations.
    if word & 0x3f20_0c00 == 0x3820_0000 {
        return match word >> 12 & 0xf {
            // LDAPR; the other codes with o3 set are LSE's SWP and LD64B's.
            0b1100 => RCPC,
            0b0000..=0b1000 => LSE,
            _ => 0,
        };
    }
    // Compare and swap; compare and swap pair.
    if word & 0x3fa0_7c00 == 0x08a0_7c00 || word & 0xbfa0_7c00 == 0x0820_7c00 {
        return LSE;
    }
    // LDAPR/STLR (unscaled immediate).
    if word & 0x3f20_0c00 == 0x1900_0000 {
        return RCPC2;
    }
    // Load register (pointer authentication code).
    if word & 0xff20_0400 == 0xf820_0400 {
        return PACA;
    }
    0
}

/// "Data processing - register".
#[inline(always)]
fn register(word: u32) -> u8 {
    // Data-processing (2 source): CRC32*.
    if word & 0x7fe0_e000 == 0x1ac0_4000 {
        return CRC;
    }
    // Data-processing (1 source) of pointer authentication; PACGA.
    if word & 0xffff_0000 == 0xdac1_0000 || word & 0xffe0_fc00 == 0x9ac0_3000 {
        return PACA;
    }
    0
}

/// "Data processing - scalar floating-point and Advanced SIMD".
#[inline(always)]
fn simd(word: u32) -> u8 {
    match word >> 24 {
        // Cryptographic AES; three-register SHA; two-register SHA.
        0x4e if word & 0x003e_0c00 == 0x0028_0800 => return AES,
        0x5e if word & 0x0020_8c00 == 0 || word & 0x003e_0c00 == 0x0028_0800 => return SHA2,
        0xce => {
            // Three-register, imm2: SM3TT*. Three-register SHA 512 with bit 14
            // set: SM3PARTW*, SM4EKEY. Four-register, op0 10: SM3SS1.
            // Two-register SHA 512, opcode 01: SM4E.
            let sm4 = word & 0xffe0_c000 == 0xce40_8000
                || word & 0xffe0_c000 == 0xce60_c000
                || word & 0xffe0_8000 == 0xce40_0000
                || word & 0xffff_fc00 == 0xcec0_8400;
            return if sm4 { SM4 } else { SHA3 };
        }
        _ => {}
    }
    // Three different, PMULL of 64 bits: rustc counts it to aes.
    if word & 0xbfe0_fc00 == 0x0ee0_e000 {
        return AES;
    }
    // Advanced SIMD three-register extension.
    if word & 0x9f20_8400 == 0x0e00_8400 {
        return match (word >> 29 & 1, word >> 22 & 3, word >> 11 & 0xf) {
            (_, 0b10, 0b0010) => DOTPROD,
            (0, 0b10, 0b0011) | (_, 0b10, 0b0100) | (0, 0b10, 0b0101) => I8MM,
            (1, 0b01, 0b1111 | 0b1101) | (1, 0b11, 0b1111) => BF16,
            _ => 0,
        };
    }
    // Advanced SIMD vector x indexed element.
    if word & 0x9f00_0400 == 0x0f00_0000 {
        return match (word >> 29 & 1, word >> 22 & 3, word >> 12 & 0xf) {
            (_, 0b10, 0b1110) => DOTPROD,
            (0, 0b00 | 0b10, 0b1111) => I8MM,
            (0, 0b01 | 0b11, 0b1111) => BF16,
            (0, 0b00, 0b0001 | 0b0101 | 0b1001) | (1, 0b00, 0b1001) => FP16,
            _ => 0,
        };
    }
    // Two-register miscellaneous, BFCVTN; floating-point, BFCVT.
    if word & 0xbfff_fc00 == 0x0ea1_6800 || word & 0xffff_fc00 == 0x1e63_4000 {
        return BF16;
    }
    // Three same (FP16); floating-point data-processing of type 11, of which the
    // conversions (1 source) are in the baseline.
    let half = word & 0x9f60_c400 == 0x0e40_0400
        || word & 0xffe0_0c00 == 0x1ee0_0800
        || word & 0xffe0_0c00 == 0x1ee0_0c00
        || word & 0xffc0_0000 == 0x1fc0_0000
        || word & 0xffe0_fc00 == 0x1ee0_2000;
    if half { FP16 } else { 0 }
}

/// "SVE encodings". Where one group holds instructions of both, only what is
/// certainly not in the first version is called SVE2.
#[inline(always)]
fn sve(word: u32) -> u8 {
    match word >> 24 {
        // SVE integer multiply-add: SDOT and UDOT (also by element) are SVE, the
        // mixed-sign ones (USDOT, SUDOT) of I8MM; the rest came with SVE2.
        0x44 => match word >> 10 & 0x3f {
            0 | 1 => SVE1,
            0b01_1110 if word >> 21 & 1 == 0 => I8MM,
            0b00_0110 | 0b00_0111 if word >> 21 & 1 == 1 => I8MM,
            _ => SVE2,
        },
        // All of it SVE2 (or later) but for the matrix multiply-adds.
        0x45 if word & 0xff20_fc00 == 0x4500_9800 => I8MM,
        0x45 => SVE2,
        _ => SVE1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words as GNU as 2.40 encodes them.
    #[test]
    fn groups_and_extensions() {
        for (word, class, name) in [
            (0xd503_201f_u32, 0, ""),       // nop
            (0xd503_233f, 0, ""),           // paciasp, a hint
            (0xd65f_0bff, 0, "paca"),       // retaa
            (0xd65f_03c0, 0, ""),           // ret
            (0xf820_0020, 0, "lse"),        // ldadd x0, x0, [x1]
            (0xf8e0_8041, 0, "lse"),        // swpal x0, x1, [x2]
            (0xc8e0_fc41, 0, "lse"),        // casal x0, x1, [x2]
            (0x4820_7c82, 0, "lse"),        // casp x0, x1, x2, x3, [x4]
            (0xf820_003f, 0, "lse"),        // stadd x0, [x1]
            (0xf8bf_c020, 0, "rcpc"),       // ldapr x0, [x1]
            (0xd940_8020, 0, "rcpc2"),      // ldapur x0, [x1, #8]
            (0x9ac2_4c20, 0, "crc"),        // crc32x w0, w1, x2
            (0xb862_6820, 0, ""),           // ldr w0, [x1, x2]
            (0x3dc0_0020, SIMD, ""),        // ldr q0, [x1]
            (0x4c40_7020, SIMD, ""),        // ld1 {v0.16b}, [x1]
            (0x4ea2_8420, SIMD, ""),        // add v0.4s, v1.4s, v2.4s
            (0x1e62_2820, SIMD, ""),        // fadd d0, d1, d2
            (0x1ee2_2820, SIMD, "fp16"),    // fadd h0, h1, h2
            (0x4e42_1420, SIMD, "fp16"),    // fadd v0.8h, v1.8h, v2.8h
            (0x4f02_1020, SIMD, "fp16"),    // fmla v0.8h, v1.8h, v2.h[0]
            (0x1e23_c020, SIMD, ""),        // fcvt h0, s1
            (0x4e28_4820, SIMD, "aes"),     // aese v0.16b, v1.16b
            (0x4ee2_e020, SIMD, "aes"),     // pmull2 v0.1q, v1.2d, v2.2d
            (0x4e22_e020, SIMD, ""),        // pmull2 v0.8h, v1.16b, v2.16b
            (0x5e02_4020, SIMD, "sha2"),    // sha256h q0, q1, v2.4s
            (0x5e28_2820, SIMD, "sha2"),    // sha256su0 v0.4s, v1.4s
            (0xce62_8020, SIMD, "sha3"),    // sha512h q0, q1, v2.2d
            (0xcec0_8020, SIMD, "sha3"),    // sha512su0 v0.2d, v1.2d
            (0xce62_8c20, SIMD, "sha3"),    // rax1 v0.2d, v1.2d, v2.2d
            (0xce02_0c20, SIMD, "sha3"),    // eor3 v0.16b, v1.16b, v2.16b, v3.16b
            (0xce22_0c20, SIMD, "sha3"),    // bcax v0.16b, v1.16b, v2.16b, v3.16b
            (0xce82_0420, SIMD, "sha3"),    // xar v0.2d, v1.2d, v2.2d, #1
            (0xcec0_8420, SIMD, "sm4"),     // sm4e v0.4s, v1.4s
            (0xce42_0c20, SIMD, "sm4"),     // sm3ss1 v0.4s, v1.4s, v2.4s, v3.4s
            (0xce42_8020, SIMD, "sm4"),     // sm3tt1a v0.4s, v1.4s, v2.s[0]
            (0xce62_c020, SIMD, "sm4"),     // sm3partw1 v0.4s, v1.4s, v2.4s
            (0xce62_c820, SIMD, "sm4"),     // sm4ekey v0.4s, v1.4s, v2.4s
            (0x4e82_9420, SIMD, "dotprod"), // sdot v0.4s, v1.16b, v2.16b
            (0x4f82_e020, SIMD, "dotprod"), // sdot v0.4s, v1.16b, v2.4b[0]
            (0x4e82_a420, SIMD, "i8mm"),    // smmla v0.4s, v1.16b, v2.16b
            (0x4e82_ac20, SIMD, "i8mm"),    // usmmla v0.4s, v1.16b, v2.16b
            (0x4e82_9c20, SIMD, "i8mm"),    // usdot v0.4s, v1.16b, v2.16b
            (0x4f02_f020, SIMD, "i8mm"),    // sudot v0.4s, v1.16b, v2.4b[0]
            (0x6e42_fc20, SIMD, "bf16"),    // bfdot v0.4s, v1.8h, v2.8h
            (0x6e42_ec20, SIMD, "bf16"),    // bfmmla v0.4s, v1.8h, v2.8h
            (0x2ec2_fc20, SIMD, "bf16"),    // bfmlalb v0.4s, v1.8h, v2.8h
            (0x4f42_f020, SIMD, "bf16"),    // bfdot v0.4s, v1.8h, v2.2h[0]
            (0x0ea1_6820, SIMD, "bf16"),    // bfcvtn v0.4h, v1.4s
            (0x6e82_cc20, SIMD, ""),        // fcmla v0.4s, v1.4s, v2.4s, #90
            (0x6e82_8420, SIMD, ""),        // sqrdmlah v0.4s, v1.4s, v2.4s
            (0x04a2_0020, SVE, "sve"),      // add z0.s, z1.s, z2.s
            (0xa400_a000, SVE, "sve"),      // ld1b {z0.b}, p0/z, [x0]
            (0x4482_0020, SVE, "sve"),      // sdot z0.s, z1.b, z2.b
            (0x44a2_0020, SVE, "sve"),      // sdot z0.s, z1.b, z2.b[0]
            (0x4482_7820, SVE, "i8mm"),     // usdot z0.s, z1.b, z2.b
            (0x44a2_1c20, SVE, "i8mm"),     // sudot z0.s, z1.b, z2.b[0]
            (0x4502_9820, SVE, "i8mm"),     // smmla z0.s, z1.b, z2.b
            (0x4542_0020, SVE, "sve2"),     // saddlb z0.h, z1.b, z2.b
            (0x4442_6020, SVE, "sve2"),     // sqdmlalb z0.h, z1.b, z2.b
        ] {
            let found = classify(word).map(|(class, set)| (class, NAMES[usize::from(set)]));
            assert_eq!(found, Some((class, name)), "{word:#x}");
        }
        // udf #0; the two groups without anything.
        for word in [0, 0x0200_0000, 0x0600_0000] {
            assert_eq!(classify(word), None, "{word:#x}");
        }
    }
}
