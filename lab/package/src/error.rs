//! What can stop a package from being read.

/// Why a package cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PackageError {
    /// It would take more than a package may.
    #[error("{what}, more than the limit of {limit}; unpack it and name the files in it")]
    Limit {
        /// What there is too much of.
        what: String,
        /// How much there may be.
        limit: u64,
    },
    /// It contradicts itself or ends too early.
    #[error("the package is damaged in {place}: {reason}")]
    Damaged {
        /// The member or the layer.
        place: String,
        /// What the parser says.
        reason: String,
    },
    /// It is of a kind that is not read.
    #[error("{0}; unpack it and name the files in it")]
    Unsupported(String),
    /// Whoever takes the members cannot go on.
    #[error("cannot keep what is in the package: {0}")]
    Taker(std::io::Error),
}

impl PackageError {
    /// Damage in `place`.
    pub(crate) fn damaged(place: &str, reason: impl ToString) -> Self {
        Self::Damaged {
            place: place.to_owned(),
            reason: reason.to_string(),
        }
    }
}
