//! The two forms of everything, with equal results.

use karat_hash::blake3::raw::{self, Flags, Input, flags};
use karat_hash::blake3::{BLOCK_LEN, CHUNK_LEN, Hasher};
use karat_hash::lthash::LtHash;

/// Bytes of extended output: a lattice hash.
pub const OUTPUT: usize = 2048;

/// The flags of an input that is a whole BLAKE3 message of one chunk.
pub const WHOLE: Flags = Flags {
    every: 0,
    first: flags::CHUNK_START,
    last: flags::CHUNK_END | flags::ROOT,
};

/// Which form a process runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Takes inputs of any lengths, flags and counters; or goes one by one.
    General,
    /// For what all inputs have in common; or all at once.
    Fast,
}

impl Form {
    /// What the variable `FORM` says; general when it is not there.
    pub fn of_environment() -> Result<Self, String> {
        match std::env::var("FORM").as_deref() {
            Ok("fast") => Ok(Self::Fast),
            Ok("general") | Err(_) => Ok(Self::General),
            Ok(other) => Err(format!("FORM is `{other}`; there are general and fast")),
        }
    }

    /// Hashes inputs of one length, whole blocks and at most 1024 bytes.
    pub fn compress(self, inputs: &[&[u8]], out: &mut [[u8; 32]]) {
        match self {
            Self::General => general(inputs, out),
            Self::Fast => raw::compress_many_fast(&raw::IV, inputs, 0, false, WHOLE, out),
        }
    }

    /// The first 2048 bytes of output for an input of 1 to 1024 bytes.
    pub fn output(self, input: &[u8]) -> [u8; OUTPUT] {
        match self {
            Self::General => block_by_block(input),
            Self::Fast => {
                let mut out = [0; OUTPUT];
                Hasher::new().update(input).finalize_xof().fill(&mut out);
                out
            }
        }
    }

    /// The lattice hash of a set.
    pub fn lattice(self, elements: &[&[u8]]) -> LtHash {
        let mut set = LtHash::new();
        match self {
            Self::General => {
                for element in elements {
                    set.add(&LtHash::of(element));
                }
            }
            Self::Fast => {
                set.add_all(elements);
            }
        }
        set
    }
}

/// Inputs of any lengths up to a chunk.
pub fn general(inputs: &[&[u8]], out: &mut [[u8; 32]]) {
    let mut all = [Input {
        bytes: &[],
        counter: 0,
        flags: WHOLE,
    }; 16];
    for (inputs, out) in inputs.chunks(16).zip(out.chunks_mut(16)) {
        for (place, bytes) in all.iter_mut().zip(inputs) {
            place.bytes = bytes;
        }
        raw::compress_many(&raw::IV, &all[..inputs.len()], out);
    }
}

/// Extended output as the BLAKE3 paper defines it (section 2.6): the last block compressed again
/// for every 64 bytes of output, with their number as counter.
fn block_by_block(input: &[u8]) -> [u8; OUTPUT] {
    assert!((1..=CHUNK_LEN).contains(&input.len()), "one chunk");
    let last = (input.len() - 1) / BLOCK_LEN;
    let start = |i| if i == 0 { flags::CHUNK_START } else { 0 };
    let mut cv = raw::IV;
    let (blocks, rest) = input.as_chunks::<BLOCK_LEN>();
    for (i, block) in blocks[..last].iter().enumerate() {
        cv = raw::compress(&cv, block, 0, BLOCK_LEN as u32, start(i));
    }
    let mut block = [0; BLOCK_LEN];
    let rest = blocks.get(last).map_or(rest, |block| block);
    block[..rest.len()].copy_from_slice(rest);
    let flags = start(last) | WHOLE.last;
    let mut out = [0; OUTPUT];
    for (number, out) in out.as_chunks_mut::<BLOCK_LEN>().0.iter_mut().enumerate() {
        let words = raw::compress_extended(&cv, &block, number as u64, rest.len() as u32, flags);
        for (bytes, word) in out.as_chunks_mut::<4>().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
    }
    out
}
