//! What one side has of each kind of thing, found by key.

use karat_model::compare::Shape;
use karat_model::log::{Level, Statistic};
use karat_model::units::Better;
use std::collections::{BTreeMap, HashMap};

/// Bytes that the entries of one kind may take: some 500 000 tests of usual names.
const BUDGET: usize = 64 << 20;
/// What an entry takes beside its texts, roughly.
const OVERHEAD: usize = 160;
/// Between the parts of a key; readers give no control characters.
const SEPARATOR: &str = "\u{1f}";

/// How often something occurred, by file; only files in which it did.
pub(super) type ByFile = Vec<(u32, u64)>;

/// A test.
#[derive(Clone)]
pub(super) struct TestSeen {
    pub suite: String,
    pub name: String,
    pub passed: u64,
    pub failed: u64,
    pub skipped: u64,
    pub reason: Option<String>,
    pub by_file: ByFile,
}

/// A message.
#[derive(Clone)]
pub(super) struct MessageSeen {
    pub level: Level,
    pub file: Option<String>,
    pub text: String,
    pub lines: Vec<u32>,
    pub by_file: ByFile,
}

/// A crash.
#[derive(Clone)]
pub(super) struct CrashSeen {
    pub kind: String,
    pub text: String,
    pub by_file: ByFile,
}

/// A figure.
#[derive(Clone)]
pub(super) struct FigureSeen {
    pub section: String,
    pub name: String,
    pub parameters: BTreeMap<String, String>,
    pub unit: String,
    pub better: Option<Better>,
    pub statistic: Option<Statistic>,
    /// What each file has, in `unit`.
    pub runs: Vec<(u32, RunSeen)>,
}

/// A figure in one file.
#[derive(Clone, Default)]
pub(super) struct RunSeen {
    /// As often as the log prints it.
    pub values: Vec<f64>,
    /// What those were computed from, if the log says so.
    pub samples: Vec<f64>,
}

/// A line that no reader knew.
#[derive(Clone)]
pub(super) struct UnreadSeen {
    pub shape: Shape,
    pub text: String,
    pub by_file: ByFile,
}

/// A fact of the environment.
#[derive(Clone)]
pub(super) struct FactSeen {
    pub key: String,
    pub values: Vec<String>,
}

/// Entries by key, in the order of their first appearance.
#[derive(Clone)]
pub(super) struct Kept<V> {
    places: HashMap<String, usize>,
    entries: Vec<V>,
    bytes: usize,
    left_out: u64,
}

impl<V> Default for Kept<V> {
    fn default() -> Self {
        Self {
            places: HashMap::new(),
            entries: Vec::new(),
            bytes: 0,
            left_out: 0,
        }
    }
}

impl<V> Kept<V> {
    /// The entry of a key, made if there is room for it.
    pub(super) fn entry(&mut self, key: String, new: impl FnOnce() -> V) -> Option<&mut V> {
        let place = match self.places.get(&key) {
            Some(place) => *place,
            None => {
                // The key, the entry's own copy of its parts, and its bookkeeping.
                let size = 2 * key.len() + OVERHEAD;
                if self.bytes + size > BUDGET {
                    self.left_out += 1;
                    return None;
                }
                self.bytes += size;
                self.places.insert(key, self.entries.len());
                self.entries.push(new());
                self.entries.len() - 1
            }
        };
        self.entries.get_mut(place)
    }

    pub(super) fn get(&self, key: &str) -> Option<&V> {
        self.places.get(key).map(|place| &self.entries[*place])
    }

    pub(super) fn iter(&self) -> std::slice::Iter<'_, V> {
        self.entries.iter()
    }

    pub(super) fn iter_mut(&mut self) -> std::slice::IterMut<'_, V> {
        self.entries.iter_mut()
    }

    /// Entries for which there was no room.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out
    }
}

/// The key under which a figure is found on the other side.
pub(super) fn figure_key(
    section: &str,
    name: &str,
    parameters: &BTreeMap<String, String>,
    class: &str,
    statistic: Option<Statistic>,
) -> String {
    let mut key = join(&[section, name, class, statistic.map_or("", Statistic::word)]);
    for (name, value) in parameters {
        key += &format!("{SEPARATOR}{name}={value}");
    }
    key
}

/// Parts of a key as one.
pub(super) fn join(parts: &[&str]) -> String {
    parts.join(SEPARATOR)
}

/// The level's part of a key.
pub(super) const fn level(level: Level) -> &'static str {
    match level {
        Level::Warning => "warning",
        Level::Error => "error",
        Level::Fatal => "fatal",
    }
}
