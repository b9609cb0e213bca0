//! The atomics of the protocols that are tested in all orders of their steps: those tests
//! compile the same files with other atomics under this name.

pub use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering};
