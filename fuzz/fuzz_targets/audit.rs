//! Any bytes are audited or refused; nothing panics, hangs or eats memory.
#![no_main]

use karat_audit::{Baseline, Options, audit, gates, leaks};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let expected = ["crate::module::function".to_owned(), "c_function".to_owned()];
    let options = Options {
        expected: &expected,
        baseline: None,
        top_functions: 4,
    };
    // Either answer will do; it must be one.
    let _ = audit(bytes, &options);
    let _ = gates(bytes, &expected);
    if let Ok(baseline) = Baseline::parse("x86-64") {
        let _ = leaks(bytes, &baseline);
    }
});
