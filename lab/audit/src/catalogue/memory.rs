//! Read-only data of an image, by address.

use karat_binary::read::image::Image;
use object::{Object, ObjectSection, SectionFlags, SectionKind, elf, pe};

/// Bytes that the program cannot change: constants are there.
pub(super) struct Memory<'a> {
    /// Address and bytes, sorted; code among them, since assembly keeps
    /// constants there.
    pub parts: Vec<(u64, &'a [u8])>,
}

impl<'a> Memory<'a> {
    pub fn read(image: &Image<'a>) -> Self {
        let mut parts = Vec::new();
        // Data of objects has no addresses yet.
        let linked = image.file.sections().filter(|_| !image.is_relocatable());
        for section in linked {
            if is_constant(&section)
                // An unreadable part has no constants to offer.
                && let Ok(bytes) = section.data()
            {
                parts.push((section.address(), bytes));
            }
        }
        let code = image.code.iter().filter(|s| !s.named_only);
        parts.extend(code.map(|s| (s.address, s.bytes)));
        parts.retain(|(_, bytes)| !bytes.is_empty());
        parts.sort_by_key(|(address, _)| *address);
        Self { parts }
    }

    /// What lies at an address, up to the end of its section.
    pub fn at(&self, address: u64) -> Option<&'a [u8]> {
        let next = self.parts.partition_point(|(start, _)| *start <= address);
        let (start, bytes) = self.parts[..next].last()?;
        let offset = usize::try_from(address - start).ok()?;
        bytes.get(offset..).filter(|rest| !rest.is_empty())
    }

    /// The 16 bytes at an address, if all are there.
    pub fn sixteen(&self, address: u64) -> Option<[u8; 16]> {
        self.at(address)?.get(..16)?.try_into().ok()
    }
}

/// Whether a section is data that is loaded and not written.
fn is_constant<'a>(section: &impl ObjectSection<'a>) -> bool {
    match section.flags() {
        SectionFlags::Elf { sh_flags, .. } => {
            sh_flags.contains(elf::SHF_ALLOC)
                && !sh_flags.contains(elf::SHF_WRITE)
                && !sh_flags.contains(elf::SHF_EXECINSTR)
        }
        SectionFlags::Coff { characteristics } => {
            characteristics.contains(pe::IMAGE_SCN_CNT_INITIALIZED_DATA)
                && !characteristics.contains(pe::IMAGE_SCN_MEM_WRITE)
                && !characteristics.contains(pe::IMAGE_SCN_MEM_EXECUTE)
        }
        // Mach-O protects segments, and code is not read here.
        SectionFlags::MachO { .. } => {
            let segment = section.segment_name().ok().flatten();
            let is_segment = segment.is_some_and(|name| ["__TEXT", "__DATA_CONST"].contains(&name));
            is_segment && section.kind() != SectionKind::Text
        }
        _ => false,
    }
}
