//! A digest as a value: hexadecimal, compared in constant time.

use crate::ct;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

/// A digest or MAC of `N` bytes.
///
/// The functions of the hashes return arrays. This type is for what arrays cannot do:
/// `==` takes the same time wherever two digests differ (see [`ct`](crate::ct#limits) for
/// the limits), and it is shown and parsed as hexadecimal.
///
/// ```
/// use karat_hash_core::Digest;
///
/// let digest = Digest::from([0xde, 0xad, 0xbe, 0xef]);
/// assert_eq!(digest.to_string(), "deadbeef");
/// assert_eq!(format!("{digest:X}"), "DEADBEEF");
/// assert_eq!(Digest::from_hex("DEADbeef")?, digest);
/// assert_eq!("deadbeef".parse::<Digest<4>>()?, digest);
/// assert!(digest == [0xde, 0xad, 0xbe, 0xef]);
///
/// let error = Digest::<4>::from_hex("deadbe").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "a digest of 4 bytes was read from 6 characters: give 8 hexadecimal digits"
/// );
/// # Ok::<(), karat_hash_core::ParseError>(())
/// ```
///
/// With the feature `serde` it is a string of hexadecimal digits in formats for humans,
/// and bytes in others. With the feature `zeroize` it can be wiped; it is `Copy`, so it is
/// not wiped when it is dropped.
#[derive(Clone, Copy)]
pub struct Digest<const N: usize>([u8; N]);

/// Why a text is no digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseError {
    /// It has another length than the digits of the digest.
    Length {
        /// Characters that were found.
        found: usize,
        /// Bytes of the digest.
        bytes: usize,
    },
    /// A character is no hexadecimal digit.
    Character {
        /// Its place, from 0 on, in bytes.
        at: usize,
    },
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { found, bytes } => write!(
                f,
                "a digest of {bytes} bytes was read from {found} characters: give {} \
                 hexadecimal digits",
                2 * bytes
            ),
            Self::Character { at } => write!(
                f,
                "a digest was read from a text whose character {at} is no hexadecimal digit: \
                 give 0 to 9 and a to f only"
            ),
        }
    }
}

impl core::error::Error for ParseError {}

impl<const N: usize> Digest<N> {
    /// Bytes of the digest.
    pub const LENGTH: usize = N;

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; N] {
        &self.0
    }

    /// Reads `2 * N` hexadecimal digits of either case. This takes no constant time.
    ///
    /// # Errors
    /// When the text has another length, or a character that is no digit.
    pub fn from_hex(text: &str) -> Result<Self, ParseError> {
        let text = text.as_bytes();
        if text.len() != 2 * N {
            return Err(ParseError::Length {
                found: text.len(),
                bytes: N,
            });
        }
        let mut bytes = [0; N];
        for (i, pair) in text.as_chunks::<2>().0.iter().enumerate() {
            for (j, character) in pair.iter().enumerate() {
                let digit = char::from(*character).to_digit(16);
                let digit = digit.ok_or(ParseError::Character { at: 2 * i + j })?;
                bytes[i] = bytes[i] << 4 | digit as u8;
            }
        }
        Ok(Self(bytes))
    }

    fn digits(&self, f: &mut fmt::Formatter<'_>, digits: &[u8; 16]) -> fmt::Result {
        for byte in self.0 {
            let pair = [
                digits[usize::from(byte >> 4)],
                digits[usize::from(byte & 15)],
            ];
            f.write_str(core::str::from_utf8(&pair).unwrap_or_default())?;
        }
        Ok(())
    }
}

impl<const N: usize> FromStr for Digest<N> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::from_hex(text)
    }
}

impl<const N: usize> From<[u8; N]> for Digest<N> {
    fn from(bytes: [u8; N]) -> Self {
        Self(bytes)
    }
}

impl<const N: usize> From<Digest<N>> for [u8; N] {
    fn from(digest: Digest<N>) -> Self {
        digest.0
    }
}

impl<const N: usize> AsRef<[u8]> for Digest<N> {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// In constant time.
impl<const N: usize> PartialEq for Digest<N> {
    fn eq(&self, other: &Self) -> bool {
        ct::eq(&self.0, &other.0)
    }
}

impl<const N: usize> Eq for Digest<N> {}

/// In constant time.
impl<const N: usize> PartialEq<[u8; N]> for Digest<N> {
    fn eq(&self, other: &[u8; N]) -> bool {
        ct::eq(&self.0, other)
    }
}

/// In constant time. Slices of another length are unequal.
impl<const N: usize> PartialEq<[u8]> for Digest<N> {
    fn eq(&self, other: &[u8]) -> bool {
        ct::eq(&self.0, other)
    }
}

impl<const N: usize> Hash for Digest<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

/// Lower-case hexadecimal.
impl<const N: usize> fmt::Display for Digest<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digits(f, b"0123456789abcdef")
    }
}

impl<const N: usize> fmt::LowerHex for Digest<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digits(f, b"0123456789abcdef")
    }
}

impl<const N: usize> fmt::UpperHex for Digest<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digits(f, b"0123456789ABCDEF")
    }
}

impl<const N: usize> fmt::Debug for Digest<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

#[cfg(feature = "zeroize")]
impl<const N: usize> zeroize::Zeroize for Digest<N> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::{Digest, ParseError};
    use alloc::string::ToString;
    use alloc::vec::Vec;

    #[test]
    fn every_byte_is_written_and_read() {
        let bytes: [u8; 256] = core::array::from_fn(|i| i as u8);
        let digest = Digest::from(bytes);
        let text = digest.to_string();
        let expected: Vec<_> = (0..=255_u8).map(|i| alloc::format!("{i:02x}")).collect();
        assert_eq!(text, expected.concat());
        assert_eq!(Digest::from_hex(&text), Ok(digest));
        assert_eq!(Digest::from_hex(&alloc::format!("{digest:X}")), Ok(digest));
        assert_eq!(<[u8; 256]>::from(digest), bytes);
        assert_eq!(
            alloc::format!("{:?}", Digest::from([1, 0xab])),
            "Digest(01ab)"
        );
    }

    #[test]
    fn other_texts_are_refused() {
        let refused = |text| Digest::<2>::from_hex(text).unwrap_err();
        for text in ["", "abc", "abcde", "äbc"] {
            let found = text.len();
            if found != 4 {
                assert_eq!(refused(text), ParseError::Length { found, bytes: 2 });
            }
        }
        for (at, text) in ["gbcd", "a cd", "ab/d", "abc:"].into_iter().enumerate() {
            assert_eq!(refused(text), ParseError::Character { at });
        }
        assert_eq!(refused("äbc"), ParseError::Character { at: 0 });
        assert_eq!(refused("+1+2"), ParseError::Character { at: 0 });
    }

    #[test]
    fn one_bit_makes_digests_unequal() {
        let digest = Digest::from([7; 20]);
        assert!(digest == [7; 20] && digest == Digest::from([7; 20]) && digest == [7; 20][..]);
        for bit in 0..160 {
            let mut other = [7; 20];
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(digest != other && digest != Digest::from(other) && digest != other[..]);
        }
        assert!(digest != [7; 19][..]);
    }

    #[cfg(feature = "zeroize")]
    #[test]
    fn it_is_wiped() {
        let mut digest = Digest::from([7; 20]);
        zeroize::Zeroize::zeroize(&mut digest);
        assert_eq!(digest, [0; 20]);
    }
}
