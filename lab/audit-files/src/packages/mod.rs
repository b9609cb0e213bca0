//! Packages and folders: which binaries are in them, and how those are linked with each
//! other.
//!
//! [`gather`] turns what a user names into [`Item`]s, files on disk with the names that
//! reports show; what packages hold is unpacked into a temporary folder. [`Siblings`]
//! tells which of them gives a symbol that another imports, [`Alternatives`] which of them
//! are picked among by name.

mod alternatives;
mod binaries;
mod folder;
mod gather;
mod gathered;
mod loads;
mod names;
mod siblings;
mod unpack;

pub use alternatives::Alternatives;
pub use gather::gather;
pub use gathered::{Gathered, Item, Script};
pub use siblings::{Sibling, Siblings};
pub use unpack::unpack_whole;
