//! Two processes say the same of one file: what the search follows first decides what it has
//! followed where a limit ends it, and tables by hashes come in another order in each process.

use crate::build::{Built, try_cc};
use karat_audit::{Baseline, searched};
use std::path::Path;
use std::process::Command;

/// Set for the processes that only say what they find, of the file at this path.
const FILE: &str = "KARAT_SAID_OF";
/// Around what they say.
const MARK: &str = "=====";

fn said(path: &Path) -> String {
    let bytes = std::fs::read(path).expect("the file");
    let baseline = Baseline::parse("x86-64-v2").expect("a level");
    let report = searched(&bytes, &baseline).expect("a sound binary");
    format!("{report:?}")
}

/// What another process says.
fn said_elsewhere(path: &Path) -> String {
    let test = std::env::current_exe().expect("the tests");
    let mut command = Command::new(test);
    command.args([
        "--exact",
        "leaks_same::two_processes_say_the_same",
        "--nocapture",
    ]);
    let output = command.env(FILE, path).output().expect("it starts");
    let all = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut parts = all.split(MARK);
    let said = parts.nth(1).expect("what it says");
    said.to_owned()
}

/// A program with the C library linked in, which the search follows far, a library with tables, and
/// one with twice as many words of flags as are tried. Each with how many others say it. The last
/// fails where [`Detection::answering`](karat_flow::cells::Detection::answering) does not sort.
fn builds() -> Vec<(Built, usize)> {
    let all: [(&str, &[&str], usize); 3] = [
        ("large.c", &["-O2", "-static", "-DASKED=\"avx2\""], 3),
        ("providers.c", &["-O2", "-shared", "-fPIC", "-s"], 3),
        ("installers.c", &["-O2", "-shared", "-fPIC", "-DMANY=1"], 8),
    ];
    let built = all.iter().map(|(name, flags, runs)| {
        let built = try_cc(name, flags);
        if built.is_none() {
            println!("SKIPPED: {name} {flags:?} does not build");
        }
        built.map(|built| (built, *runs))
    });
    built.flatten().collect()
}

#[test]
fn two_processes_say_the_same() {
    if let Some(path) = std::env::var_os(FILE) {
        println!("{MARK}{}{MARK}", said(Path::new(&path)));
        return;
    }
    for (built, runs) in builds() {
        let own = said(&built.path);
        assert!(own.contains("Guarded"), "{own}");
        for _ in 0..runs {
            assert_eq!(own, said_elsewhere(&built.path));
        }
    }
}
