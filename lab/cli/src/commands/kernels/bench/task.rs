//! What is measured: functions of karat-hash, and the sizes at which.

use karat_hash::lthash::LtHash;
use karat_hash::{blake2b, blake2s, blake3, keccak, sha256};

/// Hashes messages of equal length that lie end to end: input, how many messages, room for
/// the digests end to end. Peers are functions of the same type.
pub type Body = fn(&[u8], usize, &mut [u8]);

/// A function that is measured, in all implementations of one kernel.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Its name.
    pub name: &'static str,
    /// The same for people.
    pub title: &'static str,
    /// The kernel whose implementations are compared.
    pub kernel: &'static str,
    /// The name by which peers know it.
    pub peers: &'static str,
    /// The function.
    pub body: Body,
    /// Bytes of a digest.
    pub digest: usize,
    /// What varies.
    pub shape: Shape,
    /// Numbers of messages.
    pub messages: &'static [usize],
    /// Bytes of a message, unless the user says which.
    pub sizes: &'static [u64],
    /// Longest message for which it is meant.
    pub most: u64,
    /// Who uses threads.
    pub threads: Threads,
}

/// What a function's output is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A digest for each message; work is counted by input.
    Digests,
    /// One long output; work is counted by output.
    Output,
    /// One result for all messages.
    Sum,
}

/// Who uses threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Nobody.
    One,
    /// The function itself.
    #[cfg(feature = "peers")]
    Own,
    /// Messages are dealt out to as many threads as there are processors.
    Dealt,
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// Longest message of all.
pub const MOST: u64 = 256 * MIB;

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
const MANY: &[u64] = &[64, KIB, 8 * KIB];

macro_rules! one {
    ($hash:expr) => {
        |input, _, out| out.copy_from_slice(&$hash(input))
    };
}

/// Messages for which slices are on the stack; more are counted in thousands, where a vector
/// does not matter.
const FEW: usize = 16;

/// Slices of messages that lie end to end. They are made in the timed call, as a caller with
/// such messages would have to.
fn sliced(input: &[u8], messages: usize, call: impl FnOnce(&[&[u8]])) {
    let all = input.chunks_exact(input.len() / messages);
    if messages <= FEW {
        let mut slices: [&[u8]; FEW] = [&[]; FEW];
        for (slice, message) in slices.iter_mut().zip(all) {
            *slice = message;
        }
        call(&slices[..messages]);
    } else {
        call(&all.collect::<Vec<_>>());
    }
}

macro_rules! many {
    ($hash_many:expr) => {
        |input, messages, out| {
            sliced(input, messages, |slices| {
                $hash_many(slices, out.as_chunks_mut().0);
            })
        }
    };
}

const fn one(
    name: &'static str,
    title: &'static str,
    kernel: &'static str,
    digest: usize,
    body: Body,
) -> Task {
    Task {
        name,
        title,
        kernel,
        peers: name,
        body,
        digest,
        shape: Shape::Digests,
        messages: &[1],
        sizes: ONE,
        most: MOST,
        threads: Threads::One,
    }
}

const fn many(
    name: &'static str,
    title: &'static str,
    kernel: &'static str,
    digest: usize,
    body: Body,
) -> Task {
    Task {
        messages: &[16],
        sizes: MANY,
        most: 64 * KIB,
        ..one(name, title, kernel, digest, body)
    }
}

/// The same messages by the thousand, dealt out to threads.
const fn dealt(name: &'static str, title: &'static str, of: Task) -> Task {
    Task {
        name,
        title,
        messages: &[4096],
        sizes: &[KIB],
        threads: Threads::Dealt,
        ..of
    }
}

const BLAKE2B_MANY: Task = many(
    "blake2b-many",
    "BLAKE2b of many",
    "blake2b-many",
    64,
    many!(blake2b::hash_many::<64>),
);
const BLAKE2S_MANY: Task = many(
    "blake2s-many",
    "BLAKE2s of many",
    "blake2s-many",
    32,
    many!(blake2s::hash_many::<32>),
);
const BLAKE3_MANY: Task = many(
    "blake3-many",
    "BLAKE3 of many",
    "blake3",
    32,
    many!(blake3::hash_many),
);
const KECCAK_MANY: Task = Task {
    messages: &[8, 16],
    ..many(
        "keccak256-many",
        "Keccak-256 of many",
        "keccak-many",
        32,
        many!(keccak::keccak256::hash_many),
    )
};
const SHA256_MANY: Task = many(
    "sha256-many",
    "SHA-256 of many",
    "sha256-many",
    32,
    many!(sha256::hash_many),
);

/// All tasks.
pub const TASKS: &[Task] = &[
    one(
        "blake2b",
        "BLAKE2b",
        "blake2b",
        64,
        one!(blake2b::hash::<64>),
    ),
    BLAKE2B_MANY,
    one(
        "blake2s",
        "BLAKE2s",
        "blake2s",
        32,
        one!(blake2s::hash::<32>),
    ),
    BLAKE2S_MANY,
    one("blake3", "BLAKE3", "blake3", 32, one!(blake3::hash)),
    BLAKE3_MANY,
    Task {
        sizes: &[64, 256, KIB],
        most: KIB,
        ..one(
            "blake3-block",
            "BLAKE3, one chunk",
            "blake3-block",
            32,
            one!(blake3::hash),
        )
    },
    Task {
        shape: Shape::Output,
        sizes: &[64],
        most: KIB,
        ..one(
            "blake3-xof",
            "BLAKE3, 2048 bytes of output",
            "blake3",
            2048,
            |input, _, out| {
                blake3::Hasher::new().update(input).finalize_xof().fill(out);
            },
        )
    },
    one(
        "keccak256",
        "Keccak-256",
        "keccak",
        32,
        one!(keccak::keccak256::hash),
    ),
    KECCAK_MANY,
    one(
        "sha3-256",
        "SHA3-256",
        "keccak",
        32,
        one!(keccak::sha3_256::hash),
    ),
    one("sha256", "SHA-256", "sha256", 32, one!(sha256::hash)),
    SHA256_MANY,
    Task {
        shape: Shape::Sum,
        sizes: &[64, KIB],
        most: 64 * KIB,
        ..one(
            "lthash",
            "LtHash, one element",
            "lthash",
            2048,
            |input, _, out| {
                out.copy_from_slice(&LtHash::of(input).to_bytes());
            },
        )
    },
    Task {
        shape: Shape::Sum,
        sizes: &[64, KIB],
        ..many(
            "lthash-many",
            "LtHash, elements added",
            "lthash",
            2048,
            |input, messages, out| {
                sliced(input, messages, |slices| {
                    out.copy_from_slice(&LtHash::new().add_all(slices).to_bytes());
                });
            },
        )
    },
    #[cfg(feature = "peers")]
    Task {
        sizes: &[256 * KIB, MIB, 4 * MIB, 16 * MIB],
        threads: Threads::Own,
        ..one(
            "blake3-threads",
            "BLAKE3 on all processors",
            "blake3",
            32,
            |input, _, out| {
                let mut hasher = blake3::Hasher::new();
                out.copy_from_slice(&hasher.update_rayon(input).finalize());
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
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_is_measured_and_nothing_else() {
        let names: Vec<&str> = karat_hash::kernels().iter().map(|k| k.name()).collect();
        for name in &names {
            assert!(TASKS.iter().any(|t| t.kernel == *name), "{name}");
        }
        for task in TASKS {
            assert!(names.contains(&task.kernel), "{}", task.kernel);
            assert!(task.sizes.iter().all(|s| *s <= task.most), "{}", task.name);
        }
    }

    #[test]
    #[cfg(feature = "peers")]
    fn every_peer_has_its_task() {
        for peer in karat_peers::peers() {
            let task = TASKS.iter().find(|t| t.peers == peer.task);
            assert!(task.is_some(), "{peer:?}");
        }
    }
}
