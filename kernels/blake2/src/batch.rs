//! The input of kernels over many lanes, and the leaves of a parallel hash.

use super::single::Counter;
use super::{Algorithm, Word};

/// The input and state of a kernel over `N` lanes. Fields that come in pairs have one
/// value for all blocks except the last one of a call, and one for the last block. The
/// assembly relies on this layout.
#[repr(C, align(64))]
pub(crate) struct Batch<W, const N: usize> {
    /// States. A row holds one word of every lane.
    pub(crate) h: [[W; N]; 8],
    /// Low words of the counters. The first of the pair goes up by a block with every
    /// block.
    pub(crate) low: [[W; N]; 2],
    /// High words of the counters. They must not change during a call.
    pub(crate) high: [W; N],
    /// Flag of the last block.
    pub(crate) last: [[W; N]; 2],
    /// Flag of the last node.
    pub(crate) node: [[W; N]; 2],
    /// The address that each lane reads. It moves on by a stride with every block.
    pub(crate) at: [*const u8; N],
    /// Which of a block's first 64 bytes exist, one bit each. For kernels that [read
    /// only those](Body::MASKED).
    pub(crate) mask: [[u64; N]; 2],
    /// The same for the other bytes (BLAKE2b only).
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

/// A compression function over `N` lanes.
pub(crate) trait Body<W, const N: usize> {
    /// Whether bytes that the masks leave out are taken as zeros without being read.
    const MASKED: bool;

    /// Compresses `blocks` blocks, 1 or more, of every lane.
    ///
    /// # Safety
    /// The CPU must have the implementation's ISAs. Every `at` must be readable for its
    /// blocks, which are `stride` bytes apart. Bytes that the masks leave out need not
    /// be readable.
    unsafe fn advance(batch: &mut Batch<W, N>, blocks: usize, stride: usize);
}

/// Implements [`super::Many::leaves`] with `B`. It compresses as many leaves at once as
/// `B` has lanes.
///
/// # Safety
/// The same conditions as for [`super::Many::leaves`].
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
            // Lanes beyond the last leaf repeat the first leaves.
            let leaf = lane % group.len();
            batch.put(lane, &group[leaf]);
            batch.at[lane] = data.wrapping_add((i * N + leaf) * A::BLOCK);
        }
        let (mut t, mut left) = (t, stripes);
        while left > 0 {
            let first = t + A::BLOCK as u128;
            let last = |blocks: usize| t + (blocks * A::BLOCK) as u128;
            // The high word of the counter must not change during a call.
            let mut now = left;
            while A::Word::high(last(now)) != A::Word::high(first) {
                now = now.div_ceil(2);
            }
            let end = last(now);
            batch.high = [A::Word::high(first); N];
            batch.low = [[A::Word::low(first); N], [A::Word::low(end); N]];
            // SAFETY: the caller upholds the safety contract. `at` has moved on by the
            // stripes that are done.
            unsafe { B::advance(&mut batch, now, stride) };
            (t, left) = (end, left - now);
        }
        for (lane, leaf) in group.iter_mut().enumerate() {
            *leaf = batch.take(lane);
        }
    }
}

/// Implements [`super::Many::leaves`] one leaf at a time.
///
/// # Safety
/// `data` must be readable for `stripes` stripes.
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
            // SAFETY: the caller guarantees readable data. The table gave the function,
            // so the CPU can run it.
            unsafe {
                let at = data.add((stripe * A::LEAVES + leaf) * A::BLOCK);
                compress(h, at, 1, &mut counter, A::BLOCK);
            }
        }
    }
}

/// `count` ones from bit 0 on, at most 64.
#[inline(always)]
pub(super) fn ones(count: usize) -> u64 {
    if count >= 64 {
        u64::MAX
    } else {
        (1 << count) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Blake2b, Blake2s};
    use alloc::vec::Vec;
    use karat_cpu::Kernel;

    /// Starts near the carry, because no test can hash enough bytes to reach it.
    fn counters_carry<A: Algorithm>(kernel: &Kernel<crate::Many<A::Word>>) {
        const STRIPES: usize = 9;
        let data: Vec<u8> = (0..STRIPES * A::LEAVES * A::BLOCK)
            .map(|i| ((i * i) >> 3) as u8)
            .collect();
        let start: Vec<[A::Word; 8]> = (0..A::LEAVES)
            .map(|leaf| core::array::from_fn(|i| A::Word::low((leaf * 8 + i) as u128)))
            .collect();
        let t = (1 << (8 * A::Word::BYTES)) - 4 * A::BLOCK as u128 - 5;
        let mut expected = start.clone();
        // SAFETY: the data hold that many stripes.
        unsafe { leaf_by_leaf::<A>(&mut expected, t, data.as_ptr(), STRIPES) };
        for (name, body) in kernel.runnable() {
            let mut got = start.clone();
            // SAFETY: the data hold that many stripes. The CPU has the ISAs.
            unsafe { (body.leaves)(&mut got, t, data.as_ptr(), STRIPES) };
            assert_eq!(got, expected, "{name}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "hashes many blocks")]
    fn counters_of_leaves_carry() {
        counters_carry::<Blake2b>(&crate::blake2b::MANY);
        counters_carry::<Blake2s>(&crate::blake2s::MANY);
    }
}
