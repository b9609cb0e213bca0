//! What to import of an unpacked wheel, and by which interpreter.

use crate::error::TryError;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// An interpreter that says nothing for so long is none.
const PATIENCE: Duration = Duration::from_secs(30);

/// The top modules of a wheel that was unpacked to `folder`: those of `top_level.txt` that are
/// there, or what lies in the folder as packages and modules.
#[must_use]
pub fn imports(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: BTreeSet<String> = BTreeSet::new();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".dist-info") {
            let list = fs::read_to_string(entry.path().join("top_level.txt"));
            let list = list.unwrap_or_default();
            let names: Vec<String> = list.lines().map(str::trim).map(str::to_owned).collect();
            // What was left out of the wheel, as tests, stands in some lists.
            let is_there = |name: &String| is_module(name) && has(folder, name);
            let names: Vec<String> = names.into_iter().filter(is_there).collect();
            if !names.is_empty() {
                return names;
            }
        } else if entry.path().join("__init__.py").is_file() {
            found.insert(name);
        } else if entry.path().is_file() && (name.ends_with(".so") || name.ends_with(".py")) {
            found.extend(name.split('.').next().map(str::to_owned));
        }
    }
    found.into_iter().filter(|name| is_module(name)).collect()
}

/// Whether something in the folder can be imported by that name.
fn has(folder: &Path, name: &str) -> bool {
    let path = folder.join(name.replace('.', "/"));
    let start = path.file_name().unwrap_or_default().to_string_lossy();
    let is_it = |file: &str| {
        let rest = file.strip_prefix(&*start);
        rest.is_some_and(|rest| rest == ".py" || rest.starts_with('.') && rest.ends_with(".so"))
    };
    let files = path.parent().and_then(|parent| fs::read_dir(parent).ok());
    let mut files = files.into_iter().flatten().flatten();
    path.is_dir() || files.any(|file| is_it(&file.file_name().to_string_lossy()))
}

/// An identifier, so that it can stand in a statement.
fn is_module(name: &str) -> bool {
    let word = |part: &str| {
        let mut chars = part.chars();
        let starts = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
        starts && chars.all(|c| c.is_alphanumeric() || c == '_')
    };
    name.split('.').all(word)
}

/// The program behind a `python3` that may be a launcher.
///
/// # Errors
/// When there is none, or it does not answer.
pub fn interpreter(name: &str) -> Result<String, TryError> {
    let ask = "import os, sys; print(os.path.realpath(sys.executable))";
    let mut command = karat_process::Command::new(name);
    command.args(["-c", ask]);
    let answer = karat_process::output(&mut command, PATIENCE).ok().flatten();
    let answer = answer.filter(|answer| answer.status.success());
    let path = answer.map(|answer| String::from_utf8_lossy(&answer.stdout).trim().to_owned());
    let not_found = || TryError::NotFound { name: name.into() };
    path.filter(|path| !path.is_empty()).ok_or_else(not_found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_of_a_wheel() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("pkg/__init__.py", "");
        write("_ext.abi3.so", "");
        write("pkg.libs/libz.so", "");
        assert_eq!(imports(dir.path()), ["_ext", "pkg"]);
        // What is listed and not there is not imported.
        write(
            "pkg-1.dist-info/top_level.txt",
            "pkg\nx; import os\ntestdata\n",
        );
        assert_eq!(imports(dir.path()), ["pkg"]);
        write("pkg-1.dist-info/top_level.txt", "_ext\npkg\n");
        assert_eq!(imports(dir.path()), ["_ext", "pkg"]);
        write("pkg-1.dist-info/top_level.txt", "testdata\n");
        assert_eq!(imports(dir.path()), ["_ext", "pkg"]);
    }
}
