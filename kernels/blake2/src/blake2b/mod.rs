//! BLAKE2b (RFC 7693): words of 64 bits, digests of 1 to 64 bytes, and its
//! parallel form BLAKE2bp.
//!
//! The digest's length is a type parameter, often inferred:
//!
//! ```
//! use karat_blake2::blake2b::{self, Params};
//!
//! let digest: [u8; 32] = blake2b::hash(b"karat");
//!
//! let mut hasher = blake2b::Hasher::<32>::new();
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
//! blake2b::hash_many(&[b"karat", b"carat"], &mut digests);
//! assert_eq!(digests[0], digest);
//! ```
//!
//! For a length that is known only at run time, use [`hash_into`]. A length outside of
//! the standard does not compile:
//!
//! ```compile_fail
//! let digest: [u8; 65] = karat_blake2::blake2b::hash(b"karat");
//! ```

mod algorithm;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod avx512;
mod kernel;
#[cfg(all(target_arch = "aarch64", target_endian = "little", not(miri)))]
mod neon;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod rows;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod rows_shifts;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod scalar;

pub use crate::Blake2b;
pub(crate) use kernel::{KERNEL, MANY};

/// Key, salt, tree and other parameters; see [`crate::Params`].
pub type Params<const N: usize> = crate::Params<Blake2b, N>;

/// An incremental hasher; see [`crate::Hasher`].
pub type Hasher<const N: usize> = crate::Hasher<Blake2b, N>;

/// The digest of `input`.
///
/// `N` is 1 to 64; other lengths do not compile. A digest of another length is another
/// hash, not a part of this one.
#[must_use]
#[inline]
pub fn hash<const N: usize>(input: &[u8]) -> [u8; N] {
    crate::hash::<Blake2b, N>(const { &Blake2b::plain(N) }, input)
}

/// The digest of `input`, with the length of `out`, which may be known only at run
/// time.
///
/// # Panics
/// When `out` is empty or longer than 64 bytes.
pub fn hash_into(input: &[u8], out: &mut [u8]) {
    crate::hash_into::<Blake2b>(Blake2b::plain, input, out);
}

/// The digests of many messages of equal or different lengths. From three messages on,
/// it is faster than hashing one by one.
///
/// # Panics
/// When `messages` and `out` differ in length.
pub fn hash_many<const N: usize>(messages: &[&[u8]], out: &mut [[u8; N]]) {
    Params::new().hash_many(messages, out);
}

/// BLAKE2bp (BLAKE2 paper, 2.10), whose four leaves fill the lanes of vector registers.
/// It is another hash than BLAKE2b. Use it for long messages if both sides can choose
/// it.
///
/// ```
/// use karat_blake2::blake2b::parallel;
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
    use super::Blake2b;

    /// An incremental hasher; see [`crate::ParallelHasher`].
    pub type Hasher<const N: usize> = crate::ParallelHasher<Blake2b, N>;

    /// The digest of `input`; `N` is 1 to 64.
    #[must_use]
    pub fn hash<const N: usize>(input: &[u8]) -> [u8; N] {
        Hasher::new().update(input).finalize()
    }
}
