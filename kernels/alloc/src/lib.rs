#![doc = include_str!("../README.md")]
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
compile_error!("karat-alloc is for Linux on x86-64 and AArch64");

mod arena;
mod calls;
mod checks;
mod classes;
mod config;
mod fail;
mod front;
mod global;
mod handlers;
mod heap;
mod heap_profile;
mod holding;
mod home;
mod large;
mod lock;
mod memory;
mod meta;
mod path;
mod print;
mod sampling;
mod slab;
#[cfg(test)]
mod slab_tests;
mod slabs;
mod stack;
mod stats;
mod sync;
mod sys;
mod table;
mod thread;
mod tls;

pub use config::{Profile, set_profile};
pub use global::KaratAlloc;
pub use stats::{Statistics, print_statistics, statistics};

/// The calls of C, for the library that a program preloads.
pub mod c {
    pub use crate::calls::{aligned, calloc, free, malloc, realloc, trim, usable};

    /// Ends the process because C++'s `new` found no memory and cannot throw.
    pub fn no_memory_for_new(bytes: usize) -> ! {
        crate::fail::fail(format_args!(
            "no memory for an operator new of {bytes} bytes, and no new-handler"
        ))
    }
}

/// For tests.
#[doc(hidden)]
pub mod testing {
    use crate::{config, holding, sys};
    use core::sync::atomic::Ordering;

    /// Lets so many more calls that change mappings succeed; then so many fail.
    pub fn refuse_mappings(after: i64, count: i64) {
        sys::REFUSED.store(count, Ordering::Relaxed);
        sys::ALLOWED.store(after, Ordering::Relaxed);
    }

    /// Whether freed objects are held, whatever the processor. Threads follow as they next
    /// refill a magazine.
    pub fn hold(yes: bool) {
        holding::choose(yes);
        config::changed();
    }

    /// Lets all succeed again. Says whether one was refused.
    pub fn allow_mappings() -> bool {
        sys::ALLOWED.swap(i64::MAX, Ordering::Relaxed) < 0
    }
}
