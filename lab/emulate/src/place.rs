//! From an address in memory to a place in a file.

use crate::log::Log;
use crate::root;
use karat_audit::place_of;
use karat_model::tried::Died;
use object::{Object, ObjectKind, ObjectSegment};
use std::path::Path;

/// Where the process died, as far as the log and the files tell. `folder` is where the emulator
/// looked for files first.
pub fn died(log: &Log, at: u64, program: &Path, folder: Option<&Path>) -> Died {
    let mut out = Died {
        memory: at,
        ..Died::default()
    };
    let found = match log.file_at(at) {
        Some((file, offset)) => {
            let file = root::seen(Path::new(file), folder);
            in_file(&file, offset).map(|address| (file, address))
        }
        // The program itself is mapped by QEMU, which logs no call for it.
        None => {
            in_program(program, at, log.start_code).map(|address| (program.to_owned(), address))
        }
    };
    let Some((file, address)) = found else {
        return out;
    };
    out.file = Some(file.display().to_string());
    out.address = Some(address);
    let bytes = std::fs::read(&file);
    if let Some(place) = bytes.ok().and_then(|bytes| place_of(&bytes, address)) {
        out.mnemonic = place.mnemonic;
        out.function = place.function;
        out.location = place.location;
    }
    out
}

/// The address, as linked, of a byte of a library.
fn in_file(file: &Path, offset: u64) -> Option<u64> {
    let bytes = std::fs::read(file).ok()?;
    let parsed = object::File::parse(&*bytes).ok()?;
    parsed.segments().find_map(|segment| {
        let (start, size) = segment.file_range();
        let inside = offset.checked_sub(start)?;
        (inside < size).then(|| segment.address() + inside)
    })
}

/// The same of the program itself.
fn in_program(program: &Path, at: u64, start_code: Option<u64>) -> Option<u64> {
    let bytes = std::fs::read(program).ok()?;
    let parsed = object::File::parse(&*bytes).ok()?;
    let code = || parsed.segments().filter(|s| s.permissions().executable());
    let first = code().map(|segment| segment.address()).min()?;
    let base = match parsed.kind() {
        ObjectKind::Executable => 0,
        _ => start_code?.checked_sub(first)? & !0xfff,
    };
    let address = at.checked_sub(base)?;
    let holds = |s: object::Segment<'_, '_>| {
        address
            .checked_sub(s.address())
            .is_some_and(|inside| inside < s.size())
    };
    code().any(holds).then_some(address)
}
