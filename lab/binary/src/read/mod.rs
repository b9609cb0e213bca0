//! From bytes to sections, symbols and unwind tables: ELF, Mach-O and PE, linked or not.

pub mod aliases;
mod constants;
pub mod dynamic;
pub mod fdes;
pub mod format;
pub mod function;
pub mod image;
pub mod mach;
pub mod pclntab;
pub mod sections;
pub mod symbols;

pub(crate) mod inflate;
pub(crate) mod owners;
pub(crate) mod pdata;
pub(crate) mod relocate;
