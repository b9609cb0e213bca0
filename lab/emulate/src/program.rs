//! The program that a command really starts: through `PATH`, scripts and `env`.

use crate::error::TryError;
use crate::machine::Machine;
use crate::root;
use crate::wheel::interpreter;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Scripts whose interpreter is a script.
const CHAIN: usize = 4;

/// The ELF file to emulate, and its arguments. The emulator loads no scripts, and what a
/// script executes would leave it: so interpreters are looked up here. Those for AArch64 are
/// looked for in QEMU's folder first, as QEMU itself does.
pub fn resolve(command: &[String], machine: Machine) -> Result<(PathBuf, Vec<String>), TryError> {
    let mut words = command.to_vec();
    for _ in 0..CHAIN {
        let Some(name) = words.first().cloned() else {
            return Err(TryError::NoCommand);
        };
        let path = match machine {
            Machine::X86 => find(&name),
            Machine::Arm => find_in(&name, root::named().as_deref()),
        };
        let path = path.ok_or_else(|| TryError::NotFound { name: name.clone() })?;
        let mut head = [0; 256];
        let read = File::open(&path).and_then(|mut f| f.read(&mut head));
        let head = &head[..read.map_err(|error| TryError::Start {
            what: path.display().to_string(),
            error,
        })?];
        match Machine::of_elf(head) {
            Some(own) if own == machine => return Ok((path, words.split_off(1))),
            Some(own) => {
                return Err(TryError::OtherMachine {
                    path,
                    own: own.name(),
                    asked: machine.name(),
                });
            }
            None => {}
        }
        let stem = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if stem.starts_with("python") && machine == Machine::X86 {
            // A launcher that executes the real one: ask it.
            words[0] = interpreter(&name)?;
            continue;
        }
        let Some(line) = script(head) else {
            let machine = machine.name();
            return Err(TryError::NoProgram { path, machine });
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
    find_in(name, None)
}

/// The same, below a folder first.
fn find_in(name: &str, folder: Option<&Path>) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(root::seen(Path::new(name), folder)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    let places: Vec<PathBuf> = std::env::split_paths(&path)
        .map(|place| place.join(name))
        .collect();
    let below = |place: &PathBuf| Some(folder?.join(place.strip_prefix("/").ok()?));
    let first = places.iter().filter_map(below).find(|it| is_program(it));
    first.or_else(|| places.into_iter().find(|place| is_program(place)))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let meta = path.metadata();
    meta.is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
