//! All that a crate of kernels says about itself.

use crate::{Body, Check, Task, Threads};
use alloc::vec::Vec;
use karat_cpu::AnyKernel;

/// All that a crate of kernels says about itself.
#[derive(Clone, Copy, Debug)]
pub struct Suite {
    /// Name of the crate, without `karat-`.
    pub name: &'static str,
    /// Its kernels. Lists keep this order.
    pub kernels: fn() -> Vec<&'static dyn AnyKernel>,
    /// Kernels of other crates that programs here call, and that a task may compare: what is
    /// faster alone may be slower in them.
    pub uses: fn() -> Vec<&'static dyn AnyKernel>,
    /// What is checked. Each kernel has at least one.
    pub checks: &'static [Check],
    /// What is measured. Each kernel should have one.
    pub tasks: &'static [Task],
}

impl Suite {
    /// The kernel of this name, its own or one that it uses.
    #[must_use]
    pub fn kernel(&self, name: &str) -> Option<&'static dyn AnyKernel> {
        let all = (self.kernels)().into_iter().chain((self.uses)());
        all.into_iter().find(|k| k.name() == name)
    }

    /// What is missing or wrong: kernels without a check or a task, checks and tasks
    /// of unknown kernels, names that occur twice. A suite's own tests assert that
    /// nothing is.
    #[must_use]
    pub fn mistakes(&self) -> Vec<Mistake> {
        let kernels: Vec<&str> = (self.kernels)().iter().map(|k| k.name()).collect();
        let checks = || self.checks.iter().map(|s| s.kernel);
        let tasks = || self.tasks.iter().map(|t| t.kernel);
        let mut found = Vec::new();
        for (at, name) in kernels.iter().copied().enumerate() {
            if kernels[..at].contains(&name) {
                found.push(Mistake::Twice(name));
            }
            if !checks().any(|s| s == name) {
                found.push(Mistake::NotChecked(name));
            }
            if !tasks().any(|t| t == name) {
                found.push(Mistake::NotMeasured(name));
            }
        }
        for name in checks().chain(tasks()) {
            if self.kernel(name).is_none() {
                found.push(Mistake::NoKernel(name));
            }
        }
        for (at, task) in self.tasks.iter().enumerate() {
            if self.tasks[..at].iter().any(|t| t.name == task.name) {
                found.push(Mistake::Twice(task.name));
            }
            if task.sizes.iter().any(|s| *s > task.most) || task.items.is_empty() {
                found.push(Mistake::Sizes(task.name));
            }
            if task.threads == Threads::Dealt && !matches!(task.body, Body::Direct(_)) {
                found.push(Mistake::Dealt(task.name));
            }
        }
        found
    }
}

/// What is wrong with a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A kernel without a check.
    NotChecked(&'static str),
    /// A kernel without a task.
    NotMeasured(&'static str),
    /// A check or a task of a kernel that the suite does not have.
    NoKernel(&'static str),
    /// Two kernels or two tasks have this name.
    Twice(&'static str),
    /// A task has a size above its largest one, or no number of items.
    Sizes(&'static str),
    /// A task is dealt to threads, and has a form of its own that cannot be dealt.
    Dealt(&'static str),
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use karat_cpu::{Implementation, IsaSet, Kernel};

    static KERNEL: Kernel<fn()> = Kernel::new(
        "sum",
        &[Implementation::new("portable", IsaSet::EMPTY, || (), "")],
    );

    #[test]
    fn what_a_suite_lacks_is_named() {
        static SUBJECTS: [Check; 1] = [Check {
            kernel: "product",
            name: "",
            inputs: |_| vec![],
            run: |_| vec![],
            describe: |_, _| alloc::string::String::new(),
            known: || vec![],
        }];
        let suite = Suite {
            name: "toy",
            kernels: || vec![&KERNEL, &KERNEL],
            uses: Vec::new,
            checks: &SUBJECTS,
            tasks: &[],
        };
        let mistakes = suite.mistakes();
        for expected in [
            Mistake::NotChecked("sum"),
            Mistake::NotMeasured("sum"),
            Mistake::Twice("sum"),
            Mistake::NoKernel("product"),
        ] {
            assert!(mistakes.contains(&expected), "{expected:?}: {mistakes:?}");
        }
    }

    #[test]
    #[should_panic(expected = "no kernel `product` in the suite toy; it has sum")]
    fn a_foreign_kernel_is_refused() {
        let suite = Suite {
            name: "toy",
            kernels: || vec![&KERNEL],
            uses: Vec::new,
            checks: &[],
            tasks: &[],
        };
        suite.check("product", 1, |_| ());
    }
}
