//! HMAC (RFC 2104, FIPS 198-1), HKDF (RFC 5869) and PBKDF2 (RFC 8018) over SHA-2, SHA-3 and
//! BLAKE2.
//!
//! | module | has |
//! |---|---|
//! | [`hmac`] | message authentication codes, of one message or many |
//! | [`hkdf`] | keys from a secret with much entropy |
//! | [`pbkdf2`] | keys from passwords, one or many at once |
//!
//! The hash is a type: [`Sha256`], [`Sha512`] and others.
//!
//! ```
//! use karat_mac::{Sha256, hmac};
//!
//! let key = hmac::Key::<Sha256>::new(b"a secret key");
//! let mac = key.mac(b"a message");
//! assert!(key.verify(b"a message", &mac));
//!
//! let mut hasher = key.to_hasher();
//! hasher.update(b"a mess").update(b"age");
//! assert!(hasher.verify(&mac));
//! ```
//!
//! It is a crate of its own, because who needs a MAC over SHA-2 needs none of karat's
//! other hashes. It has no kernels: its lanes are those of `sha256-many` and
//! `sha512-many`.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

#[cfg(feature = "std")]
extern crate std;

mod algorithm;
mod group;
pub mod hkdf;
pub mod hmac;
pub mod pbkdf2;
mod sha2;
mod streamed;

pub use algorithm::Algorithm;
pub use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_256};
pub use streamed::{Blake2b, Blake2s, Sha3_224, Sha3_256, Sha3_384, Sha3_512};

/// The examples of the README compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
