//! What functions of libraries do, each file those of one kind. Here: such that are carried out
//! whole or not at all. Where something they read is not known, nothing of what they do is kept,
//! and they are functions that are not known.

mod casts;
pub(crate) mod containers;
mod effects;
pub(crate) mod exits;
mod files;
pub(crate) mod handlers;
pub(crate) mod imports;
mod lengths;
pub(crate) mod once;
pub(crate) mod own;
pub(crate) mod printed;
pub(crate) mod signals;
pub(crate) mod sorting;
pub(crate) mod streams;
pub(crate) mod strings;
pub(crate) mod stubs;
pub(crate) mod texts;
pub(crate) mod threads;
pub(crate) mod thrown;
pub(crate) mod waits;
mod words;

use crate::bits::{Fork, Word};
use crate::machine::{End, Machine, Stop};
use crate::state::State;

/// Why one is not carried out.
pub(crate) enum Gap {
    /// Ways must be told apart first.
    Stop(Stop),
    /// Something it needs is not known.
    Unknown,
}

impl Gap {
    /// What the library itself throws, but by its functions for that, is not followed.
    pub fn throws() -> Self {
        Self::Stop(Stop::End(End::Lost))
    }
}

impl From<Fork> for Gap {
    fn from(fork: Fork) -> Self {
        Self::Stop(fork.into())
    }
}

impl From<Stop> for Gap {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// What a function tells in `rax` and `rdx`.
#[derive(Default)]
pub(crate) struct Told(pub Option<Word>, pub Option<Word>);

impl From<u64> for Told {
    fn from(value: u64) -> Self {
        Self(Some(Word::Known(value)), None)
    }
}

impl Machine<'_> {
    /// Carries out one that is known; none if it is not, or cannot be.
    pub fn library(&mut self, state: &mut State, name: &str) -> Result<Option<Told>, Stop> {
        let is_read = self.sold.is_some() && files::READING.contains(&name);
        let is_sought = words::NAMES.contains(&name);
        let is_printed = name.contains("sprintf") || name.contains("snprintf");
        let known = ["_ZN", "_ZS", "_Zd", "__cxa_allocate", "__cxa_free"];
        if !is_read && !is_sought && !is_printed && !known.iter().any(|part| name.starts_with(part))
        {
            return Ok(None);
        }
        // A way that must part first begins anew: nothing is stored before all is read.
        let mut after = state.clone();
        let told = if is_read {
            self.filed(&mut after, name)
        } else if is_sought {
            self.sought(&mut after, name)
        } else if is_printed {
            self.printed(&mut after, name)
        } else if let Some(member) = crate::library::strings::member(name) {
            self.string_member(&mut after, member)
        } else {
            self.container(&mut after, name)
        };
        match told {
            Ok(told) => {
                *state = after;
                Ok(Some(told))
            }
            Err(Gap::Unknown) => Ok(None),
            Err(Gap::Stop(stop)) => Err(stop),
        }
    }

    /// An argument as a number.
    pub fn number(&self, state: &State, argument: usize) -> Result<u64, Gap> {
        let known = self.given(state, argument).number()?;
        known.ok_or(Gap::Unknown)
    }

    /// An argument as the address of an object.
    pub fn place(&self, state: &State, argument: usize) -> Result<u64, Gap> {
        self.number(state, argument).and_then(within)
    }

    /// Eight bytes of memory as an address or a length.
    pub fn word(&self, state: &State, at: u64) -> Result<u64, Gap> {
        let known = self.load(state, Ok(at), 8).number()?;
        known.ok_or(Gap::Unknown).and_then(within)
    }
}

/// Nothing begins in the last page: members lie behind an address.
fn within(at: u64) -> Result<u64, Gap> {
    (at < u64::MAX - 0x1000).then_some(at).ok_or(Gap::Unknown)
}
