//! Patches for crates that return early at compile time (KS001).
//!
//! What a patch can do was measured, and it is little: see [`header`]. Offered is the
//! smallest change that keeps the kernels' symbols, and no change of the dispatch: std's
//! detection folds under the same flags as the early return does.

use crate::Kernel;
use karat_model::scan::{Class, Scan};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// A patch of one package, as a unified diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// Name of the package.
    pub package: String,
    /// Its version.
    pub version: String,
    /// The diff, with a header; `patch -p1` applies it in the package's folder.
    pub text: String,
}

/// A patch for each package with a place of KS001 and kernels for its features.
///
/// # Errors
/// When a source file can no longer be read.
pub fn patches(scan: &Scan, kernels: &[Kernel]) -> io::Result<Vec<Patch>> {
    let mut features: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for site in scan.sites.iter().filter(|s| s.class == Class::EarlyReturn) {
        let of = features.entry((&site.package, &site.version)).or_default();
        of.extend(site.features.iter().map(String::as_str));
    }
    let mut out = Vec::new();
    for ((package, version), features) in features {
        let mut files: BTreeMap<&Path, Vec<&Kernel>> = BTreeMap::new();
        for kernel in kernels {
            let named = kernel.package == package && kernel.version == version;
            let wanted = kernel
                .features
                .iter()
                .any(|f| features.contains(&f.as_str()));
            if named && wanted && kernel.open {
                files.entry(&kernel.file).or_default().push(kernel);
            }
        }
        let mut diffs = String::new();
        let mut modules: Vec<&str> = Vec::new();
        for (file, kernels) in &files {
            let before = std::fs::read_to_string(file)?;
            let starts: Vec<usize> = kernels.iter().map(|k| k.start).collect();
            let Some(after) = kept_apart(&before, &starts) else {
                continue;
            };
            let root = &kernels[0].root;
            let inside = file.strip_prefix(root).unwrap_or(file).to_string_lossy();
            diffs += &unified(&inside.replace('\\', "/"), &before, &after);
            modules.extend(kernels.iter().map(|k| k.module.as_str()));
        }
        if !diffs.is_empty() {
            modules.dedup();
            out.push(Patch {
                package: package.to_owned(),
                version: version.to_owned(),
                text: header(package, version, &modules) + &diffs,
            });
        }
    }
    Ok(out)
}

/// What the patch does and does not do.
fn header(package: &str, version: &str, modules: &[&str]) -> String {
    format!(
        "{package} {version}: keep the functions of {} out of line.\n\
         \n\
         What this does: their symbols stay, also where the build assumes the CPU features and\n\
         link-time optimisation would inline them, so that profiles and audits find them.\n\
         What this does not do: it does not keep their code. Under -Ctarget-cpu they are\n\
         compiled for that CPU with or without it. It does not change the dispatch either: the\n\
         early return is left, because run-time detection by std folds under the same flags.\n\
         Keeping the symbol is not keeping the speed: a patch to that end left blake2b_simd at\n\
         the speed of the build without it (karat's studies/blake2-dispatch). To keep the code\n\
         of the build without flags, leave the crate out of the flags: RUSTC_WRAPPER=karat,\n\
         KARAT_RUSTC_EXCEPT={} and the crates that call it. Measure before and after.\n\
         \n\
         Apply in the package's folder with patch -p1.\n\n",
        modules.join(", "),
        package.replace('-', "_"),
    )
}

/// The text with `#[inline(never)]` before each of the places; `None` when one of them is
/// not at the beginning of a line's code, or the result is no Rust.
fn kept_apart(text: &str, starts: &[usize]) -> Option<String> {
    let mut out = String::new();
    let mut from = 0;
    let mut starts = starts.to_vec();
    starts.sort_unstable();
    for start in starts {
        let before = text.get(from..start)?;
        let indent = &text[text[..start].rfind('\n').map_or(0, |at| at + 1)..start];
        if !indent.trim().is_empty() {
            return None;
        }
        out += before;
        out += "#[inline(never)]\n";
        out += indent;
        from = start;
    }
    out += &text[from..];
    crate::places(&out).ok().map(|_| out)
}

fn unified(path: &str, before: &str, after: &str) -> String {
    let mut options = diffy::DiffOptions::new();
    options.set_original_filename(format!("a/{path}"));
    options.set_modified_filename(format!("b/{path}"));
    options.create_patch(before, after).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_kept_apart() {
        let text = "mod m {\n    #[target_feature(enable = \"avx2\")]\n    pub fn f() {}\n}\n";
        let start = text.find('#').unwrap();
        let after = kept_apart(text, &[start]).unwrap();
        assert_eq!(
            after,
            "mod m {\n    #[inline(never)]\n    #[target_feature(enable = \"avx2\")]\n    pub fn f() {}\n}\n"
        );
        assert_eq!(kept_apart("x #[a] fn f() {}", &[2]), None);
        let diff = unified("src/a.rs", text, &after);
        assert_eq!(
            diffy::apply(text, &diffy::Patch::from_str(&diff).unwrap()).unwrap(),
            after
        );
    }
}
