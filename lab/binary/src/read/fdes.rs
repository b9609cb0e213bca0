//! Functions that only the unwind table knows.
//!
//! Stripped binaries keep `.eh_frame`: what compilers wrote has an entry (FDE)
//! there with its exact range. Assembly without CFI directives has none. Windows
//! programs have `.pdata` for it.

use crate::numbers::NumberMap;
use crate::ranges::{AddressRange, Cursor, Nested, flatten};
use crate::read::image::Image;
use crate::read::pdata;
use crate::read::relocate::relocated;
use gimli::{BaseAddresses, CieOrFde, EhFrame, LittleEndian, Pointer, UnwindSection};
use object::{Object, ObjectSection};
use std::borrow::Cow;

/// Ranges of the FDEs that lie in code which `covered` leaves open, each with the address it
/// starts at; sorted, non-overlapping. A file has one for nearly every function, and most of
/// these have a symbol.
///
/// The table is only a help to find functions, so damage in it costs the entries
/// behind it and not the audit.
pub(crate) fn read(image: &Image<'_>, covered: &[AddressRange<u32>]) -> Vec<AddressRange<u64>> {
    let mut nested: Vec<Nested<u64>> = Vec::new();
    let mut covered = Cursor::new(covered);
    // Of an open address those decide that have it, and they are not covered.
    let mut note = |start, end| {
        if !covered.covers(start, end) && image.is_code(start) {
            let value = start;
            nested.push((AddressRange { start, end, value }, 0));
        }
    };
    each(image, |start, end, _| note(start, end));
    if let object::File::Pe64(file) = &image.file {
        let entries = pdata::read(file, image.arch);
        entries
            .iter()
            .for_each(|(range, _)| note(range.start, range.end));
    }
    flatten(nested)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_gaps_is_as_before() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let image = Image::parse(&own).unwrap();
        let all = read(&image, &[]);
        if all.is_empty() {
            return;
        }
        // Two of three, and a part of one.
        let covered = all.iter().enumerate().filter(|(at, _)| at % 3 > 0);
        let covered: Vec<AddressRange<u32>> = covered
            .map(|(at, range)| AddressRange {
                start: range.start,
                end: range.end - u64::from(at % 6 == 1),
                value: at as u32,
            })
            .collect();
        let few = read(&image, &covered);
        assert!(few.len() < all.len() * 2 / 3 && few.len() > all.len() / 3);
        let (mut of_all, mut of_few) = (Cursor::new(&all), Cursor::new(&few));
        for pair in covered.windows(2) {
            let (mut at, end) = (pair[0].end, pair[1].start);
            while at < end {
                let (told, until) = of_all.at(at);
                assert_eq!(of_few.at(at).0, told, "{at:#x}");
                assert_eq!(of_few.at(at).1.min(end), until.min(end), "{at:#x}");
                at = until;
            }
        }
        let end = all.last().map_or(0, |last| last.end);
        let (start, value) = (0, 0);
        assert!(read(&image, &[AddressRange { start, end, value }]).is_empty());
    }
}
