//! The unwind table of Windows programs: `.pdata`.
//!
//! Every function that has a frame has an entry there, symbols or not.
//! Source: Microsoft, "x64 exception handling" (`RUNTIME_FUNCTION`, 12 bytes) and
//! "ARM64 exception handling" (`.pdata` records, 8 bytes).

use crate::ranges::{AddressRange, Nested};
use crate::read::format::Arch;
use object::pe::IMAGE_DIRECTORY_ENTRY_EXCEPTION;
use object::read::pe::PeFile64;

/// Ranges of the entries, as addresses. Damage costs the entries it is in.
pub fn read(file: &PeFile64<'_>, arch: Arch) -> Vec<Nested<u64>> {
    let sections = file.section_table();
    let base = file
        .nt_headers()
        .optional_header
        .image_base
        .get(object::LittleEndian);
    let table = file
        .data_directory(IMAGE_DIRECTORY_ENTRY_EXCEPTION)
        .and_then(|directory| directory.data(file.data(), &sections).ok())
        .unwrap_or(&[]);
    let word = |bytes: &[u8], at: usize| {
        let word = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(word))
    };
    let range = |entry: &[u8]| {
        let start = word(entry, 0)?;
        let length = match arch {
            Arch::X86_64 => word(entry, 4)?.checked_sub(start)?,
            Arch::Aarch64 => {
                let unwind = word(entry, 4)?;
                // Lengths are in instructions of four bytes. Bits 0-1 are 0 when
                // the word is the address of a record, whose first 18 bits are the
                // length; else the length is in bits 2-12 of the word itself.
                4 * match unwind & 3 {
                    0 => word(sections.pe_data_at(file.data(), unwind)?, 0)? & 0x3_ffff,
                    _ => unwind >> 2 & 0x7ff,
                }
            }
        };
        let start = base.checked_add(u64::from(start))?;
        let end = start.checked_add(u64::from(length))?;
        Some((
            AddressRange {
                start,
                end,
                value: start,
            },
            0,
        ))
    };
    let size = match arch {
        Arch::X86_64 => 12,
        Arch::Aarch64 => 8,
    };
    table.chunks_exact(size).filter_map(range).collect()
}
