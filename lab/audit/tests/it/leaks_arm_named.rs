//! Kernels that AArch64's libraries export, for callers who asked, as their names say.

use crate::leaks_arm::library;
use karat_model::leaks::{Certainty, Reach};

/// A kernel that callers choose by its name, and what it calls.
const NAMED: &str = r#"
    static __attribute__((noinline)) int help(int *a) {
        __asm__ volatile("sdot v0.4s, v1.16b, v2.16b" : : : "v0", "memory");
        return a[0];
    }
    int NAME(int *a) { return help(a) + 1; }
"#;

#[test]
fn who_calls_a_function_that_names_what_it_needs_has_asked() {
    for (name, reach) in [
        ("-DNAME=sum_neon_dotprod", Reach::Exported),
        ("-DNAME=sum_sve", Reach::Leak),
        ("-DNAME=sum", Reach::Leak),
    ] {
        let Some(report) = library(NAMED, &[name]) else {
            return;
        };
        let [help] = &report.functions[..] else {
            panic!("{report:#?}");
        };
        assert_eq!(
            (help.reach, help.confidence),
            (reach, Certainty::Medium),
            "{name}: {help:#?}"
        );
    }
}
