//! `karat kernels check`: whether the kernels are right on this machine.

use super::{failed_kernels, seed};
use crate::{exit, say};
use anstyle::{AnsiColor, Style};
use anyhow::Result;
use karat_all::SUITES;
use karat_bench::kernels::check_names;
use karat_kit::{Against, Checked, Mismatch, Outcome};
use std::fmt::Write as _;

/// Bytes of a digest that are printed.
const BYTES: usize = 64;

/// Checks the kernels of these names, or all; a line for each implementation.
pub fn run(names: &[String], given: Option<u64>, quiet: bool) -> Result<u8> {
    check_names(SUITES, names).map_err(failed_kernels)?;
    let seed = seed(given);
    let wanted = |name: &str| names.is_empty() || names.iter().any(|n| n == name);
    let widths = Widths::of_all();
    let mut failed = 0;
    for suite in SUITES {
        for kernel in (suite.kernels)().iter().map(|k| k.name()) {
            let mut told = Vec::new();
            if wanted(kernel) {
                suite.check(kernel, seed, |checked| told.push(checked));
            }
            for checked in told {
                let wrong = matches!(checked.outcome, Outcome::Failed(_));
                failed += usize::from(wrong);
                if wrong || !quiet {
                    say::result(&line(&checked, widths))?;
                }
            }
        }
    }
    if failed == 0 {
        return Ok(exit::GOOD);
    }
    say::error(&format!(
        "{failed} implementation(s) compute something else than they should on this machine; do not \
         use them (KARAT_FORCE chooses others) and report it with `karat doctor`'s output; the same \
         inputs again: --seed {seed}"
    ));
    Ok(exit::NO_GO)
}

/// Characters of the columns of names. Lines are printed as they come, so all names are asked
/// before the first.
#[derive(Clone, Copy)]
struct Widths {
    kernel: usize,
    implementation: usize,
}

impl Widths {
    fn of_all() -> Self {
        let kernels = || SUITES.iter().flat_map(|suite| (suite.kernels)());
        let implementations =
            kernels().flat_map(|k| (0..k.len()).map(move |i| k.info(i).name.len()));
        Self {
            kernel: kernels().map(|k| k.name().len()).max().unwrap_or(0),
            implementation: implementations.max().unwrap_or(0),
        }
    }
}

fn line(checked: &Checked, widths: Widths) -> String {
    let (word, color) = match &checked.outcome {
        Outcome::Passed { .. } => ("passed", AnsiColor::Green),
        Outcome::Skipped { .. } => ("SKIPPED", AnsiColor::Yellow),
        Outcome::Failed(_) => ("FAILED", AnsiColor::Red),
    };
    let style = Style::new().fg_color(Some(color.into()));
    let (kernel, implementation) = (checked.kernel, checked.implementation);
    let (first, second) = (widths.kernel, widths.implementation);
    let mut text = format!("{style}{word:7}{style:#}  {kernel:first$}  {implementation:second$}  ");
    // Writing to a String cannot fail.
    let _ = match &checked.outcome {
        Outcome::Passed { answers, random } => {
            let s = if *answers == 1 { "" } else { "s" };
            write!(
                text,
                "{answers} known answer{s}, {random} results from random inputs"
            )
        }
        Outcome::Skipped { missing } => write!(text, "this CPU lacks {missing}"),
        Outcome::Failed(mismatch) => write!(text, "{}", told(mismatch)),
    };
    text
}

fn told(wrong: &Mismatch) -> String {
    let against = match wrong.against {
        Against::KnownAnswer => "the standard's example",
        Against::Portable => "the portable implementation",
    };
    let differs = wrong.expected.iter().zip(&wrong.found);
    let at = differs.take_while(|(a, b)| a == b).count();
    // Long outputs are shown from a little before the first difference on.
    let from = match wrong.expected.len() > BYTES {
        true => at.saturating_sub(4),
        false => 0,
    };
    let place = match from {
        0 => String::new(),
        from => format!(" from byte {from} on"),
    };
    format!(
        "{}, {}, against {against}:\n  expected{place} {}\n  found{place} {}",
        wrong.check,
        wrong.input,
        hex(&wrong.expected, from),
        hex(&wrong.found, from)
    )
}

fn hex(bytes: &[u8], from: usize) -> String {
    let shown = bytes.iter().skip(from).take(BYTES);
    let text = shown.fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });
    match (text.is_empty(), bytes.len() > from + BYTES) {
        (true, _) => "nothing".to_owned(),
        (false, true) => text + "…",
        (false, false) => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mismatch_names_kernel_implementation_length_and_both_digests() {
        let checked = Checked {
            kernel: "sha256",
            implementation: "sha-ni",
            outcome: Outcome::Failed(Mismatch {
                check: "SHA-256",
                against: Against::Portable,
                input: "129 bytes".to_owned(),
                expected: vec![0xab; 32],
                found: vec![0xcd; 32],
            }),
        };
        let line = line(&checked, Widths::of_all());
        for part in [
            "FAILED",
            "sha256",
            "sha-ni",
            "SHA-256, 129 bytes",
            "the portable",
        ] {
            assert!(line.contains(part), "no `{part}` in {line}");
        }
        assert!(
            line.contains(&format!("expected {}\n", "ab".repeat(32))),
            "{line}"
        );
        assert!(
            line.ends_with(&format!("found {}", "cd".repeat(32))),
            "{line}"
        );
    }

    #[test]
    fn results_stand_below_each_other_whatever_the_names() {
        let widths = Widths::of_all();
        let mut places = std::collections::BTreeSet::new();
        for kernel in SUITES.iter().flat_map(|suite| (suite.kernels)()) {
            for i in 0..kernel.len() {
                let checked = Checked {
                    kernel: kernel.name(),
                    implementation: kernel.info(i).name,
                    outcome: Outcome::Passed {
                        answers: 1,
                        random: 2,
                    },
                };
                let line = line(&checked, widths);
                places.insert(line.find("1 known answer, 2 results"));
            }
        }
        assert_eq!(places.len(), 1, "{places:?}");
        assert!(!places.contains(&None));
    }

    #[test]
    fn long_outputs_are_shown_where_they_differ() {
        let mut found = vec![0; 2048];
        found[1000] = 1;
        let told = told(&Mismatch {
            check: "LtHash",
            against: Against::KnownAnswer,
            input: "5 bytes".to_owned(),
            expected: vec![0; 2048],
            found,
        });
        assert!(told.contains("found from byte 996 on 0000000001"), "{told}");
        assert!(told.ends_with('…') && told.contains("the standard's example"));
        assert_eq!(hex(&[], 0), "nothing");
    }
}
