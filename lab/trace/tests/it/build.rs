//! Compiled fixtures, and how they are traced.

use karat_trace::{FileSites, Hit, Plan, Program, Site, Traced, run};
use object::{Object, ObjectSegment, ObjectSymbol};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A compiled program or library in a folder of its own.
pub struct Built {
    pub path: PathBuf,
    pub folder: TempDir,
}

/// Compiles a fixture; fails the test when that fails.
pub fn cc(fixture: &str, flags: &[&str]) -> Built {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program");
    compile(fixture, flags, &path);
    Built { path, folder }
}

pub fn compile(fixture: &str, flags: &[&str], path: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/fixtures")
        .join(fixture);
    let output = Command::new("cc")
        .args(["-O1", "-o"])
        .arg(path)
        .arg(source)
        .args(flags)
        .output()
        .expect("cc");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{fixture}: {said}");
}

/// The places in a file of functions with these names.
pub fn offsets(path: &Path, names: &[&str]) -> Vec<u64> {
    let bytes = std::fs::read(path).expect("a file");
    let file = object::File::parse(&*bytes).expect("ELF");
    names
        .iter()
        .map(|name| {
            let mut symbols = file.symbols().chain(file.dynamic_symbols());
            let symbol = symbols.find(|s| s.name() == Ok(name) && s.is_definition());
            let address = symbol.unwrap_or_else(|| panic!("{name}")).address();
            let inside = |s: &object::Segment<'_, '_>| {
                (s.address()..s.address() + s.size()).contains(&address)
            };
            let segment = file.segments().find(inside).expect("a segment");
            address - segment.address() + segment.file_range().0
        })
        .collect()
}

/// What a trace of functions found.
pub struct Seen {
    /// How often each was hit, in the order of their names.
    pub counts: Vec<u64>,
    /// Threads that hit any.
    pub threads: Vec<i32>,
    pub traced: Traced,
}

/// Traces `command` and watches functions of `file`, each until it has been hit `most`
/// times.
pub fn watch(file: &Path, names: &[&str], most: u64, command: &[&str]) -> Seen {
    let places = offsets(file, names);
    let sites = FileSites::new(file, places.clone()).expect("a file");
    let sorted = sites.offsets().to_vec();
    let plan = Plan { files: vec![sites] };
    let mut by_site = vec![0; sorted.len()];
    let mut threads = Vec::new();
    let mut on_hit = |hit: &Hit, done: &mut Vec<Site>| {
        by_site[hit.site.index] += 1;
        threads.push(hit.thread);
        if by_site[hit.site.index] >= most {
            done.push(hit.site);
        }
    };
    let traced = run(plan, &program(command), &mut on_hit).expect("a trace");
    let index = |place| sorted.binary_search(place).expect("a site");
    let counts = places.iter().map(|place| by_site[index(place)]).collect();
    Seen {
        counts,
        threads,
        traced,
    }
}

pub fn program(command: &[&str]) -> Program {
    Program {
        program: command[0].into(),
        arguments: command[1..].iter().map(Into::into).collect(),
    }
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("a name in UTF-8")
}
