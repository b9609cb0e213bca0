//! A proof never verifies for anything but what it claims.

use crate::support::{Owned, Rng, borrowed, random_leaves, tree};
use karat_nmt::{Format, Leaf, MultiProof, Proof, Tree, Verifier};

struct Case {
    format: Format,
    owned: Owned,
    tree: Tree,
}

fn case(rng: &mut Rng) -> Case {
    let format = Format::new([29, 8, 1][rng.below(3)], rng.below(2) == 0);
    let count = 1 + rng.below(24);
    let owned = random_leaves(rng, format, count, 20);
    let tree = tree(format, &owned);
    Case {
        format,
        owned,
        tree,
    }
}

fn range(rng: &mut Rng, count: usize) -> core::ops::Range<usize> {
    let start = rng.below(count);
    start..start + 1 + rng.below(count - start)
}

/// Changes one thing of a proof.
fn forge(rng: &mut Rng, proof: &Proof, other: &Proof) -> Proof {
    let mut range = proof.range().clone();
    let mut nodes = proof.nodes().to_vec();
    let mut leaf = proof.leaf_hash().map(<[u8]>::to_vec);
    let mut ignores_max = proof.ignores_max();
    let at = rng.below(nodes.len().max(1));
    match rng.below(12) {
        0 => range.start = range.start.wrapping_add(1 + rng.below(8) as u64),
        1 => range.start = range.start.wrapping_sub(1 + rng.below(8) as u64),
        2 => range.end = range.end.wrapping_add(1 + rng.below(8) as u64),
        3 => range.end = range.end.wrapping_sub(1 + rng.below(8) as u64),
        4 => {
            let by = 1 + rng.below(8) as u64;
            range = range.start + by..range.end + by;
        }
        5 => drop(nodes.pop()),
        6 => nodes.insert(at, other.nodes().first().cloned().unwrap_or(vec![0; 90])),
        7 if nodes.len() > 1 => nodes.swap(at, rng.below(proof.nodes().len())),
        8 => ignores_max = !ignores_max,
        9 => {
            leaf = if leaf.is_some() {
                None
            } else {
                nodes.first().cloned()
            }
        }
        10 if !nodes.is_empty() => drop(nodes.remove(at)),
        _ if !nodes.is_empty() => {
            let byte = rng.below(nodes[at].len().max(1));
            if let Some(byte) = nodes[at].get_mut(byte) {
                *byte ^= 1 << rng.below(8);
            }
        }
        _ => range.end += 1,
    }
    Proof::from_parts(range, nodes, leaf, ignores_max)
}

/// What is claimed is true of these leaves.
fn is_true(leaves: &[Leaf<'_>], range: &core::ops::Range<u64>, claimed: &[Leaf<'_>]) -> bool {
    let range = range.start as usize..range.end as usize;
    leaves.get(range) == Some(claimed)
}

fn forgeries(seed: u64, tries: usize) {
    let mut rng = Rng(seed);
    let mut refused = 0;
    for _ in 0..tries {
        let Case {
            format,
            owned,
            tree,
        } = case(&mut rng);
        let leaves = borrowed(&owned);
        let count = leaves.len();
        let verifier: Verifier<'_> = Verifier::new(format, tree.root()).unwrap();
        let verifier = verifier.of_leaves(count as u64);
        let these = range(&mut rng, count);
        let honest = tree.prove_range(these.clone()).unwrap();
        let other = tree.prove(rng.below(count)).unwrap();
        let forged = forge(&mut rng, &honest, &other);
        for claimed in [&leaves[these], &leaves[range(&mut rng, count)]] {
            if verifier.leaves(&forged, claimed).is_ok() {
                assert!(is_true(&leaves, forged.range(), claimed), "{forged:?}");
            } else {
                refused += 1;
            }
            if verifier.leaves(&honest, claimed).is_ok() {
                assert!(is_true(&leaves, honest.range(), claimed), "{honest:?}");
            }
        }

        let namespace = match rng.below(3) {
            0 => leaves[rng.below(count)].namespace.to_vec(),
            1 => vec![0xff; format.namespace_len()],
            _ => {
                let mut namespace = vec![0; format.namespace_len()];
                *namespace.last_mut().unwrap() = rng.below(40) as u8;
                namespace
            }
        };
        let all: Vec<&[u8]> = (leaves.iter())
            .filter(|l| l.namespace == namespace)
            .map(|l| l.data)
            .collect();
        let honest = tree.prove_namespace(&namespace).unwrap();
        for forged in [&forge(&mut rng, &honest, &other), &forged, &honest] {
            // With and without the number of leaves.
            for verifier in [verifier, Verifier::new(format, tree.root()).unwrap()] {
                for claimed in [&all[..], &all[..all.len() / 2], &all[all.len().min(1)..]] {
                    if verifier.namespace(forged, &namespace, claimed).is_ok() {
                        assert_eq!(claimed, all, "{namespace:?} {forged:?}");
                    } else {
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(refused > tries);
}

#[test]
fn no_forged_proof_in_thousands() {
    forgeries(8, if cfg!(miri) { 20 } else { 6000 });
}

/// `cargo test --release -p karat-nmt --test it -- --ignored` takes minutes.
#[test]
#[ignore = "takes minutes"]
fn no_forged_proof_in_a_million() {
    forgeries(9, 1_000_000);
}

#[test]
fn several_ranges_at_once() {
    let mut rng = Rng(10);
    for _ in 0..3000 {
        let Case {
            format,
            owned,
            tree,
        } = case(&mut rng);
        let (leaves, count) = (borrowed(&owned), owned.len());
        let mut ranges = Vec::new();
        let mut start = rng.below(count);
        while start < count {
            let end = start + 1 + rng.below((count - start).min(4));
            ranges.push(start..end);
            start = end + rng.below(4);
        }
        let proof = tree.prove_ranges(&ranges).unwrap();
        let claimed: Vec<Leaf<'_>> = ranges
            .iter()
            .flat_map(|r| leaves[r.clone()].to_vec())
            .collect();
        let verifier: Verifier<'_> = Verifier::new(format, tree.root()).unwrap();
        verifier.ranges(&proof, &claimed).unwrap();
        let verifier = verifier.of_leaves(count as u64);
        verifier.ranges(&proof, &claimed).unwrap();
        let apart: usize = (ranges.iter())
            .map(|r| tree.prove_range(r.clone()).unwrap().nodes().len())
            .sum();
        assert!(proof.nodes().len() <= apart);
        if let [only] = &ranges[..] {
            let single = tree.prove_range(only.clone()).unwrap();
            assert_eq!(proof.nodes(), single.nodes());
        }

        let mut moved = proof.ranges().to_vec();
        let at = rng.below(moved.len());
        moved[at] = moved[at].start + 1..moved[at].end + 1;
        let mut nodes = proof.nodes().to_vec();
        let forged = MultiProof::from_parts(moved, nodes.clone(), proof.ignores_max());
        let is_same = |ranges: &[core::ops::Range<u64>]| {
            let all = ranges.iter().flat_map(|r| r.clone());
            all.zip(&claimed)
                .all(|(i, c)| leaves.get(i as usize) == Some(c))
        };
        if verifier.ranges(&forged, &claimed).is_ok() {
            assert!(is_same(forged.ranges()));
        }
        if !nodes.is_empty() {
            let at = rng.below(nodes.len());
            let byte = rng.below(nodes[at].len());
            nodes[at][byte] ^= 1 << rng.below(8);
            let ranges = proof.ranges().to_vec();
            let forged = MultiProof::from_parts(ranges, nodes, proof.ignores_max());
            verifier.ranges(&forged, &claimed).unwrap_err();
        }
    }
}

#[test]
fn roots_of_subtrees_instead_of_leaves() {
    let mut rng = Rng(11);
    let format = Format::CELESTIA;
    let owned = random_leaves(&mut rng, format, 16, 20);
    let tree = tree(format, &owned);
    let verifier: Verifier<'_> = Verifier::new(format, tree.root()).unwrap();
    for width in [1, 2, 4, 8] {
        for start in (0..16).step_by(width) {
            for end in start + 1..=16 {
                let proof = tree.prove_range(start..end).unwrap();
                let places: Vec<_> = proof.subtrees(width as u64).map(Option::unwrap).collect();
                let roots: Vec<Vec<u8>> = (places.iter())
                    .map(|p| tree.subtree_root(p.start as usize..p.end as usize).unwrap())
                    .collect();
                let roots: Vec<&[u8]> = roots.iter().map(|root| &root[..]).collect();
                verifier
                    .subtree_roots(&proof, &roots, width as u64)
                    .unwrap();
                verifier
                    .subtree_roots(&proof, &roots[1..], width as u64)
                    .unwrap_err();
                let mut wrong = roots.clone();
                wrong[0] = tree.root();
                assert!(
                    verifier
                        .subtree_roots(&proof, &wrong, width as u64)
                        .is_err()
                        || roots[0] == tree.root()
                );
                let more = [&roots[..], &roots[..1]].concat();
                verifier
                    .subtree_roots(&proof, &more, width as u64)
                    .unwrap_err();
            }
        }
    }
    let nodes: Vec<u8> = (3..9).flat_map(|i| tree.leaf(i).unwrap()).collect();
    let proof = tree.prove_range(3..9).unwrap();
    verifier.leaf_hashes(&proof, &nodes).unwrap();
    verifier.leaf_hashes(&proof, &nodes[..450]).unwrap_err();
    verifier.leaf_hashes(&proof, &nodes[..539]).unwrap_err();
}
