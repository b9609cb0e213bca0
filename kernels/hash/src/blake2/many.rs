//! Many messages at once: one in each lane of a vector register.

use super::single::{Counter, Node, bytes};
use super::{Algorithm, Compress, Word};
use crate::lanes::{self, Parts, Stretch};
use core::marker::PhantomData;

/// What hashing many messages starts from.
#[derive(Clone, Copy)]
pub struct Start<W> {
    /// State after the parameters, and after the key block if there is one.
    pub(crate) node: Node<W>,
    /// Digest of a message without bytes: with a key it has another last block.
    pub(crate) empty: [W; 8],
    pub(crate) compress: Compress<W>,
}

/// Where digests go: `length` bytes each, one after the other.
pub struct Sink<'a> {
    out: &'a mut [u8],
    length: usize,
}

impl<'a> Sink<'a> {
    pub(crate) fn new<const N: usize>(out: &'a mut [[u8; N]]) -> Self {
        Self {
            out: out.as_flattened_mut(),
            length: N,
        }
    }

    #[inline]
    fn put<W: Word>(&mut self, message: usize, h: &[W; 8]) {
        let to = &mut self.out[message * self.length..][..self.length];
        let all = bytes(h);
        // The usual lengths as constants: else each is a call of memcpy.
        match self.length {
            64 => to.copy_from_slice(&all),
            32 => to.copy_from_slice(&all[..32]),
            length => to.copy_from_slice(&all[..length]),
        }
    }
}

/// The functions over many messages, one implementation's.
#[derive(Debug)]
pub struct Many<W: 'static> {
    /// Hashes all messages. Unsafe: the CPU must have the implementation's ISAs.
    pub(crate) hash: unsafe fn(start: &Start<W>, messages: &[&[u8]], out: &mut Sink),
    /// Compresses `stripes` stripes of one block a leaf into the leaves of a
    /// parallel hash, none of them last. Unsafe: the CPU must have the ISAs,
    /// and `data` must be readable for as many stripes.
    pub(crate) leaves: unsafe fn(leaves: &mut [[W; 8]], t: u128, data: *const u8, stripes: usize),
}

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
    fn new() -> Self {
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
    fn put(&mut self, lane: usize, h: &[W; 8]) {
        for (row, word) in self.h.iter_mut().zip(h) {
            row[lane] = *word;
        }
    }

    #[inline]
    fn take(&self, lane: usize) -> [W; 8] {
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

/// Fewer messages than this are faster one after the other: measured on Zen 5,
/// where a block of all lanes takes as long as two of one message.
const FEW: usize = 3;

fn blocks<A: Algorithm>(message: &[u8]) -> usize {
    message.len().div_ceil(A::BLOCK).max(1)
}

/// [`Many::hash`] without lanes.
pub(crate) fn one_by_one<W: Word>(start: &Start<W>, messages: &[&[u8]], out: &mut Sink) {
    for (i, message) in messages.iter().enumerate() {
        out.put(i, &single(start, message));
    }
}

#[inline]
fn single<W: Word>(start: &Start<W>, message: &[u8]) -> [W; 8] {
    if message.is_empty() {
        return start.empty;
    }
    start.node.finish(start.compress, message)
}

/// [`Many::hash`] by a body for many messages and one for not so many, which may
/// be the same.
///
/// # Safety
/// The CPU must have the ISAs of both.
pub(crate) unsafe fn hash<A, Wide, Narrow, const M: usize, const N: usize>(
    start: &Start<A::Word>,
    messages: &[&[u8]],
    out: &mut Sink,
) where
    A: Algorithm,
    Wide: Body<A::Word, M>,
    Narrow: Body<A::Word, N>,
{
    // SAFETY: the caller's promise, for all of them.
    unsafe {
        let mut done = 0;
        if messages.len() > N {
            done = even::<A, Wide, M>(start, messages, done, N, out);
        }
        done = even::<A, Narrow, N>(start, messages, done, FEW - 1, out);
        let left = messages.len() - done;
        if left > N {
            mixed::<A, Wide, M>(start, &messages[done..], done, out);
        } else if left >= FEW {
            mixed::<A, Narrow, N>(start, &messages[done..], done, out);
        } else {
            for (i, message) in messages.iter().enumerate().skip(done) {
                out.put(i, &single(start, message));
            }
        }
    }
}

/// Hashes messages from number `done` on as long as a full batch of them (at the
/// end: more than `least`) has as many blocks each. Gives the number of the
/// first one left.
///
/// # Safety
/// The CPU must have the body's ISAs.
unsafe fn even<A: Algorithm, B: Body<A::Word, N>, const N: usize>(
    start: &Start<A::Word>,
    messages: &[&[u8]],
    mut done: usize,
    least: usize,
    out: &mut Sink,
) -> usize {
    let mut batch = Batch::<A::Word, N>::new();
    let mut tails = [[0u8; 128]; N];
    batch.high = [A::Word::high(start.node.t); N];
    batch.last[1] = [A::Word::ONES; N];
    if start.node.last_node {
        batch.node[1] = [A::Word::ONES; N];
    }
    while messages.len() - done > least {
        let group = &messages[done..messages.len().min(done + N)];
        let count = blocks::<A>(group[0]);
        let same = |m: &&[u8]| blocks::<A>(m) == count && !m.is_empty();
        if !group.iter().all(same) || !counts::<A>(start, group[0]) {
            break;
        }
        for (row, word) in batch.h.iter_mut().zip(start.node.h) {
            *row = [word; N];
        }
        let first = start.node.t + A::BLOCK as u128;
        batch.low[0] = [A::Word::low(first); N];
        for lane in 0..N {
            // Lanes without a message do what the first one does.
            let message = group.get(lane).unwrap_or(&group[0]);
            batch.at[lane] = message.as_ptr();
            batch.low[1][lane] = A::Word::low(start.node.t + message.len() as u128);
            if B::MASKED {
                let rest = message.len() - (count - 1) * A::BLOCK;
                batch.mask[1][lane] = ones(rest);
                batch.mask_high[1][lane] = ones(rest.saturating_sub(64));
            }
        }
        // SAFETY: every lane's message has that many blocks; the last one is
        // masked, or read from a copy that has a block's length.
        unsafe {
            if B::MASKED {
                B::advance(&mut batch, count, A::BLOCK);
            } else {
                bodies_then_tails::<A, B, N>(&mut batch, group, count, &mut tails);
            }
        }
        for lane in 0..group.len() {
            out.put(done + lane, &batch.take(lane));
        }
        done += group.len();
    }
    done
}

/// `count` ones from bit 0 on, 64 at the most.
#[inline]
fn ones(count: usize) -> u64 {
    if count >= 64 {
        u64::MAX
    } else {
        (1 << count) - 1
    }
}

/// Whether the counter's high word stays the same over the message, as a batch
/// needs it. Only a message of 4 GiB through BLAKE2s says no.
#[inline]
fn counts<A: Algorithm>(start: &Start<A::Word>, message: &[u8]) -> bool {
    let end = start.node.t + (message.len() + A::BLOCK) as u128;
    A::Word::high(end) == A::Word::high(start.node.t)
}

/// # Safety
/// The CPU must have the body's ISAs; every message must have `count` blocks.
unsafe fn bodies_then_tails<A: Algorithm, B: Body<A::Word, N>, const N: usize>(
    batch: &mut Batch<A::Word, N>,
    group: &[&[u8]],
    count: usize,
    tails: &mut [[u8; 128]; N],
) {
    let body = (count - 1) * A::BLOCK;
    if body > 0 {
        let (low, last, node) = (batch.low[1], batch.last[1], batch.node[1]);
        let end = batch.low[0].map(|t| t.plus(A::Word::low((body - A::BLOCK) as u128)));
        (batch.low[1], batch.last[1], batch.node[1]) =
            (end, [A::Word::default(); N], [A::Word::default(); N]);
        // SAFETY: the caller's promise; these blocks are whole.
        unsafe { B::advance(batch, count - 1, A::BLOCK) };
        (batch.low[1], batch.last[1], batch.node[1]) = (low, last, node);
    }
    for lane in 0..N {
        let message = group.get(lane).unwrap_or(&group[0]);
        let rest = &message[body..];
        batch.at[lane] = if rest.len() == A::BLOCK {
            rest.as_ptr()
        } else {
            tails[lane] = [0; 128];
            tails[lane][..rest.len()].copy_from_slice(rest);
            tails[lane].as_ptr()
        };
    }
    // SAFETY: every lane reads a whole block.
    unsafe { B::advance(batch, 1, A::BLOCK) };
}

/// Messages of any lengths: lanes take the next message as soon as they can.
///
/// # Safety
/// The CPU must have the body's ISAs.
unsafe fn mixed<A: Algorithm, B: Body<A::Word, N>, const N: usize>(
    start: &Start<A::Word>,
    messages: &[&[u8]],
    first: usize,
    out: &mut Sink,
) {
    let mut kernel = Refilled::<A, B, N> {
        start,
        first,
        out,
        batch: Batch::new(),
        hashed: [0; N],
        length: [0; N],
        tails: [[0; 128]; N],
        body: PhantomData,
    };
    lanes::run(&mut kernel, messages);
}

struct Refilled<'a, 'b, A: Algorithm, B, const N: usize> {
    start: &'a Start<A::Word>,
    /// Number of the first message.
    first: usize,
    out: &'a mut Sink<'b>,
    batch: Batch<A::Word, N>,
    /// Each lane's counter.
    hashed: [u128; N],
    /// The counter after each lane's message.
    length: [u128; N],
    tails: [[u8; 128]; N],
    body: PhantomData<B>,
}

impl<A: Algorithm, B: Body<A::Word, N>, const N: usize> Refilled<'_, '_, A, B, N> {
    /// The flags, all bits or none.
    fn flags(&self, last: bool) -> [A::Word; 2] {
        let flag = |set| {
            if set {
                A::Word::ONES
            } else {
                A::Word::default()
            }
        };
        [flag(last), flag(last && self.start.node.last_node)]
    }

    /// One lane alone.
    ///
    /// # Safety
    /// The stretch must be readable for `blocks` blocks.
    unsafe fn alone(&mut self, lane: usize, stretch: &Stretch, blocks: usize) {
        let mut h = self.batch.take(lane);
        let t = |t: u128| [A::Word::low(t), A::Word::high(t)];
        let mut counter = Counter {
            t: t(self.hashed[lane]),
            f: [A::Word::default(); 2],
        };
        let body = blocks - usize::from(stretch.last);
        // SAFETY: the caller's promise; the table gave the function.
        unsafe {
            if body > 0 {
                (self.start.compress)(&mut h, stretch.at, body, &mut counter, A::BLOCK);
            }
            if stretch.last {
                let mut counter = Counter {
                    t: t(self.length[lane]),
                    f: self.flags(true),
                };
                let at = stretch.at.add(body * A::BLOCK);
                (self.start.compress)(&mut h, at, 1, &mut counter, 0);
            }
        }
        self.hashed[lane] += (blocks * A::BLOCK) as u128;
        self.batch.put(lane, &h);
    }
}

impl<A: Algorithm, B: Body<A::Word, N>, const N: usize> lanes::Lanes<N>
    for Refilled<'_, '_, A, B, N>
{
    const BLOCK: usize = A::BLOCK;

    fn begin(&mut self, lane: usize, message: &[u8]) -> Parts {
        self.batch.put(lane, &self.start.node.h);
        self.hashed[lane] = self.start.node.t;
        self.length[lane] = self.start.node.t + message.len() as u128;
        let body = message.len() / A::BLOCK;
        let rest = &message[body * A::BLOCK..];
        if body > 0 && rest.is_empty() {
            return Parts { body, tail: 0 };
        }
        self.tails[lane] = [0; 128];
        self.tails[lane][..rest.len()].copy_from_slice(rest);
        Parts { body, tail: 1 }
    }

    fn tail(&self, lane: usize) -> *const u8 {
        self.tails[lane].as_ptr()
    }

    unsafe fn advance(&mut self, stretches: &[Stretch; N], blocks: usize) {
        let busy = stretches.iter().filter(|s| s.busy).count();
        let end = |hashed: u128| hashed + (blocks * A::BLOCK) as u128;
        let carries = self
            .hashed
            .iter()
            .any(|t| A::Word::high(end(*t)) != A::Word::high(*t));
        if busy < FEW || carries {
            for (lane, stretch) in stretches.iter().enumerate().filter(|(_, s)| s.busy) {
                // SAFETY: the caller's promise.
                unsafe { self.alone(lane, stretch, blocks) };
            }
            return;
        }
        for (lane, stretch) in stretches.iter().enumerate() {
            let t = self.hashed[lane];
            let after = if stretch.last {
                self.length[lane]
            } else {
                end(t)
            };
            let batch = &mut self.batch;
            batch.at[lane] = stretch.at;
            batch.low[0][lane] = A::Word::low(t + A::BLOCK as u128);
            batch.high[lane] = A::Word::high(t);
            batch.low[1][lane] = A::Word::low(after);
            [self.batch.last[1][lane], self.batch.node[1][lane]] = self.flags(stretch.last);
            self.hashed[lane] = end(t);
        }
        // SAFETY: the caller's promise; the masks are all ones.
        unsafe { B::advance(&mut self.batch, blocks, A::BLOCK) };
    }

    fn end(&mut self, lane: usize, message: usize) {
        let h = if self.length[lane] == self.start.node.t {
            self.start.empty
        } else {
            self.batch.take(lane)
        };
        self.out.put(self.first + message, &h);
    }
}

/// [`Many::leaves`] by a body of as many lanes as there are leaves, or more.
///
/// # Safety
/// As [`Many::leaves`].
pub(crate) unsafe fn leaves<A: Algorithm, B: Body<A::Word, N>, const N: usize>(
    leaves: &mut [[A::Word; 8]],
    t: u128,
    data: *const u8,
    mut stripes: usize,
) {
    let mut batch = Batch::<A::Word, N>::new();
    let stride = leaves.len() * A::BLOCK;
    for lane in 0..N {
        // Lanes beyond the leaves do what the first ones do.
        let leaf = lane % leaves.len();
        batch.put(lane, &leaves[leaf]);
        batch.at[lane] = data.wrapping_add(leaf * A::BLOCK);
    }
    let mut t = t;
    while stripes > 0 {
        // Up to where the counter's high word changes.
        let next = t + A::BLOCK as u128;
        let mut now = stripes;
        while A::Word::high(t + (now * A::BLOCK) as u128) != A::Word::high(next) {
            now = now.div_ceil(2).min(now - 1);
        }
        batch.high = [A::Word::high(next); N];
        batch.low = [
            [A::Word::low(next); N],
            [A::Word::low(t + (now * A::BLOCK) as u128); N],
        ];
        // SAFETY: the caller's promise; `at` has moved on by the stripes done.
        unsafe { B::advance(&mut batch, now, stride) };
        t += (now * A::BLOCK) as u128;
        stripes -= now;
    }
    for (lane, leaf) in leaves.iter_mut().enumerate() {
        *leaf = batch.take(lane);
    }
}

/// [`Many::leaves`] leaf by leaf.
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
