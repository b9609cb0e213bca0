//! The compression function in plain Rust (RFC 7693, 3.2): the reading that the
//! others are held against, and what runs where nothing better is known.

use super::{Algorithm, Counter, Word};

/// RFC 7693, 2.7. Rounds 10 and 11 of BLAKE2b start again at the top.
const SIGMA: [[usize; 16]; 10] = [
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

#[inline(always)]
fn g<A: Algorithm>(v: &mut [A::Word; 16], [a, b, c, d]: [usize; 4], x: A::Word, y: A::Word) {
    let [r1, r2, r3, r4] = A::ROTATIONS;
    v[a] = v[a].plus(x).plus(v[b]);
    v[d] = (v[d] ^ v[a]).rotated(r1);
    v[c] = v[c].plus(v[d]);
    v[b] = (v[b] ^ v[c]).rotated(r2);
    v[a] = v[a].plus(y).plus(v[b]);
    v[d] = (v[d] ^ v[a]).rotated(r3);
    v[c] = v[c].plus(v[d]);
    v[b] = (v[b] ^ v[c]).rotated(r4);
}

/// Round `R`: its places and words are constants, so that the state can be in
/// registers.
#[inline(always)]
fn round<A: Algorithm, const R: usize>(v: &mut [A::Word; 16], m: &[A::Word; 16]) {
    let s = const { &SIGMA[R % 10] };
    g::<A>(v, [0, 4, 8, 12], m[s[0]], m[s[1]]);
    g::<A>(v, [1, 5, 9, 13], m[s[2]], m[s[3]]);
    g::<A>(v, [2, 6, 10, 14], m[s[4]], m[s[5]]);
    g::<A>(v, [3, 7, 11, 15], m[s[6]], m[s[7]]);
    g::<A>(v, [0, 5, 10, 15], m[s[8]], m[s[9]]);
    g::<A>(v, [1, 6, 11, 12], m[s[10]], m[s[11]]);
    g::<A>(v, [2, 7, 8, 13], m[s[12]], m[s[13]]);
    g::<A>(v, [3, 4, 9, 14], m[s[14]], m[s[15]]);
}

/// See [`super::Compress`].
///
/// # Safety
/// `blocks` must be readable for `count` blocks.
pub(crate) unsafe fn compress<A: Algorithm>(
    h: &mut [A::Word; 8],
    blocks: *const u8,
    count: usize,
    counter: &mut Counter<A::Word>,
    step: usize,
) {
    // SAFETY: the caller's promise.
    let blocks = unsafe { core::slice::from_raw_parts(blocks, count * A::BLOCK) };
    for block in blocks.chunks_exact(A::BLOCK) {
        let low = counter.t[0].plus(A::Word::low(step as u128));
        // The sum is below what was added: it has wrapped.
        let carry = u128::from(u64::from_le_bytes(low.bytes()) < step as u64);
        counter.t = [low, counter.t[1].plus(A::Word::low(carry))];

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
        round::<A, 0>(&mut v, &m);
        round::<A, 1>(&mut v, &m);
        round::<A, 2>(&mut v, &m);
        round::<A, 3>(&mut v, &m);
        round::<A, 4>(&mut v, &m);
        round::<A, 5>(&mut v, &m);
        round::<A, 6>(&mut v, &m);
        round::<A, 7>(&mut v, &m);
        round::<A, 8>(&mut v, &m);
        round::<A, 9>(&mut v, &m);
        if A::ROUNDS == 12 {
            round::<A, 10>(&mut v, &m);
            round::<A, 11>(&mut v, &m);
        }
        for i in 0..8 {
            h[i] = h[i] ^ v[i] ^ v[i + 8];
        }
    }
}
