//! Saves and restores the chosen implementations of kernels.

use alloc::vec::Vec;
use karat_cpu::AnyKernel;

/// Kernels and the implementation that each had. It is chosen again when this value is
/// dropped.
pub struct Choices(Vec<(&'static dyn AnyKernel, Option<&'static str>)>);

impl Choices {
    /// The choices of now.
    #[must_use]
    pub fn of_now(kernels: Vec<&'static dyn AnyKernel>) -> Self {
        let chosen = |kernel: &'static dyn AnyKernel| {
            let infos = || (0..kernel.len()).map(|i| kernel.info(i));
            // A choice by length is always the kernel's own. It has no one name.
            let by_length = infos().any(|i| i.chosen_up_to.is_some());
            let chosen = infos().find(|i| i.chosen && !by_length);
            (kernel, chosen.map(|i| i.name))
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
            let _ = kernel.force(*name);
        }
    }
}

impl Drop for Choices {
    fn drop(&mut self) {
        self.restore();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::boxed::Box;
    use alloc::vec;
    use karat_cpu::{Choice, Implementation, IsaSet, Kernel, Microarchitecture, detect, identity};

    type Sum = fn() -> u8;

    #[test]
    fn a_choice_by_length_and_a_forced_one_come_back() {
        let Some(cpu) = Microarchitecture::of(&identity(), detect()) else {
            return; // Only a design with a name can have measurements.
        };
        let choices = vec![Choice {
            kernel: "sum",
            cpu,
            order: &["long"],
            short: Some((64, &["short"])),
            evidence: "a record",
        }];
        let table = vec![
            Implementation::new("short", IsaSet::EMPTY, (|| 1) as Sum, ""),
            Implementation::new("long", IsaSet::EMPTY, || 2, ""),
        ];
        let kernel: &'static Kernel<Sum> = Box::leak(Box::new(Kernel::measured(
            "sum",
            choices.leak(),
            table.leak(),
        )));
        let calls = || (kernel.get_for(64)(), kernel.get_for(65)());
        for forced in [None, Some("short")] {
            kernel.force(forced).unwrap();
            let before = calls();
            let saved = Choices::of_now(vec![kernel]);
            saved.portable();
            assert_eq!(calls(), (2, 2));
            drop(saved);
            assert_eq!(calls(), before);
        }
        kernel.force(None).unwrap();
        assert_eq!(calls(), (1, 2));
    }
}
