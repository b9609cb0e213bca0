//! Whether a file was compiled as a whole for more than the baseline.
//!
//! Vector code of a compiler that may use AVX has other encodings than that of one that
//! may not. A file that chooses between implementations has both; one that was compiled
//! for more has hardly any of the older ones.

use super::offence::offence;
use karat_flow::baseline::level_of;
use karat_flow::classes::Classes;
use karat_flow::program::Program;
use karat_flow::sweep::Sweep;
use karat_model::leaks::{AboveBaseline, BuiltFor, Certainty, LeakReport, Reach};
use std::collections::BTreeMap;

/// Fewer functions without a gate are listed one by one.
const FEW: u64 = 20;
/// From so many functions on, a file that is clearly built for more is not searched: there
/// is nothing to be found, and it takes long.
const LARGE: u64 = 1000;

/// A file that is clearly built for more.
pub(super) struct Whole {
    pub built_for: BuiltFor,
    /// Functions above the baseline.
    above: Vec<u32>,
}

impl Whole {
    /// None if it is not, or not clearly: at least a quarter of the functions is above the
    /// baseline, and functions with vector code of the baseline are 5 % of those.
    pub fn of(program: &Program<'_>, sweep: &Sweep, classes: &Classes) -> Option<Self> {
        let mut above = Vec::new();
        let (mut functions, mut before_avx) = (0u64, 0u64);
        let mut by_set = [0u64; 256];
        for (number, (routine, facts)) in program.routines.iter().zip(&sweep.facts).enumerate() {
            if facts.instructions == 0 || facts.undecodable || routine.is_guess {
                continue;
            }
            functions += 1;
            if facts.above() > 0 {
                above.push(number as u32);
                facts
                    .set_indices()
                    .for_each(|set| by_set[usize::from(set)] += 1);
            } else {
                before_avx += u64::from(facts.before_avx);
            }
        }
        let open = above.len() as u64;
        if classes.has_avx() || open < LARGE || open * 4 < functions || before_avx * 20 > open {
            return None;
        }
        let mut by_extension = BTreeMap::new();
        for (set, count) in (0..=255u8).zip(by_set).filter(|(_, count)| *count > 0) {
            for name in classes.missing(set) {
                *by_extension.entry(name).or_default() += count;
            }
        }
        let common = common(&by_extension, open);
        common.contains(&"avx").then(|| Self {
            built_for: BuiltFor {
                level: level_of(&common).to_string(),
                functions: open,
            },
            above,
        })
    }

    /// The first of its functions. None was followed to an entry.
    pub fn functions(
        &self,
        program: &Program<'_>,
        sweep: &Sweep,
        classes: &Classes,
        most: usize,
    ) -> Vec<AboveBaseline> {
        let function = |routine: &u32| {
            let facts = &sweep.facts[*routine as usize];
            let sets = facts.set_indices().flat_map(|set| classes.missing(set));
            let mut extensions: Vec<String> = sets.collect();
            extensions.sort();
            extensions.dedup();
            AboveBaseline {
                function: program.name(*routine),
                address: program.routines[*routine as usize].start,
                instructions: u64::from(facts.above()),
                extensions,
                first: offence(program, classes, facts.first()),
                reach: Reach::Unknown,
                lacks: Vec::new(),
                is_dispatcher: facts.asks,
                confidence: Certainty::Low,
                path: Vec::new(),
                gates: Vec::new(),
                reason: format!(
                    "the file as a whole is built for {}: its functions were not followed one \
                     by one",
                    self.built_for.level
                ),
                obstacle: "how the file was built".into(),
            }
        };
        self.above.iter().take(most).map(function).collect()
    }

    /// What would decide the state of its functions.
    pub fn decide(&self) -> String {
        format!("an audit with --isa {}", self.built_for.level)
    }
}

/// What a whole file was compiled for, after the search: a tenth of its functions is above
/// the baseline without a gate, and that is how it was compiled.
///
/// It is where direct calls lead to as many. What is only not known says it where the
/// baseline is below AVX, by the encodings.
pub(super) fn built_for(
    report: &LeakReport,
    functions: &[AboveBaseline],
    classes: &Classes,
    before_avx: u64,
) -> Option<BuiltFor> {
    let counts = &report.counts;
    let reached = counts.leaks + counts.insufficient;
    let open = reached + counts.exported + counts.unknown;
    // Of assembly without an unwind table it is not known how many functions there are.
    let is_counted = counts.above <= counts.functions;
    if !is_counted || open < FEW || open * 10 < counts.functions {
        return None;
    }
    let is_open = |f: &AboveBaseline| !matches!(f.reach, Reach::Guarded | Reach::Unreferenced);
    let mut by_extension: BTreeMap<String, u64> = BTreeMap::new();
    for function in functions.iter().filter(|f| is_open(f)) {
        for extension in &function.extensions {
            *by_extension.entry(extension.clone()).or_default() += 1;
        }
    }
    let common = common(&by_extension, open);
    let is_how = match !classes.has_avx() && common.contains(&"avx") {
        true => before_avx * 4 <= open,
        false => reached + counts.exported > 0 || open * 2 > counts.functions,
    };
    (is_how || reached * 10 >= counts.functions).then(|| BuiltFor {
        level: level_of(&common).to_string(),
        functions: open,
    })
}

/// What a few functions use is another matter than what all are built for.
fn common(by_extension: &BTreeMap<String, u64>, functions: u64) -> Vec<&str> {
    let often = by_extension.iter();
    often
        .filter(|(_, count)| **count * 20 >= functions)
        .map(|(name, _)| name.as_str())
        .collect()
}
