//! Functions and constants of SHA-256 and SHA-224 (FIPS 180-4, sections 4.1.2, 4.2.2,
//! 5.3.2 and 5.3.3).

use crate::algorithm::Algorithm;

/// SHA-256 as a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sha256;

impl Algorithm for Sha256 {
    type Word = u32;
    type Block = [u8; 64];
    type Ends = [u8; 128];
    type Digest = [u8; 32];
    const K: &'static [u32] = &K.0;

    #[inline(always)]
    fn sum0(x: u32) -> u32 {
        x.rotate_right(2) ^ x.rotate_right(13) ^ x.rotate_right(22)
    }

    #[inline(always)]
    fn sum1(x: u32) -> u32 {
        x.rotate_right(6) ^ x.rotate_right(11) ^ x.rotate_right(25)
    }

    #[inline(always)]
    fn next_word(w16: u32, w15: u32, w7: u32, w2: u32) -> u32 {
        next_word(w16, w15, w7, w2)
    }
}

/// Bytes in a block.
#[cfg(any(
    target_arch = "aarch64",
    all(
        any(target_arch = "x86_64", target_arch = "x86"),
        target_feature = "sse2",
        not(miri)
    )
))]
pub(super) const BLOCK: usize = Sha256::BLOCK;

/// A table that is aligned, because SSE instructions read it in pieces of sixteen
/// bytes.
#[repr(C, align(64))]
pub(super) struct Words<const N: usize>(pub(super) [u32; N]);

/// The first 32 bits of the fractional parts of the cube roots of the first 64
/// primes (section 4.2.2).
#[rustfmt::skip]
pub(super) static K: Words<64> = Words([
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]);

/// The initial state of SHA-256 (section 5.3.3).
#[rustfmt::skip]
pub(crate) const IV256: [u32; 8] = [
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];

/// The initial state of SHA-256, for assembly.
#[cfg(target_arch = "x86_64")]
pub(super) static IV: Words<8> = Words(IV256);

/// The initial state of SHA-224 (section 5.3.2).
#[rustfmt::skip]
pub(crate) const IV224: [u32; 8] = [
    0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
];

/// The initial states in the word order of the x86 SHA instructions.
#[cfg(target_arch = "x86_64")]
pub(super) static START256: Words<8> = ordered(&IV256);
#[cfg(target_arch = "x86_64")]
pub(super) static START224: Words<8> = ordered(&IV224);

/// A state as `sha256rnds2` expects it in two registers: ABEF and CDGH, highest word
/// first (Intel SDM).
#[cfg(target_arch = "x86_64")]
const fn ordered([a, b, c, d, e, f, g, h]: &[u32; 8]) -> Words<8> {
    Words([*f, *e, *b, *a, *h, *g, *d, *c])
}

/// `K` plus the schedule of the block that pads a message of 64 bytes. That block is
/// the marker bit and the length of 512 bits.
#[cfg(target_arch = "x86_64")]
pub(super) static PAD64: Words<64> = {
    let mut w = [0u32; 64];
    (w[0], w[15]) = (1 << 31, 512);
    let mut t = 16;
    while t < 64 {
        w[t] = next_word(w[t - 16], w[t - 15], w[t - 7], w[t - 2]);
        t += 1;
    }
    t = 0;
    while t < 64 {
        w[t] = w[t].wrapping_add(K.0[t]);
        t += 1;
    }
    Words(w)
};

/// Schedule word `t`, from the words at `t - 16`, `t - 15`, `t - 7` and `t - 2`
/// (section 6.2.2).
#[inline(always)]
const fn next_word(w16: u32, w15: u32, w7: u32, w2: u32) -> u32 {
    let s0 = w15.rotate_right(7) ^ w15.rotate_right(18) ^ w15 >> 3;
    let s1 = w2.rotate_right(17) ^ w2.rotate_right(19) ^ w2 >> 10;
    w16.wrapping_add(s0).wrapping_add(w7).wrapping_add(s1)
}
