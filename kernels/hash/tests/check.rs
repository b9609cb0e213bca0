//! The check that users run, run here.

use karat_hash::check::{Outcome, check};

/// One test for all kernels: `check` forces implementations in the whole process, but
/// always back to what was chosen, and what other tests compute is right with any.
#[test]
#[cfg_attr(miri, ignore = "hashes megabytes")]
fn every_kernel_passes_its_check() {
    for kernel in karat_hash::kernels() {
        let mut checked = 0;
        check(*kernel, 7, |c| {
            checked += 1;
            match &c.outcome {
                Outcome::Passed { answers, messages } => {
                    assert!(*answers > 0 && *messages > 40, "{c:?}");
                }
                Outcome::Skipped { missing } => {
                    println!("SKIPPED {} {}: lacks {missing}", c.kernel, c.implementation);
                }
                Outcome::Failed(_) => panic!("{c:?}"),
            }
        });
        assert_eq!(checked, kernel.len());
    }
}

#[test]
#[should_panic(expected = "no kernel of karat-hash")]
fn a_foreign_kernel_is_refused() {
    static FOREIGN: karat_cpu::Kernel<fn()> = karat_cpu::Kernel::new(
        "foreign",
        &[karat_cpu::Implementation::new(
            "nothing",
            karat_cpu::IsaSet::EMPTY,
            || (),
            "",
        )],
    );
    check(&FOREIGN, 1, |_| ());
}
