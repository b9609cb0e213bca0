//! Which library of a package another of its binaries is linked with, and which of them
//! gives a symbol.
//!
//! A file's libraries are looked for as ld.so(8) does, as far as the package itself says:
//! by `DT_RPATH` (where there is no `DT_RUNPATH`), by `DT_RUNPATH`, in the loader's own
//! folders. What is not found so, but is in the package once under the name, is taken for
//! it and marked ([`FoundBy::Name`]): programs load such libraries first, or set
//! `LD_LIBRARY_PATH`. Symbols are looked up in the file, then in what it needs, breadth
//! first, as the loader does it for a file that a program loads. Versions of symbols, and
//! what the program itself brings, are not looked at.
//!
//! Of Windows' and macOS' files only that is known which of them are linked with which, by
//! their names; of several with one name it is the nearest.

use super::gathered::{Gathered, Item};
use super::loads::{called, linked};
use karat_audit::Vouched;
use karat_host::mapped::Mapped;
use karat_model::package::{FoundBy, Linked, Needed};
use object::read::elf::ElfFile64;
use object::{LittleEndian, Object, ObjectSymbol, elf};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Where the loader looks by itself, in packages that are laid out like a system.
const FOLDERS: [&str; 4] = ["/lib", "/lib64", "/usr/lib", "/usr/lib64"];
/// Libraries that one search goes through at most.
const CLOSURE: usize = 4096;

/// What one file names, and is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sibling {
    /// Its `DT_SONAME`.
    pub soname: Option<String>,
    /// What it names by `DT_NEEDED`, and which file of the package that is: an index into
    /// the items.
    pub needs: Vec<(String, Option<(usize, FoundBy)>)>,
    rpath: Vec<String>,
    runpath: Vec<String>,
    /// Whether it was read: it is an ELF file for 64 bits, or one of Windows or macOS.
    is_read: bool,
    /// What a file of Windows or macOS is linked with.
    links: Vec<String>,
}

/// The ELF files of all packages of a call, linked with each other.
#[derive(Debug, Default)]
pub struct Siblings {
    /// One for each item; empty for a file that is no linked ELF file for 64 bits.
    files: Vec<Sibling>,
    /// What a file that others need exports.
    exports: HashMap<usize, HashSet<Vec<u8>>>,
    /// By file, those that are linked with it.
    users: HashMap<usize, Vec<usize>>,
}

impl Siblings {
    /// Reads the dynamic sections of all items that are in packages.
    #[must_use]
    pub fn read(gathered: &Gathered) -> Self {
        let items = &gathered.items;
        let mut files: Vec<Sibling> = items.iter().map(dynamic).collect();
        let names = Names::of(gathered, &files);
        let found: Vec<Vec<_>> = files
            .iter()
            .zip(items)
            .map(|(file, item)| {
                let needs = file.needs.iter();
                needs
                    .map(|(name, _)| names.find(item, file, name))
                    .collect()
            })
            .collect();
        for (file, found) in files.iter_mut().zip(found) {
            for (need, found) in file.needs.iter_mut().zip(found) {
                need.1 = found;
            }
        }
        let needed = files.iter().flat_map(|file| &file.needs);
        let needed: HashSet<usize> = needed.filter_map(|n| n.1).map(|found| found.0).collect();
        let exports = needed.into_iter().map(|at| (at, exports(&items[at])));
        let exports = exports.collect();
        let mut users = nearest(gathered, &files);
        for (user, file) in files.iter().enumerate() {
            for (at, _) in file.needs.iter().filter_map(|(_, found)| *found) {
                users.entry(at).or_default().push(user);
            }
        }
        Self {
            files,
            exports,
            users,
        }
    }

    /// What a file names and is called.
    #[must_use]
    pub fn file(&self, item: usize) -> &Sibling {
        &self.files[item]
    }

    /// The file of the package that defines `symbol` for `item`, which imports it: the
    /// first of those it needs, breadth first. None if no sibling does.
    #[must_use]
    pub fn provider(&self, item: usize, symbol: &[u8]) -> Option<usize> {
        let closure = self.closure(item).into_iter();
        let defines = |at: &usize| self.exports.get(at).is_some_and(|all| all.contains(symbol));
        closure.skip(1).find(defines)
    }

    /// Whether it is known what a file is linked with.
    #[must_use]
    pub fn is_read(&self, item: usize) -> bool {
        self.files[item].is_read
    }

    /// The files that are linked with this one: it is loaded whenever one of them is.
    #[must_use]
    pub fn users(&self, item: usize) -> &[usize] {
        self.users.get(&item).map_or(&[], |users| users)
    }

    /// All items, what others need before them.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        let mut out = Vec::with_capacity(self.files.len());
        let mut seen = vec![false; self.files.len()];
        for first in 0..self.files.len() {
            // What is to be visited, and whether its needs were.
            let mut open = vec![(first, false)];
            while let Some((at, is_done)) = open.pop() {
                if is_done {
                    out.push(at);
                } else if !std::mem::replace(&mut seen[at], true) {
                    open.push((at, true));
                    let needs = self.files[at].needs.iter().rev();
                    let needs = needs.filter_map(|(_, found)| found.map(|(at, _)| at));
                    open.extend(needs.filter(|at| !seen[*at]).map(|at| (at, false)));
                }
            }
        }
        out
    }

    /// What is told an item of names by the code of the siblings that it gets functions from.
    #[must_use]
    pub fn told(&self, item: usize, tells: &HashMap<usize, Vouched>) -> Vouched {
        let mut out = Vouched::default();
        for sibling in self.closure(item).into_iter().skip(1) {
            let Some(tells) = tells.get(&sibling) else {
                continue;
            };
            let mut from = Vouched::default();
            for (name, says) in tells.functions() {
                if self.provider(item, name.as_bytes()) == Some(sibling) {
                    from.function(name, says.clone());
                }
            }
            out.extend(&from);
        }
        out
    }

    /// The file itself and what it needs of the package, breadth first.
    fn closure(&self, item: usize) -> Vec<usize> {
        let mut out = vec![item];
        let mut seen = HashSet::from([item]);
        let mut next = 0;
        while let Some(&at) = out.get(next)
            && out.len() < CLOSURE
        {
            next += 1;
            let needs = self.files[at].needs.iter();
            let found = needs.filter_map(|(_, found)| found.map(|(at, _)| at));
            out.extend(found.filter(|at| seen.insert(*at)));
        }
        out
    }

    /// What reports show: for each file of a package that needs libraries, which ones.
    #[must_use]
    pub fn linked(&self, items: &[Item], package: usize) -> Vec<Linked> {
        let mut out: Vec<Linked> = Vec::new();
        for (at, file) in self.files.iter().enumerate() {
            if items[at].package != Some(package) || file.needs.is_empty() {
                continue;
            }
            let given = self.given(at, &items[at]);
            let needs = file.needs.iter().map(|(name, found)| Needed {
                name: name.clone(),
                sibling: found.map(|(at, _)| items[at].name.clone()),
                by: found.map(|(_, by)| by),
                symbols: found.map_or(0, |(at, _)| given.get(&at).copied().unwrap_or(0)),
            });
            out.push(Linked {
                file: items[at].name.clone(),
                needs: needs.collect(),
            });
        }
        out.sort_by(|a, b| a.file.cmp(&b.file));
        out
    }

    /// How many of the symbols that a file imports each sibling gives.
    fn given(&self, at: usize, item: &Item) -> BTreeMap<usize, u64> {
        let mut out = BTreeMap::new();
        let closure = self.closure(at);
        if closure.len() == 1 {
            return out;
        }
        with_elf(item, |file| {
            for symbol in file.dynamic_symbols().filter(ObjectSymbol::is_undefined) {
                let Ok(name) = symbol.name_bytes() else {
                    continue;
                };
                let defines = |at: &&usize| self.exports.get(at).is_some_and(|e| e.contains(name));
                if let Some(at) = closure[1..].iter().find(defines) {
                    *out.entry(*at).or_default() += 1;
                }
            }
        });
        out
    }
}

/// Where the files of packages are, by name.
struct Names<'g> {
    /// By package and path in the document.
    by_path: HashMap<(usize, String), usize>,
    /// By package and file name or soname; none where several files are called so.
    by_name: HashMap<(usize, &'g str), Option<usize>>,
    packages: Vec<&'g str>,
}

impl<'g> Names<'g> {
    fn of(gathered: &'g Gathered, files: &'g [Sibling]) -> Self {
        let mut out = Self {
            by_path: HashMap::new(),
            by_name: HashMap::new(),
            packages: gathered.packages.iter().map(|p| p.path.as_str()).collect(),
        };
        for (at, item) in gathered.items.iter().enumerate() {
            let Some(package) = item.package else {
                continue;
            };
            for path in item.same.iter().chain([&item.name]) {
                out.by_path.insert((package, normal("", path)), at);
                out.name(package, last(path), at);
            }
            if let Some(soname) = &files[at].soname {
                out.name(package, soname, at);
            }
        }
        for link in &gathered.links {
            let package = link.package;
            let folder = link.name.rsplit_once('/').map_or("", |(folder, _)| folder);
            let beside = normal(folder, &link.target);
            let root = normal(out.packages[package], link.target.trim_start_matches('/'));
            let targets = [beside, root];
            let target = targets
                .into_iter()
                .find_map(|path| out.by_path.get(&(package, path)).copied());
            if let Some(at) = target {
                out.by_path.insert((package, normal("", &link.name)), at);
                out.name(package, last(&link.name), at);
            }
        }
        out
    }

    fn name(&mut self, package: usize, name: &'g str, at: usize) {
        let entry = self.by_name.entry((package, name)).or_insert(Some(at));
        if *entry != Some(at) {
            *entry = None;
        }
    }

    /// Which file of its package `name` is for `item`.
    fn find(&self, item: &Item, file: &Sibling, name: &str) -> Option<(usize, FoundBy)> {
        let package = item.package?;
        let root = self.packages[package];
        let origin = item.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let at = |folder: &str| {
            let path = normal(folder, name);
            self.by_path.get(&(package, path)).copied()
        };
        let expand = |folder: &String| match folder.strip_prefix('/') {
            Some(below) => normal(root, below),
            None => {
                let below = folder.replace("${ORIGIN}", "$ORIGIN");
                normal(
                    origin,
                    below.trim_start_matches("$ORIGIN").trim_start_matches('/'),
                )
            }
        };
        let along = |folders: &[String], by| {
            let found = folders.iter().map(expand).find_map(|folder| at(&folder));
            found.map(|found| (found, by))
        };
        let rpath = match file.runpath.is_empty() {
            true => &file.rpath[..],
            false => &[],
        };
        along(rpath, FoundBy::Rpath)
            .or_else(|| along(&file.runpath, FoundBy::Runpath))
            .or_else(|| {
                let system = FOLDERS.iter().find_map(|folder| {
                    let folder = format!("{root}{folder}");
                    // Debian's folders have one for each machine.
                    at(&folder).or_else(|| {
                        let machines = ["x86_64-linux-gnu", "aarch64-linux-gnu"];
                        machines.iter().find_map(|m| at(&format!("{folder}/{m}")))
                    })
                });
                system.map(|found| (found, FoundBy::SystemFolder))
            })
            .or_else(|| {
                let found = self.by_name.get(&(package, last(name))).copied().flatten();
                found.map(|found| (found, FoundBy::Name))
            })
    }
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// A path below `folder`, with `.` and `..` taken out. It is only compared with names.
fn normal(folder: &str, path: &str) -> String {
    let is_absolute = folder.starts_with('/') || (folder.is_empty() && path.starts_with('/'));
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match is_absolute {
        true => format!("/{joined}"),
        false => joined,
    }
}

/// Does something with an item that is an ELF file for 64 bits.
fn with_elf<T>(item: &Item, what: impl FnOnce(&ElfFile64<'_, LittleEndian>) -> T) -> Option<T> {
    let bytes = Mapped::open(&item.path).ok()?;
    // Other classes and byte orders are refused.
    let file = ElfFile64::<LittleEndian>::parse(&*bytes).ok()?;
    Some(what(&file))
}

fn dynamic(item: &Item) -> Sibling {
    let mut out = Sibling::default();
    if item.package.is_none() {
        return out;
    }
    with_elf(item, |file| {
        out.is_read = true;
        let Ok(table) = file.elf_dynamic_table() else {
            return;
        };
        for entry in &table {
            let text = || {
                let text = table.string(entry).unwrap_or_default();
                String::from_utf8_lossy(text).into_owned()
            };
            let paths = || text().split(':').map(str::to_owned).collect();
            match entry.tag {
                elf::DT_NEEDED => out.needs.push((text(), None)),
                elf::DT_SONAME => out.soname = Some(text()),
                elf::DT_RPATH => out.rpath = paths(),
                elf::DT_RUNPATH => out.runpath = paths(),
                _ => {}
            }
        }
    });
    if !out.is_read
        && let Some(links) = linked(item)
    {
        (out.is_read, out.links) = (true, links);
    }
    out
}

/// By file of Windows or macOS, those that are linked with it: of several with one name the
/// one in the folder that has most in common with the user's, or each of these.
fn nearest(gathered: &Gathered, files: &[Sibling]) -> HashMap<usize, Vec<usize>> {
    let mut by_name: HashMap<(usize, String), Vec<(usize, &str)>> = HashMap::new();
    if files.iter().all(|file| file.links.is_empty()) {
        return HashMap::new();
    }
    let items = gathered.items.iter().enumerate();
    let names = items.flat_map(|(at, item)| {
        let names = item.same.iter().chain([&item.name]);
        names.filter_map(move |name| Some((item.package?, at, name.as_str())))
    });
    let by_path: HashMap<(usize, String), usize> = (names.clone())
        .map(|(package, at, name)| ((package, normal("", name)), at))
        .collect();
    let links = gathered.links.iter().filter_map(|link| {
        let folder = link.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let target = (link.package, normal(folder, &link.target));
        Some((link.package, *by_path.get(&target)?, link.name.as_str()))
    });
    for (package, at, name) in names.chain(links) {
        let called = called(last(name), is_windows(name));
        by_name
            .entry((package, called))
            .or_default()
            .push((at, name));
    }
    let mut out: HashMap<usize, Vec<usize>> = HashMap::new();
    for (user, file) in files.iter().enumerate() {
        let Some(package) = gathered.items[user].package else {
            continue;
        };
        let own = &gathered.items[user].name;
        for link in &file.links {
            let Some(all) = by_name.get(&(package, link.clone())) else {
                continue;
            };
            let shared = |name: &str| {
                let parts = own.split('/').zip(name.split('/'));
                parts.take_while(|(one, other)| one == other).count()
            };
            let most = all.iter().map(|(_, name)| shared(name)).max();
            for (at, _) in all.iter().filter(|(_, name)| Some(shared(name)) == most) {
                out.entry(*at).or_default().push(user);
            }
        }
    }
    out
}

/// Whether a file's name is one that Windows finds whatever its case.
fn is_windows(name: &str) -> bool {
    let ends = [".dll", ".exe", ".pyd"];
    let name = name.to_lowercase();
    ends.iter().any(|end| name.ends_with(end))
}

/// The names that a file defines for others.
fn exports(item: &Item) -> HashSet<Vec<u8>> {
    let names = with_elf(item, |file| {
        let symbols = file.dynamic_symbols();
        let defined = symbols.filter(|s| s.is_definition() && s.is_global());
        defined
            .filter_map(|s| s.name_bytes().ok().map(<[u8]>::to_vec))
            .collect()
    });
    names.unwrap_or_default()
}
