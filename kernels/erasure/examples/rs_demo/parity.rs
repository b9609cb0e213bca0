//! `parity`: the parity shards of a file that is data shards one after the other.

use crate::Failure;
use crate::arguments::Shape;
use karat_erasure::Codec;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

pub fn run(shape: Shape, file: &Path) -> Result<(), Failure> {
    let codec = Codec::new(shape.code, shape.data, shape.parity)?;
    let told = |error| format!("cannot read {}: {error}", file.display());
    let bytes = fs::read(file).map_err(told)?;
    if bytes.is_empty() || bytes.len() % shape.data != 0 {
        return Err(format!(
            "{} has {} bytes, which are not {} shards of one length; pad it",
            file.display(),
            bytes.len(),
            shape.data
        )
        .into());
    }
    let length = bytes.len() / shape.data;
    let data: Vec<&[u8]> = bytes.chunks_exact(length).collect();
    let mut parity = vec![0; length * shape.parity];
    let mut shards: Vec<&mut [u8]> = parity.chunks_exact_mut(length).collect();
    codec.encode(&data, &mut shards)?;
    let mut out = io::stdout().lock();
    out.write_all(&parity)?;
    out.flush()?;
    Ok(())
}
