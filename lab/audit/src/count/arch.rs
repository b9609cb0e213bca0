//! What names and numbers mean on each machine.

use crate::count::{a64, x86};
use karat_binary::read::format::Arch;
use karat_binary::x86::table;

/// Bytes that one position which does not decode stands for.
pub(crate) fn undecodable_bytes(arch: Arch) -> u64 {
    match arch {
        Arch::X86_64 => 1,
        Arch::Aarch64 => 4,
    }
}

/// Distinct sets of extension names; the first is empty.
pub(crate) fn extension_sets(arch: Arch) -> &'static [Vec<String>] {
    match arch {
        Arch::X86_64 => &table().sets,
        Arch::Aarch64 => a64::sets(),
    }
}

/// How many mnemonics have a number.
pub(crate) fn mnemonics(arch: Arch) -> usize {
    match arch {
        Arch::X86_64 => x86::mnemonics(),
        Arch::Aarch64 => a64::mnemonics(),
    }
}

/// A mnemonic by its number, in lower case.
pub(crate) fn mnemonic_name(arch: Arch, number: usize) -> String {
    match arch {
        Arch::X86_64 => x86::mnemonic_name(number),
        Arch::Aarch64 => a64::mnemonic_name(number).to_string(),
    }
}
