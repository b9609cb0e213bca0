//! Whether images are layouts of one program that really differ.

use super::error::LayoutError;
use karat_binary::addresses::{Addresses, addresses};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Less than this share of moved code is no other layout.
const ENOUGH: f64 = 0.5;

/// How the code of several layouts lies.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// Functions with a size, in each image.
    pub functions: usize,
    /// Their bytes; what two names share counts once.
    pub code_bytes: u64,
    /// Share of these bytes in functions that lie elsewhere modulo 64 (a cache
    /// line) in at least two of the layouts.
    pub by_64: f64,
    /// The same modulo 4096 (a page; loads and stores alias by it).
    pub by_4096: f64,
    /// The hot functions that have a symbol.
    pub hot: Vec<HotFunction>,
}

/// Where one hot function lies.
#[derive(Clone, Debug, PartialEq)]
pub struct HotFunction {
    /// Its name, demangled.
    pub name: String,
    /// Its address in each image.
    pub addresses: Vec<u64>,
}

impl HotFunction {
    /// Whether its addresses differ modulo `modulus`.
    #[must_use]
    pub fn moved(&self, modulus: u64) -> bool {
        differ(&self.addresses, modulus)
    }
}

fn differ(addresses: &[u64], modulus: u64) -> bool {
    addresses
        .windows(2)
        .any(|pair| pair[0] % modulus != pair[1] % modulus)
}

/// Compares the layouts of one program, given as seeds and bytes of the files;
/// `hot` names functions as the expected functions of a study are named.
///
/// Functions are paired by name and size; Rust's hashes and the numbers of private
/// functions are no part of a name.
/// Of several with one name and size (private functions of several files), the
/// first symbols belong together: linkers write symbols in the order of files,
/// which layouts do not change.
///
/// # Errors
/// [`LayoutError::DifferentCode`] if not every image has the same functions,
/// [`LayoutError::NothingMoved`] if less than half of the code, or none of the
/// hot functions, lies elsewhere modulo 4096. Modulo 64 nothing is demanded:
/// functions may be aligned to it. [`LayoutError::Image`] without two images or
/// without symbols.
pub fn moved(images: &[(u64, &[u8])], hot: &[String]) -> Result<Moved, LayoutError> {
    let mut all = Vec::with_capacity(images.len());
    for (seed, bytes) in images {
        let image = |what: String| LayoutError::Image { seed: *seed, what };
        let found = addresses(bytes, hot).map_err(|e| image(e.to_string()))?;
        if found.functions.is_empty() {
            return Err(image(
                "it has no symbols of functions; build it without strip".into(),
            ));
        }
        all.push((*seed, found));
    }
    let Some(((first, base), others)) = all.split_first().filter(|(_, o)| !o.is_empty()) else {
        return Err(LayoutError::Image {
            seed: images.first().map_or(0, |i| i.0),
            what: "one image alone has nothing to be compared with".into(),
        });
    };
    let mut places: Vec<Vec<u64>> = base.functions.iter().map(|f| vec![f.address]).collect();
    for (seed, other) in others {
        let partner = pair(base, other).map_err(|what| LayoutError::DifferentCode {
            first: *first,
            second: *seed,
            what,
        })?;
        for (i, place) in places.iter_mut().enumerate() {
            place.push(other.functions[partner[i]].address);
        }
    }
    let found = summary(base, &places);
    let none_hot = !found.hot.is_empty() && found.hot.iter().all(|h| !h.moved(4096));
    if found.by_4096 < ENOUGH || none_hot {
        return Err(LayoutError::NothingMoved {
            layouts: images.len(),
            moved: found.by_4096 * 100.0,
            code_bytes: found.code_bytes,
            hot: hot_words(&found.hot),
        });
    }
    Ok(found)
}

/// Checks that two images have the same functions at the same addresses.
///
/// # Errors
/// What differs.
pub(super) fn same_places(one: &[u8], two: &[u8]) -> Result<(), String> {
    let read = |bytes| addresses(bytes, &[]).map_err(|e| e.to_string());
    let (one, two) = (read(one)?, read(two)?);
    let partner = pair(&one, &two)?;
    for (f, partner) in one.functions.iter().zip(partner) {
        let other = two.functions[partner].address;
        if f.address != other {
            return Err(format!("{} at {:#x}, {other:#x}", f.name, f.address));
        }
    }
    Ok(())
}

/// A name without the number that LLVM and GCC give to the second of two private
/// functions: which one is second depends on hashes that are not in the name.
fn unnumbered(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, number))
            if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            stem
        }
        _ => name,
    }
}

/// For every function of `base`, the same one in `other`.
fn pair(base: &Addresses, other: &Addresses) -> Result<Vec<usize>, String> {
    let mut waiting: HashMap<(&str, u64), std::collections::VecDeque<usize>> = HashMap::new();
    for (i, f) in other.functions.iter().enumerate() {
        waiting
            .entry((unnumbered(&f.name), f.size))
            .or_default()
            .push_back(i);
    }
    let mut out = Vec::with_capacity(base.functions.len());
    let mut differences: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for f in &base.functions {
        match waiting
            .get_mut(&(unnumbered(&f.name), f.size))
            .and_then(|w| w.pop_front())
        {
            Some(i) => out.push(i),
            None => differences
                .entry(&f.name)
                .or_default()
                .push(format!("{} bytes in the first", f.size)),
        }
    }
    for ((name, size), left) in &waiting {
        for _ in left {
            differences
                .entry(name)
                .or_default()
                .push(format!("{size} bytes in the second"));
        }
    }
    if differences.is_empty() {
        return Ok(out);
    }
    let shown: Vec<String> = differences
        .iter()
        .take(3)
        .map(|(name, what)| format!("{name}: {}", what.join(", ")))
        .collect();
    let rest = match differences.len() - shown.len() {
        0 => String::new(),
        n => format!("; and {n} more"),
    };
    Err(format!("{}{rest}", shown.join("; ")))
}

fn summary(base: &Addresses, places: &[Vec<u64>]) -> Moved {
    let mut counted = HashSet::new();
    let (mut bytes, mut by_64, mut by_4096) = (0, 0, 0);
    for (f, place) in base.functions.iter().zip(places) {
        if !counted.insert(f.address) {
            continue;
        }
        bytes += f.size;
        by_64 += if differ(place, 64) { f.size } else { 0 };
        by_4096 += if differ(place, 4096) { f.size } else { 0 };
    }
    let share = |part: u64| part as f64 / bytes.max(1) as f64;
    let mut hot: Vec<usize> = base.expected.iter().flatten().copied().collect();
    hot.sort_unstable();
    hot.dedup();
    Moved {
        functions: base.functions.len(),
        code_bytes: bytes,
        by_64: share(by_64),
        by_4096: share(by_4096),
        hot: hot
            .into_iter()
            .map(|i| HotFunction {
                name: base.functions[i].name.clone(),
                addresses: places[i].clone(),
            })
            .collect(),
    }
}

fn hot_words(hot: &[HotFunction]) -> String {
    if hot.is_empty() {
        return "no hot function was named, or none has a symbol".into();
    }
    let words: Vec<String> = hot
        .iter()
        .map(|h| {
            let at: Vec<String> = h.addresses.iter().map(|a| format!("{a:#x}")).collect();
            format!("{} at {}", h.name, at.join(", "))
        })
        .collect();
    words.join("; ")
}
