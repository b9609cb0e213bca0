//! The names.

use super::Error;
use std::fmt;
use std::str::FromStr;

/// How long an algorithm's digests are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// Always so many bytes.
    Fixed(usize),
    /// 1 to so many bytes, which is a parameter of the function: a shorter digest is not
    /// the beginning of a longer one. Without the option `digest_size`, so many.
    UpTo(usize),
    /// Any number of bytes, a parameter of the function; without the option
    /// `digest_size`, so many.
    Any(usize),
    /// Output without an end. Digests are its first bytes, so many if nobody says how
    /// many; 0 is for functions that have no usual length.
    Extendable(usize),
}

macro_rules! algorithms {
    ($($(#[$doc:meta])* $variant:ident $name:literal $block:literal $length:expr;)*) => {
        /// A hash or a MAC.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Algorithm {
            $($(#[$doc])* $variant,)*
        }

        impl Algorithm {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its name, as `hashlib` writes it where it is there.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Bytes of input that are compressed at once.
            #[must_use]
            pub const fn block_size(self) -> usize {
                match self { $(Self::$variant => $block,)* }
            }

            /// How long its digests are.
            #[must_use]
            pub const fn length(self) -> Length {
                match self { $(Self::$variant => $length,)* }
            }
        }
    };
}

algorithms! {
    /// BLAKE2b (RFC 7693).
    Blake2b "blake2b" 128 Length::UpTo(64);
    /// BLAKE2s (RFC 7693).
    Blake2s "blake2s" 64 Length::UpTo(32);
    /// BLAKE2bp: BLAKE2b on four leaves.
    Blake2bp "blake2bp" 128 Length::Fixed(64);
    /// BLAKE2sp: BLAKE2s on eight leaves.
    Blake2sp "blake2sp" 64 Length::Fixed(32);
    /// BLAKE3.
    Blake3 "blake3" 64 Length::Extendable(32);
    /// SHA-224.
    Sha224 "sha224" 64 Length::Fixed(28);
    /// SHA-256.
    Sha256 "sha256" 64 Length::Fixed(32);
    /// SHA-384.
    Sha384 "sha384" 128 Length::Fixed(48);
    /// SHA-512.
    Sha512 "sha512" 128 Length::Fixed(64);
    /// SHA-512/256.
    Sha512_256 "sha512_256" 128 Length::Fixed(32);
    /// SHA3-224.
    Sha3_224 "sha3_224" 144 Length::Fixed(28);
    /// SHA3-256.
    Sha3_256 "sha3_256" 136 Length::Fixed(32);
    /// SHA3-384.
    Sha3_384 "sha3_384" 104 Length::Fixed(48);
    /// SHA3-512.
    Sha3_512 "sha3_512" 72 Length::Fixed(64);
    /// Keccak-256 with the original padding: Ethereum's hash.
    Keccak256 "keccak_256" 136 Length::Fixed(32);
    /// Keccak-512 with the original padding.
    Keccak512 "keccak_512" 72 Length::Fixed(64);
    /// SHAKE128 (FIPS 202).
    Shake128 "shake_128" 168 Length::Extendable(0);
    /// SHAKE256 (FIPS 202).
    Shake256 "shake_256" 136 Length::Extendable(0);
    /// TurboSHAKE128 (RFC 9861) with the byte 0x1f.
    TurboShake128 "turboshake_128" 168 Length::Extendable(0);
    /// TurboSHAKE256 (RFC 9861) with the byte 0x1f.
    TurboShake256 "turboshake_256" 136 Length::Extendable(0);
    /// cSHAKE128 (NIST SP 800-185).
    CShake128 "cshake_128" 168 Length::Extendable(0);
    /// cSHAKE256 (NIST SP 800-185).
    CShake256 "cshake_256" 136 Length::Extendable(0);
    /// KMAC128 (NIST SP 800-185).
    Kmac128 "kmac_128" 168 Length::Any(32);
    /// KMAC256 (NIST SP 800-185).
    Kmac256 "kmac_256" 136 Length::Any(64);
    /// KT128, also known as KangarooTwelve (RFC 9861).
    Kt128 "kt_128" 168 Length::Extendable(32);
    /// KT256 (RFC 9861).
    Kt256 "kt_256" 136 Length::Extendable(64);
}

impl Algorithm {
    /// Whether the output has no end.
    #[must_use]
    pub const fn is_extendable(self) -> bool {
        matches!(self.length(), Length::Extendable(_))
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Letters of either case are the same, and `-`, `_` and `/` are left out: `SHA3-256` is
/// `sha3_256`, `SHA512/256` is `sha512_256`.
impl FromStr for Algorithm {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let mut all = Self::ALL.iter().copied();
        // As it stands first: that is the usual case, and quick.
        if let Some(found) = all.clone().find(|a| a.name() == text) {
            return Ok(found);
        }
        all.find(|a| same(a.name(), text))
            .ok_or_else(|| Error::UnknownName {
                name: text.to_owned(),
                known: Self::ALL.iter().map(|a| a.name()).collect(),
            })
    }
}

/// Whether two names are the same but for the case of letters and what joins their parts.
pub(crate) fn same(name: &str, text: &str) -> bool {
    let joins = |c: &char| !matches!(c, '-' | '_' | '/');
    let letters = |text: &str| -> Vec<char> {
        text.chars()
            .filter(joins)
            .map(|c| c.to_ascii_lowercase())
            .collect()
    };
    // SHA-512 and sha3_512, of which the digits differ, stay apart.
    letters(name) == letters(text)
}
