//! What Mach-O files say of their code beside the symbols: where functions
//! start, and where data lies between them.
//!
//! Source: Apple's `mach-o/loader.h` (`LC_FUNCTION_STARTS`, `LC_DATA_IN_CODE`).

use crate::ranges::{AddressRange, Nested, flatten};
use object::macho;
use object::read::macho::{LoadCommandVariant, MachOFile64, Segment};

/// What compilers put behind a function's name and a dot where they make a function of a part
/// or a copy of it.
const PARTS: [&str; 11] = [
    "cold",
    "llvm",
    "part",
    "isra",
    "constprop",
    "lto_priv",
    "resume",
    "destroy",
    "cleanup",
    "outlined",
    "specialized",
];

/// A symbol's name without the underscore that compilers put before each.
pub fn plain(name: &str) -> &str {
    name.strip_prefix('_').unwrap_or(name)
}

/// Whether a local symbol may be a label inside of a function in assembly. Assemblers drop what
/// begins with `L` only: labels of the other formats (`.L…`), those of NASM's macros
/// (`..@…`), and its local ones (`function.label`) stay.
pub fn may_be_inside(name: &str) -> bool {
    name.starts_with('.') || function_of(name).is_some()
}

/// The function inside of which a label is, where its name says that.
pub fn function_of(name: &str) -> Option<&str> {
    let (function, label) = plain(name).split_once('.')?;
    let word = label.split('.').next().unwrap_or_default();
    let is_part = PARTS.contains(&word) || word.starts_with(|c: char| c.is_ascii_digit());
    (!function.is_empty() && !label.is_empty() && !is_part).then_some(function)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_of_assembly_are_told_from_parts_of_functions() {
        assert_eq!(function_of("_fill_avx2.loop"), Some("fill_avx2"));
        assert_eq!(function_of("_fill.cold.1"), None);
        assert_eq!(function_of("_fill.123"), None);
        assert_eq!(function_of(".LBlock12"), None);
        assert_eq!(function_of("_fill"), None);
        assert!(may_be_inside(".LBlock12") && may_be_inside("..@9..ELOAD15"));
        assert!(!may_be_inside("_fill") && !may_be_inside("_fill.llvm.77"));
    }
}
