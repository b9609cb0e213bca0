//! Digests in serde's formats: hexadecimal where humans read, bytes elsewhere.

use crate::Digest;
use core::fmt;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

impl<const N: usize> Serialize for Digest<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_bytes(self.as_bytes())
        }
    }
}

impl<'de, const N: usize> Deserialize<'de> for Digest<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(Text)
        } else {
            deserializer.deserialize_bytes(Bytes)
        }
    }
}

struct Text<const N: usize>;

impl<const N: usize> Visitor<'_> for Text<N> {
    type Value = Digest<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} hexadecimal digits", 2 * N)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Digest<N>, E> {
        Digest::from_hex(text).map_err(E::custom)
    }
}

struct Bytes<const N: usize>;

impl<'de, const N: usize> Visitor<'de> for Bytes<N> {
    type Value = Digest<N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{N} bytes")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Digest<N>, E> {
        let bytes: &[u8; N] = bytes
            .try_into()
            .map_err(|_| E::invalid_length(bytes.len(), &self))?;
        Ok(Digest::from(*bytes))
    }

    /// Some formats have no bytes, but sequences of numbers.
    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Digest<N>, A::Error> {
        let mut bytes = [0; N];
        for (i, byte) in bytes.iter_mut().enumerate() {
            let next = sequence.next_element()?;
            *byte = next.ok_or_else(|| A::Error::invalid_length(i, &self))?;
        }
        if sequence.next_element::<u8>()?.is_some() {
            return Err(A::Error::invalid_length(N + 1, &self));
        }
        Ok(Digest::from(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::IntoDeserializer;
    use serde::de::value::{BytesDeserializer, Error as Plain, SeqDeserializer};

    #[test]
    fn humans_read_hexadecimal() {
        let digest = Digest::from([1, 0xab]);
        assert_eq!(serde_json::to_string(&digest).unwrap(), "\"01ab\"");
        assert_eq!(
            serde_json::from_str::<Digest<2>>("\"01AB\"").unwrap(),
            digest
        );
        let error = serde_json::from_str::<Digest<2>>("\"01a\"").unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("a digest of 2 bytes was read from 3 characters")
        );
        assert!(serde_json::from_str::<Digest<2>>("[1, 2]").is_err());
    }

    #[test]
    fn other_formats_have_bytes() {
        let bytes = |bytes| Bytes::<2>.visit_bytes::<Plain>(bytes);
        assert_eq!(bytes(&[1, 2]), Ok(Digest::from([1, 2])));
        assert!(bytes(&[1]).is_err() && bytes(&[1, 2, 3]).is_err());
        let sequence = |numbers: &[u8]| {
            Bytes::<2>.visit_seq(SeqDeserializer::<_, Plain>::new(numbers.iter().copied()))
        };
        assert_eq!(sequence(&[1, 2]), Ok(Digest::from([1, 2])));
        assert!(sequence(&[1]).is_err() && sequence(&[1, 2, 3]).is_err());
        let _: BytesDeserializer<'_, Plain> = [1_u8, 2][..].into_deserializer();
    }
}
