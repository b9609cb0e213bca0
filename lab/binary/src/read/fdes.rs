//! Functions that only the unwind table knows.
//!
//! Stripped binaries keep `.eh_frame`: what compilers wrote has an entry (FDE)
//! there with its exact range. Assembly without CFI directives has none. Windows
//! programs have `.pdata` for it.

use crate::numbers::NumberMap;
use crate::ranges::{AddressRange, Nested, flatten};
use crate::read::image::Image;
use crate::read::pdata;
use crate::read::relocate::relocated;
use gimli::{BaseAddresses, CieOrFde, EhFrame, LittleEndian, Pointer, UnwindSection};
use object::{Object, ObjectSection};
use std::borrow::Cow;

/// Ranges of the FDEs that lie in code, each with the address it starts at;
/// sorted, non-overlapping.
///
/// The table is only a help to find functions, so damage in it costs the entries
/// behind it and not the audit.
pub(crate) fn read(image: &Image<'_>) -> Vec<AddressRange<u64>> {
    let mut nested = eh_frame(image);
    if let object::File::Pe64(file) = &image.file {
        nested.extend(pdata::read(file, image.arch));
    }
    nested.retain(|(range, _)| image.is_code(range.start));
    flatten(nested)
}

fn eh_frame(image: &Image<'_>) -> Vec<Nested<u64>> {
    let mut nested = Vec::new();
    each(image, |start, end, _| {
        let value = start;
        nested.push((AddressRange { start, end, value }, 0));
    });
    nested
}

/// Code with a table of what catches what is thrown there: where it begins, where it ends, and
/// the table's address; zero where there is none. Sorted.
#[must_use]
pub fn handlers(image: &Image<'_>) -> Vec<(u64, u64, u64)> {
    let mut all = Vec::new();
    each(image, |start, end, table| all.push((start, end, table)));
    all.sort_unstable();
    all
}

/// Calls `one` with the start, the end and the table of handlers of each entry.
fn each(image: &Image<'_>, mut one: impl FnMut(u64, u64, u64)) {
    let Some(section) = image.file.section_by_name(".eh_frame") else {
        return;
    };
    let Ok(data) = section.data() else {
        return;
    };
    let data = relocated(image, &section, Cow::Borrowed(data));
    let address = |name| image.file.section_by_name(name).map_or(0, |s| s.address());
    let bases = BaseAddresses::default()
        .set_eh_frame(section.address())
        .set_text(address(".text"))
        .set_got(address(".got"));
    let table = EhFrame::new(&data, LittleEndian);
    // Thousands of entries share one CIE.
    let mut cies = NumberMap::default();
    let mut entries = table.entries(&bases);
    while let Ok(Some(entry)) = entries.next() {
        let CieOrFde::Fde(partial) = entry else {
            continue;
        };
        let parsed = partial.parse(|table, bases, offset| {
            cies.entry(offset.0)
                .or_insert_with(|| table.cie_from_offset(bases, offset))
                .clone()
        });
        let Ok(fde) = parsed else {
            continue;
        };
        let start = fde.initial_address();
        let Some(end) = start.checked_add(fde.len()) else {
            continue;
        };
        let table = match fde.lsda() {
            Some(Pointer::Direct(at)) => at,
            _ => 0,
        };
        one(start, end, table);
    }
}
