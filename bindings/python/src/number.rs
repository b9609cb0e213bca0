//! Numbers that are given to functions.

use pyo3::Borrowed;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use std::fmt::Display;
use std::ops::{Bound as End, RangeBounds};

/// A number that was given. One that is no `T` is kept, so that the function can say what it
/// takes: PyO3 names arguments in a TypeError only, and of -1 it says that it "can't convert
/// negative int to unsigned".
#[derive(Clone, Copy)]
pub enum Number<'a, 'py, T> {
    Fits(T),
    Other(Borrowed<'a, 'py, PyAny>),
}

impl<'a, 'py, T> FromPyObject<'a, 'py> for Number<'a, 'py, T>
where
    T: FromPyObject<'a, 'py, Error = PyErr>,
{
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract() {
            Ok(number) => Ok(Self::Fits(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Self::Other(object))
            }
            Err(error) => Err(error),
        }
    }
}

impl<T: PartialOrd + Display + Largest> Number<'_, '_, T> {
    /// The number, if it is one that the argument of this name takes.
    #[inline]
    pub fn within(self, name: &str, allowed: impl RangeBounds<T>) -> PyResult<T> {
        match self {
            Self::Fits(number) if allowed.contains(&number) => Ok(number),
            other => Err(other.refused(name, allowed)),
        }
    }

    #[cold]
    fn refused(self, name: &str, allowed: impl RangeBounds<T>) -> PyErr {
        let (text, below) = match &self {
            Self::Fits(number) => (
                number.to_string(),
                matches!(allowed.start_bound(), End::Included(least) if number < least),
            ),
            Self::Other(object) => (
                // Of thousands of digits Python makes no text.
                object.str().map_or_else(
                    |_| "a number of thousands of digits".to_owned(),
                    |text| text.to_string(),
                ),
                object.lt(0).unwrap_or(false),
            ),
        };
        let range = match (allowed.start_bound(), allowed.end_bound(), below) {
            (End::Included(least), End::Included(most), _) => format!("{least} to {most}"),
            (End::Included(least), _, true) => format!("{least} or more"),
            (..) => format!("at most {}", T::LARGEST),
        };
        crate::errors::value(format!("{name} is {text}: give {range}"))
    }
}

/// Types of numbers.
pub trait Largest {
    /// The largest of them.
    const LARGEST: Self;
}

macro_rules! largest {
    ($($number:ty)*) => {
        $(impl Largest for $number {
            const LARGEST: Self = Self::MAX;
        })*
    };
}

largest!(u8 u32 u64 usize isize);
