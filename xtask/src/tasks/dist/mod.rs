//! `cargo xtask dist`: what people download.
//!
//! A static `karat` in a tarball and in a Debian package, Python's wheels, a bill of
//! materials, checksums. `--check` then uses each as a user would.

mod check;
mod crates;
mod deb;
mod emulated;
mod licences;
mod man;
mod sbom;
mod tree;
mod wheel;

pub use wheel::TESTS_TAKE;

use crate::Task;
use crate::command::{cargo, command, run as start};
use crate::workspace::{metadata, target_folder};
use anyhow::{Context as _, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

pub const TASK: Task = Task {
    name: "dist",
    help: "tarball, Debian package, wheel, SBOM, checksums, into DIR (target/dist); --check uses them",
    run,
};

/// The target of the program: static, so that it runs on every Linux.
pub const TARGET: &str = "x86_64-unknown-linux-musl";

/// What is made, and where.
struct Dist {
    /// Folder of the files that people download.
    out: PathBuf,
    /// The program.
    program: PathBuf,
    version: String,
}

impl Dist {
    /// `karat-VERSION-TARGET`.
    fn stem(&self) -> String {
        format!("karat-{}-{TARGET}", self.version)
    }

    fn deb(&self) -> PathBuf {
        self.out.join(format!("karat_{}_amd64.deb", self.version))
    }
}

fn run(args: &[String]) -> Result<bool> {
    let check = args.iter().any(|arg| arg == "--check");
    let mut folders = args.iter().filter(|arg| *arg != "--check");
    let out = match folders.next() {
        Some(option) if option.starts_with('-') => bail!("usage: cargo xtask dist [DIR] [--check]"),
        Some(folder) => std::env::current_dir()?.join(folder),
        None => target_folder()?.join("dist"),
    };
    if folders.next().is_some() {
        bail!("usage: cargo xtask dist [DIR] [--check]");
    }
    // What an earlier call left would be taken for this one's.
    match fs::remove_dir_all(&out) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot empty {}", out.display()));
        }
        _ => fs::create_dir_all(&out)?,
    }
    let dist = Dist {
        program: program()?,
        version: version()?,
        out,
    };
    make(&dist)?;
    if check {
        check::all(&dist)?;
    }
    println!("{}", dist.out.display());
    Ok(true)
}

fn make(dist: &Dist) -> Result<()> {
    let crates = crates::Crates::of_program()?;
    let staged = tree::stage(dist, &crates)?;
    let mut tar = command("tar", &["--owner=0", "--group=0", "--sort=name", "-czf"]);
    tar.arg(dist.out.join(format!("{}.tar.gz", dist.stem())));
    tar.arg("-C").arg(staged.parent().unwrap_or(Path::new(".")));
    tar.arg(dist.stem());
    start(tar)?;
    deb::make(dist, &staged)?;
    fs::remove_dir_all(&staged)?;
    wheel::make(dist)?;
    let sbom = dist.out.join(format!("{}.cdx.json", dist.stem()));
    fs::write(sbom, sbom::text(&crates, &dist.version)?)?;
    checksums(dist)
}

/// Builds the static program.
fn program() -> Result<PathBuf> {
    let mut build = cargo(&["build", "--release", "--locked", "--package=karat"]);
    build.args(["--target", TARGET]);
    start(build).with_context(|| {
        format!(
            "it needs `rustup target add {TARGET}` and, on Debian, `apt-get install musl-tools`"
        )
    })?;
    Ok(target_folder()?.join(TARGET).join("release/karat"))
}

fn version() -> Result<String> {
    let metadata = metadata(None)?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let karat = packages.find(|p| p["name"] == "karat");
    let version = karat.and_then(|p| p["version"].as_str());
    Ok(version.context("the workspace has no karat")?.to_owned())
}

fn checksums(dist: &Dist) -> Result<()> {
    let mut names: Vec<String> = fs::read_dir(&dist.out)?
        .map(|file| Ok(file?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<_>>()?;
    names.sort();
    let mut sums = command("sha256sum", &["--"]);
    sums.args(&names).current_dir(&dist.out);
    let text = crate::command::stdout(sums)?;
    Ok(fs::write(dist.out.join("SHA256SUMS"), text)?)
}

#[cfg(test)]
mod tests {
    use super::{Dist, TARGET};
    use std::path::PathBuf;

    /// What `cargo binstall` asks for is what is made.
    #[test]
    fn binstall_finds_the_tarball() {
        let metadata = crate::workspace::metadata(None).expect("cargo's metadata");
        let mut packages = metadata["packages"].as_array().into_iter().flatten();
        let karat = packages.find(|p| p["name"] == "karat").expect("karat");
        let binstall = &karat["metadata"]["binstall"];
        let filled = |key: &str| {
            let text = binstall[key].as_str().expect("a text");
            let text = text.replace("{ version }", "1.2.3");
            text.replace("{ target }", TARGET)
                .replace("{ bin }", "karat")
        };
        let dist = Dist {
            out: PathBuf::new(),
            program: PathBuf::new(),
            version: "1.2.3".to_owned(),
        };
        let url = filled("pkg-url");
        assert!(
            url.ends_with(&format!("/v1.2.3/{}.tar.gz", dist.stem())),
            "{url}"
        );
        assert_eq!(filled("bin-dir"), format!("{}/bin/karat", dist.stem()));
    }
}
