//! The end of a process, and signals that would be karat's.

use std::io;
use std::os::fd::{FromRawFd, OwnedFd};

/// A descriptor that becomes readable when the process exits (Linux 5.3).
pub(super) fn pidfd(pid: i32) -> io::Result<OwnedFd> {
    // SAFETY: pidfd_open takes two integers and returns a new descriptor or -1.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made this descriptor for us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

/// Waits for an exited child and takes its accounts, which std does not give.
pub(super) fn reap(pid: i32) -> io::Result<(i32, libc::rusage)> {
    let mut status = 0;
    // SAFETY: rusage is plain numbers, for which all-zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        // SAFETY: both pointers are to live locals of the right type; `pid` is
        // our child, and nobody else waits for it (std's Child never does
        // unless asked).
        let got = unsafe { libc::wait4(pid, &mut status, 0, &mut usage) };
        if got == pid {
            return Ok((status, usage));
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
}

/// Whether this process was started to ignore `signal`, as `nohup` does with SIGHUP.
#[must_use]
pub fn ignores(signal: i32) -> bool {
    // SAFETY: sigaction is numbers and a pointer to a function that is not called,
    // for which all-zero is a value.
    let mut present: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: without a new action, the call only writes to the live local.
    let got = unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut present) };
    got == 0 && present.sa_sigaction == libc::SIG_IGN
}
