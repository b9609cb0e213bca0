//! Vectors, other crates as oracles, losses of every kind, and differences between
//! implementations.

mod allocations;
mod errors;
mod implementations;
#[cfg(feature = "isal")]
mod isal;
mod locate;
mod losses;
mod peers;
mod places;
mod support;
mod vectors;
