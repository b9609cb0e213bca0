//! The classes of places: what each is, and its page.
//!
//! A class is one file; its `//!` text is the page a user reads about its code. KS003,
//! KS004 and KS006 need no decision: the macro itself says it.

mod ks001_early_return;
mod ks002_tail_block;

use crate::raw::{At, FileScan, Found, Kind};
use karat_model::scan::Class;

/// What is said about a class.
pub struct Page {
    /// The class.
    pub class: Class,
    /// A few words.
    pub title: &'static str,
    source: &'static str,
}

impl Page {
    /// The page, in Markdown: the doc comment of its file.
    #[must_use]
    pub fn text(&self) -> String {
        let lines = self.source.lines().map_while(|l| l.strip_prefix("//!"));
        lines
            .map(|l| format!("{}\n", l.strip_prefix(' ').unwrap_or(l)))
            .collect()
    }
}

macro_rules! page {
    ($class:ident, $file:literal, $title:literal) => {
        Page {
            class: Class::$class,
            title: $title,
            source: include_str!($file),
        }
    };
}

/// All pages, in the order of the codes.
pub const PAGES: &[Page] = &[
    page!(
        EarlyReturn,
        "ks001_early_return.rs",
        "compile-time early return before run-time detection"
    ),
    page!(
        TailBlock,
        "ks002_tail_block.rs",
        "compile-time answer in place of run-time detection"
    ),
    page!(
        Cpufeatures,
        "ks003_cpufeatures.rs",
        "detection by the crate cpufeatures"
    ),
    page!(Detected, "ks004_detected.rs", "run-time detection by std"),
    page!(
        CompileTime,
        "ks005_compile_time.rs",
        "chosen at compile time only"
    ),
    page!(Hidden, "ks006_hidden.rs", "hidden in a macro"),
];

/// Everything else in the file.
pub(crate) struct Around<'a> {
    found: &'a [Found],
    calls: &'a [(usize, At)],
}

impl Around<'_> {
    /// Whether run-time detection is at such a place of the same function.
    fn detected(&self, of: &Found, is_there: impl Fn(At) -> bool) -> bool {
        let found = self.found.iter().filter(|f| detects(f));
        let found = found.map(|f| (f.function, f.at));
        let mut places = found.chain(self.calls.iter().copied());
        places.any(|(function, at)| function == of.function && is_there(at))
    }

    /// Whether a function of the same name detects a feature where this one is not there.
    fn twin(&self, of: &Found) -> bool {
        let mut found = self.found.iter();
        found.any(|f| detects(f) && f.item == of.item && excludes(f, of))
    }
}

fn detects(found: &Found) -> bool {
    matches!(
        found.kind,
        Kind::Detection | Kind::Cpufeatures | Kind::Hidden { detects: true }
    )
}

/// Whether what is around `found` excludes a feature of `other`.
fn excludes(found: &Found, other: &Found) -> bool {
    let mut absent = found.within.iter().flat_map(|cfg| cfg.features(true));
    absent.any(|name| other.features.iter().any(|f| f == name))
}

/// Gives every place its class, and drops detection that is part of another place.
pub(crate) fn classify(file: &mut FileScan, calls: &[(usize, At)]) {
    let around = Around {
        found: &file.found,
        calls,
    };
    let classes: Vec<Class> = file
        .found
        .iter()
        .map(|found| match found.kind {
            Kind::Cpufeatures => Class::Cpufeatures,
            Kind::Detection => Class::Detected,
            Kind::Hidden { .. } => Class::Hidden,
            _ if ks001_early_return::is(found, &around) => Class::EarlyReturn,
            _ if ks002_tail_block::is(found, &around) => Class::TailBlock,
            _ => Class::CompileTime,
        })
        .collect();
    for (found, class) in file.found.iter_mut().zip(classes) {
        found.class = class;
    }
    let deciding: Vec<Found> = file
        .found
        .iter()
        .filter(|f| matches!(f.class, Class::EarlyReturn | Class::TailBlock))
        .cloned()
        .collect();
    let part_of = |f: &Found, guard: &Found| {
        let after = match (&guard.kind, guard.class) {
            (Kind::Guard { .. }, Class::EarlyReturn) => {
                f.function == guard.function && f.at.start >= guard.at.end
            }
            (Kind::Guard { otherwise, .. }, _) => otherwise.iter().any(|o| o.holds(f.at)),
            _ => f.item == guard.item && excludes(f, guard),
        };
        after && f.features.iter().all(|name| guard.features.contains(name))
    };
    file.found
        .retain(|f| f.class != Class::Detected || !deciding.iter().any(|g| part_of(f, g)));
}
