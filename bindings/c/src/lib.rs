//! karat for C: what `include/karat.h` declares.
//!
//! Every function is thread-safe, objects may be used by one thread at a time. Failures are
//! codes ([`karat_status`]), with words in [`karat_message`]; nothing is written to outputs
//! then. No panic crosses the border: it is a code too. Pointers to no bytes may be null.
#![expect(
    non_camel_case_types,
    reason = "the header's types are named as C names types"
)]

mod blake2;
mod blake2_kind;
mod blake2_types;
mod blake3;
mod bytes;
mod erasure;
mod hash;
mod nmt;
mod status;
mod vdf;

pub use blake2::*;
pub use blake2_types::*;
pub use blake3::*;
pub use bytes::*;
pub use erasure::*;
pub use hash::*;
pub use nmt::*;
pub use status::*;
pub use vdf::*;
