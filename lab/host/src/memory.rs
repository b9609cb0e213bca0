//! Memory that this process holds and does not need: what the allocator keeps of what was freed,
//! and code that was executed and is not executed again.

use std::sync::atomic::{AtomicBool, Ordering};

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
/// that size between what is still used. Without glibc it does nothing. For a command only, whose
/// process this is: see [`let_go_code`] too.
pub fn map_large() {
    IS_OWN.store(true, Ordering::Relaxed);
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: mallopt(3) with M_MMAP_THRESHOLD decides of later allocations only.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
}

/// Whether the whole process is karat's.
static IS_OWN: AtomicBool = AtomicBool::new(false);

/// Bytes of a large piece, as glibc begins with.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: libc::c_int = 128 << 10;

/// Gives the memory back that holds code and constants of this program and of its libraries: what
/// is used again comes from their files again, at the price of page faults. Of a program that
/// does one thing after another most is not. Without Linux it does nothing, nor in a process where
/// [`map_large`] was not called: what else runs there may patch code at that moment.
pub fn let_go_code() {
    if !IS_OWN.load(Ordering::Relaxed) {
        return;
    }
    #[cfg(target_os = "linux")]
    for (from, to) in std::fs::read_to_string("/proc/self/smaps")
        .iter()
        .flat_map(|all| unwritten(all))
    {
        let from = std::ptr::without_provenance_mut(from);
        // SAFETY: madvise(2), MADV_DONTNEED: the pages of a private mapping of a file that has
        // none of its own, and cannot be written to, are mapped anew when they are touched, with
        // what the file has, as before.
        unsafe {
            libc::madvise(from, to - from.addr(), libc::MADV_DONTNEED);
        }
    }
}

/// Mappings (proc(5), *smaps*) of files that nobody can write to, and that no page was
/// written to before: what was relocated, or has a debugger's breakpoint, would be lost.
#[cfg(target_os = "linux")]
fn unwritten(smaps: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open = None;
    for line in smaps.lines() {
        let mut words = line.split_ascii_whitespace();
        let first = words.next().unwrap_or_default();
        if first == "Anonymous:" {
            found.extend(open.take().filter(|_| words.next() == Some("0")));
        } else if let Some((from, to)) = first.split_once('-') {
            let address = |text| usize::from_str_radix(text, 16).ok();
            let kind = words.next().unwrap_or_default();
            // Offset and device are between.
            let is_file = words.nth(2).is_some_and(|inode| inode != "0");
            let is_one = is_file && matches!(kind.as_bytes(), [b'r', b'-', _, b'p', ..]);
            open = address(from).zip(address(to)).filter(|_| is_one);
        }
    }
    found
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    const SMAPS: &str = "\
1000-3000 r-xp 00001000 fe:00 42 /bin/karat
Rss: 8 kB
Anonymous: 0 kB
3000-4000 r--p 00003000 fe:00 42 /bin/karat
Anonymous: 4 kB
4000-5000 rw-p 00004000 fe:00 42 /bin/karat
Anonymous: 0 kB
5000-6000 r--s 00000000 fe:00 43 /tmp/audited
Anonymous: 0 kB
6000-7000 r--p 00000000 00:00 0 [vvar]
Anonymous: 0 kB
8000-a000 r--p 00000000 fe:00 44 /lib/a file
Anonymous: 0 kB
";

    #[test]
    fn what_nobody_wrote_to_is_given_back() {
        assert_eq!(unwritten(SMAPS), [(0x1000, 0x3000), (0x8000, 0xa000)]);
    }

    /// What was relocated, which the second mapping here is, stays as it is.
    #[test]
    fn code_and_constants_are_there_again() {
        static NAMES: [&str; 3] = ["one", "two", "three"];
        let before: Vec<&str> = std::hint::black_box(&NAMES).to_vec();
        map_large();
        let_go_code();
        assert_eq!(std::hint::black_box(&NAMES).to_vec(), before);
        assert_eq!(format!("{:?}", before), "[\"one\", \"two\", \"three\"]");
    }
}
