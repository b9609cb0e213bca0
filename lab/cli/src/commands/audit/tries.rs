//! `--try`: the command on an emulated CPU, beside what the analysis claims.

use crate::args;
use crate::commands::catch_interrupts;
use anyhow::{Context, Result, bail};
use karat_audit::{Baseline, checks};
use karat_audit_files::packages;
use karat_emulate::{PATIENCE, Request, imports, interpreter, try_command};
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::leaks::{AboveBaseline, Reach};
use karat_model::tried::Died;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Runs what is to be tried and adds what came of it to the document.
pub fn run(args: &args::Audit, isa: &Baseline, document: &mut AuditDocument) -> Result<()> {
    let wheels = unpacked(args, document)?;
    let command = command(args, isa, &wheels)?;
    let folders: Vec<String> = wheels
        .iter()
        .map(|w| w.1.path().display().to_string())
        .collect();
    let mut environment = Vec::new();
    if !folders.is_empty() {
        let others = std::env::var("PYTHONPATH")
            .ok()
            .filter(|path| !path.is_empty());
        let path = folders
            .into_iter()
            .chain(others)
            .collect::<Vec<_>>()
            .join(":");
        environment.push(("PYTHONPATH".to_owned(), path));
    }
    let interrupt = catch_interrupts()?;
    let mut tried = try_command(&Request {
        command: &command,
        environment: &environment,
        isa: isa.text(),
        above: &open(document),
        patience: PATIENCE,
        interrupt: &interrupt,
    })?;
    if let Some(died) = &mut tried.died {
        if let Some(name) = died.file.as_deref().and_then(|file| named(file, &wheels)) {
            died.file = Some(name);
        }
        let file = died.file.as_deref();
        let file = file.and_then(|path| document.files.iter().find(|f| is_at(f, path)));
        died.claim = file.and_then(|file| claim(file, died));
        let label = file.map(AuditedFile::label);
        let died = died.clone();
        let found = checks::run_tried(label.as_deref(), &tried, &died);
        for finding in &mut document.findings {
            let is_it = finding.variant == label && finding.place == died.function;
            if is_it && finding.code == "KA010" && label.is_some() {
                finding.message = format!("proven by running; {}", finding.message);
                finding.severity = found.severity;
            }
        }
        document.findings.insert(0, found);
    }
    document.tried = Some(tried);
    if !document.packages.is_empty() {
        document.worst_first();
    }
    Ok(())
}

/// What is above the baseline in the files and not guarded: the CPU should lack that.
fn open(document: &AuditDocument) -> Vec<String> {
    let reports = document.files.iter().filter_map(|f| f.audit.leaks.as_ref());
    let functions = reports.flat_map(|report| &report.functions);
    let is_open = |f: &&AboveBaseline| !matches!(f.reach, Reach::Guarded | Reach::Unreferenced);
    let extensions: BTreeSet<&String> = functions
        .filter(is_open)
        .flat_map(|f| &f.extensions)
        .collect();
    extensions.into_iter().cloned().collect()
}

/// The wheels among what was named, unpacked.
fn unpacked(args: &args::Audit, document: &AuditDocument) -> Result<Vec<(PathBuf, TempDir)>> {
    let is_wheel = |path: &&PathBuf| {
        let path = path.display().to_string();
        document
            .packages
            .iter()
            .any(|p| p.path == path && p.kind == "wheel")
    };
    let wheels = args.files.iter().filter(is_wheel).map(|path| {
        let bytes = karat_audit_files::open(path).map_err(anyhow::Error::msg)?;
        let folder = packages::unpack_whole(path, &bytes);
        let folder = folder.with_context(|| format!("{} cannot be unpacked", path.display()))?;
        Ok((path.clone(), folder))
    });
    wheels.collect()
}

/// What is run.
fn command(
    args: &args::Audit,
    isa: &Baseline,
    wheels: &[(PathBuf, TempDir)],
) -> Result<Vec<String>> {
    if !args.command.is_empty() {
        return Ok(args.command.clone());
    }
    let modules: Vec<String> = wheels.iter().flat_map(|w| imports(w.1.path())).collect();
    if !modules.is_empty() {
        let statement = format!("import {}", modules.join(", "));
        // The one of this machine says where it really is; another cannot be asked here.
        let python = match isa.is_arm() && !cfg!(target_arch = "aarch64") {
            true => "python3".into(),
            false => interpreter("python3")?,
        };
        return Ok(vec![python, "-c".into(), statement]);
    }
    if let [(wheel, _), ..] = wheels {
        bail!(
            "no module of {} can be imported by its name alone: name the command behind \
             `--`, as in `--try -- python3 -c \"import some.module\"`",
            wheel.display()
        );
    }
    match &args.files[..] {
        [one] if one.is_file() => Ok(vec![std::path::absolute(one)?.display().to_string()]),
        _ => bail!("name the command behind `--`, as in `--try -- ./program --version`"),
    }
}

/// What the document calls a file of an unpacked wheel.
fn named(file: &str, wheels: &[(PathBuf, TempDir)]) -> Option<String> {
    let real = Path::new(file).canonicalize().ok()?;
    wheels.iter().find_map(|(wheel, folder)| {
        let root = folder.path().canonicalize().ok()?;
        let inside = real.strip_prefix(root).ok()?;
        Some(format!("{}/{}", wheel.display(), inside.display()))
    })
}

/// Whether an audited file lies at a path.
fn is_at(file: &AuditedFile, path: &str) -> bool {
    let real = |path: &str| Path::new(path).canonicalize().ok();
    let all = || file.same.iter().chain([&file.path]);
    all().any(|own| own == path)
        || real(path).is_some_and(|path| all().any(|own| real(own).as_ref() == Some(&path)))
}

/// What the static analysis says of the function.
fn claim(file: &AuditedFile, died: &Died) -> Option<String> {
    let leaks = file.audit.leaks.as_ref()?;
    let function = died.function.as_deref()?;
    // Code without a name is called after where its unwind entry begins.
    let start = function.strip_prefix("[fde 0x");
    let start = start.and_then(|rest| u64::from_str_radix(rest.strip_suffix(']')?, 16).ok());
    let is_it = |f: &&AboveBaseline| f.function == function || start == Some(f.address);
    let Some(found) = leaks.functions.iter().find(is_it) else {
        return Some(match &leaks.built_for {
            Some(built) => format!("the file is built for {}", built.level),
            None => format!("nothing of {function}"),
        });
    };
    let (reach, sure) = (
        format!("{:?}", found.reach),
        format!("{:?}", found.confidence),
    );
    let mut out = format!("{}, {}", reach.to_uppercase(), sure.to_lowercase());
    if let Some(gate) = found.gates.first() {
        out += &format!(", by {} in {}", gate.asks, gate.function);
        if !gate.features.is_empty() {
            out += &format!(" ({})", gate.features.join(", "));
        }
    }
    Some(out)
}
