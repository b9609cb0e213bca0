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

/// Has the allocator ask the system for each large piece, and give it back when it is freed. By
/// itself it does so only until the first of them was freed, and from then on keeps pieces of
/// that size between what is still used. Without glibc it does nothing.
pub fn map_large() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: mallopt(3) with M_MMAP_THRESHOLD decides of later allocations only.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

/// Bytes of a large piece, as glibc begins with.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 128 << 10;
