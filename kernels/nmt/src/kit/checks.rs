//! The functions that are checked.

use crate::eds::{Leopard, Square};
use crate::{Builder, Format, Leaf, Tree};
use alloc::format;
use alloc::vec::Vec;
use karat_kit::{Answer, Check, Input, Random};

/// Numbers of leaves: around those that are hashed at once, and around powers of two.
const COUNTS: [usize; 20] = [
    0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 33, 63, 64, 65, 127, 128, 129, 255, 257, 300,
];

/// Lengths of data at which the number of blocks changes.
const LENGTHS: [usize; 9] = [0, 1, 25, 26, 32, 33, 34, 98, 512];

/// Bytes of the shares of squares.
const SHARE: usize = 64;

pub(super) static CHECKS: &[Check] = &[
    Check {
        kernel: "nmt",
        name: "root of a namespaced Merkle tree",
        inputs: trees,
        run: roots,
        describe: |input, _| format!("{} leaves", input.items),
        known: || alloc::vec![blobstream()],
    },
    Check {
        kernel: "nmt",
        name: "data root of an extended square",
        inputs: |random| [1, 2, 4, 8, 16].map(|k| square(random, k)).to_vec(),
        run: |input| alloc::vec![data_root(input)],
        describe: |input, _| format!("{} shares", input.items),
        known: || alloc::vec![typical()],
    },
];

/// Random leaves. The bytes are leaves with their namespaces, the numbers their lengths.
fn trees(random: &mut Random) -> Vec<Input> {
    let mut inputs = Vec::new();
    for count in COUNTS {
        let same = LENGTHS[random.below(LENGTHS.len())];
        inputs.push(tree(random, &alloc::vec![same; count]));
        let lengths: Vec<usize> = (0..count)
            .map(|_| LENGTHS[random.below(LENGTHS.len())])
            .collect();
        inputs.push(tree(random, &lengths));
    }
    inputs
}

fn tree(random: &mut Random, lengths: &[usize]) -> Input {
    let size = Format::CELESTIA.namespace_len();
    let mut input = Input::of_items(Vec::new(), lengths.len());
    let mut last = 0_u16;
    for (index, length) in lengths.iter().enumerate() {
        last += random.below(2) as u16;
        let mut namespace = alloc::vec![0; size];
        namespace[size - 2..].copy_from_slice(&last.to_be_bytes());
        if index > lengths.len() - lengths.len() / 4 {
            namespace.fill(0xff);
        }
        input.bytes.extend(namespace);
        input.bytes.extend(random.bytes(*length));
        input.numbers.push((size + length) as u64);
    }
    input
}

/// The root by every way that there is to build a tree: all the same.
fn roots(input: &Input) -> Vec<Vec<u8>> {
    let mut rest = &input.bytes[..];
    let leaves: Vec<Leaf<'_>> = (input.numbers.iter())
        .map(|length| {
            let (leaf, others) = rest.split_at(*length as usize);
            rest = others;
            Leaf::prefixed(Format::CELESTIA, leaf).expect("leaves begin with a namespace")
        })
        .collect();
    let in_order = "namespaces ascend";
    let batch: Tree = Tree::of(Format::CELESTIA, &leaves).expect(in_order);
    let mut streaming: Builder = Builder::new(Format::CELESTIA);
    for leaf in &leaves {
        streaming.push(leaf.namespace, leaf.data).expect(in_order);
    }
    alloc::vec![
        batch.root().to_vec(),
        streaming.root().to_vec(),
        #[cfg(feature = "rayon")]
        Tree::<crate::Sha256>::of_parallel(Format::CELESTIA, &leaves)
            .expect(in_order)
            .root()
            .to_vec(),
    ]
}

/// Ways in [`roots`].
const WAYS: usize = if cfg!(feature = "rayon") { 3 } else { 2 };

/// The tree of celestiaorg/blobstream-contracts,
/// src/lib/tree/namespace/test/NamespaceMerkleTree.t.sol (Apache-2.0).
fn blobstream() -> Answer {
    let namespace = |last: u8| {
        let mut namespace = [if last == 0xff { 0xff } else { 0 }; 29];
        namespace[28] = last;
        namespace
    };
    let mut input = Input::of_items(Vec::new(), 8);
    let namespaces = [0x10, 0x20, 0x30, 0x40, 0xff, 0xff, 0xff, 0xff];
    for (last, data) in namespaces.into_iter().zip(1..) {
        input.bytes.extend(namespace(last));
        input.bytes.push(data);
        input.numbers.push(30);
    }
    let digest = b"\x34\xe6\x54\x13\x06\xdc\x4e\x57\xa5\xa2\xa9\xef\x57\xa4\x6d\x57\
        \x05\xed\x09\xef\xb8\xc6\xa0\x25\x80\xd3\xa9\x72\x92\x2b\x68\x62";
    let root = [&namespace(0x10)[..], &namespace(0x40), digest].concat();
    Answer {
        input,
        results: alloc::vec![root; WAYS],
    }
}

/// Random shares of k · k under one namespace.
fn square(random: &mut Random, k: usize) -> Input {
    let mut bytes = random.bytes(k * k * SHARE);
    for share in bytes.chunks_exact_mut(SHARE) {
        share[..29].fill(7);
    }
    Input::of_items(bytes, k * k)
}

fn data_root(input: &Input) -> Vec<u8> {
    let k = input.items.isqrt();
    let fits = "sides are powers of two, and shares are alike";
    let mut code = Leopard::new(k).expect(fits);
    let square = Square::extend(&input.bytes, k, &mut code).expect(fits);
    square.roots().expect(fits).data_root().to_vec()
}

/// celestiaorg/celestia-app, pkg/da/data_availability_header_test.go (Apache-2.0).
fn typical() -> Answer {
    let share = [&[0; 19][..], &[1; 10], &[0xff; 483]].concat();
    let root = b"\xb5\x6e\x4d\x25\x1a\xc2\x66\xf4\xb9\x1c\xc5\x46\x4b\x3f\xc7\xef\
        \xcb\xdc\x88\x80\x64\x64\x74\x96\xd1\x31\x33\xf0\xdc\x65\xac\x25";
    Answer {
        input: Input::of_items(share.repeat(4), 4),
        results: alloc::vec![root.to_vec()],
    }
}
