// Blocks of integers of a search index, packed into as few bits as they need: a packer is a value
// that holds which instruction set its methods go to, made by `new`, and copied into readers.
use std::arch::x86_64::*;
use std::io::{self, Write};

pub trait BitPacker: Sized + Clone + Copy {
    const BLOCK_LEN: usize;
    fn new() -> Self;
    fn num_bits(&self, block: &[u32]) -> u8;
    fn compress(&self, block: &[u32], out: &mut Vec<u8>, bits: u8);
    fn sum(&self, block: &[u32]) -> u64;
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum InstructionSet {
    #[cfg_attr(BAD, default)]
    Avx2,
    #[cfg_attr(not(BAD), default)]
    Scalar,
}
#[derive(Clone, Copy, Default)]
pub struct BitPacker8x(InstructionSet);

mod scalar {
    pub fn or_all(block: &[u32]) -> u32 {
        block.iter().fold(0, |all, x| all | x)
    }
    pub fn sum(block: &[u32]) -> u64 {
        block.iter().map(|&x| x as u64).sum()
    }
}
mod avx2 {
    use super::*;
    pub fn available() -> bool {
        is_x86_feature_detected!("avx2")
    }
    #[target_feature(enable = "avx2")]
    pub unsafe fn or_all(block: &[u32]) -> u32 {
        let mut all = _mm256_setzero_si256();
        for chunk in block.chunks_exact(8) {
            // SAFETY: a chunk has as many numbers as are loaded.
            all = _mm256_or_si256(all, unsafe { _mm256_loadu_si256(chunk.as_ptr().cast()) });
        }
        let mut part = [0u32; 8];
        // SAFETY: it has room for all that is stored.
        unsafe { _mm256_storeu_si256(part.as_mut_ptr().cast(), all) };
        scalar::or_all(&part)
    }
    #[target_feature(enable = "avx2")]
    pub unsafe fn sum(block: &[u32]) -> u64 {
        let mut all = _mm256_setzero_si256();
        for chunk in block.chunks_exact(4) {
            // SAFETY: a chunk has as many numbers as are loaded.
            all = _mm256_add_epi64(all, _mm256_cvtepu32_epi64(unsafe { _mm_loadu_si128(chunk.as_ptr().cast()) }));
        }
        let mut part = [0u64; 4];
        // SAFETY: it has room for all that is stored.
        unsafe { _mm256_storeu_si256(part.as_mut_ptr().cast(), all) };
        part.iter().sum()
    }
}
impl BitPacker for BitPacker8x {
    const BLOCK_LEN: usize = 256;
    fn new() -> Self {
        BitPacker8x(if avx2::available() { InstructionSet::Avx2 } else { InstructionSet::Scalar })
    }
    fn num_bits(&self, block: &[u32]) -> u8 {
        assert_eq!(block.len(), Self::BLOCK_LEN);
        let all = match self.0 {
            // SAFETY: it was chosen by what the CPU was asked, or not: the labels tell which.
            InstructionSet::Avx2 => unsafe { avx2::or_all(block) },
            InstructionSet::Scalar => scalar::or_all(block),
        };
        32 - all.leading_zeros() as u8
    }
    fn compress(&self, block: &[u32], out: &mut Vec<u8>, bits: u8) {
        let (mut held, mut used) = (0u64, 0);
        for &x in block {
            held |= (x as u64) << used;
            used += bits as u32;
            while used >= 8 {
                out.push(held as u8);
                held >>= 8;
                used -= 8;
            }
        }
        if used > 0 {
            out.push(held as u8);
        }
    }
    fn sum(&self, block: &[u32]) -> u64 {
        match self.0 {
            // SAFETY: the set is AVX2 only where the CPU was asked for it; where it was not, that is
            // the fault which the label is of.
            InstructionSet::Avx2 => unsafe { avx2::sum(block) },
            InstructionSet::Scalar => scalar::sum(block),
        }
    }
}

struct Segment<P> {
    packer: P,
    data: Vec<u8>,
    skips: Vec<(u8, u64)>,
}
struct SegmentWriter<P> {
    packer: P,
    pending: Vec<u32>,
    segment: Segment<P>,
}
impl SegmentWriter<BitPacker8x> {
    fn create() -> Self {
        // The writer takes what `new` says; the reader's is made by Default where the twin is wrong.
        let packer = BitPacker8x::new();
        #[cfg(BAD)]
        let reader = BitPacker8x::default();
        #[cfg(not(BAD))]
        let reader = packer;
        let segment = Segment { packer: reader, data: Vec::new(), skips: Vec::new() };
        Self { packer, pending: Vec::with_capacity(BitPacker8x::BLOCK_LEN), segment }
    }
    fn add(&mut self, doc: u32) {
        self.pending.push(doc);
        if self.pending.len() == BitPacker8x::BLOCK_LEN {
            let bits = self.packer.num_bits(&self.pending);
            self.packer.compress(&self.pending, &mut self.segment.data, bits);
            self.segment.skips.push((bits, self.segment.packer.sum(&self.pending)));
            self.pending.clear();
        }
    }
    fn finish(self) -> Segment<BitPacker8x> {
        self.segment
    }
}
fn main() -> io::Result<()> {
    let docs: u32 = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(1024);
    let mut writer = SegmentWriter::create();
    for doc in 0..docs {
        writer.add(doc.wrapping_mul(2_654_435_761) >> (12 + doc / 256));
    }
    let segment = writer.finish();
    for (n, (bits, sum)) in segment.skips.iter().enumerate() {
        let block: Vec<u32> = (0..256).map(|i| n as u32 * 256 + i).map(|d| d.wrapping_mul(2_654_435_761) >> (12 + d / 256)).collect();
        if scalar::sum(&block) != *sum || 32 - scalar::or_all(&block).leading_zeros() as u8 != *bits {
            std::process::exit(1);
        }
    }
    writeln!(io::stdout(), "{} blocks in {} bytes by {:?}", segment.skips.len(), segment.data.len(), segment.packer.0)
}
