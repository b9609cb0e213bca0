//! One package: its files, their places, and what the build makes of them.

use crate::cfg::Cfg;
use crate::features::is_simd;
use crate::file;
use crate::kernel::Kernel;
use crate::known::{Absent, Compiler};
use crate::modules;
use crate::options::Options;
use crate::raw::{FileScan, Found, Kind};
use crate::walk;
use karat_model::finding::Location;
use karat_model::scan::{Class, LeftOut, Note, Package, Site};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What a package gave.
#[derive(Default)]
pub(crate) struct Outcome {
    pub files: u64,
    pub parsed: u64,
    pub bytes: u64,
    pub sites: Vec<Site>,
    pub kernels: Vec<Kernel>,
    pub left_out: LeftOut,
    pub notes: Vec<Note>,
}

/// A file that has places or kernels.
struct Hit {
    file: PathBuf,
    scan: Rc<FileScan>,
}

/// Reads a package, on a thread with [`crate::guard::STACK`].
pub(crate) fn scan(package: &Package, compiler: &Compiler, options: &Options<'_>) -> Outcome {
    let mut reader = Reader {
        options,
        out: Outcome::default(),
        parsed: HashMap::new(),
    };
    let files = match walk::sources(&package.root) {
        Ok(files) => files,
        Err(error) => {
            reader.note(&package.root, None, format!("cannot be listed: {error}"));
            return reader.out;
        }
    };
    let mut hits = Vec::new();
    for (path, bytes) in files {
        if let Some(scan) = reader.read(&path, bytes) {
            hits.push(Hit { file: path, scan });
        }
    }
    let features: Option<HashSet<String>> = package
        .features
        .as_ref()
        .map(|f| f.iter().cloned().collect());
    let mut listed: Vec<(Site, bool)> = Vec::new();
    for hit in &hits {
        if hit.scan.found.is_empty() && hit.scan.kernels.is_empty() {
            continue;
        }
        let place = reader.place(package, &hit.file);
        let absent = |within: &[Cfg], own: Option<&Cfg>| {
            let all: Vec<&Cfg> = place.within.iter().chain(within).chain(own).collect();
            compiler.absent(&all, features.as_ref(), options.everywhere)
        };
        for kernel in &hit.scan.kernels {
            if absent(&kernel.within, None).is_none() {
                reader.out.kernels.push(Kernel {
                    package: package.name.clone(),
                    version: package.version.clone(),
                    root: package.root.clone(),
                    file: hit.file.clone(),
                    module: joined(&place.path, &kernel.modules),
                    features: kernel.features.clone(),
                    start: kernel.start,
                    open: kernel.open,
                });
            }
        }
        for found in &hit.scan.found {
            if let Some(why) = absent(&found.within, found.condition.as_ref()) {
                reader.out.left_out.add(why);
                continue;
            }
            let mut whole = found.clone();
            whole.within.extend(place.within.iter().cloned());
            let fold = compiler.fold(&whole, features.as_ref());
            let detects = match found.kind {
                Kind::Hidden { detects } => detects,
                _ => found.class != Class::CompileTime,
            };
            let site = site(package, hit, &place.path, found, options);
            listed.push((Site { fold, ..site }, detects));
        }
    }
    reader.keep_sites(listed);
    reader.out
}

fn site(
    package: &Package,
    hit: &Hit,
    module: &[String],
    found: &Found,
    options: &Options<'_>,
) -> Site {
    let inside = hit.file.strip_prefix(&package.root).unwrap_or(&hit.file);
    Site {
        class: found.class,
        package: package.name.clone(),
        version: package.version.clone(),
        path: slashes(inside),
        location: Location {
            file: slashes(hit.file.strip_prefix(options.base).unwrap_or(&hit.file)),
            line: Some(found.at.line),
            column: Some(found.at.column),
            address: None,
        },
        item: joined(module, &found.item),
        features: found.features.clone(),
        condition: found.condition.as_ref().map(ToString::to_string),
        in_macro: found.in_macro.clone(),
        fold: karat_model::scan::Fold::Unknown,
        guards: vec![joined(module, &found.item[..found.modules])],
        in_binary: Vec::new(),
    }
}

fn joined(module: &[String], below: &[String]) -> String {
    let names: Vec<&str> = module.iter().chain(below).map(String::as_str).collect();
    names.join("::")
}

fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

struct Reader<'a> {
    options: &'a Options<'a>,
    out: Outcome,
    parsed: HashMap<PathBuf, Option<Rc<FileScan>>>,
}

impl Reader<'_> {
    fn note(&mut self, file: &Path, place: Option<(Option<u32>, Option<u32>)>, message: String) {
        let (line, column) = place.unwrap_or_default();
        self.out.notes.push(Note {
            location: Location {
                file: slashes(file.strip_prefix(self.options.base).unwrap_or(file)),
                line,
                column,
                address: None,
            },
            message,
        });
    }

    /// Reads a file, and parses it if it can hold a place.
    fn read(&mut self, path: &Path, bytes: u64) -> Option<Rc<FileScan>> {
        if bytes > walk::LARGEST {
            let message = format!("{bytes} bytes are too many for a source file; not read");
            self.note(path, None, message);
            return None;
        }
        let text = match fs::read(path) {
            Ok(bytes) => String::from_utf8(bytes),
            Err(error) => {
                self.note(path, None, format!("cannot be read: {error}"));
                return None;
            }
        };
        self.out.files += 1;
        self.out.bytes += bytes;
        // What is no UTF-8 is no Rust; such files are test data.
        let text = text.ok().filter(|t| file::is_worth_parsing(t))?;
        self.out.parsed += 1;
        self.parse(path, &text)
    }

    fn parse(&mut self, path: &Path, text: &str) -> Option<Rc<FileScan>> {
        let scan = match file::read(text) {
            Ok((scan, not_simd)) => {
                self.out.left_out.not_simd += not_simd;
                Some(Rc::new(scan))
            }
            Err(problem) => {
                let place = Some((problem.line, problem.column));
                let message = format!("not scanned: {}", problem.message);
                self.note(path, place, message);
                None
            }
        };
        self.parsed.insert(path.to_owned(), scan.clone());
        scan
    }

    /// Parses a file for its `mod` declarations, once.
    fn load(&mut self, path: &Path) -> Option<Rc<FileScan>> {
        if let Some(known) = self.parsed.get(path) {
            return known.clone();
        }
        let text = fs::read_to_string(path).ok();
        match text.filter(|t| t.len() as u64 <= walk::LARGEST) {
            Some(text) => self.parse(path, &text),
            None => {
                self.parsed.insert(path.to_owned(), None);
                None
            }
        }
    }

    fn place(&mut self, package: &Package, file: &Path) -> modules::Place {
        for target in &package.targets {
            let found = modules::find(target, file, &mut |path| self.load(path));
            if let Some(place) = found {
                return place;
            }
        }
        let krate = package.targets.first().map_or_else(
            || package.name.replace('-', "_"),
            |target| target.krate.clone(),
        );
        let folder = package.targets.first().and_then(|t| t.source.parent());
        modules::guess(&krate, folder.unwrap_or(&package.root), file)
    }

    /// Keeps the places, but for conditions beside detection, and says what they guard.
    fn keep_sites(&mut self, listed: Vec<(Site, bool)>) {
        let detected: HashSet<String> = listed
            .iter()
            .filter(|(_, detects)| *detects)
            .flat_map(|(site, _)| site.features.iter().cloned())
            .collect();
        let mut by_feature: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for kernel in &self.out.kernels {
            for feature in kernel.features.iter().filter(|f| is_simd(f)) {
                let modules = by_feature.entry(feature).or_default();
                if !modules.contains(&kernel.module.as_str()) {
                    modules.push(&kernel.module);
                }
            }
        }
        let mut kept = Vec::new();
        for (mut site, _) in listed {
            let is_beside = site.class == Class::CompileTime
                && site.features.iter().any(|f| detected.contains(f));
            if is_beside {
                self.out.left_out.beside_detection += 1;
                continue;
            }
            let mut guards: Vec<String> = Vec::new();
            for module in site
                .features
                .iter()
                .filter_map(|f| by_feature.get(f.as_str()))
                .flatten()
            {
                if !guards.iter().any(|g| g == module) {
                    guards.push((*module).to_owned());
                }
            }
            if !guards.is_empty() {
                site.guards = guards;
            }
            kept.push(site);
        }
        kept.sort_by(|a, b| (a.class, &a.location).cmp(&(b.class, &b.location)));
        self.out.sites = kept;
    }
}

/// Counting by reason.
trait Count {
    fn add(&mut self, why: Absent);
}

impl Count for LeftOut {
    fn add(&mut self, why: Absent) {
        *match why {
            Absent::Tests => &mut self.tests,
            Absent::Wasm => &mut self.wasm,
            Absent::OtherTargets => &mut self.other_targets,
            Absent::FeaturesOff => &mut self.features_off,
        } += 1;
    }
}
