//! The functions that are measured, and their sizes.

use crate::eds::{Leopard, Partial, Roots, Square, SquareError};
use crate::slots::{AT_ONCE, Slots};
use crate::{Builder, Format, Leaf};
use alloc::boxed::Box;
use alloc::vec::Vec;
use karat_kit::{Body, Call, Input, Random, Size, Task, Threads, Unit, Work};

/// Bytes of a namespace and of a root.
const NAMESPACE: usize = Format::CELESTIA.namespace_len();
const ROOT: usize = Format::CELESTIA.node_len::<crate::Sha256>();

/// Leaves with their namespaces in front, end to end: four leaves a namespace, and
/// `size` bytes of data each.
fn leaves(random: &mut Random, size: Size) -> Input {
    let length = NAMESPACE + size.size as usize;
    let mut bytes = random.bytes(size.items * length);
    for (index, leaf) in bytes.chunks_exact_mut(length).enumerate() {
        let number = (index as u64 / 4 + 1000).to_be_bytes();
        leaf[..NAMESPACE].fill(0);
        leaf[NAMESPACE - number.len()..NAMESPACE].copy_from_slice(&number);
    }
    Input::of_items(bytes, size.items)
}

/// Leaves, and a builder that is used again.
struct Root {
    bytes: Vec<u8>,
    length: usize,
    builder: Builder,
    root: Vec<u8>,
}

/// Leaves that are given to the builder at once.
const SOME: usize = 256;

impl Call for Root {
    fn call(&mut self) {
        self.builder.reset();
        let in_order = "namespaces ascend";
        for bytes in self.bytes.chunks(SOME * self.length) {
            let mut some = [Leaf::new(&[], &[]); SOME];
            let count = bytes.len() / self.length;
            for (leaf, bytes) in some.iter_mut().zip(bytes.chunks_exact(self.length)) {
                *leaf = Leaf::prefixed(Format::CELESTIA, bytes).expect("they are longer");
            }
            self.builder.extend(&some[..count]).expect(in_order);
        }
        self.root.clear();
        self.root.extend_from_slice(self.builder.root());
    }

    fn result(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.root);
    }
}

fn root(input: &Input) -> Box<dyn Call> {
    let mut root = Root {
        bytes: input.bytes.clone(),
        length: input.bytes.len() / input.items.max(1),
        builder: Builder::with_capacity(Format::CELESTIA, input.items),
        root: Vec::new(),
    };
    // Memory is used again in each call that is timed, as by the peers.
    root.call();
    Box::new(root)
}

/// As many messages of a tree's leaves and nodes, with their padding, hashed where they lie
/// in the first cache: what a tree could be at best.
struct HashAlone {
    leaves: Slots<crate::Sha256>,
    nodes: Slots<crate::Sha256>,
    count: usize,
    digest: [u8; 32],
}

impl Call for HashAlone {
    fn call(&mut self) {
        for (slots, count) in [
            (&mut self.leaves, self.count),
            (&mut self.nodes, self.count.saturating_sub(1)),
        ] {
            let mut left = count;
            while left > 0 {
                let now = left.min(AT_ONCE);
                self.digest.copy_from_slice(&slots.hash(now)[..32]);
                left -= now;
            }
        }
    }

    fn result(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.digest);
    }
}

fn hash_alone(input: &Input) -> Box<dyn Call> {
    let length = input.bytes.len() / input.items.max(1);
    let (mut leaves, mut nodes) = (Slots::new(), Slots::new());
    leaves.fit(1 + length, AT_ONCE);
    nodes.fit(1 + 2 * ROOT, AT_ONCE);
    Box::new(HashAlone {
        leaves,
        nodes,
        count: input.items,
        digest: [0; 32],
    })
}

/// A square whose memory is used again.
struct Extension {
    shares: Vec<u8>,
    square: Square,
    code: Leopard,
    root: [u8; 32],
}

/// Why no call fails.
const FITS: &str = "sides are powers of two, and shares are alike";

impl Call for Extension {
    fn call(&mut self) {
        let k = self.square.k();
        let roots = (self.square).extend_with_roots(&self.shares, k, &mut self.code);
        self.root = roots.expect(FITS).data_root();
    }

    fn result(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.root);
    }
}

fn extension(input: &Input) -> Box<dyn Call> {
    let k = input.items.isqrt();
    let mut code = Leopard::new(k).expect(FITS);
    Box::new(Extension {
        square: Square::extend(&input.bytes, k, &mut code).expect(FITS),
        shares: input.bytes.clone(),
        code,
        root: [0; 32],
    })
}

/// A square of which all but the last quarter is lost, again and again.
struct Repair {
    partial: Partial,
    roots: Roots,
    code: Leopard,
}

impl Call for Repair {
    fn call(&mut self) {
        let side = 2 * self.roots.k();
        for row in 0..side {
            let known = if row < side / 2 { side } else { side / 2 };
            (0..known).for_each(|column| self.partial.lose(row, column));
        }
        let repaired = self.partial.repair_in_place(&self.roots, &mut self.code);
        assert_eq!(repaired, Ok(()));
    }

    fn result(&self, out: &mut [u8]) {
        let fits = "it was repaired";
        let mut code = Leopard::new(self.roots.k()).expect(fits);
        let square = self.partial.clone().repair(&self.roots, &mut code);
        let roots = square.expect(fits).roots().expect(fits);
        out.copy_from_slice(&roots.data_root());
    }
}

fn repair(input: &Input) -> Box<dyn Call> {
    let k = input.items.isqrt();
    let mut code = Leopard::new(k).expect(FITS);
    let square = Square::extend(&input.bytes, k, &mut code).expect(FITS);
    Box::new(Repair {
        partial: square.partial(),
        roots: square.roots().expect(FITS),
        code,
    })
}

/// The roots of an extended square.
struct OfSquare {
    square: Square,
    make: fn(&Square) -> Result<Roots, SquareError>,
    root: [u8; 32],
}

impl Call for OfSquare {
    fn call(&mut self) {
        self.root = (self.make)(&self.square).expect(FITS).data_root();
    }

    fn result(&self, out: &mut [u8]) {
        out.copy_from_slice(&self.root);
    }
}

fn of_square(input: &Input, make: fn(&Square) -> Result<Roots, SquareError>) -> Box<dyn Call> {
    let k = input.items.isqrt();
    let mut code = Leopard::new(k).expect(FITS);
    Box::new(OfSquare {
        square: Square::extend(&input.bytes, k, &mut code).expect(FITS),
        make,
        root: [0; 32],
    })
}

/// Shares of a square, each under a namespace of its own.
fn shares(random: &mut Random, size: Size) -> Input {
    let length = size.size as usize;
    let mut bytes = random.bytes(size.items * length);
    for (index, share) in bytes.chunks_exact_mut(length).enumerate() {
        let number = (index as u64).to_be_bytes();
        share[..NAMESPACE].fill(0);
        share[NAMESPACE - number.len()..NAMESPACE].copy_from_slice(&number);
    }
    Input::of_items(bytes, size.items)
}

const NMT: Task = Task {
    name: "nmt",
    title: "Namespaced Merkle tree",
    kernel: "nmt",
    peers: "nmt",
    body: Body::Prepared(root),
    input: leaves,
    result: |_| ROOT,
    work: |size| Work::Operations(size.items as u64),
    item: "leaves",
    items: &[1 << 2, 1 << 6, 1 << 10, 1 << 16],
    unit: Unit::Bytes,
    sizes: &[32, 512],
    most: 4096,
    threads: Threads::One,
};

/// The original shares are the input, and the data root the result.
const EDS: Task = Task {
    name: "eds",
    title: "Extended data square to its data root",
    peers: "eds",
    input: shares,
    result: |_| 32,
    work: |size| Work::Bytes(size.items as u64 * size.size),
    item: "shares",
    items: &[32 * 32, 128 * 128],
    sizes: &[512],
    ..NMT
};

/// All tasks.
pub(super) static TASKS: &[Task] = &[
    NMT,
    // By itself, because it takes minutes and gigabytes.
    Task {
        name: "nmt-large",
        title: "Namespaced Merkle tree of many leaves",
        items: &[1 << 18, 1 << 20],
        ..NMT
    },
    Task {
        name: "nmt-hash-alone",
        title: "The hashes of such a tree without the tree",
        peers: "nmt-hash-alone",
        body: Body::Prepared(hash_alone),
        result: |_| 32,
        items: &[1 << 10],
        ..NMT
    },
    #[cfg(feature = "rayon")]
    Task {
        name: "nmt-threads",
        title: "Namespaced Merkle tree on all processors",
        peers: "nmt-threads",
        body: Body::Direct(|input, out| {
            let leaf = |bytes| Leaf::prefixed(Format::CELESTIA, bytes);
            let leaves = input.each_item().map(leaf).collect::<Result<Vec<_>, _>>();
            let leaves = leaves.expect("they are longer than a namespace");
            let tree = crate::Tree::<crate::Sha256>::of_parallel(Format::CELESTIA, &leaves);
            out.copy_from_slice(tree.expect("namespaces ascend").root());
        }),
        items: &[1 << 16],
        threads: Threads::Own,
        ..NMT
    },
    Task {
        name: "eds-repair",
        title: "Extended data square from its last quarter, checked against its roots",
        peers: "eds-repair",
        body: Body::Prepared(repair),
        ..EDS
    },
    Task {
        name: "eds-roots",
        title: "Roots of an extended data square",
        peers: "eds-roots",
        body: Body::Prepared(|input| of_square(input, Square::roots)),
        ..EDS
    },
    #[cfg(feature = "rayon")]
    Task {
        name: "eds-roots-threads",
        title: "Roots of an extended data square on all processors",
        peers: "eds-roots-threads",
        body: Body::Prepared(|input| of_square(input, Square::roots_parallel)),
        threads: Threads::Own,
        ..EDS
    },
    Task {
        body: Body::Prepared(extension),
        ..EDS
    },
];
