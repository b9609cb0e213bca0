//! Any text is a study or a list of problems that can be shown.
#![no_main]

use karat_model::{diagnostic, study::Study};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Err(problems) = Study::parse(text) {
        assert!(!problems.is_empty());
        let shown = diagnostic::render(&problems, "study.toml", text, false);
        assert!(!shown.is_empty());
    }
});
