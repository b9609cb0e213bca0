//! `karat audit`: what is in binaries, without a study.

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
    let read = |path: &Path, baseline: Option<&BinaryAudit>| {
        input::audit(
            path,
            &karat_audit::Options {
                expected: &expected.functions,
                baseline,
                top_functions: listed,
                catalogue: &catalogues,
                ..Default::default()
            },
            quiet,
        )
    };
    let mut document = AuditDocument {
        schema: SCHEMA,
        karat: env!("CARGO_PKG_VERSION").into(),
        ..AuditDocument::default()
    };
    if let Some(path) = &args.baseline {
        // Nothing can be said against a baseline that cannot be read.
        let baseline = read(path, None).map_err(|why| {
            super::failed(exit::AUDIT, format!("baseline {}: {why}", path.display()))
        })?;
        document.baseline = Some(baseline);
    }
    let baseline = document.baseline.as_ref().map(|b| &b.audit);
    let mut files: Vec<&PathBuf> = Vec::new();
    for path in &args.files {
        if !files.contains(&path) {
            files.push(path);
        }
    }
    for path in files {
        let mut file = match read(path, baseline) {
            Ok(file) => file,
            Err(why) => {
                say::error(&format!("{}: {why}", path.display()));
                let path = path.display().to_string();
                document.failed.push(UnauditedFile { path, why });
                continue;
            }
        };
        if let Some(isa) = &isa {
            match input::leaks(path, isa) {
                Ok(leaks) => file.audit.leaks = Some(leaks),
                Err(why) => {
                    let why = format!("--isa: {why}");
                    say::error(&format!("{}: {why}", path.display()));
                    let path = file.path.clone();
                    document.failed.push(UnauditedFile { path, why });
                }
            }
        }
        if let Some(baseline) = baseline {
            let limits = Thresholds::default();
            file.audit.bloat = Some(karat_audit::bloat(&file.audit, baseline, limits, top));
        }
        document
            .findings
            .extend(findings(&file, baseline, &expected));
        file.audit.functions.truncate(top);
        document.files.push(file);
    }
    if let Some(baseline) = &mut document.baseline {
        baseline.audit.functions.truncate(top);
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
    let mut found = match baseline {
        Some(baseline) => checks::run(&file.path, &file.audit, baseline),
        None => Vec::new(),
    };
    found.extend(checks::run_single(
        Some(&file.path),
        &file.path,
        &file.audit,
    ));
    // What is expected must be there, also where the baseline lacks it.
    let same = |a: &Finding, b: &Finding| a.code == b.code && a.place == b.place;
    for gone in checks::run_expected(&file.path, &file.audit) {
        if !found.iter().any(|other| same(other, &gone)) {
            found.push(gone);
        }
    }
    let missing = expected.missing(&file.audit.known);
    found.extend(missing.into_iter().map(|kernel| Finding {
        code: "KA005".into(),
        severity: Severity::Error,
        variant: Some(file.path.clone()),
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
