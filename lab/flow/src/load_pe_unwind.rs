//! What unwind records of a Windows program point to that calls nobody.
//!
//! Source: Microsoft, "x64 exception handling"; `ehdata.h` of its run-time library for what
//! C++'s handler is given.

use super::program::Program;
use object::pe;
use object::read::pe::PeFile64;
use std::collections::{BTreeMap, HashMap};

/// Bytes of a function's entry in the table of them, and of its copy in unwind records.
pub(crate) const ENTRY: u64 = 12;
/// Records with a handler (`UNW_FLAG_EHANDLER`, `UNW_FLAG_UHANDLER`).
const HANDLED: u8 = 3;
/// How the words for C++'s handler begin, in three versions.
const CPP: std::ops::RangeInclusive<u32> = 0x1993_0520..=0x1993_0522;
/// Bytes of an entry of a map: where code begins, and a number, in either order.
const STATE: u32 = 8;
/// States of a function that are looked at.
const STATES: u32 = 4096;

/// The 32 bits at a place of some bytes.
pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(u32::from_le_bytes(word))
}

/// What C++'s handler of exceptions is given of a function. Distances from the file's start.
pub(crate) struct Given {
    /// Where the function begins.
    pub function: u32,
    /// Where the map lies that says from which place of the function on which objects are to be
    /// destroyed: the first place is where the function begins.
    pub map: (u32, u32),
    /// Code that destroys them, and the words that say so.
    pub actions: Vec<(u32, u32)>,
}

/// What C++'s handler is given of the functions of a file; Rust's are among them.
pub(crate) fn given(file: &PeFile64<'_>) -> Vec<Given> {
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
        let (states, unwind) = (word(info, 4)?, word(info, 8)?);
        let (entries, map) = (word(info, 20)?, word(info, 24)?);
        let action = |number: u32| {
            let place = unwind
                .checked_add(number.checked_mul(STATE)?)?
                .checked_add(4)?;
            let code = word(at(place)?, 0)?;
            (code != 0).then_some((code, place))
        };
        Some(Given {
            function: word(at(map)?, 0)?,
            map: (map, map.checked_add(entries.checked_mul(STATE)?)?),
            actions: (0..states.min(STATES)).filter_map(action).collect(),
        })
    };
    table.chunks_exact(ENTRY as usize).filter_map(of).collect()
}

impl Program<'_> {
    /// Code that destroys objects of a function where something is thrown is a part of it, which
    /// compilers write as a function of its own. Where linkers left one of several that are alike
    /// it is nobody's part. Returns where it is said of which function something is a part.
    pub(crate) fn add_actions(
        &self,
        given: &[Given],
        by_start: &HashMap<u64, u32>,
        owner: &mut HashMap<u32, u32>,
    ) -> Vec<(u64, u64)> {
        let place = |at: u32| self.image_base.wrapping_add(u64::from(at));
        let routine = |at: u32| by_start.get(&place(at)).copied();
        let mut wholes: BTreeMap<u32, Option<u32>> = BTreeMap::new();
        for of in given {
            for (code, _) in &of.actions {
                let whole = wholes.entry(*code).or_insert(Some(of.function));
                *whole = whole.filter(|whole| *whole == of.function);
            }
        }
        let mut added = Vec::new();
        for of in given.iter().filter(|of| !wholes.contains_key(&of.function)) {
            for (code, word) in &of.actions {
                let Some((part, whole)) = routine(*code).zip(routine(of.function)) else {
                    continue;
                };
                let is_own = wholes.get(code) == Some(&Some(of.function));
                if is_own && part != whole && self.routines[part as usize].names.is_empty() {
                    owner.insert(part, owner.get(&whole).copied().unwrap_or(whole));
                    added.push((place(*word), place(*word).saturating_add(4)));
                }
            }
        }
        added
    }
}
