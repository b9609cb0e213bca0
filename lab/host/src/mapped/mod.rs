//! Files as memory, so that a large binary is read page by page as it is needed.

mod cut;
mod held;

use cut::Watched;
pub use held::Held;
use memmap2::{Mmap, UncheckedAdvice};
use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

/// The bytes of a file.
#[derive(Debug)]
pub struct Mapped(Bytes);

#[derive(Debug)]
enum Bytes {
    Read(Vec<u8>),
    // The place is given back before the memory is.
    Mapped(Watched, Mmap, File),
}

impl Mapped {
    /// Maps a regular file. What is made shorter meanwhile has zeros from there on, and
    /// [`Mapped::is_whole`] says so.
    ///
    /// # Errors
    /// When it cannot be opened or mapped; of kind `InvalidInput` when it is no regular
    /// file.
    pub fn open(path: &Path) -> io::Result<Self> {
        // To open a pipe would be to wait for its writer.
        if !path.metadata()?.is_file() {
            let what = "not a regular file";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        let mut file = File::open(path)?;
        let meta = file.metadata()?;
        let mut bytes = Vec::new();
        if meta.len() == 0 {
            return Ok(Self(Bytes::Read(bytes)));
        }
        let Some(watched) = Watched::new() else {
            // It is not safe to map what nobody watches.
            file.read_to_end(&mut bytes)?;
            return Ok(Self(Bytes::Read(bytes)));
        };
        // SAFETY: the mapping is private and read-only. Another process may still
        // change the file: the bytes are only parsed, by code that holds for any
        // values, and never kept as `str` or any type with invalid values; where a file is
        // cut short a page of zeros takes its place.
        let map = unsafe { Mmap::map(&file)? };
        watched.watch(&map);
        Ok(Self(Bytes::Mapped(watched, map, file)))
    }

    /// Gives the memory back that holds what was read so far. What is read again comes from
    /// the file again, at the price of a page fault.
    pub fn let_go(&self) {
        self.let_go_but(&[]);
    }

    /// The same of all but these parts of the bytes: what is read again soon. Where such a part
    /// begins or ends within a page, that page goes too.
    pub fn let_go_but(&self, keep: &[&[u8]]) {
        let Bytes::Mapped(_, map, _) = &self.0 else {
            return;
        };
        let base = map.as_ptr().addr();
        let place = |part: &&[u8]| {
            let from = part.as_ptr().addr().checked_sub(base)?;
            let to = from.checked_add(part.len())?;
            (to <= map.len()).then_some((from, to))
        };
        let mut keep: Vec<(usize, usize)> = keep.iter().filter_map(place).collect();
        keep.sort_unstable();
        keep.push((map.len(), map.len()));
        let mut at = 0;
        for (from, to) in keep {
            if at < from {
                // SAFETY: madvise(2), MADV_DONTNEED: the pages of a file that nobody wrote to
                // are mapped anew when they are touched, with what the file has, and those
                // that took the place of what was cut off with zeros, as before.
                let done =
                    unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, at, from - at) };
                // Where it cannot be, it only takes more memory.
                drop(done);
            }
            at = at.max(to);
        }
    }

    /// Whether the file still has all that was there when it was opened: it was not made
    /// shorter meanwhile.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        match &self.0 {
            Bytes::Read(_) => true,
            Bytes::Mapped(watched, map, file) => {
                let length = file.metadata().map_or(0, |meta| meta.len());
                !watched.is_cut() && length >= map.len() as u64
            }
        }
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Bytes::Read(bytes) => bytes,
            Bytes::Mapped(_, map, _) => map,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kilobytes of memory that mappings of a file hold here, as Linux tells (proc(5)).
    fn held_of(path: &Path) -> Option<u64> {
        kilobytes(path, "Rss:")
    }

    fn kilobytes(path: &Path, kind: &str) -> Option<u64> {
        let all = std::fs::read_to_string("/proc/self/smaps").ok()?;
        let mut is_one = false;
        let mut held = 0;
        for line in all.lines() {
            // A mapping begins with its addresses and ends with its file.
            if !line
                .split(' ')
                .next()
                .is_some_and(|word| word.ends_with(':'))
            {
                is_one = line.ends_with(path.to_str()?);
            } else if let Some(rest) = line.strip_prefix(kind).filter(|_| is_one) {
                held += rest.trim().trim_end_matches(" kB").parse::<u64>().ok()?;
            }
        }
        Some(held)
    }

    #[test]
    fn a_file_is_its_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, b"some bytes").unwrap();
        assert_eq!(&*Mapped::open(&path).unwrap(), b"some bytes");
        std::fs::write(&path, b"").unwrap();
        assert!(Mapped::open(&path).unwrap().is_empty());
        std::fs::write(&path, [7; 100_000]).unwrap();
        let mapped = Mapped::open(&path).unwrap();
        let before = mapped[50_000];
        if let Some(held) = held_of(&path) {
            assert!(held > 0, "{held}");
        }
        mapped.let_go();
        if let Some(held) = held_of(&path) {
            assert_eq!(held, 0);
        }
        assert_eq!((before, mapped[50_000], mapped[99_999]), (7, 7, 7));
        let kind = |p: &Path| Mapped::open(p).unwrap_err().kind();
        assert_eq!(kind(dir.path()), io::ErrorKind::InvalidInput);
        assert_eq!(kind(&dir.path().join("no")), io::ErrorKind::NotFound);
    }

    #[test]
    fn parts_of_a_file_are_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, vec![7; 4 << 20]).unwrap();
        let mapped = Mapped::open(&path).unwrap();
        let sum = || mapped.iter().map(|byte| u64::from(*byte)).sum::<u64>();
        let all = sum();
        // Linux may map a file in large pages, and gives back all of one that a part is of.
        let in_large_pages = kilobytes(&path, "FilePmdMapped:");
        let elsewhere = [0; 100];
        let (first, last) = (&mapped[1 << 20..2 << 20], &mapped[3 << 20..(3 << 20) + 100]);
        mapped.let_go_but(&[last, first, &elsewhere]);
        if let Some(held) = held_of(&path) {
            // A page or two more, as the parts are cut.
            let least = if in_large_pages == Some(0) { 1020 } else { 0 };
            assert!((least..1040).contains(&held), "{held}");
        }
        assert_eq!(sum(), all);
    }

    #[test]
    fn a_file_that_is_made_shorter_has_zeros() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, [7; 100_000]).unwrap();
        let mapped = Mapped::open(&path).unwrap();
        let other = Mapped::open(&path).unwrap();
        assert!(mapped.is_whole() && mapped[99_999] == 7);
        let file = File::options().write(true).open(&path).unwrap();
        file.set_len(10).unwrap();
        assert!(!mapped.is_whole());
        assert_eq!((mapped[0], mapped[90_000], mapped[99_999]), (7, 0, 0));
        // It stays known when the file grows again.
        file.set_len(200_000).unwrap();
        assert!(!mapped.is_whole());
        assert!(other.is_whole());
    }

    #[test]
    fn more_files_than_can_be_watched_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, b"some bytes").unwrap();
        let all: Vec<Mapped> = (0..100).map(|_| Mapped::open(&path).unwrap()).collect();
        assert!(all.iter().all(|one| &**one == b"some bytes"));
        let is_read = |one: &&Mapped| matches!(one.0, Bytes::Read(_));
        assert!(all.iter().filter(is_read).count() >= 36);
        drop(all);
        assert!(matches!(Mapped::open(&path).unwrap().0, Bytes::Mapped(..)));
    }
}
