//! What was chosen, in one word that an atomic load gives.

/// Indices of what calls go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chosen {
    /// For all inputs, or for those above `limit` bytes.
    pub(super) usual: usize,
    /// For inputs of at most `limit` bytes.
    pub(super) short: usize,
    pub(super) limit: u16,
}

impl Chosen {
    pub(super) const fn always(index: usize) -> Self {
        Self {
            usual: index,
            short: index,
            limit: 0,
        }
    }

    /// All of it in 32 bits, never 0.
    pub(super) const fn pack(self) -> usize {
        (self.limit as usize) << 16 | (self.short + 1) << 8 | (self.usual + 1)
    }

    /// What [`Chosen::pack`] packed.
    pub(super) const fn unpack(packed: usize) -> Self {
        Self {
            usual: (packed & 0xff) - 1,
            short: (packed >> 8 & 0xff) - 1,
            limit: (packed >> 16) as u16,
        }
    }
}
