//! What a scan is asked.

use karat_model::scan::Flags;
use std::path::Path;

/// What the scan is about.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Files below it are named relative to it.
    pub base: &'a Path,
    /// The target, the flags, and where they come from; `features` is filled in.
    pub flags: &'a Flags,
    /// Output of `rustc --print cfg` with the target and the flags.
    pub cfg: &'a str,
    /// Also list code for other targets and under features that are off.
    pub everywhere: bool,
    /// Threads; at least one.
    pub threads: usize,
}
