//! Keccak-f\[1600\] and the hashes made from it.
//!
//! | module | hash | digest | rate | suffix |
//! |---|---|---|---|---|
//! | [`keccak256`], [`keccak512`] | the original Keccak, as Ethereum uses it | 32, 64 bytes | 136, 72 bytes | 0x01 |
//! | [`sha3_224`], [`sha3_256`], [`sha3_384`], [`sha3_512`] | FIPS 202, SHA-3 | 28, 32, 48, 64 | 144, 136, 104, 72 | 0x06 |
//! | [`shake128`], [`shake256`] | FIPS 202, extendable output | any length | 168, 136 | 0x1f |
//! | [`turboshake128`], [`turboshake256`] | RFC 9861, 12 rounds | any length | 168, 136 | 0x1f, or another |
//!
//! Each module has `hash`, a `Hasher` and `hash_many`. Made of them, with a `Hasher`:
//!
//! | module | function |
//! |---|---|
//! | [`cshake128`], [`cshake256`] | NIST SP 800-185: SHAKE with a customisation |
//! | [`kmac128`], [`kmac256`] | NIST SP 800-185: MACs, of fixed length or extendable |
//! | [`kt128`], [`kt256`] | RFC 9861: KangarooTwelve, TurboSHAKE over chunks in lanes |
//!
//! Sources: FIPS 202 (August 2015); Bertoni, Daemen, Peeters, Van Assche, "The Keccak
//! reference" 3.0. The padding of the original Keccak has no suffix bits in front of
//! `10*1`: the byte 0x01.
//!
//! [`sha3`] has the modules of FIPS 202 alone. Digests are plain arrays: `==`
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
mod cshake;
#[cfg(feature = "digest")]
mod digest;
mod encoding;
mod hasher;
mod kangaroo;
mod kernel;
mod kernel_many;
mod kmac;
mod many;
mod output;
mod portable;
pub mod sha3;
mod sponge;
mod state;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2", not(miri)))]
mod x86;
mod xof;

pub use cshake::CShake;
pub use hasher::Hasher;
pub use kangaroo::KangarooTwelve;
use karat_cpu::AnyKernel;
use kernel::KERNEL;
use kernel_many::MANY;
pub use kmac::Kmac;
pub use output::OutputReader;
pub use xof::{Shake, TurboShake, Xof};

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
    ($($(#[$doc:meta])* $module:ident $hasher:ident $rate:literal $($domain:literal)?;)*) => {$(
        $(#[$doc])*
        ///
        /// ```
        #[doc = concat!("use karat_keccak::", stringify!($module), ";")]
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
            pub type Hasher = super::$hasher<$rate $(, $domain)?>;

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
    shake128 Shake 168;
    /// SHAKE256.
    shake256 Shake 136;
    /// TurboSHAKE128 (RFC 9861) with the byte 0x1f, its usual one. [`TurboShake`] takes
    /// others.
    turboshake128 TurboShake 168 0x1f;
    /// TurboSHAKE256 (RFC 9861) with the byte 0x1f, its usual one. [`TurboShake`] takes
    /// others.
    turboshake256 TurboShake 136 0x1f;
}

/// One module for each function that is made of these.
macro_rules! derived {
    ($($(#[$doc:meta])* $module:ident $hasher:ident $rate:literal;)*) => {$(
        $(#[$doc])*
        pub mod $module {
            /// An incremental hasher, for a message in pieces.
            pub type Hasher = super::$hasher<$rate>;

            /// The output, of any length.
            pub type OutputReader = super::OutputReader<$rate>;
        }
    )*};
}

derived! {
    /// cSHAKE128 (NIST SP 800-185).
    ///
    /// ```
    /// use karat_keccak::cshake128;
    ///
    /// let mut hasher = cshake128::Hasher::new(b"Email Signature");
    /// let digest: [u8; 32] = hasher.update(&[0, 1, 2, 3]).finalize();
    /// assert_eq!(digest[..4], [0xc1, 0xc3, 0x69, 0x25]);
    /// ```
    cshake128 CShake 168;
    /// cSHAKE256 (NIST SP 800-185), as [`cshake128`].
    cshake256 CShake 136;
    /// KMAC128 (NIST SP 800-185).
    ///
    /// ```
    /// use karat_keccak::kmac128;
    ///
    /// let mut hasher = kmac128::Hasher::new(b"a key of sixteen", b"");
    /// let mac: [u8; 32] = hasher.update(b"a message").finalize();
    ///
    /// // Compares in constant time. The length of a MAC is the receiver's to know.
    /// let mut received = kmac128::Hasher::new(b"a key of sixteen", b"");
    /// assert!(received.update(b"a message").verify(&mac));
    ///
    /// // KMACXOF128: output of any length.
    /// let mut some = [0; 100];
    /// hasher.finalize_xof().fill(&mut some);
    /// assert_ne!(some[..32], mac);
    /// ```
    kmac128 Kmac 168;
    /// KMAC256 (NIST SP 800-185), as [`kmac128`].
    kmac256 Kmac 136;
    /// KT128, also known as KangarooTwelve (RFC 9861). Chunks of 8 KiB are hashed several
    /// at a time.
    ///
    /// ```
    /// use karat_keccak::kt128;
    ///
    /// let mut hasher = kt128::Hasher::new();
    /// let digest: [u8; 32] = hasher.update(b"a mess").update(b"age").finalize();
    ///
    /// let mut other = [0; 32];
    /// hasher.finalize_xof(b"customisation").fill(&mut other);
    /// assert_ne!(other, digest);
    /// ```
    kt128 KangarooTwelve 168;
    /// KT256 (RFC 9861), as [`kt128`].
    kt256 KangarooTwelve 136;
}

/// All kernels of this crate, for lists, checks and benchmarks.
pub static KERNELS: &[&dyn AnyKernel] = &[&KERNEL, &MANY];

/// The examples of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
