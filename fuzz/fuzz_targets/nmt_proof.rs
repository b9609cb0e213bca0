//! Proofs from anywhere: what decodes is written back the same, and what verifies is true
//! of the tree.
#![no_main]

use karat_nmt::{Format, Leaf, Proof, Tree, Verifier};
use libfuzzer_sys::fuzz_target;

/// Leaves in order under namespaces of one byte, from any bytes.
fn leaves(bytes: &[u8]) -> Vec<([u8; 1], [u8; 1])> {
    let mut last = 0_u8;
    let bytes = bytes.iter().take(40);
    bytes
        .map(|byte| {
            last = last.saturating_add(byte & 3);
            let namespace = if *byte >= 0xf8 { 0xff } else { last };
            last = namespace;
            ([namespace], [*byte])
        })
        .collect()
}

fuzz_target!(|input: (bool, Vec<u8>, Vec<u8>, u8, Option<(u8, u8)>)| {
    let (ignore_max, content, bytes, namespace, range) = input;
    let format = Format::new(1, ignore_max);
    let owned = leaves(&content);
    let leaves: Vec<Leaf<'_>> = owned.iter().map(|(n, d)| Leaf::new(n, d)).collect();
    let tree: Tree = Tree::of(format, &leaves).expect("they are in order");

    // A proof from the bytes, or an honest one with one byte changed.
    let proof = match range {
        None => Proof::from_protobuf(&bytes),
        Some((start, end)) => {
            let honest = if start > end {
                tree.prove_namespace(&[start]).ok()
            } else {
                tree.prove_range(usize::from(start)..usize::from(end)).ok()
            };
            let Some(honest) = honest else { return };
            let mut written = honest.to_protobuf();
            if let ([at, by, ..], false) = (&bytes[..], written.is_empty()) {
                let at = usize::from(*at) % written.len();
                written[at] ^= by;
            }
            Proof::from_protobuf(&written)
        }
    };
    let Ok(proof) = proof else { return };
    assert_eq!(
        Proof::from_protobuf(&proof.to_protobuf()).as_ref(),
        Ok(&proof)
    );

    let verifier: Verifier<'_> = Verifier::new(format, tree.root()).expect("its own root");
    let sized = verifier.of_leaves(leaves.len() as u64);
    let (start, end) = (proof.range().start as usize, proof.range().end as usize);
    for claimed in [&leaves[..], leaves.get(start..end).unwrap_or(&[])] {
        if sized.leaves(&proof, claimed).is_ok() {
            assert_eq!(leaves.get(start..end), Some(claimed));
        }
        let _ = verifier.leaves(&proof, claimed);
    }
    let all: Vec<&[u8]> = (leaves.iter())
        .filter(|l| l.namespace == [namespace])
        .map(|l| l.data)
        .collect();
    for verifier in [verifier, sized] {
        for claimed in [&all[..], &[], &all[all.len().min(1)..]] {
            if verifier.namespace(&proof, &[namespace], claimed).is_ok() {
                assert_eq!(claimed, all);
            }
        }
    }
    let root = tree.root().to_vec();
    let _ = verifier.subtree_roots(&proof, &[&root[..], &root[..]], u64::from(namespace));
});
