//! A lock that allocates nothing and that a fork can hold over: the kernel's futex.

use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicU32, Ordering};

const FREE: u32 = 0;
const HELD: u32 = 1;
/// Held, and somebody may wait in the kernel.
const WAITED_FOR: u32 = 2;

/// A value behind a lock.
pub struct Lock<T> {
    state: AtomicU32,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached through a guard only, and one guard exists at a time.
unsafe impl<T: Send> Sync for Lock<T> {}

/// Who holds the lock.
pub struct Guard<'a, T>(&'a Lock<T>);

impl<T> Lock<T> {
    pub const fn new(value: T) -> Self {
        Self {
            state: AtomicU32::new(FREE),
            value: UnsafeCell::new(value),
        }
    }

    pub fn lock(&self) -> Guard<'_, T> {
        self.acquire();
        Guard(self)
    }

    /// Takes the lock for a fork; [`Lock::release`] in parent and child ends that.
    pub fn acquire(&self) {
        for _ in 0..100 {
            if (self.state)
                .compare_exchange_weak(FREE, HELD, Ordering::Acquire, Ordering::Relaxed)
                .is_ok()
            {
                return;
            }
            core::hint::spin_loop();
        }
        while self.state.swap(WAITED_FOR, Ordering::Acquire) != FREE {
            self.futex(libc::FUTEX_WAIT, WAITED_FOR);
        }
    }

    pub fn release(&self) {
        if self.state.swap(FREE, Ordering::Release) == WAITED_FOR {
            self.futex(libc::FUTEX_WAKE, 1);
        }
    }

    fn futex(&self, operation: i32, value: u32) {
        let errno = crate::sys::errno();
        // SAFETY: the address is of a live 32-bit word, and there is no time-out. A lock
        // that failed to wait is asked again.
        unsafe {
            libc::syscall(
                libc::SYS_futex,
                self.state.as_ptr(),
                operation | libc::FUTEX_PRIVATE_FLAG,
                value,
                core::ptr::null::<libc::timespec>(),
            );
        }
        crate::sys::set_errno(errno);
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the guard holds the lock.
        unsafe { &*self.0.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the guard holds the lock, and there is one guard.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        self.0.release();
    }
}
