//! What the kernels over many lanes work on, and the leaves of a parallel hash.

use super::single::Counter;
use super::{Algorithm, Word};

/// What a kernel over `N` lanes works on. Fields that come in pairs are for the
/// blocks before the last one of a call, and for the last one. The layout is
/// what the assembly reads.
#[repr(C, align(64))]
pub(crate) struct Batch<W, const N: usize> {
    /// States: word by word, a row holds one word of every lane.
    pub(crate) h: [[W; N]; 8],
    /// Counters, low word; the first moves on by a block with every block.
    pub(crate) low: [[W; N]; 2],
    /// Counters, high word: it must stay the same during a call.
    pub(crate) high: [W; N],
    /// Flags of the last block.
    pub(crate) last: [[W; N]; 2],
    /// Flags of the last node.
    pub(crate) node: [[W; N]; 2],
    /// Where the lanes read; moves on by a stride with every block.
    pub(crate) at: [*const u8; N],
    /// Which of a block's first 64 bytes exist, a bit each, where the kernel
    /// [reads no more than those](Body::MASKED).
    pub(crate) mask: [[u64; N]; 2],
    /// The same for the bytes after them (BLAKE2b only).
    pub(crate) mask_high: [[u64; N]; 2],
}

impl<W: Word, const N: usize> Batch<W, N> {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            h: [[W::default(); N]; 8],
            low: [[W::default(); N]; 2],
            high: [W::default(); N],
            last: [[W::default(); N]; 2],
            node: [[W::default(); N]; 2],
            at: [core::ptr::null(); N],
            mask: [[u64::MAX; N]; 2],
            mask_high: [[u64::MAX; N]; 2],
        }
    }

    #[inline]
    pub(super) fn put(&mut self, lane: usize, h: &[W; 8]) {
        for (row, word) in self.h.iter_mut().zip(h) {
            row[lane] = *word;
        }
    }

    #[inline]
    pub(super) fn take(&self, lane: usize) -> [W; 8] {
        core::array::from_fn(|i| self.h[i][lane])
    }
}

/// A compression over `N` lanes.
pub(crate) trait Body<W, const N: usize> {
    /// Whether bytes that the masks leave out are not read but taken as zeros.
    const MASKED: bool;

    /// Compresses `blocks` blocks, one or more, of every lane.
    ///
    /// # Safety
    /// The CPU must have the body's ISAs; every `at` must be readable for the
    /// blocks, `stride` bytes apart, up to what the masks leave out.
    unsafe fn advance(batch: &mut Batch<W, N>, blocks: usize, stride: usize);
}

/// [`super::Many::leaves`] by a body; as many leaves at once as it has lanes.
///
/// # Safety
/// As [`super::Many::leaves`].
pub(crate) unsafe fn leaves<A: Algorithm, B: Body<A::Word, N>, const N: usize>(
    leaves: &mut [[A::Word; 8]],
    t: u128,
    data: *const u8,
    stripes: usize,
) {
    let stride = leaves.len() * A::BLOCK;
    for (i, group) in leaves.chunks_mut(N).enumerate() {
        let mut batch = Batch::<A::Word, N>::new();
        for lane in 0..N {
            // Lanes beyond the leaves do what the first ones do.
            let leaf = lane % group.len();
            batch.put(lane, &group[leaf]);
            batch.at[lane] = data.wrapping_add((i * N + leaf) * A::BLOCK);
        }
        let (mut t, mut left) = (t, stripes);
        while left > 0 {
            let first = t + A::BLOCK as u128;
            let last = |blocks: usize| t + (blocks * A::BLOCK) as u128;
            // The counter's high word stays the same during a call.
            let mut now = left;
            while A::Word::high(last(now)) != A::Word::high(first) {
                now = now.div_ceil(2);
            }
            let end = last(now);
            batch.high = [A::Word::high(first); N];
            batch.low = [[A::Word::low(first); N], [A::Word::low(end); N]];
            // SAFETY: the caller's promise; `at` has moved on by the stripes done.
            unsafe { B::advance(&mut batch, now, stride) };
            (t, left) = (end, left - now);
        }
        for (lane, leaf) in group.iter_mut().enumerate() {
            *leaf = batch.take(lane);
        }
    }
}

/// [`super::Many::leaves`] leaf by leaf.
///
/// # Safety
/// `data` must be readable for as many stripes.
pub(crate) unsafe fn leaf_by_leaf<A: Algorithm>(
    leaves: &mut [[A::Word; 8]],
    t: u128,
    data: *const u8,
    stripes: usize,
) {
    let compress = A::compress();
    for stripe in 0..stripes {
        let t = t + (stripe * A::BLOCK) as u128;
        for (leaf, h) in leaves.iter_mut().enumerate() {
            let mut counter = Counter {
                t: [A::Word::low(t), A::Word::high(t)],
                f: [A::Word::default(); 2],
            };
            // SAFETY: the caller's promise; the table gave the function.
            unsafe {
                let at = data.add((stripe * A::LEAVES + leaf) * A::BLOCK);
                compress(h, at, 1, &mut counter, A::BLOCK);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blake2::{Blake2b, Blake2s};
    use alloc::vec::Vec;
    use karat_cpu::{IsaSet, Kernel};

    /// No test reads as many gigabytes as it takes to carry.
    fn counters_carry<A: Algorithm>(kernel: &Kernel<crate::blake2::Many<A::Word>>) {
        const STRIPES: usize = 9;
        let data: Vec<u8> = (0..STRIPES * A::LEAVES * A::BLOCK)
            .map(|i| ((i * i) >> 3) as u8)
            .collect();
        let start: Vec<[A::Word; 8]> = (0..A::LEAVES)
            .map(|leaf| core::array::from_fn(|i| A::Word::low((leaf * 8 + i) as u128)))
            .collect();
        let t = (1 << (8 * A::Word::BYTES)) - 4 * A::BLOCK as u128 - 5;
        let mut expected = start.clone();
        // SAFETY: the data are that many stripes.
        unsafe { leaf_by_leaf::<A>(&mut expected, t, data.as_ptr(), STRIPES) };
        let isas = karat_cpu::detect();
        for implementation in kernel.implementations() {
            if implementation.isa().without(isas) != IsaSet::EMPTY {
                continue;
            }
            let mut got = start.clone();
            // SAFETY: the data are that many stripes, and the CPU has the ISAs.
            unsafe { (implementation.body().leaves)(&mut got, t, data.as_ptr(), STRIPES) };
            assert_eq!(got, expected, "{}", implementation.name());
        }
    }

    #[test]
    fn counters_of_leaves_carry() {
        counters_carry::<Blake2b>(&crate::blake2b::MANY);
        counters_carry::<Blake2s>(&crate::blake2s::MANY);
    }
}
