//! Relocations of object files, for what the audit reads of them: the unwind
//! table and debug sections.
//!
//! In a file that is not linked these hold zeros, or offsets, where addresses
//! will be. They are filled in here for the addresses that [`Image`] gave its
//! code; every other section stays at 0, so that offsets into it stay offsets.

use crate::read::image::Image;
use object::{Object, ObjectSection, RelocationKind, RelocationTarget, Section};
use std::borrow::Cow;

/// The bytes of a section of `image.file`, given uncompressed, with relocations
/// applied.
///
/// A relocation of a kind that debug and unwind sections do not have, or one that
/// points nowhere, is left out.
pub fn relocated<'a>(
    image: &Image<'a>,
    section: &Section<'a, '_>,
    data: Cow<'a, [u8]>,
) -> Cow<'a, [u8]> {
    if !image.is_relocatable() {
        return data;
    }
    let mut relocations = section.relocations().peekable();
    if relocations.peek().is_none() {
        return data;
    }
    let mach = matches!(image.file, object::File::MachO64(_));
    let mut bytes = data.into_owned();
    for (offset, relocation) in relocations {
        let width = match relocation.size() {
            32 => 4,
            64 => 8,
            _ => continue,
        };
        // The difference of two places (Mach-O): only its unwind table has it,
        // and there symbols say as much.
        if relocation.subtractor().is_some() {
            continue;
        }
        let Some(place) = usize::try_from(offset)
            .ok()
            .and_then(|at| bytes.get_mut(at..at.checked_add(width)?))
        else {
            continue;
        };
        let mut raw = [0; 8];
        raw[..width].copy_from_slice(place);
        let in_place = u64::from_le_bytes(raw);
        let target = match relocation.target() {
            RelocationTarget::Symbol(index) => {
                let Ok(symbol) = image.file.symbol_by_index(index) else {
                    continue;
                };
                image.symbol_address(&symbol)
            }
            RelocationTarget::Section(index) => {
                let own = image.file.section_by_index(index);
                // Mach-O has the section's address in place.
                let own = if mach {
                    0
                } else {
                    own.map_or(0, |s| s.address())
                };
                own.wrapping_add(image.shift(index))
            }
            _ => continue,
        };
        let addend = relocation.addend() as u64;
        let value = target.wrapping_add(addend);
        let value = match relocation.kind() {
            RelocationKind::Absolute | RelocationKind::SectionOffset => value,
            RelocationKind::Relative => value.wrapping_sub(section.address().wrapping_add(offset)),
            _ => continue,
        };
        let value = if relocation.has_implicit_addend() {
            value.wrapping_add(in_place)
        } else {
            value
        };
        place.copy_from_slice(&value.to_le_bytes()[..width]);
    }
    Cow::Owned(bytes)
}
