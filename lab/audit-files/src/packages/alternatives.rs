//! Files of a package that something picks among by name.
//!
//! What such a file does from its entries on happens only where it was picked. Evidence is a
//! binary or a script of the package that names the file and one beside it with nearly the same
//! name; nothing may be linked with either, since a linked file is always loaded. It may be
//! folders instead, with the same file in both, whose own files may be linked with one another.
//!
//! A script names all that it imports, so there, and where a program is started, what tells the
//! names apart must be a word for what a CPU has, and for folders always. Who opens libraries by
//! name needs none where the names differ in a few characters.
//!
//! Debian's dispatchers make the name: a script that reads what the CPU has, and has the word
//! behind the last dash of a file's name, picks among the files with the same name before it.
//! `docs/audit-packages.md` has examples.

use super::gathered::Gathered;
use super::loads::{Way, way};
use super::names::{WORDS, alike, folders_apart, has_wide_word, has_word, stem};
use super::siblings::Siblings;
use karat_host::mapped::Mapped;
use karat_model::leaks::Picked;
use memchr::memmem::Finder;
use std::cell::Cell;

/// Where a script reads what the CPU has.
const ASKED: [&str; 3] = ["/proc/cpuinfo", "lscpu", "hw.optional"];
/// Bytes that are looked through for names at most in one call, once for each file that may be
/// picked: a folder may hold a whole system. Beyond, nothing is seen to pick.
const LOOKED_THROUGH: u64 = 4 << 30;

/// What may pick among files of packages.
pub struct Alternatives<'g> {
    gathered: &'g Gathered,
    siblings: &'g Siblings,
    left: Cell<u64>,
}

impl<'g> Alternatives<'g> {
    /// Of the files of all packages of a call.
    #[must_use]
    pub fn new(gathered: &'g Gathered, siblings: &'g Siblings) -> Self {
        Self::within(LOOKED_THROUGH, gathered, siblings)
    }

    /// The same with another limit than [`LOOKED_THROUGH`].
    fn within(limit: u64, gathered: &'g Gathered, siblings: &'g Siblings) -> Self {
        Self {
            gathered,
            siblings,
            left: Cell::new(limit),
        }
    }

    /// What picks `item` or another, which is one for which `is_fine` unless a script is seen to
    /// ask what the CPU has; none if nothing picks.
    #[must_use]
    pub fn picked(&self, item: usize, is_fine: &dyn Fn(usize) -> bool) -> Option<Picked> {
        let own = &self.gathered.items[item];
        let package = own.package?;
        if !self.siblings.is_read(item) {
            return None;
        }
        let beside = self.beside(item);
        if beside.is_empty() {
            return None;
        }
        let others = beside.iter().filter(|other| is_fine(other.at));
        let others: Vec<&Other<'_>> = others.collect();
        let among = |named: &str, bytes: &[u8], way: Way| {
            let left = self.left.get().saturating_sub(bytes.len() as u64);
            self.left.set(left);
            if left == 0 {
                return None;
            }
            let other = others.iter().find(|other| {
                (other.is_asking || way == Way::Opens)
                    // Each file has its own name.
                    && self.gathered.items[other.at].name != named
                    && names(bytes, other.own)
                    && names(bytes, other.its)
            })?;
            Some(Picked {
                by: named.to_owned(),
                other: self.gathered.items[other.at].name.clone(),
                asks: None,
            })
        };
        let scripts = self.gathered.scripts.iter();
        let scripts = scripts.filter(|script| script.package == package);
        let mut scripts = scripts.take_while(|_| self.left.get() > 0);
        let by_script = scripts.find_map(|script| {
            let bytes = script.bytes()?;
            among(&script.name, &bytes, Way::Other).or_else(|| {
                let names = beside.iter().filter(|other| !other.is_folder);
                let names = names.map(|other| &self.gathered.items[other.at].name);
                let mut asked = names.map(|other| (other, makes_names(&bytes, &own.name, other)));
                let (other, word) = asked.find(|(_, word)| word.is_some())?;
                Some(Picked {
                    by: script.name.clone(),
                    other: other.clone(),
                    asks: word,
                })
            })
        });
        by_script.or_else(|| {
            let binaries = self.gathered.items.iter().enumerate();
            let mut binaries = binaries
                .filter(|(at, binary)| binary.package == Some(package) && *at != item)
                .take_while(|_| self.left.get() > 0);
            binaries.find_map(|(_, binary)| {
                let bytes = Mapped::open(&binary.path).ok()?;
                // Names first: symbols are dearer.
                let found = among(&binary.name, &bytes, Way::Opens)?;
                match way(&bytes)? {
                    Way::Opens => Some(found),
                    Way::Other => among(&binary.name, &bytes, Way::Other),
                }
            })
        })
    }

    /// The files that something may pick instead of `item`. Whoever is linked with one of them
    /// has it loaded, unless that is in the folder that is picked as a whole.
    fn beside(&self, item: usize) -> Vec<Other<'g>> {
        let items = &self.gathered.items;
        let own = &items[item];
        let is_whole = |folder: &str| {
            let mut users = self.siblings.users(item).iter();
            let is_below = |name: &str| {
                let rest = name.strip_prefix(folder);
                rest.is_some_and(|rest| rest.starts_with('/'))
            };
            users.all(|user| is_below(&items[*user].name))
        };
        let is_free = |at: usize| self.siblings.users(at).is_empty();
        let others = (0..items.len()).filter(|other| *other != item);
        let others = others.filter_map(|at| {
            let other = &items[at];
            if is_free(item)
                && is_free(at)
                && let Some(is_asking) = alike(own, other)
            {
                return Some(Other {
                    at,
                    own: stem(&own.name),
                    its: stem(&other.name),
                    is_asking,
                    is_folder: false,
                });
            }
            let (folder, its, end) = folders_apart(own, other)?;
            is_whole(&own.name[..end]).then_some(Other {
                at,
                own: folder,
                its,
                is_asking: true,
                is_folder: true,
            })
        });
        others.collect()
    }
}

/// A file that may be picked instead of another.
struct Other<'g> {
    at: usize,
    /// What the other is called by those who pick, the file itself or its folder.
    own: &'g str,
    /// What this one is called.
    its: &'g str,
    /// Whether a word for what a CPU has tells the names apart.
    is_asking: bool,
    /// Whether these are names of folders.
    is_folder: bool,
}

/// Whether a name stands in a binary or a script.
fn names(bytes: &[u8], name: &str) -> bool {
    let is_windows = bytes.starts_with(b"MZ");
    has_word(bytes, &Finder::new(name)) || is_windows && has_wide_word(bytes, name)
}

/// The word behind the last dash of a file's name, if a script looks for it in what the CPU has
/// and `other` has another word or none.
fn makes_names(script: &[u8], own: &str, other: &str) -> Option<String> {
    let parted = |path| {
        let stem = stem(path);
        // A word may have a dot itself: `abpoa.sse4.1`.
        let is_word = |rest: &str| WORDS.iter().any(|word| rest.starts_with(word));
        let mut dots = stem.match_indices('.').map(|(at, _)| at);
        let dash = stem.rfind(['-', '_']);
        let parted = dash.or_else(|| dots.find(|dot| is_word(&stem[dot + 1..].to_lowercase())));
        parted.map_or((stem, ""), |at| (&stem[..at], &stem[at + 1..]))
    };
    let ((base, word), (its, _)) = (parted(own), parted(other));
    let word = word.to_lowercase();
    let asks = || {
        ASKED
            .iter()
            .any(|from| Finder::new(from).find(script).is_some())
    };
    let is_asked = WORDS.iter().any(|known| word.contains(known))
        && (base == its || base == stem(other))
        && asks()
        && has_word(&script.to_ascii_lowercase(), &Finder::new(&word));
    is_asked.then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dispatcher_in_shell_makes_the_names() {
        // As Debian's simd-dispatch.
        let script = b"grep -q \"$1\" /proc/cpuinfo && exec \"$0-$1\"\n\
                       for SIMD in avx2 sse4.1; do try $SIMD; done; $0-plain\n";
        let makes = |own, other| makes_names(script, own, other).is_some();
        assert!(makes("w/lib/STAR-avx2", "w/lib/STAR-plain"));
        assert!(makes("w/lib/STAR-sse4.1", "w/lib/STAR"));
        assert!(makes("w/bin/abpoa.sse4.1", "w/bin/abpoa"));
        assert!(makes("w/bin/abpoa.sse4.1", "w/bin/abpoa.avx2"));
        assert!(!makes("w/lib/STAR-avx", "w/lib/STAR-plain"));
        assert!(!makes("w/lib/STAR-avx2", "w/lib/STARlong-plain"));
        assert!(!makes("w/lib/STAR-for", "w/lib/STAR-plain"));
        let blind = b"for SIMD in avx2; do \"$0-$SIMD\"; done";
        assert_eq!(
            makes_names(blind, "w/lib/STAR-avx2", "w/lib/STAR-plain"),
            None
        );
    }

    /// A folder with two libraries that have only a header, of which a script asks for one or
    /// the other, and one that names nothing.
    fn folder() -> (tempfile::TempDir, Gathered) {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let header = {
            let mut header = [0; 64];
            header[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
            header[16..24].copy_from_slice(&[3, 0, 62, 0, 1, 0, 0, 0]);
            header[52] = 64;
            header
        };
        let files: [(&str, &[u8]); 4] = [
            ("libk_avx2.so", &[&header[..], b"avx2"].concat()),
            ("libk_def.so", &header),
            ("a.py", b"print('nothing')\n"),
            (
                "b.py",
                b"load('libk_avx2.so' if has('avx2') else 'libk_def.so')\n",
            ),
        ];
        for (name, bytes) in files {
            std::fs::write(dir.path().join(name), bytes).expect("a file is written");
        }
        let mut gathered = super::super::gather(&[dir.path().to_owned()], true);
        gathered.items.sort_by(|a, b| a.name.cmp(&b.name));
        gathered.scripts.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!((gathered.items.len(), gathered.scripts.len()), (2, 2));
        (dir, gathered)
    }

    #[test]
    fn nothing_is_looked_for_beyond_the_limit() {
        let (_dir, gathered) = folder();
        let siblings = Siblings::read(&gathered);
        let size = |script: &super::super::Script| {
            std::fs::metadata(&script.path).expect("a script").len()
        };
        let all: u64 = gathered.scripts.iter().map(size).sum();
        let is_picked = |alternatives: &Alternatives<'_>| {
            let picked = alternatives.picked(0, &|_| true);
            picked.is_some_and(|picked| picked.by.ends_with("b.py"))
        };
        // Whoever comes to the limit has not seen all.
        for (limit, is_found) in [(1, false), (all - 1, false), (all, false), (all + 1, true)] {
            let alternatives = Alternatives::within(limit, &gathered, &siblings);
            assert_eq!(is_picked(&alternatives), is_found, "{limit} of {all}");
        }
        // It is one limit for all files of a call.
        let alternatives = Alternatives::within(2 * all, &gathered, &siblings);
        assert!(is_picked(&alternatives));
        assert!(!is_picked(&alternatives));
        let alternatives = Alternatives::new(&gathered, &siblings);
        assert!(is_picked(&alternatives) && is_picked(&alternatives));
    }
}
