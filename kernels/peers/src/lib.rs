//! What karat's hash kernels are compared with: the fastest implementations of
//! other crates, each called in the fastest way that its public interface has.
//!
//! ```text
//! cargo run --release -p karat --features peers -- kernels bench --peers
//! ```
//!
//! The build needs a C compiler and perl, which write and assemble some peers' code.
//!
//! Most peers choose their code at run time. Those that leave it to the compiler
//! ([`Peer::flags`]) are at their best only when they are built for the CPU at hand:
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
//! | `keccak` | sha3, tiny-keccak, keccak-asm, aws-lc-rs, p3-keccak |
//! | `lthash` | blake3 and a loop |
//! | `sha256` | sha2, ring, aws-lc-rs, p3-sha256 |
//!
//! No peer's code is in this repository; versions are those of `Cargo.lock`.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod blake2b;
mod blake2s;
mod blake3;
mod keccak;
mod lthash;
mod sha256;

/// Hashes messages of equal length that lie end to end: input, how many messages,
/// and room for their digests end to end.
///
/// A peer that wants slices makes them itself, as karat's kernels do.
pub type Body = fn(&[u8], usize, &mut [u8]);

/// One way of another crate to do one task.
#[derive(Clone, Copy, Debug)]
pub struct Peer {
    /// What it does, by the name of karat's task, such as `sha256-many`.
    pub task: &'static str,
    /// Its crate, and how it is called where that is not plain.
    pub name: &'static str,
    /// Whether the compiler's flags choose its code.
    pub flags: Flags,
    /// The function.
    pub body: Body,
}

/// What chooses a peer's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flags {
    /// The CPU, at run time, or nothing: it has one body.
    Independent,
    /// The compiler's flags.
    Compiled,
}

impl Peer {
    /// What a reader must know of this build, or nothing.
    #[must_use]
    pub const fn note(&self) -> &'static str {
        match self.flags {
            Flags::Compiled if !NATIVE => "built without its flags",
            _ => "",
        }
    }
}

/// Whether this build was made for more than the architecture's baseline.
const NATIVE: bool = cfg!(any(target_feature = "avx2", target_feature = "sha3"));

/// All peers of all tasks.
#[must_use]
pub fn peers() -> Vec<Peer> {
    [
        blake2b::PEERS,
        blake2s::PEERS,
        blake3::PEERS,
        keccak::PEERS,
        lthash::PEERS,
        sha256::PEERS,
    ]
    .concat()
}

/// A peer whose code the CPU chooses.
const fn peer(task: &'static str, name: &'static str, body: Body) -> Peer {
    Peer {
        task,
        name,
        flags: Flags::Independent,
        body,
    }
}

/// A peer whose code the compiler's flags choose.
const fn compiled(task: &'static str, name: &'static str, body: Body) -> Peer {
    Peer {
        task,
        name,
        flags: Flags::Compiled,
        body,
    }
}

/// Calls `one` for each message and its place in `out`.
#[inline(always)]
fn each(input: &[u8], messages: usize, out: &mut [u8], one: impl Fn(&[u8], &mut [u8])) {
    let (length, digest) = (input.len() / messages, out.len() / messages);
    for (message, place) in (0..messages).zip(out.chunks_exact_mut(digest)) {
        one(&input[message * length..][..length], place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Peers of one task agree; karat's own agreement with them is for its tests.
    #[test]
    fn peers_of_a_task_agree() {
        let all = peers();
        for first in &all {
            let count = match first.task {
                task if task.ends_with("-many") => 16,
                _ => 1,
            };
            let digest = match first.task {
                "blake2b" | "blake2b-many" => 64,
                "blake3-xof" | "lthash" | "lthash-many" => 2048,
                _ => 32,
            };
            let places = match first.task {
                "lthash-many" => 1,
                _ => count,
            };
            for length in [64, 1024, 3000] {
                let input: Vec<u8> = (0..count * length).map(|i| (i % 241) as u8).collect();
                let digests = |peer: &Peer| {
                    let mut out = vec![0; places * digest];
                    (peer.body)(&input, count, &mut out);
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
