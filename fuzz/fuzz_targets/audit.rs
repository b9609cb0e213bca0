//! Any bytes are audited or refused; nothing panics, hangs or eats memory. The
//! second half of an input is also taken for its debug file and its `.dwp` file.
#![no_main]

use karat_audit::{Baseline, Options, audit_file, gates, leaks};
use karat_binary::debug::debug_file::wanted;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let expected = ["a::b::c".to_owned(), "c_function".to_owned()];
    let options = Options {
        expected: &expected,
        top_functions: 4,
        ..Default::default()
    };
    // Either answer will do; it must be one.
    let _ = wanted(bytes);
    let _ = audit_file(bytes, &options);
    let (binary, other) = bytes.split_at(bytes.len() / 2);
    let options = Options {
        debug: Some(other),
        split: &[other],
        ..options
    };
    let _ = audit_file(binary, &options);
    let options = Options {
        debug: None,
        split: &[bytes],
        ..options
    };
    let _ = audit_file(bytes, &options);
    let _ = gates(bytes, &expected);
    if let Ok(baseline) = Baseline::parse("x86-64") {
        let _ = leaks(bytes, &baseline);
    }
});
