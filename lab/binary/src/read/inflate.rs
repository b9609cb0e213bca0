//! Compressed sections.

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use object::CompressionFormat;
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// How many times larger than its compressed form a section may be: zlib cannot do
/// more (RFC 1951: 258 bytes for two bits), debug information compresses to a
/// fifth, and a few bytes must not claim gigabytes.
const MOST: usize = 1032;
/// Bytes that are decoded before they are taken over.
const STEP: usize = 1 << 20;

/// Decompresses to exactly `claimed` bytes.
///
/// Buffers grow as data comes, so a false claim costs nothing.
pub fn inflate(format: CompressionFormat, data: &[u8], claimed: usize) -> Result<Vec<u8>, String> {
    if claimed > data.len().saturating_mul(MOST).saturating_add(MOST) {
        let length = data.len();
        return Err(format!("{length} bytes claim to be {claimed} compressed"));
    }
    let bytes = match format {
        CompressionFormat::Zlib => decompress_to_vec_zlib_with_limit(data, claimed)
            .map_err(|error| format!("zlib: {:?}", error.status))?,
        CompressionFormat::Zstandard => {
            zstd(data, claimed).map_err(|error| format!("zstd: {error}"))?
        }
        _ => return Err("karat does not know how it is compressed".into()),
    };
    if bytes.len() != claimed {
        let got = bytes.len();
        return Err(format!("{got} bytes instead of {claimed}"));
    }
    Ok(bytes)
}

/// All frames of `data`: some linkers compress pieces on their own. Stops when
/// there is more than `most`.
fn zstd(data: &[u8], most: usize) -> Result<Vec<u8>, FrameDecoderError> {
    let mut rest = data;
    let mut out = Vec::new();
    let mut decoder = FrameDecoder::new();
    while !rest.is_empty() {
        decoder.init(&mut rest)?;
        loop {
            decoder.decode_blocks(&mut rest, BlockDecodingStrategy::UptoBytes(STEP))?;
            out.extend(decoder.collect().unwrap_or_default());
            if out.len() > most {
                return Ok(out);
            }
            if decoder.is_finished() {
                break;
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zstd_frame_of_known_bytes() {
        // RFC 8878: magic number; frame header of one segment and 5 bytes; the
        // last block, raw, of 5 bytes.
        let frame = [
            0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, 0x29, 0, 0, b'k', b'a', b'r', b'a', b't',
        ];
        let inflated = |data: &[u8], claimed| inflate(CompressionFormat::Zstandard, data, claimed);
        assert_eq!(inflated(&frame, 5), Ok(b"karat".to_vec()));
        let two = [frame, frame].concat();
        assert_eq!(inflated(&two, 10), Ok(b"karatkarat".to_vec()));
        assert!(inflated(&frame, 4).is_err());
        assert!(inflated(&frame, 6).is_err());
        assert!(inflated(&frame[..12], 5).is_err());
        assert!(inflated(&frame, 1 << 40).unwrap_err().contains("claim"));
    }
}
