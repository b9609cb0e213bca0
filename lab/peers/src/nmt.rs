//! Namespaced Merkle trees.

use crate::{Peer, peer};
use nmt_rs::simple_merkle::db::MemDb;
use nmt_rs::{
    NamespaceId, NamespaceMerkleHasher as _, NamespaceMerkleTree, NamespacedHash,
    NamespacedSha2Hasher,
};

/// Bytes of a namespace of Celestia.
const NAMESPACE: usize = 29;

type Tree = NamespaceMerkleTree<
    MemDb<NamespacedHash<NAMESPACE>>,
    NamespacedSha2Hasher<NAMESPACE>,
    NAMESPACE,
>;

pub(crate) const PEERS: &[Peer] = &[peer("nmt", "nmt-rs", |input, out| {
    let mut tree = Tree::with_hasher(NamespacedSha2Hasher::with_ignore_max_ns(true));
    for leaf in input.each_item() {
        let (namespace, data) = leaf.split_at(NAMESPACE);
        let namespace = NamespaceId(namespace.try_into().expect("it has that length"));
        tree.push_leaf(data, namespace).expect("namespaces ascend");
    }
    for (place, byte) in out.iter_mut().zip(tree.root().iter()) {
        *place = byte;
    }
})];
