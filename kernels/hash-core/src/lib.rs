//! What the hashes of karat share. Programs use [`ct`] as `karat_hash::ct`; the other
//! modules are for karat's own crates, and change without notice.
//!
//! | module | has |
//! |---|---|
//! | [`ct`] | comparison in constant time |
//! | [`lanes`] | many messages through a kernel that hashes a few at once |
//! | [`slices`] | arrays of slices, as assembly reads them |
//! | [`short`] | copies of at most 128 bytes |
//! | [`places`] | the check that there are as many places for digests as messages |
//! | `reader` (feature `std`) | a reader's bytes in large pieces |
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

#[cfg(any(feature = "std", test))]
extern crate alloc;

pub mod ct;
pub mod lanes;
pub mod places;
#[cfg(feature = "std")]
pub mod reader;
pub mod short;
pub mod slices;
