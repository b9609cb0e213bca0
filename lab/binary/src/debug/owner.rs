//! From a source file's path to the crate that owns it.
//!
//! Paths are the reliable key: the first segment of a demangled name charges
//! `<T as other::Trait>::f` and generic code to the wrong crate (so it is asked only
//! where there is no path: see [`crate::attribute::by_name`]).

/// Owner of code whose file is unknown.
pub const UNATTRIBUTED: &str = "[unattributed]";

/// What kind of file code is from: intrinsics are charged to their callers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Wrappers of single instructions, such as `core::arch::x86_64`.
    Intrinsics,
    /// The rest of `core`, which the wrappers call.
    Core,
    /// Everything else.
    Other,
}

impl Origin {
    /// The origin of a file, given its absolute path.
    pub fn of(path: &str) -> Self {
        if standard_library(path) == Some("core") {
            return match path.contains("/library/stdarch/crates/core_arch/") {
                true => Self::Intrinsics,
                false => Self::Core,
            };
        }
        // `…/lib/gcc/x86_64-linux-gnu/12/include/avx2intrin.h`, and the same in
        // `…/lib/clang/14/include`.
        let header = path.rsplit_once('/').is_some_and(|(directory, name)| {
            name.ends_with("intrin.h")
                && directory.contains("/include")
                && (directory.contains("/gcc/") || directory.contains("/clang/"))
        });
        if header {
            Self::Intrinsics
        } else {
            Self::Other
        }
    }
}

/// Where the sources of the crates in this binary lie.
#[derive(Default)]
pub struct Roots {
    /// Those with the longest directory first after [`Roots::sort`].
    roots: Vec<Root>,
}

/// One crate that has a compile unit in the binary.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Root {
    /// Directory of the crate's root file.
    dir: String,
    /// Name of that file, such as `lib.rs`.
    file: String,
    /// Name of the crate.
    name: String,
}

/// A file's place inside a crate.
#[derive(Debug, PartialEq, Eq)]
pub struct InCrate<'a> {
    /// Crate name with underscores.
    pub name: String,
    /// Path below the directory of the crate's root file; empty for that file.
    pub path: &'a str,
}

impl Roots {
    /// Notes a compile unit and returns the owner of files in it that no path
    /// rule knows: the crate of a Rust unit, the directory of another.
    pub fn add_unit(&mut self, name: &str, comp_dir: &str, is_rust: bool) -> String {
        // rustc names units `src/main.rs/@/crate.1f3a-cgu.0`.
        let (file, unit) = name.split_once("/@/").unwrap_or((name, ""));
        let path = join(comp_dir, file);
        let (dir, file) = path.rsplit_once('/').unwrap_or(("", &path));
        if !is_rust {
            return short_directory(dir);
        }
        // Incremental builds name units by a hash alone.
        let name = match unit.split_once('.') {
            Some((name, rest)) if rest.contains("cgu") => name.to_string(),
            _ => crate_of_root(dir, file),
        };
        if name.is_empty() {
            return short_directory(dir);
        }
        if !dir.is_empty() {
            self.roots.push(Root {
                dir: dir.to_string(),
                file: file.to_string(),
                name: name.clone(),
            });
        }
        name
    }

    /// Call once after the last unit.
    pub fn sort(&mut self) {
        self.roots.sort();
        self.roots.dedup();
        // Longest first: a crate may lie inside another one's directory.
        self.roots
            .sort_by_key(|root| std::cmp::Reverse(root.dir.len()));
    }

    /// The owner of a file (absolute path) that a line table of a unit owned by
    /// `unit_owner` names.
    pub fn owner(&self, path: &str, unit_owner: &str) -> String {
        if let Some(name) = standard_library(path) {
            return name.to_string();
        }
        if let Some((name, _)) = package(path) {
            return name.to_string();
        }
        let mut below = self.below(path).map(|(root, _)| &root.name).peekable();
        match below.peek() {
            // Several crates may share a directory (lib.rs and main.rs): then
            // the unit's own word decides.
            Some(&first) => {
                let own = below.find(|name| **name == unit_owner);
                own.unwrap_or(first).clone()
            }
            None if unit_owner.is_empty() => UNATTRIBUTED.to_string(),
            None => unit_owner.to_string(),
        }
    }

    /// The crates a Rust file may belong to and its place in them: those that
    /// have a unit in the binary, else the package its path names.
    pub fn locate<'p>(&self, path: &'p str) -> Vec<InCrate<'p>> {
        let mut found: Vec<_> = self
            .below(path)
            .map(|(root, rest)| InCrate {
                name: root.name.clone(),
                path: if rest == root.file { "" } else { rest },
            })
            .collect();
        if found.is_empty()
            && let Some((name, rest)) = package(path)
        {
            let path = rest.strip_prefix("src/").unwrap_or(rest);
            found.push(InCrate {
                name: name.replace('-', "_"),
                path: if path == "lib.rs" { "" } else { path },
            });
        }
        found
    }

    /// Crates above a file, those with the longest directory only.
    fn below<'s, 'p: 's>(&'s self, path: &'p str) -> impl Iterator<Item = (&'s Root, &'p str)> {
        let mut longest = None;
        self.roots.iter().filter_map(move |root| {
            let rest = path.strip_prefix(root.dir.as_str())?.strip_prefix('/')?;
            (*longest.get_or_insert(root.dir.len()) == root.dir.len()).then_some((root, rest))
        })
    }
}

/// `path` below `base` unless it is absolute, without `.` and `..` segments.
pub fn join(base: &str, path: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    let base = if path.starts_with('/') { "" } else { base };
    for segment in base.split('/').chain(path.split('/')) {
        match segment {
            "" | "." => {}
            ".." => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    format!("/{}", out.join("/"))
}

/// `core`, `alloc`, `std` … for files of the standard library, which official
/// builds remap to `/rustc/<hash>/library` and rust-src has on disk.
fn standard_library(path: &str) -> Option<&str> {
    let rest = match path.strip_prefix("/rustc/") {
        Some(rest) => rest.split_once('/')?.1,
        None => path.split_once("/lib/rustlib/src/rust/")?.1,
    };
    let mut segments = rest.split('/');
    match segments.next()? {
        "library" => match segments.next()? {
            // stdarch holds core::arch and std_detect as two crates.
            "stdarch" => match segments.nth(1)? {
                "core_arch" => Some("core"),
                other => Some(other),
            },
            name => Some(name),
        },
        "compiler" => segments.next(),
        "vendor" => segments.next().map(split_version),
        _ => None,
    }
}

/// Package name and the path inside the package, for files that cargo fetched.
fn package(path: &str) -> Option<(&str, &str)> {
    // `/rust/deps` is where official builds of std have their dependencies.
    if let Some(rest) = path.strip_prefix("/rust/deps/") {
        let (package, inside) = rest.split_once('/')?;
        return Some((split_version(package), inside));
    }
    if let Some((_, rest)) = path.split_once("/registry/src/") {
        // <index>/NAME-VERSION/…
        let (_, rest) = rest.split_once('/')?;
        let (package, inside) = rest.split_once('/')?;
        return Some((split_version(package), inside));
    }
    if let Some((_, rest)) = path.split_once("/git/checkouts/") {
        // NAME-HASH/REVISION/…
        let (repository, rest) = rest.split_once('/')?;
        let (_, inside) = rest.split_once('/')?;
        let name = repository.rsplit_once('-').map_or(repository, |(n, _)| n);
        return Some((name, inside));
    }
    None
}

/// `NAME-1.2.3-beta.1+build` to `NAME`.
fn split_version(package: &str) -> &str {
    for (at, _) in package.match_indices('-') {
        let version = &package[at + 1..];
        let mut parts = version.splitn(3, '.');
        let is_number = |part: Option<&str>| {
            part.is_some_and(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()))
        };
        if is_number(parts.next())
            && is_number(parts.next())
            && parts
                .next()
                .is_some_and(|p| p.starts_with(|c: char| c.is_ascii_digit()))
        {
            return &package[..at];
        }
    }
    package
}

/// The crate of a root file by where it lies, as cargo names crates: a package's
/// library and program after its folder (its name, unless it was given another), what
/// is in `src/bin`, `tests`, `examples` or `benches` after the file or its folder.
fn crate_of_root(dir: &str, file: &str) -> String {
    let path = format!("{dir}/{file}");
    if let Some(name) = standard_library(&path) {
        return name.to_string();
    }
    let stem = file.strip_suffix(".rs").unwrap_or(file);
    let is_root = matches!(stem, "lib" | "main" | "mod");
    let name = match package(&path) {
        Some((name, _)) if is_root => name,
        _ if file == "build.rs" => "build_script_build",
        _ if is_root => {
            let mut above = dir.rsplit('/').filter(|segment| !segment.is_empty());
            above.find(|segment| *segment != "src").unwrap_or(stem)
        }
        _ => stem,
    };
    name.replace('-', "_")
}

/// The last segment that says something: `src` and `.` do not.
fn short_directory(dir: &str) -> String {
    dir.rsplit('/')
        .find(|segment| !matches!(*segment, "" | "." | "src" | "source"))
        .unwrap_or(UNATTRIBUTED)
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots() -> Roots {
        let mut roots = Roots::default();
        roots.add_unit("src/main.rs/@/app.123-cgu.0", "/w/app", true);
        roots.add_unit("lib/src/lib.rs/@/helper.9-cgu.0", "/w/app", true);
        roots.add_unit(
            "/reg/registry/src/i/blake2b_simd-1.0.5/src/lib.rs/@/blake2b_simd.7-cgu.0",
            "/",
            true,
        );
        roots.sort();
        roots
    }

    #[test]
    fn every_kind_of_path_finds_its_owner() {
        let roots = roots();
        for (path, owner) in [
            (
                "/reg/registry/src/index-1/tiny-keccak-2.0.2/src/keccakf.rs",
                "tiny-keccak",
            ),
            ("/reg/registry/src/index-1/a-b-0.1.0-rc.2/src/x.rs", "a-b"),
            ("/rustc/59807616/library/core/src/slice/mod.rs", "core"),
            (
                "/rustc/59807616/library/stdarch/crates/core_arch/src/x86/avx2.rs",
                "core",
            ),
            (
                "/opt/lib/rustlib/src/rust/library/alloc/src/vec.rs",
                "alloc",
            ),
            ("/rust/deps/memchr-2.7.6/src/lib.rs", "memchr"),
            ("/reg/git/checkouts/zstd-rs-1f3a/abc/src/lib.rs", "zstd-rs"),
            ("/w/app/src/kernel.rs", "app"),
            ("/w/app/lib/src/deep/x.rs", "helper"),
            ("/elsewhere/gen.rs", "unit"),
        ] {
            assert_eq!(roots.owner(path, "unit"), owner, "{path}");
        }
    }

    #[test]
    fn wrappers_of_intrinsics_are_known() {
        for (path, origin) in [
            (
                "/rustc/59807616/library/stdarch/crates/core_arch/src/x86/avx2.rs",
                Origin::Intrinsics,
            ),
            (
                "/rustc/59807616/library/stdarch/crates/std_detect/src/lib.rs",
                Origin::Other,
            ),
            ("/rustc/59807616/library/core/src/ptr/mod.rs", Origin::Core),
            (
                "/usr/lib/gcc/x86_64-linux-gnu/12/include/avx512fintrin.h",
                Origin::Intrinsics,
            ),
            (
                "/usr/lib/llvm-14/lib/clang/14.0.6/include/bmi2intrin.h",
                Origin::Intrinsics,
            ),
            (
                "/usr/lib/gcc/x86_64-linux-gnu/12/include/stddef.h",
                Origin::Other,
            ),
            ("/w/app/include/myintrin.h", Origin::Other),
        ] {
            assert_eq!(Origin::of(path), origin, "{path}");
        }
    }

    #[test]
    fn units_of_incremental_builds_are_named_after_their_sources() {
        for (unit, owner) in [
            ("src/main.rs/@/2ygd9mbhkdiz41jo", "my_app"),
            ("src/main.rs/@/1f3a.2ygd9mbhkdiz41jo", "my_app"),
            ("src/main.rs/@/other.8d7e2ab34c5f9012-cgu.0", "other"),
            ("src/bin/tool.rs/@/2ygd9mbhkdiz41jo", "tool"),
            ("tests/it/main.rs/@/2ygd9mbhkdiz41jo", "it"),
            ("build.rs/@/2ygd9mbhkdiz41jo", "build_script_build"),
            (
                "/r/registry/src/i/tiny-keccak-2.0.2/src/lib.rs/@/2ygd9mbhkdiz41jo",
                "tiny_keccak",
            ),
            (
                "/rustc/5980/library/core/src/lib.rs/@/2ygd9mbhkdiz41jo",
                "core",
            ),
        ] {
            let mut roots = Roots::default();
            assert_eq!(roots.add_unit(unit, "/w/my-app", true), owner, "{unit}");
        }
    }

    #[test]
    fn c_units_are_named_after_their_directory() {
        let mut roots = Roots::default();
        assert_eq!(
            roots.add_unit("../zlib/src/deflate.c", "/w/build", false),
            "zlib"
        );
        assert_eq!(roots.add_unit("/w/t.c", "/", false), "w");
    }

    #[test]
    fn a_file_knows_its_place_in_the_crate() {
        let place = |path| {
            let places = roots().locate(path);
            let places = places.iter().map(|p| format!("{}:{}", p.name, p.path));
            places.collect::<Vec<_>>()
        };
        assert_eq!(
            place("/reg/registry/src/i/blake2b_simd-1.0.5/src/avx2.rs"),
            ["blake2b_simd:avx2.rs"]
        );
        assert_eq!(
            place("/reg/registry/src/i/tiny-keccak-2.0.2/src/keccakf.rs"),
            ["tiny_keccak:keccakf.rs"]
        );
        assert_eq!(place("/w/app/lib/src/lib.rs"), ["helper:"]);
        assert_eq!(place("/elsewhere/x.rs"), [""; 0]);
    }
}
