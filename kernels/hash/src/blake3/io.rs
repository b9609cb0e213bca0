//! Input from readers and files (feature `std`), on all cores (`rayon`), and
//! without copying (`mmap`).

use super::hasher::Hasher;
use super::output::OutputReader;
use std::io::{self, Read, Seek, SeekFrom, Write};

impl Hasher {
    /// Takes all that `reader` gives.
    ///
    /// # Errors
    /// Those of the reader; what was read before stays taken.
    pub fn update_reader(&mut self, reader: impl Read) -> io::Result<&mut Self> {
        crate::reader::read_all(reader, |bytes| {
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
    /// When the place is before the beginning, or counted from an end that is
    /// nowhere.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::Current(by) => self.position().checked_add_signed(by),
            SeekFrom::End(_) => None,
        };
        let place = place.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                "BLAKE3 output has no end to count from and nothing before byte 0",
            )
        })?;
        self.set_position(place);
        Ok(place)
    }
}

#[cfg(feature = "rayon")]
mod parallel {
    use super::Hasher;
    use crate::blake3::tree::Join;

    /// Halves go to rayon's pool.
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
        /// [`Hasher::update`] on the threads of rayon's current pool. Worth it
        /// from about 128 KiB in one piece on; smaller pieces stay on this thread.
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

    /// Smaller files are read: mapping and unmapping costs more than copying.
    const WORTH_MAPPING: u64 = 16 * 1024;

    impl Hasher {
        /// Takes a file, mapped into memory if it is a regular one and not small,
        /// else read. The file must not be changed meanwhile.
        ///
        /// # Errors
        /// When it cannot be opened or read.
        pub fn update_mmap(&mut self, path: impl AsRef<Path>) -> io::Result<&mut Self> {
            let file = File::open(path)?;
            match map(&file)? {
                Some(map) => Ok(self.update(&map)),
                None => self.update_reader(file),
            }
        }

        /// The same on the threads of rayon's current pool.
        ///
        /// # Errors
        /// When it cannot be opened or read.
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
        // SAFETY: the map is read only. A file that somebody else changes or
        // cuts meanwhile gives a wrong hash or SIGBUS, which the documentation
        // of the callers excludes. What cannot be mapped is read.
        Ok(unsafe { memmap2::Mmap::map(file) }.ok())
    }
}
