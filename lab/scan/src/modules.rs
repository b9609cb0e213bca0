//! Which module a file is, and under which conditions it is one.

use crate::cfg::Cfg;
use crate::raw::FileScan;
use karat_model::scan::Target;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Modules in modules are followed this far.
const DEEPEST: usize = 64;

/// A file's place in its crate.
pub(crate) struct Place {
    /// The crate's name and those of the modules.
    pub path: Vec<String>,
    /// Conditions of the module declarations, and of the files around.
    pub within: Vec<Cfg>,
}

/// Finds a file from its crate's root by way of the `mod` declarations; `load` parses a
/// file, or has done so before.
pub(crate) fn find(
    target: &Target,
    file: &Path,
    load: &mut dyn FnMut(&Path) -> Option<Rc<FileScan>>,
) -> Option<Place> {
    let folder = target.source.parent()?;
    if !file.starts_with(folder) {
        return None;
    }
    let mut place = Place {
        path: vec![target.krate.clone()],
        within: Vec::new(),
    };
    let found = target.source == file
        || below(&target.source, folder, file, &mut place, load, DEEPEST);
    found.then_some(place)
}

/// Looks below the module in `source`, whose modules' files are in `folder`.
fn below(
    source: &Path,
    folder: &Path,
    wanted: &Path,
    place: &mut Place,
    load: &mut dyn FnMut(&Path) -> Option<Rc<FileScan>>,
    depth: usize,
) -> bool {
    let Some(scan) = load(source).filter(|_| depth > 0) else {
        return false;
    };
    let (names, conditions) = (place.path.len(), place.within.len());
    for module in &scan.declared {
        let inside: PathBuf = folder.join(module.path.iter().collect::<PathBuf>());
        let candidates = match &module.file {
            Some(name) => vec![source.with_file_name("").join(name)],
            None => vec![inside.with_extension("rs"), inside.join("mod.rs")],
        };
        for candidate in candidates {
            let is_it = candidate == wanted;
            // A file with a name of its own has its modules beside it.
            let folder = if module.file.is_some() {
                candidate.parent().unwrap_or(folder).to_owned()
            } else {
                inside.clone()
            };
            let goes_on = candidate != source && wanted.starts_with(&folder);
            if !is_it && !(goes_on && candidate.is_file()) {
                continue;
            }
            place.path.extend(module.path.iter().cloned());
            place.within.extend(module.within.iter().cloned());
            if is_it {
                return true;
            }
            if let Some(scan) = load(&candidate) {
                place.within.extend(scan.inner.iter().cloned());
            }
            if below(&candidate, &folder, wanted, place, load, depth - 1) {
                return true;
            }
            place.path.truncate(names);
            place.within.truncate(conditions);
        }
    }
    false
}

/// A guess where no declaration leads to the file: its path.
pub(crate) fn guess(krate: &str, folder: &Path, file: &Path) -> Place {
    let inside = file.strip_prefix(folder).unwrap_or(file).with_extension("");
    let mut path = vec![krate.to_owned()];
    path.extend(inside.iter().map(|n| n.to_string_lossy().into_owned()));
    if path.last().is_some_and(|n| n == "mod" || n == "lib" || n == "main") {
        path.pop();
    }
    Place {
        path,
        within: Vec::new(),
    }
}
