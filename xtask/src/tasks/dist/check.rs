//! What was made, used as a user would.

use super::{Dist, emulated, tree, wheel};
use crate::command::{command, run, stdout};
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Checks all of it; what cannot be checked here says so.
pub fn all(dist: &Dist) -> Result<()> {
    let scratch = dist.out.join("check");
    sums(dist)?;
    program(dist, &scratch.join("empty"))?;
    deb(dist, &scratch)?;
    wheel::check(dist)?;
    if let Some(wheel) = wheel::of(dist, "x86_64")? {
        python(&wheel, &scratch.join("venv"))?;
    }
    if let Some(wheel) = wheel::of(dist, "aarch64")? {
        emulated::check(&wheel, &scratch.join("emulated"))?;
    }
    Ok(fs::remove_dir_all(scratch)?)
}

fn sums(dist: &Dist) -> Result<()> {
    let mut sums = command("sha256sum", &["--check", "--quiet", "SHA256SUMS"]);
    sums.current_dir(&dist.out);
    run(sums)
}

/// The tarball's program runs where there is nothing else.
fn program(dist: &Dist, empty: &Path) -> Result<()> {
    fs::create_dir_all(empty)?;
    let mut tar = command("tar", &["-xzf"]);
    tar.arg(dist.out.join(format!("{}.tar.gz", dist.stem())));
    tar.args(["--strip-components=2", "-C"]).arg(empty);
    tar.arg(format!("{}/bin/karat", dist.stem()));
    run(tar)?;
    let as_root = stdout(command("id", &["-u"]))?.trim() == "0";
    let said = |args: &[&str]| {
        let mut alone = match as_root {
            true => command("chroot", &[]),
            false => command("unshare", &["--map-root-user", "chroot"]),
        };
        alone.arg(empty).arg("/karat").args(args);
        stdout(alone).context("the static program does not run in an empty root")
    };
    let version = said(&["--version"])?;
    if !version.contains(&dist.version) {
        bail!("in an empty root, `karat --version` says {version:?}");
    }
    // There is nothing else to look at.
    let audit = said(&["audit", "--color", "never", "/karat"])?;
    if !audit.contains("ELF x86-64") {
        bail!("in an empty root, `karat audit` says {audit:?}");
    }
    Ok(())
}

/// The package holds what it should, and what it installs runs.
fn deb(dist: &Dist, scratch: &Path) -> Result<()> {
    let unpacked = scratch.join("deb");
    fs::create_dir_all(&unpacked)?;
    let mut unpack = command("dpkg-deb", &["--extract"]);
    unpack.arg(dist.deb()).arg(&unpacked);
    run(unpack)?;
    let mut wanted = vec![
        "usr/bin/karat".to_owned(),
        "usr/share/man/man1/karat.1.gz".to_owned(),
        "usr/share/man/man1/karat-run.1.gz".to_owned(),
        "usr/share/doc/karat/copyright".to_owned(),
    ];
    wanted.push("usr/share/bash-completion/completions/karat".to_owned());
    let lacking: Vec<&String> = wanted
        .iter()
        .filter(|f| !unpacked.join(f).is_file())
        .collect();
    if !lacking.is_empty() {
        bail!("the Debian package lacks {lacking:?}");
    }
    let said = stdout(command(unpacked.join("usr/bin/karat"), &["--version"]))?;
    let fields = stdout(field(dist, &["Package", "Version", "Architecture"]))?;
    if !said.contains(&dist.version) || !fields.contains(&format!("Version: {}", dist.version)) {
        bail!("the Debian package says {fields:?}, its program {said:?}");
    }
    installed(dist, &scratch.join("installed"))
}

fn field(dist: &Dist, names: &[&str]) -> std::process::Command {
    let mut field = command("dpkg-deb", &["--field"]);
    field.arg(dist.deb()).args(names);
    field
}

/// `dpkg --install` into a root of its own.
fn installed(dist: &Dist, root: &Path) -> Result<()> {
    if stdout(command("id", &["-u"]))?.trim() != "0" {
        println!("SKIPPED: dpkg --install: only root may");
        return Ok(());
    }
    for folder in ["updates", "info", "triggers"] {
        fs::create_dir_all(root.join("var/lib/dpkg").join(folder))?;
    }
    for file in ["status", "available"] {
        tree::write(&root.join("var/lib/dpkg").join(file), "")?;
    }
    let mut dpkg = command("dpkg", &["--log=/dev/null", "--force-not-root"]);
    dpkg.arg(format!("--root={}", root.display()));
    dpkg.arg("--install").arg(dist.deb());
    run(dpkg)?;
    let mut chroot = command("chroot", &[]);
    chroot.arg(root).args(["/usr/bin/karat", "--version"]);
    stdout(chroot).map(|_| ())
}

/// The wheel works in a fresh environment, by itself.
fn python(wheel: &Path, venv: &PathBuf) -> Result<()> {
    let mut make = command("python3", &["-m", "venv"]);
    make.arg(venv);
    run(make)?;
    let mut install = command(venv.join("bin/pip"), &["install", "--quiet", "--no-index"]);
    install.arg(wheel);
    run(install)?;
    let code = "import karat, hashlib; d = b'abc' * 1000\n\
                assert all(karat.new(n, d).digest() == hashlib.new(n, d).digest() \
                for n in ('sha256', 'sha3_256', 'blake2b'))";
    run(command(venv.join("bin/python"), &["-c", code]))
}
