//! What is measured: tasks at sizes.

use super::KernelError;
use karat_kit::{Size, Suite, Task, Threads};

/// A task at one size, with the suite that it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    pub(super) suite: &'static Suite,
    /// The task.
    pub task: &'static Task,
    /// The size.
    pub size: Size,
}

/// What is wanted.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Only these kernels; all if there are none.
    pub kernels: Vec<String>,
    /// Only these tasks; all of the kernels' if there are none.
    pub tasks: Vec<String>,
    /// Only these sizes; each task's own if there are none.
    pub sizes: Vec<u64>,
    /// Whether tasks with several threads are wanted as well.
    pub threads: bool,
    /// Only a few sizes.
    pub quick: bool,
}

/// Sizes of a quick run, if the task has them; its first one otherwise.
const QUICK: &[u64] = &[64, 1 << 10, 64 << 10];

impl Wanted {
    /// All that is to be measured, in the order of the suites.
    ///
    /// # Errors
    /// When a kernel or a task is not known, or when nothing is left.
    pub fn plans(&self, suites: &[&'static Suite]) -> Result<Vec<Plan>, KernelError> {
        check_names(suites, &self.kernels)?;
        let known: Vec<&str> = suites
            .iter()
            .flat_map(|s| s.tasks)
            .map(|t| t.name)
            .collect();
        if let Some(name) = self.tasks.iter().find(|t| !known.contains(&t.as_str())) {
            return Err(KernelError::UnknownTask {
                name: name.clone(),
                known,
            });
        }
        let plans: Vec<Plan> = suites.iter().flat_map(|s| self.of(s)).collect();
        match plans.is_empty() {
            true => Err(KernelError::NothingLeft),
            false => Ok(plans),
        }
    }

    fn of(&self, suite: &'static Suite) -> Vec<Plan> {
        let among = |names: &[String], name| names.is_empty() || names.iter().any(|n| n == name);
        let named = |t: &&Task| among(&self.kernels, t.kernel) && among(&self.tasks, t.name);
        let threads = |t: &&Task| self.threads || t.threads == Threads::One;
        let mut plans = Vec::new();
        for task in suite.tasks.iter().filter(named).filter(threads) {
            for items in task.items {
                for size in self.sizes(task) {
                    let size = Size {
                        items: *items,
                        size,
                    };
                    plans.push(Plan { suite, task, size });
                }
            }
        }
        plans
    }

    fn sizes(&self, task: &Task) -> Vec<u64> {
        if !self.sizes.is_empty() {
            let fits = self.sizes.iter().filter(|s| **s <= task.most);
            return fits.copied().collect();
        }
        let quick = task.sizes.iter().filter(|s| QUICK.contains(s));
        match (self.quick, quick.clone().count()) {
            (false, _) => task.sizes.to_vec(),
            (true, 0) => task.sizes.iter().take(1).copied().collect(),
            (true, _) => quick.copied().collect(),
        }
    }
}

/// Fails when a name is no kernel's.
///
/// # Errors
/// When a kernel is not known.
pub fn check_names(suites: &[&'static Suite], names: &[String]) -> Result<(), KernelError> {
    let kernels = suites.iter().flat_map(|s| (s.kernels)());
    let known: Vec<&str> = kernels.map(|k| k.name()).collect();
    match names.iter().find(|n| !known.contains(&n.as_str())) {
        Some(name) => Err(KernelError::Unknown {
            name: name.clone(),
            known,
        }),
        None => Ok(()),
    }
}
