//! Saves and restores the chosen implementations of all kernels.

use alloc::vec::Vec;
use karat_cpu::AnyKernel;

/// The chosen implementation of every kernel. It is chosen again when this value is
/// dropped.
pub(super) struct Choices(Vec<&'static str>);

impl Choices {
    pub(super) fn of_now() -> Self {
        let chosen = |kernel: &&dyn AnyKernel| {
            let mut infos = (0..kernel.len()).map(|i| kernel.info(i));
            infos.find(|i| i.chosen).map_or("", |i| i.name)
        };
        Self(crate::kernels().iter().map(chosen).collect())
    }

    /// Makes every kernel use its last implementation, which runs everywhere.
    pub(super) fn portable() {
        for kernel in crate::kernels() {
            let last = kernel.info(kernel.len() - 1).name;
            // An implementation without ISAs is never refused.
            let _ = kernel.force(Some(last));
        }
    }

    /// Makes every kernel use the implementation that was chosen before.
    pub(super) fn restore(&self) {
        for (kernel, name) in crate::kernels().iter().zip(&self.0) {
            // It was chosen before, so this CPU can run it.
            let _ = kernel.force(Some(name));
        }
    }
}

impl Drop for Choices {
    fn drop(&mut self) {
        self.restore();
    }
}
