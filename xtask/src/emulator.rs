//! What runs programs for AArch64 on other machines.

use crate::command::starts;

const EMULATORS: [&str; 2] = ["qemu-aarch64-static", "qemu-aarch64"];

/// The one that is installed, if any.
pub fn emulator() -> Option<&'static str> {
    EMULATORS.into_iter().find(|e| starts(e))
}
