//! The hashers of karat-hash behind one trait.

use super::{Algorithm, Options};
use karat_hash::keccak::{
    self, cshake128, cshake256, keccak256, keccak512, kmac128, kmac256, kt128, kt256, shake128,
    shake256, turboshake128, turboshake256,
};
use karat_hash::sha3::{sha3_224, sha3_256, sha3_384, sha3_512};
use karat_hash::{blake2b, blake2s, blake3, sha256, sha512};

/// An incremental hasher. `fill` has as many bytes of room as the digest has, or any number
/// of an extendable output from its beginning.
pub(crate) trait State: Send + Sync {
    fn update(&mut self, bytes: &[u8]);
    fn fill(&self, out: &mut [u8]);
    /// Extendable output; `None` when the digest has a length.
    fn reader(&self) -> Option<Box<dyn Reader>>;
    fn boxed(&self) -> Box<dyn State>;
}

/// Extendable output.
pub(crate) trait Reader {
    /// Goes towards a place, as far as takes a fraction of a millisecond; says where it is.
    fn approach(&mut self, place: u64) -> u64;
    fn fill(&mut self, out: &mut [u8]);
}

/// Bytes of output that a sponge makes in a fraction of a millisecond.
pub(crate) const STEP: usize = 1 << 16;

impl<const RATE: usize> Reader for keccak::OutputReader<RATE> {
    fn approach(&mut self, place: u64) -> u64 {
        let near = self.position().saturating_add(STEP as u64);
        self.set_position(place.min(near));
        self.position()
    }

    fn fill(&mut self, out: &mut [u8]) {
        self.fill(out);
    }
}

/// Any place is near.
impl Reader for blake3::OutputReader {
    fn approach(&mut self, place: u64) -> u64 {
        self.set_position(place);
        place
    }

    fn fill(&mut self, out: &mut [u8]) {
        self.fill(out);
    }
}

/// A digest of fixed length. Only BLAKE2's may be shorter than the array.
macro_rules! fixed {
    ($($type:ty),* $(,)?) => {$(
        impl State for $type {
            fn update(&mut self, bytes: &[u8]) {
                self.update(bytes);
            }

            fn fill(&self, out: &mut [u8]) {
                out.copy_from_slice(&self.finalize()[..out.len()]);
            }

            fn reader(&self) -> Option<Box<dyn Reader>> {
                None
            }

            fn boxed(&self) -> Box<dyn State> {
                Box::new(self.clone())
            }
        }
    )*};
}

fixed! {
    blake2b::Hasher<64>, blake2s::Hasher<32>,
    blake2b::parallel::Hasher<64>, blake2s::parallel::Hasher<32>,
    sha256::Hasher, sha256::sha224::Hasher,
    sha512::Hasher, sha512::sha384::Hasher, sha512::sha512_256::Hasher,
    sha3_224::Hasher, sha3_256::Hasher, sha3_384::Hasher, sha3_512::Hasher,
    keccak256::Hasher, keccak512::Hasher,
}

/// Extendable output.
macro_rules! extendable {
    ($($type:ty),* $(,)?) => {$(
        impl State for $type {
            fn update(&mut self, bytes: &[u8]) {
                self.update(bytes);
            }

            fn fill(&self, out: &mut [u8]) {
                self.finalize_xof().fill(out);
            }

            fn reader(&self) -> Option<Box<dyn Reader>> {
                Some(Box::new(self.finalize_xof()))
            }

            fn boxed(&self) -> Box<dyn State> {
                Box::new(self.clone())
            }
        }
    )*};
}

extendable! {
    shake128::Hasher, shake256::Hasher, turboshake128::Hasher, turboshake256::Hasher,
    cshake128::Hasher, cshake256::Hasher,
}

impl State for blake3::Hasher {
    fn update(&mut self, bytes: &[u8]) {
        self.update(bytes);
    }

    fn fill(&self, out: &mut [u8]) {
        match <&mut [u8; blake3::OUT_LEN]>::try_from(&mut *out) {
            Ok(out) => *out = self.finalize(),
            Err(_) => self.finalize_xof().fill(out),
        }
    }

    fn reader(&self) -> Option<Box<dyn Reader>> {
        Some(Box::new(self.finalize_xof()))
    }

    fn boxed(&self) -> Box<dyn State> {
        Box::new(self.clone())
    }
}

macro_rules! kmac {
    ($($type:ty),*) => {$(
        impl State for $type {
            fn update(&mut self, bytes: &[u8]) {
                self.update(bytes);
            }

            fn fill(&self, out: &mut [u8]) {
                self.finalize_into(out);
            }

            fn reader(&self) -> Option<Box<dyn Reader>> {
                None
            }

            fn boxed(&self) -> Box<dyn State> {
                Box::new(self.clone())
            }
        }
    )*};
}

kmac!(kmac128::Hasher, kmac256::Hasher);

/// KangarooTwelve takes its customisation at the end.
#[derive(Clone)]
struct Kangaroo<H> {
    hasher: H,
    customization: Box<[u8]>,
}

macro_rules! kangaroo {
    ($($type:ty),*) => {$(
        impl State for Kangaroo<$type> {
            fn update(&mut self, bytes: &[u8]) {
                self.hasher.update(bytes);
            }

            fn fill(&self, out: &mut [u8]) {
                self.hasher.finalize_xof(&self.customization).fill(out);
            }

            fn reader(&self) -> Option<Box<dyn Reader>> {
                Some(Box::new(self.hasher.finalize_xof(&self.customization)))
            }

            fn boxed(&self) -> Box<dyn State> {
                Box::new(self.clone())
            }
        }
    )*};
}

kangaroo!(kt128::Hasher, kt256::Hasher);

/// BLAKE2's parameters; options are checked.
macro_rules! parameters {
    ($name:ident $module:ident $longest:literal) => {
        pub(crate) fn $name(options: &Options<'_>) -> $module::Params<$longest> {
            let mut params = $module::Params::<$longest>::new()
                .digest_length(options.digest_size.unwrap_or($longest))
                .key(options.key)
                .salt(options.salt)
                .personal(options.personal);
            if let Some(tree) = options.tree {
                params = params
                    .fanout(tree.fanout)
                    .max_depth(tree.depth)
                    .max_leaf_length(tree.leaf_size)
                    .node_offset(tree.node_offset)
                    .node_depth(tree.node_depth)
                    .inner_hash_length(tree.inner_size)
                    .last_node(tree.last_node);
            }
            params
        }
    };
}

parameters!(blake2b_params blake2b 64);
parameters!(blake2s_params blake2s 32);

pub(crate) fn blake3(options: &Options<'_>) -> blake3::Hasher {
    match (options.context, <&[u8; 32]>::try_from(options.key)) {
        (Some(context), _) => blake3::Hasher::new_derive_key(context),
        (None, Ok(key)) => blake3::Hasher::new_keyed(key),
        (None, Err(_)) => blake3::Hasher::new(),
    }
}

/// A hasher without input; options are checked.
pub(crate) fn new(algorithm: Algorithm, options: &Options<'_>) -> Box<dyn State> {
    use Algorithm as A;
    let Options {
        key, customization, ..
    } = *options;
    match algorithm {
        A::Blake2b => Box::new(blake2b_params(options).to_hasher()),
        A::Blake2s => Box::new(blake2s_params(options).to_hasher()),
        A::Blake2bp if key.is_empty() => Box::new(blake2b::parallel::Hasher::<64>::new()),
        A::Blake2bp => Box::new(blake2b::parallel::Hasher::<64>::new_keyed(key)),
        A::Blake2sp if key.is_empty() => Box::new(blake2s::parallel::Hasher::<32>::new()),
        A::Blake2sp => Box::new(blake2s::parallel::Hasher::<32>::new_keyed(key)),
        A::Blake3 => Box::new(blake3(options)),
        A::Sha224 => Box::new(sha256::sha224::Hasher::new()),
        A::Sha256 => Box::new(sha256::Hasher::new()),
        A::Sha384 => Box::new(sha512::sha384::Hasher::new()),
        A::Sha512 => Box::new(sha512::Hasher::new()),
        A::Sha512_256 => Box::new(sha512::sha512_256::Hasher::new()),
        A::Sha3_224 => Box::new(sha3_224::Hasher::new()),
        A::Sha3_256 => Box::new(sha3_256::Hasher::new()),
        A::Sha3_384 => Box::new(sha3_384::Hasher::new()),
        A::Sha3_512 => Box::new(sha3_512::Hasher::new()),
        A::Keccak256 => Box::new(keccak256::Hasher::new()),
        A::Keccak512 => Box::new(keccak512::Hasher::new()),
        A::Shake128 => Box::new(shake128::Hasher::new()),
        A::Shake256 => Box::new(shake256::Hasher::new()),
        A::TurboShake128 => Box::new(turboshake128::Hasher::new()),
        A::TurboShake256 => Box::new(turboshake256::Hasher::new()),
        A::CShake128 => Box::new(cshake128::Hasher::new(customization)),
        A::CShake256 => Box::new(cshake256::Hasher::new(customization)),
        A::Kmac128 => Box::new(kmac128::Hasher::new(key, customization)),
        A::Kmac256 => Box::new(kmac256::Hasher::new(key, customization)),
        A::Kt128 => Box::new(Kangaroo {
            hasher: kt128::Hasher::new(),
            customization: customization.into(),
        }),
        A::Kt256 => Box::new(Kangaroo {
            hasher: kt256::Hasher::new(),
            customization: customization.into(),
        }),
    }
}
