//! Root blocks of many elements.

use crate::blake3::hasher::{output_of, plain};
use crate::blake3::kernel::XofJob;
use crate::blake3::many::bodies;
use crate::blake3::tree::Serial;
use crate::blake3::{BLOCK_LEN, CHUNK_LEN};

/// Elements that are taken together.
const GROUP: usize = 32;

/// Calls `use_root` with the root block of each input. Blocks before the root
/// are compressed in the lanes for inputs of one chunk; longer inputs fill the
/// lanes alone, and those of one block have none.
pub(crate) fn each(inputs: &[&[u8]], mut use_root: impl FnMut(&XofJob)) {
    let mode = plain();
    for group in inputs.chunks(GROUP) {
        let mut cvs = [mode.key; GROUP];
        let sharing = |input: &&&[u8]| (BLOCK_LEN + 1..=CHUNK_LEN).contains(&input.len());
        let shared = group.iter().filter(sharing).count() > 1;
        if shared {
            bodies(&mode, group, &mut cvs[..group.len()]);
        }
        for (input, cv) in group.iter().zip(cvs) {
            let root = if shared && sharing(&input) {
                crate::blake3::hasher::Chunk::after(&mode, input, cv)
            } else {
                output_of::<Serial>(&mode, input)
            };
            use_root(&root.xof());
        }
    }
}
