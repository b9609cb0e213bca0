//! New frames of memory for the programs' files, before every round.
//!
//! Which frames hold a file's pages is a draw, and it decides more than one would
//! think: on Zen 5 two lines of code at the same place of two pages cannot stay in
//! the instruction cache together where a hash of their frames' addresses is equal.
//! That is so for one pair of pages of 425, and a loop over both then takes up
//! to 18 times as long (`cargo run --release -p karat-run --example code_frames`).
//! A file keeps its frames as long as it is in the page cache, through all rounds of
//! a run and into the next. Drawn once, they look like a property of the build; drawn
//! anew for every round, like what they are: noise of rounds.

use nix::fcntl::{PosixFadviseAdvice, posix_fadvise};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Files above this keep their frames: to read them again would take longer than
/// many a round, and what is hot in them is a small part.
const LARGEST: u64 = 64 << 20;

/// Memory that is taken while the files are read, so that they do not get the frames
/// back which they have just given: up to this much, by `draw`.
const HELD: u64 = 16 << 20;

/// Has the files read into memory again, each once. What another process has mapped
/// stays where it is, and so do files in memory (tmpfs); a file that cannot be read
/// is left to whoever runs it to complain of.
pub fn redraw<'a>(files: impl Iterator<Item = &'a Path>, draw: u64) {
    let files: BTreeSet<&Path> = files.collect();
    let open: Vec<File> = files.iter().filter_map(|f| dropped(f).ok()).collect();
    let held = vec![1u8; (draw % HELD) as usize];
    let mut buffer = vec![0; 1 << 20];
    for mut file in open {
        while file.read(&mut buffer).is_ok_and(|n| n > 0) {}
    }
    std::hint::black_box(held);
}

/// The file, none of it in the page cache.
fn dropped(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() || meta.len() > LARGEST {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    // Pages that are still to be written would stay.
    file.sync_data()?;
    posix_fadvise(&file, 0, 0, PosixFadviseAdvice::POSIX_FADV_DONTNEED)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapped::Mapped;
    use nix::sys::statfs::{TMPFS_MAGIC, statfs};

    /// How many of a file's pages are in memory, by mincore(2).
    fn resident(path: &Path) -> usize {
        let map = Mapped::open(path).unwrap();
        let mut pages = vec![0u8; map.len().div_ceil(4096)];
        // SAFETY: the range is mapped, and there is a byte for each page of 4 KiB,
        // the smallest that Linux has.
        let done = unsafe { libc::mincore(map.as_ptr() as *mut _, map.len(), pages.as_mut_ptr()) };
        assert_eq!(done, 0, "{}", io::Error::last_os_error());
        pages.iter().filter(|p| **p & 1 == 1).count()
    }

    #[test]
    fn a_file_leaves_memory_and_comes_back_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("program");
        let bytes: Vec<u8> = (0..1u32 << 20).map(|i| (i % 251) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        let pages = bytes.len() / 4096;
        assert_eq!(resident(&path), pages);
        if statfs(dir.path()).unwrap().filesystem_type() == TMPFS_MAGIC {
            eprintln!("SKIPPED: the temporary folder is in memory, whose files cannot leave it");
            return;
        }
        let file = dropped(&path).unwrap();
        assert_eq!(resident(&path), 0);
        drop(file);
        redraw(
            [path.as_path(), Path::new("/no/such/program")].into_iter(),
            4096,
        );
        assert_eq!(resident(&path), pages);
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn what_cannot_or_need_not_be_read_again_is_left() {
        let dir = tempfile::tempdir().unwrap();
        assert!(dropped(dir.path()).is_err());
        let large = dir.path().join("large");
        File::create(&large).unwrap().set_len(LARGEST + 1).unwrap();
        assert!(dropped(&large).is_err());
    }
}
