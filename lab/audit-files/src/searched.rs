//! Leaks of files that are linked with each other, and may be picked among each other.

use super::packages::{Alternatives, Gathered, Siblings};
use super::{Request, hwcaps, read};
use karat_audit::Vouched;
use karat_model::audit_document::AuditedFile;
use karat_model::leaks::LeakReport;
use std::collections::{HashMap, HashSet};

/// What was found so far.
pub(super) struct Searched<'r> {
    request: &'r Request<'r>,
    /// By file: what a library tells those that are linked with it.
    tells: HashMap<usize, Vouched>,
    /// Files without a leak.
    fine: HashSet<usize>,
    /// Those with one that something may pick among others.
    open: Vec<(usize, AuditedFile)>,
}

impl<'r> Searched<'r> {
    pub fn new(request: &'r Request<'r>) -> Self {
        Self {
            request,
            tells: HashMap::new(),
            fine: HashSet::new(),
            open: Vec::new(),
        }
    }

    /// Searches a file, if that was asked for.
    ///
    /// # Errors
    /// In words, when it cannot be read.
    pub fn search(
        &mut self,
        gathered: &Gathered,
        siblings: &Siblings,
        at: usize,
        file: &mut AuditedFile,
    ) -> Result<(), String> {
        let Some(isa) = self.request.isa else {
            return Ok(());
        };
        let item = &gathered.items[at];
        let told = siblings.told(at, &self.tells);
        let raised = hwcaps::raised(&item.name, isa);
        if let Some(raised) = &raised {
            file.notes.push(hwcaps::note(raised));
        }
        let isa = raised.as_ref().unwrap_or(isa);
        match read::leaks(&item.path, &file.audit, isa, self.request.vouched, &told)? {
            Ok(looked) => {
                file.audit.leaks = Some(looked.report);
                self.tells.insert(at, looked.tells);
            }
            Err(note) => file.notes.push(note),
        }
        Ok(())
    }

    /// Gives a file back of which all is known. Whether something picks one that leaks among the
    /// others of its package is known when all of these are searched.
    pub fn settled(
        &mut self,
        gathered: &Gathered,
        at: usize,
        file: AuditedFile,
    ) -> Option<AuditedFile> {
        let is_leaking = file.audit.leaks.as_ref().map(has_leak);
        match is_leaking {
            Some(true) if gathered.items[at].package.is_some() => {
                self.open.push((at, file));
                return None;
            }
            Some(false) => {
                self.fine.insert(at);
            }
            _ => {}
        }
        Some(file)
    }

    /// The others, when all files are searched.
    pub fn others(self, gathered: &Gathered, siblings: &Siblings) -> Vec<AuditedFile> {
        let alternatives = Alternatives::new(gathered, siblings);
        let mut files = Vec::with_capacity(self.open.len());
        for (at, mut file) in self.open {
            let picked = alternatives.picked(at, &|other| self.fine.contains(&other));
            if let (Some(picked), Some(report)) = (picked, &mut file.audit.leaks) {
                karat_leaks::pick(report, picked);
            }
            files.push(file);
        }
        files
    }
}

/// Whether something is reached without a gate, or without one that is enough.
fn has_leak(report: &LeakReport) -> bool {
    report.counts.leaks + report.counts.insufficient > 0 || report.built_for.is_some()
}
