//! Text on standard error or in a file, without memory.

use core::fmt::{Arguments, Write};
use core::sync::atomic::{AtomicI32, Ordering};

/// Where text goes.
static STANDARD_ERROR: AtomicI32 = AtomicI32::new(libc::STDERR_FILENO);

/// Keeps standard error for the end: many programs close it before they exit.
pub fn keep_standard_error() {
    // SAFETY: makes a descriptor that is this process's alone.
    let kept = unsafe { libc::fcntl(libc::STDERR_FILENO, libc::F_DUPFD_CLOEXEC, 64) };
    if kept >= 0 {
        STANDARD_ERROR.store(kept, Ordering::Relaxed);
    }
}

/// Collects some hundred bytes, and writes them with one call if they fit.
pub struct Out {
    file: i32,
    buffer: [u8; 512],
    length: usize,
    failed: Result<(), i32>,
}

impl Out {
    /// To standard error.
    pub fn new() -> Self {
        Self::to(STANDARD_ERROR.load(Ordering::Relaxed))
    }

    /// To an open file.
    pub const fn to(file: i32) -> Self {
        Self {
            file,
            buffer: [0; 512],
            length: 0,
            failed: Ok(()),
        }
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.length == self.buffer.len() {
                self.flush();
            }
            self.buffer[self.length] = byte;
            self.length += 1;
        }
    }

    /// Writes the rest.
    ///
    /// # Errors
    /// The number of the kernel's last error, if something could not be written.
    pub fn finish(mut self) -> Result<(), i32> {
        self.flush();
        self.failed
    }

    fn flush(&mut self) {
        let mut rest = &self.buffer[..self.length];
        let errno = crate::sys::errno();
        while !rest.is_empty() {
            // SAFETY: the buffer is readable for that length.
            let written = unsafe { libc::write(self.file, rest.as_ptr().cast(), rest.len()) };
            if written <= 0 {
                self.failed = Err(crate::sys::errno());
                break;
            }
            rest = &rest[written as usize..];
        }
        crate::sys::set_errno(errno);
        self.length = 0;
    }
}

impl Write for Out {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}

impl Drop for Out {
    fn drop(&mut self) {
        self.flush();
    }
}

/// A line that says who speaks.
pub fn message(text: Arguments<'_>) {
    // An `Out` refuses nothing.
    let _ = writeln!(Out::new(), "karat-alloc: {text}");
}
