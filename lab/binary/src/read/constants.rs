//! Constants between the functions of AArch64 files that do not say where they lie.
//!
//! Assembly keeps tables and texts in its code. Mapping symbols tell them, and stripped libraries
//! have none. They decode: Red Hat's libcrypto 1.1.1k had 3,625 instructions of SVE by them.
//!
//! What a symbol or the unwind table gives to a function is code. In between only that is code
//! to which something leads: a jump or a call, a pointer in data, a symbol, or an address that
//! code takes and does not load from, if what lies there may be code. Where code jumps by a
//! register between functions, all up to the next known start may be its targets.

use crate::a64::addresses::{Addresses, Seen};
use crate::a64::classify;
use crate::a64::decode::{Control, control};
use crate::ranges::{AddressRange, push_merged};
use crate::read::dynamic::{Dynamic, relas, relr, u64_at};
use crate::read::image::{CodeSection, Image};
use object::{Object, ObjectSection};
use std::collections::BTreeSet;

/// What lies between functions.
struct Gap<'a> {
    start: u64,
    bytes: &'a [u8],
    /// By word: something leads there.
    reached: Vec<bool>,
}

impl Gap<'_> {
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    fn word(&self, number: usize) -> u32 {
        let four = &self.bytes[4 * number..4 * number + 4];
        u32::from_le_bytes([four[0], four[1], four[2], four[3]])
    }
}

/// Places in gaps that code names.
#[derive(Default)]
struct Named {
    /// Their addresses are taken.
    taken: BTreeSet<u64>,
    /// They are loaded from.
    loaded: BTreeSet<u64>,
    /// They were taken for code once.
    tried: BTreeSet<u64>,
}

struct Search<'g, 'a> {
    gaps: &'g mut [Gap<'a>],
    /// Where code is known to begin.
    starts: &'g BTreeSet<u64>,
    named: Named,
    todo: Vec<u64>,
    /// What follows jumps by a register.
    jumps: Vec<u64>,
}

/// Data in a linked file, given what functions own and where others are known to begin. Both
/// are sorted.
pub(super) fn find(
    image: &Image<'_>,
    owned: &[AddressRange<()>],
    labels: impl Iterator<Item = u64>,
) -> Vec<AddressRange<()>> {
    let mut gaps: Vec<Gap<'_>> = Vec::new();
    for section in image.code.iter().filter(|section| may_have(section)) {
        gaps_of(section, owned, &mut gaps);
    }
    if gaps.is_empty() {
        return Vec::new();
    }
    let mut starts: BTreeSet<u64> = labels.chain(pointers(image)).collect();
    starts.extend(image.code.iter().map(|section| section.address));
    starts.insert(image.file.entry());
    let mut search = Search {
        gaps: &mut gaps,
        starts: &starts,
        named: Named::default(),
        todo: starts.iter().copied().collect(),
        jumps: Vec::new(),
    };
    for range in owned {
        search.pass(image, range.start, range.end);
    }
    search.go_on(image);
    gaps.iter().flat_map(unreached).collect()
}

/// Linkage stubs have no symbols and nothing else between them.
fn may_have(section: &CodeSection<'_>) -> bool {
    !section.named_only && !matches!(&*section.name, ".plt" | ".iplt" | ".init" | ".fini")
}

/// Adds what is no function's in one section, without what only fills.
fn gaps_of<'a>(section: &CodeSection<'a>, owned: &[AddressRange<()>], gaps: &mut Vec<Gap<'a>>) {
    let mut at = section.address;
    let first = owned.partition_point(|range| range.end <= at);
    let inside = owned[first..].iter();
    let end = AddressRange {
        start: section.end(),
        end: section.end(),
        value: (),
    };
    for range in inside
        .take_while(|range| range.start < section.end())
        .chain([&end])
    {
        let start = at.next_multiple_of(4);
        if start < range.start {
            let low = (start - section.address) as usize;
            let bytes = &section.bytes[low..(range.start - section.address) as usize];
            let gap = Gap {
                start,
                bytes,
                reached: vec![false; bytes.len() / 4],
            };
            if (0..gap.reached.len()).any(|number| !fills(gap.word(number))) {
                gaps.push(gap);
            }
        }
        at = at.max(range.end);
    }
}

/// `udf #0`, `nop`.
fn fills(word: u32) -> bool {
    matches!(word, 0 | 0xd503_201f)
}

/// What pointers in data lead to, and what runs first and last.
fn pointers(image: &Image<'_>) -> Vec<u64> {
    let (mut out, mut words) = (Vec::new(), Vec::new());
    let mut is_fixed = true;
    for section in image.file.sections() {
        let bytes = section.data().unwrap_or(&[]);
        let name = section.name_bytes().unwrap_or(b"");
        let address = section.address();
        match name {
            _ if name.starts_with(b".rela") => {
                // R_AARCH64_RELATIVE, IRELATIVE
                let own = relas(bytes).filter(|rela| matches!(rela.kind, 1027 | 1032));
                let before = out.len();
                out.extend(own.map(|rela| rela.addend));
                is_fixed &= out.len() == before;
            }
            b".relr.dyn" => {
                is_fixed = false;
                let places = relr(bytes).into_iter();
                let contents: Vec<_> = image.file.sections().collect();
                out.extend(places.filter_map(|place| {
                    let inside = |s: &&object::Section<'_, '_>| {
                        s.address() > 0 && (s.address()..s.address() + s.size()).contains(&place)
                    };
                    let of = contents.iter().find(inside)?;
                    u64_at(of.data().ok()?, (place - of.address()) as usize)
                }));
            }
            b".dynamic" => out.extend(Dynamic::of(bytes).runs),
            _ if address > 0 && image.section_at(address).is_none() => {
                let skip = (address.wrapping_neg() & 7) as usize;
                words.push(bytes.get(skip..).unwrap_or(&[]).chunks_exact(8));
            }
            _ => {}
        }
    }
    // A file that is not relocated has them as they are.
    if is_fixed {
        out.extend(
            words
                .into_iter()
                .flatten()
                .filter_map(|word| u64_at(word, 0)),
        );
    }
    out.retain(|to| to & 3 == 0 && image.is_code(*to));
    out
}

impl Search<'_, '_> {
    /// The gap that an address is in, and which of its words that is.
    fn place(&self, address: u64) -> Option<(usize, usize)> {
        let at = self.gaps.partition_point(|gap| gap.end() <= address);
        let gap = self.gaps.get(at).filter(|gap| gap.start <= address)?;
        let number = ((address - gap.start) / 4) as usize;
        (number < gap.reached.len()).then_some((at, number))
    }

    /// Goes through code in order, and notes what it names and leads to.
    fn pass(&mut self, image: &Image<'_>, start: u64, end: u64) {
        let Some(section) = image.section_at(start) else {
            return;
        };
        let start = start.next_multiple_of(4);
        let low = (start - section.address) as usize;
        let high = (end.min(section.end()) - section.address) as usize;
        let bytes = section.bytes.get(low..high).unwrap_or(&[]);
        let mut addresses = Addresses::default();
        for (at, four) in (start..).step_by(4).zip(bytes.chunks_exact(4)) {
            let word = u32::from_le_bytes([four[0], four[1], four[2], four[3]]);
            self.one(word, at, &mut addresses);
        }
    }

    fn one(&mut self, word: u32, at: u64, addresses: &mut Addresses) {
        // With an index added it is the same table.
        let indexed = match word & 0xff00_0000 {
            0x8b00_0000 => {
                let (first, second) = ((word >> 5 & 31) as usize, (word >> 16 & 31) as usize);
                addresses.of(first).or(addresses.of(second))
            }
            _ => None,
        };
        match addresses.step(word, at) {
            Seen::Leads(Control::Call(to) | Control::Jump(to) | Control::Branch(to, _))
                if (self.place(to)).is_some_and(|(gap, word)| !self.gaps[gap].reached[word]) =>
            {
                self.todo.push(to);
            }
            Seen::Named(to) if self.place(to).is_some() => {
                self.named.taken.insert(to);
            }
            Seen::Moved(moved) if moved.loads => {
                self.named.loaded.extend([moved.base, moved.place]);
            }
            Seen::Literal(place) => {
                self.named.loaded.insert(place);
            }
            _ => {}
        }
        if let Some(base) = indexed {
            addresses.put((word & 31) as usize, base);
        }
    }

    /// Until nothing more is reached.
    fn go_on(&mut self, image: &Image<'_>) {
        loop {
            while let Some(to) = self.todo.pop() {
                self.run(to);
            }
            self.name();
            // What is taken and not loaded from is code.
            for to in std::mem::take(&mut self.named.taken) {
                let is_new = !self.named.loaded.contains(&to) && self.named.tried.insert(to);
                if is_new && self.may_be_code(image, to) {
                    self.todo.push(to);
                }
            }
            if self.todo.is_empty() {
                // Which tables lie behind jumps is known by now.
                for jump in std::mem::take(&mut self.jumps) {
                    self.targets(jump);
                }
            }
            if self.todo.is_empty() {
                return;
            }
        }
    }

    /// Whether what begins there comes to an end, and leads nowhere but to code, by words that
    /// are instructions. A table that is given to others is taken and not loaded from too.
    fn may_be_code(&self, image: &Image<'_>, from: u64) -> bool {
        let Some((gap, first)) = self.place(from) else {
            return false;
        };
        let gap = &self.gaps[gap];
        for number in first..gap.reached.len() {
            let word = gap.word(number);
            match control(word, gap.start + 4 * number as u64) {
                Control::Next if classify(word).is_none() => return false,
                Control::Call(to) | Control::Branch(to, _) if !image.is_code(to) => return false,
                Control::Jump(to) => return image.is_code(to),
                Control::Return | Control::Stop | Control::JumpRegister(_) => return true,
                _ => {}
            }
        }
        true
    }

    /// Goes on from a place to where that ends.
    fn run(&mut self, from: u64) {
        let Some((gap, mut number)) = self.place(from).filter(|_| from & 3 == 0) else {
            return;
        };
        while number < self.gaps[gap].reached.len() && !self.gaps[gap].reached[number] {
            self.gaps[gap].reached[number] = true;
            let at = self.gaps[gap].start + 4 * number as u64;
            let word = self.gaps[gap].word(number);
            match control(word, at) {
                Control::Next | Control::CallRegister(_) => {}
                Control::Call(to) | Control::Branch(to, _) => self.todo.push(to),
                Control::Jump(to) => {
                    self.todo.push(to);
                    break;
                }
                Control::Return | Control::Stop => break,
                Control::JumpRegister(_) => {
                    self.jumps.push(at + 4);
                    break;
                }
            }
            number += 1;
        }
    }

    /// All up to the next start may be where a jump by a register leads.
    fn targets(&mut self, from: u64) {
        let mut next = self.starts.range(from..);
        let mut tables = self.named.loaded.range(from..);
        let end = next.next().into_iter().chain(tables.next()).min();
        let end = end.copied().unwrap_or(u64::MAX);
        let Some((gap, first)) = self.place(from) else {
            return;
        };
        let gap = &self.gaps[gap];
        let open = (first..gap.reached.len()).filter(|number| !gap.reached[*number]);
        let words = open.map(|number| gap.start + 4 * number as u64);
        self.todo.extend(words.take_while(|at| *at < end));
    }

    /// What code in gaps names.
    fn name(&mut self) {
        for gap in 0..self.gaps.len() {
            let mut addresses = Addresses::default();
            for number in 0..self.gaps[gap].reached.len() {
                if !self.gaps[gap].reached[number] {
                    addresses.forget();
                    continue;
                }
                let at = self.gaps[gap].start + 4 * number as u64;
                let word = self.gaps[gap].word(number);
                self.one(word, at, &mut addresses);
            }
        }
    }
}

/// What nothing leads to in a gap, but for what only fills.
fn unreached(gap: &Gap<'_>) -> Vec<AddressRange<()>> {
    let mut out = Vec::new();
    for (number, is_reached) in gap.reached.iter().enumerate() {
        let start = gap.start + 4 * number as u64;
        if !is_reached {
            let (end, value) = (start + 4, ());
            push_merged(&mut out, AddressRange { start, end, value });
        }
    }
    out.retain(|range| {
        let first = ((range.start - gap.start) / 4) as usize;
        let last = ((range.end - gap.start) / 4) as usize;
        (first..last).any(|number| !fills(gap.word(number)))
    });
    out
}
