//! What Mach-O files say of their code beside the symbols: where functions
//! start, and where data lies between them.
//!
//! Source: Apple's `mach-o/loader.h` (`LC_FUNCTION_STARTS`, `LC_DATA_IN_CODE`).

use crate::ranges::{AddressRange, Nested, flatten};
use object::macho;
use object::read::macho::{LoadCommandVariant, MachOFile64, Segment};

type File<'a> = MachOFile64<'a, object::Endianness>;

/// Start addresses of functions, in the order of the table; of a damaged table
/// those before the damage.
pub fn function_starts(file: &File<'_>) -> Vec<u64> {
    let Ok(commands) = file.macho_load_commands() else {
        return Vec::new();
    };
    let mut text = 0;
    let mut out = Vec::new();
    for command in commands.flatten() {
        match command.variant() {
            Ok(LoadCommandVariant::Segment64(segment, _)) if segment.name() == b"__TEXT" => {
                text = segment.vmaddr.get(file.endian());
            }
            Ok(LoadCommandVariant::LinkeditData(data))
                if command.cmd() == macho::LC_FUNCTION_STARTS =>
            {
                let starts = data.function_starts(file.endian(), file.data(), text);
                out.extend(starts.into_iter().flatten().flatten());
            }
            _ => {}
        }
    }
    out
}

/// Address ranges that hold data between instructions, such as jump tables.
///
/// An entry is eight bytes: offset from the Mach-O header (u32), length (u16),
/// kind (u16). In an object file offsets are from the start of its one segment.
/// `shift` is added to all addresses.
pub fn data_in_code(file: &File<'_>, shift: u64) -> Vec<AddressRange<()>> {
    let Ok(commands) = file.macho_load_commands() else {
        return Vec::new();
    };
    let mut base = None;
    let mut nested: Vec<Nested<()>> = Vec::new();
    for command in commands.flatten() {
        match command.variant() {
            Ok(LoadCommandVariant::Segment64(segment, _))
                if segment.name() == b"__TEXT" || base.is_none() =>
            {
                base = Some(segment.vmaddr.get(file.endian()));
            }
            Ok(LoadCommandVariant::LinkeditData(data))
                if command.cmd() == macho::LC_DATA_IN_CODE =>
            {
                let table = data.data(file.endian(), file.data()).unwrap_or(&[]);
                for entry in table.chunks_exact(8) {
                    let offset = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
                    let length = u16::from_le_bytes([entry[4], entry[5]]);
                    let start = base.unwrap_or(0).saturating_add(u64::from(offset));
                    let start = start.saturating_add(shift);
                    let end = start.saturating_add(u64::from(length));
                    let value = ();
                    nested.push((AddressRange { start, end, value }, 0));
                }
            }
            _ => {}
        }
    }
    flatten(nested)
}
