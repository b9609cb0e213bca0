//! Saves and restores the chosen implementations of kernels.

use alloc::vec::Vec;
use karat_cpu::AnyKernel;

/// Kernels and the implementation that each had. It is chosen again when this value is
/// dropped.
pub(crate) struct Choices(Vec<(&'static dyn AnyKernel, &'static str)>);

impl Choices {
    pub(crate) fn of_now(kernels: Vec<&'static dyn AnyKernel>) -> Self {
        let chosen = |kernel: &'static dyn AnyKernel| {
            let mut infos = (0..kernel.len()).map(|i| kernel.info(i));
            (kernel, infos.find(|i| i.chosen).map_or("", |i| i.name))
        };
        Self(kernels.into_iter().map(chosen).collect())
    }

    /// Makes every kernel use its last implementation, which runs everywhere.
    pub(crate) fn portable(&self) {
        for (kernel, _) in &self.0 {
            let last = kernel.info(kernel.len() - 1).name;
            // An implementation without ISAs is never refused.
            let _ = kernel.force(Some(last));
        }
    }

    /// Makes every kernel use the implementation that was chosen before.
    pub(crate) fn restore(&self) {
        for (kernel, name) in &self.0 {
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
