//! LtHash: the hash of a set, which can be updated element by element.
//!
//! The hash of an element is 1024 words of 16 bits: BLAKE3's extended output of 2048
//! bytes. The hash of a set is the sum of its elements' hashes, word by word modulo
//! 2^16. So the cost to add or remove an element does not depend on the size of the
//! set, and the order of elements does not matter.
//!
//! Sources: Bellare and Micciancio, "A new paradigm for collision-free hashing" (1997);
//! Lewi, Kim, Maykov, Weis, "Securing update propagation with homomorphic hashing"
//! (2019). BLAKE3 as the element's hash is as in Solana's accounts lattice hash
//! (SIMD-0215).
//!
//! ```
//! use karat_blake3::lthash::LtHash;
//!
//! let mut set = LtHash::new();
//! set.add_all(&[b"one", b"two"]);
//! set.sub(&LtHash::of(b"one"));
//! assert_eq!(set, LtHash::of(b"two"));
//! ```

mod kernel;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod output256;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod output512;
mod portable;
mod roots;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod short;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod single;
mod sum;
mod value;
// Assembly: rustfmt would put each token on its own line.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
#[rustfmt::skip]
mod x86;

pub(crate) use kernel::KERNEL;
pub use sum::LtHasher;
pub use value::{LEN, LtHash, WORDS};

/// The words of a hash.
pub(crate) type Words = [u16; WORDS];
