//! Columns of shards, as memory.

use karat_erasure::Codec;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Bytes of all buffers together.
const MEMORY: usize = 16 << 20;

/// A buffer for each shard, and where columns begin.
pub struct Columns {
    pub buffers: Vec<Vec<u8>>,
    width: usize,
    length: u64,
    at: u64,
}

impl Columns {
    /// For shards of `length` bytes.
    pub fn new(codec: &Codec, length: u64) -> Self {
        // A multiple of 64: code C counts its blocks from the beginning of a column.
        let width = (MEMORY / codec.total() / 64 * 64).clamp(64, 1 << 20);
        Self {
            buffers: vec![Vec::new(); codec.total()],
            width,
            length,
            at: 0,
        }
    }

    /// The place of the next column; its width is that of the buffers then.
    pub fn next(&mut self) -> Option<u64> {
        let at = self.at;
        let width = (self.length - at).min(self.width as u64);
        for buffer in &mut self.buffers {
            buffer.resize(width as usize, 0);
        }
        self.at += width;
        (width > 0).then_some(at)
    }
}

/// Reads from a place of a file on, and zeros where it has ended.
pub fn read_at(file: &mut File, place: u64, buffer: &mut [u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(place))?;
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    buffer[filled..].fill(0);
    Ok(())
}
