//! A process that outlives karat by a moment.
//!
//! When karat is killed at once (SIGKILL, the out-of-memory killer), nothing in it
//! can end the program that it measures, which has a process group of its own and
//! would run on. The guard is a copy of karat that sleeps in a read from a pipe
//! whose other end only karat holds: it uses no processor until karat is gone. Then
//! it kills the groups of the programs under way.
//!
//! `PR_SET_PDEATHSIG` would reach the program but not its children, would have to be
//! set between fork and exec, which makes std fork karat for every run instead of
//! sharing its memory, and is void for programs with privileges of their own.
//!
//! What remains: after karat is killed, a process that the program has moved to a
//! session of its own runs on, since no group and no parent tells whose it was.

use std::io;
use std::os::fd::{AsRawFd, IntoRawFd};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// Programs that can be watched at a time; one a thread that starts programs.
const SLOTS: usize = 1024;

/// How long karat waits at its own end for the guard's.
const FAREWELL: u32 = 100;

struct Guard {
    pid: i32,
    /// Process groups, 0 where there is none; shared with the guard.
    slots: &'static [AtomicI32],
    /// Its closing ends the guard's sleep.
    alive: i32,
}

static GUARD: OnceLock<Option<Guard>> = OnceLock::new();

/// Starts the guard, once in a process; its number if there is one.
pub(super) fn start() -> Option<i32> {
    let guard = GUARD.get_or_init(|| Guard::start().ok());
    guard.as_ref().map(|g| g.pid)
}

/// From now on the group of `pid` does not outlive karat.
pub(super) fn watch(pid: i32) {
    replace(0, pid);
}

/// The group is gone.
pub(super) fn forget(pid: i32) {
    replace(pid, 0);
}

fn replace(old: i32, new: i32) {
    let Some(Some(guard)) = GUARD.get() else {
        return;
    };
    let done = |s: &AtomicI32| {
        s.compare_exchange(old, new, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    };
    let _ = guard.slots.iter().any(done);
}

impl Guard {
    fn start() -> io::Result<Self> {
        let slots = shared_slots()?;
        let (reader, writer) = io::pipe()?;
        // SAFETY: the child calls `sleep_until_the_end` and nothing else, which makes
        // system calls only: what other threads held when it was forked is not
        // touched.
        let pid = unsafe { libc::fork() };
        match pid {
            -1 => return Err(io::Error::last_os_error()),
            0 => sleep_until_the_end(reader.as_raw_fd(), slots),
            _ => {}
        }
        // SAFETY: the function is `extern "C"`, without arguments, and lives as long
        // as the program.
        unsafe { libc::atexit(farewell) };
        Ok(Self {
            pid,
            slots,
            alive: writer.into_raw_fd(),
        })
    }
}

/// Memory of this process and of the copy to come.
fn shared_slots() -> io::Result<&'static [AtomicI32]> {
    let bytes = SLOTS * size_of::<AtomicI32>();
    // SAFETY: a new anonymous mapping touches nothing that exists.
    let at = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    if at == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the mapping is page-aligned, zeroed, `bytes` long and never unmapped;
    // zero is a value of AtomicI32, and all access to it is atomic.
    Ok(unsafe { std::slice::from_raw_parts(at.cast::<AtomicI32>(), SLOTS) })
}

/// The guard's whole life.
fn sleep_until_the_end(pipe: i32, slots: &[AtomicI32]) -> ! {
    // SAFETY: system calls on numbers, on a local buffer of one byte and on a local
    // set of signals; no allocation, no lock, and no return.
    unsafe {
        // Signals to karat's group and its terminal's end are not for the guard.
        libc::setsid();
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const all, std::ptr::null_mut());
        libc::prctl(libc::PR_SET_NAME, c"karat-guard".as_ptr());
        // Hold nothing open that others wait for, nor a folder.
        libc::dup2(pipe, 0);
        if libc::syscall(libc::SYS_close_range, 1, u32::MAX, 0) != 0 {
            (1..1024).for_each(|fd| {
                libc::close(fd);
            });
        }
        libc::chdir(c"/".as_ptr());
        let mut byte = 0_u8;
        // With all signals blocked nothing but the end ends this.
        let end = libc::read(0, (&raw mut byte).cast(), 1);
        for slot in slots.iter().filter(|_| end == 0) {
            let group = slot.load(Ordering::Acquire);
            if group > 0 {
                libc::kill(-group, libc::SIGKILL);
                // It may have joined another group.
                libc::kill(group, libc::SIGKILL);
            }
        }
        libc::_exit(0)
    }
}

/// At karat's orderly end: the guard's, which is waited for lest a container
/// whose first process waits for nobody collects them.
extern "C" fn farewell() {
    let Some(Some(guard)) = GUARD.get() else {
        return;
    };
    // SAFETY: the descriptor is the guard's own and closed once: atexit calls this
    // once. waitpid gets a child's number and no pointer.
    unsafe {
        libc::close(guard.alive);
        for _ in 0..FAREWELL {
            if libc::waitpid(guard.pid, std::ptr::null_mut(), libc::WNOHANG) != 0 {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
