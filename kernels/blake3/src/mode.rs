//! What all nodes of a tree have in common, and what a node gives.

use super::constants::OUT_LEN;

/// A chaining value in bytes.
pub(crate) type Cv = [u8; OUT_LEN];

/// What all nodes of a tree have in common.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Mode {
    pub(crate) key: [u32; 8],
    /// Flags that every block has.
    pub(crate) flags: u32,
}
