//! What can stop a file from being read.

/// Why a file cannot be read, or not by this analysis.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BinaryError {
    /// The file is sound as far as is known, but of a kind that is not read.
    #[error(
        "this is {seen}; karat audits programs, libraries, objects and archives of ELF, Mach-O \
         and PE for x86-64 and AArch64"
    )]
    Unsupported {
        /// The kind of file, as its first bytes say.
        seen: String,
    },
    /// The file is read, but not by this analysis.
    #[error("{what} needs {needs}; this is of format {seen}")]
    NotFor {
        /// What was asked for.
        what: &'static str,
        /// The files that it is for.
        needs: &'static str,
        /// Format and machine of the file.
        seen: String,
    },
    /// A file with debug information is not that of the binary.
    #[error("the debug file does not belong to the binary: {reason}")]
    Mismatch {
        /// What differs.
        reason: String,
    },
    /// The file is sound, and there is nothing in it to audit.
    #[error(
        "the file has no code: there is no executable section (a library of data alone, \
         sections stripped, or a debug-only file)"
    )]
    NoCode,
    /// The file contradicts itself or ends too early.
    #[error("the file is damaged in {place}: {reason}")]
    Malformed {
        /// Section, table or offset (in hexadecimal) that could not be read.
        place: String,
        /// What the parser expected or found there.
        reason: String,
    },
}

impl BinaryError {
    /// The same error with the part of the file it is in.
    pub fn inside(self, part: &str) -> Self {
        match self {
            Self::Malformed { place, reason } => Self::Malformed {
                place: format!("{part}, {place}"),
                reason,
            },
            other => other,
        }
    }

    /// Damage in `place`.
    pub fn malformed(place: impl Into<String>, reason: impl ToString) -> Self {
        Self::Malformed {
            place: place.into(),
            reason: reason.to_string(),
        }
    }
}

impl From<gimli::Error> for BinaryError {
    fn from(error: gimli::Error) -> Self {
        Self::malformed("the debug sections", error)
    }
}
