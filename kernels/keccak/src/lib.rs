//! Keccak-f\[1600\] and the hashes made from it.
//!
//! | module | hash | digest | rate | suffix |
//! |---|---|---|---|---|
//! | [`keccak256`], [`keccak512`] | the original Keccak, as Ethereum uses it | 32, 64 bytes | 136, 72 bytes | 0x01 |
//! | [`sha3_224`], [`sha3_256`], [`sha3_384`], [`sha3_512`] | FIPS 202, SHA-3 | 28, 32, 48, 64 | 144, 136, 104, 72 | 0x06 |
//! | [`shake128`], [`shake256`] | FIPS 202, extendable output | any length | 168, 136 | 0x1f |
//!
//! Each module has `hash`, a `Hasher` and `hash_many`.
//!
//! Sources: FIPS 202 (August 2015); Bertoni, Daemen, Peeters, Van Assche, "The Keccak
//! reference" 3.0. The padding of the original Keccak has no suffix bits in front of
//! `10*1`: the byte 0x01.
//!
//! [`sha3`](crate::sha3) has the modules of FIPS 202 alone. Digests are plain arrays: `==`
//! on them is not constant time. If a message holds a secret, compare with
//! [`ct::eq`](karat_hash_core::ct::eq).
//!
//! ```
//! use karat_keccak::{keccak256, shake128};
//!
//! let digest = keccak256::hash(b"abc");
//! assert_eq!(digest[..4], [0x4e, 0x03, 0x65, 0x7a]);
//!
//! let mut streamed = keccak256::Hasher::new();
//! streamed.update(b"a").update(b"bc");
//! assert_eq!(streamed.finalize(), digest);
//!
//! let mut digests = [[0; 32]; 2];
//! keccak256::hash_many(&[b"abc", b""], &mut digests);
//! assert_eq!(digests[0], digest);
//!
//! let mut bytes = [0; 1000];
//! shake128::Hasher::new().update(b"abc").finalize_xof().fill(&mut bytes);
//! ```
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        target_arch = "aarch64",
        miri,
        test
    )),
    expect(dead_code, reason = "what only vector code uses")
)]
#![warn(missing_docs)]

#[cfg(any(feature = "std", test))]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod body;
mod choices;
#[cfg(feature = "digest")]
mod digest;
mod hasher;
mod kernel;
mod kernel_many;
mod many;
mod portable;
pub mod sha3;
mod shake;
mod sponge;
mod state;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod x86;

pub use hasher::Hasher;
use karat_cpu::AnyKernel;
use kernel::KERNEL;
use kernel_many::MANY;
pub use shake::{OutputReader, Shake};

/// One module for each hash with a digest of fixed length.
macro_rules! fixed {
    ($($(#[$doc:meta])* $module:ident $length:literal $suffix:literal;)*) => {$(
        $(#[$doc])*
        ///
        /// ```
        #[doc = concat!("use karat_keccak::", stringify!($module), ";")]
        ///
        #[doc = concat!("let digest = ", stringify!($module), "::hash(b\"karat\");")]
        #[doc = concat!("let mut hasher = ", stringify!($module), "::Hasher::new();")]
        /// hasher.update(b"ka").update(b"rat");
        /// assert_eq!(hasher.finalize(), digest);
        ///
        #[doc = concat!("let mut digests = [[0; ", stringify!($length), "]; 2];")]
        #[doc = concat!(stringify!($module), "::hash_many(&[b\"karat\", b\"\"], &mut digests);")]
        /// assert_eq!(digests[0], digest);
        /// ```
        pub mod $module {
            /// An incremental hasher, for a message in pieces.
            pub type Hasher = super::Hasher<$length, $suffix>;

            /// The digest of `input`.
            #[must_use]
            pub fn hash(input: &[u8]) -> [u8; $length] {
                Hasher::hash(input)
            }

            /// The digests of many messages of any lengths, several at a time.
            ///
            /// # Panics
            /// When `messages` and `out` differ in length.
            pub fn hash_many(messages: &[&[u8]], out: &mut [[u8; $length]]) {
                Hasher::hash_many(messages, out);
            }
        }
    )*};
}

fixed! {
    /// Keccak-256 with the original padding: Ethereum's hash.
    keccak256 32 0x01;
    /// Keccak-512 with the original padding.
    keccak512 64 0x01;
    /// SHA3-224.
    sha3_224 28 0x06;
    /// SHA3-256.
    sha3_256 32 0x06;
    /// SHA3-384.
    sha3_384 48 0x06;
    /// SHA3-512.
    sha3_512 64 0x06;
}

/// One module for each extendable-output function.
macro_rules! extendable {
    ($($(#[$doc:meta])* $module:ident $rate:literal;)*) => {$(
        $(#[$doc])*
        ///
        /// ```
        #[doc = concat!("use karat_keccak::sha3::", stringify!($module), ";")]
        ///
        #[doc = concat!("let bytes: [u8; 50] = ", stringify!($module), "::hash(b\"karat\");")]
        #[doc = concat!("let mut hasher = ", stringify!($module), "::Hasher::new();")]
        /// hasher.update(b"ka").update(b"rat");
        ///
        /// // From any place on, as much as there is room for.
        /// let mut output = hasher.finalize_xof();
        /// let mut some = [0; 10];
        /// output.set_position(40);
        /// output.fill(&mut some);
        /// assert_eq!(some, bytes[40..]);
        /// ```
        pub mod $module {
            /// An incremental hasher, for a message in pieces.
            pub type Hasher = super::Shake<$rate>;

            /// The output, of any length.
            pub type OutputReader = super::OutputReader<$rate>;

            /// The first `N` bytes of the output for `input`.
            #[must_use]
            pub fn hash<const N: usize>(input: &[u8]) -> [u8; N] {
                Hasher::hash(input)
            }

            /// The first `N` bytes of output for each of many messages of any lengths,
            /// several at a time.
            ///
            /// # Panics
            /// When `messages` and `out` differ in length.
            pub fn hash_many<const N: usize>(messages: &[&[u8]], out: &mut [[u8; N]]) {
                Hasher::hash_many(messages, out);
            }
        }
    )*};
}

extendable! {
    /// SHAKE128.
    shake128 168;
    /// SHAKE256.
    shake256 136;
}

/// All kernels of this crate, for lists, checks and benchmarks.
pub static KERNELS: &[&dyn AnyKernel] = &[&KERNEL, &MANY];

/// The examples of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
