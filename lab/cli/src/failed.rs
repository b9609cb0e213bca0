//! Errors that know the exit code they lead to.

/// An error with the exit code it leads to.
#[derive(Debug)]
pub struct Failed {
    /// The code.
    pub code: u8,
    /// What to tell.
    pub message: String,
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failed {}

/// An error of a given exit code.
pub fn failed(code: u8, message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Failed {
        code,
        message: message.into(),
    })
}
