//! A few constants that a value may be. Most values are one, which is kept without memory of
//! its own.

use super::features::Set;
use std::ops::Deref;
use std::rc::Rc;

/// One constant that a value may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Alt {
    pub value: u64,
    /// What the CPU has then.
    pub has: Set,
    /// Whether something decided for it that is not understood.
    pub opaque: bool,
}

/// One or more, sorted by their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Alts {
    One(Alt),
    Many(Rc<[Alt]>),
}

impl Deref for Alts {
    type Target = [Alt];

    fn deref(&self) -> &[Alt] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(list) => list,
        }
    }
}

impl From<Vec<Alt>> for Alts {
    fn from(list: Vec<Alt>) -> Self {
        match *list {
            [one] => Self::One(one),
            _ => Self::Many(list.into()),
        }
    }
}

impl Alts {
    /// Each changed.
    pub fn each(&self, change: impl Fn(Alt) -> Alt) -> Self {
        match self {
            Self::One(one) => Self::One(change(*one)),
            Self::Many(list) => Self::Many(list.iter().map(|one| change(*one)).collect()),
        }
    }
}
