//! How much memory pages of files take in this process, so that they are given back by that.

use nix::sys::resource::{UsageWho, getrusage};
use std::cell::Cell;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// Bytes of a file that one fault of a page maps, as Linux does it: those around it too.
const AROUND: u64 = 64 << 10;
/// Questions that are answered by faults alone, one after another: where Linux maps a file in large
/// pages one fault maps more.
const BLIND: u32 = 32;

/// What pages of files take more than when it began.
#[derive(Debug)]
pub struct Held {
    /// `/proc/self/statm` (proc(5)), whose third number is how many pages of files are there.
    told: Option<File>,
    /// Bytes of a page.
    page: u64,
    /// Pages of files when it began, and the faults of pages until then.
    before: Cell<(u64, u64)>,
    /// With fewer faults than so many it need not be asked: that takes a microsecond and more,
    /// and to ask for the faults a fifth of it.
    next: Cell<u64>,
    /// Questions that may still be answered so.
    blind: Cell<u32>,
}

impl Default for Held {
    fn default() -> Self {
        Self::new()
    }
}

impl Held {
    /// Begins.
    #[must_use]
    pub fn new() -> Self {
        let held = Self {
            told: File::open("/proc/self/statm").ok(),
            // SAFETY: sysconf(3) with a number that it knows reads what the system said before.
            page: u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096),
            before: Cell::new((0, 0)),
            next: Cell::new(0),
            blind: Cell::new(0),
        };
        held.begin();
        held
    }

    /// Begins anew.
    pub fn begin(&self) {
        self.before.set((self.pages().unwrap_or(0), faults()));
        self.next.set(0);
    }

    /// Whether they take more bytes than so many. What cannot be asked is guessed by faults.
    #[must_use]
    pub fn is_beyond(&self, bytes: u64) -> bool {
        let faults = faults();
        if faults < self.next.get()
            && let Some(left) = self.blind.get().checked_sub(1)
        {
            self.blind.set(left);
            return false;
        }
        self.blind.set(BLIND);
        let (pages, before) = self.before.get();
        let held = match self.pages() {
            Some(now) => now.saturating_sub(pages) * self.page,
            None => faults.saturating_sub(before) * AROUND,
        };
        self.next
            .set(faults + bytes.saturating_sub(held).div_ceil(AROUND));
        held > bytes
    }

    fn pages(&self) -> Option<u64> {
        let mut text = [0; 128];
        let length = self.told.as_ref()?.read_at(&mut text, 0).ok()?;
        let text = std::str::from_utf8(&text[..length]).ok()?;
        text.split(' ').nth(2)?.parse().ok()
    }
}

/// Faults of pages of this process until now.
fn faults() -> u64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF);
    usage.map_or(0, |usage| usage.minor_page_faults() as u64)
}

#[cfg(test)]
mod tests {
    use super::super::Mapped;
    use super::*;

    const LARGE: u64 = 64 << 20;

    /// Whether half of it is held, once it is asked as often as it takes to be sure.
    fn is_half(held: &Held) -> bool {
        (0..=BLIND).any(|_| held.is_beyond(LARGE / 2))
    }

    /// Other tests hold less than that meanwhile.
    #[test]
    fn what_was_read_is_held_until_it_is_let_go() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        File::create(&path).unwrap().set_len(LARGE).unwrap();
        let mapped = Mapped::open(&path).unwrap();
        let read = || assert!(mapped.iter().step_by(4096).all(|byte| *byte == 0));
        let mut held = Held::new();
        if held.told.is_some() {
            assert!(!is_half(&held));
            read();
            assert!(is_half(&held));
            mapped.let_go();
            assert!(!is_half(&held));
            read();
            held.begin();
            assert!(!is_half(&held));
            mapped.let_go();
        }
        // By faults alone, of which there are more.
        held.told = None;
        held.begin();
        read();
        if faults() - held.before.get().1 > LARGE / AROUND / 2 {
            assert!(is_half(&held));
        }
    }
}
