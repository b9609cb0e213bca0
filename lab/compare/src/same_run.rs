//! Logs that tell of one and the same run: copies of a file, and two forms of one output.
//!
//! Figures of one run that are counted twice look like runs without noise.

use super::collect::Side;
use super::seen::{FigureSeen, RunSeen};
use karat_model::units::quantity;
use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Digits in which the times of two logs agree, over all of them, from which on it is no
/// chance: two runs agree in that many once in a million.
const DIGITS: u32 = 6;

/// For each file the first one that holds the same bytes, if that is another one.
pub(super) fn copies(files: &[PathBuf]) -> Vec<Option<usize>> {
    let size = |path: &PathBuf| {
        let data = fs::metadata(path).ok()?;
        (data.is_file() && data.len() > 0).then_some(data.len())
    };
    let sizes: Vec<Option<u64>> = files.iter().map(size).collect();
    let mut first: HashMap<(u64, u64), usize> = HashMap::new();
    let mut out = Vec::new();
    for (index, (path, size)) in files.iter().zip(&sizes).enumerate() {
        // Only files of one size are read for it.
        let hash = size
            .filter(|size| sizes.iter().filter(|s| **s == Some(*size)).count() > 1)
            .and_then(|size| Some((size, hash(path)?)));
        let original = hash.map(|key| *first.entry(key).or_insert(index));
        out.push(original.filter(|original| *original != index));
    }
    out
}

fn hash(path: &Path) -> Option<u64> {
    let mut file = File::open(path).ok()?;
    let mut hasher = DefaultHasher::new();
    let mut piece = vec![0; 256 << 10];
    loop {
        match file.read(&mut piece) {
            Ok(0) => return Some(hasher.finish()),
            Ok(read) => hasher.write(&piece[..read]),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

/// An earlier file of the side that tells of the same run as the last one: all times and
/// rates that both have agree in the digits that both print, and there are enough.
pub(super) fn other_form(side: &Side) -> Option<usize> {
    let last = side.files().len().checked_sub(1)?;
    let mut found: HashMap<usize, Option<u32>> = HashMap::new();
    for seen in side.figures.iter() {
        if !is_measured(seen) {
            continue;
        }
        let of = |file: usize| {
            let run = seen.runs.iter().find(|(f, _)| *f as usize == file)?;
            mean(&run.1)
        };
        let Some(value) = of(last) else { continue };
        for (file, _) in seen.runs.iter().filter(|(file, _)| (*file as usize) < last) {
            let Some(other) = of(*file as usize) else {
                continue;
            };
            let agreed = found.entry(*file as usize).or_insert(Some(0));
            *agreed = agreed.zip(agreement(value, other)).map(|(sum, n)| sum + n);
        }
    }
    let mut same: Vec<usize> = found
        .into_iter()
        .filter(|(_, agreed)| agreed.is_some_and(|digits| digits >= DIGITS))
        .map(|(file, _)| file)
        .collect();
    same.sort_unstable();
    same.first().copied()
}

/// Counts and sizes may well be the same in each run; times and rates are not.
fn is_measured(seen: &FigureSeen) -> bool {
    let class = quantity(&seen.unit).class;
    class.split('/').any(|part| part == "s")
}

fn mean(run: &RunSeen) -> Option<f64> {
    let count = run.values.len();
    (count > 0).then(|| run.values.iter().sum::<f64>() / count as f64)
}

/// In how many digits two values agree, of those that both have; `None` if they do not.
fn agreement(a: f64, b: f64) -> Option<u32> {
    let digits = digits(a).min(digits(b));
    if digits == 0 || a <= 0.0 || b <= 0.0 {
        return (a == b).then_some(0);
    }
    // Half a unit of the last common digit of the larger one.
    let exponent = a.max(b).log10().floor() as i32;
    let unit = 10f64.powi(exponent + 1 - digits as i32);
    ((a - b).abs() <= unit * 0.5000001).then_some(digits)
}

/// Significant digits that a value was printed with, as far as can be seen.
fn digits(value: f64) -> u32 {
    let text = format!("{value:.11e}");
    let mantissa = text.split('e').next().unwrap_or("");
    let mantissa = mantissa.trim_end_matches('0');
    mantissa.bytes().filter(u8::is_ascii_digit).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_agree_in_the_digits_that_both_have() {
        assert_eq!(agreement(2.7, 2.7123), Some(2));
        assert_eq!(agreement(2.7, 2.8), None);
        assert_eq!(agreement(0.002_712_3, 0.002_712_3), Some(5));
        assert_eq!(agreement(12.345, 12.346), None);
        assert_eq!(agreement(0.0, 0.0), Some(0));
    }
}
