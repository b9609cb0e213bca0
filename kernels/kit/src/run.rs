//! Runs the checks, one implementation after the other.

use crate::restore::Choices;
use crate::{Check, Input, Random, Suite};
use alloc::string::String;
use alloc::vec::Vec;
use karat_cpu::IsaSet;

/// What a result was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// A known answer of the standard.
    KnownAnswer,
    /// The portable implementations of all kernels.
    Portable,
}

/// A wrong result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What was computed, such as `SHA-256 of many`.
    pub check: &'static str,
    /// What it was compared with.
    pub against: Against,
    /// The input in words, such as `129 bytes`.
    pub input: String,
    /// The correct result; empty if there should be none.
    pub expected: Vec<u8>,
    /// The result of the implementation.
    pub found: Vec<u8>,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All results were right.
    Passed {
        /// Number of known answers.
        answers: usize,
        /// Number of results from random inputs that were those of the portable
        /// implementation.
        random: usize,
    },
    /// This CPU cannot run it.
    Skipped {
        /// The ISAs that the CPU lacks.
        missing: IsaSet,
    },
    /// The first wrong result.
    Failed(Mismatch),
}

/// The check of one implementation of one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Name of the implementation.
    pub implementation: &'static str,
    /// What was found.
    pub outcome: Outcome,
}

/// Random inputs of a check, and the portable implementations' results for each.
struct Reference<'a> {
    check: &'a Check,
    cases: Vec<(Input, Vec<Vec<u8>>)>,
}

impl Suite {
    /// Checks all implementations of the kernel called `name`. It calls `each` for every
    /// implementation, in the order of the kernel's table. `seed` decides the random
    /// inputs.
    ///
    /// Results are compared with known answers, and with those of the portable
    /// implementations of all kernels of the suite.
    ///
    /// It changes which implementations the whole process uses, and restores the choices
    /// at the end. Do not use the kernels for anything else meanwhile.
    ///
    /// # Panics
    /// When the suite has no kernel of this name.
    pub fn check(&self, name: &str, seed: u64, each: impl FnMut(Checked)) {
        check(self, name, seed, each);
    }
}

fn check(suite: &Suite, name: &str, seed: u64, mut each: impl FnMut(Checked)) {
    let Some(kernel) = suite.kernel(name) else {
        let known: Vec<&str> = (suite.kernels)().iter().map(|k| k.name()).collect();
        panic!(
            "no kernel `{name}` in the suite {}; it has {}",
            suite.name,
            known.join(", ")
        );
    };
    let choices = Choices::of_now((suite.kernels)());
    choices.portable();
    let checks = suite.checks.iter().filter(|s| s.kernel == name);
    let references: Vec<Reference<'_>> = checks.map(|s| reference(s, seed)).collect();
    // Other kernels that this one calls use their normal choice.
    choices.restore();
    for index in 0..kernel.len() {
        let info = kernel.info(index);
        let outcome = match kernel.force(Some(info.name)) {
            Ok(()) => compare(&references),
            Err(unavailable) => Outcome::Skipped {
                missing: unavailable.missing(),
            },
        };
        each(Checked {
            kernel: kernel.name(),
            implementation: info.name,
            outcome,
        });
    }
}

fn reference(check: &Check, seed: u64) -> Reference<'_> {
    let inputs = (check.inputs)(&mut Random::new(seed));
    let with_results = |input: Input| {
        let results = (check.run)(&input);
        (input, results)
    };
    Reference {
        check,
        cases: inputs.into_iter().map(with_results).collect(),
    }
}

/// Compares the results of the implementation that is in force now.
fn compare(references: &[Reference<'_>]) -> Outcome {
    let (mut answers, mut random) = (0, 0);
    for Reference { check, cases } in references {
        for answer in (check.known)() {
            let expected = &answer.results;
            if let Some(wrong) = first_wrong(check, Against::KnownAnswer, &answer.input, expected) {
                return Outcome::Failed(wrong);
            }
            answers += expected.len();
        }
        for (input, expected) in cases {
            if let Some(wrong) = first_wrong(check, Against::Portable, input, expected) {
                return Outcome::Failed(wrong);
            }
            random += expected.len();
        }
    }
    Outcome::Passed { answers, random }
}

/// Computes the results and compares them with the expected ones.
fn first_wrong(
    check: &Check,
    against: Against,
    input: &Input,
    expected: &[Vec<u8>],
) -> Option<Mismatch> {
    let found = (check.run)(input);
    let nothing = Vec::new();
    let count = found.len().max(expected.len());
    (0..count).find_map(|i| {
        let right = expected.get(i).unwrap_or(&nothing);
        let is = found.get(i).unwrap_or(&nothing);
        (right != is || i >= expected.len() || i >= found.len()).then(|| Mismatch {
            check: check.name,
            against,
            input: (check.describe)(input, i),
            expected: right.clone(),
            found: is.clone(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Answer;
    use alloc::{format, vec};
    use core::sync::atomic::{AtomicUsize, Ordering};
    use karat_cpu::{AnyKernel, Implementation, Kernel};

    #[cfg(target_arch = "x86_64")]
    const FOREIGN: IsaSet = IsaSet::of(&["sve2"]);
    #[cfg(not(target_arch = "x86_64"))]
    const FOREIGN: IsaSet = IsaSet::of(&["avx512f"]);

    /// Length at which the implementation `quick` is wrong.
    static WRONG: AtomicUsize = AtomicUsize::new(usize::MAX);

    static KERNEL: Kernel<fn(&[u8]) -> u8> = Kernel::new(
        "length",
        &[
            Implementation::new("foreign", FOREIGN, plain, ""),
            Implementation::new(
                "quick",
                IsaSet::EMPTY,
                |bytes| plain(bytes) ^ u8::from(bytes.len() == WRONG.load(Ordering::Relaxed)),
                "",
            ),
            Implementation::new("portable", IsaSet::EMPTY, plain, ""),
        ],
    );

    fn plain(bytes: &[u8]) -> u8 {
        bytes.len() as u8
    }

    static SUITE: Suite = Suite {
        name: "toy",
        kernels: || vec![&KERNEL],
        uses: Vec::new,
        checks: &[Check {
            kernel: "length",
            name: "length of bytes",
            inputs: |random| (0..50).map(|n| Input::of(random.bytes(n))).collect(),
            run: |input| vec![vec![(KERNEL.get())(&input.bytes)]],
            describe: |input, _| format!("{} bytes", input.bytes.len()),
            known: || {
                vec![Answer {
                    input: Input::of(vec![7; 3]),
                    results: vec![vec![3]],
                }]
            },
        }],
        tasks: &[],
    };

    fn outcomes() -> Vec<Outcome> {
        let mut outcomes = vec![];
        SUITE.check("length", 1, |c| outcomes.push(c.outcome));
        outcomes
    }

    /// A single test, because implementations are forced in the whole process.
    #[test]
    fn what_is_wrong_is_found_and_said() {
        KERNEL.force(Some("quick")).unwrap();
        let passed = Outcome::Passed {
            answers: 1,
            random: 50,
        };
        let skipped = Outcome::Skipped { missing: FOREIGN };
        assert_eq!(
            outcomes(),
            [skipped.clone(), passed.clone(), passed.clone()]
        );

        for (length, against) in [(3, Against::KnownAnswer), (33, Against::Portable)] {
            WRONG.store(length, Ordering::Relaxed);
            let failed = Outcome::Failed(Mismatch {
                check: "length of bytes",
                against,
                input: format!("{length} bytes"),
                expected: vec![length as u8],
                found: vec![length as u8 ^ 1],
            });
            assert_eq!(outcomes(), [skipped.clone(), failed, passed.clone()]);
        }
        assert_eq!(KERNEL.chosen().name(), "quick", "the choice is back");
        assert!(KERNEL.info(1).chosen);
    }

    #[test]
    fn a_result_too_few_or_too_many_is_wrong() {
        let check = &SUITE.checks[0];
        let input = Input::of(vec![0; 9]);
        for expected in [vec![], vec![vec![9], vec![]]] {
            assert!(first_wrong(check, Against::Portable, &input, &expected).is_some());
        }
        let right = [vec![9]];
        assert_eq!(first_wrong(check, Against::Portable, &input, &right), None);
    }
}
