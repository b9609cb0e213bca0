//! Functions and constants of SHA-512, SHA-384 and SHA-512/256 (FIPS 180-4, sections
//! 4.1.3, 4.2.3, 5.3.4, 5.3.5 and 5.3.6.2).

use crate::algorithm::Algorithm;

/// SHA-512 as a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sha512;

impl Algorithm for Sha512 {
    type Word = u64;
    type Block = [u8; 128];
    type Ends = [u8; 256];
    type Digest = [u8; 64];
    const K: &'static [u64] = &K.0;

    #[inline(always)]
    fn sum0(x: u64) -> u64 {
        x.rotate_right(28) ^ x.rotate_right(34) ^ x.rotate_right(39)
    }

    #[inline(always)]
    fn sum1(x: u64) -> u64 {
        x.rotate_right(14) ^ x.rotate_right(18) ^ x.rotate_right(41)
    }

    #[inline(always)]
    fn next_word(w16: u64, w15: u64, w7: u64, w2: u64) -> u64 {
        let s0 = w15.rotate_right(1) ^ w15.rotate_right(8) ^ w15 >> 7;
        let s1 = w2.rotate_right(19) ^ w2.rotate_right(61) ^ w2 >> 6;
        w16.wrapping_add(s0).wrapping_add(w7).wrapping_add(s1)
    }
}

/// A table that is aligned, so that no load of a vector crosses a cache line.
#[repr(C, align(64))]
pub(super) struct Words<const N: usize>(pub(super) [u64; N]);

/// The first 64 bits of the fractional parts of the cube roots of the first 80 primes
/// (section 4.2.3).
#[rustfmt::skip]
pub(super) static K: Words<80> = Words([
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc,
    0x3956c25bf348b538, 0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118,
    0xd807aa98a3030242, 0x12835b0145706fbe, 0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2,
    0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235, 0xc19bf174cf692694,
    0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5,
    0x983e5152ee66dfab, 0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4,
    0xc6e00bf33da88fc2, 0xd5a79147930aa725, 0x06ca6351e003826f, 0x142929670a0e6e70,
    0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed, 0x53380d139d95b3df,
    0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30,
    0xd192e819d6ef5218, 0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8,
    0x19a4c116b8d2d0c8, 0x1e376c085141ab53, 0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8,
    0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373, 0x682e6ff3d6b2b8a3,
    0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b,
    0xca273eceea26619c, 0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178,
    0x06f067aa72176fba, 0x0a637dc5a2c898a6, 0x113f9804bef90dae, 0x1b710b35131c471b,
    0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc, 0x431d67c49c100d4c,
    0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
]);

/// The initial state of SHA-512 (section 5.3.5).
#[rustfmt::skip]
pub(crate) const IV512: [u64; 8] = [
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1,
    0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
];

/// The initial state of SHA-384 (section 5.3.4).
#[rustfmt::skip]
pub(crate) const IV384: [u64; 8] = [
    0xcbbb9d5dc1059ed8, 0x629a292a367cd507, 0x9159015a3070dd17, 0x152fecd8f70e5939,
    0x67332667ffc00b31, 0x8eb44a8768581511, 0xdb0c2e0d64f98fa7, 0x47b5481dbefa4fa4,
];

/// The initial state of SHA-512/256 (section 5.3.6.2).
#[rustfmt::skip]
pub(crate) const IV512_256: [u64; 8] = [
    0x22312194fc2bf72c, 0x9f555fa3c84c64c2, 0x2393b86b6f53b151, 0x963877195940eabd,
    0x96283ee2a88effe3, 0xbe5e1e2553863992, 0x2b0199fc2c85b8aa, 0x0eb72ddc81c52ca2,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::portable;

    /// Section 5.3.6: the state after the name, hashed from a changed initial state.
    #[test]
    fn the_initial_state_of_a_shorter_hash_is_a_hash() {
        let mut block = [0; 128];
        block[..11].copy_from_slice(b"SHA-512/256");
        (block[11], block[127]) = (0x80, 88);
        let mut state = IV512.map(|word| word ^ 0xa5a5_a5a5_a5a5_a5a5);
        // SAFETY: one block is there.
        unsafe { portable::compress::<Sha512>(&mut state, block.as_ptr(), 1) };
        assert_eq!(state, IV512_256);
    }
}
