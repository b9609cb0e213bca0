//! Kernels of any type of function, side by side.

use super::{Chosen, Kernel, Unavailable};
use crate::{Identity, IsaSet};
use core::sync::atomic::Ordering;

/// What a list shows about an implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// Its name.
    pub name: &'static str,
    /// The ISAs it needs.
    pub isa: IsaSet,
    /// What it does.
    pub why: &'static str,
    /// The ISAs that this CPU lacks for it.
    pub missing: IsaSet,
    /// Whether it is the chosen implementation.
    pub chosen: bool,
    /// Whether it is the chosen implementation for inputs of at most so many bytes.
    pub chosen_up_to: Option<u16>,
    /// The record that says how fast it is on this CPU, or the table of a model in
    /// `records/models/`.
    pub evidence: Option<&'static str>,
}

/// A kernel with any type of function, for lists, checks and benchmarks.
pub trait AnyKernel: Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// Number of implementations.
    fn len(&self) -> usize;
    /// Whether there are no implementations. This is always false.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The implementation at this index in the table.
    ///
    /// # Panics
    /// When `index` is not below [`AnyKernel::len`].
    fn info(&self, index: usize) -> Info;
    /// See [`Kernel::force`].
    ///
    /// # Errors
    /// In the same cases as [`Kernel::force`].
    fn force(&self, name: Option<&str>) -> Result<(), Unavailable>;
    /// Whether records choose on some CPU; else the first implementation that can run is
    /// chosen on all.
    fn is_measured(&self) -> bool;
    /// See [`Kernel::would_choose`].
    fn would_choose(&self, isas: IsaSet, cpu: &Identity, bytes: usize) -> &'static str;
}

impl<F: Sync> AnyKernel for Kernel<F> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn len(&self) -> usize {
        self.implementations.len()
    }

    fn info(&self, index: usize) -> Info {
        let i = &self.implementations[index];
        // Not `chosen`, which panics when `KARAT_FORCE` is wrong. Programs that report
        // such a mistake call this function.
        let chosen = match self.chosen.load(Ordering::Relaxed) {
            0 => self.choice().ok(),
            chosen => Some(Chosen::unpack(chosen)),
        };
        let up_to = chosen.filter(|c| c.limit > 0 && c.short == index);
        let measured = self.measurement(crate::detect(), &crate::identity());
        Info {
            name: i.name,
            isa: i.isa,
            why: i.why,
            missing: i.isa.without(crate::detect()),
            chosen: chosen.is_some_and(|c| c.usual == index),
            chosen_up_to: up_to.map(|c| c.limit),
            evidence: measured
                .filter(|c| c.order.contains(&i.name))
                .map(|c| c.evidence),
        }
    }

    fn force(&self, name: Option<&str>) -> Result<(), Unavailable> {
        Self::force(self, name)
    }

    fn is_measured(&self) -> bool {
        !self.choices.is_empty()
    }

    fn would_choose(&self, isas: IsaSet, cpu: &Identity, bytes: usize) -> &'static str {
        Self::would_choose(self, isas, cpu, bytes)
    }
}
