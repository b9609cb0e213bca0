//! Text on standard error, without memory.

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
    buffer: [u8; 512],
    length: usize,
}

impl Out {
    pub const fn new() -> Self {
        Self {
            buffer: [0; 512],
            length: 0,
        }
    }

    fn flush(&mut self) {
        let mut rest = &self.buffer[..self.length];
        let errno = crate::sys::errno();
        while !rest.is_empty() {
            // SAFETY: the buffer is readable for that length.
            let written = unsafe {
                libc::write(
                    STANDARD_ERROR.load(Ordering::Relaxed),
                    rest.as_ptr().cast(),
                    rest.len(),
                )
            };
            if written <= 0 {
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
        for &byte in text.as_bytes() {
            if self.length == self.buffer.len() {
                self.flush();
            }
            self.buffer[self.length] = byte;
            self.length += 1;
        }
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
