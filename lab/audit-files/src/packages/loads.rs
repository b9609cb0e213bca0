//! What a binary loads, of each format: libraries that it is linked with, and functions that
//! open a library or start a program by its name.

use super::gathered::Item;
use karat_host::mapped::Mapped;
use object::read::NameOrOrdinal;
use object::{BinaryFormat, File, Object};

/// Functions that open a library by its name.
const OPENS: [&[u8]; 8] = [
    b"dlopen",
    b"dlmopen",
    b"g_module_open",
    b"uv_dlopen",
    b"LoadLibraryA",
    b"LoadLibraryW",
    b"LoadLibraryExA",
    b"LoadLibraryExW",
];
/// Functions that start a program by its name.
const STARTS: [&[u8]; 15] = [
    b"execv",
    b"execve",
    b"execvp",
    b"execl",
    b"execlp",
    b"posix_spawn",
    b"posix_spawnp",
    b"system",
    b"_wsystem",
    b"_execv",
    b"_wexecv",
    b"_spawnv",
    b"_wspawnv",
    b"CreateProcessA",
    b"CreateProcessW",
];

/// How a file names others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// It opens libraries.
    Opens,
    /// It starts programs, or is a script.
    Other,
}

/// How a binary names others, if it opens or starts any.
pub fn way(bytes: &[u8]) -> Option<Way> {
    let file = File::parse(bytes).ok()?;
    let is_mach = file.format() == BinaryFormat::MachO;
    let mut way = None;
    for import in file.imports().ok()?.flatten() {
        let NameOrOrdinal::Name(name) = import.name() else {
            continue;
        };
        // C's names have a line before them there.
        let name = match is_mach {
            true => name.strip_prefix(b"_").unwrap_or(name),
            false => name,
        };
        if OPENS.contains(&name) {
            return Some(Way::Opens);
        }
        if STARTS.contains(&name) {
            way = Some(Way::Other);
        }
    }
    way
}

/// The names of files that a Windows or macOS file is linked with, without folders; none if it
/// is no such file. Those that are loaded late count: which of them come to be is not known.
pub fn linked(item: &Item) -> Option<Vec<String>> {
    let bytes = Mapped::open(&item.path).ok()?;
    let file = File::parse(&*bytes).ok()?;
    let is_windows = file.format() == BinaryFormat::Pe;
    if !is_windows && file.format() != BinaryFormat::MachO {
        return None;
    }
    let libraries = file.import_libraries().ok()?;
    let names = libraries.map_while(Result::ok).map(|library| {
        let name = String::from_utf8_lossy(library.name());
        let name = name.rsplit('/').next().unwrap_or_default();
        called(name, is_windows)
    });
    Some(names.collect())
}

/// What a file is called where libraries are looked for.
pub fn called(name: &str, is_windows: bool) -> String {
    match is_windows {
        // Windows' names are the same in both cases.
        true => name.to_lowercase(),
        false => name.to_owned(),
    }
}
