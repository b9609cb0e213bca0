//! Memory that calls use and that a caller can keep between them.

use crate::body::BLOCK;
use alloc::vec;
use alloc::vec::Vec;

/// A cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([u8; BLOCK]);

/// Memory that calls use. A workspace that is kept makes later calls allocate nothing, when
/// shapes are not larger than before.
///
/// Rows lie in it end to end, so that shards a power of two apart do not meet in the same
/// places of the caches.
#[derive(Debug, Default)]
pub struct Workspace {
    lines: Vec<Line>,
    pub(crate) lists: Lists,
}

/// Lists of rows. They are filled anew in each call; what they hold afterwards is not used.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    /// The shards that a call reads; null stands for zeros.
    pub(crate) inputs: Vec<*const u8>,
    /// The shards that a call writes; null is left out.
    pub(crate) outputs: Vec<*mut u8>,
    /// The same for the end of shards that is shorter than a block.
    pub(crate) end_inputs: Vec<*const u8>,
    pub(crate) end_outputs: Vec<*mut u8>,
    /// Rows of the workspace.
    pub(crate) rows: Vec<*mut u8>,
    /// All shards of a call, by index.
    pub(crate) shards: Vec<*mut u8>,
}

impl Lists {
    /// The shards of a call.
    pub(crate) fn fill(
        &mut self,
        inputs: impl Iterator<Item = *const u8>,
        outputs: impl Iterator<Item = *mut u8>,
    ) {
        self.inputs.clear();
        self.inputs.extend(inputs);
        self.outputs.clear();
        self.outputs.extend(outputs);
    }
}

// SAFETY: the pointers are written and used inside of one call, which has the shards and
// the workspace borrowed.
unsafe impl Send for Lists {}
// SAFETY: as above; a shared workspace gives out nothing.
unsafe impl Sync for Lists {}

impl Workspace {
    /// An empty one. It grows as calls need it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// So many rows of so many bytes, a multiple of [`BLOCK`], end to end. They hold
    /// anything.
    pub(crate) fn rows(&mut self, rows: usize, bytes: usize) -> *mut u8 {
        let lines = rows * bytes / BLOCK;
        if self.lines.len() < lines {
            self.lines = vec![Line([0; BLOCK]); lines];
        }
        self.lines.as_mut_ptr().cast()
    }
}
