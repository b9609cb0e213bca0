//! The root blocks of many elements.

use crate::body::XofJob;
use crate::hasher::{Chunk, PLAIN, output_of};
use crate::many::bodies;
use crate::raw::flags;
use crate::tree::Serial;
use crate::{BLOCK_LEN, CHUNK_LEN};

/// Number of elements that are taken together.
const GROUP: usize = 32;

/// Flags of an element of at most one block: its root is its only block.
pub(crate) const FLAGS: u32 = flags::CHUNK_START | flags::CHUNK_END | flags::ROOT;

/// Calls `use_root` with the root block of an input. An input of exactly one block is
/// its own root block, without a copy.
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

/// Calls `use_root` with the root block of each input. Inputs of one chunk share the
/// lanes for the blocks before the root. Longer inputs fill the lanes alone. Inputs of
/// one block have no block before the root.
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
