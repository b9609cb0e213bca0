//! Where the emulator finds an AArch64 program's loader and libraries.

use crate::error::TryError;
use object::read::elf::{FileHeader, ProgramHeader};
use object::{Endianness, elf};
use std::path::{Path, PathBuf};

/// QEMU's own variable: a folder that is looked in before the root.
const VARIABLE: &str = "QEMU_LD_PREFIX";
/// Where Debian's cross libraries lie (`libc6-arm64-cross`), and where its QEMU looks.
const FOLDERS: [&str; 2] = ["/etc/qemu-binfmt/aarch64", "/usr/aarch64-linux-gnu"];

/// What the user has set.
pub fn named() -> Option<PathBuf> {
    let folder = std::env::var_os(VARIABLE)?;
    Some(PathBuf::from(folder)).filter(|folder| !folder.as_os_str().is_empty())
}

/// The folder that a program's loader lies in; none for one without, or where it lies where the
/// program says.
///
/// # Errors
/// When the loader is nowhere.
pub fn of(program: &Path) -> Result<Option<PathBuf>, TryError> {
    let Some(loader) = loader(program) else {
        return Ok(named());
    };
    let inside = loader.strip_prefix("/").unwrap_or(&loader);
    let has = |folder: &PathBuf| folder.join(inside).exists();
    if let Some(folder) = named().filter(has) {
        return Ok(Some(folder));
    }
    if loader.exists() {
        return Ok(None);
    }
    match FOLDERS.map(PathBuf::from).into_iter().find(has) {
        Some(folder) => Ok(Some(folder)),
        None => Err(TryError::NoLoader {
            path: program.to_owned(),
            loader,
        }),
    }
}

/// What loads a program that is linked dynamically.
fn loader(program: &Path) -> Option<PathBuf> {
    let bytes = std::fs::read(program).ok()?;
    let header = elf::FileHeader64::<Endianness>::parse(&*bytes).ok()?;
    let endian = header.endian().ok()?;
    let mut parts = header.program_headers(endian, &*bytes).ok()?.iter();
    let name = parts.find_map(|part| part.interpreter(endian, &*bytes).ok().flatten())?;
    Some(PathBuf::from(String::from_utf8_lossy(name).into_owned()))
}

/// A file as the emulator sees it: below the folder, where it is there.
pub fn seen(path: &Path, root: Option<&Path>) -> PathBuf {
    let below = root.and_then(|root| Some(root.join(path.strip_prefix("/").ok()?)));
    below
        .filter(|below| below.exists())
        .unwrap_or_else(|| path.to_owned())
}
