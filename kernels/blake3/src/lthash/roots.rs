//! The root blocks of many elements.

use super::Words;
use crate::body::XofJob;
use crate::forest::halves;
use crate::hasher::{Chunk, PLAIN, output_of};
use crate::kernel::KERNEL;
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

/// Elements of more than one chunk and of up to this many bytes are hashed together, so
/// that all lanes have a chunk. Longer ones fill the lanes alone, and from the table of
/// a [`forest`](crate::forest) they would be slower (docs/notes/avx2.md).
const TOGETHER: usize = 16 * CHUNK_LEN;

/// How the blocks of an element before its root are made, if others are made so too.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// There are none, or too many.
    Alone,
    /// Of one chunk.
    Chain,
    /// Of several chunks.
    Tree,
}

impl Way {
    fn of(input: &[u8]) -> Self {
        let len = input.len();
        if (BLOCK_LEN + 1..=CHUNK_LEN).contains(&len) {
            Self::Chain
        } else if (CHUNK_LEN + 1..=TOGETHER).contains(&len) {
            Self::Tree
        } else {
            Self::Alone
        }
    }
}

/// Calls `use_root` with the root block of each input, in any order.
fn each(inputs: &[&[u8]], mut use_root: impl FnMut(&XofJob)) {
    for group in inputs.chunks(GROUP) {
        let count = |way| group.iter().filter(|i| Way::of(i) == way).count();
        // Lanes have no use for one.
        let chains = count(Way::Chain) > 1;
        let trees = count(Way::Tree) > 1 && KERNEL.get().0.width > 1;
        if chains {
            each_chain(group, &mut use_root);
        }
        if trees {
            each_tree(group, &mut use_root);
        }
        for input in group {
            let done = match Way::of(input) {
                Way::Alone => false,
                Way::Chain => chains,
                Way::Tree => trees,
            };
            if !done {
                one(input, &mut use_root);
            }
        }
    }
}

/// Adds elements to a sum, or subtracts them, by a function that does it with a root block.
/// Not inlined, because its stack frame is thousands of bytes.
///
/// # Safety
/// The CPU must be able to run `root`.
#[inline(never)]
pub(crate) unsafe fn into(inputs: &[&[u8]], sum: &mut Words, root: unsafe fn(&XofJob, &mut Words)) {
    // SAFETY: the caller's CPU can run it.
    each(inputs, |job| unsafe { root(job, sum) });
}

/// Those of one chunk, from the blocks before the root.
fn each_chain(group: &[&[u8]], mut use_root: impl FnMut(&XofJob)) {
    let mut cvs = [PLAIN.key; GROUP];
    bodies(&PLAIN, group, &mut cvs[..group.len()]);
    for (input, cv) in group.iter().zip(cvs) {
        if Way::of(input) == Way::Chain {
            use_root(&Chunk::after(&PLAIN, input, cv).xof());
        }
    }
}

/// Those of several chunks, from the two chaining values below the root.
fn each_tree(group: &[&[u8]], mut use_root: impl FnMut(&XofJob)) {
    let mut inputs = [&[] as &[u8]; GROUP];
    let mut count = 0;
    for input in group.iter().filter(|i| Way::of(i) == Way::Tree) {
        inputs[count] = input;
        count += 1;
    }
    let mut inputs = &inputs[..count];
    while !inputs.is_empty() {
        let taken = halves(&PLAIN, inputs, |both| {
            use_root(&XofJob {
                block: both.as_flattened().try_into().expect("64 bytes"),
                cv: &PLAIN.key,
                counter: 0,
                len: BLOCK_LEN as u32,
                flags: flags::PARENT | flags::ROOT,
            });
        });
        inputs = &inputs[taken..];
    }
}
