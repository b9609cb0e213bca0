//! What the allocator keeps of memory that was freed.

/// Gives memory back that was allocated and is free: the allocator keeps it for later, between
/// what is still used, and of what comes next little may fit there. Without glibc it does nothing.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: malloc_trim(3) touches what is free only, and may be called by any thread.
    unsafe {
        libc::malloc_trim(0);
    }
}
