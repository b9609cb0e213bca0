//! What happens when the kernel refuses: at every call that maps memory, in turn.

use crate::forks::in_child;
use karat_alloc::{Profile, c, set_profile, testing};

/// Blocks of all kinds, as far as there is memory; each is written to and freed.
fn work() {
    let mut blocks = [core::ptr::null_mut::<u8>(); 64];
    let sizes = [10, 900, 3000, 30_000, 50_000, 300_000, 5 << 20, 40 << 20];
    for (index, slot) in blocks.iter_mut().enumerate() {
        let bytes = sizes[index % sizes.len()];
        *slot = match index % 5 {
            0 => c::aligned(bytes, 1 << (index % 20)),
            1 => c::calloc(1, bytes),
            _ => c::malloc(bytes),
        };
        if !slot.is_null() {
            // SAFETY: the block has these bytes.
            unsafe {
                slot.write(1);
                slot.add(bytes - 1).write(2);
            }
        }
    }
    for (index, slot) in blocks
        .iter_mut()
        .enumerate()
        .filter(|(_, slot)| !slot.is_null())
    {
        // SAFETY: the block is this function's; it stays where it cannot grow.
        unsafe {
            let grown = c::realloc(*slot, sizes[(index + 3) % sizes.len()]);
            let now = if grown.is_null() { *slot } else { grown };
            assert_eq!(now.read(), 1);
            c::free(now);
        }
    }
    c::trim();
}

/// Every call that the work makes is refused in turn: it alone, or all from there on.
#[test]
fn any_call_may_be_refused() {
    for count in [1, i64::MAX] {
        let mut after = 0;
        while goes_on_without(after, count) {
            after += 1;
        }
        // As many as the work makes: fewer would mean that it makes none of some kind.
        assert!(after > 30, "{after} calls could be refused");
    }
}

/// A child works without some calls; then all succeed, and nothing may be broken. False: the
/// work needed none of them.
fn goes_on_without(after: i64, count: i64) -> bool {
    const NONE_NEEDED: i32 = 9;
    let status = in_child(|| {
        testing::refuse_mappings(after, count);
        work();
        let refused = testing::allow_mappings();
        work();
        assert!(!c::malloc(50 << 20).is_null());
        if !refused {
            // SAFETY: ends the child.
            unsafe { libc::_exit(NONE_NEEDED) };
        }
    });
    let none_needed = libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == NONE_NEEDED;
    assert!(
        status == 0 || none_needed,
        "{status:#x}: after {after} calls, {count} refused"
    );
    !none_needed
}

/// Small blocks until nothing is left.
#[test]
fn a_heap_that_cannot_grow_says_so() {
    let status = in_child(|| {
        testing::refuse_mappings(0, i64::MAX);
        let mut got = 0_usize;
        let mut last = core::ptr::null_mut::<*mut u8>();
        loop {
            let block = c::malloc(1000).cast::<*mut u8>();
            if block.is_null() {
                break;
            }
            // SAFETY: the block has room for a pointer.
            unsafe { block.write(last.cast()) };
            last = block;
            got += 1;
        }
        // SAFETY: the address is this thread's.
        assert_eq!(unsafe { *libc::__errno_location() }, libc::ENOMEM);
        while !last.is_null() {
            // SAFETY: each block holds the one before it.
            unsafe {
                let before = last.read().cast();
                c::free(last.cast());
                last = before;
            }
        }
        // What was freed can be had again.
        let again = (0..got / 2).all(|_| !c::malloc(1000).is_null());
        assert!(got > 0 && again);
    });
    assert_eq!(status, 0);
}

/// A filter that answers some system calls with `EPERM`, as containers have them; false where
/// there are no filters, as under QEMU.
fn forbid(calls: [libc::c_long; 2]) -> bool {
    const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
    const EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    let step = |code, jt, jf, k| libc::sock_filter { code, jt, jf, k };
    let refuse = libc::SECCOMP_RET_ERRNO | libc::EPERM as u32;
    let mut filter = [
        // The number of the call is the first word of what a filter sees.
        step(LOAD, 0, 0, 0),
        step(EQUAL, 1, 0, calls[0] as u32),
        step(EQUAL, 0, 1, calls[1] as u32),
        step(RETURN, 0, 0, refuse),
        step(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog {
        len: filter.len() as u16,
        filter: filter.as_mut_ptr(),
    };
    // SAFETY: the filter is valid, and holds for this child alone.
    unsafe {
        assert_eq!(
            libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1_u64, 0_u64, 0_u64, 0_u64),
            0
        );
        let mode = u64::from(libc::SECCOMP_MODE_FILTER);
        let set = libc::prctl(libc::PR_SET_SECCOMP, mode, &raw const program);
        let why = std::io::Error::last_os_error();
        let none = why.raw_os_error() == Some(libc::EINVAL);
        assert!(set == 0 || none, "{why}");
        set == 0
    }
}

/// What cannot be moved is copied, and what cannot be given back stays.
#[test]
fn a_filter_without_mremap_and_madvise_is_no_harm() {
    for profile in [Profile::Speed, Profile::Balanced] {
        let status = in_child(|| {
            set_profile(profile);
            if !forbid([libc::SYS_mremap, libc::SYS_madvise]) {
                println!("SKIPPED: this system has no filters of system calls");
                return;
            }
            // SAFETY: asks for what the filter refuses.
            let refused = unsafe { libc::madvise(core::ptr::null_mut(), 0, libc::MADV_DONTNEED) };
            assert_eq!(refused, -1);
            for _ in 0..3 {
                work();
            }
            let blocks: Vec<Vec<u8>> = (0..50_000).map(|i| vec![1; 16 + i * 7 % 1024]).collect();
            drop(blocks);
            assert!(!c::trim());
        });
        assert_eq!(status, 0, "{profile:?}");
    }
}
