//! `damage`: shards removed and changed.

use crate::Failure;
use crate::arguments::Damage;
use crate::columns::read_at;
use crate::header::LENGTH;
use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes that are changed in a shard.
const CHANGES: u64 = 3;

pub fn run(damage: &Damage, folder: &Path) -> Result<(), Failure> {
    let mut shards: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(|error| format!("cannot read {}: {error}", folder.display()))?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<_, _>>()?;
    shards.retain(|path| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().starts_with("shard-")
    });
    shards.sort();
    let wanted = damage.lose.saturating_add(damage.corrupt);
    if wanted > shards.len() {
        return Err(format!(
            "{wanted} shards are to be damaged and {} has {}; damage fewer",
            folder.display(),
            shards.len()
        )
        .into());
    }
    let mut random = damage.seed;
    for number in 0..wanted {
        let path = shards.swap_remove(next(&mut random) as usize % shards.len());
        if number < damage.lose {
            fs::remove_file(&path)?;
            println!("removed {}", path.display());
        } else {
            change(&path, &mut random)?;
            println!("changed {}", path.display());
        }
    }
    Ok(())
}

/// Changes bytes behind the header.
fn change(path: &Path, random: &mut u64) -> Result<(), Failure> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let length = file.metadata()?.len().saturating_sub(LENGTH as u64);
    for i in 0..CHANGES.min(length) {
        let place = LENGTH as u64 + (next(random) % length / CHANGES * CHANGES + i) % length;
        let mut byte = [0];
        read_at(&mut file, place, &mut byte)?;
        file.seek(SeekFrom::Start(place))?;
        file.write_all(&[byte[0] ^ 0x5a])?;
    }
    Ok(())
}

/// The next random number (splitmix64; Steele, Lea and Flood, 2014).
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
