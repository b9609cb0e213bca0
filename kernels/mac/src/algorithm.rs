//! What HMAC needs of a hash.

/// A hash that HMAC uses: one of this crate's types, and no other.
///
/// ```
/// use karat_mac::{Algorithm, Sha3_256, Sha512};
///
/// assert_eq!((Sha512::NAME, Sha512::BLOCK, Sha512::LENGTH), ("SHA-512", 128, 64));
/// assert_eq!((Sha3_256::NAME, Sha3_256::BLOCK, Sha3_256::LENGTH), ("SHA3-256", 136, 32));
/// ```
pub trait Algorithm: Construction {
    /// Its name.
    const NAME: &'static str;
    /// Bytes in a block: HMAC hashes longer keys first.
    const BLOCK: usize = size_of::<Self::Block>();
    /// Bytes in a digest, and so in a MAC.
    const LENGTH: usize = size_of::<Self::Digest>();
}

/// An array of bytes.
pub trait Bytes: Copy + AsRef<[u8]> + AsMut<[u8]> {
    /// Zeros.
    const ZERO: Self;
}

impl<const N: usize> Bytes for [u8; N] {
    const ZERO: Self = [0; N];
}

/// The functions of an [`Algorithm`]. Other crates cannot name it, so they can neither
/// use nor implement it.
pub trait Construction: Copy + 'static {
    /// A block.
    type Block: Bytes;
    /// A digest.
    type Digest: Bytes;
    /// The state after a block.
    type Start: Clone;
    /// An incremental hasher.
    type Hasher: Clone;

    /// The digest of a message.
    fn hash(message: &[u8]) -> Self::Digest;
    /// The state after a block.
    fn start(block: &Self::Block) -> Self::Start;
    /// The digest of a block followed by a message.
    fn hash_from(start: &Self::Start, message: &[u8]) -> Self::Digest;
    /// The digests of each block followed by its message. All slices must be equally
    /// long.
    fn hash_many(starts: &[&Self::Start], messages: &[&[u8]], out: &mut [Self::Digest]);
    /// A hasher that has hashed a block.
    fn hasher(start: &Self::Start) -> Self::Hasher;
    /// Adds a piece of the message.
    fn update(hasher: &mut Self::Hasher, piece: &[u8]);
    /// The digest of what came so far.
    fn finalize(hasher: &Self::Hasher) -> Self::Digest;
}
