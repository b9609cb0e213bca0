//! From bytes to sections, symbols and unwind tables: ELF, Mach-O and PE, archives and files that are not linked.

pub(crate) mod addresses;
pub(crate) mod container;
pub(crate) mod fdes;
pub(crate) mod format;
pub(crate) mod image;
pub(crate) mod inflate;
pub(crate) mod mach;
pub(crate) mod pdata;
pub(crate) mod relocate;
pub(crate) mod sections;
pub(crate) mod symbols;
pub(crate) mod target;
