//! The check that users run, run here.

use karat_kit::Outcome;
use karat_vdf::{KERNELS, kit::SUITE};

/// One test for all kernels: the check forces implementations in the whole process.
#[test]
#[cfg_attr(miri, ignore = "takes minutes there")]
fn every_kernel_passes_its_check() {
    for kernel in KERNELS {
        let mut checked = 0;
        SUITE.check(kernel.name(), 7, |c| {
            checked += 1;
            match &c.outcome {
                Outcome::Passed { answers, random } => {
                    assert!(*answers > 0 && *random > 40, "{c:?}");
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
