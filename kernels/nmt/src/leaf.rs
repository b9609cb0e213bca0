//! Leaves.

use crate::{Error, Format};

/// A leaf: a namespace and data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf<'a> {
    /// Its namespace.
    pub namespace: &'a [u8],
    /// Its data, without the namespace.
    pub data: &'a [u8],
}

impl<'a> Leaf<'a> {
    /// A leaf of these parts.
    #[must_use]
    pub const fn new(namespace: &'a [u8], data: &'a [u8]) -> Self {
        Self { namespace, data }
    }

    /// A leaf whose bytes begin with the namespace, as the Go library takes them.
    ///
    /// # Errors
    /// [`Error::NamespaceLen`] when there are fewer bytes than in a namespace.
    pub fn prefixed(format: Format, bytes: &'a [u8]) -> Result<Self, Error> {
        let (namespace, data) =
            bytes
                .split_at_checked(format.namespace_len())
                .ok_or(Error::NamespaceLen {
                    expected: format.namespace_len(),
                    found: bytes.len(),
                })?;
        Ok(Self { namespace, data })
    }
}
