//! Names of files that are nearly the same, and where they stand in others.

use super::gathered::Item;
use memchr::memmem::Finder;

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
pub const WORDS: [&str; 31] = [
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
/// Whether two files of one folder are called nearly the same: and then whether what tells
/// them apart is a word for what a CPU has.
pub fn alike(one: &Item, other: &Item) -> Option<bool> {
    let folder = |item: &'_ Item| item.name.rsplit_once('/').map(|(folder, _)| folder.len());
    let (at, its) = (folder(one), folder(other));
    let is_beside =
        one.package == other.package && at == its && one.name[..at?] == other.name[..its?];
    if !is_beside {
        return None;
    }
    // All libraries have that in common.
    let bare = |item: &'_ Item| stem(&item.name).trim_start_matches("lib").to_owned();
    apart(&bare(one), &bare(other))
}

/// Whether two names differ in one place only; and then whether by a word for what a CPU has.
fn apart(one: &str, other: &str) -> Option<bool> {
    let begin = shared(one.chars(), other.chars());
    let rest = (&one[begin..], &other[begin..]);
    let end = shared(rest.0.chars().rev(), rest.1.chars().rev());
    let apart = (&rest.0[..rest.0.len() - end], &rest.1[..rest.1.len() - end]);
    // `avx2` and `avx512` share letters, so words are looked for in the whole names.
    let words = |name: &str| {
        let name = name.to_lowercase();
        WORDS.map(|word| name.contains(word))
    };
    let is_asking = words(one) != words(other);
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
pub fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ends = ENDS.iter().filter_map(|end| name.find(end));
    &name[..ends.min().unwrap_or(name.len())]
}

/// Whether a name stands in the bytes as a word.
pub fn has_word(bytes: &[u8], name: &Finder<'_>) -> bool {
    let is_part = |at: Option<&u8>| at.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let mut places = name.find_iter(bytes);
    !name.needle().is_empty()
        && places.any(|at| {
            let before = at.checked_sub(1).and_then(|at| bytes.get(at));
            !is_part(before) && !is_part(bytes.get(at + name.needle().len()))
        })
}

/// As [`has_word`], also in two bytes a character, as Windows' programs have names.
pub fn has_wide_word(bytes: &[u8], name: &str) -> bool {
    let wide: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let is_part = |at: Option<&[u8]>| match at {
        Some(&[low, 0]) => low.is_ascii_alphanumeric() || low == b'_',
        _ => false,
    };
    !wide.is_empty()
        && Finder::new(&wide).find_iter(bytes).any(|at| {
            let before = at.checked_sub(2).and_then(|start| bytes.get(start..at));
            let end = at + wide.len();
            !is_part(before) && !is_part(bytes.get(end..end + 2))
        })
}

/// The folders by which two files of a package are apart, where nothing else tells their names
/// apart and the folders' do so by a word for what a CPU has: both, and how many bytes of the
/// first file's name end with its folder.
pub fn folders_apart<'n>(one: &'n Item, other: &'n Item) -> Option<(&'n str, &'n str, usize)> {
    if one.package != other.package || one.package.is_none() {
        return None;
    }
    let (own, its) = (one.name.as_str(), other.name.as_str());
    let last = |name: &'n str| name.rsplit_once('/').map(|(_, last)| last);
    // Of most no more is asked: a folder may have a hundred thousand files.
    if last(own) != last(its) {
        return None;
    }
    let begin = shared(own.chars(), its.chars());
    // Where the part begins that differs.
    let begin = own[..begin].rfind('/').map_or(0, |at| at + 1);
    let part = |name: &'n str| name[begin..].split_once('/');
    let ((folder, rest), (its, its_rest)) = (part(own)?, part(its)?);
    let is_one = rest == its_rest && apart(folder, its) == Some(true);
    is_one.then_some((folder, its, begin + folder.len()))
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
    fn folders_are_apart_by_words_for_cpus() {
        let apart = |one, other| {
            let (one, other) = (item(one), item(other));
            let found = folders_apart(&one, &other);
            found.map(|(own, its, end)| (own.to_owned(), its.to_owned(), end))
        };
        let two = |own: &str, its: &str, end| Some((own.to_owned(), its.to_owned(), end));
        assert_eq!(
            apart("w/dist_avx2/lib/libk.so", "w/dist/lib/libk.so"),
            two("dist_avx2", "dist", 11)
        );
        let (own, its) = ("x86-64-v3", "x86-64-v2");
        assert_eq!(
            apart("w/x86-64-v3/k.dll", "w/x86-64-v2/k.dll"),
            two(own, its, 11)
        );
        assert_eq!(apart("w/dist_avx2/libk.so", "w/dist/libl.so"), None);
        assert_eq!(apart("w/dist_debug/libk.so", "w/dist/libk.so"), None);
        assert_eq!(apart("w/a_avx2/b/libk.so", "w/a/c/libk.so"), None);
        assert_eq!(apart("w/libk_avx2.so", "w/libk.so"), None);
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

    #[test]
    fn names_are_found_in_two_bytes_a_character() {
        let wide =
            |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        let text = wide("\0core_avx2.dll\0my_core.dll\0");
        assert!(has_wide_word(&text, "core_avx2"));
        assert!(!has_wide_word(&text, "core"));
        assert!(!has_wide_word(b"\0core_avx2.dll", "core_avx2"));
        // At an odd place, and at the end.
        assert!(has_wide_word(&[&[1], &wide("core")[..]].concat(), "core"));
    }
}
