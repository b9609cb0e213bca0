//! Starts a command so that it is traced from its first instruction.

use crate::error::TraceError;
use crate::plan::Program;
use crate::sys;
use std::ffi::{CString, OsStr};
use std::io::{self, PipeReader, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::ffi::OsStrExt;

/// A child that is about to call exec.
pub(crate) struct Started {
    pub task: i32,
    /// Has the error number if exec fails; ends when it works.
    refusal: PipeReader,
}

/// Forks a child that waits until it is traced, then becomes the program.
///
/// std's `Command` returns after exec only, when the program already runs; ptrace's
/// older way, by which the child asks to be traced, cannot tell apart a stop by job
/// control.
pub(crate) fn start(program: &Program) -> Result<Started, TraceError> {
    let path = text(&program.program)?;
    let mut arguments = vec![path.clone()];
    for argument in &program.arguments {
        arguments.push(text(argument)?);
    }
    let mut pointers: Vec<_> = arguments.iter().map(|a| a.as_ptr()).collect();
    pointers.push(std::ptr::null());
    let system = |what| move |error| TraceError::System { what, error };
    let (gate, mut opener) = io::pipe().map_err(system("pipe"))?;
    let (refusal, teller) = io::pipe().map_err(system("pipe"))?;
    // SAFETY: the child calls only `become_program`, which neither allocates nor takes a
    // lock, on what was made before.
    let task = unsafe { libc::fork() };
    match task {
        -1 => Err(system("fork")(io::Error::last_os_error())),
        0 => become_program(
            gate.as_raw_fd(),
            opener.as_raw_fd(),
            teller.as_raw_fd(),
            &path,
            &pointers,
        ),
        _ => {
            drop((gate, teller));
            let seized = sys::seize(task).map_err(TraceError::forbidden);
            let opened = match seized {
                Ok(()) => opener.write_all(&[1]).map_err(system("write to the child")),
                Err(error) => Err(error),
            };
            if let Err(error) = opened {
                // At the pipe's end the child exits.
                drop(opener);
                let _ = sys::wait(task);
                return Err(error);
            }
            Ok(Started { task, refusal })
        }
    }
}

impl Started {
    /// Why there was no exec, after the child has ended without one.
    pub(crate) fn refused(mut self, program: &OsStr) -> Option<TraceError> {
        let mut number = [0; 4];
        self.refusal.read_exact(&mut number).ok()?;
        Some(TraceError::Execute {
            program: program.to_string_lossy().into_owned(),
            error: io::Error::from_raw_os_error(i32::from_ne_bytes(number)),
        })
    }
}

fn text(argument: &OsStr) -> Result<CString, TraceError> {
    CString::new(argument.as_bytes()).map_err(|_| TraceError::ZeroByte)
}

/// The child's part. `arguments` ends in a null pointer.
fn become_program(
    gate: RawFd,
    opener: RawFd,
    teller: RawFd,
    path: &CString,
    arguments: &[*const libc::c_char],
) -> ! {
    // SAFETY: system calls and functions that may be called after a fork
    // (signal-safety(7); execvp of glibc and musl allocates nothing), on live locals, on
    // strings that end in zero and a list that ends in null; there is no return.
    unsafe {
        libc::close(opener);
        let mut byte = 0_u8;
        if libc::read(gate, (&raw mut byte).cast(), 1) != 1 {
            libc::_exit(127);
        }
        // Rust ignores it, and blocked signals would be the program's too.
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
        libc::execvp(path.as_ptr(), arguments.as_ptr());
        let number = io::Error::last_os_error().raw_os_error().unwrap_or(0);
        let bytes = number.to_ne_bytes();
        libc::write(teller, bytes.as_ptr().cast(), bytes.len());
        libc::_exit(127)
    }
}
