//! Blocks that notice when anybody else writes to them.

use karat_alloc::c;
use std::sync::atomic::{AtomicU64, Ordering};

static LABELS: AtomicU64 = AtomicU64::new(1);

/// splitmix64 (Steele, Lea and Flood, 2014).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Mostly small sizes, some medium, few large.
    pub fn size(&mut self) -> usize {
        match self.below(1000) {
            0 => 32 * 1024 * 1024 + self.below(1 << 20),
            1..10 => self.below(1 << 20),
            10..100 => self.below(64 * 1024),
            _ => self.below(1100),
        }
    }
}

/// A block filled with a label that no other block has. Two blocks that overlap cannot
/// both have theirs.
pub struct Block {
    start: *mut u8,
    bytes: usize,
    label: u64,
}

// SAFETY: a block is its holder's alone.
unsafe impl Send for Block {}

impl Block {
    pub fn new(bytes: usize, align: usize) -> Self {
        let start = if align <= 16 {
            c::malloc(bytes)
        } else {
            c::aligned(bytes, align)
        };
        assert!(!start.is_null(), "{bytes} bytes at {align}");
        assert_eq!(start.addr() % align.max(16), 0, "{bytes} bytes at {align}");
        // SAFETY: the block was just given out.
        assert!(unsafe { c::usable(start) } >= bytes);
        Self::filled(start, bytes)
    }

    /// As many zeros as asked for.
    pub fn zeroed(bytes: usize) -> Self {
        let start = c::calloc(1, bytes);
        assert!(!start.is_null());
        for at in places(bytes) {
            // SAFETY: the place is in the block.
            assert_eq!(unsafe { start.add(at).read() }, 0, "byte {at} of {bytes}");
        }
        Self::filled(start, bytes)
    }

    fn filled(start: *mut u8, bytes: usize) -> Self {
        let label = LABELS.fetch_add(1, Ordering::Relaxed);
        let block = Self {
            start,
            bytes,
            label,
        };
        for at in places(bytes) {
            // SAFETY: the place is in the block.
            unsafe { start.add(at).write(block.byte(at)) };
        }
        block
    }

    fn byte(&self, at: usize) -> u8 {
        self.label.to_le_bytes()[at % 8] ^ (at / 8) as u8
    }

    pub fn check(&self) {
        self.check_first(self.bytes);
    }

    /// Of a large block not all bytes were written.
    fn check_first(&self, bytes: usize) {
        for at in places(self.bytes).filter(|&at| at < bytes) {
            // SAFETY: the place is in the block, and was written.
            let found = unsafe { self.start.add(at).read() };
            assert_eq!(found, self.byte(at), "byte {at} of {}", self.bytes);
        }
    }

    pub fn resize(mut self, bytes: usize) -> Self {
        self.check();
        // SAFETY: the block is this one's.
        let start = unsafe { c::realloc(self.start, bytes.max(1)) };
        assert!(!start.is_null());
        self.start = start;
        self.check_first(bytes);
        let old = core::mem::ManuallyDrop::new(self);
        Self::filled(old.start, bytes)
    }
}

/// All bytes of a small block; of a large one some in every page, and the last.
fn places(bytes: usize) -> impl Iterator<Item = usize> {
    let step = if bytes > 4096 { 1021 } else { 1 };
    (0..bytes).step_by(step).chain(bytes.checked_sub(1))
}

impl Drop for Block {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.check();
        }
        // SAFETY: the block is this one's.
        unsafe { c::free(self.start) };
    }
}
