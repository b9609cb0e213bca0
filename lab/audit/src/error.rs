//! What can stop an audit.

/// Why a file cannot be audited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AuditError {
    /// The file is sound as far as is known, but of a kind that is not read.
    #[error(
        "this is {seen}; karat audits linked ELF x86-64 files (executables and shared libraries)"
    )]
    Unsupported {
        /// The kind of file, as its first bytes say.
        seen: String,
    },
    /// The file contradicts itself or ends too early.
    #[error("the file is damaged in {place}: {reason}")]
    Malformed {
        /// Section, table or offset (in hexadecimal) that could not be read.
        place: String,
        /// What the parser expected or found there.
        reason: String,
    },
}

impl AuditError {
    pub(crate) fn malformed(place: impl Into<String>, reason: impl ToString) -> Self {
        Self::Malformed {
            place: place.into(),
            reason: reason.to_string(),
        }
    }
}
