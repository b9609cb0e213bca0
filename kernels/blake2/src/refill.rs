//! Messages of very different lengths: a lane takes the next message when its own ends.

use super::batch::{Batch, Body};
use super::job::{FEW, Sink, Start};
use super::single::Counter;
use super::{Algorithm, Word};
use core::marker::PhantomData;
use karat_hash_core::lanes::{self, Parts, Stretch};

/// Hashes `messages`. The first one has the number `first`.
///
/// # Safety
/// The CPU must have the implementation's ISAs.
pub(super) unsafe fn hash<A: Algorithm, B: Body<A::Word, N>, const N: usize>(
    start: &Start<A::Word>,
    messages: &[&[u8]],
    first: usize,
    out: &mut Sink,
) {
    let mut tails = [[0; 128]; N];
    let mut kernel = Refilled::<A, B, N> {
        start,
        first,
        out,
        batch: Batch::new(),
        hashed: [0; N],
        length: [0; N],
        tails: &raw mut tails,
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
    /// Counter of each lane.
    hashed: [u128; N],
    /// Final counter of each lane's message.
    length: [u128; N],
    /// Last blocks of each lane. They are outside of `self`, because lanes keep
    /// pointers to them while `self` is borrowed again.
    tails: *mut [[u8; 128]; N],
    body: PhantomData<B>,
}

impl<A: Algorithm, B: Body<A::Word, N>, const N: usize> Refilled<'_, '_, A, B, N> {
    /// The flag words: all bits set or none.
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

    /// Runs one lane alone.
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
        // SAFETY: the caller guarantees readable blocks. The table gave the function,
        // so the CPU can run it.
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

    fn begin(&mut self, lane: usize, _: usize, message: &[u8]) -> Parts {
        self.batch.put(lane, &self.start.node.h);
        self.hashed[lane] = self.start.node.t;
        self.length[lane] = self.start.node.t + message.len() as u128;
        let body = message.len() / A::BLOCK;
        let rest = &message[body * A::BLOCK..];
        if body > 0 && rest.is_empty() {
            return Parts { body, tail: 0 };
        }
        let mut tail = [0; 128];
        tail[..rest.len()].copy_from_slice(rest);
        // SAFETY: `hash` owns the tails until all lanes have ended, so the pointer is
        // valid.
        unsafe { (&raw mut (*self.tails)[lane]).write(tail) };
        Parts { body, tail: 1 }
    }

    fn tail(&self, lane: usize) -> *const u8 {
        // SAFETY: `hash` owns the tails until all lanes have ended, so the pointer is
        // valid.
        unsafe { (&raw const (*self.tails)[lane]).cast() }
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
                // SAFETY: the caller upholds the safety contract.
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
        // SAFETY: the caller upholds the safety contract. All mask bits are set, so
        // whole blocks are read.
        unsafe { B::advance(&mut self.batch, blocks, A::BLOCK) };
    }

    fn end(&mut self, lane: usize, message: usize) {
        let place = self.first + message;
        if self.length[lane] == self.start.node.t {
            self.out.put(place, |i| self.start.empty[i]);
        } else {
            self.out.put(place, |i| self.batch.h[i][lane]);
        }
    }
}
