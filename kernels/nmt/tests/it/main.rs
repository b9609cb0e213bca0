//! Vectors, peers and forged proofs.

mod eds;
mod forged;
mod go;
mod known;
mod peer;
mod refused;
mod support;
mod trees;
