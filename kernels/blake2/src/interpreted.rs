//! Lanes in plain Rust, so that Miri can check the code around the lanes.

use super::batch::{Batch, Body};
use super::portable::{Value, rounds};
use super::{Algorithm, Word};
use core::marker::PhantomData;

/// One word of each of `N` messages.
#[derive(Clone, Copy)]
struct Words<W, const N: usize>([W; N]);

impl<W: Word, const N: usize> Words<W, N> {
    fn each(self, other: Self, f: impl Fn(W, W) -> W) -> Self {
        Self(core::array::from_fn(|i| f(self.0[i], other.0[i])))
    }
}

impl<W: Word, const N: usize> Value for Words<W, N> {
    fn plus(self, other: Self) -> Self {
        self.each(other, Word::plus)
    }
    fn xor(self, other: Self) -> Self {
        self.each(other, |a, b| a ^ b)
    }
    fn rotated(self, bits: u32) -> Self {
        Self(self.0.map(|word| Word::rotated(word, bits)))
    }
}

/// `MASKED` is that of [`Body`].
pub(crate) struct Lanes<A, const MASKED: bool>(PhantomData<A>);

impl<A: Algorithm, const N: usize, const MASKED: bool> Body<A::Word, N> for Lanes<A, MASKED> {
    const MASKED: bool = MASKED;

    unsafe fn advance(batch: &mut Batch<A::Word, N>, blocks: usize, stride: usize) {
        for block in (0..blocks).rev() {
            let last = usize::from(block == 0);
            let mut m = [Words([A::Word::default(); N]); 16];
            for lane in 0..N {
                let size = if MASKED {
                    let mask = batch.mask[last][lane].trailing_ones();
                    (mask + batch.mask_high[last][lane].trailing_ones()) as usize
                } else {
                    A::BLOCK
                };
                let size = size.min(A::BLOCK);
                let mut bytes = [0; 128];
                // SAFETY: the caller guarantees that the lane's bytes are readable.
                let there = unsafe { core::slice::from_raw_parts(batch.at[lane], size) };
                bytes[..size].copy_from_slice(there);
                for (word, bytes) in m.iter_mut().zip(bytes.chunks_exact(A::Word::BYTES)) {
                    word.0[lane] = A::Word::read(bytes);
                }
            }
            let mut v = m;
            for i in 0..8 {
                v[i] = Words(batch.h[i]);
                v[i + 8] = Words([A::IV[i]; N]);
            }
            v[12] = v[12].xor(Words(batch.low[last]));
            v[13] = v[13].xor(Words(batch.high));
            v[14] = v[14].xor(Words(batch.last[last]));
            v[15] = v[15].xor(Words(batch.node[last]));
            rounds::<A, Words<A::Word, N>>(&mut v, &m);
            for i in 0..8 {
                batch.h[i] = Words(batch.h[i]).xor(v[i]).xor(v[i + 8]).0;
            }
            for (at, low) in batch.at.iter_mut().zip(&mut batch.low[0]) {
                *at = at.wrapping_add(stride);
                *low = Word::plus(*low, A::Word::low(A::BLOCK as u128));
            }
        }
    }
}
