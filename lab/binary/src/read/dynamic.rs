//! Tables of linked ELF files that say what stands where when the program starts: relocations,
//! and lists of functions that run before and after `main`.

use object::elf::STT_GNU_IFUNC;
use object::{ObjectSymbol, SymbolFlags};

/// Eight bytes at a place of a table.
#[must_use]
pub fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let word = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(word.try_into().ok()?))
}

/// An entry of a table of relocations with addends (`SHT_RELA` of the ELF gABI, 64-bit).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rela {
    /// The address that is written to.
    pub place: u64,
    /// What it means, by the machine's own ABI.
    pub kind: u32,
    /// The number of a symbol.
    pub symbol: usize,
    /// Added to what the symbol stands for.
    pub addend: u64,
}

/// The entries of such a table.
pub fn relas(bytes: &[u8]) -> impl Iterator<Item = Rela> + '_ {
    bytes.chunks_exact(24).map(|entry| {
        let word = |at: usize| u64_at(entry, at).unwrap_or(0);
        let info = word(8);
        Rela {
            place: word(0),
            kind: info as u32,
            symbol: (info >> 32) as usize,
            addend: word(16),
        }
    })
}

/// Places that a packed table of relative relocations names (`SHT_RELR`, ELF
/// gABI: an even word is a place, an odd one a bitmap of the 63 after it).
#[must_use]
pub fn relr(bytes: &[u8]) -> Vec<u64> {
    let mut out = Vec::new();
    let mut next = 0u64;
    for entry in bytes.chunks_exact(8) {
        let word = u64_at(entry, 0).unwrap_or(0);
        if word & 1 == 0 {
            out.push(word);
            next = word.wrapping_add(8);
        } else {
            for bit in 0..63 {
                if word >> (bit + 1) & 1 == 1 {
                    out.push(next.wrapping_add(bit * 8));
                }
            }
            next = next.wrapping_add(63 * 8);
        }
    }
    out
}

/// What the dynamic section says of the whole file (ELF gABI; glibc's `elf.h`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dynamic {
    /// It has a name by which others load it (`DT_SONAME`).
    pub has_name: bool,
    /// It is a program though it may be loaded anywhere (`DF_1_PIE` of `DT_FLAGS_1`).
    pub is_program: bool,
    /// Functions that run before and after all others (`DT_INIT`, `DT_FINI`).
    pub runs: Vec<u64>,
}

impl Dynamic {
    /// Reads the section.
    #[must_use]
    pub fn of(section: &[u8]) -> Self {
        let mut out = Self::default();
        for entry in section.chunks_exact(16) {
            let word = |at: usize| u64_at(entry, at).unwrap_or(0);
            match (word(0), word(8)) {
                (14, _) => out.has_name = true,
                (0x6fff_fffb, flags) => out.is_program |= flags & 0x0800_0000 != 0,
                (12 | 13, address) => out.runs.push(address),
                _ => {}
            }
        }
        out
    }
}

/// Whether a symbol is what a function picks when the file is loaded.
#[must_use]
pub fn is_picked<'data>(symbol: &impl ObjectSymbol<'data>) -> bool {
    matches!(
        symbol.flags(),
        SymbolFlags::Elf { st_info, .. } if st_info.st_type() == STT_GNU_IFUNC
    )
}

/// Whether a symbol is defined in its file; `object` says so of functions and data only, not
/// of what is picked.
#[must_use]
pub fn is_here<'data>(symbol: &impl ObjectSymbol<'data>) -> bool {
    symbol.is_definition() || is_picked(symbol) && !symbol.is_undefined()
}

/// Whether a section lists functions that run before or after `main`.
#[must_use]
pub fn lists_initialisers(section: &[u8]) -> bool {
    matches!(section, b".init_array" | b".fini_array" | b".preinit_array")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_relocations() {
        let words = [0x1000u64, 0b1011, 0x3000];
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        assert_eq!(relr(&bytes), [0x1000, 0x1008, 0x1018, 0x3000]);
    }

    #[test]
    fn what_a_file_says_of_itself() {
        let of = |words: &[u64]| {
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            Dynamic::of(&bytes)
        };
        let library = of(&[12, 0x1000, 14, 1, 13, 0x2000, 0x6fff_fffb, 1, 0, 0]);
        assert!(library.has_name && !library.is_program);
        assert_eq!(library.runs, [0x1000, 0x2000]);
        let program = of(&[0x6fff_fffb, 0x0800_0001, 0, 0]);
        assert!(program.is_program && !program.has_name && program.runs.is_empty());
        // Half an entry is none.
        assert_eq!(of(&[14]), Dynamic::default());
    }

    #[test]
    fn relocations_with_addends() {
        let words = [0x2000u64, 7 << 32 | 1026, 5, 1];
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let known: Vec<Rela> = relas(&bytes).collect();
        let one = Rela {
            place: 0x2000,
            kind: 1026,
            symbol: 7,
            addend: 5,
        };
        // What is no whole entry is none.
        assert_eq!(known, [one]);
    }
}
