//! x86-64 instructions in brief: what they are, how long, and which memory they name.
//!
//! The full decoder works out every operand, of which a count and a first look at all code
//! ask little. Which code an instruction has, and how many bytes of immediates, goes by few of
//! its bits: prefixes, opcode, and of the byte behind that the middle three bits and whether
//! memory is named. So each combination is decoded in full once, and what came of it is kept in
//! a table. What goes by more, as some system instructions do, is always decoded in full, and what
//! has EVEX where the same was not decoded lately.
//!
//! Source of the encodings: Intel SDM, volume 2, chapter 2 and appendix A.

mod evex;
mod near;
mod quick;
mod shape;

pub use crate::x86::Brief;
pub use near::Near;
pub use quick::{Quick, Special, Words};

use crate::x86::{NO_BASE, RIP};
use iced_x86::{Decoder, DecoderOptions, Instruction};
use shape::{HAS_MEMORY, IS_BRANCH, IS_FIRST, Shape};

/// The instruction at the start of `head`, which lies at `ip`, if the table knows it.
#[inline(always)]
fn known(head: &[u8; 16], ip: u64) -> Option<Brief> {
    let shape = Shape::of(head)?;
    shaped(&shape, head, ip)
}

/// The same, of what its parts are known of.
#[inline(always)]
fn shaped(shape: &Shape, head: &[u8; 16], ip: u64) -> Option<Brief> {
    let entry = shape.entry();
    let immediate_size = entry.immediate();
    let length = shape.length + immediate_size;
    if entry.is_none() || length > 15 {
        return None;
    }
    let next = ip.wrapping_add(length as u64);
    let modrm = shape.modrm;
    let (mode, low) = (modrm >> 6, modrm & 7);
    let names_memory = shape.has_modrm && mode != 3;
    let has_sib = names_memory && low == 4;
    let number = if has_sib { shape.sib & 7 } else { low };
    let is_bare = mode == 0 && number == 5;
    let base = match (names_memory, is_bare) {
        (false, _) => NO_BASE,
        (_, true) if has_sib => NO_BASE,
        (_, true) => RIP,
        _ => number | (shape.rex & 1) << 3,
    };
    let index = shape.sib >> 3 & 7 | (shape.rex & 2) << 2;
    let displacement_at = shape.modrm_at + 1 + usize::from(has_sib);
    let (displacement, displacement_size) = match mode {
        _ if !names_memory => (0, 0),
        1 => (i64::from(head[displacement_at & 15] as i8), 1),
        0 if !is_bare => (0, 0),
        _ => (signed(head, displacement_at, 4), 8),
    };
    let displacement = match base {
        RIP => next.wrapping_add(displacement as u64),
        _ => displacement as u64,
    };
    let is_branch = entry.has(IS_BRANCH);
    // A short one is asked for of branches only.
    let immediate = match is_branch || immediate_size >= 4 {
        true => signed(head, shape.length, immediate_size) as u64,
        false => 0,
    };
    Some(Brief {
        code: entry.code(),
        length: length as u8,
        has_memory: entry.has(HAS_MEMORY),
        is_first: entry.has(IS_FIRST),
        is_branch,
        has_mask: false,
        has_word: displacement_size >= 4 || !is_branch && immediate_size >= 4,
        base,
        has_index: has_sib && index != 4,
        has_segment: shape.has_segment,
        displacement_size,
        displacement,
        immediate: if is_branch {
            next.wrapping_add(immediate)
        } else {
            immediate
        },
    })
}

/// So many bytes at a place, as a number with its sign.
#[inline(always)]
fn signed(head: &[u8; 16], at: usize, size: usize) -> i64 {
    let all = u128::from_le_bytes(*head) >> ((at & 15) * 8);
    match size {
        0 => 0,
        1 => i64::from(all as i8),
        2 => i64::from(all as i16),
        4 => i64::from(all as i32),
        _ => all as i64,
    }
}

/// Reads the instructions of one section.
pub struct Briefs<'a> {
    bytes: &'a [u8],
    start: u64,
    decoder: Decoder<'a>,
    instruction: Instruction,
}

impl<'a> Briefs<'a> {
    /// Of bytes that lie at an address.
    #[must_use]
    pub fn new(bytes: &'a [u8], start: u64) -> Self {
        Self {
            bytes,
            start,
            decoder: Decoder::with_ip(64, bytes, start, DecoderOptions::NONE),
            instruction: Instruction::default(),
        }
    }

    /// The instruction at an address of the section; none where there is none.
    #[inline(always)]
    pub fn at(&mut self, address: u64) -> Option<Brief> {
        let rest = self.bytes.get((address - self.start) as usize..)?;
        match rest.first_chunk().and_then(|head| known(head, address)) {
            Some(brief) => Some(brief),
            None => self.full(address),
        }
    }

    /// The same of an instruction that [`Quick`] did not know: from now on it may.
    #[inline(always)]
    pub fn learn(&mut self, address: u64) -> Option<Brief> {
        let rest = self.bytes.get((address - self.start) as usize..)?;
        let Some(head) = rest.first_chunk() else {
            return self.full(address);
        };
        let Some(shape) = Shape::of(head) else {
            return self.full(address);
        };
        let Some(brief) = shaped(&shape, head, address) else {
            return self.full(address);
        };
        if shape.is_quick(head) {
            quick::learn(head, &shape, &brief);
        }
        Some(brief)
    }

    /// What is told quickly of the instruction at an address of the section.
    #[inline(always)]
    #[must_use]
    pub fn quick(&self, address: u64) -> Option<Quick> {
        let rest = self.bytes.get((address - self.start) as usize..)?;
        Quick::of(rest.first_chunk()?)
    }

    /// The instruction at an address of the section, if it is a branch that its first bytes tell.
    #[inline(always)]
    #[must_use]
    pub fn near(&self, address: u64) -> Option<Near> {
        let rest = self.bytes.get((address - self.start) as usize..)?;
        Near::of(u64::from_le_bytes(*rest.first_chunk()?), address)
    }

    /// The bytes of the section.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Where the section lies.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Decodes it in full.
    #[inline(never)]
    fn full(&mut self, address: u64) -> Option<Brief> {
        let at = (address - self.start) as usize;
        let head = self.bytes.get(at..).and_then(|rest| rest.first_chunk());
        if let Some(brief) = head.and_then(|head| evex::known(head, address)) {
            return Some(brief);
        }
        self.decoder.set_position(at).ok()?;
        self.decoder.set_ip(address);
        self.decoder.decode_out(&mut self.instruction);
        if self.instruction.is_invalid() {
            return None;
        }
        let brief = Brief::of(&self.instruction);
        if let Some(head) = head {
            evex::learn(head, &self.instruction, &brief);
            if let Some(shape) = Shape::of(head) {
                shape.learn(&self.instruction, &brief);
            }
        }
        Some(brief)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::x86::brief::immediate;
    use iced_x86::OpKind;

    /// Compares what is told quickly with what the full decoder says.
    fn compare_quick(quick: Quick, instruction: &Instruction, bytes: &[u8]) {
        let full = Brief::of(instruction);
        let info = crate::x86::table().codes[instruction.code() as usize];
        let special = quick.special();
        let dull = [info.is_dull(&full), info.is_dull_vector(&full)];
        let told = (quick.length, u8::from(special.has_xmm()));
        let asked = (instruction.len(), info.width(&full));
        assert!(!instruction.is_invalid(), "{bytes:02x?}: {quick:?}");
        assert_eq!(told, asked, "{bytes:02x?}: {instruction:?}");
        let dull_told = [quick.is_dull(), quick.is_dull_vector()];
        assert_eq!(dull_told, dull, "{bytes:02x?}");
        assert_eq!(special.length(), quick.length, "{bytes:02x?}");
        assert!(info.set == 0 && !info.has_mask(&full), "{bytes:02x?}");
        let word = u64::from(special.word(bytes));
        let words = (full.absolute().unwrap_or(0), full.number());
        let has_more = special.has_xmm() || special.words() != Words::None;
        assert_eq!(quick.is_special(), has_more, "{bytes:02x?}");
        let is_right = match special.words() {
            Words::None => full.named().is_none() && words == (0, 0),
            Words::Distance => {
                let to = instruction.next_ip().wrapping_add(word as i32 as u64);
                full.named() == Some(to) && words.1 == 0
            }
            Words::Number => {
                let (one, other) = (words.0 & 0xffff_ffff, words.1 & 0xffff_ffff);
                full.named().is_none() && (one == word && other == 0 || one == 0 && other == word)
            }
            Words::Several => true,
        };
        assert!(is_right, "{bytes:02x?}: {quick:?}, {full:?}");
    }

    /// Compares all that is told of each place with what the full decoder says.
    fn compare(bytes: &[u8], places: impl Iterator<Item = usize>) -> [usize; 4] {
        let mut briefs = Briefs::new(bytes, 0x1000);
        let mut decoder = Decoder::with_ip(64, bytes, 0x1000, DecoderOptions::NONE);
        let (mut all, mut short, mut quickly, mut nears) = (0, 0, 0, 0);
        for at in places {
            let address = 0x1000 + at as u64;
            decoder.set_position(at).unwrap();
            decoder.set_ip(address);
            let instruction = decoder.decode();
            let full = (!instruction.is_invalid()).then(|| Brief::of(&instruction));
            let head = bytes[at..].first_chunk();
            let is_short = head.is_some_and(|head| known(head, address).is_some());
            if let Some(near) = briefs.near(address) {
                let flow = instruction.flow_control();
                let to = instruction.near_branch_target();
                let asked = (flow, instruction.len(), to);
                let told = (near.flow, usize::from(near.length), near.to);
                assert!(instruction.op0_kind() == OpKind::NearBranch64);
                assert_eq!(told, asked, "{:02x?}", &bytes[at..][..8]);
                nears += 1;
            }
            let brief = briefs.at(address);
            let same = |brief: &Brief, instruction: &Instruction| {
                let has_immediate = brief.is_branch || immediate(instruction) != 0;
                let of = |brief: &Brief| {
                    (
                        (brief.code, brief.length, brief.has_memory, brief.is_first),
                        (brief.is_branch, brief.has_mask, brief.named()),
                        (brief.absolute(), brief.distance()),
                        brief.immediate * u64::from(has_immediate),
                    )
                };
                full.as_ref().is_some_and(|full| of(brief) == of(full))
            };
            let is_same = brief
                .as_ref()
                .map_or(full.is_none(), |brief| same(brief, &instruction));
            let shown = &bytes[at..bytes.len().min(at + 15)];
            assert!(is_same, "{shown:02x?}: {brief:?}, in full {full:?}");
            all += 1;
            short += usize::from(is_short);
            let Some(head) = bytes[at..].first_chunk() else {
                continue;
            };
            // What is learnt of this one must hold of all that are like it.
            if let Some(quick) = Quick::of(head) {
                quickly += 1;
                compare_quick(quick, &instruction, shown);
            }
            briefs.learn(address);
            if let Some(quick) = Quick::of(head) {
                compare_quick(quick, &instruction, shown);
            }
        }
        [all, short, quickly, nears]
    }

    #[test]
    fn random_bytes() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        // Often what a compiler writes: prefixes, VEX, two bytes of opcode.
        let often = [
            0x48, 0x66, 0x0f, 0xf3, 0xc5, 0xc4, 0x62, 0x41, 0xe8, 0x64, 0xf2, 0x38,
        ];
        let mut bytes = vec![0; 1 << 20];
        for _ in 0..4 {
            for place in &mut bytes {
                let number = random();
                *place = match number >> 60 {
                    0..=2 => often[(number >> 8) as usize % often.len()],
                    _ => number as u8,
                };
            }
            let [all, short, quickly, nears] = compare(&bytes, 0..bytes.len());
            assert!(short * 3 > all, "{short} of {all}");
            assert!(quickly * 10 > all, "{quickly} of {all}");
            assert!(nears * 20 > all, "{nears} of {all}");
        }
    }

    #[test]
    fn this_program() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let image = crate::read::image::Image::parse(&own).unwrap();
        if image.arch != crate::read::format::Arch::X86_64 {
            return;
        }
        let text = image.code.iter().max_by_key(|section| section.bytes.len());
        let bytes = text.unwrap().bytes;
        let mut decoder = Decoder::with_ip(64, bytes, 0, DecoderOptions::NONE);
        let mut places = Vec::new();
        let mut instruction = Instruction::default();
        while decoder.can_decode() {
            places.push(decoder.position());
            decoder.decode_out(&mut instruction);
        }
        let [all, short, quickly, nears] = compare(bytes, places.into_iter());
        assert!(short * 10 > all * 9, "{short} of {all}");
        assert!(quickly * 10 > all * 8, "{quickly} of {all}");
        assert!(nears * 10 > all, "{nears} of {all}");
    }
}
