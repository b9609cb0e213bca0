//! Hashes many messages, one in each lane of a vector register.

use super::batch::{Batch, Body, ones};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
use super::equal::{Equal, Groups};
use super::job::{FEW, Sink, Start};
use super::single::Node;
use super::{Algorithm, Word, refill};
use core::mem::MaybeUninit;

/// Number of messages that are sorted together. The keys fit on the stack.
const SORTED: usize = 1024;

/// Implements [`Many::hash`](super::Many::hash) without lanes.
pub(crate) fn one_by_one<W: Word>(start: &Start<W>, messages: &[&[u8]], out: &mut Sink) {
    for (i, message) in messages.iter().enumerate() {
        put_single(out, i, start, message);
    }
}

/// Hashes one message alone and writes its digest.
fn put_single<W: Word>(out: &mut Sink, place: usize, start: &Start<W>, message: &[u8]) {
    let mut node = start.node;
    if message.is_empty() {
        node.h = start.empty;
    } else {
        node.finish(start.compress, message);
    }
    out.put(place, |i| node.h[i]);
}

/// Number of blocks of a message. An empty message has one.
#[inline(always)]
fn blocks<A: Algorithm>(message: &[u8]) -> usize {
    message.len().div_ceil(A::BLOCK).max(1)
}

/// Implements [`Many::hash`](super::Many::hash) with an implementation for many messages and one for
/// fewer. They may be the same.
///
/// Messages are sorted by their number of blocks, so that the lanes of a batch end at
/// about the same time.
///
/// Inlined, so that it is compiled with the target features of its caller.
///
/// # Safety
/// The CPU must have the ISAs of both.
#[inline(always)]
pub(crate) unsafe fn hash<A, Wide, Narrow, const M: usize, const N: usize>(
    start: &Start<A::Word>,
    messages: &[&[u8]],
    out: &mut Sink,
) where
    A: Algorithm,
    Wide: Body<A::Word, M>,
    Narrow: Body<A::Word, N>,
{
    // The counters of a batch do not carry. Those of refilled lanes do.
    let long = |m: &&[u8]| A::Word::high((m.len() + 2 * A::BLOCK) as u128) != A::Word::default();
    for (i, chunk) in messages.chunks(SORTED).enumerate() {
        let base = i * SORTED;
        if chunk.len() < FEW {
            for (j, message) in chunk.iter().enumerate() {
                put_single(out, base + j, start, message);
            }
            continue;
        }
        // The number of blocks in the upper bits, the index in the chunk in the lower
        // bits. Not set to zero first, because that takes as long as hashing a few
        // short messages.
        let mut keys = [const { MaybeUninit::<usize>::uninit() }; SORTED];
        let (mut all, mut first) = (0, usize::MAX);
        for (j, message) in chunk.iter().enumerate() {
            let count = blocks::<A>(message);
            keys[j].write(count * SORTED + j);
            all += count;
            first = first.min(count);
        }
        // SAFETY: one key has been written for each message of the chunk.
        let keys = unsafe { &mut *(&raw mut keys[..chunk.len()] as *mut [usize]) };
        if all != first * chunk.len() {
            keys.sort_unstable();
            // Number of steps that the batches take, from the longest message down.
            let steps: usize = keys.iter().rev().step_by(M).map(|k| k / SORTED).sum();
            if chunk.iter().any(long) || (chunk.len() > M && steps * M > all / 3 * 4) {
                // SAFETY: the caller upholds the safety contract.
                unsafe { refill::hash::<A, Wide, M>(start, chunk, base, out) };
                continue;
            }
        } else if chunk.iter().any(long) {
            // SAFETY: the caller upholds the safety contract.
            unsafe { refill::hash::<A, Wide, M>(start, chunk, base, out) };
            continue;
        }
        let mut left = keys;
        // SAFETY: the caller upholds the safety contract.
        unsafe {
            if left.len() > N {
                let mut batch = prepared::<A, M>(start);
                while left.len() > N {
                    let (rest, group) = left.split_at_mut(left.len().saturating_sub(M));
                    run::<A, Wide, M>(start, &mut batch, chunk, group, base, out);
                    left = rest;
                }
            }
            if left.len() >= FEW {
                let mut batch = prepared::<A, N>(start);
                run::<A, Narrow, N>(start, &mut batch, chunk, left, base, out);
            } else {
                for key in left {
                    let j = *key % SORTED;
                    put_single(out, base + j, start, chunk[j]);
                }
            }
        }
    }
}

/// Implements [`InStep`](super::job::InStep) with groups of `M` and of `N`.
///
/// # Safety
/// The CPU must have the ISAs of both.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
pub(crate) unsafe fn in_step<A: Algorithm, const M: usize, const N: usize>(
    wide: Groups<A::Word, M>,
    narrow: Groups<A::Word, N>,
    node: &Node<A::Word>,
    messages: &[&[u8]],
    out: &mut [u8],
    length: usize,
) -> usize {
    let count = messages.len();
    if count < N || karat_hash_core::slices::of_length(messages, messages[0].len()) < count {
        return 0;
    }
    let Some(equal) = Equal::new::<A>(node, messages[0].len(), length) else {
        return 0;
    };
    assert!(out.len() == count * length);
    let groups = count / M;
    let taken = groups * M;
    let (at, to) = (messages.as_ptr(), out.as_mut_ptr());
    // SAFETY: the caller guarantees the ISAs. There are that many messages of one
    // length, and room for their digests.
    unsafe {
        if groups > 0 {
            let mut batch = MaybeUninit::uninit();
            wide(batch.as_mut_ptr(), &equal, at, groups, to);
        }
        if count - taken != N {
            return taken;
        }
        let mut batch = MaybeUninit::uninit();
        let to = to.add(taken * length);
        narrow(batch.as_mut_ptr(), &equal, at.add(taken), 1, to);
    }
    count
}

/// Bytes of the pieces in which groups without masks copy a short last block.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
const PIECE: usize = 32;

/// Implements [`InStep`](super::job::InStep) with groups that have no masks: of messages and
/// digests that are made of whole pieces, or have one to take the last bytes from.
///
/// # Safety
/// The CPU must have the ISAs of `groups`.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
pub(crate) unsafe fn by_pieces<A: Algorithm, const N: usize>(
    groups: Groups<A::Word, N>,
    node: &Node<A::Word>,
    messages: &[&[u8]],
    out: &mut [u8],
    length: usize,
) -> usize {
    if !length.is_multiple_of(PIECE) || messages.first().is_none_or(|m| m.len() < PIECE) {
        return 0;
    }
    // SAFETY: the caller upholds the safety contract.
    unsafe { in_step::<A, N, N>(groups, groups, node, messages, out, length) }
}

/// A batch in which the fields that do not depend on messages are set. Inlined, because
/// otherwise it would be copied.
#[inline(always)]
fn prepared<A: Algorithm, const N: usize>(start: &Start<A::Word>) -> Batch<A::Word, N> {
    let mut batch = Batch::new();
    batch.high = [A::Word::high(start.node.t); N];
    batch
}

/// Hashes the messages of `keys`, 1 to `N`, shortest first, each in its own lane. When
/// some end, the others go on. A lane that has ended repeats the first lane that has
/// not.
///
/// # Safety
/// The CPU must have the implementation's ISAs.
#[inline(always)]
unsafe fn run<A: Algorithm, B: Body<A::Word, N>, const N: usize>(
    start: &Start<A::Word>,
    batch: &mut Batch<A::Word, N>,
    chunk: &[&[u8]],
    keys: &[usize],
    base: usize,
    out: &mut Sink,
) {
    let t = start.node.t;
    for (row, word) in batch.h.iter_mut().zip(start.node.h) {
        *row = [word; N];
    }
    batch.low[0] = [A::Word::low(t + A::BLOCK as u128); N];
    for (lane, key) in keys.iter().enumerate() {
        batch.at[lane] = chunk[*key % SORTED].as_ptr();
    }
    let node = if start.node.last_node {
        A::Word::ONES
    } else {
        A::Word::default()
    };
    // Number of blocks done, and number of lanes that have ended.
    let (mut done, mut ended) = (0, 0);
    while ended < keys.len() {
        if ended > 0 && keys.len() - ended < FEW {
            for (lane, key) in keys.iter().enumerate().skip(ended) {
                let j = key % SORTED;
                let mut rest = Node {
                    h: batch.take(lane),
                    t: t + (done * A::BLOCK) as u128,
                    last_node: start.node.last_node,
                };
                rest.finish(start.compress, &chunk[j][done * A::BLOCK..]);
                out.put(base + j, |i| rest.h[i]);
            }
            return;
        }
        let count = keys[ended] / SORTED;
        let end = keys.partition_point(|key| key / SORTED <= count);
        for lane in ended..end {
            let length = chunk[keys[lane] % SORTED].len();
            let rest = length - (count - 1) * A::BLOCK;
            batch.low[1][lane] = A::Word::low(t + length as u128);
            batch.last[1][lane] = A::Word::ONES;
            batch.node[1][lane] = node;
            batch.mask[1][lane] = ones(rest);
            batch.mask_high[1][lane] = ones(rest.saturating_sub(64));
        }
        for lane in end..keys.len() {
            batch.low[1][lane] = A::Word::low(t + (count * A::BLOCK) as u128);
            batch.last[1][lane] = A::Word::default();
            batch.node[1][lane] = A::Word::default();
            batch.mask[1][lane] = u64::MAX;
            batch.mask_high[1][lane] = u64::MAX;
        }
        for lane in (0..ended).chain(keys.len()..N) {
            batch.at[lane] = batch.at[ended];
            batch.mask[1][lane] = batch.mask[1][ended];
            batch.mask_high[1][lane] = batch.mask_high[1][ended];
        }
        // SAFETY: every lane that has not ended has that many more blocks. Its last
        // block is masked, or read from a copy of a block's length.
        unsafe {
            if B::MASKED {
                B::advance(batch, count - done, A::BLOCK);
            } else {
                apart::<A, B, N>(batch, count - done);
            }
        }
        for (lane, key) in keys.iter().enumerate().take(end).skip(ended) {
            let j = key % SORTED;
            if chunk[j].is_empty() {
                out.put(base + j, |i| start.empty[i]);
            } else {
                out.put(base + j, |i| batch.h[i][lane]);
            }
        }
        (done, ended) = (count, end);
    }
}

/// Runs [`Body::advance`] of an implementation that reads whole blocks. If a lane's
/// last block is short, it is read from a copy.
///
/// # Safety
/// The same conditions as for [`Body::advance`] of an implementation that masks.
unsafe fn apart<A: Algorithm, B: Body<A::Word, N>, const N: usize>(
    batch: &mut Batch<A::Word, N>,
    blocks: usize,
) {
    // SAFETY: the caller upholds the safety contract. Only bytes that exist are copied.
    unsafe {
        if blocks > 1 {
            let (low, last, node) = (batch.low[1], batch.last[1], batch.node[1]);
            let more = A::Word::low(((blocks - 2) * A::BLOCK) as u128);
            batch.low[1] = batch.low[0].map(|t| t.plus(more));
            batch.last[1] = batch.last[0];
            batch.node[1] = batch.node[0];
            B::advance(batch, blocks - 1, A::BLOCK);
            (batch.low[1], batch.last[1], batch.node[1]) = (low, last, node);
        }
        let mut tails = [[0; 128]; N];
        let at = batch.at;
        for (lane, tail) in tails.iter_mut().enumerate() {
            let size = (batch.mask[1][lane].trailing_ones() as usize
                + batch.mask_high[1][lane].trailing_ones() as usize)
                .min(A::BLOCK);
            if size < A::BLOCK {
                core::ptr::copy_nonoverlapping(at[lane], tail.as_mut_ptr(), size);
                batch.at[lane] = tail.as_ptr();
            }
        }
        B::advance(batch, 1, A::BLOCK);
        for (to, from) in batch.at.iter_mut().zip(at) {
            *to = from.wrapping_add(A::BLOCK);
        }
    }
}
