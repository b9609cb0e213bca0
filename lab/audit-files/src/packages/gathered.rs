//! The files that are audited, and what is known of the packages that they are from.

use super::binaries::is_script;
use karat_model::audit_document::{SkippedPart, UnauditedFile};
use karat_model::package::Package;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Bytes of a script that are kept: what is longer is data.
pub const LARGEST_SCRIPT: u64 = 1 << 20;

/// A file to audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Where its bytes are.
    pub path: PathBuf,
    /// What reports call it.
    pub name: String,
    /// Which of the packages it is in; none for a file that was named by itself.
    pub package: Option<usize>,
    /// Names of other files with the same bytes.
    pub same: Vec<String>,
}

impl Item {
    /// A file that was named by itself.
    #[must_use]
    pub fn alone(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            name: path.display().to_string(),
            package: None,
            same: Vec::new(),
        }
    }

    /// What a place in the folder to which the file's package was unpacked is called in the
    /// package, with what follows it; none of another place.
    pub fn called(&self, place: &str) -> Option<String> {
        let path = self.path.to_str()?;
        let shared = path.chars().rev().zip(self.name.chars().rev());
        let shared: usize = shared
            .take_while(|(one, other)| one == other)
            .map(|(one, _)| one.len_utf8())
            .sum();
        let (root, named) = (
            &path[..path.len() - shared],
            &self.name[..self.name.len() - shared],
        );
        let is_unpacked = self.package.is_some() && !root.is_empty() && root != named;
        let rest = place.strip_prefix(root).filter(|_| is_unpacked)?;
        Some(format!("{named}{rest}"))
    }
}

/// What was named, taken apart.
#[derive(Debug, Default)]
pub struct Gathered {
    /// What is audited, each content once.
    pub items: Vec<Item>,
    /// The packages and folders.
    pub packages: Vec<Package>,
    /// Symbolic and hard links in the packages, by the names that reports show.
    pub links: Vec<Link>,
    /// Programs in text, where they were asked for.
    pub scripts: Vec<Script>,
    /// What could not be read.
    pub failed: Vec<UnauditedFile>,
    pub(super) with_scripts: bool,
    /// Where packages were unpacked; goes with this value.
    pub(super) unpacked: Vec<TempDir>,
}

/// A name in a package that stands for another file of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The name.
    pub name: String,
    /// The file, relative to the name's folder or from the package's root.
    pub target: String,
    /// The package.
    pub package: usize,
}

/// A program in text of a package: it may name the binaries that it loads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Where it is.
    pub path: PathBuf,
    /// What reports call it.
    pub name: String,
    /// The package.
    pub package: usize,
}

impl Script {
    /// Its first bytes, as many as are kept of a script in a package: what is longer is data.
    /// None if it cannot be read, or is no file any more.
    #[must_use]
    pub fn bytes(&self) -> Option<Vec<u8>> {
        // To open a pipe would wait for whoever writes to it.
        let is_file = std::fs::metadata(&self.path).is_ok_and(|meta| meta.is_file());
        let file = is_file.then(|| File::open(&self.path).ok()).flatten()?;
        let mut out = Vec::new();
        file.take(LARGEST_SCRIPT).read_to_end(&mut out).ok()?;
        Some(out)
    }
}

impl Gathered {
    /// One more package, of which nothing is known yet.
    pub(super) fn begin(&mut self, name: &str, kind: &str) -> usize {
        self.packages.push(Package {
            path: name.to_owned(),
            kind: kind.to_owned(),
            ..Package::default()
        });
        self.packages.len() - 1
    }

    pub(super) fn fail(&mut self, name: &str, why: String) {
        let path = name.to_owned();
        self.failed.push(UnauditedFile { path, why });
    }

    /// One more binary of a package.
    pub(super) fn add(&mut self, path: PathBuf, name: String, package: usize) {
        self.packages[package].binaries += 1;
        self.items.push(Item {
            path,
            name,
            package: Some(package),
            same: Vec::new(),
        });
    }

    /// Whether a file that is no binary is a script that is wanted.
    pub(super) fn wants(&self, name: &str, head: &[u8]) -> bool {
        self.with_scripts && is_script(name, head)
    }

    /// One more script of a package.
    pub(super) fn script(&mut self, path: PathBuf, name: String, package: usize) {
        self.scripts.push(Script {
            path,
            name,
            package,
        });
    }

    pub(super) fn skip(&mut self, package: usize, name: impl Into<String>, why: impl Into<String>) {
        let (name, why) = (name.into(), why.into());
        self.packages[package]
            .skipped
            .push(SkippedPart { name, why });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beside_a_member_is_called_as_it() {
        let item = |path: &str, name: &str, package| Item {
            path: path.into(),
            name: name.into(),
            package,
            same: Vec::new(),
        };
        let member = item("/tmp/karat-x/a/lib.so", "dist/some.whl/a/lib.so", Some(0));
        let called = member.called("/tmp/karat-x/a/lib.dbg: it is another's");
        assert_eq!(
            called.as_deref(),
            Some("dist/some.whl/a/lib.dbg: it is another's")
        );
        assert_eq!(member.called("/usr/lib/debug/lib.dbg"), None);
        // What is in a folder has its own name already.
        let named = item("out/a/lib.so", "out/a/lib.so", Some(0));
        assert_eq!(named.called("out/a/lib.dbg"), None);
        let alone = item("/tmp/karat-x/a/lib.so", "some/lib.so", None);
        assert_eq!(alone.called("/tmp/karat-x/a/lib.dbg"), None);
    }
}
