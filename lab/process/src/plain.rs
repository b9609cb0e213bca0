//! Starts without accounts: short questions to tools, programs that karat talks with,
//! karat's place taken by another program, and programs with fixed addresses.

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Output, Stdio};

/// Runs a command to its end and gives its output. Without a time-out: for tools that
/// answer at once.
///
/// # Errors
/// When it cannot be started or waited for.
pub fn output(command: &mut Command) -> io::Result<Output> {
    command.output()
}

/// Starts a program whose standard input and output are pipes to karat, for as long as
/// the two talk. It is for the caller to end it and to wait for it.
///
/// # Errors
/// When it cannot be started.
pub fn start_piped(command: &mut Command) -> io::Result<Child> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
}

/// Becomes the program and does not return; returns the error if it cannot.
pub fn become_program(command: &mut Command) -> io::Error {
    command.exec()
}

/// Lets `command` start its program without randomised addresses. Where the system
/// forbids it, starting fails.
pub fn fix_addresses(command: &mut Command) {
    // SAFETY: the closure runs between fork and exec, where only
    // async-signal-safe work is allowed; it makes two system calls, reads
    // errno, and neither allocates nor takes a lock.
    unsafe {
        command.pre_exec(|| {
            // All ones ask for the present value (personality(2)).
            let now = libc::personality(0xffff_ffff);
            if now == -1 {
                return Err(io::Error::last_os_error());
            }
            let wanted = now | libc::ADDR_NO_RANDOMIZE;
            if libc::personality(wanted as libc::c_ulong) == -1 {
                return Err(io::Error::last_os_error());
            }
            Ok(())
        });
    }
}
