//! One piece of code as what a fingerprint can be compared with.

use super::memory::Memory;
use super::mix::{Counter, Mix, key};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use karat_binary::brief::Briefs;
use karat_binary::read::image::Image;
use karat_binary::x86::table;

/// Distinct constants kept of one piece. Of a function with more, a fingerprint
/// could not tell which matter.
const MOST: usize = 512;

/// Code with its mix and its constants.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    pub start: u64,
    /// Behind the last instruction that is no padding.
    pub end: u64,
    pub mix: Mix,
    /// First 16 bytes of read-only data that it loads into vector registers or
    /// takes the address of, in order of first use.
    pub loads: Vec<[u8; 16]>,
    /// Immediates and displacements that are no small numbers and no addresses.
    pub immediates: Vec<u64>,
    /// Addresses of the data behind `loads`.
    pub references: Vec<u64>,
}

/// Decodes ranges of code (of one function, in address order).
pub(super) fn collect(image: &Image<'_>, memory: &Memory<'_>, ranges: &[(u64, u64)]) -> Piece {
    let mut piece = Piece {
        start: ranges.first().map_or(0, |range| range.0),
        ..Piece::default()
    };
    let mut counter = Counter::new();
    let mut instruction = Instruction::default();
    let codes = &table().codes[..];
    for &(start, end) in ranges {
        let Some(bytes) = code_at(image, start, end) else {
            continue;
        };
        let mut decoder = Decoder::with_ip(64, bytes, start, DecoderOptions::NONE);
        while decoder.can_decode() {
            decoder.decode_out(&mut instruction);
            if instruction.is_invalid() || is_padding(&instruction) {
                continue;
            }
            piece.end = instruction.next_ip();
            let is_memory = |operand| instruction.op_kind(operand) == OpKind::Memory;
            let has_memory = (0..instruction.op_count()).any(is_memory);
            let width = codes[instruction.code() as usize].width_with(has_memory);
            counter.add(key(instruction.mnemonic(), width), 1);
            note_constants(image, memory, &instruction, width, &mut piece);
        }
    }
    piece.mix = counter.take();
    piece
}

/// The mix alone, which is quickly told; none where not all bytes are instructions.
pub(super) fn mix(image: &Image<'_>, ranges: &[(u64, u64)]) -> Option<Mix> {
    let mut counter = Counter::new();
    let codes = &table().codes[..];
    for &(start, end) in ranges {
        let bytes = code_at(image, start, end).unwrap_or_default();
        let mut briefs = Briefs::new(bytes, start);
        let mut at = start;
        while at < start + bytes.len() as u64 {
            let brief = briefs.at(at)?;
            let info = codes[usize::from(brief.code)];
            if !info.is_padding() {
                counter.add(key(info.mnemonic, info.width(&brief)), 1);
            }
            at += u64::from(brief.length);
        }
    }
    Some(counter.take())
}

/// The code from `start` to `end`, cut at the end of its section.
pub(crate) fn code_at<'a>(image: &Image<'a>, start: u64, end: u64) -> Option<&'a [u8]> {
    let at = image.code.partition_point(|s| s.end() <= start);
    let section = image.code.get(at).filter(|s| s.address <= start)?;
    let end = end.min(section.end());
    let offset = |address: u64| (address - section.address) as usize;
    section.bytes.get(offset(start)..offset(end.max(start)))
}

/// What fills the room between functions and before loops.
pub(super) fn is_padding(instruction: &Instruction) -> bool {
    matches!(instruction.mnemonic(), Mnemonic::Nop | Mnemonic::Int3)
}

fn note_constants(
    image: &Image<'_>,
    memory: &Memory<'_>,
    instruction: &Instruction,
    width: u8,
    piece: &mut Piece,
) {
    for operand in 0..instruction.op_count() {
        let value = match instruction.op_kind(operand) {
            OpKind::Immediate32 => u64::from(instruction.immediate32()),
            OpKind::Immediate64 => instruction.immediate64(),
            OpKind::Immediate32to64 => u64::from(instruction.immediate32to64() as u32),
            OpKind::Memory => {
                let is_lea = instruction.mnemonic() == Mnemonic::Lea;
                match fixed_address(instruction) {
                    Some(address) if width > 0 || is_lea => {
                        if let Some(bytes) = memory.sixteen(address)
                            && !image.is_code(address)
                            && is_telling(&bytes)
                        {
                            add(&mut piece.loads, bytes);
                            add(&mut piece.references, address);
                        }
                        continue;
                    }
                    // `lea r, [r + r + 0x428a2f98]` adds a constant.
                    None if is_lea => instruction.memory_displacement64() & 0xffff_ffff,
                    _ => continue,
                }
            }
            _ => continue,
        };
        if is_wide(value) && memory.at(value).is_none() {
            add(&mut piece.immediates, value);
        }
    }
}

/// The address of a memory operand that no register has a part in.
fn fixed_address(instruction: &Instruction) -> Option<u64> {
    if instruction.is_ip_rel_memory_operand() {
        return Some(instruction.ip_rel_memory_address());
    }
    let plain = instruction.memory_base() == Register::None
        && instruction.memory_index() == Register::None
        && instruction.segment_prefix() == Register::None;
    plain.then(|| instruction.memory_displacement64())
}

/// Whether 16 bytes tell more than a number repeated.
fn is_telling(bytes: &[u8; 16]) -> bool {
    let mut seen = *bytes;
    seen.sort_unstable();
    seen.windows(2).filter(|pair| pair[0] != pair[1]).count() >= 3
}

/// Whether a number is no size, mask, or small negative number.
fn is_wide(value: u64) -> bool {
    let masks = |v: u64| v & v.wrapping_add(1) == 0 || v & v.wrapping_sub(1) == 0;
    let short = value as u32;
    let is_negative = value >> 32 == 0 && short >= 0xffff_0000;
    let is_mask = masks(value) || masks(!value) || masks(u64::from(!short));
    value >= 0x1_0000 && !is_negative && !is_mask
}

fn add<T: PartialEq>(list: &mut Vec<T>, value: T) {
    if list.len() < MOST && !list.contains(&value) {
        list.push(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_binary::read::symbols::Symbols;

    #[test]
    fn the_mix_alone_is_that_of_the_piece() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let image = Image::parse(&own).unwrap();
        if image.arch != karat_binary::read::format::Arch::X86_64 {
            return;
        }
        let memory = Memory::read(&image);
        let (mut all, mut with_vectors) = (0, 0);
        for range in Symbols::read(&image).ranges.iter().step_by(3) {
            let ranges = [(range.start, range.end)];
            let Some(mix) = mix(&image, &ranges) else {
                continue;
            };
            assert_eq!(
                mix,
                collect(&image, &memory, &ranges).mix,
                "{:#x}",
                range.start
            );
            all += 1;
            with_vectors += usize::from(mix.vector() > 16);
        }
        assert!(all > 1000 && with_vectors > 20, "{all} {with_vectors}");
    }
}
