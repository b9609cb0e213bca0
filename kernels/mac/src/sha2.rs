//! The hashes of SHA-2.

use crate::algorithm::{Algorithm, Construction};
use karat_sha2::{sha256, sha512};

macro_rules! sha2 {
    ($($type:ident $name:literal $module:path, $block:literal $length:literal;)*) => {$(
        #[doc = concat!($name, " (FIPS 180-4).")]
        #[derive(Clone, Copy, Debug)]
        pub struct $type;

        impl Algorithm for $type {
            const NAME: &'static str = $name;
        }

        const _: () = {
            use $module as module;

            impl Construction for $type {
                type Block = [u8; $block];
                type Digest = [u8; $length];
                type Start = module::Prefix;
                type Hasher = module::Hasher;

                #[inline]
                fn hash(message: &[u8]) -> Self::Digest {
                    module::hash(message)
                }
                #[inline]
                fn start(block: &Self::Block) -> Self::Start {
                    module::Prefix::new(block)
                }
                #[inline]
                fn hash_from(start: &Self::Start, message: &[u8]) -> Self::Digest {
                    start.hash(message)
                }
                #[inline]
                fn hash_many(
                    starts: &[&Self::Start],
                    messages: &[&[u8]],
                    out: &mut [Self::Digest],
                ) {
                    module::Prefix::hash_many(starts, messages, out);
                }
                #[inline]
                fn hasher(start: &Self::Start) -> Self::Hasher {
                    start.to_hasher()
                }
                #[inline]
                fn update(hasher: &mut Self::Hasher, piece: &[u8]) {
                    hasher.update(piece);
                }
                #[inline]
                fn finalize(hasher: &Self::Hasher) -> Self::Digest {
                    hasher.finalize()
                }
            }
        };
    )*};
}

sha2! {
    Sha224 "SHA-224" sha256::sha224, 64 28;
    Sha256 "SHA-256" sha256, 64 32;
    Sha384 "SHA-384" sha512::sha384, 128 48;
    Sha512 "SHA-512" sha512, 128 64;
    Sha512_256 "SHA-512/256" sha512::sha512_256, 128 32;
}
