//! What is known about a build: its target, its flags, the package's features.

use crate::cfg::{Cfg, all};
use crate::features::only_of;
use crate::raw::{Found, Kind};
use karat_model::scan::Fold;
use std::collections::HashSet;

/// Conditions that hold in no program: tests, documentation and tools set them.
const NEVER: &[&str] = &[
    "test", "doc", "doctest", "docsrs", "miri", "loom", "kani", "fuzzing", "rustfmt", "clippy",
];

/// What `rustc --print cfg` says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compiler {
    lines: HashSet<(String, Option<String>)>,
    /// Features of the CPU that the compiler assumes, sorted.
    pub features: Vec<String>,
}

/// Why a place is not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Absent {
    Tests,
    Wasm,
    OtherTargets,
    FeaturesOff,
}

impl Compiler {
    /// From its output.
    pub fn parse(output: &str) -> Self {
        let mut out = Self::default();
        for line in output.lines() {
            let Some(Cfg::Is(key, value)) = Cfg::from_text(line.trim()) else {
                continue;
            };
            if let ("target_feature", Some(feature)) = (key.as_str(), &value) {
                out.features.push(feature.clone());
            }
            out.lines.insert((key, value));
        }
        out.features.sort();
        out
    }

    fn has(&self, key: &str, value: Option<&str>) -> bool {
        self.lines
            .contains(&(key.to_owned(), value.map(str::to_owned)))
    }

    /// What the target decides; features of the CPU not among it.
    fn target(&self, key: &str, value: Option<&str>) -> Option<bool> {
        let of_target = key.starts_with("target_") || key == "unix" || key == "windows";
        (of_target && key != "target_feature" && !self.lines.is_empty())
            .then(|| self.has(key, value))
    }

    fn has_feature(&self, feature: &str) -> bool {
        self.features
            .binary_search_by(|f| f.as_str().cmp(feature))
            .is_ok()
    }

    /// Whether CPUs of the target may have a feature; of a name that is not known, they may.
    fn may_have(&self, feature: &str) -> bool {
        let has = |arch: &&str| self.has("target_arch", Some(arch));
        self.lines.is_empty() || only_of(feature).is_none_or(|arches| arches.iter().any(has))
    }

    /// Why a place is in no program of this kind; `None` when it may be in one. With
    /// `everywhere` it may be for any target and with any feature of its package.
    pub fn absent(
        &self,
        conditions: &[&Cfg],
        package: Option<&HashSet<String>>,
        everywhere: bool,
    ) -> Option<Absent> {
        let never = |key: &str, value: Option<&str>| {
            (value.is_none() && NEVER.contains(&key)).then_some(false)
        };
        let wasm = |key: &str, value: Option<&str>| match (key, value) {
            ("target_arch", Some("wasm32" | "wasm64")) | ("target_family", Some("wasm")) => {
                Some(false)
            }
            _ => never(key, value),
        };
        let target =
            |key: &str, value: Option<&str>| wasm(key, value).or_else(|| self.target(key, value));
        let features = |key: &str, value: Option<&str>| match (key, value, package) {
            ("feature", Some(name), Some(on)) => Some(on.contains(name)),
            _ => target(key, value),
        };
        let fails = |known: &dyn Fn(&str, Option<&str>) -> Option<bool>| {
            all(conditions.iter().map(|c| c.eval(known))) == Some(false)
        };
        if fails(&never) {
            Some(Absent::Tests)
        } else if fails(&wasm) {
            Some(Absent::Wasm)
        } else if everywhere {
            None
        } else if fails(&target) {
            Some(Absent::OtherTargets)
        } else if fails(&features) {
            Some(Absent::FeaturesOff)
        } else {
            None
        }
    }

    /// What the flags make of a place.
    pub fn fold(&self, found: &Found, package: Option<&HashSet<String>>) -> Fold {
        let conditions: Vec<&Cfg> = found.within.iter().chain(&found.condition).collect();
        if self.absent(&conditions, package, false).is_some() {
            return Fold::Elsewhere;
        }
        let known = |key: &str, value: Option<&str>| match (key, value, package) {
            ("target_feature", Some(feature), _) => Some(self.has_feature(feature)),
            ("feature", Some(name), Some(on)) => Some(on.contains(name)),
            (_, None, _) if NEVER.contains(&key) => Some(false),
            _ => self.target(key, value),
        };
        let around = all(found.within.iter().map(|c| c.eval(&known)));
        let excluded = around == Some(false);
        let has_all = || found.features.iter().all(|f| self.has_feature(f));
        let detects = !matches!(found.kind, Kind::Guard { .. } | Kind::Conditional { .. });
        // Whether more features could bring it in: one that is assumed stays, and one of
        // another architecture never comes.
        let more = |key: &str, value: Option<&str>| match (key, value) {
            ("target_feature", Some(feature)) if self.has_feature(feature) => Some(true),
            ("target_feature", Some(feature)) if !self.may_have(feature) => Some(false),
            ("target_feature", Some(_)) => None,
            _ => known(key, value),
        };
        let is_closed = all(conditions.iter().map(|c| c.eval(&more))) == Some(false);
        let answer = match &found.condition {
            Some(condition) if !detects => condition.eval(&known),
            _ if found.features.is_empty() => None,
            _ => Some(has_all()),
        };
        match answer {
            // Around it the flags have decided already, for the features or against.
            _ if excluded && detects && found.features.iter().any(|f| self.has_feature(f)) => {
                Fold::True
            }
            // Another branch is meant, for more features or for fewer, or another CPU.
            _ if !detects && is_closed => Fold::Elsewhere,
            _ if excluded => Fold::No,
            // Whether it is in the build at all hangs on what a build script says, such as
            // `cfg(nightly)`.
            Some(true) if around.is_none() => Fold::Unknown,
            Some(true) => Fold::True,
            Some(false) => Fold::No,
            None => Fold::Unknown,
        }
    }
}
