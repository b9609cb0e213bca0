//! Functions whose results are checked.

use crate::{Input, Random};
use alloc::string::String;
use alloc::vec::Vec;

/// A function that uses a kernel and whose results are checked.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The kernel whose implementations compute it.
    pub kernel: &'static str,
    /// What it computes, such as `SHA-256 of many`.
    pub name: &'static str,
    /// Random inputs. Their sizes are around those at which an implementation changes
    /// its way: blocks and lanes.
    pub inputs: fn(&mut Random) -> Vec<Input>,
    /// The results: one for each item, or one for all.
    pub run: fn(&Input) -> Vec<Vec<u8>>,
    /// The input of the result with this number in words, such as `129 bytes`. It stands
    /// in the message about a wrong result.
    pub describe: fn(&Input, usize) -> String,
    /// Known answers of the standard.
    pub known: fn() -> Vec<Answer>,
}

/// An input with its correct results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The input.
    pub input: Input,
    /// The results of [`Check::run`].
    pub results: Vec<Vec<u8>>,
}
