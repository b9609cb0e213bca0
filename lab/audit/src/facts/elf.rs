//! ELF: `.comment`, the GNU property note, and what the linker was asked to guard.
//!
//! Sources: System V ABI, "Dynamic Linking"; Linux Extensions to gABI (GNU property
//! notes, `PT_GNU_STACK`, `PT_GNU_RELRO`); x86-64 psABI, "Program Property"; AAELF64,
//! "Program Property"; glibc's manual, "Source Fortification".

use super::{declare, guard, guarded, tool};
use karat_model::facts::{FileFacts, Grade};
use object::read::elf::{ElfFile64, FileHeader, ProgramHeader};
use object::{Endianness, Object, ObjectSection, ObjectSymbol, elf};
use std::collections::{BTreeSet, HashSet};

type File<'a> = ElfFile64<'a, Endianness>;

/// `GNU_PROPERTY_X86_ISA_1_NEEDED` and its bits: baseline, v2, v3, v4.
const X86_ISA_NEEDED: u32 = 0xc000_8002;
const X86_LEVELS: [&str; 4] = ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"];
/// `GNU_PROPERTY_X86_FEATURE_1_AND`: IBT and SHSTK.
const X86_FEATURES: u32 = 0xc000_0002;
/// `GNU_PROPERTY_AARCH64_FEATURE_1_AND`: BTI and PAC.
const AARCH64_FEATURES: u32 = 0xc000_0000;
/// Functions of the C library with a variant that checks the buffer's size
/// (`__NAME_chk`).
const FORTIFIABLE: [&str; 26] = [
    "memcpy",
    "memmove",
    "memset",
    "mempcpy",
    "strcpy",
    "strncpy",
    "stpcpy",
    "strcat",
    "strncat",
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "printf",
    "fprintf",
    "vfprintf",
    "vprintf",
    "read",
    "recv",
    "recvfrom",
    "fgets",
    "fread",
    "realpath",
    "getcwd",
    "readlink",
    "syslog",
];

pub fn add(file: &File<'_>, out: &mut FileFacts) {
    for comment in comments(file) {
        tool(out, comment, ".comment");
    }
    let dynamic = Dynamic::of(file);
    let imported = imports(file);
    needed(file, &imported, out);
    segments(file, &dynamic, out);
    canary_and_fortify(file, &imported, out);
    properties(file, out);
    if dynamic.text_relocations {
        guard(out, "text relocations", "yes", Grade::Bad);
    }
}

/// The strings of `.comment`, each once.
fn comments(file: &File<'_>) -> Vec<String> {
    let section = file.section_by_name(".comment");
    let data = section.and_then(|s| s.data().ok()).unwrap_or_default();
    let texts = data
        .split(|byte| *byte == 0)
        .filter(|text| !text.is_empty());
    let texts: BTreeSet<String> = texts
        .take(1000)
        .map(|text| String::from_utf8_lossy(text).trim().to_owned())
        .collect();
    texts.into_iter().collect()
}

#[derive(Default)]
struct Dynamic {
    is_there: bool,
    binds_now: bool,
    is_pie: bool,
    text_relocations: bool,
}

impl Dynamic {
    fn of(file: &File<'_>) -> Self {
        let mut out = Self::default();
        let Ok(table) = file.elf_dynamic_table() else {
            return out;
        };
        for entry in &table {
            out.is_there = true;
            let has = |bit: u64| entry.val & bit != 0;
            // DF_TEXTREL, DF_BIND_NOW; DF_1_NOW, DF_1_PIE.
            match entry.tag {
                elf::DT_BIND_NOW => out.binds_now = true,
                elf::DT_TEXTREL => out.text_relocations = true,
                elf::DT_FLAGS => {
                    out.binds_now |= has(8);
                    out.text_relocations |= has(4);
                }
                elf::DT_FLAGS_1 => {
                    out.binds_now |= has(1);
                    out.is_pie |= has(0x0800_0000);
                }
                _ => {}
            }
        }
        out
    }
}

fn segments(file: &File<'_>, dynamic: &Dynamic, out: &mut FileFacts) {
    let endian = file.endian();
    let headers = file.elf_program_headers();
    let of = |kind| headers.iter().find(move |h| h.p_type(endian) == kind);
    let is_library = of(elf::PT_INTERP).is_none() && !dynamic.is_pie;
    match file.elf_header().e_type(endian) {
        elf::ET_EXEC => guarded(out, "PIE", false),
        _ if is_library && dynamic.is_there => {}
        _ => guarded(out, "PIE", true),
    }
    if dynamic.is_there {
        match (of(elf::PT_GNU_RELRO).is_some(), dynamic.binds_now) {
            (true, true) => guard(out, "RELRO", "full", Grade::Good),
            (true, false) => guard(out, "RELRO", "partial", Grade::Weak),
            (false, _) => guard(out, "RELRO", "no", Grade::Weak),
        }
    }
    let executable = |flags: elf::ProgramFlags| flags.contains(elf::PF_X);
    match of(elf::PT_GNU_STACK).map(|stack| executable(stack.p_flags(endian))) {
        Some(false) => guarded(out, "NX", true),
        Some(true) => guard(out, "NX", "no: the stack may be executed", Grade::Bad),
        // The kernel then takes the default of the machine: executable on x86-64.
        None => guard(
            out,
            "NX",
            "no: nothing says that the stack is data",
            Grade::Bad,
        ),
    }
    let both = |header: &&elf::ProgramHeader64<Endianness>| {
        let flags = header.p_flags(endian);
        header.p_type(endian) == elf::PT_LOAD && executable(flags) && flags.contains(elf::PF_W)
    };
    if headers.iter().any(|header| both(&header)) {
        guard(out, "code that may be written", "yes", Grade::Bad);
    }
}

fn imports<'a>(file: &File<'a>) -> HashSet<&'a str> {
    let symbols = file.dynamic_symbols().filter(ObjectSymbol::is_undefined);
    symbols.filter_map(|s| s.name().ok()).collect()
}

fn canary_and_fortify(file: &File<'_>, imported: &HashSet<&str>, out: &mut FileFacts) {
    let canary = |name: &str| name.starts_with("__stack_chk_fail");
    let is_static = imported.is_empty();
    let own = || file.symbols().filter_map(|s| s.name().ok());
    match imported.iter().any(|name| canary(name)) || (is_static && own().any(canary)) {
        true => guarded(out, "stack canary", true),
        false if is_static && file.symbols().next().is_none() => {
            guard(out, "stack canary", "not told", Grade::Unknown);
        }
        false => guard(out, "stack canary", "no sign", Grade::Weak),
    }
    let checked = imported.iter().filter(|name| {
        let inner = name.strip_prefix("__").and_then(|n| n.strip_suffix("_chk"));
        inner.is_some_and(|inner| inner != "cxa" && inner != "longjmp")
    });
    let checked = checked.count();
    let open = FORTIFIABLE.iter().filter(|name| imported.contains(**name));
    match (checked, open.count()) {
        (0, 0) => {}
        (0, _) => guard(out, "FORTIFY", "no sign", Grade::Weak),
        (checked, open) => {
            let all = checked + open;
            guard(
                out,
                "FORTIFY",
                &format!("{checked} of {all} functions"),
                Grade::Good,
            );
        }
    }
}

/// The newest version of the C library that a symbol asks for.
fn needed(file: &File<'_>, imported: &HashSet<&str>, out: &mut FileFacts) {
    let (endian, data) = (file.endian(), file.data());
    let versions = file.elf_section_table().versions(endian, data);
    let Ok(Some(versions)) = versions else {
        return;
    };
    if imported.is_empty() {
        return;
    }
    for (library, prefix) in [("glibc", "GLIBC_"), ("GLIBCXX", "GLIBCXX_")] {
        let symbols = file.dynamic_symbols();
        let asked = symbols
            .filter(ObjectSymbol::is_undefined)
            .filter_map(|symbol| {
                let index = versions.version_index(endian, symbol.index()).index();
                let version = versions.version(index).ok()??;
                let name = std::str::from_utf8(version.name()).ok()?;
                let numbers = name.strip_prefix(prefix)?.split('.');
                numbers
                    .map(|n| n.parse().ok())
                    .collect::<Option<Vec<u32>>>()
            });
        if let Some(newest) = asked.max() {
            let newest: Vec<String> = newest.iter().map(u32::to_string).collect();
            declare(out, library, newest.join("."));
        }
    }
}

fn properties(file: &File<'_>, out: &mut FileFacts) {
    let endian = file.endian();
    let (mut needs, mut features) = (0, None);
    let is_x86 = file.elf_header().e_machine(endian) == elf::EM_X86_64;
    for header in file.elf_program_headers() {
        let Ok(Some(mut notes)) = header.notes(endian, file.data()) else {
            continue;
        };
        while let Ok(Some(note)) = notes.next() {
            let Some(mut properties) = note.gnu_properties(endian) else {
                continue;
            };
            while let Ok(Some(property)) = properties.next() {
                let value = property.data_u32(endian).unwrap_or(0);
                match property.pr_type().0 {
                    X86_ISA_NEEDED if is_x86 => needs |= value,
                    X86_FEATURES if is_x86 => features = Some(value),
                    AARCH64_FEATURES if !is_x86 => features = Some(value),
                    _ => {}
                }
            }
        }
    }
    let level = (0..X86_LEVELS.len())
        .rev()
        .find(|bit| needs & (1 << bit) != 0);
    if let Some(level) = level {
        declare(out, "x86 ISA needed", X86_LEVELS[level]);
    }
    let bits = features.unwrap_or(0);
    let (name, parts) = match is_x86 {
        true => ("CET", ["IBT", "SHSTK"]),
        false => ("BTI and PAC", ["BTI", "PAC"]),
    };
    match (bits & 1 != 0, bits & 2 != 0) {
        (true, true) => guard(out, name, "yes", Grade::Good),
        (true, false) => guard(out, name, &format!("{} only", parts[0]), Grade::Weak),
        (false, true) => guard(out, name, &format!("{} only", parts[1]), Grade::Weak),
        (false, false) => guard(out, name, "no", Grade::Weak),
    }
}
