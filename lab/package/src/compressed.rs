//! One compressed stream, as a reader of what was compressed.

use crate::kind::Codec;
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};
use std::io::{self, BufReader, Read};

/// Memory that the dictionary of an xz file may take, in KiB: `xz -9` asks for 64 MiB.
const XZ_MEMORY: u32 = 512 << 10;
/// Window of a Zstandard frame: `zstd --ultra --long=27` asks for 128 MiB.
const ZSTD_WINDOW: u64 = 128 << 20;

/// A reader of what `from` holds compressed. All members and frames are read, one behind
/// the other.
pub fn decoder<'a>(codec: Codec, from: impl Read + 'a) -> Box<dyn Read + 'a> {
    match codec {
        Codec::Gzip => Box::new(flate2::read::MultiGzDecoder::new(from)),
        Codec::Bzip2 => Box::new(bzip2::read::MultiBzDecoder::new(from)),
        Codec::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(from, true, XZ_MEMORY)),
        Codec::Zstd => Box::new(Frames {
            source: Some(Peeked::new(from)),
            frame: None,
        }),
    }
}

/// Zstandard frames behind each other; the decoder of `ruzstd` ends with the first.
struct Frames<R: Read> {
    source: Option<Peeked<R>>,
    frame: Option<StreamingDecoder<Peeked<R>, FrameDecoder>>,
}

impl<R: Read> Read for Frames<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if into.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(mut source) = self.source.take() {
                if source.is_at_end()? {
                    self.source = Some(source);
                    return Ok(0);
                }
                let frame = StreamingDecoder::new_with_max_window_size(source, ZSTD_WINDOW);
                self.frame = Some(frame.map_err(io::Error::other)?);
            }
            let Some(frame) = &mut self.frame else {
                return Ok(0);
            };
            let read = frame.read(into)?;
            if read > 0 {
                return Ok(read);
            }
            self.source = self.frame.take().map(StreamingDecoder::into_inner);
        }
    }
}

/// A reader that can tell whether there is more.
struct Peeked<R>(BufReader<R>);

impl<R: Read> Peeked<R> {
    fn new(from: R) -> Self {
        Self(BufReader::with_capacity(1 << 16, from))
    }

    fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(io::BufRead::fill_buf(&mut self.0)?.is_empty())
    }
}

impl<R: Read> Read for Peeked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.read(into)
    }
}
