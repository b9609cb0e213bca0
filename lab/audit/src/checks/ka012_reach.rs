//! # KA012: reach unknown
//!
//! Functions above the baseline for which neither a gate nor an unguarded path
//! was found, and functions that a library exports although they are above it.
//!
//! ## Why it matters
//! They may be fine: a pointer in a table whose choice is made elsewhere, a flag
//! kept in memory, a kernel of a library whose callers ask. An audit of the file
//! alone cannot tell, and says so instead of guessing.
//!
//! A file of a package may be one of several that another picks among by name
//! (`libmkl_avx2.so` and `libmkl_def.so`, `fuzz_cpp_avx2` and `fuzz_cpp`): then what it does
//! from its entries on is unknown too, and the message names who picks.
//!
//! ## What to do
//! - Read the reason behind each name, and look whether that pointer or flag is
//!   set after asking the CPU.
//! - Run the program on, or emulate, a CPU of the baseline where it matters.

use super::Single;
use karat_model::finding::{Finding, Severity};
use karat_model::leaks::{LeakReport, Reach};
use karat_model::names::folded;

/// Functions named in a message.
const LISTED: usize = 5;
/// Characters of what is said of one: names of C++ may have thousands.
const LONGEST: usize = 160;

pub(super) fn run(single: &Single<'_>) -> Vec<Finding> {
    let Some(report) = &single.audit.leaks else {
        return Vec::new();
    };
    if let (Some(built), Some(picked)) = (&report.built_for, &report.picked) {
        let message = format!(
            "built for at least {}: {} functions need more than {}. {}",
            built.level,
            built.functions,
            report.baseline,
            picked.describe(&report.baseline)
        );
        return vec![single.finding("KA012", Severity::Note, None, message)];
    }
    if report.built_for.is_some() {
        return Vec::new();
    }
    let counts = &report.counts;
    let states = [
        (Reach::Unknown, counts.unknown),
        (Reach::Exported, counts.exported),
    ];
    states
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(reach, count)| {
            let message = format!(
                "{}: {}",
                said(reach, count, &report.baseline),
                match reach {
                    Reach::Unknown if !report.obstacles.is_empty() => obstacles(report),
                    _ => names(report, reach, count),
                }
            );
            single.finding("KA012", Severity::Note, None, message)
        })
        .collect()
}

/// How many there are, and what is not known of them.
fn said(reach: Reach, count: u64, baseline: &str) -> String {
    let (need, them, they, their) = match count {
        1 => ("function needs", "it", "it is", "its"),
        _ => ("functions need", "them", "they are", "their"),
    };
    let what = match reach {
        Reach::Exported => format!("{they} exported: to ask the CPU is {their} callers' duty"),
        _ => format!("whether a gate is before {them} is not known"),
    };
    format!("{count} {need} more than {baseline}; {what}")
}

/// What stands in the way, what most hang on first.
fn obstacles(report: &LeakReport) -> String {
    let shown = report.obstacles.iter().take(LISTED).map(|known| {
        let count = match known.functions {
            1 => "1 function".to_string(),
            many => format!("{many} functions"),
        };
        format!(
            "{} ({count}; {})",
            brief(&known.what),
            brief(&known.example)
        )
    });
    let mut shown: Vec<String> = shown.collect();
    if let Some(more) = report
        .obstacles
        .len()
        .checked_sub(LISTED)
        .filter(|more| *more > 0)
    {
        shown.push(format!("{more} more"));
    }
    shown.join("; ")
}

/// The first functions of a state, with the reason.
fn names(report: &LeakReport, reach: Reach, count: u64) -> String {
    let listed = report.functions.iter().filter(|f| f.reach == reach);
    let mut names: Vec<String> = listed
        .take(LISTED)
        .map(|f| match reach {
            Reach::Unknown => format!("{} ({})", brief(&f.function), brief(&f.reason)),
            _ => brief(&f.function),
        })
        .collect();
    if let Some(more) = count.checked_sub(LISTED as u64)
        && more > 0
    {
        names.push(format!("{more} more"));
    }
    names.join("; ")
}

/// The same without arguments and parameters, and cut in its middle where it is still too long.
fn brief(text: &str) -> String {
    let text = folded(text);
    let count = text.chars().count();
    if count <= LONGEST {
        return text.into_owned();
    }
    let begin: String = text.chars().take(LONGEST / 2).collect();
    let end: String = text.chars().skip(count - LONGEST / 2).collect();
    format!("{begin}…{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_function_is_no_functions() {
        let one = said(Reach::Exported, 1, "x86-64-v2");
        assert_eq!(
            one,
            "1 function needs more than x86-64-v2; it is exported: to ask the CPU is its callers' \
             duty"
        );
        let two = said(Reach::Unknown, 2, "x86-64");
        assert_eq!(
            two,
            "2 functions need more than x86-64; whether a gate is before them is not known"
        );
    }

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(brief("short"), "short");
        let long = format!("first{}last", "é".repeat(500));
        let cut = brief(&long);
        assert!(cut.starts_with("first") && cut.ends_with("last") && cut.contains('…'));
        assert_eq!(cut.chars().count(), LONGEST + 1);
    }
}
