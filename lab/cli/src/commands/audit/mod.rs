//! `karat audit`: what is in binaries, without a study.

mod lists;
mod output;
mod tries;

use super::outputs;
use crate::{args, exit, say};
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use karat_audit::{Baseline, Vouched, said, said_arm};
use karat_audit_files::{Progress, Request};
use karat_host::memory;
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::catalogue::{Expected, Library};
use karat_model::leaks::{LeakReport, UnmatchedName};
use karat_model::units;
use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

/// Audits the files, with growth if there is a baseline.
pub fn run(args: &args::Audit, quiet: bool) -> Result<u8> {
    if let Some(name) = &args.learn {
        return learn(args, name);
    }
    outputs::check::<AuditDocument>(&args.output)?;
    let isa = match &args.isa {
        Some(text) => Some(
            Baseline::parse(text).map_err(|e| super::failed(exit::USAGE, format!("--isa: {e}")))?,
        ),
        None => None,
    };
    let catalogues = args.catalogues.iter().map(|path| lists::library(path));
    let catalogues: Vec<Library> = catalogues.collect::<Result<_>>()?;
    let expected = match &args.expect {
        Some(path) => lists::expected(path, &catalogues)?,
        None => Expected::default(),
    };
    let vouched = vouched(args, isa.as_ref().is_some_and(Baseline::is_arm))?;
    let request = Request {
        files: &args.files,
        baseline: args.baseline.as_deref(),
        isa: isa.as_ref(),
        vouched: &vouched,
        catalogues: &catalogues,
        expected: &expected,
        top: args.top as usize,
        debug_dirs: &args.debug_dirs,
        karat: env!("CARGO_PKG_VERSION"),
    };
    let mut teller = Teller {
        args,
        quiet,
        bar: None,
    };
    memory::map_large();
    let mut document = karat_audit_files::document(&request, &mut |progress| teller.tell(progress))
        .map_err(|why| super::failed(exit::AUDIT, why))?;
    let tried = match (&isa, args.tries) {
        (Some(isa), true) => tries::run(args, isa, &mut document),
        _ => Ok(()),
    };
    output::write(args, &document)?;
    unmatched(&document)?;
    if let Err(why) = tried {
        return Err(super::failed(exit::AUDIT, format!("--try: {why:#}")));
    }
    Ok(if !document.failed.is_empty() {
        exit::AUDIT
    } else if document.has_error() && !args.exit_zero {
        exit::NO_GO
    } else {
        exit::GOOD
    })
}

/// What the user says of functions and variables.
fn vouched(args: &args::Audit, is_arm: bool) -> Result<Vouched> {
    let usage = |option: &str, why| super::failed(exit::USAGE, format!("{option}: {why}"));
    let said = if is_arm { said_arm } else { said };
    let mut out = Vouched::default();
    for text in &args.gate_functions {
        let (name, says) = said(text).map_err(|why| usage("--gate-function", why))?;
        out.function(name, says);
    }
    for text in &args.cpu_cells {
        let (name, says) = said(text).map_err(|why| usage("--cpu-cell", why))?;
        out.cell(name, says);
    }
    Ok(out)
}

/// Refuses names that no audited file has: what was said of them changed nothing.
fn unmatched(document: &AuditDocument) -> Result<()> {
    let reports: Vec<&LeakReport> = (document.files.iter())
        .filter_map(|file| file.audit.leaks.as_ref())
        .collect();
    let Some(first) = reports.first() else {
        return Ok(());
    };
    let find = |report: &LeakReport, name: &str| -> Option<Option<String>> {
        let found = report.unmatched.iter().find(|known| known.name == name)?;
        Some(found.near.clone())
    };
    for UnmatchedName { name, .. } in &first.unmatched {
        let all: Option<Vec<Option<String>>> =
            reports.iter().map(|report| find(report, name)).collect();
        let Some(near) = all else { continue };
        let near = near.into_iter().flatten().next();
        let near = near.map_or_else(
            || "a report names what stands in the way as it has to be written".to_owned(),
            |near| format!("did you mean `{near}`?"),
        );
        let why = format!(
            "`{name}` is neither a function nor a variable here that can be a gate; {near}"
        );
        return Err(super::failed(exit::USAGE, why));
    }
    Ok(())
}

/// Files larger than this show that karat is at work.
const LARGE: u64 = 50_000_000;

/// Tells on stderr what happens.
struct Teller<'a> {
    args: &'a args::Audit,
    quiet: bool,
    bar: Option<ProgressBar>,
}

impl Teller<'_> {
    fn tell(&mut self, progress: Progress<'_>) {
        match progress {
            Progress::Reading(path, bytes) => {
                let shown = bytes > LARGE && !self.quiet && std::io::stderr().is_terminal();
                self.bar = shown.then(|| spinner(path, bytes));
            }
            Progress::Read => {
                if let Some(bar) = self.bar.take() {
                    bar.finish_and_clear();
                }
            }
            Progress::Found(file) if !self.quiet => debug_said(self.args, file),
            Progress::Audited(file) if !self.quiet => {
                for note in &file.notes {
                    say::note(&format!("{}: {note}", file.label()));
                }
            }
            Progress::Failed(path, why) => say::error(&format!("{}: {why}", path.display())),
            Progress::Found(_) | Progress::Audited(_) => {}
        }
    }
}

fn spinner(path: &Path, bytes: u64) -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    // The template is fixed, so it parses or the first large file shows that it does not.
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
        bar.set_style(style);
    }
    bar.set_message(format!(
        "auditing {} ({})",
        path.display(),
        units::bytes(bytes)
    ));
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
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
    let bytes = karat_audit_files::open(path).map_err(fail)?;
    let entry = karat_audit::catalogue::learn(&bytes, name).map_err(|e| fail(e.to_string()))?;
    say::result(&entry)?;
    Ok(exit::GOOD)
}
