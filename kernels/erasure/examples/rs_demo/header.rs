//! What stands in front of a shard in its file.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `karat-rs` |
//! | 1 | the code's letter |
//! | 7 | zeros |
//! | 8 each | data shards, parity shards, index of this one, length of the split file; little-endian |

use crate::arguments::Shape;
use karat_erasure::{Code, Codec};

/// Bytes of a header.
pub const LENGTH: usize = 48;

const MAGIC: &[u8; 8] = b"karat-rs";

/// A shard's own description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub shape: Shape,
    /// Which shard: data shards from 0 on, then parity.
    pub index: usize,
    /// Bytes of the file that was split.
    pub file: u64,
}

impl Header {
    pub fn to_bytes(self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8] = self.shape.code.to_string().as_bytes()[0];
        let Shape { data, parity, .. } = self.shape;
        let numbers = [data as u64, parity as u64, self.index as u64, self.file];
        for (place, number) in bytes[16..].chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    /// `None` when the bytes are no header of a code that exists.
    pub fn from_bytes(bytes: &[u8; LENGTH]) -> Option<Self> {
        let number = |i: usize| {
            let (places, _) = bytes[16..].as_chunks();
            u64::from_le_bytes(places[i])
        };
        let small = |i| usize::try_from(number(i)).ok();
        let code = (Code::ALL.into_iter()).find(|c| c.to_string().as_bytes() == [bytes[8]])?;
        let shape = Shape {
            code,
            data: small(0)?,
            parity: small(1)?,
        };
        let header = Self {
            shape,
            index: small(2)?,
            file: number(3),
        };
        let known = bytes[..8] == *MAGIC && bytes[9..16] == [0; 7];
        // A longer file could not be: offsets of files have 63 bits.
        let fits = code.fits(shape.data, shape.parity) && header.file < 1 << 62;
        (known && fits && header.index < shape.data + shape.parity).then_some(header)
    }
}

/// Bytes of a shard of a file: as few as the code allows.
pub fn shard_length(codec: &Codec, file: u64) -> u64 {
    let symbol = codec.code().symbol() as u64;
    file.div_ceil(codec.data() as u64)
        .max(1)
        .next_multiple_of(symbol)
}

/// How the shards lie in the file, for people.
pub fn layout(codec: &Codec, file: u64) -> String {
    let length = shard_length(codec, file);
    let padding = length * codec.data() as u64 - file;
    format!(
        "code {}: {} data + {} parity shards of {length} bytes; data shard i is bytes \
         i*{length} to (i+1)*{length} of {file}, and {padding} zeros at the end; any {} shards \
         are enough",
        codec.code(),
        codec.data(),
        codec.parity(),
        codec.data()
    )
}
