//! Read-only data of an image, by address.

use crate::image::Image;
use object::{Object, ObjectSection, SectionFlags};

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
            if let SectionFlags::Elf { sh_flags, .. } = section.flags()
                && sh_flags.contains(object::elf::SHF_ALLOC)
                && !sh_flags.contains(object::elf::SHF_WRITE)
                && !sh_flags.contains(object::elf::SHF_EXECINSTR)
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
