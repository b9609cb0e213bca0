//! The public functions, for SHA-512, SHA-384 and SHA-512/256.

use super::constants::{IV384, IV512, IV512_256, Sha512};
use crate::block;
use crate::chosen::Chosen as _;

/// The first `D` bytes of the digest of a whole message.
#[inline]
fn whole<const D: usize>(iv: &[u64; 8], message: &[u8]) -> [u8; D] {
    // SAFETY: the table gives only what this CPU can run.
    unsafe { block::whole::<Sha512, D>(Sha512::compress(), iv, message) }
}

/// SHA-512.
pub mod plain {
    crate::hasher::algorithm!(
        "SHA-512",
        64,
        super::Sha512,
        super::IV512,
        |message| super::whole(&super::IV512, message),
        U64,
        U128
    );
}

/// SHA-384 (FIPS 180-4, section 6.5): SHA-512 with another initial state, truncated to
/// 48 bytes.
///
/// ```
/// use karat_sha2::sha512::sha384;
///
/// let digest = sha384::hash(b"abc");
/// assert_eq!(digest[..4], [0xcb, 0x00, 0x75, 0x3f]);
///
/// let mut hasher = sha384::Hasher::new();
/// hasher.update(b"a").update(b"bc");
/// assert_eq!(hasher.finalize(), digest);
/// ```
pub mod sha384 {
    crate::hasher::algorithm!(
        "SHA-384",
        48,
        super::Sha512,
        super::IV384,
        |message| super::whole(&super::IV384, message),
        U48,
        U128
    );
}

/// SHA-512/256 (FIPS 180-4, section 6.7): SHA-512 with another initial state, truncated
/// to 32 bytes.
///
/// ```
/// use karat_sha2::sha512::sha512_256;
///
/// let digest = sha512_256::hash(b"abc");
/// assert_eq!(digest[..4], [0x53, 0x04, 0x8e, 0x26]);
///
/// let mut hasher = sha512_256::Hasher::new();
/// hasher.update(b"a").update(b"bc");
/// assert_eq!(hasher.finalize(), digest);
/// ```
pub mod sha512_256 {
    crate::hasher::algorithm!(
        "SHA-512/256",
        32,
        super::Sha512,
        super::IV512_256,
        |message| super::whole(&super::IV512_256, message),
        U32,
        U128
    );
}
