//! What the count asks of a machine's decoder.

use crate::catalogue::Constants;
use crate::counts::Counts;

/// A decoder of a section.
pub(crate) trait Isa<'a> {
    /// Of a section that lies at an address; of what names a constant the place is kept.
    fn new(bytes: &'a [u8], start: u64, constants: Option<&'a Constants>) -> Self;

    /// Decodes what is at `at` and counts what is special of it.
    fn step(&mut self, at: u64, stretch: &mut Stretch) -> Step;

    /// Number of the mnemonic of what was decoded last (see [`super::arch`]).
    fn mnemonic(&self) -> usize;
}

/// What a step came to.
pub(crate) struct Step {
    /// Where the next begins.
    pub next: u64,
    /// Whether it was an instruction.
    pub decoded: bool,
}

/// Counts of one stretch, before they are added to their owners.
pub(crate) struct Stretch {
    pub counts: Counts,
    pub sets: [u32; 256],
    /// Sets that are not 0.
    pub touched: Vec<u8>,
    /// Instructions that name a constant of a known kernel.
    pub places: Vec<u64>,
}

impl Stretch {
    pub fn new() -> Self {
        Self {
            counts: Counts::default(),
            sets: [0; 256],
            touched: Vec::new(),
            places: Vec::new(),
        }
    }

    #[inline(always)]
    pub fn class(&mut self, class: u8, bytes: u64) {
        self.counts.class[usize::from(class)] += 1;
        self.counts.class_bytes[usize::from(class)] += bytes;
    }

    #[inline(always)]
    pub fn set(&mut self, set: u8) {
        if set != 0 {
            let count = &mut self.sets[usize::from(set)];
            if *count == 0 {
                self.touched.push(set);
            }
            *count += 1;
        }
    }
}
