//! Expected functions: the patterns of a study, matched with symbols and frames.

use crate::debug::dwarf::Dwarf;
use crate::debug::inlines::Frame;
use crate::debug::lines::Lines;
use crate::names::{
    ANONYMOUS, canonical, canonical_symbol, cxx_path, readable, segments, trait_parts,
    without_clone_suffix,
};

/// One expected function (or, with `::*`, all functions below a path).
pub struct Target {
    /// Canonical, without `::*`.
    path: String,
    below: bool,
    /// Text that any mangling of a match contains; demangling is half as dear as
    /// decoding, so names without it are never demangled.
    needle: String,
}

impl Target {
    /// Reads the pattern: a path, or a path with `::*` behind it.
    pub fn new(written: &str) -> Self {
        let stem = written.strip_suffix("::*");
        let path = canonical(&stem.unwrap_or(written).replace(ANONYMOUS, ""));
        let needle = segments(&path)
            .iter()
            .rev()
            .map(|segment| longest_identifier(segment))
            // Operators of C++ have two letters.
            .map(|(whole, word)| (whole && !word.starts_with("operator"), word))
            // Closures are numbered, not named, in v0 mangling.
            .find(|(whole, word)| *whole && !word.is_empty())
            .map_or("", |(_, word)| word)
            .to_string();
        Self {
            path,
            below: stem.is_some(),
            needle,
        }
    }

    /// The crate of the function; none for a C symbol.
    pub fn krate(&self) -> Option<&str> {
        let path = segments(&self.path);
        match trait_parts(path[0]) {
            Some((ty, _)) => segments(ty).first().copied(),
            None => (path.len() > 1 || self.below).then(|| path[0]),
        }
    }

    /// Whether a symbol or linkage name is this function. A function of C++ is named by its
    /// path, which all overloads and instances share (`a::B::f`), by its path with its
    /// parameters as they are written out (`a::B::f(int) const`), or as it is mangled.
    pub fn matches_symbol(&self, mangled: &str) -> bool {
        mangled.contains(&self.needle)
            && (self.matches_path(&canonical_symbol(mangled)) || self.matches_cxx(mangled))
    }

    fn matches_cxx(&self, mangled: &str) -> bool {
        let Some(path) = cxx_path(mangled) else {
            return false;
        };
        // Not that of `operator()`.
        let has_parameters = self.path.rfind('(') > Some(0) && !self.path.ends_with("operator()");
        match has_parameters {
            true => {
                let whole = readable(without_clone_suffix(mangled));
                canonical(&whole.replace(ANONYMOUS, "")) == self.path
            }
            false => self.matches_path(&path),
        }
    }

    /// Whether a frame of C++ without a linkage name may be this function: GCC gives static
    /// functions and those of anonymous namespaces none, and clang none at all at `-g1`.
    /// Namespaces and classes are then not known, and namesakes are taken together.
    pub fn may_be_short_cxx(&self, frame: &Frame<'_>, dwarf: &Dwarf<'_>) -> bool {
        let last = || segments(&self.path).last().copied();
        !self.below
            && !frame.is_linkage
            && dwarf.units[frame.unit].is_cxx
            && last() == Some(canonical(frame.name).as_str())
    }

    fn matches_path(&self, name: &str) -> bool {
        if self.below {
            return name
                .strip_prefix(&self.path)
                .is_some_and(|rest| rest.starts_with("::"))
                || trait_parts(segments(name)[0]).is_some_and(|(ty, _)| {
                    ty.strip_prefix(&self.path)
                        .is_some_and(|rest| rest.starts_with("::"))
                });
        }
        name == self.path || self.matches_trait_method(name)
    }

    /// `<a::Foo as Bar>::f` also stands for `<a::Foo as b::Bar>::f`.
    fn matches_trait_method(&self, name: &str) -> bool {
        let (mine, theirs) = (segments(&self.path), segments(name));
        let (Some((ty, of)), Some((their_ty, their_of))) =
            (trait_parts(mine[0]), trait_parts(theirs[0]))
        else {
            return false;
        };
        let last = segments(their_of).last().copied();
        mine[1..] == theirs[1..] && ty == their_ty && !of.contains("::") && last == Some(of)
    }

    /// Whether an inlined frame is this function. Without linkage names (rustc's
    /// `debug = "line-tables-only"`) crate and module come from the source file,
    /// and namesakes in one file are taken together.
    pub fn matches_frame(&self, frame: &Frame<'_>, dwarf: &Dwarf<'_>, lines: &Lines) -> bool {
        if frame.is_linkage {
            return self.matches_symbol(frame.name);
        }
        let unit = &dwarf.units[frame.unit];
        if !unit.is_rust {
            // C has no paths and no mangling.
            return !self.below && frame.name == self.path;
        }
        if !self.below && !frame.name.contains(&self.needle) {
            return false;
        }
        let name = canonical(frame.name);
        let places = frame.file.map_or(Vec::new(), |file| {
            dwarf.roots.locate(&lines.files[file as usize].path)
        });
        if places.is_empty() {
            return self.matches_short(&name, &unit.owner, None);
        }
        places
            .iter()
            .any(|place| self.matches_short(&name, &place.name, Some(&modules(place.path))))
    }

    /// A short name, its crate, and the modules its file stands for.
    fn matches_short(&self, name: &str, krate: &str, modules: Option<&[&str]>) -> bool {
        let path = segments(&self.path);
        let (path, last) = match (self.below, path.split_last()) {
            (false, Some((last, path))) => (path, Some(*last)),
            _ => (&path[..], None),
        };
        if last.is_some_and(|last| last != name) {
            return false;
        }
        let Some(first) = path.first() else {
            return false;
        };
        if let Some((ty, of)) = trait_parts(first) {
            // The impl may be in any file of either crate.
            return [ty, of].iter().any(|path| segments(path)[0] == krate);
        }
        if *first != krate {
            return false;
        }
        let wanted = &path[1..];
        match modules {
            // `m::*` takes files in m and below it.
            Some(modules) if self.below => modules.starts_with(wanted),
            // What follows the file's modules is an inline module or a type.
            Some(modules) => wanted.starts_with(modules),
            None => !self.below || wanted.is_empty(),
        }
    }
}

/// Modules of a file below its crate's root file: `a/b.rs` and `a/b/mod.rs` are
/// `a::b`; the root file, given as the empty path, is none.
fn modules(path: &str) -> Vec<&str> {
    if path.is_empty() {
        return Vec::new();
    }
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    let mut parts: Vec<_> = stem.split('/').collect();
    if parts.last() == Some(&"mod") {
        parts.pop();
    }
    parts
}

/// The longest run of identifier characters, and whether the segment is one
/// that appears in a mangled name as it is.
fn longest_identifier(segment: &str) -> (bool, &str) {
    let segment = match segment.find('(') {
        // Parameters of C++, which are mangled by other words.
        Some(open) if open > 0 => &segment[..open],
        _ => segment,
    };
    let whole = !segment.starts_with('{') && segment.is_ascii();
    let word = segment
        .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .max_by_key(|word| word.len())
        .unwrap_or("");
    (whole, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_paths_and_wildcards() {
        let one = Target::new("blake2b_simd::avx2::compress1_loop");
        assert!(one.matches_symbol("_ZN12blake2b_simd4avx214compress1_loop17hf30c698925bbec46E"));
        assert!(!one.matches_path("x::blake2b_simd::avx2::compress1_loop"));
        assert!(!one.matches_path("blake2b_simd::avx2::compress1_loop::{closure#0}"));
        assert!(!Target::new("compress1_loop").matches_path("avx2::compress1_loop"));
        let all = Target::new("blake2b_simd::avx2::*");
        assert!(all.matches_path("blake2b_simd::avx2::x::y"));
        assert!(all.matches_path("<blake2b_simd::avx2::T as a::B>::c"));
        assert!(!all.matches_path("blake2b_simd::avx2x::y"));
    }

    #[test]
    fn functions_of_cxx_have_readable_names() {
        let matches = |written: &str, mangled: &str| Target::new(written).matches_symbol(mangled);
        let enabled = "_ZNK4conf3Log7enabledEi";
        for written in [
            "conf::Log::enabled",
            "conf::Log::enabled(int) const",
            "conf::Log::*",
            "conf::*",
            enabled,
        ] {
            assert!(matches(written, enabled), "{written}");
        }
        for written in ["enabled", "Log::enabled", "conf::Log::enabled() const"] {
            assert!(!matches(written, enabled), "{written}");
        }
        assert!(matches("conf::above", "_ZN4conf5aboveIlEEbT_"));
        for written in ["conf::hidden", "conf::(anonymous namespace)::hidden"] {
            let mangled = "_ZN4conf12_GLOBAL__N_16hiddenEv.part.0";
            assert!(matches(written, mangled), "{written}");
        }
        assert!(matches("Box::operator()", "_ZN3BoxIiEclEv"));
    }

    #[test]
    fn traits_may_be_named_short() {
        let short = Target::new("<blake2b_simd::Foo as Bar>::baz");
        assert!(short.matches_path("<blake2b_simd::Foo as other::Bar>::baz"));
        assert!(!short.matches_path("<blake2b_simd::Foo as other::Baz>::baz"));
        let long = Target::new("<a::Foo as b::Bar>::baz");
        assert!(!long.matches_path("<a::Foo as c::Bar>::baz"));
    }

    #[test]
    fn short_frames_need_crate_and_module() {
        let one = Target::new("blake2b_simd::avx2::compress1_loop");
        let matches =
            |krate, file: &str| one.matches_short("compress1_loop", krate, Some(&modules(file)));
        assert!(matches("blake2b_simd", "avx2.rs"));
        assert!(matches("blake2b_simd", "avx2/mod.rs"));
        assert!(matches("blake2b_simd", ""));
        assert!(!matches("blake2b_simd", "portable.rs"));
        assert!(!matches("blake2s_simd", "avx2.rs"));
    }
}
