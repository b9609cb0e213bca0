//! SHA-3 and BLAKE2, whose hasher is its own state after a block.

use crate::algorithm::{Algorithm, Construction};
use karat_blake2::{blake2b, blake2s};
use karat_keccak::{sha3_224, sha3_256, sha3_384, sha3_512};

macro_rules! streamed {
    ($($type:ident $name:literal $standard:literal $module:ident $hasher:ty, $block:literal
        $length:literal;)*) => {$(
        #[doc = concat!($name, " (", $standard, ").")]
        #[derive(Clone, Copy, Debug)]
        pub struct $type;

        impl Algorithm for $type {
            const NAME: &'static str = $name;
        }

        impl Construction for $type {
            type Block = [u8; $block];
            type Digest = [u8; $length];
            type Start = $hasher;
            type Hasher = $hasher;

            fn hash(message: &[u8]) -> Self::Digest {
                $module::hash(message)
            }
            fn start(block: &Self::Block) -> Self::Start {
                let mut hasher = <$hasher>::new();
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

streamed! {
    Sha3_224 "SHA3-224" "FIPS 202" sha3_224 sha3_224::Hasher, 144 28;
    Sha3_256 "SHA3-256" "FIPS 202" sha3_256 sha3_256::Hasher, 136 32;
    Sha3_384 "SHA3-384" "FIPS 202" sha3_384 sha3_384::Hasher, 104 48;
    Sha3_512 "SHA3-512" "FIPS 202" sha3_512 sha3_512::Hasher, 72 64;
    Blake2b "BLAKE2b" "RFC 7693, digests of 64 bytes" blake2b blake2b::Hasher<64>, 128 64;
    Blake2s "BLAKE2s" "RFC 7693, digests of 32 bytes" blake2s blake2s::Hasher<32>, 64 32;
}
