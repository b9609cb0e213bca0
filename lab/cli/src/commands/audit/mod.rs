//! `karat audit`: what is in binaries, without a study.

mod debug;
mod files;
mod input;
mod output;

use crate::{args, exit, say};
use anyhow::Result;
use karat_audit::{Baseline, checks};
use karat_model::audit::BinaryAudit;
use karat_model::audit_document::{AuditDocument, AuditedFile, SCHEMA, UnauditedFile};
use karat_model::bloat::Thresholds;
use karat_model::catalogue::{Expected, Library};
use karat_model::finding::{Finding, Location, Severity};
use std::path::{Path, PathBuf};

/// Audits the files, with growth if there is a baseline.
pub fn run(args: &args::Audit, quiet: bool) -> Result<u8> {
    if let Some(name) = &args.learn {
        return learn(args, name);
    }
    output::check(args)?;
    let isa = match &args.isa {
        Some(text) => Some(
            Baseline::parse(text).map_err(|e| super::failed(exit::USAGE, format!("--isa: {e}")))?,
        ),
        None => None,
    };
    let catalogues = args.catalogues.iter().map(|path| files::library(path));
    let catalogues: Vec<Library> = catalogues.collect::<Result<_>>()?;
    let expected = match &args.expect {
        Some(path) => files::expected(path, &catalogues)?,
        None => Expected::default(),
    };
    let top = args.top as usize;
    // Growth is told by function: then all functions are needed, on both sides.
    let listed = match args.baseline {
        Some(_) => usize::MAX,
        None => top,
    };
    let read = |path: &Path, baselines: &[AuditedFile]| {
        let options = karat_audit::Options {
            expected: &expected.functions,
            top_functions: listed,
            catalogue: &catalogues,
            ..Default::default()
        };
        input::audit(path, &options, baselines, &args.debug_dirs, quiet)
    };
    let mut document = AuditDocument {
        schema: SCHEMA,
        karat: env!("CARGO_PKG_VERSION").into(),
        ..AuditDocument::default()
    };
    let baselines = match &args.baseline {
        Some(path) => read(path, &[]).map_err(|why| {
            // Nothing can be said against a baseline that cannot be read.
            super::failed(exit::AUDIT, format!("baseline {}: {why}", path.display()))
        })?,
        None => Vec::new(),
    };
    let mut compared: Option<usize> = None;
    let mut files: Vec<&PathBuf> = Vec::new();
    for path in &args.files {
        if !files.contains(&path) {
            files.push(path);
        }
    }
    for path in files {
        let slices = match read(path, &baselines) {
            Ok(slices) => slices,
            Err(why) => {
                say::error(&format!("{}: {why}", path.display()));
                let path = path.display().to_string();
                document.failed.push(UnauditedFile { path, why });
                continue;
            }
        };
        if let (Some(file), false) = (slices.first(), quiet) {
            debug_said(args, file);
        }
        for mut file in slices {
            if let Some(isa) = &isa {
                match input::leaks(path, &file.audit.format, isa) {
                    Ok(Ok(leaks)) => file.audit.leaks = Some(leaks),
                    Ok(Err(note)) => file.notes.push(note),
                    Err(why) => {
                        let why = format!("--isa: {why}");
                        say::error(&format!("{}: {why}", path.display()));
                        let path = file.path.clone();
                        document.failed.push(UnauditedFile { path, why });
                    }
                }
            }
            let same = |b: &AuditedFile| file.audit.same_machine(&b.audit);
            let place = baselines.iter().position(same);
            let baseline = place.map(|place| &baselines[place].audit);
            if let Some(baseline) = baseline {
                compared = compared.or(place);
                let limits = Thresholds::default();
                file.audit.bloat = Some(karat_audit::bloat(&file.audit, baseline, limits, top));
            } else if let Some(baseline) = baselines.first() {
                file.notes.push(format!(
                    "--baseline: nothing is compared, since {} has code for another machine ({})",
                    baseline.path, baseline.audit.format
                ));
            }
            if !quiet {
                for note in &file.notes {
                    say::note(&format!("{}: {note}", file.label()));
                }
            }
            document
                .findings
                .extend(findings(&file, baseline, &expected));
            file.audit.functions.truncate(top);
            document.files.push(file);
        }
    }
    let mut baselines = baselines;
    if !baselines.is_empty() {
        let mut baseline = baselines.swap_remove(compared.unwrap_or(0));
        baseline.audit.functions.truncate(top);
        document.baseline = Some(baseline);
    }
    output::write(args, &document)?;
    Ok(if !document.failed.is_empty() {
        exit::AUDIT
    } else if document.has_error() && !args.exit_zero {
        exit::NO_GO
    } else {
        exit::GOOD
    })
}

/// Says which debug files were read, and, where an answer asked for hangs on it, which
/// were not found.
fn debug_said(args: &args::Audit, file: &AuditedFile) {
    match &file.debug[..] {
        [] => {}
        [one] => say::note(&format!("{}: debug information from {one}", file.path)),
        [first, rest @ ..] => say::note(&format!(
            "{}: debug information from {first} and {} more",
            file.path,
            rest.len()
        )),
    }
    let matters = args.expect.is_some() || !args.debug_dirs.is_empty();
    if let Some(missing) = file.debug_missing.as_ref().filter(|_| matters) {
        say::note(&format!("{}: {missing}", file.path));
    }
}

/// Prints a catalogue's entry for a function of a good build.
fn learn(args: &args::Audit, name: &str) -> Result<u8> {
    let [path] = &args.files[..] else {
        return Err(super::failed(
            exit::USAGE,
            "--learn reads one file: the build that has the function".to_owned(),
        ));
    };
    let fail = |why: String| super::failed(exit::AUDIT, format!("{}: {why}", path.display()));
    let bytes = input::open(path).map_err(fail)?;
    let entry = karat_audit::catalogue::learn(&bytes, name).map_err(|e| fail(e.to_string()))?;
    say::result(&entry)?;
    Ok(exit::GOOD)
}

/// The findings about one file, each with a place in it.
fn findings(
    file: &AuditedFile,
    baseline: Option<&BinaryAudit>,
    expected: &Expected,
) -> Vec<Finding> {
    let label = file.label();
    let mut found = match baseline {
        Some(baseline) => checks::run(&label, &file.audit, baseline),
        None => Vec::new(),
    };
    found.extend(checks::run_single(Some(&label), &file.path, &file.audit));
    // What is expected must be there, also where the baseline lacks it.
    let same = |a: &Finding, b: &Finding| a.code == b.code && a.place == b.place;
    for gone in checks::run_expected(&label, &file.audit) {
        if !found.iter().any(|other| same(other, &gone)) {
            found.push(gone);
        }
    }
    let missing = expected.missing(&file.audit.known);
    found.extend(missing.into_iter().map(|kernel| Finding {
        code: "KA005".into(),
        severity: Severity::Error,
        variant: Some(label.clone()),
        place: Some(kernel.to_owned()),
        location: None,
        message:
            "expected, and not recognised in the binary by name, instructions or constants".into(),
    }));
    for finding in &mut found {
        if finding.location.is_none() {
            let function = file
                .audit
                .functions
                .iter()
                .find(|f| Some(f.name.as_str()) == finding.place.as_deref());
            finding.location = Some(Location {
                file: file.path.clone(),
                address: function.map(|f| f.address),
                ..Location::default()
            });
        }
    }
    found
}
