//! SHA-3 and SHAKE (FIPS 202).
//!
//! The same modules are in [the crate's root](crate), beside the original Keccak. SHA-3
//! differs from the original only in the padding, but all digests are different:
//! Ethereum's Keccak-256 is [`keccak256`](crate::keccak256), not [`sha3_256`].
//!
//! ```
//! use karat_keccak::sha3::{sha3_256, shake128};
//!
//! let digest = sha3_256::hash(b"abc");
//! assert_eq!(digest[..4], [0x3a, 0x98, 0x5d, 0xa7]);
//!
//! let mut hasher = sha3_256::Hasher::new();
//! hasher.update(b"a").update(b"bc");
//! assert_eq!(hasher.finalize(), digest);
//!
//! let mut digests = [[0; 32]; 2];
//! sha3_256::hash_many(&[b"abc", b""], &mut digests);
//! assert_eq!(digests[0], digest);
//!
//! // Extendable output: as many bytes as the array has.
//! let bytes: [u8; 100] = shake128::hash(b"abc");
//! assert_eq!(bytes[..10], shake128::hash::<10>(b"abc"));
//! ```
//!
//! SHA-3 has no length extension, so the hash of a secret followed by a message can be a
//! MAC. The standard form is KMAC (NIST SP 800-185): [`kmac128`](crate::kmac128). HMAC over
//! SHA-3 is in the crate `karat-mac`. Compare such digests with [`ct::eq`](karat_hash_core::ct::eq).

#[doc(inline)]
pub use crate::{sha3_224, sha3_256, sha3_384, sha3_512, shake128, shake256};
