//! Trees on several threads.

use super::digests::{Names, Room, parents, take, wrong};
use crate::slots::Slots;
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
        // Where they are not in order, an error comes of it and no tree.
        tree.counted = leaves.partition_point(|leaf| !format.is_ignored(leaf.namespace));
        tree.namespaces = alloc::vec![0; leaves.len() * format.namespace_len()];
        let mut count = leaves.len();
        while count > 0 {
            tree.levels.push(alloc::vec![0; count * H::SIZE]);
            count /= 2;
        }

        let subtrees = leaves.len().div_ceil(1 << SUBTREE);
        let mut parts: Vec<Vec<&mut [u8]>> = Vec::new();
        parts.resize_with(subtrees, Vec::new);
        for (height, level) in (0..=SUBTREE).zip(&mut tree.levels) {
            let chunks = level.chunks_mut((1 << (SUBTREE - height)) * H::SIZE);
            for (part, chunk) in parts.iter_mut().zip(chunks) {
                part.push(chunk);
            }
        }
        let mut names: &mut [u8] = &mut tree.namespaces;
        let parts = parts.into_iter().enumerate().map(|(number, levels)| {
            let first = number << SUBTREE;
            let end = leaves.len().min(first + (1 << SUBTREE));
            let here;
            (here, names) =
                core::mem::take(&mut names).split_at_mut((end - first) * format.namespace_len());
            (first..end, here, levels)
        });
        let parts: Vec<_> = parts.collect();
        let counted = tree.counted;
        let stopped = parts.into_par_iter().map_init(
            || (Slots::<H>::new(), Slots::<H>::new()),
            |(for_leaves, for_nodes), (part, namespaces, mut levels)| {
                let last = part.start.checked_sub(1).map(|last| leaves[last].namespace);
                let room = Room {
                    namespaces: &mut *namespaces,
                    digests: levels[0],
                };
                let taken = take(format, for_leaves, &leaves[part.start..], last, room);
                if taken < part.len() {
                    return Some(part.start + taken);
                }
                let names = Names {
                    format,
                    bytes: namespaces,
                    counted: counted.saturating_sub(part.start),
                };
                climb(names, for_nodes, 0, &mut levels);
                None
            },
        );
        // The first of them, as by one thread.
        if let Some(index) = stopped.flatten().min() {
            return Err(wrong(format, &leaves[index], index));
        }
        if tree.levels.len() > SUBTREE as usize {
            let above = &mut tree.levels[SUBTREE as usize..];
            let mut levels: Vec<&mut [u8]> = above.iter_mut().map(|l| &mut l[..]).collect();
            let names = Names {
                format,
                bytes: &tree.namespaces,
                counted,
            };
            climb(names, &mut Slots::<H>::new(), SUBTREE as usize, &mut levels);
        }
        tree.find_root();
        Ok(tree)
    }
}

/// Computes all levels above the first of them, which is `lowest` levels above the leaves.
fn climb<H: Hash>(names: Names<'_>, slots: &mut Slots<H>, lowest: usize, levels: &mut [&mut [u8]]) {
    for height in 1..levels.len() {
        let (below, above) = levels.split_at_mut(height);
        let children = &below[height - 1][..2 * above[0].len()];
        parents(names, slots, lowest + height, 0, children, above[0]);
    }
}
