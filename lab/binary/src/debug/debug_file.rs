//! Debug information beside the file: what to look for, and whether what was found
//! belongs to it. The search itself is the caller's: nothing here does I/O.

use crate::debug::dwarf::Dwarf;
use crate::error::BinaryError;
use crate::read::format;
use crate::read::image::Image;
use crate::read::sections::{DebugSections, has_debug_info};
use object::{Object, ObjectSection};

/// What a file says of its debug information.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DebugWanted {
    /// Whether the file itself has compile units. If so, it wants no other file but
    /// those of `dwo`.
    pub has_own: bool,
    /// The build-id (ELF note), or the UUID (Mach-O).
    pub build_id: Option<Vec<u8>>,
    /// File name and CRC-32 of the file that `.gnu_debuglink` names.
    pub debuglink: Option<(String, u32)>,
    /// Files of split debug information. A `.dwp` file beside the binary, of its
    /// name with `.dwp` behind it, stands for all of them.
    pub dwo: Vec<DwoWanted>,
}

/// A `.dwo` file that compile units are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DwoWanted {
    /// The identity that unit and file share.
    pub id: u64,
    /// Where the compiler put it: an absolute path of the machine it ran on.
    pub path: String,
}

impl DebugWanted {
    /// The place below `/usr/lib/debug/.build-id` (or another debug directory's)
    /// where the debug file of this build-id is: `ab/cdef.debug`.
    pub fn build_id_path(&self) -> Option<String> {
        let (first, rest) = self.build_id.as_ref()?.split_first()?;
        let rest: String = rest.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(format!("{first:02x}/{rest}.debug"))
    }
}

/// What debug information a file asks for. Give a separate debug file itself to
/// learn which `.dwo` files its units ask for.
///
/// # Errors
/// As [`Image::parse`]; a fat file or an archive asks for nothing.
pub fn wanted(bytes: &[u8]) -> Result<DebugWanted, BinaryError> {
    if crate::read::format::is_container(bytes) {
        return Ok(DebugWanted::default());
    }
    let image = Image::parse_at(bytes, crate::read::image::FIRST_ADDRESS)?;
    let link = image.file.gnu_debuglink().ok().flatten();
    // Units whose entries are elsewhere share a table of addresses; without one their
    // root entries need not be read.
    let is_split = [".debug_addr", ".zdebug_addr"]
        .iter()
        .any(|name| image.file.section_by_name(name).is_some());
    let dwo = match is_split {
        true => Dwarf::read(&DebugSections::read(&image, &[])?)?.split_files(),
        false => Vec::new(),
    };
    Ok(DebugWanted {
        has_own: has_debug_info(&image.file),
        build_id: identity(&image.file),
        debuglink: link.map(|(name, crc)| (String::from_utf8_lossy(name).into_owned(), crc)),
        dwo: dwo
            .into_iter()
            .map(|(id, path)| DwoWanted { id, path })
            .collect(),
    })
}

/// Whether a debug file is the one that a binary was made with, as far as there is
/// anything to tell it by.
///
/// # Errors
/// [`BinaryError::Mismatch`] if it is another's; as [`Image::parse`] if either cannot be
/// read.
pub fn belongs(bytes: &[u8], debug: &[u8]) -> Result<(), BinaryError> {
    let mut image = Image::parse_at(bytes, crate::read::image::FIRST_ADDRESS)?;
    attach(&mut image, debug)
}

/// Build-id or UUID.
fn identity(file: &object::File<'_>) -> Option<Vec<u8>> {
    let build_id = file.build_id().ok().flatten().map(<[u8]>::to_vec);
    build_id.or_else(|| file.mach_uuid().ok().flatten().map(|uuid| uuid.to_vec()))
}

/// Gives an image its separate debug file, if that is the one it was made with:
/// the same build-id or UUID, or, where the binary has none, the checksum of the
/// debug link.
///
/// # Errors
/// [`BinaryError::Mismatch`] if it is another binary's, [`BinaryError::Malformed`] for a
/// damaged header.
pub fn attach<'a>(image: &mut Image<'a>, bytes: &'a [u8]) -> Result<(), BinaryError> {
    let file = object::File::parse(bytes)
        .map_err(|error| BinaryError::malformed("the header of the debug file", error))?;
    let mismatch = |reason: String| Err(BinaryError::Mismatch { reason });
    let arch = format::Arch::of(file.architecture());
    if file.format() != image.file.format() || arch != Some(image.arch) {
        return mismatch("it is for another machine or of another format".into());
    }
    let hex = |id: &[u8]| id.iter().map(|b| format!("{b:02x}")).collect::<String>();
    match (identity(&image.file), identity(&file)) {
        (Some(mine), Some(theirs)) if mine != theirs => {
            return mismatch(format!(
                "its build-id is {}, the binary's {}",
                hex(&theirs),
                hex(&mine)
            ));
        }
        (Some(_), Some(_)) => {}
        _ => {
            if let Ok(Some((name, expected))) = image.file.gnu_debuglink() {
                let found = crc32(bytes);
                if found != expected {
                    let name = String::from_utf8_lossy(name);
                    return mismatch(format!(
                        "its checksum is {found:08x}, but that of {name} is {expected:08x}"
                    ));
                }
            }
        }
    }
    // A debug file says where sections were; if that differs it is another build's.
    for section in file.sections() {
        let Ok(name) = section.name_bytes() else {
            continue;
        };
        let mine = image.file.section_by_name_bytes(name);
        if let Some(mine) = mine.filter(|mine| mine.address() != 0 && section.address() != 0)
            && mine.address() != section.address()
        {
            let name = String::from_utf8_lossy(name);
            return mismatch(format!("section {name} is at another address"));
        }
    }
    image.size = image.size.saturating_add(bytes.len());
    image.debug = Some(file);
    Ok(())
}

/// The checksum of debug links: CRC-32 of ISO 3309, reflected, as in zlib.
/// Source: GDB manual, "Separate Debug Files".
fn crc32(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xedb8_8320;
    let mut table = [0u32; 256];
    for (byte, entry) in table.iter_mut().enumerate() {
        let mut value = byte as u32;
        for _ in 0..8 {
            value = (value >> 1) ^ ((value & 1) * POLYNOMIAL);
        }
        *entry = value;
    }
    !bytes.iter().fold(!0, |crc, byte| {
        (crc >> 8) ^ table[(crc as u8 ^ byte) as usize]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_zlibs() {
        // The check value of CRC-32/ISO-HDLC.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_build_id_names_its_file() {
        let wanted = DebugWanted {
            build_id: Some(vec![0xab, 0x0c, 0xde]),
            ..Default::default()
        };
        assert_eq!(wanted.build_id_path().unwrap(), "ab/0cde.debug");
        assert_eq!(DebugWanted::default().build_id_path(), None);
    }
}
