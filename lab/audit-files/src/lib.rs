//! Files in, the document of `karat audit` out: one call for a command, a binding or a
//! server.

#![forbid(unsafe_code)]

pub mod packages;

mod debug;
mod findings;
mod hwcaps;
mod read;

pub use debug::debug_files;
pub use read::open;

use crate::packages::{Alternatives, Item, Siblings, gather};
use karat_audit::{Baseline, Options, Vouched};
use karat_model::audit_document::{AuditDocument, AuditedFile, SCHEMA, SkippedPart, UnauditedFile};
use karat_model::bloat::Thresholds;
use karat_model::catalogue::{Expected, Library};
use karat_model::leaks::LeakReport;
use read::Refusal;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// What is to be audited, and how.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Binaries, packages of them and folders. What is named twice is audited once.
    pub files: &'a [PathBuf],
    /// What they are compared with.
    pub baseline: Option<&'a Path>,
    /// Code that needs more than this is looked for.
    pub isa: Option<&'a Baseline>,
    /// What is said of functions and variables: that they tell what the CPU has.
    pub vouched: &'a Vouched,
    /// Known kernels besides the built-in ones.
    pub catalogues: &'a [Library],
    /// What must be there.
    pub expected: &'a Expected,
    /// How many functions are listed.
    pub top: usize,
    /// Further folders of debug files.
    pub debug_dirs: &'a [PathBuf],
    /// karat's version.
    pub karat: &'a str,
}

/// What happens meanwhile.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// A file of so many bytes is being audited.
    Reading(&'a Path, u64),
    /// That is over.
    Read,
    /// A file was read; for a file with code for several machines, the first part.
    Found(&'a AuditedFile),
    /// Everything about a file, or about one of its parts, is known.
    Audited(&'a AuditedFile),
    /// A file, or a part of what was asked for, failed.
    Failed(&'a Path, &'a str),
}

/// Audits the files, each against the baseline of its machine if there is one.
///
/// # Errors
/// In words, when the baseline cannot be audited: nothing can be said against it. A file
/// that cannot be audited is in the document.
pub fn document(
    request: &Request<'_>,
    tell: &mut dyn FnMut(Progress<'_>),
) -> Result<AuditDocument, String> {
    let mut document = AuditDocument {
        schema: SCHEMA,
        karat: request.karat.into(),
        ..AuditDocument::default()
    };
    let mut baselines = match request.baseline {
        Some(path) => read(request, &alone(path), &[], tell)
            .map_err(|why| format!("baseline {}: {}", path.display(), why.why()))?,
        None => Vec::new(),
    };
    let mut compared: Option<usize> = None;
    let mut gathered = gather(request.files, request.isa.is_some());
    for failed in std::mem::take(&mut gathered.failed) {
        tell(Progress::Failed(Path::new(&failed.path), &failed.why));
        document.failed.push(failed);
    }
    let siblings = Siblings::read(&gathered);
    // What libraries tell is known before those that are linked with them are read.
    let mut tells: HashMap<usize, Vouched> = HashMap::new();
    // Files without a leak, and those with one that something may pick among others.
    let mut fine: HashSet<usize> = HashSet::new();
    let mut open: Vec<(usize, AuditedFile)> = Vec::new();
    for at in siblings.order() {
        let item = &gathered.items[at];
        let slices = match read(request, item, &baselines, tell) {
            Ok(slices) => slices,
            Err(why) => {
                match (item.package, why) {
                    (Some(package), Refusal::Other(why)) => {
                        let name = item.name.clone();
                        let skipped = &mut gathered.packages[package].skipped;
                        skipped.push(SkippedPart { name, why });
                    }
                    (_, why) => failed(&mut document, &item.name, why.why(), tell),
                }
                continue;
            }
        };
        if let Some(file) = slices.first() {
            tell(Progress::Found(file));
        }
        let is_one = slices.len() == 1;
        for mut file in slices {
            // Of a fat file each slice has its own, which are not read.
            if is_one {
                file.facts = read::facts(&item.path, request.baseline);
            }
            if let Some(isa) = request.isa {
                let told = siblings.told(at, &tells);
                let raised = hwcaps::raised(&item.name, isa);
                if let Some(raised) = &raised {
                    file.notes.push(hwcaps::note(raised));
                }
                let isa = raised.as_ref().unwrap_or(isa);
                match read::leaks(&item.path, &file.audit, isa, request.vouched, &told) {
                    Ok(Ok(looked)) => {
                        file.audit.leaks = Some(looked.report);
                        tells.insert(at, looked.tells);
                    }
                    Ok(Err(note)) => file.notes.push(note),
                    Err(why) => failed(&mut document, &item.name, format!("--isa: {why}"), tell),
                }
            }
            let leaks = file.audit.leaks.as_ref();
            if is_one && leaks.is_some_and(|report| !has_leak(report)) {
                fine.insert(at);
            }
            // Whether something picks it among others is known when those are.
            if is_one && gathered.items[at].package.is_some() && leaks.is_some_and(has_leak) {
                open.push((at, file));
                continue;
            }
            finish(
                request,
                &mut document,
                file,
                &baselines,
                &mut compared,
                tell,
            );
        }
    }
    let alternatives = Alternatives::new(&gathered, &siblings);
    for (at, mut file) in open {
        let picked = alternatives.picked(at, &|other| fine.contains(&other));
        if let (Some(picked), Some(report)) = (picked, &mut file.audit.leaks) {
            karat_leaks::pick(report, picked);
        }
        finish(
            request,
            &mut document,
            file,
            &baselines,
            &mut compared,
            tell,
        );
    }
    if document.files.is_empty() && document.failed.is_empty() {
        for package in &gathered.packages {
            let Some(first) = package.skipped.first() else {
                continue;
            };
            let why = format!(
                "none of the binaries in this {} could be read; {}: {}",
                package.kind, first.name, first.why
            );
            failed(&mut document, &package.path, why, tell);
        }
    }
    if !baselines.is_empty() {
        let mut baseline = baselines.swap_remove(compared.unwrap_or(0));
        baseline.audit.functions.truncate(request.top);
        document.baseline = Some(baseline);
    }
    for (at, package) in gathered.packages.iter_mut().enumerate() {
        package.linked = siblings.linked(&gathered.items, at);
    }
    document.packages = std::mem::take(&mut gathered.packages);
    if !document.packages.is_empty() {
        document.worst_first();
    }
    Ok(document)
}

/// Compares what is known of a file with its baseline, and notes the findings.
fn finish(
    request: &Request<'_>,
    document: &mut AuditDocument,
    mut file: AuditedFile,
    baselines: &[AuditedFile],
    compared: &mut Option<usize>,
    tell: &mut dyn FnMut(Progress<'_>),
) {
    let same = |b: &AuditedFile| file.audit.same_machine(&b.audit);
    let place = baselines.iter().position(same);
    let baseline = place.map(|place| &baselines[place].audit);
    if let Some(baseline) = baseline {
        *compared = compared.or(place);
        let limits = Thresholds::default();
        let bloat = karat_audit::bloat(&file.audit, baseline, limits, request.top);
        file.audit.bloat = Some(bloat);
    } else if let Some(baseline) = baselines.first() {
        file.notes.push(format!(
            "--baseline: nothing is compared, since {} has code for another machine ({})",
            baseline.path, baseline.audit.format
        ));
    }
    tell(Progress::Audited(&file));
    let found = findings::of(&file, baseline, request.expected);
    document.findings.extend(found);
    file.audit.functions.truncate(request.top);
    document.files.push(file);
}

/// Whether something is reached without a gate, or without one that is enough.
fn has_leak(report: &LeakReport) -> bool {
    report.counts.leaks + report.counts.insufficient > 0 || report.built_for.is_some()
}

/// A file that was named by itself.
fn alone(path: &Path) -> Item {
    Item {
        path: path.to_owned(),
        name: path.display().to_string(),
        package: None,
        same: Vec::new(),
    }
}

fn read(
    request: &Request<'_>,
    item: &Item,
    baselines: &[AuditedFile],
    tell: &mut dyn FnMut(Progress<'_>),
) -> Result<Vec<AuditedFile>, Refusal> {
    let options = Options {
        expected: &request.expected.functions,
        // Growth is told by function: then all functions are needed, on both sides.
        top_functions: match request.baseline {
            Some(_) => usize::MAX,
            None => request.top,
        },
        catalogue: request.catalogues,
        ..Options::default()
    };
    let begin = |bytes| tell(Progress::Reading(Path::new(&item.name), bytes));
    let audited = read::audit(item, &options, baselines, request.debug_dirs, begin);
    tell(Progress::Read);
    audited
}

fn failed(
    document: &mut AuditDocument,
    path: &str,
    why: String,
    tell: &mut dyn FnMut(Progress<'_>),
) {
    tell(Progress::Failed(Path::new(path), &why));
    let path = path.to_owned();
    document.failed.push(UnauditedFile { path, why });
}
