//! The symbols that a file exports, beside a baseline's.

use karat_binary::BinaryError;
use karat_binary::names::readable;
use karat_binary::numbers::NumberSet;
use karat_binary::read::image::Image;
use karat_model::facts::ExportsChanged;
use object::read::pe::ExportTarget;
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;

/// Names that are listed.
const LISTED: usize = 50;

/// What became of the exported symbols; none where that is not read.
///
/// # Errors
/// As [`Image::parse`].
pub fn changed(bytes: &[u8], baseline: &[u8]) -> Result<ExportsChanged, BinaryError> {
    let (now, before) = (Image::parse(bytes)?, Image::parse(baseline)?);
    let (now, before) = (names(&now), names(&before));
    let listed = |names: Vec<&&[u8]>| {
        let names = names.into_iter().take(LISTED);
        names
            .map(|name| readable(&String::from_utf8_lossy(name)))
            .collect()
    };
    let gone: Vec<_> = before.difference(&now).collect();
    let new: Vec<_> = now.difference(&before).collect();
    Ok(ExportsChanged {
        gone: gone.len() as u64,
        gone_names: listed(gone),
        new: new.len() as u64,
        new_names: listed(new),
    })
}

/// How many names are exported.
pub fn count(image: &Image<'_>) -> u64 {
    // Only versions give a name more than one symbol.
    if let object::File::Elf64(file) = &image.file
        && file.section_by_name(".gnu.version_d").is_none()
    {
        let symbols = file.dynamic_symbols();
        let defined = symbols.filter(|s| s.is_definition() && s.is_global());
        return defined.count() as u64;
    }
    let mut all: NumberSet<&[u8]> = NumberSet::default();
    each(image, |name| {
        all.insert(name);
    });
    all.len() as u64
}

/// The exported names, mangled.
fn names<'a>(image: &Image<'a>) -> BTreeSet<&'a [u8]> {
    let mut all = BTreeSet::new();
    each(image, |name| {
        all.insert(name);
    });
    all
}

fn each<'a>(image: &Image<'a>, note: impl FnMut(&'a [u8])) {
    match &image.file {
        object::File::Elf64(file) => {
            let symbols = file.dynamic_symbols();
            let defined = symbols.filter(|s| s.is_definition() && s.is_global());
            defined.filter_map(|s| s.name_bytes().ok()).for_each(note);
        }
        object::File::Pe64(file) => {
            let table = file.export_table().ok().flatten();
            let exports = table.iter().flat_map(|t| t.exports().unwrap_or_default());
            let code = exports.filter(|e| !matches!(e.target, ExportTarget::ForwardByName(..)));
            code.filter_map(|export| export.name).for_each(note);
        }
        // Mach-O: what is external in its one symbol table.
        file => {
            let defined = file
                .symbols()
                .filter(|s| s.is_definition() && s.is_global());
            defined.filter_map(|s| s.name_bytes().ok()).for_each(note);
        }
    }
}
