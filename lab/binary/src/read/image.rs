//! One object file as a whole: which kind it is, and its executable sections.

use crate::error::BinaryError;
use crate::ranges::AddressRange;
use crate::read::format::{self, Arch};
use crate::read::mach;
use object::{
    Object, ObjectKind, ObjectSection, ObjectSymbol, SectionFlags, SectionIndex, elf, macho, pe,
};
use std::collections::HashMap;

/// Where the code of an object file is put that no linker has given addresses:
/// not at 0, where tables of dropped sections point.
pub const FIRST_ADDRESS: u64 = 0x1000;
/// Executable sections of one file: compilers that give each function its own make tens of
/// thousands in an object; tables with more are made to be slow.
const MOST_SECTIONS: usize = 1 << 17;
/// Sections that are put somewhere start at multiples of this.
const ALIGNMENT: u64 = 64;

/// One executable section that is mapped and may run.
pub struct CodeSection<'a> {
    /// As the file has it; in Mach-O with the segment, as `__TEXT,__text`.
    pub name: String,
    /// Where it is mapped, or has been put.
    pub address: u64,
    /// Its contents.
    pub bytes: &'a [u8],
    /// Only what a sized symbol covers is live: the section BOLT took code from.
    /// Functions that BOLT left alone still run there under their symbols; of
    /// those it moved a dead copy stays, and counting that doubles the figures. What
    /// symbols without a size name and pointers in data lead to is live too.
    pub named_only: bool,
}

impl CodeSection<'_> {
    /// The address behind the last byte; cannot overflow (checked on reading).
    pub fn end(&self) -> u64 {
        self.address + self.bytes.len() as u64
    }
}

/// A parsed object file: a program, a library, or one that is not linked yet.
pub struct Image<'a> {
    /// The headers, parsed.
    pub file: object::File<'a>,
    /// The file with the debug information (and perhaps the symbols) that was
    /// taken out of `file`.
    pub debug: Option<object::File<'a>>,
    /// The machine its code is for.
    pub arch: Arch,
    /// Format and machine, such as `ELF x86-64`.
    pub format: String,
    /// Bytes of the files: a limit for work that their tables could multiply.
    pub size: usize,
    /// Sorted by address.
    pub code: Vec<CodeSection<'a>>,
    /// Parts of `code` that the file itself says are data: sorted,
    /// non-overlapping.
    pub data: Vec<AddressRange<()>>,
    /// The file says all that is data between its instructions, or has no such data.
    pub is_mapped: bool,
    /// What was added to the addresses of code sections that are not linked:
    /// their own start at 0 all of them. Empty for linked files.
    moved: HashMap<SectionIndex, u64>,
}

impl<'a> Image<'a> {
    /// Parses the headers and finds the code.
    ///
    /// # Errors
    /// [`BinaryError::Unsupported`] for a file of another kind, [`BinaryError::Malformed`] for a
    /// damaged one, [`BinaryError::NoCode`] for one without code.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, BinaryError> {
        let image = Self::parse_at(bytes, FIRST_ADDRESS)?;
        if image.code.is_empty() {
            return Err(BinaryError::NoCode);
        }
        Ok(image)
    }

    /// [`Image::parse`] for what only linked ELF x86-64 files are good for.
    ///
    /// # Errors
    /// As [`Image::parse`]; for files of other formats [`BinaryError::NotFor`], with what
    /// was asked for.
    pub fn parse_elf_x86(bytes: &'a [u8], what: &'static str) -> Result<Self, BinaryError> {
        let image = Self::parse(bytes)?;
        let is_elf = matches!(image.file, object::File::Elf64(_));
        if !is_elf || image.arch != Arch::X86_64 || image.is_relocatable() {
            let (needs, seen) = ("a linked ELF x86-64 file", image.format);
            return Err(BinaryError::NotFor { what, needs, seen });
        }
        Ok(image)
    }

    /// [`Image::parse`] for what is linked x86-64 code, in whatever format.
    ///
    /// # Errors
    /// As [`Image::parse_elf_x86`].
    pub fn parse_linked_x86(bytes: &'a [u8], what: &'static str) -> Result<Self, BinaryError> {
        let image = Self::parse(bytes)?;
        if image.arch != Arch::X86_64 || image.is_relocatable() {
            let (needs, seen) = ("a linked x86-64 file", image.format);
            return Err(BinaryError::NotFor { what, needs, seen });
        }
        Ok(image)
    }

    /// [`Image::parse`] for what is linked AArch64 code in an ELF file.
    ///
    /// # Errors
    /// As [`Image::parse_elf_x86`].
    pub fn parse_linked_arm_elf(bytes: &'a [u8], what: &'static str) -> Result<Self, BinaryError> {
        let image = Self::parse(bytes)?;
        let is_elf = matches!(image.file, object::File::Elf64(_));
        if !is_elf || image.arch != Arch::Aarch64 || image.is_relocatable() {
            let (needs, seen) = ("a linked ELF AArch64 file", image.format);
            return Err(BinaryError::NotFor { what, needs, seen });
        }
        Ok(image)
    }

    /// [`Image::parse`] with the address that code without one is put at, and
    /// without the demand that there is code.
    ///
    /// # Errors
    /// As [`Image::parse`].
    pub fn parse_at(bytes: &'a [u8], base: u64) -> Result<Self, BinaryError> {
        let (file, arch) = format::open(bytes)?;
        let mut image = Self {
            debug: None,
            arch,
            format: format::describe(&file, arch),
            size: bytes.len(),
            code: Vec::new(),
            data: Vec::new(),
            is_mapped: true,
            moved: HashMap::new(),
            file,
        };
        image.find_code(base)?;
        match &image.file {
            object::File::MachO64(file) => {
                let shift = if image.is_relocatable() { base } else { 0 };
                image.data = mach::data_in_code(file, shift);
            }
            object::File::Elf64(_) if arch == Arch::Aarch64 => {
                let marks = image.marks();
                image.is_mapped = !marks.is_empty() || image.is_relocatable();
                image.data = image.mapped_data(&marks);
            }
            _ => {}
        }
        Ok(image)
    }

    fn find_code(&mut self, base: u64) -> Result<(), BinaryError> {
        let relocatable = self.is_relocatable();
        // Sections of a Mach-O object lie side by side as they would be linked.
        let side_by_side = matches!(self.file, object::File::MachO64(_));
        let mut next = base;
        let mut total = 0u64;
        for section in self.file.sections() {
            if !is_code_section(&section) {
                continue;
            }
            if self.code.len() >= MOST_SECTIONS {
                return Err(BinaryError::malformed(
                    "the section table",
                    format!("more executable sections than the limit of {MOST_SECTIONS}"),
                ));
            }
            let name = match relocatable {
                true => merged_name(section_name(&section)),
                false => section_name(&section),
            };
            let malformed =
                |reason: String| BinaryError::malformed(format!("section {name}"), reason);
            let bytes = section
                .data()
                .map_err(|error| malformed(error.to_string()))?;
            // Sections that share bytes would be counted once for each.
            total += bytes.len() as u64;
            if total > self.size as u64 {
                return Err(malformed(format!(
                    "with it the executable sections have {total} bytes, and the file {}: they \
                     overlap in the file",
                    self.size
                )));
            }
            let own = section.address();
            let shift = match (relocatable, side_by_side) {
                (true, true) => base,
                (true, false) => next.wrapping_sub(own),
                (false, _) => 0,
            };
            let address = own.wrapping_add(shift);
            let Some(end) = address.checked_add(bytes.len() as u64) else {
                let reason = format!("address {address:#x} plus its size wraps around");
                return Err(malformed(reason));
            };
            if relocatable {
                self.moved.insert(section.index(), shift);
                next = end.saturating_add(1).next_multiple_of(ALIGNMENT);
            }
            if !bytes.is_empty() {
                self.code.push(CodeSection {
                    named_only: name.starts_with(".bolt.org."),
                    name,
                    address,
                    bytes,
                });
            }
        }
        self.code.sort_by_key(|section| section.address);
        for pair in self.code.windows(2) {
            if pair[0].end() > pair[1].address {
                return Err(BinaryError::malformed(
                    format!("the section table, at address {:#x}", pair[1].address),
                    "two executable sections overlap",
                ));
            }
        }
        Ok(())
    }

    /// Whether `address` is in code.
    pub fn is_code(&self, address: u64) -> bool {
        self.section_at(address).is_some()
    }

    /// The code section that holds `address`.
    pub fn section_at(&self, address: u64) -> Option<&CodeSection<'a>> {
        let at = self.code.partition_point(|s| s.end() <= address);
        self.code.get(at).filter(|s| s.address <= address)
    }

    /// Whether nothing is linked yet: sections have no addresses of their own.
    pub fn is_relocatable(&self) -> bool {
        self.file.kind() == ObjectKind::Relocatable
    }

    /// The address of a symbol of `file`, where code has been put.
    pub fn symbol_address<'f>(&self, symbol: &impl ObjectSymbol<'f>) -> u64 {
        let index = symbol.section_index();
        symbol
            .address()
            .wrapping_add(index.map_or(0, |index| self.shift(index)))
    }

    /// What is added to addresses in a section of `file`.
    pub fn shift(&self, section: SectionIndex) -> u64 {
        self.moved.get(&section).copied().unwrap_or(0)
    }

    /// The ABI's mapping symbols: `$d` begins data and `$x` code, up to the next of them in
    /// the section.
    ///
    /// Source: ELF for the Arm 64-bit Architecture (AArch64), IHI 0056, "Mapping
    /// symbols".
    fn marks(&self) -> Vec<(u64, bool)> {
        let mut marks: Vec<(u64, bool)> = Vec::new();
        for symbol in self.file.symbols() {
            let name = symbol.name_bytes().unwrap_or(b"");
            let ([b'$', kind @ (b'd' | b'x')] | [b'$', kind @ (b'd' | b'x'), b'.', ..]) = name
            else {
                continue;
            };
            let address = self.symbol_address(&symbol);
            if self.is_code(address) {
                marks.push((address, *kind == b'd'));
            }
        }
        // Of two at one address the data is empty: code comes last.
        marks.sort_by_key(|(address, is_data)| (*address, !*is_data));
        marks
    }

    fn mapped_data(&self, marks: &[(u64, bool)]) -> Vec<AddressRange<()>> {
        let mut out = Vec::new();
        for (at, &(start, is_data)) in marks.iter().enumerate() {
            let Some(section) = self.section_at(start).filter(|_| is_data) else {
                continue;
            };
            let next = marks.get(at + 1).map_or(u64::MAX, |(next, _)| *next);
            let end = next.min(section.end());
            if start < end {
                let value = ();
                out.push(AddressRange { start, end, value });
            }
        }
        out
    }
}

/// Whether a section holds instructions, as its flags say.
fn is_code_section<'f>(section: &impl ObjectSection<'f>) -> bool {
    match section.flags() {
        SectionFlags::Elf { sh_flags, .. } => sh_flags.contains(elf::SHF_EXECINSTR),
        SectionFlags::MachO { flags, .. } => {
            flags.intersects(macho::S_ATTR_PURE_INSTRUCTIONS | macho::S_ATTR_SOME_INSTRUCTIONS)
        }
        SectionFlags::Coff { characteristics } => {
            characteristics.intersects(pe::IMAGE_SCN_MEM_EXECUTE | pe::IMAGE_SCN_CNT_CODE)
        }
        _ => false,
    }
}

fn section_name<'f>(section: &impl ObjectSection<'f>) -> String {
    let name = String::from_utf8_lossy(section.name_bytes().unwrap_or(b"?")).into_owned();
    match section.segment_name() {
        Ok(Some(segment)) if !segment.is_empty() => format!("{segment},{name}"),
        _ => name,
    }
}

/// The section that the linker will put one of an object into: compilers give
/// every function its own (`.text.unlikely.main`, `.text$mn`).
fn merged_name(name: String) -> String {
    let mut dots = name.match_indices(['.', '$']).map(|(at, _)| at);
    match dots.find(|at| *at > 0) {
        Some(end) => name[..end].to_string(),
        None => name,
    }
}
