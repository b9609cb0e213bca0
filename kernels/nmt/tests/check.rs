//! The check that users run, run here.

use karat_kit::Outcome;
use karat_nmt::kit::SUITE;

/// A process of its own: it forces implementations.
#[test]
#[cfg_attr(miri, ignore = "thousands of hashes")]
fn every_kernel_passes_its_check() {
    for kernel in karat_nmt::kernels() {
        let mut checked = 0;
        SUITE.check(kernel.name(), 7, |c| {
            checked += 1;
            match &c.outcome {
                Outcome::Passed { answers, random } => {
                    assert!(*answers > 1 && *random > 40, "{c:?}");
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
