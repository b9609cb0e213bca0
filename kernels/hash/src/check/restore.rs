//! Choices of all kernels, as they were.

use alloc::vec::Vec;
use karat_cpu::AnyKernel;

/// What every kernel had chosen; chosen again when this is dropped.
pub(super) struct Choices(Vec<&'static str>);

impl Choices {
    pub(super) fn of_now() -> Self {
        let chosen = |kernel: &&dyn AnyKernel| {
            let mut infos = (0..kernel.len()).map(|i| kernel.info(i));
            infos.find(|i| i.chosen).map_or("", |i| i.name)
        };
        Self(crate::kernels().iter().map(chosen).collect())
    }

    /// Makes every kernel use its last body, which runs everywhere.
    pub(super) fn portable() {
        for kernel in crate::kernels() {
            let last = kernel.info(kernel.len() - 1).name;
            // A body without ISAs is never refused.
            let _ = kernel.force(Some(last));
        }
    }

    /// Makes every kernel use what it had chosen.
    pub(super) fn restore(&self) {
        for (kernel, name) in crate::kernels().iter().zip(&self.0) {
            // It was chosen, so this CPU has it.
            let _ = kernel.force(Some(name));
        }
    }
}

impl Drop for Choices {
    fn drop(&mut self) {
        self.restore();
    }
}
