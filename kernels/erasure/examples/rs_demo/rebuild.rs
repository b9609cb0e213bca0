//! `rebuild`: the file and its lost or corrupt shards, from the shards that are left.

use crate::Failure;
use crate::columns::{Columns, read_at};
use crate::header::{Header, LENGTH, layout, shard_length};
use crate::progress::Progress;
use crate::split::shard_path;
use karat_erasure::{Codec, Workspace};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

pub fn run(folder: &Path, file: &Path) -> Result<(), Failure> {
    let (header, mut shards) = open(folder)?;
    apart(folder, file)?;
    let codec = Codec::new(header.shape.code, header.shape.data, header.shape.parity)?;
    println!("{}", layout(&codec, header.file));
    let length = shard_length(&codec, header.file);
    let short = leave_out(&mut shards, LENGTH as u64 + length)?;
    tell("of a wrong length, taken as lost", short.into_iter());
    let present: Vec<bool> = shards.iter().map(Option::is_some).collect();
    tell("lost", present.iter().map(|p| !p));
    let mut good = present.clone();
    for corrupt in corrupt(&codec, &mut shards, &present, length)? {
        good[corrupt] = false;
    }
    tell("corrupt", present.iter().zip(&good).map(|(p, g)| p & !g));

    let plan = codec.plan(&good)?;
    if good.iter().filter(|good| **good).count() == codec.data() {
        println!("no shard is left over: if one of these is corrupt, nothing shows it");
    }
    let told = |error| format!("cannot write {}: {error}", file.display());
    let mut output = File::create(file).map_err(told)?;
    output.set_len(header.file).map_err(told)?;
    let mut again = Vec::new();
    for index in (0..codec.total()).filter(|i| !good[*i]) {
        // Beside the old one, which is replaced when all is done.
        let path = shard_path(folder, index).with_extension("new");
        let mut shard = File::create(&path)?;
        shard.write_all(&Header { index, ..header }.to_bytes())?;
        again.push((index, shard));
    }
    let (mut columns, mut workspace) = (Columns::new(&codec, length), Workspace::new());
    let mut progress = Progress::new("rebuild", header.file);
    while let Some(at) = columns.next() {
        read(&mut shards, &good, at, &mut columns)?;
        plan.reconstruct_with(&mut workspace, &mut columns.buffers)?;
        for (index, shard) in &mut again {
            shard.write_all(&columns.buffers[*index])?;
        }
        for (i, buffer) in columns.buffers[..codec.data()].iter().enumerate() {
            write_part(&mut output, i as u64 * length + at, header.file, buffer)?;
        }
        progress.tell(at * codec.data() as u64);
    }
    for (index, _) in again {
        let path = shard_path(folder, index);
        fs::rename(path.with_extension("new"), path)?;
    }
    progress.end();
    Ok(())
}

/// Fails when the file would lie among the shards: it could be one of them.
fn apart(folder: &Path, file: &Path) -> Result<(), Failure> {
    let parent = match file.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let places = (fs::canonicalize(folder), fs::canonicalize(parent));
    if let (Ok(folder), Ok(parent)) = places
        && folder == parent
    {
        let file = file.display();
        return Err(format!("{file} would lie among the shards; give another place").into());
    }
    Ok(())
}

/// Leaves out shards of another length, and says which they are.
fn leave_out(shards: &mut [Option<File>], length: u64) -> Result<Vec<bool>, Failure> {
    let mut wrong = Vec::new();
    for place in shards {
        let found = match place {
            Some(shard) => shard.metadata()?.len(),
            None => length,
        };
        wrong.push(found != length);
        if found != length {
            *place = None;
        }
    }
    Ok(wrong)
}

/// The header that most shards share, and the shards that have it.
fn open(folder: &Path) -> Result<(Header, Vec<Option<File>>), Failure> {
    let mut found: Vec<(Header, File)> = Vec::new();
    let told = |error| format!("cannot read {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(told)? {
        let path = entry.map_err(told)?.path();
        let told = |error| format!("cannot read {}: {error}", path.display());
        // Else a pipe that lies there would be waited for.
        if !fs::metadata(&path).map_err(told)?.is_file() {
            continue;
        }
        let mut file = File::open(&path).map_err(told)?;
        let mut bytes = [0; LENGTH];
        if file.read_exact(&mut bytes).is_ok() {
            found.extend(Header::from_bytes(&bytes).map(|header| (header, file)));
        }
    }
    let kind = |h: &Header| Header { index: 0, ..*h };
    let votes = |h: &Header| found.iter().filter(|(o, _)| kind(o) == kind(h)).count();
    let Some(common) = found.iter().map(|(h, _)| kind(h)).max_by_key(votes) else {
        return Err(format!("{} has no shards of rs_demo", folder.display()).into());
    };
    let mut shards: Vec<Option<File>> = Vec::new();
    shards.resize_with(common.shape.data + common.shape.parity, || None);
    for (header, file) in found {
        if kind(&header) == common {
            shards[header.index] = Some(file);
        }
    }
    Ok((common, shards))
}

/// Shards that do not fit the others, as far as parity says.
fn corrupt(
    codec: &Codec,
    shards: &mut [Option<File>],
    present: &[bool],
    length: u64,
) -> Result<Vec<usize>, Failure> {
    let mut found = Vec::new();
    let mut trusted = present.to_vec();
    let mut columns = Columns::new(codec, length);
    while let Some(at) = columns.next() {
        read(shards, present, at, &mut columns)?;
        for shard in codec.locate_present(&columns.buffers, &trusted)? {
            trusted[shard] = false;
            found.push(shard);
        }
    }
    Ok(found)
}

/// The column at `at` of the shards with a flag.
fn read(
    shards: &mut [Option<File>],
    wanted: &[bool],
    at: u64,
    columns: &mut Columns,
) -> Result<(), Failure> {
    for ((shard, wanted), buffer) in shards.iter_mut().zip(wanted).zip(&mut columns.buffers) {
        if let (Some(shard), true) = (shard, wanted) {
            read_at(shard, LENGTH as u64 + at, buffer)?;
        }
    }
    Ok(())
}

/// Writes at a place of a file what is not behind its end.
fn write_part(output: &mut File, place: u64, size: u64, buffer: &[u8]) -> Result<(), Failure> {
    use std::io::{Seek, SeekFrom};
    let count = size.saturating_sub(place).min(buffer.len() as u64);
    output.seek(SeekFrom::Start(place))?;
    output.write_all(&buffer[..count as usize])?;
    Ok(())
}

fn tell(what: &str, flags: impl Iterator<Item = bool>) {
    let set = flags.enumerate().filter(|(_, set)| *set);
    let names: Vec<String> = set.map(|(index, _)| index.to_string()).collect();
    if !names.is_empty() {
        println!("{what}: shard {}", names.join(", "));
    }
}
