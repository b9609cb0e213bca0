//! A function with several implementations, and the choice among them.

mod any;
mod chosen;
#[cfg(test)]
mod tests;
mod unavailable;

pub use any::{AnyKernel, Info};
pub use unavailable::Unavailable;

use crate::{Choice, Identity, IsaSet, Microarchitecture};
use chosen::Chosen;
use core::sync::atomic::{AtomicUsize, Ordering};

/// One implementation of a kernel, for CPUs that have its ISAs.
#[derive(Clone, Copy, Debug)]
pub struct Implementation<F: 'static> {
    name: &'static str,
    isa: IsaSet,
    body: F,
    why: &'static str,
}

impl<F> Implementation<F> {
    /// An implementation called `name` that needs `isa`. `why` says in a few words what
    /// it does and where its speed comes from.
    #[must_use]
    pub const fn new(name: &'static str, isa: IsaSet, body: F, why: &'static str) -> Self {
        Self {
            name,
            isa,
            body,
            why,
        }
    }

    /// Its name, such as `avx2`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The ISAs it needs.
    #[must_use]
    pub const fn isa(&self) -> IsaSet {
        self.isa
    }

    /// What it does, in a few words.
    #[must_use]
    pub const fn why(&self) -> &'static str {
        self.why
    }
}

/// A function with several implementations.
///
/// `F` is a function pointer, or a struct of several that belong together.
///
/// # What the compiler guards
///
/// Only [`Kernel::get`], [`Kernel::body`] and [`Kernel::runnable`] give out bodies, and
/// only those that this CPU can run. The body of an [`Implementation`] is private.
///
/// Where one body needs an ISA, `F` must be an `unsafe fn`. A function with
/// `#[target_feature]` does not fit into a table of safe functions:
///
/// ```compile_fail,E0308
/// # #[cfg(not(target_arch = "x86_64"))] compile_error!("there is no AVX2 here");
/// use karat_cpu::{Implementation, IsaSet, Kernel};
///
/// #[target_feature(enable = "avx2")]
/// fn wide() {}
///
/// static KERNEL: Kernel<fn()> = Kernel::new("k", &[
///     Implementation::new("avx2", IsaSet::of(&["avx2"]), wide, ""),
///     Implementation::new("portable", IsaSet::EMPTY, || (), ""),
/// ]);
/// ```
///
/// For inline assembly the compiler knows no ISA. Declare its function `unsafe`, so that
/// it does not fit either:
///
/// ```compile_fail,E0308
/// use karat_cpu::{Implementation, IsaSet, Kernel};
///
/// unsafe fn assembly() {}
///
/// static KERNEL: Kernel<fn()> = Kernel::new("k", &[
///     Implementation::new("assembly", IsaSet::of(&["avx2"]), assembly, ""),
///     Implementation::new("portable", IsaSet::EMPTY, || (), ""),
/// ]);
/// ```
///
/// A call of what the table gives then needs `unsafe`:
///
/// ```compile_fail,E0133
/// # use karat_cpu::{Implementation, IsaSet, Kernel};
/// static KERNEL: Kernel<unsafe fn()> = Kernel::new("k", &[
///     Implementation::new("portable", IsaSet::EMPTY, || (), ""),
/// ]);
/// (KERNEL.get())();
/// ```
///
/// The table must end with a body that runs everywhere:
///
/// ```compile_fail,E0080
/// # use karat_cpu::{Implementation, IsaSet, Kernel};
/// static KERNEL: Kernel<unsafe fn()> = Kernel::new("k", &[
///     Implementation::new("avx2", IsaSet::of(&["avx2"]), || (), ""),
/// ]);
/// ```
///
/// And nobody takes a body past the check:
///
/// ```compile_fail,E0616
/// # use karat_cpu::{Implementation, IsaSet, Kernel};
/// static KERNEL: Kernel<unsafe fn()> = Kernel::new("k", &[
///     Implementation::new("portable", IsaSet::EMPTY, || (), ""),
/// ]);
/// let body = KERNEL.chosen().body;
/// ```
#[derive(Debug)]
pub struct Kernel<F: 'static> {
    name: &'static str,
    implementations: &'static [Implementation<F>],
    choices: &'static [Choice],
    /// What was chosen, see [`Chosen::pack`]. 0 before the first call.
    chosen: AtomicUsize,
}

impl<F> Kernel<F> {
    /// Creates a kernel. On CPUs without a [`Choice`], the first implementation that can
    /// run is chosen. The last one must need no ISA.
    ///
    /// # Panics
    /// When the last implementation needs an ISA, or when there are more than 254. In a
    /// static that is a compile error.
    #[must_use]
    pub const fn new(name: &'static str, implementations: &'static [Implementation<F>]) -> Self {
        let Some(last) = implementations.last() else {
            panic!("a kernel needs an implementation");
        };
        assert!(
            last.isa.contains_all(IsaSet::EMPTY) && IsaSet::EMPTY.contains_all(last.isa),
            "the last implementation must run everywhere"
        );
        assert!(implementations.len() < 255, "the index has eight bits");
        Self {
            name,
            implementations,
            choices: &[],
            chosen: AtomicUsize::new(0),
        }
    }

    /// The same, but the choice follows measurements: those of `choices` that are for this
    /// kernel.
    ///
    /// # Panics
    /// As [`Kernel::new`].
    #[must_use]
    pub const fn measured(
        name: &'static str,
        choices: &'static [Choice],
        implementations: &'static [Implementation<F>],
    ) -> Self {
        let mut kernel = Self::new(name, implementations);
        kernel.choices = choices;
        kernel
    }

    /// Its name, as in `KARAT_FORCE`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Name and function of each implementation that this CPU can run, in the order of
    /// the table. The last one runs everywhere.
    pub fn runnable(&self) -> impl Iterator<Item = (&'static str, &'static F)> {
        let isas = crate::detect();
        let all = self.implementations.iter();
        all.filter(move |i| isas.contains_all(i.isa))
            .map(|i| (i.name, &i.body))
    }

    /// The function of the chosen implementation. After the first call it costs one
    /// load.
    ///
    /// # Panics
    /// At the first call, when `KARAT_FORCE` names an implementation of this kernel
    /// that does not exist or that this CPU cannot run.
    #[inline]
    pub fn get(&self) -> &'static F {
        // Relaxed, because the index is the only shared data and the table is constant.
        match self.chosen.load(Ordering::Relaxed) {
            0 => &self.implementations[self.choose().usual].body,
            chosen => &self.implementations[Chosen::unpack(chosen).usual].body,
        }
    }

    /// The function of the implementation that is chosen for inputs of `bytes` bytes. It
    /// is for kernels whose best implementation depends on that.
    ///
    /// # Panics
    /// In the same cases as [`Kernel::get`].
    #[inline]
    pub fn get_for(&self, bytes: usize) -> &'static F {
        let chosen = match self.chosen.load(Ordering::Relaxed) {
            0 => self.choose(),
            chosen => Chosen::unpack(chosen),
        };
        let short = bytes <= usize::from(chosen.limit);
        let index = if short { chosen.short } else { chosen.usual };
        &self.implementations[index].body
    }

    /// The chosen implementation.
    ///
    /// # Panics
    /// In the same cases as [`Kernel::get`].
    pub fn chosen(&self) -> &'static Implementation<F> {
        self.get();
        let chosen = self.chosen.load(Ordering::Relaxed);
        &self.implementations[Chosen::unpack(chosen).usual]
    }

    /// What would be chosen on a CPU with these ISAs and this identity, for inputs of
    /// `bytes` bytes. For tests and tables.
    #[must_use]
    pub fn would_choose(&self, isas: IsaSet, cpu: &Identity, bytes: usize) -> &'static str {
        let chosen = self.best(isas, cpu);
        let short = bytes <= usize::from(chosen.limit);
        self.implementations[if short { chosen.short } else { chosen.usual }].name
    }

    /// The function of the implementation called `name`, if this CPU can run it.
    ///
    /// # Errors
    /// When there is no implementation of that name, or the CPU lacks one of its ISAs.
    pub fn body(&self, name: &str) -> Result<&'static F, Unavailable> {
        self.index(name).map(|i| &self.implementations[i].body)
    }

    /// Makes [`Kernel::get`] return the implementation called `name` from now on, in
    /// the whole process. `None` restores karat's own choice. For tests and benchmarks.
    ///
    /// # Errors
    /// In the same cases as [`Kernel::body`]. Then nothing changes.
    pub fn force(&self, name: Option<&str>) -> Result<(), Unavailable> {
        let chosen = match name {
            Some(name) => Chosen::always(self.index(name)?),
            None => self.best(crate::detect(), &crate::identity()),
        };
        self.chosen.store(chosen.pack(), Ordering::Relaxed);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn choose(&self) -> Chosen {
        let chosen = match self.choice() {
            Ok(chosen) => chosen,
            Err(why) => panic!("KARAT_FORCE or KARAT_TUNED: {why}"),
        };
        self.chosen.store(chosen.pack(), Ordering::Relaxed);
        chosen
    }

    /// The implementation that the environment requests, or else the best.
    fn choice(&self) -> Result<Chosen, Unavailable> {
        #[cfg(feature = "std")]
        if let Some(name) = crate::requests::forced(self.name) {
            return self.index(&name).map(Chosen::always);
        }
        Ok(self.best(crate::detect(), &crate::identity()))
    }

    /// The fastest by measurements, or else the first, of those that the CPU can run.
    fn best(&self, isas: IsaSet, cpu: &Identity) -> Chosen {
        let all = self.implementations;
        let runs = |i: &Implementation<F>| isas.contains_all(i.isa);
        let fastest = |order: &[&str]| {
            let named = |name: &&str| all.iter().position(|i| i.name == *name && runs(i));
            order.iter().find_map(named)
        };
        let first = all.iter().position(runs).unwrap_or(all.len() - 1);
        let Some(choice) = self.measurement(isas, cpu) else {
            return Chosen::always(first);
        };
        let usual = fastest(choice.order).unwrap_or(first);
        match choice.short {
            Some((limit, order)) => Chosen {
                usual,
                short: fastest(order).unwrap_or(usual),
                limit,
            },
            None => Chosen::always(usual),
        }
    }

    /// The measurements on this design of CPU.
    fn measurement(&self, isas: IsaSet, cpu: &Identity) -> Option<&'static Choice> {
        let design = Microarchitecture::of(cpu, isas)?;
        let mut choices = self.choices.iter();
        choices.find(|c| c.kernel == self.name && c.cpu == design)
    }

    fn index(&self, name: &str) -> Result<usize, Unavailable> {
        let all = self.implementations;
        let lacks = match all.iter().position(|i| i.name == name) {
            Some(index) => {
                let missing = all[index].isa.without(crate::detect());
                if missing == IsaSet::EMPTY {
                    return Ok(index);
                }
                Some(missing)
            }
            None => None,
        };
        Err(Unavailable {
            kernel: self.name,
            known: lacks.map(|missing| {
                let named = all.iter().find(|i| i.name == name);
                (named.map_or("", |i| i.name), missing)
            }),
        })
    }
}
