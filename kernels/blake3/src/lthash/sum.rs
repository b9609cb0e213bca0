//! Hashes of sets: elements in, sums out.

use super::LtHash;
use super::kernel::KERNEL;
use crate::Hasher;

impl LtHash {
    /// The hash of a set of one element.
    // Here and below only a call, so that the caller's compiler flags change nothing
    // else.
    #[inline]
    #[must_use]
    pub fn of(input: &[u8]) -> Self {
        // SAFETY: the table gives what this CPU can run.
        unsafe { (KERNEL.get().0.of)(input) }
    }

    /// Adds the hash of another set. The result is the hash of the union if the sets
    /// have no common element.
    #[inline]
    pub fn add(&mut self, other: &Self) -> &mut Self {
        // SAFETY: the table gives what this CPU can run.
        unsafe { (KERNEL.get().0.add)(&mut self.0, &other.0) };
        self
    }

    /// Subtracts the hash of another set, which removes its elements.
    #[inline]
    pub fn sub(&mut self, other: &Self) -> &mut Self {
        // SAFETY: the table gives what this CPU can run.
        unsafe { (KERNEL.get().0.sub)(&mut self.0, &other.0) };
        self
    }

    /// Adds many elements. Those of up to 16 KiB share the lanes of BLAKE3's kernel.
    #[inline]
    pub fn add_all(&mut self, inputs: &[&[u8]]) -> &mut Self {
        // SAFETY: the table gives what this CPU can run.
        unsafe { (KERNEL.get().0.add_all)(inputs, &mut self.0) };
        self
    }

    /// Removes many elements.
    #[inline]
    pub fn sub_all(&mut self, inputs: &[&[u8]]) -> &mut Self {
        // SAFETY: the table gives what this CPU can run.
        unsafe { (KERNEL.get().0.sub_all)(inputs, &mut self.0) };
        self
    }

    /// The checksum: BLAKE3 of the 2048 bytes of the hash.
    #[must_use]
    pub fn checksum(&self) -> [u8; 32] {
        crate::hash(&self.to_bytes())
    }
}

/// Shows only the first bytes of the checksum, because 2048 bytes are too many to read.
impl core::fmt::Debug for LtHash {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let [a, b, c, d, ..] = self.checksum();
        write!(f, "LtHash({a:02x}{b:02x}{c:02x}{d:02x}...)")
    }
}

/// The lattice hash of one element that comes in pieces.
#[derive(Clone, Debug, Default)]
pub struct LtHasher(Hasher);

impl LtHasher {
    /// Creates a hasher without input.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a piece of the element.
    pub fn update(&mut self, input: &[u8]) -> &mut Self {
        self.0.update(input);
        self
    }

    /// Returns to the state after `new`.
    pub fn reset(&mut self) -> &mut Self {
        self.0.reset();
        self
    }

    /// The hash of the input so far, as one element.
    #[must_use]
    pub fn finalize(&self) -> LtHash {
        // SAFETY: the table gives what this CPU can run.
        unsafe { (KERNEL.get().0.root)(&self.0.output().xof()) }
    }
}
