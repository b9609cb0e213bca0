//! Code that no function covers and the census leaves out.
//!
//! BOLT moves the functions it knows and leaves the rest where it was, in
//! `.bolt.org.*`: dead copies of what it moved, and live assembly without
//! symbols. Decoding all of it would cost as much as the audit, so only parts
//! with as many prefix bytes of vector instructions as a kernel has are
//! decoded.

use karat_binary::ranges::AddressRange;
use karat_binary::read::image::CodeSection;

/// Bytes that are judged together.
const BLOCK: usize = 1024;
/// Prefix bytes of vector instructions that a block of a kernel has at least. Of
/// other code, where any byte is as likely, it would have 16: 4 in 256.
const LEAST_PREFIXES: usize = 64;
/// What is decoded before and behind dense blocks.
const AROUND: usize = 2 * BLOCK;

/// Dense parts of a section that no range covers, in address order.
pub(super) fn dense(section: &CodeSection<'_>, ranges: &[AddressRange<u32>]) -> Vec<(u64, u64)> {
    let mut out: Vec<(u64, u64)> = Vec::new();
    let mut at = section.address;
    let first = ranges.partition_point(|range| range.end <= section.address);
    let inside = ranges[first..]
        .iter()
        .take_while(|s| s.start < section.end());
    for (start, end) in inside
        .map(|range| (range.start, range.end))
        .chain([(section.end(), section.end())])
    {
        if at < start {
            dense_parts(section, at, start, &mut out);
        }
        at = at.max(end);
    }
    out
}

fn dense_parts(section: &CodeSection<'_>, start: u64, end: u64, out: &mut Vec<(u64, u64)>) {
    let offset = (start - section.address) as usize;
    let bytes = &section.bytes[offset..(end - section.address) as usize];
    for (number, block) in bytes.chunks(BLOCK).enumerate() {
        if prefixes(block) < LEAST_PREFIXES {
            continue;
        }
        let from = start + (number * BLOCK).saturating_sub(AROUND) as u64;
        let to = end.min(start + ((number + 1) * BLOCK + AROUND) as u64);
        // Functions begin at multiples of 16 at least.
        let from = (from & !15).max(start);
        match out.last_mut() {
            Some(last) if last.1 >= from && last.0 >= start => last.1 = to,
            _ => out.push((from, to)),
        }
    }
}

/// Bytes that may begin a vector instruction: EVEX, VEX, and 0F behind an
/// operand-size prefix (Intel SDM volume 2, 2.1, 2.3 and 2.7).
fn prefixes(block: &[u8]) -> usize {
    let wide = block.iter().filter(|b| matches!(b, 0x62 | 0xc4 | 0xc5));
    let sse = block.windows(2).filter(|pair| pair[..] == [0x66, 0x0f]);
    wide.count() + sse.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_blocks_outside_of_spans_are_found() {
        let mut bytes = vec![0x90u8; 64 * BLOCK];
        for at in (20 * BLOCK..22 * BLOCK)
            .chain(40 * BLOCK..41 * BLOCK)
            .step_by(6)
        {
            bytes[at] = 0x62;
        }
        let section = CodeSection {
            name: ".bolt.org.text".into(),
            address: 0x10_0000,
            bytes: &bytes,
            named_only: true,
        };
        let at = |block: u64| 0x10_0000 + block * BLOCK as u64;
        assert_eq!(dense(&section, &[]), [(at(18), at(24)), (at(38), at(43))]);
        let covered = AddressRange {
            start: at(40),
            end: at(41),
            value: 0,
        };
        assert_eq!(dense(&section, &[covered]), [(at(18), at(24))]);
    }
}
