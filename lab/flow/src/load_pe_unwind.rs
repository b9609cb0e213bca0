//! What unwind records of a Windows program point to that calls nobody.
//!
//! Source: Microsoft, "x64 exception handling"; `ehdata.h` of its run-time library for what
//! C++'s handler is given.

use object::pe;
use object::read::pe::PeFile64;

/// Bytes of a function's entry in the table of them, and of its copy in unwind records.
pub(crate) const ENTRY: u64 = 12;
/// Records with a handler (`UNW_FLAG_EHANDLER`, `UNW_FLAG_UHANDLER`).
const HANDLED: u8 = 3;
/// How the words for C++'s handler begin, in three versions.
const CPP: std::ops::RangeInclusive<u32> = 0x1993_0520..=0x1993_0522;
/// Bytes of an entry of a map: where code begins, and a number.
const STATE: u32 = 8;

/// The 32 bits at a place of some bytes.
pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(u32::from_le_bytes(word))
}

/// Where maps lie that say from which place of a function on which objects are to be
/// destroyed: the first place is where the function begins. Distances from the file's start.
pub(crate) fn maps(file: &PeFile64<'_>) -> Vec<(u32, u32)> {
    let sections = file.section_table();
    let at = |place: u32| sections.pe_data_at(file.data(), place);
    let table = file
        .data_directory(pe::IMAGE_DIRECTORY_ENTRY_EXCEPTION)
        .and_then(|directory| directory.data(file.data(), &sections).ok())
        .unwrap_or(&[]);
    let of = |entry: &[u8]| {
        let record = at(word(entry, 8)?)?;
        let (&flags, &count) = (record.first()?, record.get(2)?);
        (flags >> 3 & HANDLED != 0).then_some(())?;
        // Behind the codes, two bytes each and an even number of them, is the handler.
        let codes = 4 + usize::from(count).next_multiple_of(2) * 2;
        let info = at(word(record, codes + 4)?)?;
        CPP.contains(&word(info, 0)?).then_some(())?;
        let (entries, map) = (word(info, 20)?, word(info, 24)?);
        Some((map, map.checked_add(entries.checked_mul(STATE)?)?))
    };
    table.chunks_exact(ENTRY as usize).filter_map(of).collect()
}
