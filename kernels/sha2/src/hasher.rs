//! The public functions of a hash, the same for each.

/// All of a module: a function for one message, one for many, prefixes and a hasher.
macro_rules! algorithm {
    ($name:literal, $bytes:literal, $algorithm:ty, $iv:expr, $hash:expr, $size:ident, $block:ident) => {
        use core::fmt;
        use $crate::engine::Engine;
        use $crate::job::Starts;
        use $crate::{many, prefix};

        #[doc = concat!($name, " of a message.")]
        // Only a call, so that the caller's compiler flags change nothing else.
        #[inline]
        #[must_use]
        pub fn hash(message: &[u8]) -> [u8; $bytes] {
            $hash(message)
        }

        #[doc = concat!($name, " of each message, several at a time.")]
        ///
        /// # Panics
        /// When `messages` and `out` differ in length.
        pub fn hash_many(messages: &[&[u8]], out: &mut [[u8; $bytes]]) {
            many::hash::<$algorithm, $bytes>(Starts::Initial(&$iv), messages, out);
        }

        #[doc = concat!("The state of ", $name, " after a prefix of whole blocks.")]
        ///
        /// Messages that begin with the same blocks are hashed from there. HMAC and
        /// PBKDF2 are made of it: a key is one block.
        #[derive(Clone)]
        pub struct Prefix(prefix::Prefix<$algorithm>);

        impl Prefix {
            /// Bytes in a block.
            pub const BLOCK: usize = <$algorithm as $crate::algorithm::Algorithm>::BLOCK;

            /// Hashes the prefix.
            ///
            /// # Panics
            /// When the length of `prefix` is no multiple of [`Prefix::BLOCK`].
            #[must_use]
            #[track_caller]
            pub fn new(prefix: &[u8]) -> Self {
                Self(prefix::Prefix::new(&$iv, prefix))
            }

            /// The digest of the prefix followed by `message`.
            #[must_use]
            pub fn hash(&self, message: &[u8]) -> [u8; $bytes] {
                self.0.hash(message)
            }

            /// The digests of each prefix followed by its message, several at a time.
            ///
            /// # Panics
            /// When `prefixes`, `messages` and `out` differ in length, or prefixes in
            /// the number of their blocks.
            #[track_caller]
            pub fn hash_many(prefixes: &[&Self], messages: &[&[u8]], out: &mut [[u8; $bytes]]) {
                prefix::hash_many(prefixes, |prefix| &prefix.0, messages, out);
            }

            /// A hasher that has hashed the prefix.
            #[must_use]
            pub const fn to_hasher(&self) -> Hasher {
                Hasher(Engine::after(&self.0))
            }
        }

        /// Hides the state, which may depend on a secret.
        impl fmt::Debug for Prefix {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct("Prefix")
                    .field("bytes", &self.0.length)
                    .finish_non_exhaustive()
            }
        }

        #[doc = concat!($name, " of a message that comes in pieces.")]
        #[derive(Clone)]
        pub struct Hasher(Engine<$algorithm>);

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
                self.0.finalize()
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
            use digest::typenum::{$block, $size};
            use digest::{
                FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update,
                common::BlockSizeUser,
            };

            impl HashMarker for Hasher {}

            impl OutputSizeUser for Hasher {
                type OutputSize = $size;
            }

            impl BlockSizeUser for Hasher {
                type BlockSize = $block;
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

pub(crate) use algorithm;
