//! The document as it is written: each file is compared and judged once all is known of it.

use super::packages::{Gathered, Item, Siblings};
use super::read::{self, Refusal};
use super::{Progress, Request, findings};
use karat_audit::Options;
use karat_model::audit_document::{AuditDocument, AuditedFile, SCHEMA, SkippedPart, UnauditedFile};
use karat_model::bloat::Thresholds;
use std::path::Path;

/// What was said of files so far.
pub(super) struct Written<'r, 't> {
    request: &'r Request<'r>,
    tell: &'t mut dyn FnMut(Progress<'_>),
    document: AuditDocument,
    /// A fat file has one for each machine.
    baselines: Vec<AuditedFile>,
    /// The first of these that something was compared with.
    compared: Option<usize>,
}

impl<'r, 't> Written<'r, 't> {
    /// Nothing but the baseline was read.
    ///
    /// # Errors
    /// In words, when it cannot be audited.
    pub fn begin(
        request: &'r Request<'r>,
        tell: &'t mut dyn FnMut(Progress<'_>),
    ) -> Result<Self, String> {
        let mut written = Self {
            request,
            tell,
            document: AuditDocument {
                schema: SCHEMA,
                karat: request.karat.into(),
                ..AuditDocument::default()
            },
            baselines: Vec::new(),
            compared: None,
        };
        if let Some(path) = request.baseline {
            let read = written.read(&Item::alone(path));
            written.baselines =
                read.map_err(|why| format!("baseline {}: {}", path.display(), why.why()))?;
        }
        Ok(written)
    }

    /// Audits a file; a fat one has several parts.
    pub fn read(&mut self, item: &Item) -> Result<Vec<AuditedFile>, Refusal> {
        let Request { top, baseline, .. } = *self.request;
        let options = Options {
            expected: &self.request.expected.functions,
            // Growth is told by function: then all functions are needed, on both sides.
            top_functions: baseline.map_or(top, |_| usize::MAX),
            catalogue: self.request.catalogues,
            ..Options::default()
        };
        let begin = |bytes| (self.tell)(Progress::Reading(Path::new(&item.name), bytes));
        let dirs = self.request.debug_dirs;
        let audited = read::audit(item, &options, &self.baselines, dirs, begin);
        (self.tell)(Progress::Read);
        audited
    }

    /// A file was read; its leaks are not searched yet.
    pub fn found(&mut self, parts: &[AuditedFile]) {
        if let Some(file) = parts.first() {
            (self.tell)(Progress::Found(file));
        }
    }

    /// A file, or a part of what was asked for, failed.
    pub fn failed(&mut self, path: &str, why: String) {
        (self.tell)(Progress::Failed(Path::new(path), &why));
        let path = path.to_owned();
        self.document.failed.push(UnauditedFile { path, why });
    }

    /// A file was not audited: what is no binary is no error in a package.
    pub fn refused(&mut self, gathered: &mut Gathered, at: usize, why: Refusal) {
        let item = &gathered.items[at];
        match (item.package, why) {
            (Some(package), Refusal::Other(why)) => {
                let name = item.name.clone();
                let skipped = &mut gathered.packages[package].skipped;
                skipped.push(SkippedPart { name, why });
            }
            (_, why) => self.failed(&item.name, why.why()),
        }
    }

    /// All is known of a file: it is compared with its baseline, and what was found is noted.
    pub fn finish(&mut self, mut file: AuditedFile) {
        let top = self.request.top;
        let same = |b: &AuditedFile| file.audit.same_machine(&b.audit);
        let place = self.baselines.iter().position(same);
        let baseline = place.map(|place| &self.baselines[place].audit);
        if let Some(baseline) = baseline {
            self.compared = self.compared.or(place);
            let limits = Thresholds::default();
            let bloat = karat_audit::bloat(&file.audit, baseline, limits, top);
            file.audit.bloat = Some(bloat);
        } else if let Some(baseline) = self.baselines.first() {
            file.notes.push(format!(
                "--baseline: nothing is compared, since {} has code for another machine ({})",
                baseline.path, baseline.audit.format
            ));
        }
        (self.tell)(Progress::Audited(&file));
        let found = findings::of(&file, baseline, self.request.expected);
        self.document.findings.extend(found);
        file.audit.functions.truncate(top);
        self.document.files.push(file);
    }

    /// All files are finished.
    pub fn end(mut self, gathered: Gathered, siblings: &Siblings) -> AuditDocument {
        if self.document.files.is_empty() && self.document.failed.is_empty() {
            for package in &gathered.packages {
                let Some(first) = package.skipped.first() else {
                    continue;
                };
                let why = format!(
                    "none of the binaries in this {} could be read; {}: {}",
                    package.kind, first.name, first.why
                );
                self.failed(&package.path, why);
            }
        }
        let mut document = self.document;
        if !self.baselines.is_empty() {
            let mut baseline = self.baselines.swap_remove(self.compared.unwrap_or(0));
            baseline.audit.functions.truncate(self.request.top);
            document.baseline = Some(baseline);
        }
        document.packages = gathered.packages;
        for (at, package) in document.packages.iter_mut().enumerate() {
            package.linked = siblings.linked(&gathered.items, at);
        }
        if !document.packages.is_empty() {
            document.worst_first();
        }
        document
    }
}
