//! What CPUs have, as sets: of x86-64 and of AArch64. A file has features of one of them only.

use karat_flow::a64::features::{self as arm, Set};
use karat_flow::facts::Facts as X86;
use std::ops::{BitAnd, BitOr, BitOrAssign};

/// A set of features.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord, Debug)]
pub struct Facts {
    x86: X86,
    arm: Set,
}

impl From<X86> for Facts {
    fn from(x86: X86) -> Self {
        Self { x86, arm: 0 }
    }
}

impl BitOr for Facts {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self {
            x86: self.x86 | other.x86,
            arm: self.arm | other.arm,
        }
    }
}

impl BitOrAssign for Facts {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitAnd for Facts {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self {
            x86: self.x86 & other.x86,
            arm: self.arm & other.arm,
        }
    }
}

impl Facts {
    /// Nothing is known.
    pub const NONE: Self = Self {
        x86: X86::NONE,
        arm: 0,
    };

    /// One of x86-64, or of no CPU, by its name.
    #[must_use]
    pub fn named(name: &str) -> Self {
        X86::named(name).into()
    }

    /// Several of x86-64.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        X86::of(names).into()
    }

    /// One of x86-64, if there is one of that name.
    #[must_use]
    pub fn known(name: &str) -> Option<Self> {
        X86::known(name).map(Self::from)
    }

    /// Those of AArch64. What stands for no feature that is told apart is one that nothing implies.
    #[must_use]
    pub fn of_arm(set: Set) -> Self {
        let x86 = match set & arm::OTHER {
            0 => X86::NONE,
            _ => X86::named("another extension"),
        };
        Self {
            x86,
            arm: set & !arm::OTHER,
        }
    }

    /// With everything that follows.
    #[must_use]
    pub fn closed(self) -> Self {
        Self {
            x86: self.x86.closed(),
            arm: arm::implied(self.arm),
        }
    }

    /// With what CPUs that are sold have together.
    #[must_use]
    pub fn together(self) -> Self {
        Self {
            x86: self.x86.together(),
            arm: arm::sold(self.arm),
        }
    }

    /// What of these features `known` does not imply.
    #[must_use]
    pub fn without(self, known: Self) -> Self {
        Self {
            x86: self.x86.without(known.x86),
            arm: self.arm & !arm::implied(known.arm),
        }
    }

    /// Whether it is nothing.
    #[must_use]
    pub fn is_none(self) -> bool {
        self.x86.is_none() && self.arm == 0
    }

    /// Only extensions: not the vendor or a leaf.
    #[must_use]
    pub fn extensions(self) -> Self {
        Self {
            x86: self.x86.extensions(),
            arm: self.arm,
        }
    }

    /// Whether it holds an extension.
    #[must_use]
    pub fn has_extension(self) -> bool {
        self.x86.has_extension() || self.arm != 0
    }

    /// Names of features, without those that others of them imply.
    #[must_use]
    pub fn names(self) -> Vec<String> {
        let mut all = self.x86.names();
        all.extend(arm::names(self.arm));
        all
    }
}
