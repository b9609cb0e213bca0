//! Known trees.

use crate::support::{hex, unhex};
use karat_hash::sha256;
use karat_nmt::{Format, Leaf, Tree, Verifier};

/// All nodes of the tree of celestiaorg/blobstream-contracts (`tests/vectors/README.md`),
/// level by level: the last byte of both namespaces, and the digest.
const BLOBSTREAM: [&[(u8, u8, &str)]; 4] = [
    &[
        (
            0x10,
            0x10,
            "fdb4e3c872666aa9869a1d46c8a5a0e735becdf17c62b9c3ccf4258449475bda",
        ),
        (
            0x20,
            0x20,
            "c5fd5617b70207108c8d9bcf624b1eedf39b763af86f660255947674e043cd2c",
        ),
        (
            0x30,
            0x30,
            "35e864d3e196ef0986fcf18eea2782c7e68794c7106dacc2a4f7e40d6d7c7069",
        ),
        (
            0x40,
            0x40,
            "ecdeb08b04dd92a17fec560e20c53269f65beff5a2626fa64f61bfa45b09119d",
        ),
        (
            0xff,
            0xff,
            "1617cc7010feae70f9ff07028da463c65ec19b1d6bafde31c7543718025e5efb",
        ),
        (
            0xff,
            0xff,
            "671157a4e268f7060abbdc4b48f091589555a0775a2694e6899833ec98fdb296",
        ),
        (
            0xff,
            0xff,
            "2669e36b48e95bd9903300e50c27c53984fc439f6235fade08e3f14e78a42aac",
        ),
        (
            0xff,
            0xff,
            "655790e24d376e9556a3cba9908a5d97f27faa050806ecfcb481861a83240bd5",
        ),
    ],
    &[
        (
            0x10,
            0x20,
            "1dae5c3d39a8bf31ea33ba368238a52f816cd50485c580565609554cf360c91f",
        ),
        (
            0x30,
            0x40,
            "2aa20c7587b009772a9a88402b7cc8fcb82edc9e31754e95544a670a696f55a7",
        ),
        (
            0xff,
            0xff,
            "055a3ea75c438d752aeabbba94ed8fac93e0b32321256a65fde176dba14f5186",
        ),
        (
            0xff,
            0xff,
            "1b79ffd74644e8c287fe5f1dd70bc8ea02738697cebf2810ffb2dc5157485c40",
        ),
    ],
    &[
        (
            0x10,
            0x40,
            "a8dcd9f365fb64aa6d72b5027fe74db0fc7d009c2d75c7b9b9656927281cb35e",
        ),
        (
            0xff,
            0xff,
            "5aa3e7ea31995fdd38f41015275229b290a8ee4810521db766ad457b9a8373d6",
        ),
    ],
    &[(
        0x10,
        0x40,
        "34e6541306dc4e57a5a2a9ef57a46d5705ed09efb8c6a02580d3a972922b6862",
    )],
];

fn namespace(last: u8) -> Vec<u8> {
    let mut namespace = vec![if last == 0xff { 0xff } else { 0 }; 29];
    namespace[28] = last;
    namespace
}

#[test]
fn blobstream_contracts() {
    let format = Format::CELESTIA;
    let namespaces = [0x10, 0x20, 0x30, 0x40, 0xff, 0xff, 0xff, 0xff].map(namespace);
    let data: Vec<[u8; 1]> = (1..9).map(|i| [i]).collect();
    let leaves: Vec<Leaf<'_>> = (namespaces.iter().zip(&data))
        .map(|(n, d)| Leaf::new(n, d))
        .collect();
    let tree: Tree = Tree::of(format, &leaves).unwrap();
    let node = |(min, max, digest): &(u8, u8, &str)| {
        [namespace(*min), namespace(*max), unhex(digest)].concat()
    };
    for (level, nodes) in BLOBSTREAM.iter().enumerate() {
        for (index, known) in nodes.iter().enumerate() {
            let leaves = index << level..(index + 1) << level;
            assert_eq!(tree.subtree_root(leaves).unwrap(), node(known));
        }
    }
    assert_eq!(tree.root(), node(&BLOBSTREAM[3][0]));
    // Leaf seven of eight, as in `testVerifyLeafSevenOfEight`.
    let proof = tree.prove(6).unwrap();
    let beside = [BLOBSTREAM[2][0], BLOBSTREAM[1][2], BLOBSTREAM[0][7]];
    assert_eq!(proof.nodes(), beside.map(|known| node(&known)));
    let verifier: Verifier<'_> = Verifier::new(format, tree.root()).unwrap();
    verifier.leaves(&proof, &leaves[6..7]).unwrap();
}

/// First bytes of SHA-256 of roots on which the Go library, nmt-rs and a C program
/// agree: leaf i has the namespace i / 4 + 1000 and bytes of splitmix64 from seed i.
#[test]
fn roots_of_large_trees() {
    let known = [
        (10, 32, "2ee4aacd6b97"),
        (10, 512, "7532e08be357"),
        (16, 32, "a369f5f2cfc3"),
    ];
    for (log, length, digest) in known {
        let mut leaves = Vec::new();
        for index in 0..1_u64 << log {
            let mut namespace = vec![0; 21];
            namespace.extend((index / 4 + 1000).to_be_bytes());
            let mut rng = crate::support::Rng(index);
            leaves.push((namespace, rng.bytes(length)));
        }
        let tree = crate::support::tree(Format::CELESTIA, &leaves);
        assert_eq!(hex(&sha256::hash(tree.root())[..6]), digest);
    }
}
