//! What the C library is to call: before and after a fork, and when the process exits.

use crate::sampling::SAMPLES;
use crate::{arena, checks, config, heap_profile, large, print, stats, thread};
use core::sync::atomic::{AtomicBool, Ordering};

static INSTALLED: AtomicBool = AtomicBool::new(false);

/// Installs the handlers, once. The thread has a heap: this may allocate.
pub fn install() {
    if INSTALLED.swap(true, Ordering::Relaxed) {
        return;
    }
    // SAFETY: the handlers are functions that stay.
    unsafe { libc::pthread_atfork(Some(before_fork), Some(after_fork), Some(after_fork)) };
    if config::STATS.get() > 0 || config::profiled() {
        print::keep_standard_error();
    }
    if config::STATS.get() > 0 {
        // SAFETY: as above.
        unsafe { libc::atexit(stats::at_exit) };
    }
    if config::profiled() {
        // SAFETY: as above.
        unsafe { libc::atexit(heap_profile::at_exit) };
    }
}

/// Nobody is in the middle of what a lock guards when the process forks. Heaps of other
/// threads stay behind in the child as they are: what is in them is lost to it.
extern "C" fn before_fork() {
    SAMPLES.acquire();
    thread::acquire();
    checks::QUARANTINE.acquire();
    large::acquire();
    arena::acquire();
}

extern "C" fn after_fork() {
    arena::release();
    large::release();
    checks::QUARANTINE.release();
    thread::release();
    SAMPLES.release();
}
