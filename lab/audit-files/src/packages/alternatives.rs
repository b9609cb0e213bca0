//! Files of a package that something picks among by name.
//!
//! MKL's `libmkl_core.so` opens `libmkl_avx2.so` or `libmkl_def.so`, a Python module imports
//! `fuzz_cpp_avx2` or `fuzz_cpp`, a script starts `mmseqs-avx2` or `mmseqs-sse2`. What such
//! a file does from its entries on happens only where it was picked. Evidence is a binary
//! or a script of the package that names the file and one beside it with nearly the same
//! name; nothing may be linked with either, since a linked file is always loaded.
//!
//! A script names all that it imports, also what it does not pick among. So there, and
//! where a program is started, what tells the names apart must be a word for what a CPU
//! has. Who opens libraries by name needs none where the names differ in a few characters:
//! IPP's are called after two. Only ELF files
//! are looked at, since of others it is not read what they are linked with.
//!
//! Debian's dispatchers make the name: `simd-dispatch` looks for `avx2` in `/proc/cpuinfo` and
//! starts `$0-avx2`. A script that reads what the CPU has, and has the word behind the last
//! dash of a file's name, picks among the files with the same name before the dash.

use super::gather::{Gathered, Item};
use super::siblings::Siblings;
use karat_host::mapped::Mapped;
use karat_model::leaks::Picked;
use memchr::memmem::Finder;
use object::read::elf::ElfFile64;
use object::{LittleEndian, Object, ObjectSymbol};
use std::cell::Cell;

/// Where the name of a library or a module ends and what kind of file it is begins.
const ENDS: [&str; 10] = [
    ".so",
    ".cpython-",
    ".cp3",
    ".abi3",
    ".pypy",
    ".pyd",
    ".dll",
    ".dylib",
    ".node",
    ".exe",
];
/// Characters in which two names may differ, with a word for what a CPU has.
const APART: usize = 12;
/// The same without such a word.
const APART_UNASKED: usize = 3;
/// Characters that they must share besides `lib`.
const SHARED: usize = 2;
/// Words for what a CPU has, in names of files.
const WORDS: [&str; 31] = [
    "sse",
    "sse2",
    "ssse3",
    "sse3",
    "sse4",
    "sse41",
    "sse4.1",
    "sse42",
    "sse4.2",
    "avx",
    "avx2",
    "avx512",
    "avx10",
    "fma",
    "bmi",
    "popcnt",
    "v2",
    "v3",
    "v4",
    "nehalem",
    "westmere",
    "haswell",
    "broadwell",
    "skylake",
    "icelake",
    "sapphire",
    "zen",
    "knl",
    "neon",
    "sve",
    "simd",
];
/// Functions that open a library by its name.
const OPENS: [&[u8]; 4] = [b"dlopen", b"dlmopen", b"g_module_open", b"uv_dlopen"];
/// Functions that start a program by its name.
const STARTS: [&[u8]; 7] = [
    b"execv",
    b"execve",
    b"execvp",
    b"execl",
    b"execlp",
    b"posix_spawn",
    b"system",
];
/// Where a script reads what the CPU has.
const ASKED: [&str; 3] = ["/proc/cpuinfo", "lscpu", "hw.optional"];
/// Bytes that are looked through for names at most in one call, once for each file that may be
/// picked: a folder may hold a whole system. Beyond, nothing is seen to pick.
const LOOKED_THROUGH: u64 = 4 << 30;

/// How a file names others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// It opens libraries.
    Opens,
    /// It starts programs, or is a script.
    Other,
}

/// What may pick among files of packages.
pub struct Alternatives<'g> {
    gathered: &'g Gathered,
    siblings: &'g Siblings,
    left: Cell<u64>,
}

impl<'g> Alternatives<'g> {
    /// Of the files of all packages of a call.
    #[must_use]
    pub fn new(gathered: &'g Gathered, siblings: &'g Siblings) -> Self {
        Self::within(LOOKED_THROUGH, gathered, siblings)
    }

    /// The same with another limit than [`LOOKED_THROUGH`].
    fn within(limit: u64, gathered: &'g Gathered, siblings: &'g Siblings) -> Self {
        Self {
            gathered,
            siblings,
            left: Cell::new(limit),
        }
    }

    /// What picks `item` or another, which is one for which `is_fine` unless a script is seen to
    /// ask what the CPU has; none if nothing picks.
    #[must_use]
    pub fn picked(&self, item: usize, is_fine: &dyn Fn(usize) -> bool) -> Option<Picked> {
        let own = &self.gathered.items[item];
        let package = own.package?;
        if self.siblings.is_needed(item) || !self.siblings.is_read(item) {
            return None;
        }
        let beside: Vec<(usize, bool)> = (0..self.gathered.items.len())
            .filter(|other| *other != item && !self.siblings.is_needed(*other))
            .filter_map(|other| Some((other, alike(own, &self.gathered.items[other])?)))
            .collect();
        if beside.is_empty() {
            return None;
        }
        let others: Vec<(usize, bool)> = (beside.iter().copied())
            .filter(|(other, _)| is_fine(*other))
            .collect();
        let wanted = Finder::new(stem(&own.name).as_bytes());
        let among = |named: &str, bytes: &[u8], way: Way| {
            let left = self.left.get().saturating_sub(bytes.len() as u64);
            self.left.set(left);
            // Each file has its own name.
            if left == 0 || !has_word(bytes, &wanted) {
                return None;
            }
            let other = others.iter().find(|(other, is_asking)| {
                let other = &self.gathered.items[*other].name;
                (*is_asking || way == Way::Opens)
                    && other != named
                    && has_word(bytes, &Finder::new(stem(other)))
            })?;
            Some(Picked {
                by: named.to_owned(),
                other: self.gathered.items[other.0].name.clone(),
                asks: None,
            })
        };
        let scripts = self.gathered.scripts.iter();
        let scripts = scripts.filter(|script| script.package == package);
        let mut scripts = scripts.take_while(|_| self.left.get() > 0);
        let by_script = scripts.find_map(|script| {
            let bytes = std::fs::read(&script.path).ok()?;
            among(&script.name, &bytes, Way::Other).or_else(|| {
                let names = beside
                    .iter()
                    .map(|(other, _)| &self.gathered.items[*other].name);
                let mut asked = names.map(|other| (other, makes_names(&bytes, &own.name, other)));
                let (other, word) = asked.find(|(_, word)| word.is_some())?;
                Some(Picked {
                    by: script.name.clone(),
                    other: other.clone(),
                    asks: word,
                })
            })
        });
        by_script.or_else(|| {
            let binaries = self.gathered.items.iter().enumerate();
            let mut binaries = binaries
                .filter(|(at, binary)| binary.package == Some(package) && *at != item)
                .take_while(|_| self.left.get() > 0);
            binaries.find_map(|(_, binary)| {
                let bytes = Mapped::open(&binary.path).ok()?;
                // Names first: symbols are dearer.
                let found = among(&binary.name, &bytes, Way::Opens)?;
                match way(&bytes)? {
                    Way::Opens => Some(found),
                    Way::Other => among(&binary.name, &bytes, Way::Other),
                }
            })
        })
    }
}

/// Whether two files of one folder are called nearly the same: and then whether what tells
/// them apart is a word for what a CPU has.
fn alike(one: &Item, other: &Item) -> Option<bool> {
    let folder = |item: &'_ Item| item.name.rsplit_once('/').map(|(folder, _)| folder.len());
    let (at, its) = (folder(one), folder(other));
    let is_beside =
        one.package == other.package && at == its && one.name[..at?] == other.name[..its?];
    if !is_beside {
        return None;
    }
    // All libraries have that in common.
    let bare = |item: &'_ Item| stem(&item.name).trim_start_matches("lib").to_owned();
    let (one, other) = (bare(one), bare(other));
    let begin = shared(one.chars(), other.chars());
    let rest = (&one[begin..], &other[begin..]);
    let end = shared(rest.0.chars().rev(), rest.1.chars().rev());
    let apart = (&rest.0[..rest.0.len() - end], &rest.1[..rest.1.len() - end]);
    // `avx2` and `avx512` share letters, so words are looked for in the whole names.
    let words = |name: &str| {
        let name = name.to_lowercase();
        WORDS.map(|word| name.contains(word))
    };
    let is_asking = words(&one) != words(&other);
    let most = match is_asking {
        true => APART,
        false => APART_UNASKED,
    };
    let is_near = begin + end >= SHARED && apart.0.len().max(apart.1.len()) <= most;
    (is_near && one != other).then_some(is_asking)
}

/// Bytes that two texts have in common from their beginnings.
fn shared(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
    let same = one.zip(other).take_while(|(a, b)| a == b);
    same.map(|(a, _)| a.len_utf8()).sum()
}

/// The name of a file without what says what kind of file it is.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ends = ENDS.iter().filter_map(|end| name.find(end));
    &name[..ends.min().unwrap_or(name.len())]
}

/// Whether a name stands in the bytes as a word.
fn has_word(bytes: &[u8], name: &Finder<'_>) -> bool {
    let is_part = |at: Option<&u8>| at.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let mut places = name.find_iter(bytes);
    !name.needle().is_empty()
        && places.any(|at| {
            let before = at.checked_sub(1).and_then(|at| bytes.get(at));
            !is_part(before) && !is_part(bytes.get(at + name.needle().len()))
        })
}

/// The word behind the last dash of a file's name, if a script looks for it in what the CPU has
/// and `other` has another word or none.
fn makes_names(script: &[u8], own: &str, other: &str) -> Option<String> {
    let parted = |path| {
        let stem = stem(path);
        // A word may have a dot itself: `abpoa.sse4.1`.
        let is_word = |rest: &str| WORDS.iter().any(|word| rest.starts_with(word));
        let mut dots = stem.match_indices('.').map(|(at, _)| at);
        let dash = stem.rfind(['-', '_']);
        let parted = dash.or_else(|| dots.find(|dot| is_word(&stem[dot + 1..].to_lowercase())));
        parted.map_or((stem, ""), |at| (&stem[..at], &stem[at + 1..]))
    };
    let ((base, word), (its, _)) = (parted(own), parted(other));
    let word = word.to_lowercase();
    let asks = || {
        ASKED
            .iter()
            .any(|from| Finder::new(from).find(script).is_some())
    };
    let is_asked = WORDS.iter().any(|known| word.contains(known))
        && (base == its || base == stem(other))
        && asks()
        && has_word(&script.to_ascii_lowercase(), &Finder::new(&word));
    is_asked.then_some(word)
}

/// How a binary names others, if it opens or starts any.
fn way(bytes: &[u8]) -> Option<Way> {
    let file = ElfFile64::<LittleEndian>::parse(bytes).ok()?;
    let symbols = file.dynamic_symbols().filter(ObjectSymbol::is_undefined);
    let mut way = None;
    for name in symbols.filter_map(|symbol| symbol.name_bytes().ok()) {
        if OPENS.contains(&name) {
            return Some(Way::Opens);
        }
        if STARTS.contains(&name) {
            way = Some(Way::Other);
        }
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(name: &str) -> Item {
        Item {
            path: name.into(),
            name: name.to_owned(),
            package: Some(0),
            same: Vec::new(),
        }
    }

    #[test]
    fn names_that_differ_in_one_place_are_alike() {
        let alike = |one, other| alike(&item(one), &item(other));
        assert_eq!(alike("w/libmkl_avx2.so.3", "w/libmkl_def.so.3"), Some(true));
        assert_eq!(
            alike(
                "w/fuzz_cpp_avx2.cpython-311-x86_64-linux-gnu.so",
                "w/fuzz_cpp.cpython-311-x86_64-linux-gnu.so"
            ),
            Some(true)
        );
        assert_eq!(
            alike("w/libippcvl9.so.12", "w/libippcvy8.so.12"),
            Some(false)
        );
        assert_eq!(alike("w/bin/tool.avx2", "w/bin/tool.sse41"), Some(true));
        assert_eq!(alike("w/a/libx_avx2.so", "w/b/libx_def.so"), None);
        assert_eq!(alike("w/libavcodec.so.59", "w/libblosc2_avx2.so"), None);
        assert_eq!(alike("w/libone.so.1", "w/libone.so.2"), None);
        assert_eq!(alike("w/libavformat.so", "w/libavfilter.so"), None);
    }

    #[test]
    fn a_dispatcher_in_shell_makes_the_names() {
        // As Debian's simd-dispatch.
        let script = b"grep -q \"$1\" /proc/cpuinfo && exec \"$0-$1\"\n\
                       for SIMD in avx2 sse4.1; do try $SIMD; done; $0-plain\n";
        let makes = |own, other| makes_names(script, own, other).is_some();
        assert!(makes("w/lib/STAR-avx2", "w/lib/STAR-plain"));
        assert!(makes("w/lib/STAR-sse4.1", "w/lib/STAR"));
        assert!(makes("w/bin/abpoa.sse4.1", "w/bin/abpoa"));
        assert!(makes("w/bin/abpoa.sse4.1", "w/bin/abpoa.avx2"));
        assert!(!makes("w/lib/STAR-avx", "w/lib/STAR-plain"));
        assert!(!makes("w/lib/STAR-avx2", "w/lib/STARlong-plain"));
        assert!(!makes("w/lib/STAR-for", "w/lib/STAR-plain"));
        let blind = b"for SIMD in avx2; do \"$0-$SIMD\"; done";
        assert_eq!(
            makes_names(blind, "w/lib/STAR-avx2", "w/lib/STAR-plain"),
            None
        );
    }

    /// A folder with two libraries that have only a header, of which a script asks for one or
    /// the other, and one that names nothing.
    fn folder() -> (tempfile::TempDir, Gathered) {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let header = {
            let mut header = [0; 64];
            header[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
            header[16..24].copy_from_slice(&[3, 0, 62, 0, 1, 0, 0, 0]);
            header[52] = 64;
            header
        };
        let files: [(&str, &[u8]); 4] = [
            ("libk_avx2.so", &[&header[..], b"avx2"].concat()),
            ("libk_def.so", &header),
            ("a.py", b"print('nothing')\n"),
            (
                "b.py",
                b"load('libk_avx2.so' if has('avx2') else 'libk_def.so')\n",
            ),
        ];
        for (name, bytes) in files {
            std::fs::write(dir.path().join(name), bytes).expect("a file is written");
        }
        let mut gathered = super::super::gather(&[dir.path().to_owned()], true);
        gathered.items.sort_by(|a, b| a.name.cmp(&b.name));
        gathered.scripts.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!((gathered.items.len(), gathered.scripts.len()), (2, 2));
        (dir, gathered)
    }

    #[test]
    fn nothing_is_looked_for_beyond_the_limit() {
        let (_dir, gathered) = folder();
        let siblings = Siblings::read(&gathered);
        let size = |script: &super::super::gather::Script| {
            std::fs::metadata(&script.path).expect("a script").len()
        };
        let all: u64 = gathered.scripts.iter().map(size).sum();
        let is_picked = |alternatives: &Alternatives<'_>| {
            let picked = alternatives.picked(0, &|_| true);
            picked.is_some_and(|picked| picked.by.ends_with("b.py"))
        };
        // Whoever comes to the limit has not seen all.
        for (limit, is_found) in [(1, false), (all - 1, false), (all, false), (all + 1, true)] {
            let alternatives = Alternatives::within(limit, &gathered, &siblings);
            assert_eq!(is_picked(&alternatives), is_found, "{limit} of {all}");
        }
        // It is one limit for all files of a call.
        let alternatives = Alternatives::within(2 * all, &gathered, &siblings);
        assert!(is_picked(&alternatives));
        assert!(!is_picked(&alternatives));
        let alternatives = Alternatives::new(&gathered, &siblings);
        assert!(is_picked(&alternatives) && is_picked(&alternatives));
    }

    #[test]
    fn names_are_found_as_words() {
        let has = |text: &[u8], name: &str| has_word(text, &Finder::new(name));
        assert!(has(b"\0libippcvl9.so.12.1\0", "libippcvl9"));
        assert!(has(b"from a.fuzz_cpp_avx2 import x", "fuzz_cpp_avx2"));
        assert!(!has(b"from a.fuzz_cpp_avx2 import x", "fuzz_cpp"));
        assert!(has(b"fuzz_cpp_avx2, fuzz_cpp", "fuzz_cpp"));
        assert!(!has(b"my_fuzz_cpp", "fuzz_cpp"));
    }
}
