//! Packages made of text.

use karat_model::scan::{Class, Flags, Fold, Package, Scan, Site, Target};
use karat_scan::{Kernel, Options};
use std::path::Path;

/// What rustc prints for x86-64 Linux without flags, as far as it matters here.
pub const PLAIN: &str = "target_arch=\"x86_64\"\ntarget_family=\"unix\"\ntarget_os=\"linux\"\n\
    target_feature=\"fxsr\"\ntarget_feature=\"sse\"\ntarget_feature=\"sse2\"\nunix\n";

/// The same with AVX2.
pub fn with_avx2() -> String {
    format!("{PLAIN}target_feature=\"avx\"\ntarget_feature=\"avx2\"\n")
}

/// A package on disk, gone when dropped.
pub struct Tree {
    folder: tempfile::TempDir,
    pub features: Option<Vec<String>>,
}

impl Tree {
    /// Of files with their texts.
    pub fn of(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let features = Some(vec!["std".to_owned()]);
        Self { folder, features }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn package(&self) -> Package {
        Package {
            name: "a-crate".into(),
            version: "1.2.3".into(),
            root: self.path().to_owned(),
            targets: vec![Target {
                krate: "a_crate".into(),
                source: self.path().join("src/lib.rs"),
            }],
            features: self.features.clone(),
        }
    }

    pub fn scan(&self, cfg: &str) -> Scan {
        self.scan_with(cfg, false).0
    }

    pub fn scan_with(&self, cfg: &str, everywhere: bool) -> (Scan, Vec<Kernel>) {
        let options = Options {
            base: self.path(),
            flags: &Flags::default(),
            cfg,
            everywhere,
            threads: 2,
        };
        karat_scan::scan(&[self.package()], &options).unwrap()
    }
}

/// The places of a single file without flags.
pub fn places(text: &str) -> Vec<Site> {
    Tree::of(&[("src/lib.rs", text)]).scan(PLAIN).sites
}

/// Class, line, features and what the flags make of them.
pub fn told(sites: &[Site]) -> Vec<(Class, u32, String, Fold)> {
    let line = |s: &Site| s.location.line.unwrap();
    sites
        .iter()
        .map(|s| (s.class, line(s), s.features.join(" "), s.fold))
        .collect()
}
