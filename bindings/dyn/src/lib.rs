//! The hashes and MACs of karat-hash, chosen by name at run time.
//!
//! karat-hash has a module and a type for each hash, and lengths of digests are type
//! parameters. Other languages name hashes at run time; this is what their bindings share.
//!
//! ```
//! use karat_dyn::{Algorithm, Hasher, Options};
//!
//! let algorithm: Algorithm = "blake2b".parse()?;
//! let options = Options { digest_size: Some(32), ..Options::default() };
//! let mut hasher = Hasher::new(algorithm, &options)?;
//! hasher.update(b"a message");
//! let mut digest = [0; 32];
//! hasher.digest(&mut digest)?;
//!
//! let mut many = [0; 64];
//! karat_dyn::hash_many(algorithm, &options, &[b"a message", b""], &mut many)?;
//! assert_eq!(many[..32], digest);
//! # Ok::<(), karat_dyn::Error>(())
//! ```
#![forbid(unsafe_code)]

mod algorithm;
mod error;
mod hasher;
mod mac;
mod many;
mod options;
mod state;

pub use algorithm::{Algorithm, Length};
pub use error::Error;
pub use hasher::{Hasher, hash};
pub use mac::{MacAlgorithm, hkdf, hmac, hmac_many, pbkdf2};
pub use many::hash_many;
pub use options::{Options, Tree};
