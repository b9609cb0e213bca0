//! Programs that a build left, for one that did not leave what was expected.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The most that are told.
const TOLD: usize = 8;

/// How deep they are looked for.
const DEEPEST: usize = 5;

/// Programs below `folder`, by their paths in it. CMake's own trials are none.
pub(super) fn programs(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![(PathBuf::new(), 0)];
    while let Some((inside, depth)) = folders.pop() {
        let entries = fs::read_dir(folder.join(&inside)).into_iter().flatten();
        for entry in entries.flatten() {
            let path = inside.join(entry.file_name());
            let name = entry.file_name().to_string_lossy().into_owned();
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => {
                    let own = name != "CMakeFiles" && !name.starts_with('.');
                    if own && depth < DEEPEST {
                        folders.push((path, depth + 1));
                    }
                }
                Ok(kind) if kind.is_file() && is_program(&folder.join(&path)) => {
                    found.push(path.display().to_string());
                }
                _ => {}
            }
        }
    }
    found.sort();
    found.truncate(TOLD);
    found
}

fn is_program(path: &Path) -> bool {
    let executable = fs::metadata(path).is_ok_and(|m| m.permissions().mode() & 0o111 != 0);
    let mut magic = [0; 4];
    executable
        && !path.to_string_lossy().contains(".so")
        && File::open(path)
            .and_then(|mut file| file.read_exact(&mut magic))
            .is_ok_and(|()| magic == *b"\x7fELF")
}

/// The end of an error that says what is not there.
pub(super) fn told(programs: &[String]) -> String {
    match programs.is_empty() {
        true => String::new(),
        false => format!("; it left {}: see `artifact`", programs.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told_from_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8], mode: u32| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        };
        write("out/tool", b"\x7fELF...", 0o755);
        write("out/lib.so.1", b"\x7fELF...", 0o755);
        write("out/tool.o", b"\x7fELF...", 0o644);
        write("run.sh", b"#!/bin/sh\n", 0o755);
        write("CMakeFiles/a.out", b"\x7fELF...", 0o755);
        let found = programs(folder.path());
        assert_eq!(found, ["out/tool"]);
        assert_eq!(told(&found), "; it left out/tool: see `artifact`");
    }
}
