//! AArch64 in the same words as x86-64: how a file is read, what code refers to, and graphs of
//! routines. What follows values by x86's instructions does not go there.

pub mod features;
mod graph;
mod read;
mod sweep;

pub(crate) use graph::flow;
pub use karat_binary::a64::decode;
pub(crate) use read::relocation;
pub use read::stubs;
pub use sweep::sweep;
