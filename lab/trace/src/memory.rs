//! The memory of a process, code among it.

use crate::machine::HERE;
use crate::sys;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;

/// Memory of one address space. Writes go past protection, as a debugger's must: the
/// page that is written becomes the process's own copy.
pub(crate) struct Memory {
    file: File,
}

impl Memory {
    /// Opens the memory of a task that is being traced. It stays that of the program
    /// which runs now: after an exec it must be opened anew.
    pub(crate) fn open(task: i32) -> io::Result<Self> {
        let path = format!("/proc/{task}/mem");
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        Ok(Self { file })
    }

    pub(crate) fn read(&self, address: u64, into: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(into, address)
    }

    /// Writes `bytes`. Kernels that are told so (`proc_mem.force_override=never`)
    /// refuse to write over code here, and not by ptrace, for which `task` must be
    /// stopped.
    pub(crate) fn write(&self, task: i32, address: u64, bytes: &[u8]) -> io::Result<()> {
        match self.file.write_all_at(bytes, address) {
            Ok(()) => Ok(()),
            Err(_) => self.poke(task, address, bytes),
        }
    }

    /// Puts the bytes of one instruction back, unless the program has overwritten the
    /// breakpoint.
    pub(crate) fn put_back(&self, task: i32, address: u64, original: [u8; 4]) -> io::Result<()> {
        let mut code = [0; 4];
        let code = &mut code[..HERE.trap.len()];
        self.read(address, code)?;
        match HERE.restore(code, 0, original) {
            true => self.write(task, address, code),
            false => Ok(()),
        }
    }

    /// Word by word, only those that change.
    fn poke(&self, task: i32, address: u64, bytes: &[u8]) -> io::Result<()> {
        let from = address & !7;
        let until = (address + bytes.len() as u64).next_multiple_of(8);
        let mut words = vec![0; (until - from) as usize];
        self.read(from, &mut words)?;
        let before = words.clone();
        let skip = (address - from) as usize;
        words[skip..skip + bytes.len()].copy_from_slice(bytes);
        for (at, (new, old)) in words.chunks(8).zip(before.chunks(8)).enumerate() {
            if new != old
                && let Ok(word) = new.try_into()
            {
                sys::poke(task, from + at as u64 * 8, u64::from_ne_bytes(word))?;
            }
        }
        Ok(())
    }
}
