//! Input from readers and files (feature `std`), on several threads (feature `rayon`),
//! and by memory mapping (feature `mmap`).

use super::hasher::Hasher;
use super::output::OutputReader;
use std::io::{self, Read, Seek, SeekFrom, Write};

impl Hasher {
    /// Reads `reader` to its end.
    ///
    /// # Errors
    /// Returns the error of the reader. The bytes before the error have been hashed.
    pub fn update_reader(&mut self, reader: impl Read) -> io::Result<&mut Self> {
        karat_hash_core::reader::read_all(reader, |bytes| {
            self.update(bytes);
        })?;
        Ok(self)
    }
}

impl Write for Hasher {
    fn write(&mut self, input: &[u8]) -> io::Result<usize> {
        self.update(input);
        Ok(input.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for OutputReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.fill(out);
        Ok(out.len())
    }
}

impl Seek for OutputReader {
    /// # Errors
    /// When the new position is before the beginning, or is relative to the end: the
    /// output has no end.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = karat_hash_core::seek::position(self.position(), to)?;
        self.set_position(position);
        Ok(position)
    }
}

#[cfg(feature = "rayon")]
mod parallel {
    use super::Hasher;
    use crate::tree::Join;

    /// Sends the two halves to rayon's thread pool.
    enum Rayon {}

    impl Join for Rayon {
        const PARALLEL: bool = true;

        fn join<L, R>(left: L, right: R) -> (usize, usize)
        where
            L: FnOnce() -> usize + Send,
            R: FnOnce() -> usize + Send,
        {
            rayon::join(left, right)
        }
    }

    impl Hasher {
        /// The same as [`Hasher::update`], on the threads of rayon's current pool. It
        /// pays off for pieces of about 128 KiB or more. Smaller pieces stay on the
        /// calling thread.
        pub fn update_rayon(&mut self, input: &[u8]) -> &mut Self {
            self.update_with::<Rayon>(input)
        }
    }
}

#[cfg(feature = "mmap")]
mod mapped {
    use super::Hasher;
    use std::fs::File;
    use std::io;
    use std::path::Path;

    /// Smaller files are read, because mapping and unmapping them costs more than a
    /// copy.
    const WORTH_MAPPING: u64 = 16 * 1024;

    impl Hasher {
        /// Hashes a file. A regular file that is not small is mapped into memory; any
        /// other file is read. The file must not change meanwhile.
        ///
        /// # Errors
        /// When the file cannot be opened or read.
        pub fn update_mmap(&mut self, path: impl AsRef<Path>) -> io::Result<&mut Self> {
            let file = File::open(path)?;
            match map(&file)? {
                Some(map) => Ok(self.update(&map)),
                None => self.update_reader(file),
            }
        }

        /// The same as [`Hasher::update_mmap`], on the threads of rayon's current pool.
        ///
        /// # Errors
        /// When the file cannot be opened or read.
        #[cfg(feature = "rayon")]
        pub fn update_mmap_rayon(&mut self, path: impl AsRef<Path>) -> io::Result<&mut Self> {
            let file = File::open(path)?;
            match map(&file)? {
                Some(map) => Ok(self.update_rayon(&map)),
                None => self.update_reader(file),
            }
        }
    }

    fn map(file: &File) -> io::Result<Option<memmap2::Mmap>> {
        let about = file.metadata()?;
        if !about.is_file() || about.len() < WORTH_MAPPING {
            return Ok(None);
        }
        // SAFETY: the map is read only. If somebody changes or shortens the file
        // meanwhile, the hash is wrong or the process gets SIGBUS. The documentation of
        // the public callers forbids that. A file that cannot be mapped is read
        // instead.
        Ok(unsafe { memmap2::Mmap::map(file) }.ok())
    }
}
