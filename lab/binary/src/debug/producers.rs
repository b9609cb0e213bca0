//! Who compiled the units of a file: `DW_AT_producer`.

use crate::debug::dwarf::{Reader, text};
use crate::error::BinaryError;
use crate::read::image::Image;
use crate::read::sections::DebugSections;
use gimli::{EndianSlice, LittleEndian};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Different producers that are kept.
const MOST: usize = 1000;

/// Each producer, in its own words, and how many units it made. What split debug
/// information has elsewhere is not asked.
///
/// # Errors
/// [`BinaryError::Malformed`] for damaged sections or headers.
pub fn read(image: &Image<'_>) -> Result<BTreeMap<String, u64>, BinaryError> {
    let sections = DebugSections::roots(image)?;
    let dwarf = sections.sections.borrow(slice);
    let mut out = BTreeMap::new();
    let mut headers = dwarf.units();
    while let Some(header) = headers.next()? {
        let unit = dwarf.unit(header)?;
        let mut entries = unit.entries();
        let Some(root) = entries.next_dfs()? else {
            continue;
        };
        if let Some(value) = root.attr_value(gimli::DW_AT_producer) {
            let producer = text(&dwarf, &unit, value);
            if let Some(count) = out.get_mut(producer) {
                *count += 1;
            } else if out.len() < MOST && !producer.is_empty() {
                out.insert(producer.to_owned(), 1);
            }
        }
    }
    Ok(out)
}

#[expect(clippy::ptr_arg, reason = "gimli lends what the sections are kept in")]
fn slice<'a>(bytes: &'a Cow<'_, [u8]>) -> Reader<'a> {
    EndianSlice::new(bytes, LittleEndian)
}
