//! Source trees: listing, hashing, copying.

use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Folders that hold results, not sources.
const NOT_SOURCES: &[&str] = &["target", ".git", "karat-runs"];

/// Files and folders that karat itself reads or writes: a study may lie in its
/// subject's folder, and so may the runs. Canonical paths.
#[derive(Clone, Debug, Default)]
pub struct NotSources(Vec<PathBuf>);

impl NotSources {
    /// Those of `paths` that exist.
    #[must_use]
    pub fn new(paths: &[&Path]) -> Self {
        Self(paths.iter().filter_map(|p| p.canonicalize().ok()).collect())
    }

    fn holds(&self, path: &Path) -> bool {
        !self.0.is_empty() && path.canonicalize().is_ok_and(|p| self.0.contains(&p))
    }
}

/// Every source file below `root`, relative to it, in a fixed order.
///
/// # Errors
/// When a folder cannot be read.
pub(crate) fn sources(root: &Path, not: &NotSources) -> io::Result<Vec<PathBuf>> {
    let mut out = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder))? {
            let entry = entry?;
            let name = entry.file_name();
            let path = folder.join(&name);
            if not.holds(&root.join(&path)) {
                continue;
            }
            // Follow links: what a compiler would read is what counts.
            let Ok(meta) = fs::metadata(root.join(&path)) else {
                continue;
            };
            if meta.is_dir() {
                if !NOT_SOURCES.iter().any(|n| name == *n) {
                    folders.push(path);
                }
            } else if meta.is_file() {
                out.push(path);
            }
        }
    }
    out.sort();
    Ok(out)
}

/// Adds names and contents of a source tree to `hash`.
pub(crate) fn hash_tree(root: &Path, not: &NotSources, hash: &mut Sha256) -> io::Result<()> {
    for file in sources(root, not)? {
        hash.update(file.as_os_str().as_encoded_bytes());
        hash.update([0]);
        hash.update(Sha256::digest(fs::read(root.join(&file))?));
    }
    Ok(())
}

/// SHA-256 of a file, in hexadecimal.
///
/// # Errors
/// When it cannot be read.
pub fn hash_file(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    io::copy(&mut fs::File::open(path)?, &mut Writer(&mut hash))?;
    Ok(hex(&hash.finalize()))
}

struct Writer<'a>(&'a mut Sha256);

impl io::Write for Writer<'_> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        self.0.update(data);
        Ok(data.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes as hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Makes `to` a copy of the source tree `from`. Files that are the same keep
/// their times, so that build tools rebuild only what changed; files that are
/// gone from `from` are removed, other files in `to` (build results) stay.
pub(crate) fn mirror(from: &Path, to: &Path, not: &NotSources) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let files = sources(from, not)?;
    let list = to.join(".karat-sources");
    if let Ok(old) = fs::read_to_string(&list) {
        for gone in old
            .lines()
            .filter(|l| !files.iter().any(|f| f == Path::new(l)))
        {
            let _ = fs::remove_file(to.join(gone));
        }
    }
    let mut names = String::new();
    for file in &files {
        let (source, target) = (from.join(file), to.join(file));
        names.push_str(&file.to_string_lossy());
        names.push('\n');
        let content = fs::read(&source)?;
        if fs::read(&target).is_ok_and(|old| old == content) {
            continue;
        }
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&target, content)?;
        fs::set_permissions(&target, fs::metadata(&source)?.permissions())?;
    }
    fs::write(list, names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mirror_follows_its_source_and_keeps_results() {
        let from = tempfile::tempdir().unwrap();
        let to = tempfile::tempdir().unwrap();
        let not = NotSources::default();
        let write = |p: &str, text: &str| {
            let path = from.path().join(p);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("src/a.c", "1");
        write("b.c", "2");
        write("target/junk", "x");
        mirror(from.path(), to.path(), &not).unwrap();
        fs::write(to.path().join("result.o"), "o").unwrap();
        assert!(!to.path().join("target").exists());
        fs::remove_file(from.path().join("b.c")).unwrap();
        write("src/a.c", "3");
        mirror(from.path(), to.path(), &not).unwrap();
        assert_eq!(fs::read_to_string(to.path().join("src/a.c")).unwrap(), "3");
        assert!(!to.path().join("b.c").exists());
        assert!(to.path().join("result.o").exists());
    }

    #[test]
    fn a_tree_hash_sees_names_and_contents() {
        let tree = tempfile::tempdir().unwrap();
        let hash = || {
            let mut h = Sha256::new();
            let study = tree.path().join("study.toml");
            hash_tree(tree.path(), &NotSources::new(&[&study]), &mut h).unwrap();
            hex(&h.finalize())
        };
        fs::write(tree.path().join("a"), "1").unwrap();
        let one = hash();
        fs::write(tree.path().join("a"), "2").unwrap();
        let two = hash();
        fs::rename(tree.path().join("a"), tree.path().join("b")).unwrap();
        let three = hash();
        assert!(one != two && two != three && one != three);
        // The study is no source of its subject.
        fs::write(tree.path().join("study.toml"), "1").unwrap();
        assert_eq!(hash(), three);
    }
}
