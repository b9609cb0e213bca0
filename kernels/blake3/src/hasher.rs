//! Incremental hashing. The state is an unfinished chunk and a stack of subtrees.

use super::block::{BLOCK, chunk};
use super::constants::{BLOCK_LEN, CHUNK_BLOCKS, CHUNK_LEN, IV, KEY_LEN, OUT_LEN, flags};
use super::mode::{Cv, Mode};
use super::output::{Output, OutputReader};
use super::tree::{self, Join, Serial};
use super::words;
use core::mem::MaybeUninit;
use karat_hash_core::short;

/// A chunk that may still be incomplete.
#[derive(Clone)]
pub(crate) struct Chunk {
    cv: [u32; 8],
    counter: u64,
    /// Zero behind the bytes held, so that the output is a plain copy.
    block: [u8; BLOCK_LEN],
    /// Bytes held in `block`. A full last block stays there until more input comes.
    held: usize,
    /// Number of blocks that have been compressed.
    blocks: usize,
    flags: u32,
}

impl Chunk {
    fn new(mode: &Mode, counter: u64) -> Self {
        Self {
            cv: mode.key,
            counter,
            block: [0; BLOCK_LEN],
            held: 0,
            blocks: 0,
            flags: mode.flags,
        }
    }

    /// Hashes a whole chunk, or the last chunk, in one step.
    pub(crate) fn of(mode: &Mode, input: &[u8], counter: u64) -> Output {
        debug_assert!(input.len() <= CHUNK_LEN);
        let body = input.len().saturating_sub(1) / BLOCK_LEN;
        let mut cv = mode.key;
        compress_blocks(&mut cv, &input[..body * BLOCK_LEN], counter, mode.flags, 0);
        Self::end(mode, input, counter, cv)
    }

    /// The output of a message of one chunk. All blocks except the last have been
    /// compressed into `cv`.
    pub(crate) fn after(mode: &Mode, input: &[u8], cv: [u32; 8]) -> Output {
        Self::end(mode, input, 0, cv)
    }

    fn end(mode: &Mode, input: &[u8], counter: u64, cv: [u32; 8]) -> Output {
        let body = input.len().saturating_sub(1) / BLOCK_LEN;
        let rest = &input[body * BLOCK_LEN..];
        let mut block = [0; BLOCK_LEN];
        short::copy(&mut block, rest);
        let start = if body == 0 { flags::CHUNK_START } else { 0 };
        Output {
            cv,
            block,
            counter,
            len: rest.len() as u32,
            flags: mode.flags | start | flags::CHUNK_END,
        }
    }

    fn len(&self) -> usize {
        self.blocks * BLOCK_LEN + self.held
    }

    /// Takes all of `input`, which must fit into the chunk.
    fn update(&mut self, mut input: &[u8]) {
        debug_assert!(self.len() + input.len() <= CHUNK_LEN);
        if self.held > 0 {
            let count = input.len().min(BLOCK_LEN - self.held);
            self.block[self.held..self.held + count].copy_from_slice(&input[..count]);
            self.held += count;
            input = &input[count..];
            if input.is_empty() {
                return;
            }
            compress_blocks(
                &mut self.cv,
                &self.block,
                self.counter,
                self.flags,
                self.blocks,
            );
            self.blocks += 1;
            self.block = [0; BLOCK_LEN];
            self.held = 0;
        }
        let body = input.len().saturating_sub(1) / BLOCK_LEN;
        let (whole, rest) = input.split_at(body * BLOCK_LEN);
        // First the copy: what reads the block next waits until its stores are in the cache,
        // and they would go there behind the compression.
        short::copy(&mut self.block, rest);
        self.held = rest.len();
        compress_blocks(&mut self.cv, whole, self.counter, self.flags, self.blocks);
        self.blocks += body;
    }

    fn output(&self) -> Output {
        debug_assert!(self.blocks < CHUNK_BLOCKS);
        let start = if self.blocks == 0 {
            flags::CHUNK_START
        } else {
            0
        };
        Output {
            cv: self.cv,
            block: self.block,
            counter: self.counter,
            len: self.held as u32,
            flags: self.flags | start | flags::CHUNK_END,
        }
    }
}

/// Compresses full blocks, none of which is the last block of the chunk. `before`
/// blocks of the chunk have been compressed already.
fn compress_blocks(cv: &mut [u32; 8], input: &[u8], counter: u64, flags: u32, before: usize) {
    let count = input.len() / BLOCK_LEN;
    if count == 0 {
        return;
    }
    let first = if before == 0 {
        flags | flags::CHUNK_START
    } else {
        flags
    };
    let last = if count == 1 { first } else { flags };
    let packed = first | flags << 8 | last << 16;
    // SAFETY: `input` holds `count` full blocks, and `cv` is 8 words.
    unsafe {
        (BLOCK.get().blocks)(
            cv.as_mut_ptr(),
            input.as_ptr(),
            count,
            counter,
            BLOCK_LEN as u32,
            packed,
        );
    }
}

/// The output of a whole message.
pub(crate) fn output_of<J: Join>(mode: &Mode, input: &[u8]) -> Output {
    if input.len() <= CHUNK_LEN {
        return Chunk::of(mode, input, 0);
    }
    parent_output(mode, tree::halves::<J>(mode, input, 0))
}

/// The hash of a whole message.
#[inline]
pub(crate) fn hash_of(mode: &Mode, input: &[u8]) -> Cv {
    if input.len() > CHUNK_LEN {
        return hash_of_many_chunks(mode, input);
    }
    chunk(mode, input, 0, flags::CHUNK_END | flags::ROOT)
}

/// Neither inlined nor generic, so that callers do not compile any part of it.
#[inline(never)]
fn hash_of_many_chunks(mode: &Mode, input: &[u8]) -> Cv {
    tree::hash::<Serial>(mode, input)
}

fn parent_output(mode: &Mode, children: [Cv; 2]) -> Output {
    let mut block = [0; BLOCK_LEN];
    block.copy_from_slice(children.as_flattened());
    Output {
        cv: mode.key,
        block,
        counter: 0,
        len: BLOCK_LEN as u32,
        flags: mode.flags | flags::PARENT,
    }
}

/// Converts a key to words.
#[inline]
pub(crate) fn keyed(key: &[u8; KEY_LEN]) -> Mode {
    Mode {
        key: words::words(key),
        flags: flags::KEYED_HASH,
    }
}

/// The plain mode.
pub(crate) static PLAIN: Mode = Mode { key: IV, flags: 0 };

/// The mode that derives a key from key material, for this context.
pub(crate) fn material(context: &str) -> Mode {
    let mode = Mode {
        key: IV,
        flags: flags::DERIVE_KEY_CONTEXT,
    };
    Mode {
        key: words::words(&hash_of(&mode, context.as_bytes())),
        flags: flags::DERIVE_KEY_MATERIAL,
    }
}

/// The largest number of subtrees on the stack: one for each bit of the number of
/// chunks in 2^64 bytes, and one that is not merged yet.
const DEPTH: usize = 55;

/// BLAKE3 of input that comes in pieces, in any of the three modes.
///
/// Pieces of 32 KiB and more are the fastest. Each piece is hashed at once, by as many
/// lanes as it can fill.
///
/// ```
/// let mut hasher = karat_blake3::Hasher::new();
/// hasher.update(b"hello ").update(b"world");
/// assert_eq!(hasher.finalize(), karat_blake3::hash(b"hello world"));
/// ```
#[derive(Clone)]
pub struct Hasher {
    mode: Mode,
    chunk: Chunk,
    /// Only the first `depth` values are initialised.
    stack: [MaybeUninit<Cv>; DEPTH],
    depth: usize,
}

#[cfg(feature = "zeroize")]
karat_hash_core::wiped_on_drop!([] Hasher);

impl Hasher {
    fn with(mode: Mode) -> Self {
        Self {
            mode,
            chunk: Chunk::new(&mode, 0),
            stack: [const { MaybeUninit::uninit() }; DEPTH],
            depth: 0,
        }
    }

    /// Creates a hasher of the plain mode.
    #[must_use]
    pub fn new() -> Self {
        Self::with(PLAIN)
    }

    /// Creates a hasher with a key.
    #[must_use]
    pub fn new_keyed(key: &[u8; KEY_LEN]) -> Self {
        Self::with(keyed(key))
    }

    /// Creates a hasher that derives a key from its input.
    /// [`derive_key`](super::derive_key) says what the context must be.
    #[must_use]
    pub fn new_derive_key(context: &str) -> Self {
        Self::with(material(context))
    }

    /// Returns to the state after `new`. Mode and key stay the same.
    pub fn reset(&mut self) -> &mut Self {
        self.chunk = Chunk::new(&self.mode, 0);
        self.depth = 0;
        self
    }

    /// Number of input bytes so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.chunk.counter * CHUNK_LEN as u64 + self.chunk.len() as u64
    }

    /// Adds input.
    pub fn update(&mut self, input: &[u8]) -> &mut Self {
        self.update_with::<Serial>(input)
    }

    pub(crate) fn update_with<J: Join>(&mut self, mut input: &[u8]) -> &mut Self {
        if self.chunk.len() > 0 {
            let count = input.len().min(CHUNK_LEN - self.chunk.len());
            self.chunk.update(&input[..count]);
            input = &input[count..];
            if input.is_empty() {
                return self;
            }
            let cv = words::bytes(&self.chunk.output().chaining_value());
            self.push(cv, self.chunk.counter);
            self.chunk = Chunk::new(&self.mode, self.chunk.counter + 1);
        }
        // The last chunk is held back: it may be the root or a child of the root.
        while input.len() > CHUNK_LEN {
            // The largest full subtree that can begin at this chunk.
            let mut chunks = 1 << (input.len() / CHUNK_LEN).ilog2();
            while self.chunk.counter & (chunks as u64 - 1) != 0 {
                chunks /= 2;
            }
            let (subtree, rest) = input.split_at(chunks * CHUNK_LEN);
            let counter = self.chunk.counter;
            if chunks == 1 {
                let cv = chunk(&self.mode, subtree, counter, flags::CHUNK_END);
                self.push(cv, counter);
            } else {
                let [left, right] = tree::halves::<J>(&self.mode, subtree, counter);
                self.push(left, counter);
                self.push(right, counter + chunks as u64 / 2);
            }
            self.chunk.counter += chunks as u64;
            input = rest;
        }
        if !input.is_empty() {
            self.merge(self.chunk.counter);
            self.chunk.update(input);
        }
        self
    }

    fn stack(&self) -> &[Cv] {
        // SAFETY: the first `depth` values have been written.
        unsafe { core::slice::from_raw_parts(self.stack.as_ptr().cast(), self.depth) }
    }

    /// Merges all subtrees that the `chunks` chunks so far complete. None of them is a
    /// child of the root.
    fn merge(&mut self, chunks: u64) {
        while self.depth > chunks.count_ones() as usize {
            let [.., left, right] = self.stack() else {
                unreachable!("more subtrees than bits, and there is a bit")
            };
            let output = parent_output(&self.mode, [*left, *right]);
            self.depth -= 1;
            self.stack[self.depth - 1].write(words::bytes(&output.chaining_value()));
        }
    }

    /// Puts the subtree that begins at chunk number `counter` on the stack.
    fn push(&mut self, cv: Cv, counter: u64) {
        self.merge(counter);
        self.stack[self.depth].write(cv);
        self.depth += 1;
    }

    /// Not inlined, so that it writes to its place what extended output waits for: each
    /// copy more is some cycles.
    #[inline(never)]
    pub(crate) fn output(&self) -> Output {
        if self.depth == 0 {
            return self.chunk.output();
        }
        self.output_of_stack()
    }

    #[inline(never)]
    fn output_of_stack(&self) -> Output {
        let mut stack = self.stack();
        let mut output = match stack {
            [rest @ .., left, right] if self.chunk.len() == 0 => {
                stack = rest;
                parent_output(&self.mode, [*left, *right])
            }
            _ => self.chunk.output(),
        };
        while let [rest @ .., left] = stack {
            let right = words::bytes(&output.chaining_value());
            output = parent_output(&self.mode, [*left, right]);
            stack = rest;
        }
        output
    }

    /// The hash of the input so far. More input may follow.
    #[must_use]
    pub fn finalize(&self) -> [u8; OUT_LEN] {
        self.output().hash()
    }

    /// Whether `mac` is the hash of the input so far. For a hash with a key: the time
    /// does not depend on the bytes of `mac` ([limits](karat_hash_core::ct#limits)). A `mac` of
    /// another length than 32 bytes is wrong.
    ///
    /// ```
    /// use karat_blake3::{Hasher, keyed_hash};
    ///
    /// let key = [7; 32];
    /// let mac = keyed_hash(&key, b"karat");
    /// let mut hasher = Hasher::new_keyed(&key);
    /// assert!(hasher.update(b"karat").verify(&mac));
    /// assert!(!hasher.verify(&mac[..16]));
    /// ```
    #[must_use]
    pub fn verify(&self, mac: &[u8]) -> bool {
        karat_hash_core::ct::eq(&self.finalize(), mac)
    }

    /// Extended output for the input so far. More input may follow.
    #[must_use]
    pub fn finalize_xof(&self) -> OutputReader {
        OutputReader::new(self.output())
    }
}

impl Default for Hasher {
    fn default() -> Self {
        Self::new()
    }
}

/// Hides key and state.
impl core::fmt::Debug for Hasher {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Hasher")
            .field("flags", &self.mode.flags)
            .field("count", &self.count())
            .finish_non_exhaustive()
    }
}
