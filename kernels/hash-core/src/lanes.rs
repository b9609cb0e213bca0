//! Runs many messages of any lengths through a kernel that hashes a few at once.
//!
//! Each lane holds one message. When a message ends, its lane takes the next one. So
//! lanes are idle only when fewer messages than lanes are left.

/// The blocks of a message: first those that are read directly from it, then those that
/// the kernel has prepared (padding, length, last block).
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// Full blocks at the front of the message.
    pub body: usize,
    /// Blocks after them, in the lane's buffer.
    pub tail: usize,
}

/// The input of one lane in one step.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// Address of its blocks. An idle lane reads the blocks of another lane.
    pub at: *const u8,
    /// Whether this step ends with the message's last block.
    pub last: bool,
    /// Whether the lane holds a message. The state of an idle lane may be anything.
    pub busy: bool,
}

/// A kernel over `N` lanes.
pub trait Lanes<const N: usize> {
    /// Bytes of a block.
    const BLOCK: usize;

    /// Puts message number `number` into a lane: sets the state that it starts from and
    /// writes the tail to the lane's buffer.
    fn begin(&mut self, lane: usize, number: usize, message: &[u8]) -> Parts;

    /// Address of the lane's tail. Its memory is outside of `self` or in cells: it is read
    /// through this pointer while `self` is borrowed exclusively.
    fn tail(&self, lane: usize) -> *const u8;

    /// Runs all lanes over `blocks` blocks each, 1 or more.
    ///
    /// # Safety
    /// Every stretch must be readable for `blocks * BLOCK` bytes.
    unsafe fn advance(&mut self, stretches: &[Stretch; N], blocks: usize);

    /// Takes the digest of message number `message` from a lane.
    fn end(&mut self, lane: usize, message: usize);
}

#[derive(Clone, Copy)]
struct Lane {
    message: usize,
    at: *const u8,
    /// Number of blocks left at `at`.
    left: usize,
    /// Number of tail blocks after those.
    tail: usize,
}

/// Hashes all of `messages`.
pub fn run<const N: usize, L: Lanes<N>>(kernel: &mut L, messages: &[&[u8]]) {
    let mut lanes: [Option<Lane>; N] = [None; N];
    let mut next = 0;
    loop {
        for (index, lane) in lanes.iter_mut().enumerate() {
            if lane.is_none() && next < messages.len() {
                *lane = Some(enter(kernel, index, next, messages[next]));
                next += 1;
            }
        }
        let Some(some) = lanes.iter().flatten().next() else {
            return;
        };
        let blocks = lanes.iter().flatten().map(|l| l.left).min().unwrap_or(0);
        let idle = Stretch {
            at: some.at,
            last: false,
            busy: false,
        };
        let stretches = lanes.map(|lane| {
            lane.map_or(idle, |l| Stretch {
                at: l.at,
                last: l.left == blocks && l.tail == 0,
                busy: true,
            })
        });
        // SAFETY: `blocks` is at most what every busy lane has left at its address.
        // Idle lanes read a busy lane's blocks.
        unsafe { kernel.advance(&stretches, blocks) };
        for (index, slot) in lanes.iter_mut().enumerate() {
            let Some(lane) = slot else { continue };
            lane.left -= blocks;
            if lane.left > 0 {
                lane.at = lane.at.wrapping_add(blocks * L::BLOCK);
            } else if lane.tail > 0 {
                lane.at = kernel.tail(index);
                (lane.left, lane.tail) = (lane.tail, 0);
            } else {
                kernel.end(index, lane.message);
                *slot = None;
            }
        }
    }
}

fn enter<const N: usize, L: Lanes<N>>(
    kernel: &mut L,
    index: usize,
    message: usize,
    bytes: &[u8],
) -> Lane {
    let parts = kernel.begin(index, message, bytes);
    debug_assert!(parts.body * L::BLOCK <= bytes.len() && parts.body + parts.tail > 0);
    if parts.body == 0 {
        return Lane {
            message,
            at: kernel.tail(index),
            left: parts.tail,
            tail: 0,
        };
    }
    Lane {
        message,
        at: bytes.as_ptr(),
        left: parts.body,
        tail: parts.tail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;
    use core::cell::Cell;

    /// Adds up bytes. A tail of one block holds the remaining bytes, padded with zeros.
    struct Sums<'a> {
        sums: [u64; 3],
        tails: &'a [Cell<[u8; 4]>; 3],
        lasts: [u32; 3],
        out: Vec<u64>,
    }

    impl Lanes<3> for Sums<'_> {
        const BLOCK: usize = 4;

        fn begin(&mut self, lane: usize, _: usize, message: &[u8]) -> Parts {
            let body = message.len() / 4;
            let rest = &message[body * 4..];
            self.sums[lane] = 0;
            self.lasts[lane] = 0;
            let mut tail = [0; 4];
            tail[..rest.len()].copy_from_slice(rest);
            self.tails[lane].set(tail);
            Parts { body, tail: 1 }
        }

        fn tail(&self, lane: usize) -> *const u8 {
            self.tails[lane].as_ptr().cast()
        }

        unsafe fn advance(&mut self, stretches: &[Stretch; 3], blocks: usize) {
            for (lane, stretch) in stretches.iter().enumerate() {
                // SAFETY: the caller guarantees that every stretch is readable for
                // `blocks` blocks.
                let bytes = unsafe { core::slice::from_raw_parts(stretch.at, blocks * 4) };
                self.sums[lane] += bytes.iter().map(|b| u64::from(*b)).sum::<u64>();
                self.lasts[lane] += u32::from(stretch.last);
            }
        }

        fn end(&mut self, lane: usize, message: usize) {
            assert_eq!(self.lasts[lane], 1, "one last block a message");
            self.out[message] = self.sums[lane];
        }
    }

    #[test]
    fn every_message_gets_its_own_answer() {
        for count in 0..12 {
            let messages: Vec<Vec<u8>> = (0..count)
                .map(|i| (0..(i * 7) % 23).map(|b| (b * 3 + i) as u8).collect())
                .collect();
            let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            let tails = [const { Cell::new([0; 4]) }; 3];
            let mut kernel = Sums {
                sums: [0; 3],
                tails: &tails,
                lasts: [0; 3],
                out: vec![u64::MAX; count],
            };
            run(&mut kernel, &slices);
            let expected: Vec<u64> = messages
                .iter()
                .map(|m| m.iter().map(|b| u64::from(*b)).sum())
                .collect();
            assert_eq!(kernel.out, expected);
        }
    }
}
