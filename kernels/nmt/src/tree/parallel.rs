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
        // Each thread checks its own leaves, because to look at all of them is to read them all.
        let wrong = (parts.par_iter_mut().enumerate()).map_init(
            || (Slots::<H>::new(), Slots::<H>::new()),
            |(for_leaves, for_nodes), (number, levels)| {
                let first = number << SUBTREE;
                let end = leaves.len().min(first + (1 << SUBTREE));
                (first..end).try_for_each(|index| check(format, leaves, index))?;
                level::leaves(format, for_leaves, &leaves[first..end], levels[0]);
                climb(format, for_nodes, levels);
                Ok(())
            },
        );
        let wrong = wrong.filter_map(Result::err);
        if let Some((_, error)) = wrong.min_by_key(|(index, _)| *index) {
            return Err(error);
        }
        if tree.levels.len() > SUBTREE as usize {
            let above = &mut tree.levels[SUBTREE as usize..];
            let mut levels: Vec<&mut [u8]> = above.iter_mut().map(|l| &mut l[..]).collect();
            climb(format, &mut Slots::<H>::new(), &mut levels);
        }
        tree.find_root();
        Ok(tree)
    }
}

/// Whether a leaf may come where it is.
fn check(format: Format, leaves: &[Leaf<'_>], index: usize) -> Result<(), (usize, Error)> {
    let namespace = leaves[index].namespace;
    let (expected, found) = (format.namespace_len(), namespace.len());
    if expected != found {
        return Err((index, Error::NamespaceLen { expected, found }));
    }
    if index > 0 && namespace < leaves[index - 1].namespace {
        return Err((index, Error::Order { index }));
    }
    Ok(())
}

/// Computes all levels above the first of them.
fn climb<H: Hash>(format: Format, slots: &mut Slots<H>, levels: &mut [&mut [u8]]) {
    for height in 1..levels.len() {
        let (below, above) = levels.split_at_mut(height);
        let children = &below[height - 1][..2 * above[0].len()];
        level::parents(format, slots, children, above[0]);
    }
}
