//! Files in, the document of `karat audit` out: one call for a command, a binding or a
//! server.

#![forbid(unsafe_code)]

pub mod packages;

mod debug;
mod findings;
mod hwcaps;
mod read;
mod searched;
mod written;

pub use debug::debug_files;
pub use read::open;

use crate::packages::{Siblings, gather};
use karat_audit::{Baseline, Vouched};
use karat_model::audit_document::{AuditDocument, AuditedFile};
use karat_model::catalogue::{Expected, Library};
use searched::Searched;
use std::path::{Path, PathBuf};
use written::Written;

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
    let mut written = Written::begin(request, tell)?;
    let mut gathered = gather(request.files, request.isa.is_some());
    for failed in std::mem::take(&mut gathered.failed) {
        written.failed(&failed.path, failed.why);
    }
    let siblings = Siblings::read(&gathered);
    let mut searched = Searched::new(request);
    // What libraries tell is known before those that are linked with them are read.
    for at in siblings.order() {
        let mut parts = match written.read(&gathered.items[at]) {
            Ok(parts) => parts,
            Err(why) => {
                written.refused(&mut gathered, at, why);
                continue;
            }
        };
        written.found(&parts);
        let item = &gathered.items[at];
        // Each part of a fat file has facts of its own, which are not read.
        if let [file] = &mut parts[..] {
            file.facts = read::facts(&item.path, request.baseline);
        }
        let is_fat = parts.len() > 1;
        for mut file in parts {
            if let Err(why) = searched.search(&gathered, &siblings, at, &mut file) {
                written.failed(&item.name, format!("--isa: {why}"));
            }
            let settled = match is_fat {
                true => Some(file),
                false => searched.settled(&gathered, at, file),
            };
            settled.into_iter().for_each(|file| written.finish(file));
        }
    }
    for file in searched.others(&gathered, &siblings) {
        written.finish(file);
    }
    Ok(written.end(gathered, &siblings))
}
