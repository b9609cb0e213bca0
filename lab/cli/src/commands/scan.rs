//! `karat scan`: where a dependency tree chooses by CPU features, and what flags make of it.

use super::{failed, outputs};
use crate::{args, exit, say};
use anyhow::{Context as _, Result};
use karat_build::sources;
use karat_model::scan::{Class, Flags, Package, Scan};
use karat_report::Rule;
use karat_scan::{ConfigFile, Environment, Options, PAGES};
use std::path::{Path, PathBuf};

/// Functions listed by the audits: none, only what became of modules is asked.
const NO_LIST: usize = 0;

/// Scans, and writes what was found.
pub fn run(args: &args::Scan, quiet: bool) -> Result<u8> {
    outputs::check::<Scan>(&args.output)?;
    let dir = std::path::absolute(&args.dir).context("no current folder")?;
    if !dir.is_dir() {
        let message = format!(
            "{} is no folder; name one with a Cargo.toml",
            args.dir.display()
        );
        return Err(failed(exit::USAGE, message));
    }
    let has_manifest = |folder: &Path| folder.join("Cargo.toml").is_file();
    if !dir.ancestors().any(has_manifest) {
        let message = format!(
            "{} has no Cargo.toml, nor has a folder above it: karat scan reads the sources of a \
             cargo dependency tree; of programs in C, C++ and Go, `karat audit BINARY` tells what \
             they choose, and `karat gates BINARY` where",
            args.dir.display()
        );
        return Err(failed(exit::USAGE, message));
    }
    let packages = packages(args, &dir)?;
    if packages.is_empty() {
        say::note("nothing to scan: no package of that name in the tree");
        return Ok(exit::NOTHING);
    }
    let (flags, cfg) = flags(args, &dir, &packages.1)?;
    let options = Options {
        base: &dir,
        flags: &flags,
        cfg: &cfg,
        everywhere: args.all,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
    };
    let (mut scan, kernels) = karat_scan::scan(&packages.0, &options)?;
    if let Some(binary) = &args.binary {
        compare(&mut scan, binary, args.baseline.as_deref())?;
    }
    if let Some(folder) = &args.patch {
        write_patches(&scan, &kernels, folder, quiet)?;
    }
    let rules: Vec<Rule> = PAGES
        .iter()
        .map(|page| Rule {
            code: page.class.code(),
            title: page.title,
            page: page.text(),
        })
        .collect();
    outputs::write(&args.output, &scan, &rules)?;
    Ok(denied(&scan, &args.deny, quiet))
}

struct Packages(Vec<Package>, String);

impl Packages {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The packages, and the target.
fn packages(args: &args::Scan, dir: &Path) -> Result<Packages> {
    let target = match &args.target {
        Some(target) => target.clone(),
        None => sources::host(dir).map_err(usage)?,
    };
    let mut packages = sources::packages(dir, &target, args.all).map_err(usage)?;
    if !args.packages.is_empty() {
        packages.retain(|p| args.packages.contains(&p.name));
    }
    Ok(Packages(packages, target))
}

fn usage(error: sources::SourcesError) -> anyhow::Error {
    failed(exit::USAGE, error.to_string())
}

/// The flags that are asked about, and what the compiler says with them.
fn flags(args: &args::Scan, dir: &Path, target: &str) -> Result<(Flags, String)> {
    let (rustflags, origin) = match &args.rustflags {
        Some(flags) => (
            flags.split_whitespace().map(str::to_owned).collect(),
            "--rustflags".to_owned(),
        ),
        None => {
            let plain = sources::target_cfg(dir, target, &[]).map_err(usage)?;
            karat_scan::rustflags(&environment(target), &config_files(dir), target, &plain)
                .map_err(|e| failed(exit::USAGE, e))?
        }
    };
    let cfg = sources::target_cfg(dir, target, &rustflags).map_err(usage)?;
    let flags = Flags {
        target: target.to_owned(),
        rustflags,
        origin,
        features: Vec::new(),
    };
    Ok((flags, cfg))
}

fn environment(target: &str) -> Environment {
    let read = |name: &str| std::env::var(name).ok();
    let of_target = target.to_uppercase().replace(['-', '.'], "_");
    Environment {
        encoded: read("CARGO_ENCODED_RUSTFLAGS"),
        plain: read("RUSTFLAGS"),
        of_target: read(&format!("CARGO_TARGET_{of_target}_RUSTFLAGS")),
        of_build: read("CARGO_BUILD_RUSTFLAGS"),
    }
}

/// Cargo's configuration files for a folder, the deepest first and the home's last.
fn config_files(dir: &Path) -> Vec<ConfigFile> {
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let mut folders: Vec<PathBuf> = dir.ancestors().map(|d| d.join(".cargo")).collect();
    folders.extend(home.filter(|home| !folders.contains(home)));
    let read = |folder: &PathBuf| {
        // Cargo takes the old name first.
        ["config", "config.toml"].iter().find_map(|name| {
            let path = folder.join(name);
            let text = std::fs::read_to_string(&path).ok()?;
            let path = path.to_string_lossy().into_owned();
            Some(ConfigFile { path, text })
        })
    };
    folders.iter().filter_map(read).collect()
}

/// Looks for the modules of the places in a binary.
fn compare(scan: &mut Scan, binary: &Path, baseline: Option<&Path>) -> Result<()> {
    let expected = karat_scan::modules_to_look_for(scan);
    let audit = |path: &Path, baseline| {
        let bytes = std::fs::read(path)
            .map_err(|e| failed(exit::USAGE, format!("cannot read {}: {e}", path.display())))?;
        let options = karat_audit::Options {
            expected: &expected,
            baseline,
            top_functions: NO_LIST,
            ..karat_audit::Options::default()
        };
        karat_audit::audit(&bytes, &options)
            .map_err(|e| failed(exit::AUDIT, format!("{}: {e}", path.display())))
    };
    let before = baseline.map(|path| audit(path, None)).transpose()?;
    let found = audit(binary, before.as_ref())?;
    karat_scan::survey(scan, &binary.to_string_lossy(), &found);
    Ok(())
}

fn write_patches(
    scan: &Scan,
    kernels: &[karat_scan::Kernel],
    folder: &Path,
    quiet: bool,
) -> Result<()> {
    let patches = karat_scan::patches(scan, kernels).context("cannot make patches")?;
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    for patch in &patches {
        let path = folder.join(format!("{}-{}.patch", patch.package, patch.version));
        std::fs::write(&path, &patch.text)
            .with_context(|| format!("cannot write {}", path.display()))?;
        if !quiet {
            say::note(&format!("wrote {}", path.display()));
        }
    }
    if patches.is_empty() {
        say::note(
            "no patch: no package returns early at compile time before functions that \
                   could be kept apart",
        );
    }
    Ok(())
}

/// The exit code: places are facts about the sources, and no fault unless the caller says so.
fn denied(scan: &Scan, classes: &[args::ScanClass], quiet: bool) -> u8 {
    let mut code = exit::GOOD;
    for class in classes {
        let class: Class = (*class).into();
        let count = scan.count(class);
        if count > 0 {
            code = exit::NO_GO;
            if !quiet {
                say::note(&format!(
                    "denied: {count} of {} ({})",
                    class.name(),
                    class.code()
                ));
            }
        }
    }
    code
}
