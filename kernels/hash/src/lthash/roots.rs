//! Root blocks of many elements.

use crate::blake3::hasher::{Chunk, PLAIN, output_of};
use crate::blake3::kernel::XofJob;
use crate::blake3::many::bodies;
use crate::blake3::raw::flags;
use crate::blake3::tree::Serial;
use crate::blake3::{BLOCK_LEN, CHUNK_LEN};

/// Elements that are taken together.
const GROUP: usize = 32;

/// Flags of an element of at most a block: its root is its only block.
pub(crate) const FLAGS: u32 = flags::CHUNK_START | flags::CHUNK_END | flags::ROOT;

/// Gives `use_root` the root block of an input. One of exactly a block is its own.
#[inline]
pub(crate) fn one<R>(input: &[u8], use_root: impl FnOnce(&XofJob) -> R) -> R {
    if let Ok(block) = input.try_into() {
        return use_root(&XofJob {
            block,
            cv: &PLAIN.key,
            counter: 0,
            len: BLOCK_LEN as u32,
            flags: FLAGS,
        });
    }
    use_root(&output_of::<Serial>(&PLAIN, input).xof())
}

/// Calls `use_root` with the root block of each input. Blocks before the root
/// are compressed in the lanes for inputs of one chunk; longer inputs fill the
/// lanes alone, and those of one block have none.
pub(crate) fn each(inputs: &[&[u8]], mut use_root: impl FnMut(&XofJob)) {
    let mode = &PLAIN;
    for group in inputs.chunks(GROUP) {
        let mut cvs = [mode.key; GROUP];
        let sharing = |input: &&&[u8]| (BLOCK_LEN + 1..=CHUNK_LEN).contains(&input.len());
        let shared = group.iter().filter(sharing).count() > 1;
        if shared {
            bodies(mode, group, &mut cvs[..group.len()]);
        }
        for (input, cv) in group.iter().zip(cvs) {
            if shared && sharing(&input) {
                use_root(&Chunk::after(mode, input, cv).xof());
            } else {
                one(input, &mut use_root);
            }
        }
    }
}
