//! How much a package may ask for, and who counts.

use crate::PackageError;
use std::cell::{Cell, RefCell};
use std::io::{self, Read};
use std::rc::Rc;

/// How much a package may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that come out of decoders and archives, at all levels together.
    pub bytes: u64,
    /// Files and folders in all archives.
    pub members: u64,
    /// Archives inside of archives; each compression counts as one.
    pub depth: u32,
    /// Bytes of an archive inside of another that must be in memory to be read.
    pub nested: u64,
}

/// Real packages unpack to less than ten times their size; a small one may be denser.
const DENSITY: u64 = 100;
/// A package of any size may unpack to this.
const ALWAYS: u64 = 1 << 30;
/// None may unpack to more.
const NEVER: u64 = 1 << 34;

impl Limits {
    /// Those for a package of so many bytes: 100 times its size, but at least 1 GiB and at
    /// most 16 GiB; a million members, eight levels, 512 MiB of an archive in another.
    #[must_use]
    pub fn for_size(bytes: u64) -> Self {
        Self {
            bytes: bytes.saturating_mul(DENSITY).clamp(ALWAYS, NEVER),
            members: 1_000_000,
            depth: 8,
            nested: 1 << 29,
        }
    }
}

/// Counts against the limits. A reader can only give an I/O error: the reason is kept
/// here.
#[derive(Clone)]
pub struct Meter {
    limits: Limits,
    bytes: Rc<Cell<u64>>,
    members: Rc<Cell<u64>>,
    broken: Rc<RefCell<Option<PackageError>>>,
}

impl Meter {
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            bytes: Rc::default(),
            members: Rc::default(),
            broken: Rc::default(),
        }
    }

    /// One more member.
    pub fn member(&self) -> Result<(), PackageError> {
        self.members.set(self.members.get() + 1);
        match self.members.get() > self.limits.members {
            true => Err(PackageError::Limit {
                what: "the package has too many members".into(),
                limit: self.limits.members,
            }),
            false => Ok(()),
        }
    }

    /// Whether there may be one more level below `depth`.
    pub fn deeper(&self, depth: u32, place: &str) -> Result<u32, PackageError> {
        match depth >= self.limits.depth {
            true => Err(PackageError::Limit {
                what: format!("{place} lies too deep, archive in archive"),
                limit: u64::from(self.limits.depth),
            }),
            false => Ok(depth + 1),
        }
    }

    /// All bytes of a reader, for formats that are read from their end.
    pub fn all(&self, place: &str, reader: &mut dyn Read) -> Result<Vec<u8>, PackageError> {
        let mut bytes = Vec::new();
        let limit = self.limits.nested;
        let read = reader.take(limit + 1).read_to_end(&mut bytes);
        read.map_err(|error| self.why(place, &error))?;
        match bytes.len() as u64 > limit {
            true => Err(PackageError::Limit {
                what: format!("{place} is an archive of too many bytes inside of another"),
                limit,
            }),
            false => Ok(bytes),
        }
    }

    /// What an error of a metered reader means.
    pub fn why(&self, place: &str, error: &io::Error) -> PackageError {
        let broken = self.broken.borrow_mut().take();
        broken.unwrap_or_else(|| PackageError::damaged(place, error))
    }

    /// Counts what comes out of a reader.
    pub fn count<R: Read>(&self, inner: R) -> Metered<R> {
        Metered {
            inner,
            meter: self.clone(),
        }
    }
}

/// A reader whose bytes are counted.
pub struct Metered<R> {
    inner: R,
    meter: Meter,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into)?;
        let bytes = self.meter.bytes.get() + read as u64;
        self.meter.bytes.set(bytes);
        let limit = self.meter.limits.bytes;
        if bytes > limit {
            let what = "the package unpacks to too many bytes".to_owned();
            *self.meter.broken.borrow_mut() = Some(PackageError::Limit { what, limit });
            return Err(io::Error::other("the limit of unpacked bytes is reached"));
        }
        Ok(read)
    }
}
