//! What karat's kernels are compared with: the fastest implementations of other crates, each called in the fastest way that its public interface has.
//!
//! ```text
//! cargo run --release -p karat --features peers -- kernels bench --peers
//! ```
//!
//! The build needs a C compiler and perl, which write and assemble some peers' code.
//!
//! Most peers choose their code at run time. Those that leave it to the compiler (they
//! have a note in a default build) are at their best only when they are built for the CPU at hand:
//!
//! ```text
//! RUSTFLAGS=-Ctarget-cpu=native cargo run --release -p karat --features peers -- \
//!     kernels bench --peers
//! ```
//!
//! Neither build is the best one for every peer, so compare with the faster of the two.
//!
//! | file | peers |
//! |---|---|
//! | `blake2b` | blake2b_simd, RustCrypto's blake2 |
//! | `blake2s` | blake2s_simd, RustCrypto's blake2 |
//! | `blake3` | blake3, p3-blake3 |
//! | `erasure` | reed-solomon-erasure, leopard-codec, reed-solomon-simd |
//! | `keccak` | sha3, tiny-keccak, keccak-asm, aws-lc-rs, p3-keccak |
//! | `lthash` | blake3 and a loop |
//! | `nmt` | nmt-rs |
//! | `sha256` | sha2, ring, aws-lc-rs, p3-sha256 |
//! | `sha512` | sha2, ring, aws-lc-rs |
//!
//! Programs in Go are in `go`, GMP and FLINT in `c`; they speak the protocol of
//! `docs/peer-programs.md`.
//!
//! No peer's code is in this repository; versions are those of `Cargo.lock`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod blake2b;
mod blake2s;
mod blake3;
mod erasure;
mod keccak;
mod lthash;
mod nmt;
mod sha256;
mod sha512;

use karat_kit::{Body, Input, Peer};

/// Whether this build was made for more than the architecture's baseline.
const NATIVE: bool = cfg!(any(target_feature = "avx2", target_feature = "sha3"));

/// All peers of all tasks.
#[must_use]
pub fn peers() -> Vec<Peer> {
    [
        blake2b::PEERS,
        blake2s::PEERS,
        blake3::PEERS,
        erasure::PEERS,
        keccak::PEERS,
        lthash::PEERS,
        nmt::PEERS,
        sha256::PEERS,
        sha512::PEERS,
    ]
    .concat()
}

/// A peer whose code the CPU chooses, or that has one body.
const fn peer(task: &'static str, name: &'static str, hash: Hash) -> Peer {
    Peer {
        task,
        name,
        note: "",
        body: Body::Direct(hash),
    }
}

/// A peer whose code the compiler's flags choose.
const fn compiled(task: &'static str, name: &'static str, hash: Hash) -> Peer {
    Peer {
        note: if NATIVE {
            ""
        } else {
            "built without its flags"
        },
        ..peer(task, name, hash)
    }
}

/// Hashes an input's messages. A peer that wants slices makes them itself, as karat's
/// kernels do.
type Hash = fn(&Input, &mut [u8]);

/// Calls `one` for each message and its place in `out`.
#[inline(always)]
fn each(input: &Input, out: &mut [u8], one: impl Fn(&[u8], &mut [u8])) {
    let digest = out.len() / input.items;
    for (message, place) in input.each_item().zip(out.chunks_exact_mut(digest)) {
        one(message, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Peers of one task agree; karat's own agreement with them is for its tests.
    #[test]
    fn peers_of_a_task_agree() {
        // Those of erasure codes have tests of their own: their input is another.
        let mut all = peers();
        all.retain(|peer| !peer.task.starts_with("rs-"));
        for first in &all {
            let count = match first.task {
                task if task.ends_with("-many") => 16,
                _ => 1,
            };
            let digest = match first.task {
                "blake2b" | "blake2b-many" | "sha512" | "sha512-many" => 64,
                "nmt" => 90,
                "blake3-xof" | "lthash" | "lthash-many" => 2048,
                _ => 32,
            };
            let places = match first.task {
                "lthash-many" => 1,
                _ => count,
            };
            for length in [64, 1024, 3000] {
                let bytes = (0..count * length).map(|i| (i % 241) as u8).collect();
                let input = Input::of_items(bytes, count);
                let digests = |peer: &Peer| {
                    let mut out = vec![0; places * digest];
                    let Body::Direct(hash) = peer.body else {
                        panic!("{} has a form of its own", peer.name);
                    };
                    hash(&input, &mut out);
                    assert!(out.iter().any(|b| *b != 0), "{}", peer.name);
                    out
                };
                let expected = digests(first);
                for other in all.iter().filter(|p| p.task == first.task) {
                    assert_eq!(expected, digests(other), "{} {}", first.task, other.name);
                }
            }
        }
    }

    #[test]
    fn names_are_unique_in_a_task() {
        let all = peers();
        for (i, peer) in all.iter().enumerate() {
            let same = |p: &&Peer| p.task == peer.task && p.name == peer.name;
            assert!(all[..i].iter().find(same).is_none(), "{peer:?}");
        }
    }
}
