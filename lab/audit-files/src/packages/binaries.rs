//! Which files of a package are looked at, by their first bytes and their names.

use karat_binary::read::format::is_fat;
use karat_package::is_package;

/// Where a PE file says where its header is, and what stands there.
/// Source: Microsoft, PE Format, "MS-DOS Stub" and "Signature".
const PE_OFFSET: std::ops::Range<usize> = 0x3c..0x40;

/// How the names of programs in text end that load native code by its name.
const SCRIPTS: [&str; 9] = [
    ".py", ".js", ".cjs", ".mjs", ".rb", ".lua", ".pl", ".sh", ".jl",
];

/// Whether a file that begins with `head` is a program in text.
pub fn is_script(name: &str, head: &[u8]) -> bool {
    head.starts_with(b"#!") || SCRIPTS.iter().any(|end| name.ends_with(end))
}

/// Whether a file that begins with `head` may hold native code. COFF objects have no magic
/// number: their name decides.
pub fn is_binary(name: &str, head: &[u8]) -> bool {
    match head {
        [0x7f, b'E', b'L', b'F', ..]
        | [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..]
        | [0xfe, 0xed, 0xfa, 0xcf | 0xce, ..] => true,
        [b'M', b'Z', ..] => is_pe(head),
        [0x64, 0x86 | 0xaa, ..] => name.ends_with(".obj") || name.ends_with(".o"),
        // A Debian package is an `ar` archive too.
        _ => head.starts_with(b"!<arch>\n") && !is_package(head) || is_fat(head),
    }
}

/// `MZ` begins texts too.
fn is_pe(head: &[u8]) -> bool {
    let offset: Option<[u8; 4]> = head.get(PE_OFFSET).and_then(|b| b.try_into().ok());
    let Some(offset) = offset.map(|bytes| u32::from_le_bytes(bytes) as usize) else {
        return false;
    };
    match head.get(offset..offset + 4) {
        Some(signature) => signature == b"PE\0\0",
        // Behind the bytes at hand, but where a header may be.
        None => offset < 0x1000,
    }
}
