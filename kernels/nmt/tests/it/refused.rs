//! What trees and decoders refuse.

use crate::support::{Rng, borrowed, random_leaves, tree};
use karat_nmt::{Builder, DecodeError, Error, Format, Leaf, Proof, Tree, Verifier, VerifyError};

const FORMAT: Format = Format::new(2, true);

#[test]
fn leaves_out_of_order_or_of_another_size() {
    let mut builder: Builder = Builder::new(FORMAT);
    builder.push(b"bb", b"1").unwrap();
    assert_eq!(
        builder.push(b"ba", b"").unwrap_err(),
        Error::Order { index: 1 }
    );
    let wrong = Error::NamespaceLen {
        expected: 2,
        found: 3,
    };
    assert_eq!(builder.push(b"bbb", b"").unwrap_err(), wrong);
    builder.push(b"bb", b"2").unwrap();
    assert_eq!(builder.len(), 2);
    let mut grown: Builder = builder.finish().grow();
    assert_eq!(
        grown.push(b"ba", b"").unwrap_err(),
        Error::Order { index: 2 }
    );
    let some = [
        Leaf::new(b"bc", b"3"),
        Leaf::new(b"bb", b"4"),
        Leaf::new(b"bd", b"5"),
    ];
    assert_eq!(grown.extend(&some).unwrap_err(), Error::Order { index: 3 });
    assert_eq!(grown.len(), 3);
    assert_eq!(
        grown.extend(&[Leaf::new(b"b", b"")]).unwrap_err(),
        Error::NamespaceLen {
            expected: 2,
            found: 1
        }
    );
    assert!(Leaf::prefixed(FORMAT, b"b").is_err());
    assert_eq!(
        Leaf::prefixed(FORMAT, b"bbx").unwrap(),
        Leaf::new(b"bb", b"x")
    );
}

#[test]
fn ranges_that_a_tree_does_not_have() {
    let owned = random_leaves(&mut Rng(6), FORMAT, 7, 9);
    let tree = tree(FORMAT, &owned);
    for range in [3..3, 6..8, 7..8, 0..usize::MAX, usize::MAX..usize::MAX] {
        assert!(matches!(
            tree.prove_range(range.clone()),
            Err(Error::Range { .. })
        ));
        assert!(matches!(tree.subtree_root(range), Err(Error::Range { .. })));
    }
    assert!(tree.prove(7).is_err() && tree.leaf(7).is_err() && tree.prove(usize::MAX).is_err());
    assert!(matches!(
        tree.subtree_root(1..3),
        Err(Error::NoSubtree { .. })
    ));
    assert!(matches!(
        tree.subtree_root(4..7),
        Err(Error::NoSubtree { .. })
    ));
    assert_eq!(tree.prove_ranges(&[]), Err(Error::Ranges));
    assert_eq!(tree.prove_ranges(&[3..5, 4..6]), Err(Error::Ranges));
    assert_eq!(tree.prove_ranges(&[3..5, 0..1]), Err(Error::Ranges));
    assert!(tree.prove_namespace(b"x").is_err());
}

/// In a tree [a, MAX] the root says that its largest namespace is a.
#[test]
fn nothing_is_shown_of_an_ignored_namespace() {
    let leaves = [Leaf::new(b"a\0", b"1"), Leaf::new(&[0xff; 2], b"2")];
    let tree: Tree = Tree::of(FORMAT, &leaves).unwrap();
    let proof = tree.prove_namespace(&[0xff; 2]).unwrap();
    assert!(proof.is_empty());
    let verifier: Verifier<'_> = Verifier::new(FORMAT, tree.root()).unwrap();
    let found = verifier.namespace(&proof, &[0xff; 2], &[]);
    assert_eq!(found, Err(VerifyError::IgnoredNamespace));
    let found = verifier.namespace(&tree.prove(1).unwrap(), &[0xff; 2], &[b"2"]);
    assert_eq!(found, Err(VerifyError::IgnoredNamespace));
    verifier
        .leaves(&tree.prove(1).unwrap(), &leaves[1..])
        .unwrap();
}

/// Proofs that are too short, as in GHSA-r9fq-g486-v8pg of the Go library, and too long.
#[test]
fn nodes_too_few_or_too_many() {
    let owned = random_leaves(&mut Rng(7), FORMAT, 16, 9);
    let (tree, leaves) = (tree(FORMAT, &owned), borrowed(&owned));
    let verifier: Verifier<'_> = Verifier::new(FORMAT, tree.root()).unwrap();
    let proof = tree.prove(5).unwrap();
    for keep in 0..proof.nodes().len() {
        let short = Proof::from_parts(5..6, proof.nodes()[..keep].to_vec(), None, true);
        verifier.leaves(&short, &leaves[5..6]).unwrap_err();
        let namespace = leaves[5].namespace;
        verifier
            .namespace(&short, namespace, &[leaves[5].data])
            .unwrap_err();
    }
    let long = Proof::from_parts(5..6, vec![proof.nodes()[0].clone(); 1000], None, true);
    assert_eq!(
        verifier.leaves(&long, &leaves[5..6]),
        Err(VerifyError::Nodes { found: 1000 })
    );
    let huge = Proof::from_parts(0..u64::MAX, vec![], None, true);
    assert_eq!(verifier.leaves(&huge, &leaves), Err(VerifyError::Range));
}

#[test]
fn bytes_that_are_no_proof() {
    let decode = Proof::from_protobuf;
    let negative = [&[0x08][..], &[0xff; 9], &[0x01]].concat();
    assert_eq!(decode(&negative), Err(DecodeError::Negative));
    assert_eq!(decode(&[0x08]), Err(DecodeError::Truncated));
    assert_eq!(decode(&[0x1a, 5, 1]), Err(DecodeError::Truncated));
    assert_eq!(decode(&[0x09, 1]), Err(DecodeError::Malformed));
    assert_eq!(decode(&[0x00, 1]), Err(DecodeError::Malformed));
    assert_eq!(decode(&[0x37, 1]), Err(DecodeError::Malformed));
    assert_eq!(decode(&[0xff; 20]), Err(DecodeError::Malformed));
    let huge = [&[0x1a][..], &[0xff; 9], &[0x01]].concat();
    assert_eq!(decode(&huge), Err(DecodeError::Truncated));
    assert_eq!(
        decode(&[0x1a, 0].repeat(127)),
        Err(DecodeError::TooManyNodes)
    );
    // Unknown fields of every type are skipped.
    let unknown = [
        &[0x30, 7][..],
        &[0x32, 1, 9],
        &[0x31; 9],
        &[0x35; 5],
        &[0x28, 1],
    ]
    .concat();
    assert_eq!(decode(&unknown), Ok(Proof::empty(true)));
}
