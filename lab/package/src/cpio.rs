//! cpio archives with ASCII headers, as RPM holds them.
//!
//! Source: cpio(5), "New ASCII Format": `070701`, thirteen fields of eight hexadecimal
//! digits, the name; name and contents are padded to four bytes. The crates for it build
//! archives or read old binary headers; this is one header and a loop.

use crate::PackageError;
use crate::limits::Meter;
use std::io::{self, Read};

/// The name of the entry behind the last.
const TRAILER: &str = "TRAILER!!!";
/// Longest name: `PATH_MAX` of Linux.
const LONGEST: u64 = 4096;

/// One entry, before its contents.
pub struct Entry {
    pub name: String,
    /// As stat(2) has it.
    pub mode: u32,
    pub size: u64,
}

impl Entry {
    /// The next header, if there is one.
    pub fn read(
        meter: &Meter,
        place: &str,
        from: &mut dyn Read,
    ) -> Result<Option<Self>, PackageError> {
        let mut header = [0; 110];
        let exact = |from: &mut dyn Read, into: &mut [u8]| -> Result<(), PackageError> {
            from.read_exact(into).map_err(|e| meter.why(place, &e))
        };
        exact(from, &mut header)?;
        let field = |nth: usize| {
            let digits = &header[6 + 8 * nth..14 + 8 * nth];
            let digits = std::str::from_utf8(digits).ok();
            digits.and_then(|digits| u32::from_str_radix(digits, 16).ok())
        };
        let (Some(mode), Some(size), Some(length), b"070701" | b"070702") =
            (field(1), field(6), field(11), &header[..6])
        else {
            return Err(PackageError::damaged(place, "no cpio header"));
        };
        let length = u64::from(length);
        if length == 0 || length > LONGEST {
            return Err(PackageError::damaged(place, "a name of impossible length"));
        }
        let mut name = vec![0; length as usize];
        exact(from, &mut name)?;
        skip(from, padding(110 + length)).map_err(|e| meter.why(place, &e))?;
        let name = String::from_utf8_lossy(&name);
        let name = name.trim_end_matches('\0').to_owned();
        let size = u64::from(size);
        Ok((name != TRAILER).then_some(Self { name, mode, size }))
    }
}

/// Bytes that pad `length` to four.
pub fn padding(length: u64) -> u64 {
    length.wrapping_neg() % 4
}

/// Reads over so many bytes.
pub fn skip(from: &mut dyn Read, bytes: u64) -> io::Result<()> {
    let skipped = io::copy(&mut from.take(bytes), &mut io::sink())?;
    match skipped == bytes {
        true => Ok(()),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}
