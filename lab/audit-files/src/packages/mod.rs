//! Packages and folders: which binaries are in them, and how those are linked with each
//! other.
//!
//! [`gather`] turns what a user names into [`Item`]s, files on disk with the names that
//! reports show; what packages hold is unpacked into a temporary folder. [`Siblings`]
//! tells which of them gives a symbol that another imports.

mod binaries;
mod folder;
mod gather;
mod siblings;
mod unpack;

pub use gather::{Gathered, Item, gather};
pub use siblings::{Sibling, Siblings};
pub use unpack::unpack_whole;
