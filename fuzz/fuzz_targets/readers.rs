//! Any bytes are measurements or refused; what is read is sound.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::HashSet;

fuzz_target!(|bytes: &[u8]| {
    let _ = karat_readers::recognise(bytes);
    for reader in karat_readers::all() {
        match reader.read(bytes) {
            Ok(read) => {
                assert!(!read.is_empty());
                let mut seen = HashSet::new();
                for m in &read {
                    assert!(seen.insert((&m.name, &m.metric)), "twice: {m:?}");
                    assert!(!m.repetitions.is_empty());
                    assert!(m.repetitions.iter().all(|v| v.is_finite() && *v >= 0.0));
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
});
