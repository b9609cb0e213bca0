//! Proofs out of a tree.

use crate::proof::shape::siblings;
use crate::{Error, Hash, MultiProof, Proof, Tree};
use alloc::vec::Vec;
use core::ops::Range;

impl<H: Hash> Tree<H> {
    /// Proof of one leaf.
    ///
    /// # Errors
    /// [`Error::Range`] when there is no such leaf.
    pub fn prove(&self, index: usize) -> Result<Proof, Error> {
        self.prove_range(index..index.saturating_add(1))
    }

    /// Proof of a range of leaves.
    ///
    /// # Errors
    /// [`Error::Range`] when the range is empty or the tree does not have all of it.
    pub fn prove_range(&self, leaves: Range<usize>) -> Result<Proof, Error> {
        self.check(&leaves)?;
        Ok(self.proof(leaves, None))
    }

    /// One proof of several ranges of leaves. It is at most as long as their own proofs
    /// together, mostly far shorter.
    ///
    /// # Errors
    /// [`Error::Range`] as [`prove_range`](Self::prove_range), [`Error::Ranges`] when
    /// there is none, or they overlap or are not in ascending order.
    pub fn prove_ranges(&self, ranges: &[Range<usize>]) -> Result<MultiProof, Error> {
        for range in ranges {
            self.check(range)?;
        }
        if ranges.is_empty() || ranges.windows(2).any(|two| two[0].end > two[1].start) {
            return Err(Error::Ranges);
        }
        let ranges = ranges.iter().map(|r| r.start as u64..r.end as u64);
        let ranges: Vec<Range<u64>> = ranges.collect();
        Ok(MultiProof {
            nodes: self.around(&ranges),
            ranges,
            ignores_max: self.format.ignores_max(),
        })
    }

    /// Proof of all leaves of a namespace, or that it has none.
    ///
    /// A namespace outside of the root's range is shown to be absent by the root itself:
    /// the proof is empty. One inside is shown to be absent by the node of the first leaf
    /// above it.
    ///
    /// # Errors
    /// [`Error::NamespaceLen`] when the namespace has another length than the tree's.
    pub fn prove_namespace(&self, namespace: &[u8]) -> Result<Proof, Error> {
        self.check_namespace(namespace)?;
        let format = self.format;
        let outside = self.is_empty()
            || namespace < format.min(&self.root)
            || format.max(&self.root) < namespace;
        if outside {
            return Ok(Proof::empty(format.ignores_max()));
        }
        let leaves = self.namespace_range(namespace);
        if leaves.is_empty() {
            // The root's range holds the namespace, so some leaf is above it.
            let next = leaves.start;
            return Ok(self.proof(next..next + 1, Some(self.node(next, next + 1))));
        }
        Ok(self.proof(leaves, None))
    }

    /// The leaves of a namespace: an empty range where there is none, at the place where
    /// they would be.
    ///
    #[must_use]
    pub fn namespace_range(&self, namespace: &[u8]) -> Range<usize> {
        let first = |is_before: &dyn Fn(&[u8]) -> bool| {
            let (mut low, mut high) = (0, self.len);
            while low < high {
                let middle = low.midpoint(high);
                if is_before(self.namespace(middle)) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        };
        first(&|other| other < namespace)..first(&|other| other <= namespace)
    }

    fn proof(&self, leaves: Range<usize>, leaf_hash: Option<Vec<u8>>) -> Proof {
        let range = leaves.start as u64..leaves.end as u64;
        Proof {
            nodes: self.around(core::slice::from_ref(&range)),
            range,
            leaf_hash,
            ignores_max: self.format.ignores_max(),
        }
    }

    /// The nodes beside the ranges, left to right.
    fn around(&self, ranges: &[Range<u64>]) -> Vec<Vec<u8>> {
        let mut nodes = Vec::new();
        siblings(ranges, 0..self.len as u64, &mut |beside| {
            nodes.push(self.node(beside.start as usize, beside.end as usize));
        });
        nodes
    }
}
