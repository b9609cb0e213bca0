//! Functions whose speed is measured.

use crate::{Input, Random};
use alloc::boxed::Box;

/// A function that uses a kernel and whose speed is measured, at several sizes.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// Its name, such as `sha256-many`.
    pub name: &'static str,
    /// The same for people.
    pub title: &'static str,
    /// The kernel whose implementations are compared.
    pub kernel: &'static str,
    /// The name by which peers know it.
    pub peers: &'static str,
    /// What is timed.
    pub body: Body,
    /// Makes the input of a size. It is not timed.
    pub input: fn(&mut Random, Size) -> Input,
    /// Bytes of the result.
    pub result: fn(Size) -> usize,
    /// What a call works through.
    pub work: fn(Size) -> Work,
    /// What a call takes several of, such as `messages`.
    pub item: &'static str,
    /// Numbers of items.
    pub items: &'static [usize],
    /// What the size of an item is counted in.
    pub unit: Unit,
    /// Sizes of an item, unless the user says which, in ascending order.
    pub sizes: &'static [u64],
    /// Largest size for which it is meant.
    pub most: u64,
    /// Who uses threads.
    pub threads: Threads,
}

/// How large the input of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Number of items.
    pub items: usize,
    /// Size of each item, in the task's [`Unit`].
    pub size: u64,
}

/// What the size of an item is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes, in powers of 1024.
    Bytes,
    /// Bits, such as those of an integer.
    Bits,
    /// Things that are not divided, such as leaves.
    Count,
}

/// What a call works through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// So many bytes. Speeds are in bytes per second.
    Bytes(u64),
    /// So many operations. Speeds are in operations per second.
    Operations(u64),
}

/// Who uses threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Nobody.
    One,
    /// The function itself.
    Own,
    /// The caller: items of equal length are dealt out to as many threads as there are
    /// processors. The result must be as many parts of equal length.
    Dealt,
}

/// How a task is computed: by karat or by a peer.
#[derive(Clone, Copy, Debug)]
pub enum Body {
    /// From the input as it is, to the result's bytes.
    Direct(fn(&Input, &mut [u8])),
    /// From and to a form of its own, such as the limbs of a library's integers. Neither
    /// the making of that form nor [`Call::result`] is timed.
    Prepared(fn(&Input) -> Box<dyn Call>),
}

/// A call whose input has been prepared.
pub trait Call {
    /// What is timed. It is called several times and must do the same work each time.
    fn call(&mut self);

    /// The last call's result in bytes, as the task's direct form would write it.
    fn result(&self, out: &mut [u8]);
}
