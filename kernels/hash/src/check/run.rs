//! Checks one implementation after the other.

use super::batches::{Batch, batches};
use super::restore::Choices;
use super::subjects::{SUBJECTS, Subject};
use alloc::vec::Vec;
use karat_cpu::{AnyKernel, IsaSet};

/// What a result was compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// A known answer of the standard.
    KnownAnswer,
    /// The portable implementations of all kernels.
    Portable,
}

/// A wrong digest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The hash, such as `SHA-256 of many`.
    pub hash: &'static str,
    /// What it was compared with.
    pub against: Against,
    /// Length of the message in bytes. If one result is for all messages, the sum of
    /// their lengths.
    pub length: usize,
    /// The correct digest; empty if there should be none.
    pub expected: Vec<u8>,
    /// The digest of the implementation.
    pub found: Vec<u8>,
}

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All digests were right.
    Passed {
        /// Number of known answers.
        answers: usize,
        /// Number of random messages whose digests were those of the portable
        /// implementation.
        messages: usize,
    },
    /// This CPU cannot run it.
    Skipped {
        /// The ISAs that the CPU lacks.
        missing: IsaSet,
    },
    /// The first wrong digest.
    Failed(Mismatch),
}

/// The check of one implementation of one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Name of the implementation.
    pub implementation: &'static str,
    /// The result.
    pub outcome: Outcome,
}

/// Checks all implementations of `kernel`, one of [`kernels`](crate::kernels). It calls
/// `each` for every implementation, in the order of the kernel's table. `seed` decides
/// the random messages.
///
/// It changes which implementations the whole process uses, and restores the choices at
/// the end. Do not use the kernels for anything else meanwhile.
///
/// # Panics
/// When `kernel` is not from this crate: its correct results are not known.
pub fn check(kernel: &dyn AnyKernel, seed: u64, each: impl FnMut(Checked)) {
    let name = kernel.name();
    let subjects: Vec<&Subject> = SUBJECTS.iter().filter(|s| s.kernel == name).collect();
    assert!(
        !subjects.is_empty(),
        "`{name}` is no kernel of karat-hash; `karat_hash::kernels` has them all"
    );
    check_subjects(kernel, &subjects, seed, each);
}

/// Random messages of a subject, and the portable implementations' digests for each
/// batch.
struct Reference<'a> {
    subject: &'a Subject,
    batches: Vec<Batch>,
    digests: Vec<Vec<Vec<u8>>>,
}

fn check_subjects(
    kernel: &dyn AnyKernel,
    subjects: &[&Subject],
    seed: u64,
    mut each: impl FnMut(Checked),
) {
    let choices = Choices::of_now();
    Choices::portable();
    let references: Vec<Reference<'_>> = subjects
        .iter()
        .map(|subject| {
            let batches = batches(subject.shape, seed);
            let digests = batches.iter().map(|b| (subject.run)(&b.messages()));
            Reference {
                subject,
                digests: digests.collect(),
                batches,
            }
        })
        .collect();
    // Other kernels that this one calls use their normal choice.
    choices.restore();
    for index in 0..kernel.len() {
        let info = kernel.info(index);
        let outcome = match kernel.force(Some(info.name)) {
            Ok(()) => all(&references),
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

/// Compares the results of the implementation that is in force now.
fn all(references: &[Reference<'_>]) -> Outcome {
    let (mut answers, mut messages) = (0, 0);
    for of in references {
        let inputs: Vec<Vec<u8>> = of.subject.known.iter().map(|k| k.message()).collect();
        let inputs: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
        let expected: Vec<Vec<u8>> = of.subject.known.iter().map(|k| k.digest()).collect();
        if !inputs.is_empty() {
            let wrong = first_wrong(of.subject, Against::KnownAnswer, &inputs, &expected);
            if let Some(wrong) = wrong {
                return Outcome::Failed(wrong);
            }
        }
        answers += inputs.len();
        for (batch, expected) in of.batches.iter().zip(&of.digests) {
            let inputs = batch.messages();
            if let Some(wrong) = first_wrong(of.subject, Against::Portable, &inputs, expected) {
                return Outcome::Failed(wrong);
            }
            messages += inputs.len();
        }
    }
    Outcome::Passed { answers, messages }
}

/// Hashes the messages and compares the digests with the expected ones.
fn first_wrong(
    subject: &Subject,
    against: Against,
    inputs: &[&[u8]],
    expected: &[Vec<u8>],
) -> Option<Mismatch> {
    let found = (subject.run)(inputs);
    let nothing = Vec::new();
    let count = found.len().max(expected.len());
    (0..count).find_map(|i| {
        let (right, is) = (
            expected.get(i).unwrap_or(&nothing),
            found.get(i).unwrap_or(&nothing),
        );
        let of_all = inputs.iter().map(|m| m.len()).sum();
        (right != is).then(|| Mismatch {
            hash: subject.name,
            against,
            length: match inputs.len() == count {
                true => inputs[i].len(),
                false => of_all,
            },
            expected: right.clone(),
            found: is.clone(),
        })
    })
}

#[cfg(all(test, feature = "std", not(miri)))]
mod tests {
    use super::super::batches::Shape;
    use super::super::known::{Input, Known};
    use super::*;
    use crate::sha256;
    use alloc::vec;

    static KNOWN: [Known; 1] = [Known(
        Input::Text("abc"),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    )];

    fn wrong_where(wrong: fn(&str, usize) -> bool, known: &'static [Known]) -> Vec<Outcome> {
        // The implementation and the length decide which digests are wrong. A static,
        // because a subject's function is a function pointer.
        static WRONG: std::sync::Mutex<fn(&str, usize) -> bool> =
            std::sync::Mutex::new(|_, _| false);
        *WRONG.lock().unwrap() = wrong;
        let subject = Subject {
            kernel: "sha256",
            name: "SHA-256",
            shape: Shape {
                edges: &[64],
                most: 200,
                many: false,
            },
            run: |messages| {
                let wrong = *WRONG.lock().unwrap();
                let digest = |m: &&[u8]| {
                    let mut digest = sha256::hash(m).to_vec();
                    digest[0] ^= u8::from(wrong(sha256::KERNEL.chosen().name(), m.len()));
                    digest
                };
                messages.iter().map(digest).collect()
            },
            known,
        };
        let mut outcomes = vec![];
        check_subjects(&sha256::KERNEL, &[&subject], 1, |c| {
            outcomes.push(c.outcome)
        });
        outcomes
    }

    /// A single test, because implementations are forced in the whole process.
    #[test]
    fn what_is_wrong_is_found_and_said() {
        let chosen = sha256::KERNEL.chosen().name();
        for outcome in wrong_where(|_, _| false, &KNOWN) {
            assert!(
                matches!(outcome, Outcome::Passed { answers: 1, messages } if messages > 40)
                    || matches!(outcome, Outcome::Skipped { missing } if missing != IsaSet::EMPTY),
                "{outcome:?}"
            );
        }

        let outcomes = wrong_where(|_, length| length == 3, &KNOWN);
        let Some(Outcome::Failed(mismatch)) = outcomes.last() else {
            panic!("{outcomes:?}");
        };
        assert_eq!(
            (mismatch.against, mismatch.length),
            (Against::KnownAnswer, 3)
        );
        assert_eq!(mismatch.expected[..2], [0xba, 0x78]);
        assert_eq!(mismatch.found[..2], [0xbb, 0x78]);

        // Every implementation except the portable one is wrong, at one length.
        let outcomes = wrong_where(|name, length| name != "portable" && length == 129, &[]);
        let (last, others) = outcomes.split_last().unwrap();
        assert!(matches!(last, Outcome::Passed { .. }), "{last:?}");
        for other in others {
            match other {
                Outcome::Skipped { .. } => {}
                Outcome::Failed(m) => {
                    assert_eq!((m.against, m.length), (Against::Portable, 129));
                    assert_eq!(m.expected[0] ^ m.found[0], 1);
                }
                Outcome::Passed { .. } => panic!("{others:?}"),
            }
        }
        assert_eq!(sha256::KERNEL.chosen().name(), chosen, "the choice is back");
    }
}
