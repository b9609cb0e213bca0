//! The path that heap profiles begin with: the one setting that is no number.

use crate::lock::Lock;
use crate::print::message;
use core::fmt::Write;

/// A path and a process's number fit, and the end of a text of C.
const LONGEST: usize = 4096;

/// What the environment says: text of C, empty if it says nothing.
#[derive(Clone, Copy)]
pub struct Path {
    bytes: [u8; LONGEST],
    length: usize,
}

static PATH: Lock<Path> = Lock::new(Path {
    bytes: [0; LONGEST],
    length: 0,
});

/// Keeps the path that profiles begin with. False: there is none, or it is too long.
pub fn set(path: &[u8]) -> bool {
    if path.is_empty() || path.len() > LONGEST - 16 {
        message(format_args!(
            "KARAT_ALLOC_HEAP_PROFILE has a path of {} bytes, not of 1 to {}; no heap is profiled",
            path.len(),
            LONGEST - 16
        ));
        return false;
    }
    let mut kept = PATH.lock();
    kept.bytes[..path.len()].copy_from_slice(path);
    kept.length = path.len();
    true
}

/// The path.
pub fn get() -> Path {
    *PATH.lock()
}

impl Path {
    /// Its bytes, without the zero behind them.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Its bytes, with zeros behind them.
    pub fn padded(&self) -> &[u8] {
        &self.bytes
    }
}

impl Write for Path {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let end = self.length + text.len();
        let left = self.bytes[..LONGEST - 1].get_mut(self.length..end);
        left.ok_or(core::fmt::Error)?
            .copy_from_slice(text.as_bytes());
        self.length = end;
        Ok(())
    }
}
