//! The program that a command really starts: through `PATH`, scripts and `env`.

use crate::TryError;
use crate::wheel::interpreter;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Scripts whose interpreter is a script.
const CHAIN: usize = 4;

/// The ELF file to emulate, and its arguments. The emulator loads no scripts, and what a
/// script executes would leave it: so interpreters are looked up here.
pub fn resolve(command: &[String]) -> Result<(PathBuf, Vec<String>), TryError> {
    let mut words = command.to_vec();
    for _ in 0..CHAIN {
        let Some(name) = words.first().cloned() else {
            return Err(TryError::NoCommand);
        };
        let path = find(&name).ok_or_else(|| TryError::NotFound { name: name.clone() })?;
        let mut head = [0; 256];
        let read = File::open(&path).and_then(|mut f| f.read(&mut head));
        let head = &head[..read.map_err(|error| TryError::Start {
            what: path.display().to_string(),
            error,
        })?];
        // EM_X86_64, ELF for 64 bits.
        let is_elf = head.starts_with(b"\x7fELF\x02") && head.get(18..20) == Some(&[62, 0]);
        if is_elf {
            return Ok((path, words.split_off(1)));
        }
        let stem = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if stem.starts_with("python") {
            // A launcher that executes the real one: ask it.
            words[0] = interpreter(&name)?;
            continue;
        }
        let Some(line) = script(head) else {
            return Err(TryError::NotX86 { path });
        };
        let mut line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        if line.first().is_some_and(|first| first.ends_with("/env")) {
            line.remove(0);
        }
        words[0] = path.display().to_string();
        line.append(&mut words);
        words = line;
    }
    Err(TryError::NotFound {
        name: command.join(" "),
    })
}

/// The first line of a script, behind `#!`.
fn script(head: &[u8]) -> Option<String> {
    let rest = head.strip_prefix(b"#!")?;
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    Some(String::from_utf8_lossy(&rest[..end]).into_owned())
}

/// Where a command's program is, as a shell looks for it.
pub fn find(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    let places = std::env::split_paths(&path).map(|folder: PathBuf| folder.join(name));
    places.into_iter().find(|place: &PathBuf| is_program(place))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let meta = path.metadata();
    meta.is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
