//! Names: demangling, and one canonical spelling to compare them in.
//!
//! Legacy and v0 mangling demangle to different texts for the same function
//! (`a::Foo<T>::f` and `<a::Foo<u8>>::f`), and nobody types generic arguments.

use std::fmt::{self, Write as _};

/// Suffixes compilers add to the symbols of parts and clones of a function.
const CLONE_SUFFIXES: [&str; 7] = [
    ".llvm.",
    ".cold",
    ".part.",
    ".constprop.",
    ".isra.",
    ".lto_priv.",
    ".warm",
];

/// Nesting beyond this is no name a compiler wrote, and would cost stack.
const MAX_NESTING: usize = 128;

/// The crate of a Rust function, by its symbol: the first segment of its path; for
/// `<T as Trait>::f` the crate of `T` or, where `T` is of the language or a parameter,
/// of the trait (one of both has the code, by the rules of coherence). None for
/// symbols of other languages.
pub fn crate_of(mangled: &str) -> Option<String> {
    if !may_be_rust(mangled) {
        return None;
    }
    let name = rustc_demangle::try_demangle(mangled).ok()?;
    let mut head = Head::default();
    // It stops on purpose as soon as it has seen enough.
    let _ = write!(head, "{name:#}");
    crate_of_path(&head.0, 0).map(str::to_owned)
}

/// Whether a symbol may be Rust's, by what is seen without reading it as a name.
pub(crate) fn may_be_rust(mangled: &str) -> bool {
    let bare = mangled.trim_start_matches('_').as_bytes();
    match bare {
        // Behind the hash is the end, or what a compiler adds to parts and clones. C++ mangles
        // alike, but for the hash.
        [b'Z', b'N', ..] => {
            (mangled.ends_with('E') || mangled.contains('.')) && mangled.contains("17h")
        }
        [b'R', next, ..] => next.is_ascii_uppercase(),
        _ => false,
    }
}

/// The beginning of a name, up to the first segment's end: to write out all of a
/// generic one takes longer than decoding its function.
#[derive(Default)]
struct Head(String);

/// Longest type of which the crate is looked for.
const LONGEST_HEAD: usize = 1024;

impl fmt::Write for Head {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0.push_str(part);
        let enough = !self.0.starts_with('<') && self.0.contains("::");
        match enough || self.0.len() > LONGEST_HEAD {
            true => Err(fmt::Error),
            false => Ok(()),
        }
    }
}

/// [`crate_of`] for a name that is demangled already.
pub fn crate_of_readable(name: &str) -> Option<&str> {
    crate_of_path(name, 0)
}

fn crate_of_path(path: &str, depth: usize) -> Option<&str> {
    // References, pointers, slices and tuples are where their (first) part is.
    let bare = |path: &'_ str| path.trim_start_matches(|c: char| "&*[( ".contains(c)).len();
    let mut path = &path[path.len() - bare(path)..];
    while let Some(rest) = ["mut ", "const ", "dyn ", "impl "]
        .iter()
        .find_map(|word| path.strip_prefix(word))
    {
        path = &rest[rest.len() - bare(rest)..];
    }
    if path.starts_with('<') {
        if depth > MAX_NESTING {
            return None;
        }
        let close = closing(path, 0).unwrap_or(path.len());
        let inner = &path[1..close];
        return match split_top(inner, " as ") {
            Some((ty, of)) => crate_of_path(ty, depth + 1).or_else(|| crate_of_path(of, depth + 1)),
            None => crate_of_path(inner, depth + 1),
        };
    }
    let (first, _) = path.split_once("::")?;
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    (!first.is_empty() && first.chars().all(is_name)).then_some(first)
}

/// The name as a reader expects it: Rust names without the hash, C++ names by the rules
/// of Itanium's ABI or of Microsoft's, with their parameters, names of D as their path;
/// others as they are, those of Swift among them.
pub fn readable(mangled: &str) -> String {
    rust(mangled)
        .or_else(|| cxx(mangled))
        .or_else(|| msvc(mangled))
        .or_else(|| crate::d::readable(mangled))
        .unwrap_or_else(|| mangled.to_string())
}

fn rust(mangled: &str) -> Option<String> {
    let name = rustc_demangle::try_demangle(mangled).ok()?;
    Some(format!("{name:#}"))
}

/// Longest name that is written out: substitutions let a short symbol stand for
/// gigabytes.
const LONGEST: usize = 1 << 14;
/// Nesting of a C++ name.
const DEEPEST: u32 = 96;

fn cxx(mangled: &str) -> Option<String> {
    cxx_with(mangled, cpp_demangle::DemangleOptions::new())
}

/// The canonical path of a function of C++, without its parameters and with the names of
/// its anonymous namespaces left out; nothing of names that Itanium's ABI does not know.
pub fn cxx_path(mangled: &str) -> Option<String> {
    let mangled = without_clone_suffix(mangled);
    let name = cxx_with(mangled, cpp_demangle::DemangleOptions::new().no_params())?;
    Some(canonical(&name.replace(ANONYMOUS, "")))
}

/// What stands for a namespace without a name in front of what is in it.
pub const ANONYMOUS: &str = "(anonymous namespace)::";

fn cxx_with(mangled: &str, show: cpp_demangle::DemangleOptions) -> Option<String> {
    if !mangled.starts_with("_Z") || mangled.len() > LONGEST {
        return None;
    }
    let parse = cpp_demangle::ParseOptions::default().recursion_limit(DEEPEST);
    let symbol = cpp_demangle::Symbol::new_with_options(mangled, &parse).ok()?;
    let show = show.no_return_type().recursion_limit(DEEPEST);
    let mut out = Bounded(String::new());
    symbol.structured_demangle(&mut out, &show).ok()?;
    Some(out.0)
}

/// A name that is not written on when it gets too long.
struct Bounded(String);

impl cpp_demangle::DemangleWrite for Bounded {
    fn write_string(&mut self, part: &str) -> fmt::Result {
        if self.0.len() + part.len() > LONGEST {
            return Err(fmt::Error);
        }
        self.0.push_str(part);
        Ok(())
    }
}

fn msvc(mangled: &str) -> Option<String> {
    use msvc_demangler::DemangleFlags as Flags;
    // The parser of this grammar recurses with the name.
    if !mangled.starts_with('?') || mangled.len() > 1 << 12 {
        return None;
    }
    let flags = Flags::llvm()
        | Flags::NO_ACCESS_SPECIFIERS
        | Flags::NO_MEMBER_TYPE
        | Flags::NO_MS_KEYWORDS
        | Flags::NO_FUNCTION_RETURNS
        | Flags::NO_CLASS_TYPE;
    msvc_demangler::demangle(mangled, flags).ok()
}

/// The canonical spelling of a symbol's name, for comparison. Names of C++ stay mangled.
pub fn canonical_symbol(mangled: &str) -> String {
    let mangled = without_clone_suffix(mangled);
    canonical(&rust(mangled).unwrap_or_else(|| mangled.to_string()))
}

/// A name, mangled or readable, without what compilers add for parts and clones.
pub fn without_clone_suffix(name: &str) -> &str {
    let end = CLONE_SUFFIXES
        .iter()
        .filter_map(|suffix| name.find(suffix))
        .min()
        .unwrap_or(name.len());
    &name[..end]
}

/// Drops generic arguments and unifies the spellings of impl blocks:
/// `a::Foo<T>::f`, `<a::Foo<u8>>::f` and `a::<impl a::Foo>::f` become
/// `a::Foo::f`; `<a::Foo<T> as b::Bar<U>>::f` becomes `<a::Foo as b::Bar>::f`. A name with more
/// than 128 brackets stays as it is.
pub fn canonical(name: &str) -> String {
    if name.bytes().filter(|byte| *byte == b'<').count() > MAX_NESTING {
        return name.to_string();
    }
    let mut out = String::with_capacity(name.len());
    let mut rest = name.trim();
    while let Some(open) = rest.find('<') {
        let Some(close) = closing(rest, open) else {
            break;
        };
        let (before, inner) = (&rest[..open], &rest[open + 1..close]);
        out.push_str(before);
        rest = &rest[close + 1..];
        if let Some(block) = inner.strip_prefix("impl ")
            && out.ends_with("::")
        {
            // The path before it is only where the block was written.
            out.clear();
            match split_top(block, " for ") {
                Some((of, ty)) => out.push_str(&as_trait(ty, of)),
                None => out.push_str(&canonical(block)),
            }
        } else if let Some((ty, of)) = split_top(inner, " as ")
            && starts_path(&out)
        {
            out.push_str(&as_trait(ty, of));
        } else if starts_path(&out) && rest.starts_with("::") {
            out.push_str(&canonical(inner));
        } else if out.ends_with("::") {
            // A turbofish: `f::<T>` is `f`.
            out.truncate(out.len() - 2);
        }
    }
    out.push_str(rest);
    out
}

fn as_trait(ty: &str, of: &str) -> String {
    format!("<{} as {}>", canonical(ty), canonical(of))
}

/// Whether a `<` here opens a qualified path rather than generic arguments.
fn starts_path(before: &str) -> bool {
    !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '}'))
}

/// The `>` that closes the `<` at `open`; the `>` of `->` closes nothing.
fn closing(text: &str, open: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    for at in open..bytes.len() {
        match bytes[at] {
            b'<' => depth += 1,
            b'>' if at > 0 && bytes[at - 1] == b'-' => {}
            b'>' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Splits at a separator outside all brackets.
fn split_top<'a>(text: &'a str, separator: &str) -> Option<(&'a str, &'a str)> {
    let mut depth = 0i32;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'[' => depth += 1,
            b'>' if at > 0 && text.as_bytes()[at - 1] == b'-' => {}
            b'>' | b')' | b']' => depth -= 1,
            _ if depth == 0 && text.as_bytes()[at..].starts_with(separator.as_bytes()) => {
                return Some((&text[..at], &text[at + separator.len()..]));
            }
            _ => {}
        }
    }
    None
}

/// Splits a path into its `::` segments, brackets kept whole.
pub fn segments(path: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = path;
    while let Some((first, tail)) = split_top(rest, "::") {
        out.push(first);
        rest = tail;
    }
    out.push(rest);
    out
}

/// `<T as Trait>` in its parts.
pub fn trait_parts(segment: &str) -> Option<(&str, &str)> {
    split_top(segment.strip_prefix('<')?.strip_suffix('>')?, " as ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_function_agree() {
        for (name, expected) in [
            ("tiny_keccak::keccakf", "tiny_keccak::keccakf"),
            ("a::Foo<T>::f", "a::Foo::f"),
            ("<a::Foo<u8>>::f::<u32>", "a::Foo::f"),
            ("a::b::<impl a::Foo<T>>::f", "a::Foo::f"),
            (
                "a::b::<impl c::Bar<U> for a::Foo>::f",
                "<a::Foo as c::Bar>::f",
            ),
            ("<a::Foo<T> as c::Bar<U>>::f", "<a::Foo as c::Bar>::f"),
            ("f::<fn(u8) -> Vec<u8>>::{closure#0}", "f::{closure#0}"),
            ("<[T] as a::B>::c", "<[T] as a::B>::c"),
            ("min<usize>", "min"),
            ("operator<", "operator<"),
            (
                "<<a::X as b::Y>::Z as c::W>::v",
                "<<a::X as b::Y>::Z as c::W>::v",
            ),
        ] {
            assert_eq!(canonical(name), expected, "{name}");
        }
    }

    #[test]
    fn both_manglings_and_clones() {
        let legacy = "_ZN12blake2b_simd4avx214compress1_loop17hf30c698925bbec46E";
        assert_eq!(
            canonical_symbol(legacy),
            "blake2b_simd::avx2::compress1_loop"
        );
        assert_eq!(
            canonical_symbol(&format!("{legacy}.llvm.123")),
            "blake2b_simd::avx2::compress1_loop"
        );
        let v0 = "_RNvNtNtCsfEOYDRpO4Ta_11miniz_oxide7inflate4core10decompress";
        assert_eq!(
            canonical_symbol(v0),
            "miniz_oxide::inflate::core::decompress"
        );
        assert_eq!(canonical_symbol("crc32_z.part.0"), "crc32_z");
    }

    #[test]
    fn names_of_cxx_are_for_people_too() {
        for (mangled, name) in [
            ("_ZN2cv5Mutex4lockEv", "cv::Mutex::lock()"),
            (
                "_ZNSt6vectorIiSaIiEE9push_backERKi",
                "std::vector<int, std::allocator<int> >::push_back(int const&)",
            ),
            ("_Z3addIiET_S0_S0_", "add<int>(int, int)"),
            ("_Z3addii.constprop.0", "add(int, int) [clone .constprop.0]"),
            ("?add@math@@YAHHH@Z", "math::add(int, int)"),
            ("?run@Box@ns@@QEAAXPEBD@Z", "ns::Box::run(char const *)"),
            ("$s4main3FooV", "$s4main3FooV"),
            ("_D4main3fooFZv", "main.foo"),
            ("_Z", "_Z"),
            ("_ZN", "_ZN"),
            ("?", "?"),
        ] {
            assert_eq!(readable(mangled), name, "{mangled}");
        }
        // Names that a user expects are compared as they stand in the symbol table.
        assert_eq!(
            canonical_symbol("_ZN2cv5Mutex4lockEv"),
            "_ZN2cv5Mutex4lockEv"
        );
        // Each pair doubles what the substitution before it stands for.
        let bomb = format!(
            "_Z1fI1aE{}",
            (0..60).map(|_| "S_IS0_S0_E").collect::<String>()
        );
        assert!(readable(&bomb).len() <= LONGEST);
    }

    #[test]
    fn paths_of_cxx_have_neither_parameters_nor_arguments() {
        for (mangled, path) in [
            ("_ZNK4conf3Log7enabledEi", "conf::Log::enabled"),
            ("_ZN4conf5aboveIlEEbT_", "conf::above"),
            ("_ZN4conf12_GLOBAL__N_16hiddenEv", "conf::hidden"),
            ("_ZL5localv.part.0", "local"),
            (
                "_ZNSt6vectorIiSaIiEE9push_backERKi",
                "std::vector::push_back",
            ),
            ("_ZN3BoxIS_IiEEclEv", "Box::operator()"),
        ] {
            assert_eq!(cxx_path(mangled).as_deref(), Some(path), "{mangled}");
        }
        for other in ["main", "_ZN", "_RNvC1a1b", ""] {
            assert_eq!(cxx_path(other), None, "{other}");
        }
    }

    #[test]
    fn a_name_tells_its_crate() {
        for (name, krate) in [
            ("a::b::c", Some("a")),
            ("<a::B as c::D>::e", Some("a")),
            ("<&mut [a::B] as c::D>::e", Some("a")),
            ("<a::B<x::Y>>::e::<z::Z>", Some("a")),
            ("<<a::B as c::D>::T as e::F>::g", Some("a")),
            ("<u8 as c::D>::e", Some("c")),
            ("<T as c::D>::e", Some("c")),
            ("<(u8, T) as c::D<a::B>>::e", Some("c")),
            ("main", None),
            ("", None),
        ] {
            assert_eq!(crate_of_path(name, 0), krate, "{name}");
        }
        for (mangled, krate) in [
            (
                "_ZN12blake2b_simd4avx214compress1_loop17hf30c698925bbec46E",
                Some("blake2b_simd"),
            ),
            (
                "_ZN12blake2b_simd4avx214compress1_loop17hf30c698925bbec46E.llvm.9",
                Some("blake2b_simd"),
            ),
            (
                "_RNvNtNtCsfEOYDRpO4Ta_11miniz_oxide7inflate4core10decompress",
                Some("miniz_oxide"),
            ),
            (
                "_ZN44_$LT$a..b..C$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE",
                Some("a"),
            ),
            ("_ZN3foo3barEv", None),
            ("_ZNSs6appendEPKc", None),
            ("blake3_hash_many_avx512", None),
            ("_R", None),
        ] {
            assert_eq!(crate_of(mangled).as_deref(), krate, "{mangled}");
        }
    }

    #[test]
    fn segments_keep_brackets() {
        assert_eq!(
            segments("<a::B as c::D>::e::f"),
            ["<a::B as c::D>", "e", "f"]
        );
        assert_eq!(trait_parts("<a::B as c::D>"), Some(("a::B", "c::D")));
    }
}
