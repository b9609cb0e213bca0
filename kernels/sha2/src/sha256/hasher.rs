//! The public functions, for SHA-256 and SHA-224.

use super::constants::{IV224, IV256, Sha256};
use super::kernel::KERNEL;

/// SHA-256.
pub mod plain {
    crate::hasher::algorithm!(
        "SHA-256",
        32,
        super::Sha256,
        super::IV256,
        // SAFETY: the table gives only what this CPU can run.
        |message| unsafe { (super::KERNEL.get().0.hash256)(message) },
        U32,
        U64
    );
}

/// SHA-224 (FIPS 180-4, section 6.3): SHA-256 with another initial state, truncated to
/// 28 bytes.
///
/// ```
/// use karat_sha2::sha256::sha224;
///
/// let digest = sha224::hash(b"abc");
/// assert_eq!(digest[..4], [0x23, 0x09, 0x7d, 0x22]);
///
/// let mut hasher = sha224::Hasher::new();
/// hasher.update(b"a").update(b"bc");
/// assert_eq!(hasher.finalize(), digest);
/// ```
pub mod sha224 {
    crate::hasher::algorithm!(
        "SHA-224",
        28,
        super::Sha256,
        super::IV224,
        // SAFETY: the table gives only what this CPU can run.
        |message| unsafe { (super::KERNEL.get().0.hash224)(message) },
        U28,
        U64
    );
}
