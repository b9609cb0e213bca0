//! PE: the linker's version and what the header lets the system guard.
//!
//! Source: Microsoft, PE Format, "Optional Header" and "DLL Characteristics".

use super::{declare, guarded, tool};
use karat_model::facts::FileFacts;
use object::pe;
use object::read::pe::{ImageNtHeaders, ImageOptionalHeader, PeFile64};

pub fn add(file: &PeFile64<'_>, out: &mut FileFacts) {
    let header = file.nt_headers().optional_header();
    let linker = (header.major_linker_version(), header.minor_linker_version());
    tool(
        out,
        format!("linker {}.{}", linker.0, linker.1),
        "PE header",
    );
    let system = (
        header.major_subsystem_version(),
        header.minor_subsystem_version(),
    );
    declare(out, "Windows", format!("{}.{}", system.0, system.1));
    let flags = header.dll_characteristics();
    for (name, flag) in [
        ("ASLR", pe::IMAGE_DLLCHARACTERISTICS_DYNAMIC_BASE),
        ("64-bit ASLR", pe::IMAGE_DLLCHARACTERISTICS_HIGH_ENTROPY_VA),
        ("NX", pe::IMAGE_DLLCHARACTERISTICS_NX_COMPAT),
        ("control flow guard", pe::IMAGE_DLLCHARACTERISTICS_GUARD_CF),
    ] {
        guarded(out, name, flags.contains(flag));
    }
}
