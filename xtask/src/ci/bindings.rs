//! The bindings built, installed and tested: Python's in a fresh environment, C's by the
//! compilers that are here.

use super::apt::{in_ci, install};
use super::step::{Outcome, Skip};
use crate::command::{cargo, command, root, run, stdout};
use crate::tasks::dist::TESTS_TAKE;
use crate::workspace::target_folder;
use anyhow::Result;
use std::path::Path;

/// What `--require` calls it.
pub const PYTHON: &str = "python";

/// Whether there is a Python that the wheel is for, with which environments can be made.
fn has_python() -> bool {
    let code = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))";
    run(command("python3", &["-c", code])).is_ok()
}

pub fn step() -> Result<Outcome> {
    run(command("bash", &["integrations/github/test.sh"]))?;
    header()?;
    c()?;
    if !has_python() && in_ci() {
        install(&["python3", "python3-venv"]);
    }
    if !has_python() {
        return Ok(Outcome::Skipped(Skip {
            missing: PYTHON,
            remedy: "Python 3.11 or later with venv; on Debian: `apt-get install python3-venv`"
                .to_owned(),
        }));
    }
    python(&target_folder()?.join("bindings-venv"))
}

/// The committed header is that of the sources.
fn header() -> Result<()> {
    let manifest = "bindings/c/header/Cargo.toml";
    let mut header = cargo(&["run", "--quiet", "--locked", "--manifest-path", manifest]);
    header.args(["--", "--check"]);
    // Beside the other builds, so that caches of target folders hold it.
    header.env("CARGO_TARGET_DIR", target_folder()?.join("header"));
    run(header)
}

fn c() -> Result<()> {
    let has = |program: &str| command(program, &["--version"]).output().is_ok();
    let needed = [
        ("gcc", "gcc"),
        ("g++", "g++"),
        ("clang", "clang"),
        ("make", "make"),
        ("cmake", "cmake"),
        ("pkg-config", "pkg-config"),
    ];
    let mut missing: Vec<&str> = needed.iter().filter(|n| !has(n.0)).map(|n| n.1).collect();
    if missing.contains(&"clang") {
        // Its sanitizers, which Debian's clang only recommends.
        missing.push("libclang-rt-dev");
    }
    if in_ci() && !missing.is_empty() {
        install(&missing);
    }
    // Not optimised: the tests are of the border, and the kernels have their own. Python's
    // package has dependencies that the library does without.
    run(cargo(&["shared", "--quiet", "--exclude=karat-python"]))?;
    let check = ["--silent", "-C", "bindings/c", "check", "PROFILE=dev"];
    let mut make = command("make", &check);
    make.arg("LIBRARY=:");
    let build = target_folder()?.join("karat-c");
    make.arg(format!("BUILD={}", build.display()));
    run(make)
}

fn python(venv: &Path) -> Result<Outcome> {
    let mut make = command("python3", &["-m", "venv", "--clear"]);
    make.arg(venv);
    run(make)?;
    let bin = venv.join("bin");
    let pip = |args: &[&str]| {
        let mut pip = command(bin.join("pip"), &["install", "--quiet"]);
        pip.args(["--disable-pip-version-check"]).args(args);
        // The environment's maturin, and the build that tests are of.
        let path = std::env::var_os("PATH").unwrap_or_default();
        let paths = std::iter::once(bin.clone()).chain(std::env::split_paths(&path));
        pip.env("PATH", std::env::join_paths(paths)?);
        pip.env("MATURIN_PEP517_ARGS", "--profile=dev");
        pip.env("CARGO", root().join("xtask/src/ci/shared-cargo.sh"));
        run(pip)
    };
    // mypy compares the stubs with what is there.
    pip(&[&["maturin", "mypy"][..], TESTS_TAKE].concat())?;
    pip(&["--no-build-isolation", "./bindings/python"])?;
    let mut pytest = command(
        bin.join("python"),
        &["-m", "pytest", "-q", "-p", "no:cacheprovider"],
    );
    pytest.arg("bindings/python");
    run(pytest)?;
    let version = stdout(command(bin.join("python"), &["--version"]))?;
    let newer = newer(&bin.join("python"), venv)?;
    Ok(Outcome::Noted(format!("{}{newer}", version.trim())))
}

/// The same build in the newer CPythons that are here: it is for all of them. Their names.
fn newer(python: &Path, venv: &Path) -> Result<String> {
    let place = "import karat; print(karat.__path__[0])";
    let package = stdout(command(python, &["-c", place]))?;
    // Alone: this environment's other packages are not for them.
    let alone = venv.join("alone");
    std::fs::create_dir_all(&alone)?;
    std::os::unix::fs::symlink(package.trim(), alone.join("karat"))?;
    let mut names = String::new();
    for minor in 12..20 {
        let name = format!("python3.{minor}");
        let there = command(&name, &["--version"]).output();
        if !there.is_ok_and(|answer| answer.status.success()) {
            continue;
        }
        let code = "import karat, hashlib; d = b'abc' * 1000\n\
                    assert all(karat.new(n, d).digest() == hashlib.new(n, d).digest() \
                    for n in ('sha256', 'sha3_256', 'blake2b'))\n\
                    assert karat.ab(lambda: sum(range(9)), lambda: sum(range(99)), seconds=0.1).speed < 1";
        let mut used = command(&name, &["-c", code]);
        used.env("PYTHONPATH", &alone);
        run(used)?;
        names.push_str(&format!(", {name}"));
    }
    Ok(names)
}
