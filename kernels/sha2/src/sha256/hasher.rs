//! The public functions, for SHA-256 and SHA-224.

macro_rules! algorithm {
    ($name:literal, $bytes:literal, $iv:expr, $hash:ident, $size:ident) => {
        use super::super::KERNEL;
        use super::super::constants;
        use super::super::engine::Engine;
        use super::super::many;
        use core::fmt;

        #[doc = concat!($name, " of a message.")]
        // Only a call, so that the caller's compiler flags change nothing else.
        #[inline]
        #[must_use]
        pub fn hash(message: &[u8]) -> [u8; $bytes] {
            // SAFETY: the kernel gives only what this CPU can run.
            unsafe { (KERNEL.get().0.$hash)(message) }
        }

        #[doc = concat!($name, " of each message, several at a time.")]
        ///
        /// # Panics
        /// When `messages` and `out` differ in length.
        pub fn hash_many(messages: &[&[u8]], out: &mut [[u8; $bytes]]) {
            many::hash(&$iv, messages, out);
        }

        /// The digest. SHA-224 leaves out the last word of the state.
        fn cut(digest: [u8; 32]) -> [u8; $bytes] {
            let mut out = [0; $bytes];
            out.copy_from_slice(&digest[..$bytes]);
            out
        }

        #[doc = concat!($name, " of a message that comes in pieces.")]
        #[derive(Clone)]
        pub struct Hasher(Engine);

        impl Hasher {
            /// Creates a hasher without input.
            #[must_use]
            pub const fn new() -> Self {
                Self(Engine::new(&$iv))
            }

            /// Adds a piece of the message.
            pub fn update(&mut self, piece: &[u8]) -> &mut Self {
                self.0.update(piece);
                self
            }

            /// Reads `reader` to its end.
            ///
            /// # Errors
            /// Returns the error of the reader. The bytes before the error have been
            /// hashed.
            #[cfg(feature = "std")]
            pub fn update_reader(
                &mut self,
                reader: impl std::io::Read,
            ) -> std::io::Result<&mut Self> {
                karat_hash_core::reader::read_all(reader, |bytes| self.0.update(bytes))?;
                Ok(self)
            }

            /// The digest of all pieces so far. More may follow.
            #[must_use]
            pub fn finalize(&self) -> [u8; $bytes] {
                cut(self.0.finalize())
            }

            /// Forgets all input.
            pub fn reset(&mut self) -> &mut Self {
                *self = Self::new();
                self
            }
        }

        impl Default for Hasher {
            fn default() -> Self {
                Self::new()
            }
        }

        /// Shows how many bytes were hashed, but hides the state.
        impl fmt::Debug for Hasher {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct("Hasher")
                    .field("bytes", &self.0.length())
                    .finish_non_exhaustive()
            }
        }

        #[cfg(feature = "std")]
        impl std::io::Write for Hasher {
            fn write(&mut self, piece: &[u8]) -> std::io::Result<usize> {
                self.update(piece);
                Ok(piece.len())
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }

        #[cfg(feature = "digest")]
        mod traits {
            use super::Hasher;
            use digest::typenum::{U64, $size};
            use digest::{
                FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update,
                common::BlockSizeUser,
            };

            impl HashMarker for Hasher {}

            impl OutputSizeUser for Hasher {
                type OutputSize = $size;
            }

            impl BlockSizeUser for Hasher {
                type BlockSize = U64;
            }

            impl Update for Hasher {
                fn update(&mut self, data: &[u8]) {
                    Hasher::update(self, data);
                }
            }

            impl FixedOutput for Hasher {
                fn finalize_into(self, out: &mut Output<Self>) {
                    out.copy_from_slice(&self.finalize());
                }
            }

            impl Reset for Hasher {
                fn reset(&mut self) {
                    Hasher::reset(self);
                }
            }

            impl FixedOutputReset for Hasher {
                fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                    out.copy_from_slice(&Hasher::finalize(self));
                    Hasher::reset(self);
                }
            }
        }
    };
}

/// SHA-256.
pub mod plain {
    algorithm!("SHA-256", 32, constants::IV256, hash256, U32);
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
    algorithm!("SHA-224", 28, constants::IV224, hash224, U28);
}
