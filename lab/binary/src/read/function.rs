//! One function of a file, or a region of its code that has no name.

use crate::names::may_be_rust;
use crate::read::aliases::Aliases;

/// One function, or one region without a symbol.
pub struct Function<'a> {
    /// Of its first byte.
    pub address: u64,
    /// Mangled names: one for most functions, several when they are aliases (or
    /// were folded), none for a region without a symbol.
    pub names: Aliases<'a>,
    /// A symbol says how long it is.
    pub is_sized: bool,
    /// One of its names may be Rust's. It is asked when a name was read, since later it may be
    /// anywhere in memory.
    pub(crate) may_be_rust: bool,
    /// Where an FDE starts, or [`NO_FDE`]: an `Option` takes eight bytes more, and a file has a
    /// hundred thousand functions.
    fde: u64,
}

/// No entry starts at the last byte.
const NO_FDE: u64 = u64::MAX;

impl<'a> Function<'a> {
    /// One whose symbol says how long it is.
    #[inline(always)]
    pub(super) fn sized(address: u64, name: &'a str) -> Self {
        Self {
            address,
            names: Aliases::one(name),
            is_sized: true,
            may_be_rust: may_be_rust(name),
            fde: NO_FDE,
        }
    }

    /// One, or a region, of which no symbol says how long it is.
    pub(super) fn unsized_at(address: u64, names: Aliases<'a>, fde: Option<u64>) -> Self {
        Self {
            address,
            is_sized: false,
            may_be_rust: names.iter().any(|name| may_be_rust(name)),
            names,
            fde: fde.unwrap_or(NO_FDE),
        }
    }

    /// Where the FDE starts that covers a region without a symbol.
    #[must_use]
    pub fn fde(&self) -> Option<u64> {
        Some(self.fde).filter(|fde| *fde != NO_FDE)
    }
}
