//! A function with several implementations, and the choice among them.

use crate::{Identity, IsaSet};
use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};

/// One implementation of a kernel, for CPUs that have its ISAs.
#[derive(Clone, Copy, Debug)]
pub struct Implementation<F: 'static> {
    name: &'static str,
    isa: IsaSet,
    body: F,
    why: &'static str,
    avoid: fn(&Identity) -> bool,
}

impl<F> Implementation<F> {
    /// An implementation called `name` that needs `isa`. `why` says in a few words what
    /// it does and where its speed comes from.
    #[must_use]
    pub const fn new(name: &'static str, isa: IsaSet, body: F, why: &'static str) -> Self {
        const fn nowhere(_: &Identity) -> bool {
            false
        }
        Self {
            name,
            isa,
            body,
            why,
            avoid: nowhere,
        }
    }

    /// The same, but not chosen on CPUs for which `avoid` returns true. There an
    /// implementation further down the table was measured to be faster.
    #[must_use]
    pub const fn avoided_on(mut self, avoid: fn(&Identity) -> bool) -> Self {
        self.avoid = avoid;
        self
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
    /// Index of the chosen implementation plus one. 0 before the first call.
    chosen: AtomicUsize,
}

impl<F> Kernel<F> {
    /// Creates a kernel. `implementations` are in order, best first. The last one must
    /// need no ISA.
    ///
    /// # Panics
    /// When the last implementation needs an ISA. In a static that is a compile error.
    #[must_use]
    pub const fn new(name: &'static str, implementations: &'static [Implementation<F>]) -> Self {
        let Some(last) = implementations.last() else {
            panic!("a kernel needs an implementation");
        };
        assert!(
            last.isa.contains_all(IsaSet::EMPTY) && IsaSet::EMPTY.contains_all(last.isa),
            "the last implementation must run everywhere"
        );
        Self {
            name,
            implementations,
            chosen: AtomicUsize::new(0),
        }
    }

    /// Its name, as in `KARAT_FORCE`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Name and function of each implementation that this CPU can run, best first. The
    /// last one runs everywhere.
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
            0 => self.choose(),
            i => &self.implementations[i - 1].body,
        }
    }

    /// The chosen implementation.
    ///
    /// # Panics
    /// In the same cases as [`Kernel::get`].
    pub fn chosen(&self) -> &'static Implementation<F> {
        self.get();
        &self.implementations[self.chosen.load(Ordering::Relaxed) - 1]
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
        let index = match name {
            Some(name) => self.index(name)?,
            None => self.best(),
        };
        self.chosen.store(index + 1, Ordering::Relaxed);
        Ok(())
    }

    #[cold]
    #[inline(never)]
    fn choose(&self) -> &'static F {
        let index = match self.choice() {
            Ok(index) => index,
            Err(why) => panic!("KARAT_FORCE: {why}"),
        };
        self.chosen.store(index + 1, Ordering::Relaxed);
        &self.implementations[index].body
    }

    /// The implementation that the environment requests, or else the best.
    fn choice(&self) -> Result<usize, Unavailable> {
        #[cfg(feature = "std")]
        if let Some(name) = crate::force::wanted(self.name) {
            return self.index(&name);
        }
        Ok(self.best())
    }

    /// The first implementation that this CPU can run and that is not avoided on it.
    fn best(&self) -> usize {
        let isas = crate::detect();
        let cpu = crate::identity();
        let all = self.implementations;
        all.iter()
            .position(|i| isas.contains_all(i.isa) && !(i.avoid)(&cpu))
            .unwrap_or(all.len() - 1)
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

/// Why an implementation is not available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable {
    kernel: &'static str,
    /// Name and missing ISAs, if the implementation exists.
    known: Option<(&'static str, IsaSet)>,
}

impl Unavailable {
    /// The ISAs that the CPU lacks. Empty if there is no such implementation.
    #[must_use]
    pub fn missing(&self) -> IsaSet {
        self.known.map_or(IsaSet::EMPTY, |(_, missing)| missing)
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, .. } = self;
        match self.known {
            Some((name, missing)) => write!(
                f,
                "kernel {kernel}: this CPU cannot run `{name}`, it lacks {missing}"
            ),
            None => write!(
                f,
                "kernel {kernel} has no such implementation; `karat kernels list` shows all"
            ),
        }
    }
}

impl core::error::Error for Unavailable {}

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
    /// Whether the CPU can run it, but an implementation further down is faster there.
    pub avoided: bool,
    /// Whether it is the chosen implementation.
    pub chosen: bool,
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
            chosen => Some(chosen - 1),
        };
        Info {
            name: i.name,
            isa: i.isa,
            why: i.why,
            missing: i.isa.without(crate::detect()),
            avoided: (i.avoid)(&crate::identity()),
            chosen: chosen == Some(index),
        }
    }

    fn force(&self, name: Option<&str>) -> Result<(), Unavailable> {
        Self::force(self, name)
    }
}
