//! What is known of registers, stack and variables at each place of a routine: control-flow
//! graphs and a forward analysis of where CPUID's answers go. Leaks and gates both stand on it.
//!
//! Data flows one way, from what [`karat_binary`] read: program ─► sweep ─► graph ─► walk ─►
//! state. Nothing here judges, reads a file or starts a process.

#![forbid(unsafe_code)]

pub mod a64;
pub mod access;
pub mod baseline;
mod blocks;
pub mod calls;
pub mod cells;
pub mod classes;
pub mod code;
pub mod convention;
mod cut;
pub mod distances;
mod entered;
mod extended;
pub mod facts;
pub mod graph;
pub mod guard;
mod jumps;
pub mod nexts;
pub(crate) mod notes;
pub mod operands;
pub mod order;
pub mod program;
pub mod ranges;
pub mod reading;
pub(crate) mod sets;
pub mod spans;
pub mod state;
pub mod sweep;
pub mod walk;

pub(crate) mod accessors;
mod branches;
pub(crate) mod changes;
pub(crate) mod fixed_point;
pub(crate) mod generic;
pub(crate) mod load;
pub(crate) mod load_mach;
pub(crate) mod load_pe;
pub(crate) mod load_pe_start;
pub(crate) mod load_pe_unwind;
mod modules;
pub mod names;
pub mod packed;
pub(crate) mod pages;
pub(crate) mod recent;
pub mod references;
pub mod relocated;
mod tellers;
pub mod terms;
mod threads;
