//! The sources that cargo has unpacked for this repository, as far as they are there.

use karat_model::scan::{Class, Flags, Package, Scan, Target};
use karat_scan::Options;
use std::path::{Path, PathBuf};

/// Folders of unpacked crates.
fn registries() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let sources = home
        .map(|home| home.join("registry/src"))
        .unwrap_or_default();
    let folders = std::fs::read_dir(sources).into_iter().flatten().flatten();
    folders.map(|entry| entry.path()).collect()
}

fn package(name: &str, version: &str) -> Option<Package> {
    let named = registries()
        .into_iter()
        .map(|r| r.join(format!("{name}-{version}")));
    let root = named.into_iter().find(|root| root.is_dir())?;
    Some(Package {
        name: name.into(),
        version: version.into(),
        targets: vec![Target {
            krate: name.replace('-', "_"),
            source: root.join("src/lib.rs"),
        }],
        root,
        features: Some(vec!["std".into()]),
    })
}

fn scan(packages: &[Package]) -> Scan {
    let options = Options {
        base: Path::new("/"),
        flags: &Flags::default(),
        cfg: crate::tree::PLAIN,
        everywhere: false,
        threads: 2,
    };
    karat_scan::scan(packages, &options).unwrap().0
}

/// What is known of versions that lock files of this repository name.
#[test]
fn known_crates_have_known_places() {
    let known: &[(&str, &str, Class, &str, &str, u32)] = &[
        (
            "blake2b_simd",
            "1.0.5",
            Class::EarlyReturn,
            "sse4.1",
            "src/guts.rs",
            53,
        ),
        (
            "blake2b_simd",
            "1.0.5",
            Class::EarlyReturn,
            "avx2",
            "src/guts.rs",
            71,
        ),
        (
            "blake2s_simd",
            "1.0.5",
            Class::EarlyReturn,
            "avx2",
            "src/guts.rs",
            71,
        ),
        (
            "memchr",
            "2.8.3",
            Class::TailBlock,
            "avx2",
            "src/arch/x86_64/avx2/memchr.rs",
            93,
        ),
        (
            "aho-corasick",
            "1.1.5",
            Class::TailBlock,
            "ssse3",
            "src/packed/teddy/builder.rs",
            671,
        ),
        (
            "blake3",
            "1.8.7",
            Class::Cpufeatures,
            "avx512f avx512vl",
            "src/platform.rs",
            421,
        ),
        (
            "sha2",
            "0.11.1",
            Class::Cpufeatures,
            "avx2",
            "src/sha512.rs",
            47,
        ),
        (
            "zmij",
            "1.0.23",
            Class::CompileTime,
            "sse4.1",
            "src/lib.rs",
            281,
        ),
        (
            "crc32fast",
            "1.5.4",
            Class::Detected,
            "pclmulqdq sse2 sse4.1 ssse3",
            "src/specialized/pclmulqdq.rs",
            72,
        ),
    ];
    let mut seen = 0;
    for (name, version, class, features, path, line) in known {
        let Some(package) = package(name, version) else {
            eprintln!("SKIPPED: {name} {version} is not unpacked here");
            continue;
        };
        seen += 1;
        let scan = scan(&[package]);
        assert!(scan.notes.is_empty(), "{:?}", scan.notes);
        let found = scan.sites.iter().any(|s| {
            (
                s.class,
                s.features.join(" ").as_str(),
                s.path.as_str(),
                s.location.line,
            ) == (*class, *features, *path, Some(*line))
        });
        assert!(found, "{name} {features}: {:#?}", scan.sites);
    }
    if seen == 0 {
        eprintln!("SKIPPED: none of the known crates is unpacked here");
    }
}

/// Nothing that is unpacked is refused by the guard or stops the scan.
#[test]
fn all_unpacked_crates_are_scanned() {
    let mut packages = Vec::new();
    for registry in registries() {
        for entry in std::fs::read_dir(registry).into_iter().flatten().flatten() {
            let root = entry.path();
            packages.push(Package {
                name: entry.file_name().to_string_lossy().into_owned(),
                version: String::new(),
                targets: vec![Target {
                    krate: "x".into(),
                    source: root.join("src/lib.rs"),
                }],
                root,
                features: None,
            });
        }
    }
    if packages.is_empty() {
        eprintln!("SKIPPED: no crates are unpacked here");
        return;
    }
    let scan = scan(&packages);
    let deep = scan.notes.iter().find(|n| n.message.contains("too deeply"));
    assert!(deep.is_none(), "{deep:?}");
    assert!(
        scan.notes.len() * 100 <= scan.files as usize,
        "{:#?}",
        scan.notes
    );
}
