//! LtHash: a hash of a set that is updated element by element.
//!
//! The hash of an element is 1024 words of 16 bits, BLAKE3's extended output of
//! 2048 bytes; that of a set is the sum of its elements' hashes, word by word
//! modulo 2^16. So adding and removing an element costs the same however large
//! the set is, and order does not matter. Sources: Bellare and Micciancio, "A new
//! paradigm for collision-free hashing" (1997); Lewi, Kim, Maykov, Weis,
//! "Securing update propagation with homomorphic hashing" (2019); BLAKE3 as the
//! element's hash as in Solana's accounts lattice hash (SIMD-0215).
//!
//! ```
//! use karat_hash::lthash::LtHash;
//!
//! let mut set = LtHash::new();
//! set.add_all(&[b"one", b"two"]);
//! set.sub(&LtHash::of(b"one"));
//! assert_eq!(set, LtHash::of(b"two"));
//! ```

mod kernel;
mod portable;
mod roots;
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod short;
mod sum;
// Assembly; rustfmt would put each token on a line.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[rustfmt::skip]
mod x86;

pub use kernel::{Body, KERNEL};
pub use sum::{LEN, LtHash, LtHasher, WORDS};

/// The words of a hash.
pub(crate) type Words = [u16; WORDS];
