//! `split`: a file to shards.

use crate::Failure;
use crate::arguments::Shape;
use crate::columns::{Columns, read_at};
use crate::header::{Header, layout, shard_length};
use crate::progress::Progress;
use karat_erasure::{Codec, Workspace};
use std::fs::{self, File};
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The name of a shard's file.
pub fn shard_path(folder: &Path, index: usize) -> PathBuf {
    folder.join(format!("shard-{index:05}"))
}

pub fn run(shape: Shape, file: &Path, folder: &Path) -> Result<(), Failure> {
    let codec = Codec::new(shape.code, shape.data, shape.parity)?;
    let told = |error| format!("cannot read {}: {error}", file.display());
    let kind = fs::metadata(file).map_err(told)?;
    if !kind.is_file() {
        return Err(format!(
            "{} is no regular file, so its size is not known before it is read; copy what it \
             gives to a file",
            file.display()
        )
        .into());
    }
    let mut input = File::open(file).map_err(told)?;
    let size = input.metadata()?.len();
    println!("{}", layout(&codec, size));
    let told = |error| format!("cannot make the folder {}: {error}", folder.display());
    fs::create_dir_all(folder).map_err(told)?;
    let mut outputs = Vec::new();
    for index in 0..codec.total() {
        let path = shard_path(folder, index);
        let told = |error: std::io::Error| {
            let hint = match error.kind() {
                ErrorKind::AlreadyExists => "; shards of another file are there, give a new folder",
                _ => "",
            };
            format!("cannot write {}: {error}{hint}", path.display())
        };
        let mut output = BufWriter::with_capacity(1 << 12, File::create_new(&path).map_err(told)?);
        let header = Header {
            shape,
            index,
            file: size,
        };
        output.write_all(&header.to_bytes())?;
        outputs.push(output);
    }
    let length = shard_length(&codec, size);
    let (mut columns, mut workspace) = (Columns::new(&codec, length), Workspace::new());
    let mut progress = Progress::new("split", size);
    while let Some(at) = columns.next() {
        let (data, parity) = columns.buffers.split_at_mut(shape.data);
        for (i, buffer) in data.iter_mut().enumerate() {
            part_of(&mut input, i as u64 * length, at, length, size, buffer)?;
        }
        codec.encode_with(&mut workspace, data, parity)?;
        for (output, buffer) in outputs.iter_mut().zip(&columns.buffers) {
            output.write_all(buffer)?;
        }
        progress.tell(at * shape.data as u64);
    }
    for output in &mut outputs {
        output.flush()?;
    }
    progress.end();
    Ok(())
}

/// Bytes of a shard that begins at `first` in the file. A shard may reach beyond the end.
fn part_of(
    input: &mut File,
    first: u64,
    at: u64,
    length: u64,
    size: u64,
    buffer: &mut [u8],
) -> Result<(), Failure> {
    debug_assert!(at + buffer.len() as u64 <= length);
    if first + at >= size {
        buffer.fill(0);
        return Ok(());
    }
    Ok(read_at(input, first + at, buffer)?)
}
