//! Constants of the BLAKE3 paper (O'Connor, Aumasson, Neves, Wilcox-O'Hearn,
//! "BLAKE3: one function, fast everywhere", 2020), sections 2.1 to 2.4.

/// Bytes of a block.
pub const BLOCK_LEN: usize = 64;
/// Bytes of a chunk: a leaf of the tree.
pub const CHUNK_LEN: usize = 1024;
/// Bytes of a key.
pub const KEY_LEN: usize = 32;
/// Bytes of a hash when no other length is asked for.
pub const OUT_LEN: usize = 32;

/// Number of blocks in a full chunk.
pub(crate) const CHUNK_BLOCKS: usize = CHUNK_LEN / BLOCK_LEN;

/// The initialisation vector: the key of the plain mode. Its first four words also
/// start the third row of the state. It is SHA-256's initial state (FIPS 180-4, 5.3.3).
pub static IV: [u32; 8] = [
    0x6A09_E667,
    0xBB67_AE85,
    0x3C6E_F372,
    0xA54F_F53A,
    0x510E_527F,
    0x9B05_688C,
    0x1F83_D9AB,
    0x5BE0_CD19,
];

/// The order in which each of the 7 rounds uses the message words. Row `i + 1` is row
/// `i` permuted by table 2 of the paper.
pub(crate) const SCHEDULE: [[usize; 16]; 7] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8],
    [3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1],
    [10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6],
    [12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4],
    [9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7],
    [11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13],
];

/// Domain separation flags (table 3 of the paper).
///
/// ```
/// use karat_blake3::raw::flags;
///
/// // The only block of a short message in the keyed mode.
/// let only = flags::CHUNK_START | flags::CHUNK_END | flags::ROOT | flags::KEYED_HASH;
/// assert_eq!(only, 0b1_1011);
/// ```
pub mod flags {
    /// First block of a chunk.
    pub const CHUNK_START: u32 = 1 << 0;
    /// Last block of a chunk.
    pub const CHUNK_END: u32 = 1 << 1;
    /// A parent node of the tree.
    pub const PARENT: u32 = 1 << 2;
    /// The last compression of the tree, which produces the output.
    pub const ROOT: u32 = 1 << 3;
    /// Set on every block when there is a key.
    pub const KEYED_HASH: u32 = 1 << 4;
    /// Set on every block of a context string.
    pub const DERIVE_KEY_CONTEXT: u32 = 1 << 5;
    /// Set on every block of key material.
    pub const DERIVE_KEY_MATERIAL: u32 = 1 << 6;
}
