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

/// Most ways to a file that are followed; two are common, for two values of a condition.
const WAYS: usize = 16;

/// Finds a file from its crate's root by way of the `mod` declarations; `load` parses a
/// file, or has done so before. A file that several declarations lead to is there if one of
/// them holds.
pub(crate) fn find(
    target: &Target,
    file: &Path,
    load: &mut dyn FnMut(&Path) -> Option<Rc<FileScan>>,
) -> Option<Place> {
    let folder = target.source.parent()?;
    if !file.starts_with(folder) {
        return None;
    }
    let start = Place {
        path: vec![target.krate.clone()],
        within: Vec::new(),
    };
    if target.source == file {
        return Some(start);
    }
    let mut search = Search {
        wanted: file,
        load,
        found: Vec::new(),
    };
    search.below(&target.source, folder, &start, DEEPEST);
    let mut found = search.found;
    if found.len() < 2 {
        return found.pop();
    }
    let ways = found.iter().map(|place| Cfg::All(place.within.clone()));
    let any = Cfg::Any(ways.collect());
    Some(Place {
        path: found.swap_remove(0).path,
        within: vec![any],
    })
}

struct Search<'a> {
    wanted: &'a Path,
    load: &'a mut dyn FnMut(&Path) -> Option<Rc<FileScan>>,
    found: Vec<Place>,
}

impl Search<'_> {
    /// Looks below the module in `source`, whose modules' files are in `folder`.
    fn below(&mut self, source: &Path, folder: &Path, place: &Place, depth: usize) {
        let Some(scan) = (self.load)(source).filter(|_| depth > 0) else {
            return;
        };
        for module in &scan.declared {
            let inside: PathBuf = folder.join(module.path.iter().collect::<PathBuf>());
            let candidates = match &module.file {
                Some(name) => vec![source.with_file_name(name)],
                None => vec![inside.with_extension("rs"), inside.join("mod.rs")],
            };
            for candidate in candidates {
                // A file with a name of its own has its modules beside it.
                let folder = match &module.file {
                    Some(_) => candidate.parent().unwrap_or(folder).to_owned(),
                    None => inside.clone(),
                };
                let is_it = candidate == self.wanted;
                let goes_on = candidate != source && self.wanted.starts_with(&folder);
                if self.found.len() == WAYS || !(is_it || goes_on && candidate.is_file()) {
                    continue;
                }
                let mut next = Place {
                    path: [&place.path[..], &module.path].concat(),
                    within: [&place.within[..], &module.within].concat(),
                };
                if is_it {
                    self.found.push(next);
                    continue;
                }
                if let Some(scan) = (self.load)(&candidate) {
                    next.within.extend(scan.inner.iter().cloned());
                }
                self.below(&candidate, &folder, &next, depth - 1);
            }
        }
    }
}

/// A guess where no declaration leads to the file: its path.
pub(crate) fn guess(krate: &str, folder: &Path, file: &Path) -> Place {
    let inside = file.strip_prefix(folder).unwrap_or(file).with_extension("");
    let mut path = vec![krate.to_owned()];
    path.extend(inside.iter().map(|n| n.to_string_lossy().into_owned()));
    if path
        .last()
        .is_some_and(|n| n == "mod" || n == "lib" || n == "main")
    {
        path.pop();
    }
    Place {
        path,
        within: Vec::new(),
    }
}
