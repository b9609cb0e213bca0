//! Applies a patch file to a copy of a dependency.

use diffy::patch_set::{FileOperation, ParseOptions, PatchKind, PatchSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Applies the unified diff `patch` (paths with one leading component, as `git
/// diff` and `diff -u a b` write them) to the tree at `root`.
///
/// # Errors
/// What does not apply and where, for a person to read.
pub(super) fn apply(patch: &str, root: &Path) -> Result<(), String> {
    let mut files = 0;
    for file in PatchSet::parse(patch, ParseOptions::unidiff()) {
        let file = file.map_err(|e| format!("this is not a unified diff: {e}"))?;
        let PatchKind::Text(text) = file.patch() else {
            return Err("binary patches cannot be applied".into());
        };
        let operation = file.operation().strip_prefix(1);
        let (from, to) = match &operation {
            FileOperation::Modify { original, modified } => (Some(original), Some(modified)),
            FileOperation::Create(path) => (None, Some(path)),
            FileOperation::Delete(path) => (Some(path), None),
            FileOperation::Rename { from, to } | FileOperation::Copy { from, to } => {
                (Some(from), Some(to))
            }
        };
        let read = |path: &Path| match fs::read_to_string(path) {
            Ok(text) => Ok(text),
            Err(e) if e.kind() == ErrorKind::NotFound => {
                Err("the patched package has no such file".to_owned())
            }
            Err(e) => Err(e.to_string()),
        };
        let named = |path: &str, e: String| format!("{path}: {e}");
        let before = match from {
            Some(path) => read(&inside(root, path)?).map_err(|e| named(path, e))?,
            None => String::new(),
        };
        if let Some(path) = to {
            let after = diffy::apply(&before, text).map_err(|e| {
                named(
                    path,
                    format!("{e}; was the patch made for another version of the package?"),
                )
            })?;
            let place = inside(root, path)?;
            if let Some(parent) = place.parent() {
                fs::create_dir_all(parent).map_err(|e| named(path, e.to_string()))?;
            }
            fs::write(&place, after).map_err(|e| named(path, e.to_string()))?;
        } else if let Some(path) = from {
            fs::remove_file(inside(root, path)?).map_err(|e| named(path, e.to_string()))?;
        }
        files += 1;
    }
    if files == 0 {
        return Err("the patch file changes nothing".into());
    }
    Ok(())
}

/// A path of the patch below `root`; one that leads out of it is refused.
fn inside(root: &Path, path: &str) -> Result<PathBuf, String> {
    let relative = Path::new(path);
    let plain = |c: Component<'_>| matches!(c, Component::Normal(_));
    if relative.components().all(plain) {
        Ok(root.join(relative))
    } else {
        Err(format!("{path}: leads out of the patched package"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("src")).unwrap();
        fs::write(dir.path().join("src/a.rs"), "one\ntwo\nthree\n").unwrap();
        dir
    }

    #[test]
    fn a_good_patch_applies() {
        let dir = tree();
        let patch = "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";
        apply(patch, dir.path()).unwrap();
        let text = fs::read_to_string(dir.path().join("src/a.rs")).unwrap();
        assert_eq!(text, "one\n2\nthree\n");
    }

    #[test]
    fn bad_patches_say_what_is_wrong() {
        let dir = tree();
        let stale = "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,2 +1,2 @@\n 1\n-zwei\n+2\n";
        let error = apply(stale, dir.path()).unwrap_err();
        assert!(error.contains("another version"), "{error}");
        let missing = "--- a/src/b.rs\n+++ b/src/b.rs\n@@ -1 +1 @@\n-x\n+y\n";
        let error = apply(missing, dir.path()).unwrap_err();
        assert!(error.contains("src/b.rs"), "{error}");
        assert!(apply("no diff at all\n", dir.path()).is_err());
        let escape = "--- a/../../etc/x\n+++ b/../../etc/x\n@@ -1 +1 @@\n-x\n+y\n";
        let error = apply(escape, dir.path()).unwrap_err();
        assert!(error.contains("leads out"), "{error}");
    }
}
