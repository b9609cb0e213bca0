//! The group by brute force, chiavdf's vectors, and what must be refused.

mod batch;
mod chains;
mod discriminant;
mod forms;
mod group;
mod mutations;
mod prover;
mod support;
mod vectors;
