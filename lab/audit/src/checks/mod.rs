//! Checks: facts of an audit that deserve a reader's attention.
//!
//! A check is one file; its `//!` text is the page a user reads about its code,
//! and its line in [`ALL`] registers it.

mod ka001_gone;
mod ka002_mix;
mod ka003_inlined;
mod ka004_width;
mod ka005_kernel;
mod ka006_wide;
mod ka007_new_width;
mod ka008_crate;
mod ka009_size;
mod ka010_leak;
mod ka011_dispatcher;
mod ka012_reach;
mod ka013_hardening;
mod ka014_exports;
mod ka015_march;
mod ka016_died;
mod ka017_lost;

use karat_model::audit::{BinaryAudit, Survival};
use karat_model::facts::FileFacts;
use karat_model::finding::{Finding, Location, Severity};
use karat_model::leaks::AboveBaseline;
use karat_model::tried::{Died, Tried};
use std::collections::BTreeMap;

/// A check: what it is called and how it is run.
#[derive(Clone, Copy)]
pub struct Check {
    /// `KA` and three digits; never reused.
    pub code: &'static str,
    /// A few words.
    pub title: &'static str,
    source: &'static str,
    run: Run,
}

/// What a check looks at.
#[derive(Clone, Copy)]
enum Run {
    /// A variant beside its baseline.
    Pair(fn(&Pair<'_>) -> Vec<Finding>),
    /// One binary by itself.
    Single(fn(&Single<'_>) -> Vec<Finding>),
    /// What a file says of itself.
    Facts(fn(&str, &FileFacts) -> Vec<Finding>),
    /// A run on an emulated CPU.
    Tried,
}

impl Check {
    /// The page about the check, in Markdown: the doc comment of its file.
    pub fn page(&self) -> String {
        let mut page = String::new();
        for line in self.source.lines() {
            let Some(text) = line.strip_prefix("//!") else {
                break;
            };
            page.push_str(text.strip_prefix(' ').unwrap_or(text));
            page.push('\n');
        }
        page
    }
}

macro_rules! check {
    ($module:ident, $code:literal, $title:literal) => {
        check!(Pair, $module, $code, $title)
    };
    ($kind:ident, $module:ident, $code:literal, $title:literal) => {
        Check {
            code: $code,
            title: $title,
            source: include_str!(concat!(stringify!($module), ".rs")),
            run: Run::$kind($module::run),
        }
    };
}

/// All checks, in the order of their codes.
pub const ALL: &[Check] = &[
    check!(ka001_gone, "KA001", "expected function gone"),
    check!(ka002_mix, "KA002", "instruction mix changed"),
    check!(ka003_inlined, "KA003", "symbol gone, code inlined"),
    check!(ka004_width, "KA004", "wider vectors than the baseline"),
    check!(ka005_kernel, "KA005", "known kernel gone"),
    check!(ka006_wide, "KA006", "far more wide vector code"),
    check!(
        ka007_new_width,
        "KA007",
        "512-bit code where the baseline has none"
    ),
    check!(
        ka008_crate,
        "KA008",
        "a crate with far more wide vector code"
    ),
    check!(ka009_size, "KA009", "more code than the baseline"),
    check!(Single, ka010_leak, "KA010", "instruction-set leak"),
    check!(
        Single,
        ka011_dispatcher,
        "KA011",
        "dispatcher above the baseline"
    ),
    check!(Single, ka012_reach, "KA012", "reach unknown"),
    check!(Facts, ka013_hardening, "KA013", "a guard is switched off"),
    check!(Facts, ka014_exports, "KA014", "exported symbols gone"),
    check!(Facts, ka015_march, "KA015", "compiled for one kind of CPU"),
    Check {
        code: "KA016",
        title: "proven: it died on the emulated CPU",
        source: include_str!("ka016_died.rs"),
        run: Run::Tried,
    },
    check!(ka017_lost, "KA017", "vector code is gone"),
];

/// Runs the checks that compare a variant with its baseline.
pub fn run(variant_name: &str, audit: &BinaryAudit, baseline: &BinaryAudit) -> Vec<Finding> {
    let pair = Pair {
        variant: variant_name,
        audit,
        baseline,
    };
    let run = |check: &Check| match check.run {
        Run::Pair(run) => run(&pair),
        _ => Vec::new(),
    };
    ALL.iter().flat_map(run).collect()
}

/// Runs the checks that need no baseline to compare with. Those of instruction-set
/// leaks look at [`BinaryAudit::leaks`] and are silent without it.
pub fn run_single(variant: Option<&str>, file: &str, audit: &BinaryAudit) -> Vec<Finding> {
    let single = Single {
        variant,
        file,
        audit,
    };
    let run = |check: &Check| match check.run {
        Run::Single(run) => run(&single),
        _ => Vec::new(),
    };
    ALL.iter().flat_map(run).collect()
}

/// Runs the checks of what a file says of itself.
pub fn run_facts(variant: &str, facts: &FileFacts) -> Vec<Finding> {
    let run = |check: &Check| match check.run {
        Run::Facts(run) => run(variant, facts),
        _ => Vec::new(),
    };
    ALL.iter().flat_map(run).collect()
}

/// The finding about a run that died, in the file with this label if it was audited.
pub fn run_tried(label: Option<&str>, tried: &Tried, died: &Died) -> Finding {
    ka016_died::finding(label, tried, died)
}

/// What a check of one binary sees.
struct Single<'a> {
    variant: Option<&'a str>,
    /// The binary, for places in it that have no source line.
    file: &'a str,
    audit: &'a BinaryAudit,
}

impl Single<'_> {
    fn finding(
        &self,
        code: &str,
        severity: Severity,
        place: Option<&str>,
        message: String,
    ) -> Finding {
        Finding {
            code: code.to_string(),
            severity,
            variant: self.variant.map(str::to_string),
            place: place.map(str::to_string),
            location: None,
            message,
        }
    }

    /// A finding at a function's first offending instruction.
    fn at(
        &self,
        code: &str,
        severity: Severity,
        function: &AboveBaseline,
        message: String,
    ) -> Finding {
        let location = function.first.location.clone().unwrap_or_else(|| Location {
            file: self.file.to_string(),
            address: Some(function.first.address),
            ..Location::default()
        });
        Finding {
            location: Some(location),
            ..self.finding(code, severity, Some(&function.function), message)
        }
    }
}

/// Expected functions that are gone, whether or not a baseline ever had them.
pub fn run_expected(variant_name: &str, audit: &BinaryAudit) -> Vec<Finding> {
    let pair = Pair {
        variant: variant_name,
        audit,
        baseline: audit,
    };
    ka001_gone::without_baseline(&pair)
}

/// What a check sees.
struct Pair<'a> {
    variant: &'a str,
    audit: &'a BinaryAudit,
    baseline: &'a BinaryAudit,
}

impl<'a> Pair<'a> {
    /// Expected functions with their baseline (none if it did not look for it).
    fn survivals(&self) -> impl Iterator<Item = (&'a Survival, Option<&'a Survival>)> {
        let baseline = &self.baseline.survival;
        self.audit.survival.iter().map(move |after| {
            let before = baseline.iter().find(|b| b.function == after.function);
            (after, before)
        })
    }

    fn finding(
        &self,
        code: &str,
        severity: Severity,
        place: Option<&str>,
        message: String,
    ) -> Finding {
        Finding {
            code: code.to_string(),
            severity,
            variant: Some(self.variant.to_string()),
            place: place.map(str::to_string),
            location: None,
            message,
        }
    }
}

/// The largest changes of a mix, as `+192 vprolq, -142 vpshufb`.
fn mix_changes(
    before: &BTreeMap<String, u64>,
    after: &BTreeMap<String, u64>,
    most: usize,
) -> String {
    let count =
        |mix: &BTreeMap<String, u64>, name: &str| mix.get(name).copied().unwrap_or(0) as i64;
    let mut changes: Vec<(i64, &str)> = before
        .keys()
        .chain(after.keys().filter(|name| !before.contains_key(*name)))
        .map(|name| (count(after, name) - count(before, name), name.as_str()))
        .filter(|(change, _)| *change != 0)
        .collect();
    changes.sort_by_key(|(change, name)| (-change.abs(), *name));
    let shown: Vec<String> = changes
        .iter()
        .take(most)
        .map(|(change, name)| format!("{change:+} {name}"))
        .collect();
    shown.join(", ")
}
