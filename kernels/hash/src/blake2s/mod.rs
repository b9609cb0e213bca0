//! DOC

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod kernel;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
#[cfg(target_arch = "x86_64")]
mod rows;
#[cfg(target_arch = "x86_64")]
mod scalar;

use crate::blake2;
pub use crate::blake2::Blake2s;
pub use kernel::{KERNEL, KERNEL_MANY};

/// See [`blake2::Params`].
pub type Params<const N: usize> = blake2::Params<Blake2s, N>;
/// See [`blake2::Hasher`].
pub type Hasher<const N: usize> = blake2::Hasher<Blake2s, N>;

/// The digest of `input`.
#[must_use]
#[inline]
pub fn hash<const N: usize>(input: &[u8]) -> [u8; N] {
    blake2::hash::<Blake2s, N>(input)
}

/// The digest of `input` at a length known at run time: that of `out`.
pub fn hash_into(input: &[u8], out: &mut [u8]) {
    blake2::hash_into::<Blake2s>(input, out);
}

/// The digests of many messages.
pub fn hash_many<const N: usize>(messages: &[&[u8]], out: &mut [[u8; N]]) {
    Params::new().hash_many(messages, out);
}
/// BLAKE2sp.
pub mod parallel {
    use super::{Blake2s, blake2};

    /// See [`blake2::ParallelHasher`].
    pub type Hasher<const N: usize> = blake2::ParallelHasher<Blake2s, N>;

    /// The digest of `input`.
    #[must_use]
    pub fn hash<const N: usize>(input: &[u8]) -> [u8; N] {
        Hasher::new().update(input).finalize()
    }
}
