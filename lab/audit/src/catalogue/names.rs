//! Names of functions, looked up among those of the catalogue.
//!
//! A binary has a hundred thousand names and the catalogue hundreds, so a name
//! is demangled only when one of the first path segments is in it; a C symbol is
//! one look-up.

use karat_binary::attribute::target::Target;
use std::collections::{HashMap, HashSet};

/// All names of a catalogue.
pub(super) struct Names<'c> {
    exact: HashMap<&'c str, u32>,
    /// C symbols that go on, longest first.
    open: Vec<(&'c str, u32)>,
    /// First segments of paths.
    roots: HashSet<&'c str>,
    /// By length of a root (63: or more): a bit for each first letter, by its low bits.
    letters: [u32; 64],
    paths: Vec<Path>,
    prefixes: Vec<&'c str>,
    /// By length of a name without a path (63: or more): a bit for each first letter.
    lengths: [u32; 64],
    /// A bit for each first letter of what goes on, and of prefixes.
    begins: u32,
}

/// The bit of a first letter, by its low bits.
fn letter(name: &str) -> u32 {
    let first = name.bytes().next();
    first.map_or(u32::MAX, |first| 1 << (first & 31))
}

/// A name with `::`.
struct Path {
    target: Target,
    /// Without `*`.
    stem: String,
    below: bool,
    kernel: u32,
}

impl<'c> Names<'c> {
    pub fn new() -> Self {
        Self {
            exact: HashMap::new(),
            open: Vec::new(),
            roots: HashSet::new(),
            letters: [0; 64],
            paths: Vec::new(),
            prefixes: Vec::new(),
            lengths: [0; 64],
            begins: 0,
        }
    }

    /// Adds a name of a kernel; of two kernels with one name the first has it.
    pub fn add(&mut self, name: &'c str, kernel: u32) {
        // Go's packages have slashes and dots, and are no paths to a demangler.
        if name.contains("::") {
            let root = name.trim_start_matches('<').split("::").next();
            if let Some(root) = root {
                self.letters[root.len().min(63)] |= letter(root);
            }
            self.roots.extend(root);
            self.paths.push(Path {
                target: Target::new(name),
                stem: name.trim_end_matches('*').to_string(),
                below: name.ends_with("::*"),
                kernel,
            });
        } else if let Some(stem) = name.strip_suffix('*') {
            self.begins |= letter(stem);
            self.open.push((stem, kernel));
        } else {
            self.lengths[name.len().min(63)] |= letter(name);
            self.exact.entry(name).or_insert(kernel);
        }
    }

    pub fn add_prefix(&mut self, prefix: &'c str) {
        self.begins |= letter(prefix);
        self.prefixes.push(prefix);
    }

    /// To be called when all names are in.
    pub fn finish(&mut self) {
        self.open
            .sort_by_key(|(stem, _)| std::cmp::Reverse(stem.len()));
    }

    /// The kernel that a symbol or linkage name is.
    pub fn find(&self, mangled: &str) -> Option<u32> {
        if mangled.starts_with("_ZN") || mangled.starts_with("_R") {
            return self.find_path(mangled);
        }
        // A look at the first letter leaves out most.
        let letter = letter(mangled);
        if (self.begins | self.lengths[mangled.len().min(63)]) & letter == 0 {
            return None;
        }
        // `.cold` and its like are parts of a function, not the kernel.
        self.find_c(mangled).or_else(|| {
            let prefix = (self.prefixes.iter()).find(|p| mangled.starts_with(**p))?;
            let version = |c: char| c.is_ascii_digit() || c == '_';
            self.find_c(mangled[prefix.len()..].trim_start_matches(version))
        })
    }

    fn find_c(&self, name: &str) -> Option<u32> {
        let open = || self.open.iter().find(|(stem, _)| name.starts_with(stem));
        let exact = self.exact.get(name).copied();
        exact.or_else(|| open().map(|(_, kernel)| *kernel))
    }

    fn find_path(&self, mangled: &str) -> Option<u32> {
        if !self.mentions_root(mangled) {
            return None;
        }
        let by_target = self.paths.iter().find(|p| p.target.matches_symbol(mangled));
        let found = by_target.or_else(|| {
            let path = nested_name(mangled)?;
            self.paths.iter().find(|p| match p.below {
                true => path.starts_with(&p.stem),
                false => path == p.stem,
            })
        });
        found.map(|path| path.kernel)
    }

    /// Whether one of the identifiers in a mangled name is a first segment.
    /// Identifiers are written behind their length, both by C++ and by Rust.
    fn mentions_root(&self, mangled: &str) -> bool {
        // From every digit on: digits before a length may end another name.
        any_digit(mangled.as_bytes(), |at| self.is_root(mangled, at))
    }

    /// Whether a length and an identifier that is a first segment begin at a place of a name.
    #[inline(always)]
    fn is_root(&self, mangled: &str, at: usize) -> bool {
        let bytes = mangled.as_bytes();
        let head = bytes.get(at..).and_then(<[u8]>::first_chunk);
        if head.is_some_and(|head| !self.may_be_root(*head)) {
            return false;
        }
        let mut length = 0;
        let mut start = at;
        while start < at + 3 && bytes.get(start).is_some_and(u8::is_ascii_digit) {
            length = length * 10 + usize::from(bytes[start] - b'0');
            start += 1;
        }
        let Some(first) = bytes.get(start) else {
            return false;
        };
        if *first == b'_' && bytes[start..].starts_with(b"_$LT$") {
            // Rust's older mangling writes `<a::B as c::D>` as one identifier.
            let inner = mangled.get(start..start + length);
            return inner.is_some_and(|i| self.roots.iter().any(|root| i.contains(root)));
        }
        // Asking the table of roots for every name would cost the most.
        self.letters[length.min(63)] >> (first & 31) & 1 != 0
            && (mangled.get(start..start + length)).is_some_and(|name| self.roots.contains(name))
    }

    /// Whether these bytes may begin one: told without a branch, since how many digits a length
    /// has is guessed wrongly too often.
    #[inline(always)]
    fn may_be_root(&self, head: [u8; 4]) -> bool {
        let [one, two, three, _] = head.map(|byte| usize::from(byte.wrapping_sub(b'0')));
        let has_two = two < 10;
        let has_three = has_two & (three < 10);
        let length = if has_two { one * 10 + two } else { one };
        let length = if has_three {
            length * 10 + three
        } else {
            length
        };
        let first = head[1 + usize::from(has_two) + usize::from(has_three)];
        let is_one = self.letters[length.min(63)] >> (first & 31) & 1 != 0;
        is_one | (first == b'_')
    }
}

/// Whether one of the digits behind the first two bytes is at a place that is asked for: eight
/// bytes are looked at together, since one in ten is a digit, and names have millions.
#[inline(always)]
fn any_digit(bytes: &[u8], mut is_one: impl FnMut(usize) -> bool) -> bool {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let (words, rest) = bytes.get(2..).unwrap_or_default().as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let mut from = 2;
    for word in words.iter().chain([&last]) {
        let word = u64::from_le_bytes(*word) ^ (EACH * u64::from(b'0'));
        // The highest bit of each byte that is now above nine.
        let above = ((word & (EACH * 0x7f)) + EACH * (0x7f - 9)) | word;
        let mut found = !above & (EACH * 0x80);
        while found != 0 {
            if is_one(from + found.trailing_zeros() as usize / 8) {
                return true;
            }
            found &= found - 1;
        }
        from += 8;
    }
    false
}

/// The path of a C++ function: namespaces and name, up to the first template
/// argument (Itanium C++ ABI, 5.1.2, `<nested-name>`).
fn nested_name(mangled: &str) -> Option<String> {
    let mut rest = mangled.strip_prefix("_ZN")?.trim_start_matches(['K', 'V']);
    let mut path = String::new();
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(length) = rest[..digits].parse::<usize>() else {
            break;
        };
        let name = rest.get(digits..digits.checked_add(length)?)?;
        if !path.is_empty() {
            path.push_str("::");
        }
        path.push_str(name);
        rest = &rest[digits + length..];
    }
    (!path.is_empty()).then_some(path)
}

#[cfg(test)]
impl Names<'_> {
    /// All of them, to compare two catalogues: names with their kernels, and prefixes.
    pub fn listed(&self) -> (Vec<(String, u32)>, Vec<&str>) {
        let exact = self
            .exact
            .iter()
            .map(|(name, kernel)| ((*name).to_owned(), *kernel));
        let open = self
            .open
            .iter()
            .map(|(stem, kernel)| (format!("{stem}*"), *kernel));
        let below = |path: &Path| if path.below { "*" } else { "" };
        let paths = self.paths.iter();
        let paths = paths.map(|path| (format!("{}{}", path.stem, below(path)), path.kernel));
        let mut all: Vec<_> = exact.chain(open).chain(paths).collect();
        all.sort_unstable();
        (all, self.prefixes.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Names<'static> {
        let mut names = Names::new();
        for (name, kernel) in [
            ("blake2b_simd::avx2::compress1_loop", 0),
            ("simdutf::haswell::*", 1),
            ("sha256_block_data_order_avx2", 2),
            ("ChaCha20_8x*", 3),
            ("memchr::arch::x86_64::avx2::*", 4),
            ("example.com/lib.kernel_*", 5),
            ("<aho::Fat as aho::Find>::find", 6),
        ] {
            names.add(name, kernel);
        }
        names.add_prefix("ring_core_");
        names.finish();
        names
    }

    #[test]
    fn digits_are_found_wherever_they_are() {
        let all: Vec<u8> = (0..=255).chain(0..=255).collect();
        for length in 0..all.len() {
            let mut found: Vec<usize> = Vec::new();
            let any = any_digit(&all[..length], |at| {
                found.push(at);
                false
            });
            assert!(!any && any_digit(&all[..length], |_| true) != found.is_empty());
            let is_one = |at: &usize| all[*at].is_ascii_digit();
            let right: Vec<usize> = (2..length).filter(is_one).collect();
            assert_eq!(found, right, "{length}");
        }
    }

    #[test]
    fn names_of_all_languages() {
        let names = names();
        for (mangled, kernel) in [
            (
                "_ZN12blake2b_simd4avx214compress1_loop17hf30c698925bbec46E",
                Some(0),
            ),
            ("_ZN12blake2b_simd4avx214other17hf30c698925bbec46E", None),
            (
                "_ZNK7simdutf7haswell14implementation13validate_utf8EPKcm",
                Some(1),
            ),
            (
                "_ZNK7simdutf8fallback14implementation13validate_utf8EPKcm",
                None,
            ),
            ("sha256_block_data_order_avx2", Some(2)),
            ("ring_core_0_17_14__sha256_block_data_order_avx2", Some(2)),
            ("my_sha256_block_data_order_avx2", None),
            ("ChaCha20_8xvl", Some(3)),
            ("ChaCha20_4x", None),
            ("example.com/lib.kernel_4x2", Some(5)),
            ("_ZN6memchr4arch6x86_644avx26memchr3One", Some(4)),
            (
                "_ZN47_$LT$aho..Fat$LT$_$GT$$u20$as$u20$aho..Find$GT$4find17hf30c698925bbec46E",
                Some(6),
            ),
            ("", None),
            ("_ZN", None),
            ("_ZN99999999999999999999x", None),
            ("_ZN3é", None),
        ] {
            assert_eq!(names.find(mangled), kernel, "{mangled}");
        }
    }
}
