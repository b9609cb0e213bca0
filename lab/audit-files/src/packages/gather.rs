//! From what a user names to the files that are audited.

use super::gathered::{Gathered, Item};
use super::{folder, unpack};
use karat_host::mapped::Mapped;
use karat_model::audit_document::UnauditedFile;
use karat_package::{HEAD, is_package};
use std::collections::HashMap;
use std::path::PathBuf;

/// Takes apart what was named: packages are unpacked, folders searched. A file that is
/// neither is an item whatever it is: its audit says what is wrong with it. Scripts are
/// noted if `with_scripts`.
#[must_use]
pub fn gather(paths: &[PathBuf], with_scripts: bool) -> Gathered {
    let mut out = Gathered {
        with_scripts,
        ..Gathered::default()
    };
    let mut seen: Vec<&PathBuf> = Vec::new();
    for path in paths {
        if seen.contains(&path) {
            continue;
        }
        seen.push(path);
        let name = path.display().to_string();
        if path.is_dir() {
            folder::add(&mut out, path, &name);
            continue;
        }
        let bytes = Mapped::open(path).ok();
        match bytes.filter(|bytes| is_package(&bytes[..bytes.len().min(HEAD)])) {
            Some(bytes) => unpack::add(&mut out, path, &name, &bytes),
            None => out.items.push(Item {
                path: path.clone(),
                name,
                package: None,
                same: Vec::new(),
            }),
        }
    }
    out.unite();
    out.without_binaries();
    out
}

impl Gathered {
    /// A package without a binary is no mistake among others, a pure Python wheel for
    /// one. Where nothing is left to audit, the user means something else.
    fn without_binaries(&mut self) {
        if !self.items.is_empty() || !self.failed.is_empty() {
            return;
        }
        for package in &self.packages {
            self.failed.push(UnauditedFile {
                path: package.path.clone(),
                why: format!("no binary is in this {}", package.kind),
            });
        }
    }

    /// Takes items of packages with the same bytes together, under the first name.
    fn unite(&mut self) {
        let mut by_size: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut kept: Vec<Item> = Vec::new();
        for item in std::mem::take(&mut self.items) {
            // What is named by itself is answered by itself.
            let size = std::fs::metadata(&item.path).map(|meta| meta.len()).ok();
            let alike = size.filter(|_| item.package.is_some());
            let alike = alike.map(|size| by_size.entry(size).or_default());
            let twin = alike.as_ref().and_then(|alike| {
                let own = Mapped::open(&item.path).ok()?;
                let same = |other: &&usize| {
                    Mapped::open(&kept[**other].path).is_ok_and(|bytes| *bytes == *own)
                };
                alike.iter().find(same).copied()
            });
            match (twin, alike) {
                (Some(twin), _) => kept[twin].same.push(item.name),
                (None, alike) => {
                    if let Some(alike) = alike {
                        alike.push(kept.len());
                    }
                    kept.push(item);
                }
            }
        }
        self.items = kept;
    }
}
