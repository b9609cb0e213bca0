//! What the tables hold: places of one package, class and set of features together.

use crate::wording::{Tone, plural, survival_word};
use karat_model::audit::SurvivalState;
use karat_model::scan::{Class, Fold, Scan, Site};
use std::collections::BTreeMap;

/// Places that one row stands for.
pub struct Row<'a> {
    /// All of them, the first is shown.
    pub sites: Vec<&'a Site>,
}

impl<'a> Row<'a> {
    fn first(&self) -> &'a Site {
        self.sites[0]
    }

    /// Package and version.
    pub fn package(&self) -> String {
        format!("{} {}", self.first().package, self.first().version)
    }

    /// The first place, and how many more there are.
    pub fn place(&self) -> String {
        let place = place(self.first());
        match self.sites.len() {
            1 => place,
            more => format!("{place} and {} more", more - 1),
        }
    }

    /// The features, or that they are the macro's own business.
    pub fn features(&self) -> String {
        let site = self.first();
        let names = site.features.join(" ");
        match &site.in_macro {
            Some(name) if names.is_empty() => format!("in {name}!"),
            Some(name) => format!("{names}, in {name}!"),
            None => names,
        }
    }

    /// What the flags make of it.
    pub fn under_flags(&self) -> (String, Tone) {
        let site = self.first();
        (under_flags(site), tone(site))
    }

    /// What the binary shows, by state.
    pub fn in_binary(&self) -> String {
        let modules: BTreeMap<&str, SurvivalState> = self
            .sites
            .iter()
            .flat_map(|s| {
                s.guards
                    .iter()
                    .map(String::as_str)
                    .zip(s.in_binary.iter().copied())
            })
            .collect();
        if let [(module, state)] = modules.iter().collect::<Vec<_>>()[..] {
            return format!("{} {module}", survival_word(*state));
        }
        let words = [
            SurvivalState::Present,
            SurvivalState::Changed,
            SurvivalState::Inlined,
            SurvivalState::Gone,
        ];
        let counts = words.iter().filter_map(|state| {
            let count = modules.values().filter(|s| *s == state).count();
            (count > 0).then(|| format!("{count} {}", survival_word(*state)))
        });
        counts.collect::<Vec<_>>().join(", ")
    }
}

/// The rows of a class, by package and place. Of what is chosen at compile time only, what
/// this build has anyway is left out: see [`always`].
pub fn rows(scan: &Scan, class: Class) -> Vec<Row<'_>> {
    let mut rows: Vec<Row<'_>> = Vec::new();
    let mut at: BTreeMap<_, usize> = BTreeMap::new();
    for site in scan
        .sites
        .iter()
        .filter(|s| s.class == class && !is_always(s))
    {
        let key = (
            &site.package,
            &site.version,
            &site.features,
            &site.in_macro,
            site.fold as u8,
        );
        let index = *at.entry(key).or_insert_with(|| {
            rows.push(Row { sites: Vec::new() });
            rows.len() - 1
        });
        rows[index].sites.push(site);
    }
    rows
}

/// Places and packages whose compile-time choice this build makes for the feature.
pub fn always(scan: &Scan) -> (usize, usize) {
    let sites: Vec<&Site> = scan.sites.iter().filter(|s| is_always(s)).collect();
    let mut packages: Vec<(&str, &str)> = sites
        .iter()
        .map(|s| (s.package.as_str(), s.version.as_str()))
        .collect();
    packages.sort_unstable();
    packages.dedup();
    (sites.len(), packages.len())
}

fn is_always(site: &Site) -> bool {
    site.class == Class::CompileTime && site.fold == Fold::True
}

/// Path inside the package, line and column.
pub fn place(site: &Site) -> String {
    let number = |n: Option<u32>| n.unwrap_or(0);
    format!(
        "{}:{}:{}",
        site.path,
        number(site.location.line),
        number(site.location.column)
    )
}

/// What the flags make of a place, in words.
pub fn under_flags(site: &Site) -> String {
    match (site.class, site.fold) {
        (_, Fold::Elsewhere) => "not in this build".into(),
        (Class::CompileTime, Fold::True) => "compiled for it".into(),
        (Class::CompileTime, Fold::No) => "not compiled: flags needed".into(),
        (Class::Hidden, Fold::No) => "features not assumed".into(),
        (_, Fold::True) => "folds to true".into(),
        (_, Fold::No) => "asked at run time".into(),
        (_, Fold::Unknown) => "not known".into(),
    }
}

fn tone(site: &Site) -> Tone {
    match (site.class, site.fold) {
        (Class::CompileTime, Fold::No) => Tone::Bad,
        (_, Fold::Unknown | Fold::Elsewhere) => Tone::Open,
        _ => Tone::Even,
    }
}

/// The name of a class.
pub fn heading(class: Class) -> &'static str {
    match class {
        Class::EarlyReturn => "Compile-time early return before detection",
        Class::TailBlock => "Compile-time answer in place of detection",
        Class::Cpufeatures => "Detection by cpufeatures",
        Class::Detected => "Detection by std",
        Class::CompileTime => "Chosen at compile time only",
        Class::Hidden => "Hidden in a macro",
    }
}

/// What it means, in a sentence or two.
pub fn meaning(class: Class) -> &'static str {
    match class {
        Class::EarlyReturn => {
            "Under flags that imply the features nothing is asked at run time. The code is not \
             lost by that; it may be inlined."
        }
        Class::TailBlock => "The same, written as a value.",
        Class::Cpufeatures => "Asks at run time, unless the flags imply all the features.",
        Class::Detected => {
            "Asks at run time, unless the flags imply the features: std's macro folds too."
        }
        Class::CompileTime => {
            "The slower code runs on every CPU unless the flags imply the features."
        }
        Class::Hidden => "The scan cannot tell how these choose.",
    }
}

/// What was read, in one sentence.
pub fn read(scan: &Scan) -> String {
    let counted = |count: u64, noun| plural(usize::try_from(count).unwrap_or(usize::MAX), noun);
    format!(
        "{}, {} ({} parsed), {:.1} MB in {:.2} s.",
        counted(scan.packages, "package"),
        counted(scan.files, "file"),
        scan.parsed,
        scan.bytes as f64 / 1e6,
        scan.milliseconds as f64 / 1e3
    )
}

/// Target and flags, in one sentence.
pub fn flags(scan: &Scan) -> String {
    let flags = &scan.flags;
    let words = if flags.rustflags.is_empty() {
        "no flags".to_owned()
    } else {
        format!("{} (from {})", flags.rustflags.join(" "), flags.origin)
    };
    format!(
        "Target {}, {words}: the compiler assumes {}.",
        flags.target,
        flags.features.join(" ")
    )
}

/// What is not listed, in one sentence; none when that is nothing.
pub fn left_out(scan: &Scan) -> Option<String> {
    let out = &scan.left_out;
    let parts = [
        (
            out.beside_detection,
            "beside detection of the same features",
        ),
        (out.other_targets, "for other targets"),
        (out.features_off, "under package features that are off"),
        (out.tests, "in tests"),
        (out.wasm, "for WebAssembly"),
        (out.not_simd, "about features that are no instruction set"),
    ];
    let told: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    (!told.is_empty()).then(|| format!("Not listed: {}.", told.join(", ")))
}

/// What this build has anyway, in one sentence; none when that is nothing.
pub fn always_text(scan: &Scan) -> Option<String> {
    let (places, packages) = always(scan);
    (places > 0).then(|| {
        format!(
            "{places} more in {packages} package(s) are compiled for features that this build \
             assumes."
        )
    })
}
