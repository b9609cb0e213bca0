//! The end of a process and of what it left behind.

use nix::errno::Errno;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::io;
use std::os::fd::{FromRawFd, OwnedFd};
use std::sync::Once;
use std::time::{Duration, Instant};

/// A killed process is gone in microseconds, unless it waits for a device or has
/// much memory to give back.
const LONGEST_DEATH: Duration = Duration::from_secs(1);

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

/// Makes orphans among karat's descendants karat's own children, so that they can
/// be waited for. Holds for the whole process, and is done once.
///
/// A program's daemon, which has left its process group, becomes karat's child
/// too, and stays in the process table from its end to karat's.
pub(super) fn adopt_orphans() {
    static ONCE: Once = Once::new();
    // Without it (Linux before 3.4) nothing is counted; killed it is all the same.
    ONCE.call_once(|| {
        let _ = nix::sys::prctl::set_child_subreaper(true);
    });
}

/// Waits until nothing of a killed process group runs any more, so that no exit
/// falls into the next measurement, and counts those that the kill ended. The
/// group's first process has been reaped before.
pub(super) fn bury(group: Pid) -> u32 {
    let start = Instant::now();
    let mut killed = 0;
    loop {
        let anyone = Pid::from_raw(-group.as_raw());
        match waitpid(anyone, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => {
                if start.elapsed() > LONGEST_DEATH {
                    return killed;
                }
                std::thread::sleep(Duration::from_micros(50));
            }
            Ok(WaitStatus::Signaled(_, Signal::SIGKILL, _)) => killed += 1,
            // Ended before the kill, and nobody had waited for it.
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return killed,
        }
    }
}
