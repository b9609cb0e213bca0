//! Which kind of file bytes are, by their first ones and by their headers.

use crate::error::BinaryError;
use object::read::macho::MachHeader;
use object::{Architecture, BinaryFormat, Object, ObjectKind, macho};

/// A machine whose code is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arch {
    /// x86-64.
    X86_64,
    /// AArch64.
    Aarch64,
}

impl Arch {
    /// The machine of a header, if its code is counted.
    pub fn of(architecture: Architecture) -> Option<Self> {
        match architecture {
            Architecture::X86_64 => Some(Self::X86_64),
            Architecture::Aarch64 => Some(Self::Aarch64),
            _ => None,
        }
    }

    /// As reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::X86_64 => "x86-64",
            Self::Aarch64 => "AArch64",
        }
    }
}

/// How an ELF file of 64 bits ends before its own headers do, if it does: most damaged files
/// are half of a copy.
fn cut_off(bytes: &[u8]) -> Option<String> {
    if !bytes.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let length = bytes.len() as u64;
    let Some(header) = bytes.get(..64) else {
        let why = format!("the file has {length} bytes, and an ELF header has 64: it was cut off");
        return Some(why);
    };
    let number = |at: usize, size: usize| {
        let all = header[at..at + size].iter().rev();
        all.fold(0u64, |all, byte| all << 8 | u64::from(*byte))
    };
    // Program headers and section headers: where they begin, the size of one, how many.
    for (what, start, size) in [("program", 32, 54), ("section", 40, 58)] {
        let end = number(start, 8).saturating_add(number(size, 2) * number(size + 2, 2));
        if end > length {
            return Some(format!(
                "the {what} headers end at byte {end}, and the file has {length}: it was cut off, \
                 or its header is damaged"
            ));
        }
    }
    None
}

/// The parsed headers of one object file, if it is of a kind that is read.
///
/// # Errors
/// [`BinaryError::Unsupported`] or [`BinaryError::Malformed`].
pub fn open(bytes: &[u8]) -> Result<(object::File<'_>, Arch), BinaryError> {
    if let Some(seen) = foreign(bytes) {
        return Err(BinaryError::Unsupported { seen });
    }
    let file = object::File::parse(bytes).map_err(|error| {
        let place = "the file header or section table";
        match cut_off(bytes) {
            Some(reason) => BinaryError::malformed(place, reason),
            None => BinaryError::malformed(place, error),
        }
    })?;
    let format = format_name(file.format());
    let unsupported = |seen| Err(BinaryError::Unsupported { seen });
    let Some(arch) = Arch::of(file.architecture()) else {
        let of = file.architecture();
        return unsupported(format!("a file of format {format} for {of:?}"));
    };
    if !file.is_little_endian() {
        return unsupported(format!("a big-endian {format} file"));
    }
    match (file.kind(), &file) {
        (ObjectKind::Executable | ObjectKind::Dynamic | ObjectKind::Relocatable, _) => {}
        // Bundles (plug-ins), kernel extensions and the dynamic linker.
        (ObjectKind::Unknown, object::File::MachO64(mach))
            if mach.macho_header().filetype(mach.endian()) != macho::MH_DSYM => {}
        (kind, _) => {
            let arch = arch.name();
            return unsupported(format!("a file of format {format} {arch}, kind {kind:?}"));
        }
    }
    Ok((file, arch))
}

/// Format, machine and whether it is linked, as reports name them.
pub fn describe(file: &object::File<'_>, arch: Arch) -> String {
    let name = format!("{} {}", format_name(file.format()), arch.name());
    match file.kind() {
        ObjectKind::Relocatable => name + " object",
        _ => name,
    }
}

fn format_name(format: BinaryFormat) -> &'static str {
    match format {
        BinaryFormat::Elf => "ELF",
        BinaryFormat::MachO => "Mach-O",
        BinaryFormat::Pe => "PE",
        BinaryFormat::Coff => "COFF",
        _ => "unknown",
    }
}

/// Whether a file holds others.
pub fn is_container(bytes: &[u8]) -> bool {
    matches!(bytes.get(..4), Some(b"!<ar" | b"!<th")) || is_fat(bytes)
}

/// Whether a file is a Mach-O file for several machines. A Java class has the same
/// magic number, and its version (45 or more) where a fat file has the count of its
/// slices.
pub fn is_fat(bytes: &[u8]) -> bool {
    match bytes {
        [0xca, 0xfe, 0xba, 0xbe | 0xbf, 0, 0, 0, count, ..] => *count < 45,
        _ => false,
    }
}

/// What a file is that is not read, as far as its first bytes say.
pub fn foreign(bytes: &[u8]) -> Option<String> {
    let name = match bytes {
        [0x7f, b'E', b'L', b'F', class, order, ..] => {
            return match (*class, *order) {
                (2, 1) => None,
                (1, _) => Some("a 32-bit ELF file".into()),
                (2, 2) => Some("a big-endian ELF file".into()),
                _ => Some(format!("an ELF file of unknown class {class}")),
            };
        }
        [] => "an empty file",
        // Mach-O, PE.
        [0xcf, 0xfa, 0xed, 0xfe, ..] | [b'M', b'Z', ..] => return None,
        // COFF objects have no magic number: they start with the machine.
        [0x64, 0x86, ..] | [0x64, 0xaa, ..] | [0, 0, 0xff, 0xff, ..] => return None,
        [0xce, 0xfa, 0xed, 0xfe, ..] => "a 32-bit Mach-O file",
        [0xfe, 0xed, 0xfa, 0xcf | 0xce, ..] => "a big-endian Mach-O file",
        [0xca, 0xfe, 0xba, 0xbe | 0xbf, 0, 0, 0, 0..45, ..] => "a fat file inside of another file",
        [0xca, 0xfe, 0xba, 0xbe, ..] => "a Java class",
        [b'!', b'<', b'a' | b't', ..] => "an archive inside of another file",
        [b'B', b'C', 0xc0, 0xde, ..] | [0xde, 0xc0, 0x17, 0x0b, ..] => "LLVM bitcode",
        [0, b'a', b's', b'm', ..] => "a WebAssembly module",
        [b'M', b'i', b'c', b'r', b'o', b's', b'o', b'f', b't', ..] => "a PDB file",
        [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] | [b'P', b'K', 3, 4, ..] => {
            "a compressed file (unpack it first)"
        }
        [b'#', b'!', ..] => "a script",
        _ => {
            let head: Vec<_> = bytes.iter().take(4).map(|b| format!("{b:02x}")).collect();
            return Some(format!(
                "a file of unknown format (it starts with {})",
                head.join(" ")
            ));
        }
    };
    Some(name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_copy_is_told() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert_eq!(cut_off(&own), None);
        for length in [20, 80, own.len() / 2] {
            let Err(error) = open(&own[..length]) else {
                panic!("{length} bytes were read");
            };
            assert!(error.to_string().contains("it was cut off"), "{error}");
        }
    }
}
