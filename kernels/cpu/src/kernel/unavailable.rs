//! Why an implementation is not available.

use crate::IsaSet;
use core::fmt;

/// Why an implementation is not available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable {
    pub(super) kernel: &'static str,
    /// Name and missing ISAs, if the implementation exists.
    pub(super) known: Option<(&'static str, IsaSet)>,
}

impl Unavailable {
    /// The ISAs that the CPU lacks. Empty if there is no such implementation.
    #[must_use]
    pub fn missing(&self) -> IsaSet {
        self.known.map_or(IsaSet::EMPTY, |(_, missing)| missing)
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, .. } = self;
        match self.known {
            Some((name, missing)) => write!(
                f,
                "kernel {kernel}: this CPU cannot run `{name}`, it lacks {missing}"
            ),
            None => write!(
                f,
                "kernel {kernel} has no such implementation; `karat kernels list` shows all"
            ),
        }
    }
}

impl core::error::Error for Unavailable {}
