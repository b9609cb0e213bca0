//! Arrows between the modules of a crate. In no folder they form a ring.
//!
//! A module needs another if it names something that is defined there, by a `use` or by a
//! path, also where the name came through a `pub use` on the way. A folder is one module
//! among its neighbours. A module and those inside of it are no ring: it holds them. Methods
//! are not followed, nor what only tests need.

mod source;

use source::{Place, Source};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The name of a module from the crate's root; the root has none.
type Name = Vec<String>;

/// The modules of a crate.
struct Modules(BTreeMap<Name, Source>);

/// Re-exports that are followed one after the other.
const DEEP: usize = 8;

/// The rings among the modules of a crate, in words. Files are by their paths in `src`.
pub fn rings<'a>(files: impl IntoIterator<Item = (&'a Path, &'a str)>) -> Vec<String> {
    let files = files.into_iter();
    let mut modules = Modules(
        files
            .map(|(path, text)| (name(path), source::read(text)))
            .collect(),
    );
    modules.leave_tests_out();
    let mut folders: BTreeMap<Name, Arrows> = BTreeMap::new();
    for from in modules.0.keys() {
        for to in modules.needed_by(from) {
            let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
            if common < from.len() && common < to.len() {
                let arrows = folders.entry(from[..common].to_vec()).or_default();
                let ends = arrows.entry(from[common].clone()).or_default();
                ends.insert(to[common].clone());
            }
        }
    }
    let told = |(folder, arrows): (&Name, &Arrows)| {
        let ring = shortest_ring(arrows)?;
        let place = match folder.is_empty() {
            true => String::new(),
            false => format!("in {}: ", folder.join("::")),
        };
        Some(format!("{place}{}", ring.join(" → ")))
    };
    folders.iter().filter_map(told).collect()
}

/// `a/b.rs`, `a/b/mod.rs` are `a::b`.
fn name(file: &Path) -> Name {
    let file = file.with_extension("");
    let parts = file.iter().map(|part| part.to_string_lossy().into_owned());
    let mut name: Name = parts.collect();
    name.pop_if(|last| ["mod", "lib"].contains(&last.as_str()));
    name
}

impl Modules {
    /// Leaves out files that only tests have, with what is below them.
    fn leave_tests_out(&mut self) {
        let below = |(module, source): (&Name, &Source)| {
            let names = source.tests.iter();
            names.map(|name| joined(module, name)).collect::<Vec<_>>()
        };
        let tests: Vec<Name> = self.0.iter().flat_map(below).collect();
        self.0
            .retain(|name, _| !tests.iter().any(|test| name.starts_with(test)));
    }

    /// The modules whose definitions a module names.
    fn needed_by(&self, from: &Name) -> BTreeSet<Name> {
        let source = &self.0[from];
        let mut needed = BTreeSet::new();
        for import in &source.imports {
            let Some(path) = self.absolute(from, &import.place) else {
                continue;
            };
            if import.name != "*" {
                needed.insert(self.defining(&path, 0));
            } else if self.0.contains_key(&path) {
                let named = source.words.iter().filter(|word| self.has(&path, word));
                needed.extend(named.map(|word| self.defining(&joined(&path, word), 0)));
            }
        }
        for place in &source.paths {
            let path = self.absolute(from, place).or_else(|| {
                let import = source.imports.iter().find(|i| i.name == place.path[0])?;
                let mut path = self.absolute(from, &import.place)?;
                path.extend_from_slice(&place.path[1..]);
                Some(path)
            });
            needed.extend(path.map(|path| self.defining(&path, 0)));
        }
        needed
    }

    /// A path of this crate from its root on; nothing for what is of another.
    fn absolute(&self, module: &Name, place: &Place) -> Option<Name> {
        let mut here = [&module[..], &place.within].concat();
        let (first, rest) = place.path.split_first()?;
        match first.as_str() {
            "crate" => return Some(rest.to_vec()),
            "self" => here.extend_from_slice(rest),
            "super" => {
                let up = place.path.iter().take_while(|p| *p == "super").count();
                here.truncate(here.len().checked_sub(up)?);
                here.extend_from_slice(&place.path[up..]);
            }
            _ => {
                self.0.get(&joined(&here, first))?;
                here.extend_from_slice(&place.path);
            }
        }
        Some(here)
    }

    /// Whether a module defines or imports a name.
    fn has(&self, module: &Name, name: &str) -> bool {
        self.0.get(module).is_some_and(|source| {
            let imports = || source.imports.iter().any(|i| i.name == name);
            source.defined.iter().any(|defined| defined == name) || imports()
        })
    }

    /// The module where what a path names is defined.
    fn defining(&self, path: &Name, deep: usize) -> Name {
        let held = (0..=path.len())
            .rev()
            .find(|&n| self.0.contains_key(&path[..n]));
        let (module, rest) = path.split_at(held.unwrap_or(0));
        let module = module.to_vec();
        let (Some(name), Some(source)) = (rest.first(), self.0.get(&module)) else {
            return module;
        };
        if deep == DEEP || source.defined.contains(name) {
            return module;
        }
        let named = source.imports.iter().find(|i| i.name == *name);
        let from_all = || {
            source.imports.iter().find(|i| {
                let all = (i.name == "*").then(|| self.absolute(&module, &i.place));
                all.flatten().is_some_and(|all| self.has(&all, name))
            })
        };
        let next = match named {
            Some(import) => self.absolute(&module, &import.place),
            None => from_all()
                .and_then(|import| self.absolute(&module, &import.place))
                .map(|all| joined(&all, name)),
        };
        match next {
            Some(mut next) if next != *path => {
                next.extend_from_slice(&rest[1..]);
                self.defining(&next, deep + 1)
            }
            _ => module,
        }
    }
}

fn joined(path: &[String], name: &str) -> Name {
    let mut path = path.to_vec();
    path.push(name.to_owned());
    path
}

/// Which neighbours each module of a folder needs.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The shortest ring there is, its first module at both ends.
fn shortest_ring(arrows: &Arrows) -> Option<Vec<&str>> {
    let from_each = arrows.keys().filter_map(|from| way_back(arrows, from));
    from_each.min_by_key(Vec::len)
}

/// The shortest way from a module back to it.
fn way_back<'a>(arrows: &'a Arrows, from: &'a str) -> Option<Vec<&'a str>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let mut front = vec![from];
    while !front.is_empty() {
        let mut next = Vec::new();
        for at in front {
            for to in arrows.get(at).into_iter().flatten() {
                if to == from {
                    // Backwards: the last step, those before it, and the first.
                    let steps = |step: &&'a str| before.get(step).copied();
                    let mut way = vec![from];
                    way.extend(std::iter::successors(Some(at), steps));
                    way.reverse();
                    return Some(way);
                }
                if !before.contains_key(to.as_str()) {
                    before.insert(to, at);
                    next.push(to.as_str());
                }
            }
        }
        front = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::rings;
    use std::path::Path;

    fn rings_of(files: &[(&str, &str)]) -> Vec<String> {
        rings(files.iter().map(|(path, text)| (Path::new(*path), *text)))
    }

    #[test]
    fn a_ring_is_named_whichever_way_its_paths_are_written() {
        let uses = [
            "use crate::a::A;",
            "use super::a::A as B;",
            "use crate::{a::{A, C}, d};",
            "fn f() { crate::a::A::new() }",
            "use crate::a; fn f() { a::A::new() }",
            "use crate::a::*; fn f(_: A) {}",
            "use crate::A;",
            "mod inside { use super::super::a::A; }",
            "macro_rules! m { () => { $crate::a::A } }",
        ];
        for back in uses {
            let files = [
                ("lib.rs", "mod a; mod b; mod c; pub use a::A;"),
                ("a.rs", "use crate::b::B; pub struct A;"),
                ("b/mod.rs", "pub use c::B; mod c;"),
                ("b/c.rs", "pub struct B; use crate::e::E;"),
                ("e.rs", back),
            ];
            assert_eq!(rings_of(&files), ["a → b → e → a"], "{back}");
        }
    }

    #[test]
    fn what_goes_one_way_is_no_ring() {
        let files = [
            (
                "lib.rs",
                "mod a; mod b; mod c; pub use a::A; pub const N: u8 = 0;",
            ),
            // A parent and its child, the crate's root, a test, a comment, other crates.
            (
                "a/mod.rs",
                "mod inner; use inner::I; pub struct A; fn f() { a::x() }",
            ),
            ("a/inner.rs", "use super::A; use crate::N; pub struct I;"),
            (
                "b.rs",
                "use crate::A; pub fn b() {} #[cfg(test)] mod tests { use crate::c::c; }",
            ),
            (
                "c.rs",
                "use crate::b::b; pub fn c() {} // crate::a::A\n use core::a::A;",
            ),
        ];
        assert_eq!(rings_of(&files), [""; 0]);
    }

    #[test]
    fn files_of_tests_need_what_they_like() {
        let files = |declared: &str| {
            let declares = format!("pub fn a() {{}} {declared} mod tests;");
            rings_of(&[
                ("lib.rs", "mod a; mod b;"),
                ("a/mod.rs", &declares),
                ("a/tests/mod.rs", "mod more;"),
                ("a/tests/more.rs", "use crate::b::b;"),
                ("b.rs", "use crate::a::a; pub fn b() {}"),
            ])
        };
        assert_eq!(files("#[cfg(test)]"), [""; 0]);
        assert_eq!(files(""), ["a → b → a"]);
    }

    #[test]
    fn a_ring_inside_of_a_folder_is_named_with_it() {
        let files = [
            ("lib.rs", "mod m;"),
            ("m/mod.rs", "mod x; mod y;"),
            ("m/x.rs", "pub fn x() { super::y::y() }"),
            ("m/y.rs", "pub fn y() { super::x::x() }"),
        ];
        assert_eq!(rings_of(&files), ["in m: x → y → x"]);
    }
}
