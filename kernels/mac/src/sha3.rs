//! The hashes of SHA-3, whose hasher is its own state after a block.

use crate::algorithm::{Algorithm, Construction};
use karat_keccak::{sha3_224, sha3_256, sha3_384, sha3_512};

macro_rules! sha3 {
    ($($type:ident $name:literal $module:ident $block:literal $length:literal;)*) => {$(
        #[doc = concat!($name, " (FIPS 202).")]
        #[derive(Clone, Copy, Debug)]
        pub struct $type;

        impl Algorithm for $type {
            const NAME: &'static str = $name;
        }

        impl Construction for $type {
            type Block = [u8; $block];
            type Digest = [u8; $length];
            type Start = $module::Hasher;
            type Hasher = $module::Hasher;

            fn hash(message: &[u8]) -> Self::Digest {
                $module::hash(message)
            }
            fn start(block: &Self::Block) -> Self::Start {
                let mut hasher = $module::Hasher::new();
                hasher.update(block);
                hasher
            }
            fn hash_from(start: &Self::Start, message: &[u8]) -> Self::Digest {
                start.clone().update(message).finalize()
            }
            fn hash_many(starts: &[&Self::Start], messages: &[&[u8]], out: &mut [Self::Digest]) {
                for ((start, message), out) in starts.iter().zip(messages).zip(out) {
                    *out = Self::hash_from(start, message);
                }
            }
            fn hasher(start: &Self::Start) -> Self::Hasher {
                start.clone()
            }
            fn update(hasher: &mut Self::Hasher, piece: &[u8]) {
                hasher.update(piece);
            }
            fn finalize(hasher: &Self::Hasher) -> Self::Digest {
                hasher.finalize()
            }
        }
    )*};
}

sha3! {
    Sha3_224 "SHA3-224" sha3_224 144 28;
    Sha3_256 "SHA3-256" sha3_256 136 32;
    Sha3_384 "SHA3-384" sha3_384 104 48;
    Sha3_512 "SHA3-512" sha3_512 72 64;
}
