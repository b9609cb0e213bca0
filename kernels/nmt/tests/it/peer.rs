//! nmt-rs, an implementation of others, on random trees.

use crate::support::{Rng, borrowed, random_leaves, tree};
use karat_nmt::{Format, Verifier};
use nmt_rs::simple_merkle::db::MemDb;
use nmt_rs::{NamespaceId, NamespaceMerkleHasher, NamespaceMerkleTree, NamespacedSha2Hasher};

type Peer<const N: usize> =
    NamespaceMerkleTree<MemDb<nmt_rs::NamespacedHash<N>>, NamespacedSha2Hasher<N>, N>;

fn compare<const N: usize>(rng: &mut Rng) {
    let format = Format::new(N as u8, true);
    let count = rng.below(70);
    let owned = random_leaves(rng, format, count, 80);
    let leaves = borrowed(&owned);
    let tree = tree(format, &owned);
    let mut peer = Peer::<N>::with_hasher(NamespacedSha2Hasher::with_ignore_max_ns(true));
    for leaf in &leaves {
        let namespace = NamespaceId(leaf.namespace.try_into().unwrap());
        peer.push_leaf(leaf.data, namespace).unwrap();
    }
    let root: Vec<u8> = peer.root().iter().collect();
    assert_eq!(tree.root(), root);
    if count == 0 {
        return;
    }
    let start = rng.below(count);
    let end = start + 1 + rng.below(count - start);
    let proof = tree.prove_range(start..end).unwrap();
    let others = peer.build_range_proof(start..end);
    let nodes: Vec<Vec<u8>> = (others.siblings().iter())
        .map(|n| n.iter().collect())
        .collect();
    assert_eq!(proof.nodes(), nodes, "{start}..{end} of {count}");
    let verifier: Verifier<'_> = Verifier::new(format, &root).unwrap();
    verifier.leaves(&proof, &leaves[start..end]).unwrap();

    let mut namespace = [0; N];
    namespace[N - 1] = rng.below(60) as u8;
    let ours = tree.prove_namespace(&namespace).unwrap();
    let theirs = peer.get_namespace_proof(NamespaceId(namespace));
    assert_eq!(
        ours.is_of_absence() || ours.is_empty(),
        theirs.is_of_absence()
    );
    if !ours.is_empty() {
        let nodes: Vec<Vec<u8>> = (theirs.siblings().iter())
            .map(|n| n.iter().collect())
            .collect();
        assert_eq!(ours.nodes(), nodes);
        let range = u64::from(theirs.start_idx())..u64::from(theirs.end_idx());
        assert_eq!(*ours.range(), range);
    }
}

#[test]
fn roots_and_proofs_are_those_of_nmt_rs() {
    let mut rng = Rng(5);
    for _ in 0..150 {
        compare::<29>(&mut rng);
        compare::<8>(&mut rng);
        compare::<1>(&mut rng);
    }
}
