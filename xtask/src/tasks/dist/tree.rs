//! The files of the tarball, as they lie in it.

use super::crates::Crates;
use super::{Dist, licences, man};
use crate::command::{command, root, stdout};
use anyhow::{Context as _, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Shells, and what their completions are called where they are looked for.
pub const SHELLS: &[(&str, &str)] = &[("bash", "karat"), ("zsh", "_karat"), ("fish", "karat.fish")];

/// Licences of code that is not karat's own.
pub const OTHERS: &str = "LICENSES-OF-OTHERS";

/// Lays out the tarball's folder.
pub fn stage(dist: &Dist, crates: &Crates) -> Result<PathBuf> {
    let folder = dist.out.join(dist.stem());
    let put = |from: &Path, to: &str| copy(from, &folder.join(to));
    put(&dist.program, "bin/karat")?;
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
        put(&root().join(file), file)?;
    }
    write(&folder.join(OTHERS), &licences::text(crates)?)?;
    for file in ["karat.h", "karat_blake2.h", "karat_blake3.h"] {
        let from = root().join("bindings/c/include").join(file);
        put(&from, &format!("include/{file}"))?;
    }
    for (shell, name) in SHELLS {
        let text = stdout(command(&dist.program, &["completions", shell]))?;
        write(&folder.join("completions").join(shell).join(name), &text)?;
    }
    for (name, page) in man::pages(dist)? {
        write(&folder.join("man").join(name), &page)?;
    }
    Ok(folder)
}

pub fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(Path::new(".")))?;
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}

pub fn write(to: &Path, text: &str) -> Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(Path::new(".")))?;
    fs::write(to, text).with_context(|| format!("cannot write {}", to.display()))
}
