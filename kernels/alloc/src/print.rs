//! Text on standard error, without memory.

use core::fmt::{Arguments, Write};

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
            let written = unsafe { libc::write(2, rest.as_ptr().cast(), rest.len()) };
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
