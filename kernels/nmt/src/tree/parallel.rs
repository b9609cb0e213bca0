//! Trees on several threads.

use crate::level::{self, Slots};
use crate::{Error, Format, Hash, Leaf, Tree};
use alloc::vec::Vec;
use rayon::prelude::*;

/// Leaves below the subtree that one thread computes alone, as a power of two. Its nodes
/// fit into the second cache.
const SUBTREE: u32 = 11;

impl<H: Hash> Tree<H> {
    /// The same as [`Tree::of`], on rayon's threads: subtrees side by side, then what is
    /// above them.
    ///
    /// # Errors
    /// As [`Tree::of`].
    pub fn of_parallel(format: Format, leaves: &[Leaf<'_>]) -> Result<Self, Error> {
        let mut tree = Self::empty(format);
        for (index, leaf) in leaves.iter().enumerate() {
            tree.check_namespace(leaf.namespace)?;
            if index > 0 && leaf.namespace < leaves[index - 1].namespace {
                return Err(Error::Order { index });
            }
        }
        tree.len = leaves.len();
        let node = format.node_len::<H>();
        let mut count = leaves.len();
        while count > 0 {
            tree.levels.push(alloc::vec![0; count * node]);
            count /= 2;
        }

        let subtrees = leaves.len().div_ceil(1 << SUBTREE);
        let mut parts: Vec<Vec<&mut [u8]>> = Vec::new();
        parts.resize_with(subtrees, Vec::new);
        for (height, level) in (0..=SUBTREE).zip(&mut tree.levels) {
            let chunks = level.chunks_mut((1 << (SUBTREE - height)) * node);
            for (part, chunk) in parts.iter_mut().zip(chunks) {
                part.push(chunk);
            }
        }
        let leaves = leaves.par_chunks(1 << SUBTREE);
        parts.par_iter_mut().zip(leaves).for_each_init(
            || (Slots::<H>::new(), Slots::<H>::new()),
            |(for_leaves, for_nodes), (levels, leaves)| {
                level::leaves(format, for_leaves, leaves, levels[0]);
                climb(format, for_nodes, levels);
            },
        );
        if tree.levels.len() > SUBTREE as usize {
            let above = &mut tree.levels[SUBTREE as usize..];
            let mut levels: Vec<&mut [u8]> = above.iter_mut().map(|l| &mut l[..]).collect();
            climb(format, &mut Slots::<H>::new(), &mut levels);
        }
        tree.find_root();
        Ok(tree)
    }
}

/// Computes all levels above the first of them.
fn climb<H: Hash>(format: Format, slots: &mut Slots<H>, levels: &mut [&mut [u8]]) {
    for height in 1..levels.len() {
        let (below, above) = levels.split_at_mut(height);
        let children = &below[height - 1][..2 * above[0].len()];
        level::parents(format, slots, children, above[0]);
    }
}
