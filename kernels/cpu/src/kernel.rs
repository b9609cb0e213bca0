//! A function with several implementations, and the choice between them.

use crate::{Identity, IsaSet};
use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};

/// One body of a kernel, for the CPUs that have its ISAs.
#[derive(Clone, Copy, Debug)]
pub struct Implementation<F: 'static> {
    name: &'static str,
    isa: IsaSet,
    body: F,
    why: &'static str,
    avoid: fn(&Identity) -> bool,
}

impl<F> Implementation<F> {
    /// A body called `name` that needs `isa`. `why` says in a few words what it
    /// does and where its speed comes from.
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

    /// The same, not chosen on CPUs for which `avoid` says yes: there an
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

    /// The function, or the functions.
    #[must_use]
    pub const fn body(&self) -> &F {
        &self.body
    }
}

/// A function with several implementations.
///
/// `F` is a function pointer, or a struct of those that belong together. Bodies
/// that need an ISA are `unsafe fn`; what makes a call sound is that only
/// [`Kernel::get`] and [`Kernel::implementation`] hand them out, and neither
/// gives one that this CPU cannot run.
#[derive(Debug)]
pub struct Kernel<F: 'static> {
    name: &'static str,
    implementations: &'static [Implementation<F>],
    /// Index of the chosen implementation plus one; 0 before the first call.
    chosen: AtomicUsize,
}

impl<F> Kernel<F> {
    /// A kernel; `implementations` best first, the last one without ISAs.
    ///
    /// # Panics
    /// When the last implementation needs an ISA; in a static that is a compile
    /// error.
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

    /// Its name, as `KARAT_FORCE` knows it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// All implementations, best first, also those that this CPU lacks.
    #[must_use]
    pub const fn implementations(&self) -> &'static [Implementation<F>] {
        self.implementations
    }

    /// The chosen implementation's function. Costs one load after the first call.
    ///
    /// # Panics
    /// At the first call, when `KARAT_FORCE` names an implementation for this
    /// kernel that does not exist or that this CPU cannot run.
    #[inline]
    pub fn get(&self) -> &'static F {
        // Relaxed: the index is all there is to know, the table is constant.
        match self.chosen.load(Ordering::Relaxed) {
            0 => self.choose(),
            i => &self.implementations[i - 1].body,
        }
    }

    /// The chosen implementation.
    ///
    /// # Panics
    /// As [`Kernel::get`].
    pub fn chosen(&self) -> &'static Implementation<F> {
        self.get();
        &self.implementations[self.chosen.load(Ordering::Relaxed) - 1]
    }

    /// The implementation called `name`, if this CPU can run it.
    ///
    /// # Errors
    /// When there is none of that name, or the CPU lacks an ISA of it.
    pub fn implementation(&self, name: &str) -> Result<&'static Implementation<F>, Unavailable> {
        self.index(name).map(|i| &self.implementations[i])
    }

    /// Makes [`Kernel::get`] give the implementation called `name` from now on,
    /// in the whole process; `None` goes back to karat's own choice. For tests
    /// and benchmarks.
    ///
    /// # Errors
    /// As [`Kernel::implementation`]; nothing changes then.
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

    /// What the environment wants, or else the best.
    fn choice(&self) -> Result<usize, Unavailable> {
        #[cfg(feature = "std")]
        if let Some(name) = crate::force::wanted(self.name) {
            return self.index(&name);
        }
        Ok(self.best())
    }

    /// The first that this CPU has and should use.
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

/// Why an implementation cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unavailable {
    kernel: &'static str,
    /// Name and missing ISAs of an implementation that exists.
    known: Option<(&'static str, IsaSet)>,
}

impl Unavailable {
    /// The ISAs that the CPU lacks; empty when there is no such implementation.
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

/// What a list shows of one implementation.
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
    /// Whether the CPU has it but something further down is faster on it.
    pub avoided: bool,
    /// Whether calls go to it.
    pub chosen: bool,
}

/// A kernel of any type, for lists, checks and benchmarks.
pub trait AnyKernel: Sync {
    /// Its name.
    fn name(&self) -> &'static str;
    /// How many implementations it has.
    fn len(&self) -> usize;
    /// Whether it has none; it never is.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// One implementation, by its place in the table.
    ///
    /// # Panics
    /// When `index` is not below [`AnyKernel::len`].
    fn info(&self, index: usize) -> Info;
    /// See [`Kernel::force`].
    ///
    /// # Errors
    /// As [`Kernel::force`].
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
        // Not `chosen`, which panics when the environment is wrong: those who want to say what
        // is wrong with it ask here.
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
