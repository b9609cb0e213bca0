//! What a call works on.

use alloc::vec::Vec;

/// What one call works on. A suite says what the bytes and the numbers are. Programs in
/// other languages get the same two lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input {
    /// Messages, shards, integers: the data.
    pub bytes: Vec<u8>,
    /// How many items the bytes are, if they are of equal length and lie end to end.
    pub items: usize,
    /// All else: where items begin, which are lost, the steps of a trace.
    pub numbers: Vec<u64>,
}

impl Input {
    /// One item.
    #[must_use]
    pub fn of(bytes: Vec<u8>) -> Self {
        Self::of_items(bytes, 1)
    }

    /// `items` items of equal length, end to end.
    #[must_use]
    pub fn of_items(bytes: Vec<u8>, items: usize) -> Self {
        Self {
            bytes,
            items,
            numbers: Vec::new(),
        }
    }

    /// The items, for bytes that are items of equal length.
    ///
    /// # Panics
    /// When there is no item, or when an item has no bytes.
    pub fn each_item(&self) -> core::slice::ChunksExact<'_, u8> {
        self.bytes.chunks_exact(self.bytes.len() / self.items)
    }

    /// The same items in at most `parts` inputs, as equal as whole items can be.
    ///
    /// # Panics
    /// As [`Input::each_item`], and when `parts` is 0.
    #[must_use]
    pub fn split(&self, parts: usize) -> Vec<Self> {
        let length = self.bytes.len() / self.items;
        let share = self.items.div_ceil(parts) * length;
        let part = |bytes: &[u8]| Self::of_items(bytes.to_vec(), bytes.len() / length);
        self.bytes.chunks(share).map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_hold_whole_items_in_order() {
        let input = Input::of_items((0..70).collect(), 7);
        for parts in [1, 2, 3, 7, 9] {
            let split = input.split(parts);
            assert!(split.len() <= parts);
            let items: usize = split.iter().map(|p| p.items).sum();
            let bytes: Vec<u8> = split.iter().flat_map(|p| p.bytes.clone()).collect();
            assert_eq!((items, bytes), (7, input.bytes.clone()), "{parts}");
        }
        assert_eq!(input.each_item().count(), 7);
    }
}
