//! Mach-O: the system it is for, its tools, and what its header lets the system guard.
//!
//! Source: Apple's `mach-o/loader.h` (`build_version_command`, `version_min_command`,
//! flags of the header).

use super::{declare, guard, guarded, tool};
use karat_model::facts::{FileFacts, Grade};
use object::Endianness;
use object::macho;
use object::read::macho::{LoadCommandVariant, MachHeader, MachOFile64};

pub fn add(file: &MachOFile64<'_, Endianness>, out: &mut FileFacts) {
    let endian = file.endian();
    let header = file.macho_header();
    let flags = header.flags(endian);
    if header.filetype(endian) == macho::MH_EXECUTE {
        guarded(out, "PIE", flags.contains(macho::MH_PIE));
    }
    match flags.contains(macho::MH_ALLOW_STACK_EXECUTION) {
        true => guard(out, "NX", "no: the stack may be executed", Grade::Bad),
        false => guarded(out, "NX", true),
    }
    let mut is_signed = false;
    let Ok(mut commands) = file.macho_load_commands() else {
        return;
    };
    while let Ok(Some(command)) = commands.next() {
        is_signed |= command.cmd() == macho::LC_CODE_SIGNATURE;
        match command.variant() {
            Ok(LoadCommandVariant::BuildVersion(build, _)) => {
                declare(
                    out,
                    platform(build.platform.get(endian).0),
                    version(build.minos.get(endian)),
                );
                tool(
                    out,
                    format!("SDK {}", version(build.sdk.get(endian))),
                    "Mach-O header",
                );
            }
            Ok(LoadCommandVariant::VersionMin(min)) => {
                declare(out, "system", version(min.version.get(endian)));
                tool(
                    out,
                    format!("SDK {}", version(min.sdk.get(endian))),
                    "Mach-O header",
                );
            }
            _ => {}
        }
    }
    guarded(out, "code signature", is_signed);
}

fn platform(platform: u32) -> &'static str {
    match platform {
        1 => "macOS",
        2 => "iOS",
        6 => "Mac Catalyst",
        _ => "system",
    }
}

/// Without a last part that is zero.
fn version(version: macho::Version) -> String {
    match version.update() {
        0 => format!("{}.{}", version.major(), version.minor()),
        _ => version.to_string(),
    }
}
