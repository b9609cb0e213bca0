//! What one file holds, before packages and flags are looked at.

use crate::cfg::Cfg;
use karat_model::scan::Class;

/// Where something is: line and column from 1, and bytes of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct At {
    /// First byte.
    pub start: usize,
    /// Byte after the last.
    pub end: usize,
    /// Line of the first.
    pub line: u32,
    /// Column of the first, in characters.
    pub column: u32,
}

impl At {
    /// Of a span of tokens.
    pub fn of(span: proc_macro2::Span) -> Self {
        let (range, start) = (span.byte_range(), span.start());
        Self {
            start: range.start,
            end: range.end,
            line: u32::try_from(start.line).unwrap_or(u32::MAX),
            column: u32::try_from(start.column + 1).unwrap_or(u32::MAX),
        }
    }

    /// The same place, up to byte `end`.
    pub fn until(self, end: usize) -> Self {
        Self { end, ..self }
    }

    /// Whether `other` begins inside.
    pub fn holds(self, other: Self) -> bool {
        (self.start..self.end).contains(&other.start)
    }
}

/// What was found at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A statement or a branch that is there for some features only.
    Guard {
        /// Whether it leaves the function.
        returns: bool,
        /// What takes its place without them.
        otherwise: Vec<At>,
    },
    /// Any other thing that is there for some features only; of a function, its name's
    /// place in the module.
    Conditional {
        /// Whether it is a function.
        function: bool,
    },
    /// `cpufeatures::new!`.
    Cpufeatures,
    /// A detection macro.
    Detection,
    /// Mentions in a macro that was not understood.
    Hidden {
        /// Whether run-time detection is among them.
        detects: bool,
    },
}

/// One place of a file.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub kind: Kind,
    /// Set from `kind` and from what is around it; see `classes`.
    pub class: Class,
    pub at: At,
    pub features: Vec<String>,
    pub condition: Option<Cfg>,
    /// Conditions of everything around it in the file.
    pub within: Vec<Cfg>,
    /// Modules, type and function it is in, below the file's own module.
    pub item: Vec<String>,
    /// How many names of `item` are modules.
    pub modules: usize,
    pub in_macro: Option<String>,
    /// Which function of the file it is in, by a number; 0 outside of all.
    pub function: usize,
}

/// A function that is compiled for features of its own.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub features: Vec<String>,
    /// Modules it is in, below the file's own module.
    pub modules: Vec<String>,
    /// First byte of its `#[target_feature]`.
    pub start: usize,
    /// Whether others may call it, and nothing says how it is inlined.
    pub open: bool,
    pub within: Vec<Cfg>,
}

/// `mod name;`: a file of its own.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    /// Inline modules around it, and its name.
    pub path: Vec<String>,
    /// `#[path = "…"]`.
    pub file: Option<String>,
    pub within: Vec<Cfg>,
}

/// One file.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileScan {
    pub found: Vec<Found>,
    pub kernels: Vec<Kernel>,
    pub declared: Vec<Declared>,
    /// `#![cfg(…)]` of the file itself.
    pub inner: Vec<Cfg>,
}
