//! Vectors, oracles and differences between implementations, hash by hash.

mod blake2;
mod blake2b;
mod blake2s;
mod blake3;
mod choices;
#[cfg(all(target_os = "linux", target_pointer_width = "64", not(miri)))]
mod fenced;
mod keccak;
mod keccak_derived;
mod lthash;
mod prefix;
mod sha256;
mod sha512;
mod support;
mod verify;
#[cfg(feature = "zeroize")]
mod wiped;
