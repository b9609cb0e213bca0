//! BLAKE2s (RFC 7693): words of 32 bits, digests of 1 to 32 bytes, and its
//! parallel form BLAKE2sp.
//!
//! The digest's length is a type parameter, often inferred:
//!
//! ```
//! use karat_blake2::blake2s::{self, Params};
//!
//! let digest: [u8; 32] = blake2s::hash(b"karat");
//!
//! let mut hasher = blake2s::Hasher::<32>::new();
//! hasher.update(b"ka").update(b"rat");
//! assert_eq!(hasher.finalize(), digest);
//!
//! // With a key it is a MAC. `verify` compares in constant time, `==` does not.
//! let params = Params::<16>::new().key(b"secret").personal(b"docs");
//! let mac = params.hash(b"karat");
//! assert!(params.to_hasher().update(b"karat").verify(&mac));
//!
//! // Many messages at once, of equal or different lengths.
//! let mut digests = [[0; 32]; 2];
//! blake2s::hash_many(&[b"karat", b"carat"], &mut digests);
//! assert_eq!(digests[0], digest);
//! ```
//!
//! For a length that is known only at run time, use [`hash_into`]. A length outside of
//! the standard does not compile:
//!
//! ```compile_fail
//! let digest: [u8; 33] = karat_blake2::blake2s::hash(b"karat");
//! ```

mod algorithm;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx512vl;
mod kernel;
#[cfg(all(target_arch = "aarch64", target_endian = "little", not(miri)))]
mod neon;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod rows;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod rows_shifts;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod scalar;

pub use crate::Blake2s;
pub(crate) use kernel::{KERNEL, MANY};

/// Key, salt, tree and other parameters; see [`crate::Params`].
pub type Params<const N: usize> = crate::Params<Blake2s, N>;

/// An incremental hasher; see [`crate::Hasher`].
pub type Hasher<const N: usize> = crate::Hasher<Blake2s, N>;

/// The digest of `input`.
///
/// `N` is 1 to 32; other lengths do not compile. A digest of another length is another
/// hash, not a part of this one.
#[must_use]
#[inline]
pub fn hash<const N: usize>(input: &[u8]) -> [u8; N] {
    crate::hash::<Blake2s, N>(const { &Blake2s::plain(N) }, input)
}

/// The digest of `input`, with the length of `out`, which may be known only at run
/// time.
///
/// # Panics
/// When `out` is empty or longer than 32 bytes.
pub fn hash_into(input: &[u8], out: &mut [u8]) {
    crate::hash_into::<Blake2s>(Blake2s::plain, input, out);
}

/// The digests of many messages of equal or different lengths. From three messages on,
/// it is faster than hashing one by one.
///
/// # Panics
/// When `messages` and `out` differ in length.
pub fn hash_many<const N: usize>(messages: &[&[u8]], out: &mut [[u8; N]]) {
    Params::new().hash_many(messages, out);
}

/// BLAKE2sp (BLAKE2 paper, 2.11), whose eight leaves fill the lanes of vector
/// registers. It is another hash than BLAKE2s. Use it for long messages if both sides
/// can choose it.
///
/// ```
/// use karat_blake2::blake2s::parallel;
///
/// let mut hasher = parallel::Hasher::<32>::new();
/// hasher.update(b"ka").update(b"rat");
/// assert_eq!(hasher.finalize(), parallel::hash(b"karat"));
///
/// let mut keyed = parallel::Hasher::<32>::new_keyed(b"secret");
/// let mac = keyed.update(b"karat").finalize();
/// assert!(keyed.verify(&mac));
/// ```
pub mod parallel {
    use super::Blake2s;

    /// An incremental hasher; see [`crate::ParallelHasher`].
    pub type Hasher<const N: usize> = crate::ParallelHasher<Blake2s, N>;

    /// The digest of `input`; `N` is 1 to 32.
    #[must_use]
    pub fn hash<const N: usize>(input: &[u8]) -> [u8; N] {
        Hasher::new().update(input).finalize()
    }
}
