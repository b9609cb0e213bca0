//! The compression function in plain Rust (RFC 7693, 3.2). It is the fallback, and the
//! reference for the tests of all others. Its rounds work on vectors of words too.

use super::single::hash_by;
use super::{Algorithm, Counter, One, Word};

/// Message schedule (RFC 7693, 2.7). Rounds 10 and 11 of BLAKE2b use the first two rows
/// again.
pub(crate) const SIGMA: [[usize; 16]; 10] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
];

/// A word, or one word of each of several messages.
pub(crate) trait Value: Copy {
    fn plus(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// Each word rotated right by `bits` bits.
    fn rotated(self, bits: u32) -> Self;
}

impl<W: Word> Value for W {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Word::plus(self, other)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self ^ other
    }
    #[inline(always)]
    fn rotated(self, bits: u32) -> Self {
        Word::rotated(self, bits)
    }
}

#[inline(always)]
fn g<A: Algorithm, V: Value>(v: &mut [V; 16], [a, b, c, d]: [usize; 4], x: V, y: V) {
    let [r1, r2, r3, r4] = A::ROTATIONS;
    // The message word is added first, because it is ready before v[b].
    v[a] = v[a].plus(x).plus(v[b]);
    v[d] = v[d].xor(v[a]).rotated(r1);
    v[c] = v[c].plus(v[d]);
    v[b] = v[b].xor(v[c]).rotated(r2);
    v[a] = v[a].plus(y).plus(v[b]);
    v[d] = v[d].xor(v[a]).rotated(r3);
    v[c] = v[c].plus(v[d]);
    v[b] = v[b].xor(v[c]).rotated(r4);
}

/// Round `R`. Indices are constants, so that the state can stay in registers.
#[inline(always)]
fn round<A: Algorithm, V: Value, const R: usize>(v: &mut [V; 16], m: &[V; 16]) {
    let s = const { &SIGMA[R % 10] };
    g::<A, V>(v, [0, 4, 8, 12], m[s[0]], m[s[1]]);
    g::<A, V>(v, [1, 5, 9, 13], m[s[2]], m[s[3]]);
    g::<A, V>(v, [2, 6, 10, 14], m[s[4]], m[s[5]]);
    g::<A, V>(v, [3, 7, 11, 15], m[s[6]], m[s[7]]);
    g::<A, V>(v, [0, 5, 10, 15], m[s[8]], m[s[9]]);
    g::<A, V>(v, [1, 6, 11, 12], m[s[10]], m[s[11]]);
    g::<A, V>(v, [2, 7, 8, 13], m[s[12]], m[s[13]]);
    g::<A, V>(v, [3, 4, 9, 14], m[s[14]], m[s[15]]);
}

/// All rounds.
#[inline(always)]
pub(crate) fn rounds<A: Algorithm, V: Value>(v: &mut [V; 16], m: &[V; 16]) {
    round::<A, V, 0>(v, m);
    round::<A, V, 1>(v, m);
    round::<A, V, 2>(v, m);
    round::<A, V, 3>(v, m);
    round::<A, V, 4>(v, m);
    round::<A, V, 5>(v, m);
    round::<A, V, 6>(v, m);
    round::<A, V, 7>(v, m);
    round::<A, V, 8>(v, m);
    round::<A, V, 9>(v, m);
    if A::ROUNDS == 12 {
        round::<A, V, 10>(v, m);
        round::<A, V, 11>(v, m);
    }
}

/// The functions for one message.
pub(crate) const fn one<A: Algorithm>() -> One<A::Word> {
    One {
        compress: compress::<A>,
        hash: hash::<A>,
    }
}

/// See [`super::single::HashOne`].
///
/// # Safety
/// The same conditions as there.
unsafe fn hash<A: Algorithm>(start: &[A::Word; 8], message: &[u8], digest: *mut u8, length: usize) {
    // SAFETY: the caller upholds the safety contract.
    unsafe { hash_by(compress::<A>, start, message, digest, length) }
}

/// See [`super::Compress`].
///
/// # Safety
/// `blocks` must be readable for `count` blocks.
unsafe fn compress<A: Algorithm>(
    h: &mut [A::Word; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<A::Word>,
    step: usize,
) {
    // SAFETY: the caller guarantees that `blocks` is readable for `count` blocks.
    let blocks = unsafe { core::slice::from_raw_parts(blocks, count * A::BLOCK) };
    for block in blocks.chunks_exact(A::BLOCK) {
        let low = Word::plus(counter.t[0], A::Word::low(step as u128));
        // If the sum is less than what was added, it has wrapped.
        let carry = u128::from(u64::from_le_bytes(low.bytes()) < step as u64);
        counter.t = [low, Word::plus(counter.t[1], A::Word::low(carry))];

        let mut m = [A::Word::default(); 16];
        for (word, bytes) in m.iter_mut().zip(block.chunks_exact(A::Word::BYTES)) {
            *word = A::Word::read(bytes);
        }
        let mut v = [A::Word::default(); 16];
        v[..8].copy_from_slice(h);
        v[8..].copy_from_slice(A::IV);
        v[12] = v[12] ^ counter.t[0];
        v[13] = v[13] ^ counter.t[1];
        v[14] = v[14] ^ counter.f[0];
        v[15] = v[15] ^ counter.f[1];
        rounds::<A, A::Word>(&mut v, &m);
        for i in 0..8 {
            h[i] = h[i] ^ v[i] ^ v[i + 8];
        }
    }
}
