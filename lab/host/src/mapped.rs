//! Files as memory, so that a large binary is read page by page as it is needed.

use memmap2::Mmap;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// The bytes of a file.
#[derive(Debug)]
pub struct Mapped(Option<Mmap>);

impl Mapped {
    /// Maps a regular file.
    ///
    /// Whoever shortens the file while it is mapped ends karat by SIGBUS (mmap(2));
    /// linkers write a new file, so that this takes intent.
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
        let file = File::open(path)?;
        let meta = file.metadata()?;
        if meta.len() == 0 {
            return Ok(Self(None));
        }
        // SAFETY: the mapping is private and read-only. Another process may still
        // change the file: the bytes are only parsed, by code that holds for any
        // values, and never kept as `str` or any type with invalid values; a file cut
        // short raises SIGBUS, which ends the process without touching memory.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Self(Some(map)))
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_its_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        std::fs::write(&path, b"some bytes").unwrap();
        assert_eq!(&*Mapped::open(&path).unwrap(), b"some bytes");
        std::fs::write(&path, b"").unwrap();
        assert!(Mapped::open(&path).unwrap().is_empty());
        let kind = |p: &Path| Mapped::open(p).unwrap_err().kind();
        assert_eq!(kind(dir.path()), io::ErrorKind::InvalidInput);
        assert_eq!(kind(&dir.path().join("no")), io::ErrorKind::NotFound);
    }
}
