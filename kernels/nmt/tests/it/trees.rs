//! Trees built in different ways are the same.

use crate::support::{Rng, borrowed, random_leaves, tree};
use karat_nmt::{Builder, Format, Hash, Leaf, Tree, Verifier};

const FORMATS: [Format; 4] = [
    Format::CELESTIA,
    Format::new(29, false),
    Format::new(8, true),
    Format::new(0, true),
];

/// The root as RFC 6962 and the NMT specification define it, one node at a time.
fn plain_root(format: Format, leaves: &[Leaf<'_>]) -> Vec<u8> {
    use karat_nmt::Sha256;
    let hash = |parts: &[&[u8]]| {
        let mut out = [0; 32];
        Sha256::hash(parts, &mut out);
        out.to_vec()
    };
    match leaves {
        [] => [vec![0; 2 * format.namespace_len()], hash(&[])].concat(),
        [Leaf { namespace, data }] => {
            [*namespace, *namespace, &hash(&[&[0], namespace, data])].concat()
        }
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            let (left, right) = (plain_root(format, left), plain_root(format, right));
            let is_ignored = format.ignores_max() && format.min(&right).iter().all(|b| *b == 0xff);
            let max = if is_ignored { &left } else { &right };
            let digest = hash(&[&[1], &left, &right]);
            [format.min(&left), format.max(max), &digest].concat()
        }
    }
}

#[test]
fn batch_and_streaming_and_growth_give_the_plain_root() {
    let mut rng = Rng(1);
    let counts = (0..40).chain([63, 64, 65, 100, 127, 128, 129, 200, 257, 300]);
    for count in counts {
        for format in FORMATS {
            for most in [0, 40, 700] {
                let owned = random_leaves(&mut rng, format, count, most);
                let leaves = borrowed(&owned);
                let whole = tree(format, &owned);
                assert_eq!(
                    whole.root(),
                    plain_root(format, &leaves),
                    "{count} {format:?}"
                );
                let mut grown: Tree = Tree::of(format, &[]).unwrap();
                for some in leaves.chunks(1 + rng.below(count + 1)) {
                    let mut builder = grown.grow();
                    let (pushed, rest) = some.split_at(rng.below(some.len() + 1));
                    for leaf in pushed {
                        builder.push(leaf.namespace, leaf.data).unwrap();
                    }
                    builder.extend(rest).unwrap();
                    grown = builder.finish();
                }
                assert_eq!(grown, whole);
            }
        }
    }
}

/// A node is the root of the tree of the leaves below it, those with the ignored namespace too.
#[test]
fn nodes_are_the_roots_of_their_leaves() {
    let mut rng = Rng(21);
    for format in FORMATS {
        for count in [1, 2, 7, 33, 100] {
            let owned = random_leaves(&mut rng, format, count, 40);
            let (leaves, whole) = (borrowed(&owned), tree(format, &owned));
            for (index, leaf) in leaves.iter().enumerate() {
                let root = plain_root(format, &[*leaf]);
                assert_eq!(whole.leaf(index).unwrap(), root, "{index} of {count}");
            }
            for width in [1, 2, 4, 8, 16, 32, 64] {
                for start in (0..=count.saturating_sub(width)).step_by(width) {
                    let below = start..(start + width).min(count);
                    if below.len() == width {
                        let root = plain_root(format, &leaves[below.clone()]);
                        assert_eq!(whole.subtree_root(below).unwrap(), root);
                    }
                }
            }
        }
    }
}

/// Fewer leaves than one thread takes, as many, and more.
#[cfg(feature = "rayon")]
#[test]
fn threads_build_the_same_tree() {
    let mut rng = Rng(12);
    for count in [0, 1, 2, 77, 2047, 2048, 2049, 4095, 4096, 6145, 9000] {
        let owned = random_leaves(&mut rng, Format::CELESTIA, count, 40);
        let leaves = borrowed(&owned);
        let parallel: Tree = Tree::of_parallel(Format::CELESTIA, &leaves).unwrap();
        assert_eq!(parallel, tree(Format::CELESTIA, &owned), "{count}");
    }
    // The first mistake is told, on whichever thread.
    let owned = random_leaves(&mut rng, Format::CELESTIA, 5000, 40);
    for places in [
        &[1, 4999][..],
        &[2047],
        &[2048],
        &[2049, 4096],
        &[4500, 3000],
        &[0],
    ] {
        for wrong in [&[0; 29][..], &[9; 28]] {
            let mut leaves = borrowed(&owned);
            for place in places {
                leaves[*place].namespace = wrong;
            }
            let expected = Tree::<karat_nmt::Sha256>::of(Format::CELESTIA, &leaves);
            let found = Tree::of_parallel(Format::CELESTIA, &leaves);
            assert_eq!(found, expected, "{places:?}");
            assert!(found.is_err() || wrong.len() == 29, "{places:?}");
        }
    }
}

/// A builder that is used again gives the roots of new ones, and goes on after a root.
#[test]
fn a_builder_is_used_again() {
    let mut rng = Rng(13);
    let mut builder: Builder = Builder::new(Format::CELESTIA);
    for count in [9, 300, 0, 77, 64, 1] {
        let owned = random_leaves(&mut rng, Format::CELESTIA, count, 40);
        let leaves = borrowed(&owned);
        builder.extend(&leaves[..count / 2]).unwrap();
        let half = plain_root(Format::CELESTIA, &leaves[..count / 2]);
        assert_eq!(builder.root(), half);
        builder.extend(&leaves[count / 2..]).unwrap();
        assert_eq!(builder.root(), tree(Format::CELESTIA, &owned).root());
        builder.reset();
    }
}

/// Leaves of one length, of some lengths, and far longer than a slot.
#[test]
fn leaves_of_any_length() {
    let lengths = [0, 1, 33, 34, 35, 512, 4096, 4097, 70_000];
    let bytes = Rng(2).bytes(70_000);
    let mut builder: Builder = Builder::new(Format::CELESTIA);
    let mut leaves = Vec::new();
    for (index, length) in lengths.iter().cycle().take(300).enumerate() {
        let length = if index % 90 < 80 { 40 } else { *length };
        leaves.push(Leaf::new(&[7; 29], &bytes[..length]));
        builder.push(&[7; 29], &bytes[..length]).unwrap();
    }
    assert_eq!(
        builder.finish().root(),
        plain_root(Format::CELESTIA, &leaves)
    );
}

/// A tree that repeats nodes would give these the same root (CVE-2012-2459).
#[test]
fn repeated_leaves_are_another_tree() {
    let root = |data: &[&[u8]]| {
        let leaves: Vec<Leaf<'_>> = data.iter().map(|d| Leaf::new(&[1; 29], d)).collect();
        tree_root(&leaves)
    };
    assert_ne!(root(&[b"a", b"b", b"c"]), root(&[b"a", b"b", b"c", b"c"]));
    assert_ne!(root(&[b"a"]), root(&[b"a", b"a"]));
}

fn tree_root(leaves: &[Leaf<'_>]) -> Vec<u8> {
    let tree: Tree = Tree::of(Format::CELESTIA, leaves).unwrap();
    tree.root().to_vec()
}

/// Every implementation of this crate's kernel and of those below it. One test, because
/// implementations are forced in the whole process; what other tests compute is right
/// with any.
#[test]
fn every_implementation_gives_the_same_root() {
    let mut rng = Rng(3);
    let owned = random_leaves(&mut rng, Format::CELESTIA, 333, 40);
    let even: Vec<_> = (owned.iter())
        .map(|(n, _)| (n.clone(), rng.bytes(32)))
        .collect();
    let expected = [&owned, &even].map(|l| plain_root(Format::CELESTIA, &borrowed(l)));
    let all = karat_nmt::kernels().iter().chain(karat_hash::kernels());
    for kernel in all.filter(|k| ["nmt", "sha256", "sha256-many"].contains(&k.name())) {
        for index in 0..kernel.len() {
            let name = kernel.info(index).name;
            if let Err(lacks) = kernel.force(Some(name)) {
                eprintln!("SKIPPED {} {name}: {lacks}", kernel.name());
                continue;
            }
            for (leaves, expected) in [&owned, &even].iter().zip(&expected) {
                assert_eq!(tree(Format::CELESTIA, leaves).root(), expected, "{name}");
            }
        }
        kernel.force(None).unwrap();
    }
}

/// Another hash than SHA-256, of another length, with the two functions that a hash needs.
#[test]
fn another_hash_through_the_trait() {
    struct Blake;
    impl Hash for Blake {
        const SIZE: usize = 64;

        fn hash(parts: &[&[u8]], out: &mut [u8]) {
            let mut hasher = karat_hash::blake2b::Hasher::<64>::new();
            for part in parts {
                hasher.update(part);
            }
            out.copy_from_slice(&hasher.finalize());
        }
    }
    let format = Format::new(3, true);
    let owned = random_leaves(&mut Rng(4), format, 77, 100);
    let leaves = borrowed(&owned);
    let tree: Tree<Blake> = Tree::of(format, &leaves).unwrap();
    assert_eq!(tree.root().len(), 70);
    let verifier: Verifier<'_, Blake> = Verifier::new(format, tree.root()).unwrap();
    let verifier = verifier.of_leaves(77);
    let proof = tree.prove_range(5..70).unwrap();
    verifier.leaves(&proof, &leaves[5..70]).unwrap();
    verifier.leaves(&proof, &leaves[4..69]).unwrap_err();
}
