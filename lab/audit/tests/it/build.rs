//! Compiles the fixtures.

use karat_audit::{BinaryError, Options, audit};
use karat_model::audit::{BinaryAudit, Survival};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `#[target_feature]` kernels are called in the Rust fixture.
pub const KERNEL: &str = "kernels::avx2::mix_rows";

/// Levels of debug information to see the same in: short names, linkage names as
/// karat's own builds have them, and everything. The last `-C` wins.
pub const DEBUG_LEVELS: [&str; 3] = [
    "-Cdebuginfo=line-tables-only",
    "-Cdebuginfo=limited",
    "-Cdebuginfo=full",
];

/// Where a fixture is.
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/it/fixtures")
        .join(name)
}

/// A compiled program; the directory goes when it is dropped.
pub struct Built {
    _dir: tempfile::TempDir,
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

fn built(make: impl FnOnce(&Path) -> Command) -> Built {
    try_built(make).unwrap_or_else(|error| panic!("{error}"))
}

fn try_built(make: impl FnOnce(&Path) -> Command) -> Result<Built, String> {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let path = dir.path().join("program");
    let mut command = make(&path);
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?} failed:\n{errors}"));
    }
    // MinGW's compiler adds what names of Windows programs end in.
    let named = path.with_extension("exe");
    let path = if named.exists() { named } else { path };
    let bytes = std::fs::read(&path).expect("the compiled program");
    Ok(Built {
        _dir: dir,
        path,
        bytes,
    })
}

fn rustc(name: &str, flags: &[&str], out: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into()));
    command
        .args(["--edition=2024", "-Copt-level=3", "-Ccodegen-units=1"])
        .arg("-Cdebuginfo=limited")
        .args(flags)
        .arg(source(name))
        .arg("-o")
        .arg(out);
    command
}

/// The Rust fixture of kernels with `flags`.
pub fn rust(flags: &[&str]) -> Built {
    rust_file("kernels.rs", flags)
}

/// A Rust fixture with `flags`.
pub fn rust_file(name: &str, flags: &[&str]) -> Built {
    built(|out| rustc(name, flags, out))
}

/// The same where the compiler can.
pub fn try_rust_file(name: &str, flags: &[&str]) -> Option<Built> {
    try_built(|out| rustc(name, flags, out)).ok()
}

/// The fixture of two crates, with `flags` and fat link-time optimisation.
pub fn two_crates(flags: &[&str]) -> Built {
    built(|out| {
        let library = out.with_file_name("libhelper.rlib");
        let kind = ["--crate-type=rlib", "--crate-name=helper"];
        let mut command = rustc("helper/lib.rs", &[&kind[..], flags].concat(), &library);
        assert!(command.status().expect("rustc starts").success());
        let mut command = rustc("caller.rs", flags, out);
        command.arg("-Clto=fat").arg("--extern");
        command.arg(format!("helper={}", library.display()));
        command
    })
}

/// A C or assembly fixture with `flags`.
pub fn cc(name: &str, flags: &[&str]) -> Built {
    built(|out| {
        let mut command = Command::new("cc");
        command.args(flags).arg(source(name)).arg("-o").arg(out);
        command
    })
}

/// [`cc`], if compiler and linker know the flags.
pub fn try_cc(name: &str, flags: &[&str]) -> Option<Built> {
    try_by("cc", name, flags)
}

/// [`try_cc`] by a compiler, if it is there.
pub fn try_by(compiler: &str, name: &str, flags: &[&str]) -> Option<Built> {
    let found = Command::new(compiler).arg("--version").output();
    found.is_ok().then_some(())?;
    let command = |out: &Path| {
        let mut command = Command::new(compiler);
        command.args(flags).arg(source(name)).arg("-o").arg(out);
        command
    };
    try_built(command).ok()
}

/// A C fixture compiled from a copy at `place`, as a package's build script does.
pub fn cc_at(name: &str, place: &str, flags: &[&str]) -> Built {
    built(|out| {
        let copy = out.with_file_name(place);
        let directory = copy.parent().expect("a directory to be in");
        std::fs::create_dir_all(directory).expect("directories for the copy");
        std::fs::copy(source(name), &copy).expect("a copy of the fixture");
        let mut command = Command::new("cc");
        command.args(flags).arg(copy).arg("-o").arg(out);
        command
    })
}

/// Audits a program for expected functions, against a baseline if there is one.
pub fn facts(program: &Built, expected: &[&str], baseline: Option<&BinaryAudit>) -> BinaryAudit {
    let expected: Vec<String> = expected.iter().map(|name| (*name).to_string()).collect();
    let options = Options {
        expected: &expected,
        baseline,
        top_functions: usize::MAX,
        ..Default::default()
    };
    audit(&program.bytes, &options).expect("a sound binary")
}

/// Audits bytes for expected functions, by further options.
pub fn facts_of(
    bytes: &[u8],
    expected: &[&str],
    options: &Options<'_>,
) -> Result<BinaryAudit, BinaryError> {
    let expected: Vec<String> = expected.iter().map(|name| (*name).to_string()).collect();
    let options = Options {
        expected: &expected,
        ..*options
    };
    audit(bytes, &options).map(|audit| BinaryAudit {
        seconds: 0.0,
        ..audit
    })
}

/// The only expected function of an audit.
pub fn only(audit: &BinaryAudit) -> &Survival {
    assert_eq!(audit.survival.len(), 1);
    &audit.survival[0]
}
