//! Digests as text.

/// The bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Compares a result with a published one.
pub fn check(what: &str, got: &[u8], expected: &str) -> Result<(), String> {
    let got = hex(got);
    if got == expected {
        Ok(())
    } else {
        Err(format!("{what}: got {got}, expected {expected}"))
    }
}

/// The bytes 0, 1, 2, ... up to `period` and again.
pub fn counting(length: usize, period: usize) -> Vec<u8> {
    (0..length).map(|i| (i % period) as u8).collect()
}
