//! The hashes under test: for one message and for many.

use karat_hash::lthash::LtHash;
use karat_hash::{blake2b, blake2s, blake3, keccak::keccak256, sha256};

/// The digest of one message.
pub type One = fn(&[u8]) -> [u8; 32];
/// The digests of many.
pub type Many = fn(&[&[u8]], &mut [[u8; 32]]);

/// A hash with digests of 32 bytes.
pub struct Algorithm {
    /// Its name.
    pub name: &'static str,
    /// One message.
    pub one: One,
    /// Many messages.
    pub many: Many,
    /// Rounds of 64 KiB that take some 20 ms on a core of 4 GHz: of one message of 64 bytes after
    /// another, one of 64 KiB, 16 of 1 KiB at once, and 64 of 64 bytes at once.
    pub rounds: [u64; 4],
    /// The digest of "abc". Sources: `text` of [`ALGORITHMS`].
    pub abc: &'static str,
}

/// All but LtHash. Digests of "abc": RFC 7693's algorithms by Python's hashlib and, for BLAKE2s,
/// appendix B of the RFC; BLAKE3 by its reference implementation; the example of FIPS 180-4; and
/// for Keccak-256 the tests of go-ethereum (`crypto/crypto_test.go`).
pub const ALGORITHMS: [Algorithm; 5] = [
    Algorithm {
        name: "blake2b",
        one: blake2b::hash,
        many: blake2b::hash_many,
        rounds: [180, 400, 1300, 600],
        abc: "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319",
    },
    Algorithm {
        name: "blake2s",
        one: blake2s::hash,
        many: blake2s::hash_many,
        rounds: [220, 260, 1200, 900],
        abc: "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982",
    },
    Algorithm {
        name: "blake3",
        one: blake3::hash,
        many: blake3::hash_many,
        rounds: [270, 1900, 1700, 1700],
        abc: "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
    },
    Algorithm {
        name: "keccak",
        one: keccak256::hash,
        many: keccak256::hash_many,
        rounds: [90, 190, 1000, 600],
        abc: "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
    },
    Algorithm {
        name: "sha256",
        one: sha256::hash,
        many: sha256::hash_many,
        rounds: [250, 500, 1200, 1000],
        abc: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    },
];

/// The lattice hash of many elements; its checksum stands for it.
pub fn lattice(elements: &[&[u8]]) -> LtHash {
    let mut set = LtHash::new();
    set.add_all(elements);
    set
}

/// The same, one element after the other.
pub fn lattice_one_by_one(elements: &[&[u8]]) -> LtHash {
    let mut set = LtHash::new();
    for element in elements {
        set.add(&LtHash::of(element));
    }
    set
}
