//! Variables of threads: the copies of all threads are taken for one, which lies at an address
//! that no file has.
//!
//! Source: ELF Handling For Thread-Local Storage (Drepper), variant I: the block of the program
//! begins 16 bytes behind what `tpidr_el0` holds, aligned as it asks.

use super::Program;
use karat_binary::read::image::Image;
use object::{Object, ObjectSection, SectionFlags, SectionKind};

/// What `tpidr_el0` holds.
pub(in crate::a64) const THREAD: u64 = 0xffff_b000_0000_0000;
/// What lies there first is the C library's.
const HEAD: u64 = 16;

impl<'a> Program<'a> {
    pub(super) fn read_threads(&mut self, image: &Image<'a>) {
        let is_thread = |section: &object::Section<'a, '_>| match section.flags() {
            SectionFlags::Elf { sh_flags, .. } => sh_flags.contains(object::elf::SHF_TLS),
            _ => false,
        };
        let sections: Vec<_> = image.file.sections().filter(is_thread).collect();
        let Some(start) = sections.iter().map(|section| section.address()).min() else {
            return;
        };
        let aligned = sections.iter().map(|section| section.align()).max();
        let first = HEAD.next_multiple_of(aligned.unwrap_or(1).max(1));
        let mut end = THREAD;
        for section in sections {
            let at = THREAD + first + (section.address() - start);
            end = end.max(at.saturating_add(section.size()));
            if section.kind() != SectionKind::UninitializedTls
                && let Ok(bytes) = section.data()
            {
                self.contents.push((at, bytes));
            }
        }
        self.contents.sort_unstable_by_key(|(start, _)| *start);
        self.writable.push((THREAD + first, end));
    }
}
