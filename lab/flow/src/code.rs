//! The instructions of a graph: decoded where they are few, as bytes where they are many.
//!
//! An instruction takes 40 bytes when it is decoded and four or five before. Large routines are
//! gone through a block at a time, and few times: to decode each block anew takes less than a
//! tenth of what following it does.

use super::graph::Block;
use super::program::Program;
use iced_x86::{Decoder, DecoderOptions, Instruction};
use std::borrow::Cow;
use std::rc::Rc;

/// Routines with more instructions are kept as bytes.
pub(crate) const DECODED: usize = 8192;

/// The instructions of one routine. A copy costs nothing.
#[derive(Clone)]
pub enum Code {
    /// As they are, in address order.
    Decoded(Rc<Vec<Instruction>>),
    /// The bytes from addresses on, sorted.
    Bytes(Rc<[(u64, Box<[u8]>)]>),
    /// They were read and are not kept.
    Gone,
}

impl Code {
    /// The bytes of a routine; none where it has others than the file.
    pub(crate) fn bytes(program: &Program<'_>, ranges: &[(u64, u64)]) -> Option<Self> {
        let mut all: Vec<(u64, Vec<u8>)> = Vec::with_capacity(ranges.len());
        for &(start, end) in ranges {
            let bytes = program.bytes(start, end)?;
            match all.last_mut() {
                // A block may lie in both.
                Some((first, before)) if *first + before.len() as u64 == start => {
                    before.extend_from_slice(bytes);
                }
                _ => all.push((start, bytes.to_vec())),
            }
        }
        let boxed = all.into_iter().map(|(start, bytes)| (start, bytes.into()));
        Some(Self::Bytes(boxed.collect()))
    }

    /// Bytes that it takes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Decoded(all) => size_of_val(&all[..]),
            Self::Bytes(all) => all.iter().map(|(_, bytes)| bytes.len()).sum(),
            Self::Gone => 0,
        }
    }

    /// The instructions of a block.
    pub(crate) fn of(&self, block: &Block) -> Cow<'_, [Instruction]> {
        match self {
            Self::Decoded(all) => Cow::Borrowed(part(all, block)),
            Self::Bytes(all) => {
                let mut own = Vec::with_capacity(block.count as usize);
                decode(all, block, &mut own);
                Cow::Owned(own)
            }
            Self::Gone => Cow::Borrowed(&[]),
        }
    }

    /// The same, where what has to be decoded takes the place of what was in `room`.
    pub(crate) fn of_in<'l>(
        &'l self,
        block: &Block,
        room: &'l mut Vec<Instruction>,
    ) -> &'l [Instruction] {
        match self {
            Self::Decoded(all) => part(all, block),
            Self::Bytes(all) => {
                room.clear();
                decode(all, block, room);
                room
            }
            Self::Gone => &[],
        }
    }
}

/// The instructions of a block among those of a routine.
fn part<'l>(all: &'l [Instruction], block: &Block) -> &'l [Instruction] {
    let first = block.first as usize;
    let own = all.get(first..first + block.count as usize);
    own.unwrap_or_default()
}

/// Adds the instructions of a block.
fn decode(all: &[(u64, Box<[u8]>)], block: &Block, out: &mut Vec<Instruction>) {
    let at = all.partition_point(|(start, _)| *start <= block.start);
    let bytes = at.checked_sub(1).and_then(|at| {
        let (start, bytes) = &all[at];
        let from = (block.start - start) as usize;
        bytes.get(from..from + (block.end() - block.start) as usize)
    });
    let mut decoder = Decoder::with_ip(
        64,
        bytes.unwrap_or_default(),
        block.start,
        DecoderOptions::NONE,
    );
    while decoder.can_decode() {
        decode_into(&mut decoder, out);
    }
}

/// Adds the next instruction. It is decoded where it stays: what is written in small parts can
/// only be copied once all of them have arrived in memory.
pub(crate) fn decode_into<'l>(
    decoder: &mut Decoder<'_>,
    list: &'l mut Vec<Instruction>,
) -> &'l Instruction {
    let at = list.len();
    list.push(Instruction::default());
    decoder.decode_out(&mut list[at]);
    &list[at]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nexts::Nexts;
    use iced_x86::FlowControl;

    #[test]
    fn bytes_give_what_was_decoded() {
        // nop; jmp to the next; mov eax, 5; ret, and elsewhere add eax, [rip + 1]; ret.
        let (first, second): (&[u8], &[u8]) = (
            &[0x90, 0xeb, 0, 0xb8, 5, 0, 0, 0, 0xc3],
            &[3, 5, 1, 0, 0, 0, 0xc3],
        );
        let parts = [(0x1000, first), (0x2000, second)];
        let decode = |(start, bytes): (u64, &[u8])| -> Vec<Instruction> {
            Decoder::with_ip(64, bytes, start, DecoderOptions::NONE)
                .into_iter()
                .collect()
        };
        let all: Rc<Vec<Instruction>> = Rc::new(parts.into_iter().flat_map(decode).collect());
        let block = |start, size, first, count| Block {
            start,
            size,
            first,
            count,
            next: Nexts::from(&[][..]),
            leaves: false,
            last: FlowControl::Next,
        };
        let blocks = [
            block(0x1000, 3, 0, 2),
            block(0x1003, 6, 2, 2),
            block(0x2000, 7, 4, 2),
        ];
        let bytes = Code::Bytes(parts.map(|(start, bytes)| (start, bytes.into())).into());
        let decoded = Code::Decoded(all.clone());
        let mut seen = Vec::new();
        let mut room = Vec::new();
        for block in &blocks {
            assert_eq!(bytes.of(block), decoded.of(block));
            assert_eq!(*bytes.of_in(block, &mut room), *decoded.of(block));
            assert!(Code::Gone.of(block).is_empty());
            seen.extend(bytes.of(block).iter().map(Instruction::ip));
        }
        let ips: Vec<u64> = all.iter().map(Instruction::ip).collect();
        assert_eq!(seen, ips);
    }
}
