//! The functions that are measured, and their sizes.

use crate::lthash::LtHash;
use crate::{blake2b, blake2s, blake3, keccak, sha256, sha512};
use alloc::vec::Vec;
use karat_kit::{Body, Input, Random, Size, Task, Threads, Unit, Work};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// Longest message of all.
const MAX_LEN: u64 = 256 * MIB;

/// Each four times the one before: kernels change between sizes of a few blocks, and above
/// that caches make the steps.
const ONE: &[u64] = &[
    64,
    256,
    KIB,
    4 * KIB,
    16 * KIB,
    64 * KIB,
    256 * KIB,
    MIB,
    4 * MIB,
    16 * MIB,
];
/// 100 bytes are no whole number of any hash's blocks, which can be other code.
const MANY: &[u64] = &[64, 100, KIB, 8 * KIB];

/// Bytes of output that are asked of an extendable function.
const OUTPUT: usize = 2048;

/// Bytes of an LtHash.
const LTHASH: usize = 2048;

/// Bytes of a digest of `N` bytes for each message.
fn digests<const N: usize>(size: Size) -> usize {
    size.items * N
}

/// Random messages of equal length, end to end.
fn messages(random: &mut Random, size: Size) -> Input {
    let bytes = random.bytes(size.items * size.size as usize);
    Input::of_items(bytes, size.items)
}

macro_rules! one {
    ($hash:expr) => {
        |input, out| out.copy_from_slice(&$hash(&input.bytes))
    };
}

/// Messages for which slices are on the stack; more are counted in thousands, where a vector
/// does not matter.
const FEW: usize = 16;

/// Slices of messages that lie end to end. They are made in the timed call, as a caller with
/// such messages would have to.
fn sliced(input: &Input, call: impl FnOnce(&[&[u8]])) {
    let all = input.each_item();
    if input.items <= FEW {
        let mut slices: [&[u8]; FEW] = [&[]; FEW];
        for (slice, message) in slices.iter_mut().zip(all) {
            *slice = message;
        }
        call(&slices[..input.items]);
    } else {
        call(&all.collect::<Vec<_>>());
    }
}

macro_rules! many {
    ($hash_many:expr) => {
        |input, out| {
            sliced(input, |slices| {
                $hash_many(slices, out.as_chunks_mut().0);
            })
        }
    };
}

const fn one(
    name: &'static str,
    title: &'static str,
    kernel: &'static str,
    result: fn(Size) -> usize,
    hash: fn(&Input, &mut [u8]),
) -> Task {
    Task {
        name,
        title,
        kernel,
        peers: name,
        body: Body::Direct(hash),
        input: messages,
        result,
        work: |size| Work::Bytes(size.items as u64 * size.size),
        item: "messages",
        items: &[1],
        unit: Unit::Bytes,
        sizes: ONE,
        most: MAX_LEN,
        threads: Threads::One,
    }
}

const fn many(
    name: &'static str,
    title: &'static str,
    kernel: &'static str,
    result: fn(Size) -> usize,
    hash: fn(&Input, &mut [u8]),
) -> Task {
    Task {
        items: &[16],
        sizes: MANY,
        most: 64 * KIB,
        ..one(name, title, kernel, result, hash)
    }
}

/// The same messages by the thousand, dealt out to threads.
const fn dealt(name: &'static str, title: &'static str, of: Task) -> Task {
    Task {
        name,
        title,
        items: &[4096],
        sizes: &[KIB],
        threads: Threads::Dealt,
        ..of
    }
}

const BLAKE2B_MANY: Task = many(
    "blake2b-many",
    "BLAKE2b of many",
    "blake2b-many",
    digests::<64>,
    many!(blake2b::hash_many::<64>),
);
const BLAKE2S_MANY: Task = many(
    "blake2s-many",
    "BLAKE2s of many",
    "blake2s-many",
    digests::<32>,
    many!(blake2s::hash_many::<32>),
);
const BLAKE3_MANY: Task = many(
    "blake3-many",
    "BLAKE3 of many",
    "blake3",
    digests::<32>,
    many!(blake3::hash_many),
);
const KECCAK_MANY: Task = Task {
    items: &[8, 16],
    ..many(
        "keccak256-many",
        "Keccak-256 of many",
        "keccak-many",
        digests::<32>,
        many!(keccak::keccak256::hash_many),
    )
};
const SHA256_MANY: Task = many(
    "sha256-many",
    "SHA-256 of many",
    "sha256-many",
    digests::<32>,
    many!(sha256::hash_many),
);
const SHA512_MANY: Task = many(
    "sha512-many",
    "SHA-512 of many",
    "sha512-many",
    digests::<64>,
    many!(sha512::hash_many),
);

/// All tasks.
pub(super) static TASKS: &[Task] = &[
    one(
        "blake2b",
        "BLAKE2b",
        "blake2b",
        digests::<64>,
        one!(blake2b::hash::<64>),
    ),
    BLAKE2B_MANY,
    one(
        "blake2s",
        "BLAKE2s",
        "blake2s",
        digests::<32>,
        one!(blake2s::hash::<32>),
    ),
    BLAKE2S_MANY,
    one(
        "blake3",
        "BLAKE3",
        "blake3",
        digests::<32>,
        one!(blake3::hash),
    ),
    BLAKE3_MANY,
    Task {
        sizes: &[64, 256, KIB],
        most: KIB,
        ..one(
            "blake3-block",
            "BLAKE3, one chunk",
            "blake3-block",
            digests::<32>,
            one!(blake3::hash),
        )
    },
    Task {
        work: |_| Work::Bytes(OUTPUT as u64),
        sizes: &[64],
        most: KIB,
        ..one(
            "blake3-xof",
            "BLAKE3, 2048 bytes of output",
            "blake3",
            |_| OUTPUT,
            |input, out| {
                let mut hasher = blake3::Hasher::new();
                hasher.update(&input.bytes).finalize_xof().fill(out);
            },
        )
    },
    one(
        "keccak256",
        "Keccak-256",
        "keccak",
        digests::<32>,
        one!(keccak::keccak256::hash),
    ),
    KECCAK_MANY,
    one(
        "sha3-256",
        "SHA3-256",
        "keccak",
        digests::<32>,
        one!(keccak::sha3_256::hash),
    ),
    one(
        "sha256",
        "SHA-256",
        "sha256",
        digests::<32>,
        one!(sha256::hash),
    ),
    SHA256_MANY,
    one(
        "sha512",
        "SHA-512",
        "sha512",
        digests::<64>,
        one!(sha512::hash),
    ),
    SHA512_MANY,
    Task {
        sizes: &[64, KIB],
        most: 64 * KIB,
        ..one(
            "lthash",
            "LtHash, one element",
            "lthash",
            |_| LTHASH,
            |input, out| {
                out.copy_from_slice(&LtHash::of(&input.bytes).to_bytes());
            },
        )
    },
    Task {
        sizes: &[64, KIB],
        ..many(
            "lthash-many",
            "LtHash, elements added",
            "lthash",
            |_| LTHASH,
            |input, out| {
                sliced(input, |slices| {
                    out.copy_from_slice(&LtHash::new().add_all(slices).to_bytes());
                });
            },
        )
    },
    #[cfg(feature = "rayon")]
    Task {
        sizes: &[256 * KIB, MIB, 4 * MIB, 16 * MIB],
        threads: Threads::Own,
        ..one(
            "blake3-threads",
            "BLAKE3 on all processors",
            "blake3",
            digests::<32>,
            |input, out| {
                let mut hasher = blake3::Hasher::new();
                out.copy_from_slice(&hasher.update_rayon(&input.bytes).finalize());
            },
        )
    },
    dealt(
        "blake2b-many-threads",
        "BLAKE2b, dealt to threads",
        BLAKE2B_MANY,
    ),
    dealt(
        "blake2s-many-threads",
        "BLAKE2s, dealt to threads",
        BLAKE2S_MANY,
    ),
    dealt(
        "blake3-many-threads",
        "BLAKE3, dealt to threads",
        BLAKE3_MANY,
    ),
    dealt(
        "keccak256-many-threads",
        "Keccak-256, dealt to threads",
        KECCAK_MANY,
    ),
    dealt(
        "sha256-many-threads",
        "SHA-256, dealt to threads",
        SHA256_MANY,
    ),
    dealt(
        "sha512-many-threads",
        "SHA-512, dealt to threads",
        SHA512_MANY,
    ),
];
