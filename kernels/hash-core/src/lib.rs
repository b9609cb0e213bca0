//! What the hashes of karat share. Programs use [`ct`] and [`Digest`] through `karat_hash`;
//! the other modules are for karat's own crates, and change without notice.
//!
//! | module | has |
//! |---|---|
//! | [`ct`] | comparison in constant time |
//! | [`Digest`] | a digest in hexadecimal, compared in constant time |
//! | [`lanes`] | many messages through a kernel that hashes a few at once |
//! | [`slices`] | arrays of slices, as assembly reads them |
//! | [`short`] | copies of at most 128 bytes |
//! | [`places`] | the check that there are as many places for digests as messages |
//! | `reader`, `seek` (feature `std`) | a reader's bytes in large pieces; positions in endless output |
//! | `wipe` (feature `zeroize`) | values that are wiped when they are dropped |
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

#[cfg(any(feature = "std", test))]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

pub mod ct;
mod digest;
mod hop;
pub mod lanes;
pub mod places;
#[cfg(feature = "std")]
pub mod reader;
#[cfg(feature = "std")]
pub mod seek;
#[cfg(feature = "serde")]
mod serde;
pub mod short;
pub mod slices;
#[cfg(feature = "zeroize")]
pub mod wipe;

pub use digest::{Digest, ParseError};
