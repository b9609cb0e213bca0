//! Instructions decoded and counted by width and extension.

pub(crate) mod a64;
pub(crate) mod arch;
pub(crate) mod census;
pub(crate) mod chunks;
pub(crate) mod isa;
pub(crate) mod together;
pub(crate) mod x86;
