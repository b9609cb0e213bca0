//! Vectors, peers and forged proofs.

mod eds;
mod forged;
mod go;
mod known;
mod memory;
mod peer;
mod refused;
mod support;
mod trees;
